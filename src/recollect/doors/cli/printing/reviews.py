"""What a review shows: one card for each thing that waits, the keys, and how it went."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from recollect.doors.cli.printing.output import counted, one_line, paint
from recollect.doors.cli.printing.pending import because, kind_of
from recollect.doors.cli.printing.terminal import Page
from recollect.model.candidates import Candidate
from recollect.model.record import Record

if TYPE_CHECKING:
    from recollect.flows.writes.pending import Waiting

LONGEST_QUOTE = 240
KEYS = "y keep  n drop  e edit  s scope  l later  a all of this kind  b back  q quit"
STAGED_KEYS = "y do it  n refuse  l later  a all of this kind  b back  q quit"


class Card(Record):
    """One thing that waits, as it would be kept now."""

    number: int
    total: int
    waiting: Waiting
    text: str
    place: str = ""  # the repository it holds in; empty: for the user everywhere
    quote: str = ""
    session: str = ""


def print_card(card: Card) -> None:
    """What it says, where it holds, what was typed and where."""
    page = Page()
    page.line(f"\n{card.number} of {card.total}  {kind_of(card.waiting)}", "dim")
    page.line(f"  {one_line(card.text)}", "bold")
    quote = one_line(card.quote)
    quote = quote if len(quote) <= LONGEST_QUOTE else quote[:LONGEST_QUOTE].rsplit(" ", 1)[0] + " …"
    source = " · ".join(filter(None, (because(card.waiting), one_line(card.session))))
    page.fields(
        [
            ("you typed", f"“{quote}”" if quote and quote != one_line(card.text) else ""),
            ("from", source),
            ("holds", f"in {card.place.removeprefix('path:')}" if card.place else "for you, everywhere"),
        ]
    )
    page.line(f"  {KEYS if isinstance(card.waiting, Candidate) else STAGED_KEYS}", "dim")


def print_help(*, may_edit: bool) -> None:
    """What the keys do, for whoever pressed another one."""
    tell(KEYS if may_edit else STAGED_KEYS)


def tell(text: str) -> None:
    """One short line."""
    sys.stdout.write(f"  {paint(one_line(text), dim=True)}\n")
    sys.stdout.flush()


def print_end(kept: int, dropped: int, waiting: int) -> None:
    """How it went."""
    left = f"; {counted(waiting, 'item')} still waiting" if waiting else "; nothing else is waiting"
    tell(f"Kept {kept}, dropped {dropped}{left}. Undo the last one with `recollect undo`.")
