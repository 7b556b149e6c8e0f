"""Suggestions in words: the list under its header, one with its diff, and what became of it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from recollect.doors.cli.printing.output import (
    counted,
    on_terminal,
    one_line,
    paint,
    put,
    put_json,
    put_row,
    put_text,
    say,
)
from recollect.doors.cli.printing.program import as_called
from recollect.doors.cli.printing.times import ago
from recollect.doors.suggestion_shapes import CHANGES, suggestion_json
from recollect.flows.views.name_repository import place_name
from recollect.model.suggestions import APPLIED, DECIDED, DISMISSED, NEEDS_REVIEW, PENDING
from recollect.suggestions.diffs import unified
from recollect.text.ids import short_id

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recollect.app import Recollect
    from recollect.flows.suggestions.applying import ApplyOutcome, Written
    from recollect.flows.suggestions.suggestion_list import Header
    from recollect.model.suggestions import Suggestion

GROUPS = {
    "instructions": "Instructions",
    "agent": "Agents",
    "skill": "Skills",
    "prompt": "Prompts",
    "hook": "Hooks",
    "newFile": "New Files",
}
DISABLED = "Memory is disabled. Enable it with `recollect settings set suggestions.mode occasional`."
NONE_YET = "No suggestions yet. Run `recollect suggest reconcile`."
CAUGHT_UP = "All caught up! ✓"
NEVER_RUN = "Nothing has been looked at yet: run `recollect suggest reconcile`."
_NONE = {
    PENDING: "No suggestion is pending.",
    NEEDS_REVIEW: "No suggestion needs a review.",
    APPLIED: "No suggestion was applied.",
    DISMISSED: "No suggestion was dismissed.",
}
_DOES = {
    "merge": "Merge into",
    "add": "Add to",
    "create": "Create new",
    "remove": "Remove from",
    "conflict": "Contradicts",
}


def print_suggestions(
    found: Sequence[Suggestion], memory: Recollect, *, status: str = "", everywhere: bool = False
) -> None:
    """What was found, by the kind of file, under the mode and the last run; of `everywhere`, with its repository. Of
    one status, its own number is given."""
    header = memory.suggestions.header
    if everywhere:
        header = header._replace(pending=memory.suggestions.pending_count(everywhere=True))
    places = {one.suggestion_id: _place(one, memory) for one in found}
    if not on_terminal():
        say(header_line(header, status, len(found)))
        if not found:
            say(empty_state(header, status))
        for one in found:
            row = (one.suggestion_id, one.target_type, one.action, one.status, one.target, one.fact)
            put_row((*row, places[one.suggestion_id]) if everywhere else row)
        return
    _page(found, header, places, status)


def _place(one: Suggestion, memory: Recollect) -> str:
    """The repository of a suggestion for another one than this; empty where it is for here or for the user's files."""
    is_here = one.repository in ("", memory.repository.repository)
    return "" if is_here else place_name(one.repository, memory.opened.store)


def _page(found: Sequence[Suggestion], header: Header, places: Mapping[str, str], status: str) -> None:
    from recollect.doors.cli.printing.terminal import Page

    page = Page()
    page.line("Memory Suggestions", "bold")
    page.line(header_line(header, status, len(found)), "dim")
    if not found:
        page.line(as_called(empty_state(header, status)))
        return
    for kind, title in GROUPS.items():
        here = [one for one in found if one.target_type == kind]
        if here:
            page.heading(f"{title} ({len(here)})")
            page.items([_item(one, places[one.suggestion_id]) for one in here])
    undone = "bring one back" if status == DISMISSED else "undo one"
    more = (
        f"{undone} with `recollect suggest undo ID`" if status in DECIDED else "go through all with `recollect review`"
    )
    page.hint(f"\nLook at one with `recollect suggest show ID`, {more}.")


def _item(one: Suggestion, place: str) -> tuple[str, str, str, str]:
    where = f" in {place}" if place else ""
    return short_id(one.suggestion_id), _bullets(one.fact), f"{leads_to(one)}{where}", ""


def _bullets(fact: str, *, indent: str = "") -> str:
    """A fact in quotes; several in one suggestion stand one below the other."""
    lines = [one_line(line).removeprefix("- ") for line in fact.splitlines() if line.strip()]
    return "\n".join(f"{indent}• {line}" for line in lines) if len(lines) > 1 else f'"{one_line(fact)}"'


def header_line(header: Header, status: str, found: int) -> str:
    """The mode, when suggestions were made last, how many wait, or how many of one status there are."""
    run = ago(header.last_run, now=time.time())
    number = f"{found} {status.replace('_', ' ')}" if status else f"{header.pending} pending"
    return f"Mode: {header.mode.capitalize()} • Last run: {run} • {number}"


def empty_state(header: Header, status: str) -> str:
    """What a list without anything in it says."""
    if status:
        return _NONE[status]
    if header.mode == "off":
        return DISABLED
    if header.mode == "manual":
        return NONE_YET
    return CAUGHT_UP if header.last_run else f"{CAUGHT_UP}\n{NEVER_RUN}"


def leads_to(one: Suggestion) -> str:
    """Where it would go, and what has to be known about it."""
    needs = f" (needs review: {one.note})" if one.status == "needs_review" else ""
    where = f", under {one.place}" if one.place and one.action not in ("create", "remove") else ""
    return f"→ {_DOES[one.action]} {one.target}{where}{needs}"


def print_suggestion(one: Suggestion, *, sources: Sequence[str], as_json: bool) -> None:
    """One suggestion: the diff, where the fact comes from, how sure it is, why this file."""
    if as_json:
        put_json(suggestion_json(one))
        return
    for name, value in _fields(one, sources):
        if name == "Says" and "\n" in value.strip():
            put_text(f"{name}:\n{_bullets(value, indent='  ')}")
        elif value:
            put_text(f"{name}: {one_line(value)}")
    put("")
    put_diff(one)


def _fields(one: Suggestion, sources: Sequence[str]) -> list[tuple[str, str]]:
    return [
        ("Suggestion", short_id(one.suggestion_id) if on_terminal() else one.suggestion_id),
        ("Says", one.fact),
        ("Target", leads_to(one).removeprefix("→ ")),
        ("Why here", one.why),
        ("Confidence", f"{one.confidence:.2f} as a suggestion"),
        *(("From", source) for source in sources),
        ("Status", one.status.replace("_", " ")),
        ("Note", one.note),
    ]


def put_diff(one: Suggestion) -> None:
    """The change, in the colours of a diff where there are any."""
    colours = {"+": "green", "-": "red", "@": "cyan"}
    for line in unified(one.target, one.before, one.after).splitlines():
        text = line.rstrip("\r")
        put(paint(text, colours[text[0]]) if text[:1] in colours and on_terminal() else text)


def question(one: Suggestion) -> str:
    """What is asked before it is applied; of a contradiction, with what becomes of the old line."""
    if one.action == "remove":
        return f"Remove this from {one.target}?"
    if one.action != "conflict":
        return f"Apply this to {one.target}?"
    changed = unified(one.target, one.before, one.after, context=0).splitlines()[2:]
    if any(line.startswith("-") for line in changed):
        return f"Apply this to {one.target}? It replaces the line that it contradicts."
    return f"Apply this to {one.target}? The line that it contradicts stays."


def print_applied(outcomes: Sequence[ApplyOutcome]) -> None:
    """Which files were written, and what was left alone."""
    from recollect.flows.suggestions.applying import Written
    from recollect.flows.suggestions.reconcile import LOST_TARGET

    for outcome in outcomes:
        if isinstance(outcome, Written):
            put(f"Wrote {outcome.suggestion.target}")
            if outcome.note:
                say(f"Note: {outcome.note}.")
        else:
            one = outcome.suggestion
            edit = f"Edit it again with `recollect suggest edit {one.suggestion_id}`."
            see = (
                edit
                if outcome.why == LOST_TARGET and one.edited
                else f"See `recollect suggest show {one.suggestion_id}`."
            )
            say(f"{one.target} was not written: {outcome.why}. {see}")


def print_way_back(outcomes: Sequence[ApplyOutcome]) -> None:
    """The command that undoes all that was written, the last first."""
    from recollect.flows.suggestions.applying import Written

    written = [short_id(one.suggestion.suggestion_id) for one in outcomes if isinstance(one, Written)]
    if written:
        say(f"Undo with `recollect suggest undo {' '.join(reversed(written))}`.")


def print_undone(outcome: Written) -> None:
    """That a file is as it was, or that a dismissed suggestion is back."""
    name = short_id(outcome.suggestion.suggestion_id)
    whole = outcome.suggestion.suggestion_id
    put(f"Restored {outcome.suggestion.target if outcome.path else name if on_terminal() else whole}")
    say(f"The suggestion is pending again. To drop it, run `recollect suggest dismiss {name}`.")


def similar_lines(similar: Sequence[Suggestion]) -> list[str]:
    """What each of the others for the same place does, before somebody is asked about them."""
    return [f"  {CHANGES[one.action]}: {one_line(one.fact)}" for one in similar]


def similar_line(number: int) -> str:
    """The question after one of several for the same place."""
    return f"Apply {counted(number, 'more suggestion')} for the same place?"


def similar_hint(number: int) -> str:
    """Where the others for the same place are seen, where nobody is asked."""
    return f"{counted(number, 'more suggestion')} for the same place; see `recollect suggest list`."


def print_left(left: Sequence[Suggestion]) -> None:
    """What was not applied with all others: it contradicts a line of its file, or needs a review."""
    unclear = [one for one in left if one.status == NEEDS_REVIEW]
    against = [one for one in left if one.status != NEEDS_REVIEW]
    for several, one, many in (
        (against, "it contradicts a line", "they contradict lines"),
        (unclear, "it needs a review", "they need a review"),
    ):
        if several:
            does = one if len(several) == 1 else many
            say(f"{len(several)} left: {does}; see `recollect suggest show {short_id(several[0].suggestion_id)}`.")
