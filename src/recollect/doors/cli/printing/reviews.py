"""What a review shows: one card for each thing that waits, the keys, and how it went."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from recollect.doors.cli.printing.output import counted, one_line, put_quiet, shortened
from recollect.doors.cli.printing.pending import as_sentence, because, kind_of
from recollect.doors.cli.printing.terminal import Page
from recollect.flows.writes.pending import may_reword
from recollect.model.record import Record

if TYPE_CHECKING:
    from collections import Counter

    from recollect.flows.writes.pending import Against, Waiting

LONGEST_QUOTE = 240
KEYS = "y keep  n drop  e edit  s scope  l later  a all of this kind  b back  q quit ?"
STAGED_KEYS = "y approve  n reject  l later  a all of this kind  b back  q quit ?"
MEANINGS = {
    "y": "keep it",
    "n": "drop it; it is not proposed again",
    "e": "edit the text first",
    "s": "change where it holds: in the repository, or everywhere",
    "l": "leave it for later; it stays in the queue",
    "a": "keep all of this kind, after one more question",
    "b": "go back to the one before, and undo what you decided about it",
    "q": "quit; what you decided so far stays decided",
}
STAGED_MEANINGS = {
    "y": "approve the change; it is made as proposed",
    "n": "reject it; nothing is changed, and it is not proposed again",
    **{key: MEANINGS[key] for key in ("l", "b", "q")},
    "a": "approve all of this kind, after one more question",
}
QUESTIONS = {
    "store": "Store this?",
    "update": "Change it to this?",
    "remove": "Retire this?",
    "vote": "Vote on this?",
    "write": "Write this?",
    "task": "Add this to the task?",
}
DONE = {"update": "Changed.", "remove": "Retired.", "write": "Written.", "vote": "Voted."}


class Card(Record):
    """One thing that waits, as it would be kept now."""

    number: int
    total: int
    waiting: Waiting
    text: str
    holds: str  # everywhere, or in which repository
    against: Against
    quote: str = ""
    session: str = ""


def print_card(card: Card) -> None:
    """What it says, where it holds, what was typed and where."""
    page = Page()
    kind = kind_of(card.waiting)
    page.line(f"\n{card.number} of {card.total}  {QUESTIONS.get(kind, kind)}", "dim")
    page.indented(one_line(card.text), "bold")
    quote = shortened(card.quote, LONGEST_QUOTE)
    source = " · ".join(filter(None, (because(card.waiting), one_line(card.session))))
    page.fields(
        [
            *(("instead of", one_line(old)) for old in card.against.replaced),
            *(("contradicts", one_line(old)) for old in card.against.contradicted),
            ("you typed", f"“{quote}”" if quote and quote != one_line(card.text) else ""),
            ("why", as_sentence(source, card.waiting)),
            ("holds", card.holds),
        ]
    )
    page.line(f"  {KEYS if may_reword(card.waiting) else STAGED_KEYS}", "dim")


def print_help(*, may_edit: bool) -> None:
    """What each key does, for whoever pressed another one."""
    for key, meaning in (MEANINGS if may_edit else STAGED_MEANINGS).items():
        tell(f"{key}  {meaning}")


def done_word(waiting: Waiting, verdict: str) -> str:
    """What happened to it."""
    if verdict == "later":
        return "Left for later."
    if may_reword(waiting):
        return "Kept." if verdict == "accepted" else "Dropped."
    if verdict == "rejected":
        return "Rejected; nothing was changed."
    return DONE.get(kind_of(waiting), "Done.")


def tell(text: str) -> None:
    """A short message below the card."""
    put_quiet(text)
    sys.stdout.flush()


def print_end(decided: Counter[tuple[bool, str]], waiting: int, undo: str) -> None:
    """How it went: what was kept and dropped, which wishes of agents were approved and rejected, what is left,
    and the command that undoes the last decision, if there was one."""
    kept, dropped = decided[True, "accepted"], decided[True, "rejected"]
    approved, rejected = decided[False, "accepted"], decided[False, "rejected"]
    parts = [f"kept {kept}, dropped {dropped}"] if kept or dropped else []
    parts += [f"approved {approved}, rejected {rejected}"] if approved or rejected else []
    said = ", ".join(parts) or "nothing decided"
    left = f"{counted(waiting, 'item')} still waiting" if waiting else "nothing else is waiting"
    hint = f" Undo the last one with `{undo}`." if undo else ""
    tell(f"{said[0].upper()}{said[1:]}; {left}.{hint}")
