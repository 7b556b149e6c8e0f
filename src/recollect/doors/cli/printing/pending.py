"""What waits for a person, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.doors.cli.printing.output import counted, on_terminal, one_line, put, put_done, put_json, put_row, say
from recollect.doors.session_shapes import staged_json, waiting_json
from recollect.flows.views.name_repository import place_name
from recollect.model.candidates import Candidate
from recollect.model.foreign_memories import TITLES, split_reason
from recollect.model.permissions import COMPARISON
from recollect.text.ids import short_id
from recollect.text.subjects import guessed_subject

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.app import Recollect
    from recollect.flows.writes.pending import Waiting
    from recollect.model.drafts import Outcome
    from recollect.model.permissions import Staged

LONGEST_REASON = 200
MEMORIES = tuple(TITLES.values())
IMPORTED_TAG = "from:"
REVIVED = "It is active again."
WOULD = {
    "store": "Store",
    "update": "Change an entry to",
    "remove": "Retire",
    "write": "Write",
    "task": "Add to the task",
}
WANTS = {
    "store": "wants to remember",
    "update": "wants to change an entry to",
    "remove": "wants to forget",
    "write": "wants to write",
    "task": "wrote into a task",
}


def print_pending(memory: Recollect, waiting: Sequence[Waiting], suggested: int, *, as_json: bool) -> None:
    """What agents wanted, then what was found, surest first; and how many suggestions wait besides."""
    if as_json:
        put_json([waiting_json(one) for one in waiting])
        return
    if not waiting:
        say("Nothing to approve." if suggested else "Nothing is waiting for you.")
    elif on_terminal():
        _page(waiting, memory)
    else:
        for one in waiting:
            sure = f"{one.confidence:.2f}" if isinstance(one, Candidate) else "-"
            why = " ".join([one.why, *against_lines(one, memory)])
            put_row((waiting_id(one), kind_of(one), sure, one.what, why))
    if suggested:
        say(f"{counted(suggested, 'suggestion')} for your customization files: `recollect suggest list`.")


def waiting_id(one: Waiting) -> str:
    """The id of what waits."""
    return one.candidate_id if isinstance(one, Candidate) else one.staged_id


def print_approved(outcome: Outcome, text: str, memory: Recollect, *, as_json: bool) -> None:
    """What became of what was accepted, what that was, and what it replaced."""
    replaced = replaced_lines(outcome, memory)
    sentences = {
        "stored": f"Stored as {outcome.entry_id}.",
        "duplicate": f"Already stored as {outcome.entry_id}.",
        "updated": f"Changed: {outcome.entry_id} now says so.",
        "removed": f"Retired {outcome.entry_id}. Bring it back with `recollect restore {outcome.entry_id}`.",
        "voted": f"Voted on {outcome.entry_id}.",
    }
    done = outcome.status
    if outcome.why.startswith(REVIVED):  # it was stored before, and that was undone
        done = "stored again"
        sentences["duplicate"] = f"Stored again as {outcome.entry_id}."
        outcome = outcome._replace(why=outcome.why.removeprefix(REVIVED).strip())
    if outcome.status == "removed":
        outcome = outcome._replace(why="")  # that is for agents; a person is told the command
    if as_json:
        from recollect.doors.shapes import approved_json

        put_json(approved_json(outcome))
    elif outcome.status not in sentences:
        say(f"recollect: {outcome.why}")
    elif on_terminal():
        put_done(sentences[outcome.status], "\n".join(filter(None, (one_line(text), *replaced, outcome.why))))
    else:
        put(f"{done} {outcome.entry_id}")
        for line in filter(None, (f"Approved: {one_line(text)}", *replaced, outcome.why)):
            say(line)


def print_rejected(rejected: Waiting, *, as_json: bool) -> None:
    """What is not proposed again, and how it comes back."""
    if as_json:
        put_json(waiting_json(rejected))
    else:
        say(f"Rejected: {one_line(rejected.what)}\nUndo it with `recollect undo {waiting_id(rejected)}`.")


def print_reopened(waiting: Waiting, *, as_json: bool) -> None:
    """What was rejected and waits again."""
    if as_json:
        put_json(waiting_json(waiting))
    else:
        say(f"Waiting for your review again: {one_line(waiting.what)}")


def _page(waiting: Sequence[Waiting], memory: Recollect) -> None:
    from recollect.doors.cli.printing.terminal import Page

    page = Page()
    page.items([(short_id(waiting_id(one)), _proposed(one), _details(one, memory), "") for one in waiting])
    name = short_id(waiting_id(waiting[0]))
    page.hint(f"\nApprove with `recollect approve {name}`, reject with `recollect reject {name}`.")


def _proposed(one: Waiting) -> str:
    """What it says; of anything but storing it, what would be done."""
    does = would_do(one)
    return one.what if does == WOULD["store"] else f"{does}: {one.what}"


def _details(one: Waiting, memory: Recollect) -> str:
    because = f"{_below(one).removesuffix('.')}. Holds {holds(place_of(one, memory), memory)}."
    return "\n".join([*against_lines(one, memory), because])


def against_lines(one: Waiting, memory: Recollect) -> list[str]:
    """What stands now and would be replaced, and what it contradicts besides; one line each."""
    against = memory.pending.against(one)
    replaced = [f"Instead of: {one_line(old)}" for old in against.replaced]
    return replaced + [f"Contradicts: {one_line(old)}" for old in against.contradicted]


def replaced_lines(outcome: Outcome, memory: Recollect) -> list[str]:
    """What an approval replaced, one line each."""
    return [f"Instead of: {one_line(memory.entries.get(entry_id).content)}" for entry_id in outcome.superseded]


def place_of(one: Waiting, memory: Recollect) -> str:
    """The repository that it would hold in; empty: everywhere."""
    if isinstance(one, Candidate) and one.draft.scope == "user":
        return ""
    return known_place(one, memory)


def known_place(one: Waiting, memory: Recollect) -> str:
    """The repository that it would hold in, or could: that of its session."""
    if isinstance(one, Candidate):
        return one.draft.repository or memory.sessions.repository_of(one.came_from)
    return one.repository


def holds(place: str, memory: Recollect) -> str:
    """Where it would hold, as people say it."""
    return f"in {place_name(place, memory.opened.store)}" if place else "everywhere"


def _below(one: Waiting) -> str:
    return f"{one.kind}: {because(one)}" if isinstance(one, Candidate) else because(one)


def would_do(one: Waiting) -> str:
    """What an approval does with the text of what waits."""
    if isinstance(one, Candidate):
        return WOULD["store"]
    return WOULD.get(one.action) or f"Vote {one.payload.get('direction') or 'on'}"


def print_reason(one: Waiting, memory: Recollect) -> None:
    """Why it waits, as a sentence of its own, and what it would replace."""
    said = as_sentence(_below(one), one)
    say(f"{said}{'' if said.endswith('.') else '.'}")
    for line in against_lines(one, memory):
        say(line)


def as_sentence(said: str, one: Waiting) -> str:
    """What is said of it, with a capital letter; a client that it begins with keeps its own name."""
    is_named = not isinstance(one, Candidate) and bool(one.client) and said.startswith(one.client)
    return said if is_named else f"{said[:1].upper()}{said[1:]}"


def kind_of(one: Waiting) -> str:
    """What kind of thing waits."""
    return one.kind if isinstance(one, Candidate) else one.action


def because(one: Waiting) -> str:
    """Why it waits, and who wants it."""
    return one.why if isinstance(one, Candidate) else _wish(one)


def _wish(staged: Staged) -> str:
    if staged.client in MEMORIES:
        source = split_reason(staged_json(staged)["reason"], staged.client)[1]
        return f"from {source}{_with(staged)}; it is waiting because {staged.why}"
    if staged.client == COMPARISON:
        return f"Recollect suggests retiring this: {staged.why}"
    wants = WANTS.get(staged.action) or f"wants to vote {staged.payload.get('direction') or 'on'}"
    return f"{staged.client or 'an agent'} {wants} this{_with(staged)}; it is waiting because {staged.why}"


def _with(staged: Staged) -> str:
    """What else comes with it: whoever accepts it accepts that too."""
    shown = staged_json(staged)
    guessed = guessed_subject(staged.what)  # nobody gave that name
    names = [name for name in (shown["subject"], *shown["aliases"]) if name != guessed]
    tags = [tag for tag in shown["tags"] if not tag.startswith(IMPORTED_TAG)]
    reason = split_reason(shown["reason"], staged.client)[0][:LONGEST_REASON]
    parts = [("found under", ", ".join(name for name in names if name)), ("tagged", ", ".join(tags))]
    parts.append(("saying", f"“{reason}”" if reason else ""))
    said = [f"{word} {what}" for word, what in parts if what]
    return f", {', '.join(said)}" if said else ""
