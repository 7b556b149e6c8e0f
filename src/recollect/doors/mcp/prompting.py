"""The prompts: texts that a user picks in their client, filled with what memory knows now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.errors import NotFound, UsageError
from recollect.model.record import Record
from recollect.prompts import render
from recollect.text.clean import clean
from recollect.text.fences import neutralise
from recollect.text.ids import short_id
from recollect.text.rendering import as_reference

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recollect.app import Recollect

COMPACT, REVIEW = "recollect_compact", "recollect_review"
KEEP = "recollect_compact_keep"  # a part of the first
MOST_WAITING = 10
LONGEST_FOCUS = 2_000
NOTHING = "- nothing"


class Offered(Record):
    """A prompt as a client lists it."""

    name: str
    title: str
    description: str
    arguments: tuple[tuple[str, str], ...] = ()  # name and description; none of them is required


PROMPTS = (
    Offered(
        COMPACT,
        "Compact this conversation",
        "Summarise the conversation so that work can go on from the summary.",
        (("focus", "what the summary should focus on"),),
    ),
    Offered(REVIEW, "Review memory", "Look at the memories this session received, and correct what is wrong."),
)


def filled(name: str, arguments: Mapping[str, str], memory: Recollect) -> str:
    """The text of a prompt. UsageError for one that does not exist, or for an argument that it does not take."""
    offered = next((one for one in PROMPTS if one.name == name), None)
    if offered is None:
        raise UsageError(
            f"There is no prompt with that name; the prompts are {', '.join(one.name for one in PROMPTS)}."
        )
    known = [argument for argument, _ in offered.arguments]
    if set(arguments) - set(known):
        raise UsageError(f"The prompt {name} takes {' and '.join(known) or 'no arguments'}.")
    return _compact(arguments.get("focus", ""), memory) if name == COMPACT else _review(memory)


def _compact(focus: str, memory: Recollect) -> str:
    task = memory.tasks.active_state()
    keep = [f"- the task: {' '.join(task.split())}"] if task else []
    keep += [f"- {as_reference(entry)}" for entry in memory.profile.show().entries]
    told = " ".join(clean(focus)[:LONGEST_FOCUS].split())
    return render(
        COMPACT,
        keep=render(KEEP, keep=neutralise("\n".join(keep))) + "\n" if keep else "",
        focus=f"Dwell on: {neutralise(told)}" if told else "Dwell on what the next step needs.",
    )


def _review(memory: Recollect) -> str:
    try:
        given = [_given(str(one["id"]), memory) for one in memory.why(here=True).entries]
    except NotFound:
        given = []
    waiting = [f"- {what}" for what in _waiting(memory)[:MOST_WAITING]]
    return render(REVIEW, given="\n".join(given) or NOTHING, waiting="\n".join(waiting) or NOTHING)


def _waiting(memory: Recollect) -> list[str]:
    """What waits here; what waits in another repository is not this session's business.

    The prompt speaks with the user's voice, so what nobody has accepted is named and not repeated in it."""
    here = ("", memory.repository.repository)
    pending = memory.pending
    staged = [f"{one.staged_id} ({one.action})" for one in pending.staged() if one.repository in here]
    found = [f"{one.candidate_id} ({one.kind})" for one in pending.waiting() if one.draft.repository in here]
    return staged + found


def _given(entry_id: str, memory: Recollect) -> str:
    try:
        return f"- [{short_id(entry_id)}] {as_reference(memory.entries.get(entry_id))}"
    except NotFound:
        return f"- [{short_id(entry_id)}] (a past turn, or erased since)"
