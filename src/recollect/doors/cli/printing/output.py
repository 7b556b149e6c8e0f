"""Where words go: data to stdout, messages to stderr, and never a control character that somebody stored."""

from __future__ import annotations

import json
import os
import re
import sys
import unicodedata

from recollect.doors.cli.printing.program import as_called
from recollect.text.cutting import cut_short
from recollect.text.ids import short_id
from recollect.text.unseen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TextIO

USUAL_COLUMNS = 80
ANSWERS = " [y/N]: "
_WHOLE_ID = re.compile(r"\b[a-z]_[0-9a-hjkmnp-tv-z]{26}\b")
# A word, with the space before it; a command of ours counts as one, so that it can be copied.
_SPACED = re.compile(r"\s*(?:\(?`[^`\s]*recollect [^`\n]+`\S*|\S+)")
_UNSAFE_IN_JSON = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def on_terminal() -> bool:
    """Does a person see stdout?"""
    return sys.stdout.isatty()


def plain(text: str) -> str:
    """The text without what a terminal would obey and without what nobody sees; line breaks and tabs stay."""
    return visible(text)


def one_line(text: str) -> str:
    """The text on one line."""
    return " ".join(plain(text).split())


def say(message: str) -> None:
    """A message for whoever runs the command; on a terminal its lines end between words."""
    text = as_called(plain(message))
    sys.stderr.write((_wrapped(short_ids(text), _columns(sys.stderr)) if sys.stderr.isatty() else text) + "\n")


def short_ids(text: str) -> str:
    """The text with every id in its short form, which everything accepts."""
    return _WHOLE_ID.sub(lambda found: short_id(found[0]), text)


def asked(text: str) -> str:
    """A question whose lines end between words, with room for what may be answered."""
    return _wrapped(plain(text), _columns(sys.stderr) - len(ANSWERS)) if sys.stderr.isatty() else text


def screen_columns() -> int:
    """How wide a line on stdout may be."""
    return _columns(sys.stdout)


def _columns(stream: TextIO) -> int:
    """How wide the terminal is that shows this; the other stream may be a pipe."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or USUAL_COLUMNS
    except (OSError, ValueError):
        return USUAL_COLUMNS


def _wrapped(text: str, columns: int) -> str:
    """The text with no line wider than that, but for a word that is; what was indented stays so."""
    return "\n".join(part for line in text.split("\n") for part in fitted(line, columns))


def fitted(line: str, columns: int) -> list[str]:
    """A line in parts that fit; a word or a command that is longer stands on a line of its own, unbroken."""
    if _cells(line) <= columns:
        return [line]
    indent = line[: len(line) - len(line.lstrip())]
    indent += "  " if line.startswith(f"{indent}- ") else ""
    first, *others = _SPACED.findall(line)
    lines, last = [], first
    for word in others:
        if _cells(last) + _cells(word) > columns:
            lines.append(last)
            last = indent + word.lstrip()
        else:
            last += word
    return [*lines, last]


def _cells(text: str) -> int:
    """How many columns a text takes; Chinese and Japanese letters take two."""
    return len(text) + sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)


def shortened(text: str, longest: int) -> str:
    """A text on one line, cut between words where it is too long."""
    return cut_short(one_line(text), longest)


def put(text: str) -> None:
    """One or more lines of data."""
    sys.stdout.write(plain(text) + "\n")


def put_text(text: str) -> None:
    """One or more lines of prose; on a terminal they end between words."""
    shown = plain(text)
    sys.stdout.write((_wrapped(shown, _columns(sys.stdout)) if on_terminal() else shown) + "\n")


def put_hint(text: str) -> None:
    """Prose that may name commands; they work as they are printed."""
    put_text(as_called(text))


def put_cut(line: str) -> None:
    """One line of data; on a terminal as much of it as fits."""
    shown, columns = plain(line), _columns(sys.stdout)
    if on_terminal() and _cells(shown) > columns:
        while _cells(shown) >= columns:
            shown = shown[:-1]
        shown += "…"
    sys.stdout.write(shown + "\n")


def put_rest(shown: int) -> None:
    """That a list on a terminal was cut, and how to see it whole."""
    put_text(paint(f"\n{shown:,} shown; --limit 0 lists them all.", dim=True))


def put_row(cells: Iterable[object]) -> None:
    """One record on one line, tabs between its cells."""
    put("\t".join(one_line(str(cell)) for cell in cells))


def put_json(document: object) -> None:
    """The one JSON document of a command."""
    utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    text = json.dumps(document, ensure_ascii=not utf8, indent=2)
    text = _UNSAFE_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    try:
        sys.stdout.write(text + "\n")
    except UnicodeEncodeError:  # half a surrogate pair, which only the escaped form can carry
        sys.stdout.write(json.dumps(document, indent=2) + "\n")


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 entry`, `3 entries`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def coloured() -> bool:
    """May what goes to the terminal carry colour?"""
    from recollect.settings import environment

    environ = environment()
    return on_terminal() and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"


def paint(text: str, colour: str = "", *, dim: bool = False) -> str:
    """The text in a colour, where there may be any; for single lines, which are not worth importing rich."""
    if not coloured():
        return text
    import click

    return click.style(text, fg=colour or None, dim=dim or None)


def put_done(sentence: str, detail: str = "") -> None:
    """Tell a person at a terminal that something was done, and what else there is to know about it."""
    _put_marked(paint("✓", "green"), sentence, detail)


def put_lacking(sentence: str, remedy: str) -> None:
    """Tell a person that something was done but does not work yet, and what to do about it."""
    _put_marked(paint("!", "yellow"), sentence, remedy)


def _put_marked(mark: str, sentence: str, detail: str) -> None:
    said = _wrapped(_told(sentence), _columns(sys.stdout) - 2).replace("\n", "\n  ")
    sys.stdout.write(f"{mark} {said}\n")
    put_quiet(detail)


def _told(text: str) -> str:
    return short_ids(as_called(plain(text)))


def put_quiet(text: str) -> None:
    """Something else to know, two columns in and stepping back, its lines ending between words."""
    for line in _wrapped(_told(text), _columns(sys.stdout) - 2).splitlines():
        sys.stdout.write(f"  {paint(line, dim=True)}\n")
