"""`recollect suggest`: what was learned as reviewed edits of AGENTS.md, instructions, skills, prompts and hooks."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from recollect.doors.cli.answers import confirmed
from recollect.doors.cli.opening import from_editor, opened
from recollect.doors.cli.options import WORDS, Command, Group, json_option, yes_option
from recollect.doors.cli.printing.output import on_terminal, put, put_json, say
from recollect.doors.cli.printing.suggestions import (
    print_applied,
    print_left,
    print_suggestion,
    print_suggestions,
    print_undone,
    print_way_back,
    put_diff,
    question,
    similar_hint,
    similar_line,
    similar_lines,
)
from recollect.doors.suggestion_shapes import applied_json, reconciled_json, suggestion_json, undone_json
from recollect.errors import NotFound, RecollectError, Refused, UsageError
from recollect.flows.suggestions.applying import NeedsReview, Written
from recollect.flows.suggestions.suggestion_list import is_plain
from recollect.model.suggestions import STATUSES
from recollect.text.ids import short_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.app import Recollect
    from recollect.flows.suggestions.applying import ApplyOutcome
    from recollect.model.suggestions import Suggestion

WHAT = "Deciding on a suggestion"
AGENTS_WORD = "an agent; nobody typed it"
OUR_WORD = "Recollect, from what passed in your sessions; nobody typed it"

suggestion_argument = click.argument("name", metavar="ID", type=WORDS)


@click.group("suggest", cls=Group, default="list", example="recollect suggest list")
def suggest() -> None:
    """Turn what was learned into reviewed edits of your customization files.

    Nothing is written until you apply it, and every edit can be undone.
    """


@suggest.command("list", cls=Command, example="recollect suggest list")
@click.option("--status", type=click.Choice(STATUSES), help="[default: pending and needs_review]")
@click.option("--all", "everywhere", is_flag=True, help="In every repository.")
@json_option
def list_suggestions(status: str | None, everywhere: bool, as_json: bool) -> None:
    """List suggestions by the kind of file they change."""
    with opened() as memory:
        found = memory.suggestions.list(status or "", everywhere=everywhere)
        if as_json:
            put_json([suggestion_json(one) for one in found])
        else:
            print_suggestions(found, memory, status=status or "", everywhere=everywhere)


@suggest.command("show", cls=Command, example="recollect suggest show g_n8r4c6tb")
@suggestion_argument
@json_option
def show(name: str, as_json: bool) -> None:
    """Show one suggestion: its diff, where it comes from, why this file."""
    with opened() as memory:
        one = memory.suggestions.get(name)
        print_suggestion(one, sources=sources_of(one, memory), as_json=as_json)


@suggest.command("apply", cls=Command, example="recollect suggest apply g_n8r4c6tb --yes")
@click.argument("names", metavar="[ID]...", nargs=-1, type=WORDS)
@click.option("--all", "every", is_flag=True, help="All that are pending, except conflicts.")
@yes_option
@json_option
def apply(names: tuple[str, ...], every: bool, yes: bool, as_json: bool) -> None:
    """Apply a suggestion, after showing it.

    If the file has changed since, the change is merged or the file is left alone. Agents cannot apply suggestions;
    a script of yours can, with --yes.
    """
    with opened(changes=True) as memory:
        chosen = _chosen(names, every, memory)
        memory.for_person(WHAT, away=yes)
        named = bool(chosen)
        if not (named or as_json):
            say(_nothing_to_apply(memory))
        outcomes: list[ApplyOutcome] = []
        try:
            while chosen:
                one = chosen.pop(0)
                if yes or _agreed(one, memory):
                    outcome = _applied(one, memory, away=yes, alone=not (chosen or outcomes))
                    outcomes.append(_noted_once(outcome, outcomes))
                    if not as_json:
                        print_applied(outcomes[-1:])  # at once: whatever comes next, it is known what was written
                    chosen += [] if every else _more(outcomes[-1], chosen, memory, yes=yes)
        finally:
            if not as_json:
                print_way_back(outcomes)
        if as_json:
            put_json([applied_json(outcome) for outcome in outcomes])
        else:
            if every:
                print_left(_left(memory))
            _open_created(outcomes)
    if named and not (outcomes or as_json):
        say("Nothing was written.")
    if any(not isinstance(outcome, Written) for outcome in outcomes):
        click.get_current_context().exit(1)


@suggest.command("edit", cls=Command, needs_person=True, example='recollect suggest edit g_n8r4c6tb "Use pnpm 9."')
@suggestion_argument
@click.argument("text", nargs=-1, type=WORDS)
@json_option
def edit(name: str, text: tuple[str, ...], as_json: bool) -> None:
    """Put a suggestion into your own words.

    Give another sentence, or change the whole file in your editor.
    """
    with opened(changes=True) as memory:
        suggestions = memory.for_person(WHAT).suggestions
        if text:
            fresh = suggestions.edit(name, text=" ".join(text))
        else:
            one = suggestions.to_be_edited(name)
            fresh = suggestions.edit(name, after=_with_its_end(from_editor(one.after), one.after), before=one.before)
        if as_json:
            put_json(suggestion_json(fresh))
        else:
            put_diff(fresh)


@suggest.command("dismiss", cls=Command, needs_person=True, example="recollect suggest dismiss g_n8r4c6tb")
@click.argument("names", metavar="ID...", nargs=-1, required=True, type=WORDS)
@json_option
def dismiss(names: tuple[str, ...], as_json: bool) -> None:
    """Dismiss suggestions, so that they are not made again. `suggest undo` brings one back."""
    with opened(changes=True) as memory:
        suggestions = memory.for_person(WHAT).suggestions
        dropped = [suggestions.dismiss(name) for name in names]
        if as_json:
            put_json([suggestion_json(one) for one in dropped])
        else:
            for one in dropped:
                name = short_id(one.suggestion_id)
                put(f"Dismissed {name if on_terminal() else one.suggestion_id}")
            say(f"Undo with `recollect suggest undo {' '.join(short_id(one.suggestion_id) for one in dropped)}`.")


@suggest.command("undo", cls=Command, needs_person=True, example="recollect suggest undo g_q2v7h4xs")
@click.argument("names", metavar="ID...", nargs=-1, required=True, type=WORDS)
@json_option
def undo(names: tuple[str, ...], as_json: bool) -> None:
    """Restore a file to what it was before a suggestion was applied, or bring back a dismissed suggestion.

    Of several, the last applied is undone first. With --json, one ID prints an object and several print a list.
    """
    with opened(changes=True) as memory:
        done = []
        for outcome in memory.for_person(WHAT).suggestions.undo_each(names):
            done.append(undone_json(outcome))
            if not as_json:
                print_undone(outcome)
        if as_json:
            put_json(done if len(names) > 1 else done[0])


@suggest.command("reconcile", cls=Command, example="recollect suggest reconcile")
@json_option
def reconcile(as_json: bool) -> None:
    """Make suggestions now from what was learned.

    Imported sessions that were not read yet are read first.
    """
    with opened(changes=True) as memory:
        done = memory.suggestions.reconcile()
        if as_json:
            put_json(reconciled_json(done))
        else:
            print_suggestions(memory.suggestions.list(), memory)


def sources_of(one: Suggestion, memory: Recollect) -> list[str]:
    """Where its fact comes from: an agent or Recollect, where it was not typed; the session, the turn and the words
    that were typed there, or the cited file and whether it says so."""
    entries = memory.opened.store.entries.active(one.fact_ids)
    typed = any(entry.origin != "assistant" for entry in entries)
    ours = all(entry.source == "system" for entry in entries)
    told = [OUR_WORD if ours else AGENTS_WORD] if entries and not typed else []
    for citation in one.citations:
        if citation.kind == "turn" and citation.session:
            session = memory.sessions.told_of(citation.session) or citation.session
            quote = f": “{citation.quote}”" if citation.quote else ""
            told.append(f"{session}, turn {citation.turn}{quote}")
        elif citation.path:
            where = f"{citation.path}:{citation.start}" if citation.start else citation.path
            citing = [entry._replace(citations=(citation,)) for entry in entries if citation in entry.citations]
            found = memory.entries.checks(citing[:1], patient=True)
            is_doubtful = bool(found) and found[0].check in ("cited", "changed", "gone")
            told.append(f"{where} ({found[0].check}: {found[0].detail})" if is_doubtful else where)
    return told or [f"entry {name}" for name in one.fact_ids]


def _chosen(names: Sequence[str], every: bool, memory: Recollect) -> list[Suggestion]:
    if every:
        return [one for one in memory.suggestions.list(as_shown=True) if is_plain(one)]
    if not names:
        raise UsageError("Name a suggestion, or add --all.")
    found = [memory.suggestions.get(name, as_shown=True) for name in names]
    if not found:
        raise NotFound("There is nothing to apply.")
    return found


def _nothing_to_apply(memory: Recollect) -> str:
    why = "What is pending is decided one at a time" if _left(memory) else "No suggestion is pending"
    return f"{why}, so nothing was changed."


def _left(memory: Recollect) -> list[Suggestion]:
    """What waits and is decided one at a time."""
    return [one for one in memory.suggestions.list() if not is_plain(one)]


def _applied(one: Suggestion, memory: Recollect, *, away: bool, alone: bool) -> ApplyOutcome:
    """What became of one; among several, one that cannot be written does not keep the others back."""
    try:
        return memory.for_person(WHAT, away=away).suggestions.apply(one.suggestion_id)
    except RecollectError as error:
        if alone:
            raise
        return NeedsReview(one, str(error).rstrip("."))


def _noted_once(outcome: ApplyOutcome, before: Sequence[ApplyOutcome]) -> ApplyOutcome:
    """Without the note on how the file stands with git, where this very command has written to it before."""
    written = {(one.suggestion.root, one.suggestion.target) for one in before if isinstance(one, Written)}
    again = (outcome.suggestion.root, outcome.suggestion.target) in written
    return outcome._replace(note="") if again and isinstance(outcome, Written) else outcome


def _agreed(one: Suggestion, memory: Recollect) -> bool:
    """Does the person want it? A stray Enter applies nothing. What cannot be applied any more is not asked about:
    applying it says why."""
    if not memory.suggestions.is_open(one):
        return True
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Refused(f"{one.target} would be changed. Add --yes to confirm; there is no terminal to ask on.")
    one = memory.suggestions.get(one.suggestion_id)
    print_suggestion(one, sources=sources_of(one, memory), as_json=False)
    return confirmed(question(one), err=False)


def _more(outcome: ApplyOutcome, chosen: Sequence[Suggestion], memory: Recollect, *, yes: bool) -> list[Suggestion]:
    """Similar suggestions for the same place, if the person wants them too; without a terminal they are only named."""
    known = {one.suggestion_id for one in chosen}
    similar = [one for one in memory.suggestions.similar(outcome.suggestion) if one.suggestion_id not in known]
    if not similar or not isinstance(outcome, Written):
        return []
    if yes or not sys.stdin.isatty():
        say(similar_hint(len(similar)))
        return []
    for line in similar_lines(similar):
        say(line)
    try:
        return similar if confirmed(similar_line(len(similar)), err=False) else []
    except click.Abort:  # Ctrl-C is a no: what was applied stays, and the similar ones stay pending
        put("")
        return []


def _open_created(outcomes: Sequence[ApplyOutcome]) -> None:
    """A new file is opened for review, where somebody sits who has an editor."""
    from recollect.settings import environment

    environ = environment()
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or not (environ.get("VISUAL") or environ.get("EDITOR")):
        return
    for outcome in outcomes:
        if isinstance(outcome, Written) and outcome.suggestion.action == "create":
            click.edit(filename=outcome.path)


def _with_its_end(edited: str, before: str) -> str:
    """What an editor gave back, with the line ends and the last line as the file has them."""
    text = edited.replace("\r\n", "\n")
    text = text.replace("\n", "\r\n") if "\r\n" in before else text
    return text if before.endswith("\n") else text.rstrip("\r\n")
