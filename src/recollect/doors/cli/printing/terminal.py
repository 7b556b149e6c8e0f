"""The pieces of which the terminal's pages are made. Imported, and rich with it, only when a person is looking."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from recollect.doors.cli.printing.output import coloured, fitted, plain
from recollect.doors.cli.printing.program import as_called
from recollect.model.entries import status_word

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDEST = 100  # longer lines are hard to read
BAR_CELLS = 24
CHECK_LOOKS = {
    "verified": ("✓ verified", "green"),
    "cited": ("cited", "dim"),
    "changed": ("~ changed", "yellow"),
    "gone": ("✗ gone", "red"),
}
STATUS_COLOURS = {"inactive": "yellow", "superseded": "yellow", "tombstone": "red", "paused": "yellow"}


class Page:
    """A terminal that is written to from top to bottom."""

    def __init__(self) -> None:
        self._console = Console(
            file=sys.stdout,
            color_system="auto" if coloured() else None,
            highlight=False,
            markup=False,
            emoji=False,
        )
        self._console.width = min(self._console.width, WIDEST)

    @property
    def columns(self) -> int:
        """How many columns a line has."""
        return self._console.width

    def line(self, text: str | Text = "", style: str = "") -> None:
        """One paragraph, wrapped; a command to copy is never broken."""
        if isinstance(text, Text):
            self._console.print(text)
            return
        for paragraph in plain(text).split("\n"):
            for part in fitted(paragraph, self.columns):
                self._console.print(Text(part, style=style), soft_wrap="`" in part)

    def whole(self, text: str, style: str = "", *, indent: int = 0) -> None:
        """One line that is never broken, such as a command to copy; the terminal goes on below where it is too long."""
        self._console.print(Text(" " * indent + plain(text), style=style), soft_wrap=True)

    def indented(self, text: str, style: str = "") -> None:
        """One paragraph that stands two columns in, every line of it."""
        self._console.print(Padding(Text(plain(text), style=style), (0, 0, 0, 2)))

    def hint(self, text: str) -> None:
        """What one can do next, stepping back; its commands work as they are printed."""
        self.line(as_called(text), "dim")

    def heading(self, text: str) -> None:
        """What the next lines are about."""
        self._console.print(Text(f"\n{plain(text)}", style="bold"))

    def items(self, rows: Sequence[tuple[str | Text, str | Text, str | Text, str]]) -> None:
        """Label, text with a quiet line below it, and something short at the right margin."""
        right = any(row[3] for row in rows)
        for label, body, below, margin in rows:
            grid = Table.grid(padding=(0, 2, 0, 0), expand=True)
            grid.add_column(no_wrap=True, width=max(_width(row[0]) for row in rows))
            grid.add_column(ratio=1, overflow="fold")
            grid.add_row(_text(label, "cyan"), _text(body), *([_text(margin, "dim")] if right else []))
            if below:
                grid.add_row("", _text(below, "dim"))
            self._console.print(grid)

    def fields(self, rows: Sequence[tuple[str, str | Text]]) -> None:
        """Names and values, the values wrapped in their own column; empty ones are left out."""
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(no_wrap=True, style="dim")
        grid.add_column(overflow="fold")
        for name, value in rows:
            if value:
                grid.add_row(name, _text(value))
        self._console.print(Padding(grid, (0, 0, 0, 2)))

    def table(self, rows: Sequence[Sequence[str | Text]], *, wrap: int = -1, header: Sequence[str] = ()) -> None:
        """Columns without lines; the last one, or column `wrap`, takes what room there is."""
        if not rows:
            return
        grid = Table.grid(padding=(0, 2, 0, 0))
        wrapped = wrap % len(rows[0])
        for column in range(len(rows[0])):
            grid.add_column(no_wrap=column != wrapped, overflow="fold" if column == wrapped else "ellipsis")
        if header:
            grid.add_row(*(Text(name, style="dim") for name in header))
        for row in rows:
            grid.add_row(*(_text(cell) for cell in row))
        self._console.print(Padding(grid, (0, 0, 0, 2)))

    def side_by_side(self, left: Sequence[str | Text], right: Sequence[str | Text]) -> None:
        """Two columns of paragraphs, each half the page."""
        grid = Table.grid(padding=(0, 3, 0, 0), expand=True)
        grid.add_column(ratio=1, overflow="fold")
        grid.add_column(ratio=1, overflow="fold")
        for one, other in zip(left, right, strict=True):
            grid.add_row(_text(one), _text(other))
        self._console.print(grid)


def join(*parts: str | Text) -> Text:
    """Quiet parts with dots between them; empty ones are left out."""
    return Text(" · ", style="dim").join(_text(part, "dim") for part in parts if part)


def check_look(check: str) -> Text:
    """What a check found, in its colour; nothing for what was not checked."""
    words, colour = CHECK_LOOKS.get(check, ("", ""))
    return Text(words, style=colour)


def status_look(status: str) -> Text:
    """A status that is worth a word: anything but active."""
    return Text("" if status == "active" else status_word(status), style=STATUS_COLOURS.get(status, "dim"))


def bar(share: float) -> Text:
    """How full something is."""
    filled = min(BAR_CELLS, round(share * BAR_CELLS))
    colour = "green" if share < 0.8 else "yellow" if share < 1 else "red"
    rest = "━" if coloured() else "·"  # without colour nothing else would tell them apart
    return Text().append("━" * filled, style=colour).append(rest * (BAR_CELLS - filled), style="dim")


def _text(text: str | Text, style: str = "") -> Text:
    return text if isinstance(text, Text) else Text(plain(text), style=style)


def _width(text: str | Text) -> int:
    return _text(text).cell_len
