"""The outline of a Markdown file: sections, lists, items and paragraphs with the lines they stand on.

Lines are counted in the whole file, header included, and are never rewritten here: whoever changes the file replaces
lines, and every other byte stays."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from recollect.files.edits.managed_block import BEGIN, END
from recollect.model.record import Record
from recollect.suggestions.frontmatter import read_frontmatter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it import MarkdownIt
    from markdown_it.token import Token

BOM = "\ufeff"
_MARKER = re.compile(r"(\s*)([-*+]|\d{1,9}[.)])(\s+)(\[[ xX]\]\s+)?")
_SENTENCE = re.compile(r"(?<=[.!?。])\s+(?=[A-Z0-9`\"*(ÄÖÜÀ-Þ])|(?<=。)")


class Item(Record):
    """One item of a list: its first paragraph, without what else stands inside it."""

    start: int
    end: int  # behind its last line
    text: str  # on one line, without marker and checkbox
    inner_end: int  # behind its own words, before what is nested in it


class ItemList(Record):
    """A list at the top level."""

    start: int
    end: int
    items: tuple[Item, ...]
    marker: str  # of its last item: -, *, + or 3.
    lead: str  # everything before the words of its last item
    ordered: bool
    loose: bool  # blank lines between the items
    checkbox: str = ""


class Paragraph(Record):
    """A paragraph at the top level."""

    start: int
    end: int
    text: str


class Section(Record):
    """A heading and what stands under it, up to the next heading."""

    heading: str  # empty: what stands before the first one
    level: int
    start: int
    end: int  # behind its last line that is not blank
    lists: tuple[ItemList, ...] = ()
    paragraphs: tuple[Paragraph, ...] = ()
    codes: tuple[str, ...] = ()  # lines of code blocks, cells of tables, sentences inside items


class Outline(Record):
    """A file in its sections."""

    lines: tuple[str, ...]  # with their ends
    sections: tuple[Section, ...]
    first: int  # line behind the header
    own: tuple[str, ...]  # the lines, blank where Recollect's own block stands: nothing in it is the user's

    @property
    def newline(self) -> str:
        """How lines end here."""
        return "\r\n" if any(line.endswith("\r\n") for line in self.lines) else "\n"

    @property
    def lists(self) -> list[ItemList]:
        """All lists at the top level."""
        return [one for section in self.sections for one in section.lists]


def split_lines(text: str) -> list[str]:
    """The lines of a text with their ends; only a line feed ends one, as in Markdown."""
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("table")


@lru_cache(maxsize=256)
def outline(text: str) -> Outline:
    """The outline of a Markdown text."""
    lines = tuple(split_lines(text))
    first = min(read_frontmatter(text.removeprefix(BOM)).lines, len(lines))
    block = _managed(lines)
    own = tuple("" if at in block else line for at, line in enumerate(lines))
    # Blank lines in the place of the header: positions stay those of the whole file. The mark that opens our block
    # stays, because it ends the list before it.
    read = [BEGIN if at == block.start and block else line for at, line in enumerate(own)]
    read[:1] = [line.removeprefix(BOM) for line in read[:1]]  # a heading behind it is one all the same
    body = "\n" * first + "".join(line.rstrip("\r\n").replace("\r", " ") + "\n" for line in read[first:])
    tokens = _parser().parse(body)
    return Outline(lines, tuple(_sections(tokens, own, first)), first, own)


def _managed(lines: tuple[str, ...]) -> range:
    """The lines of the block that Recollect keeps in the file, both marks included."""
    start = next((at for at, line in enumerate(lines) if BEGIN in line), len(lines))
    end = next((at for at, line in enumerate(lines) if END in line and at >= start), None)
    return range(0) if end is None else range(start, end + 1)


def _sections(tokens: list[Token], lines: tuple[str, ...], first: int) -> Iterator[Section]:
    heads = [
        (token.map[0], int(token.tag[1:]), tokens[at + 1].content)
        for at, token in enumerate(tokens)
        if token.type == "heading_open" and token.level == 0 and token.map
    ]
    starts = [(first, 0, ""), *heads]
    ends = [start for start, _, _ in heads] + [len(lines)]
    for (start, level, heading), end in zip(starts, ends, strict=True):
        inside = [(at, token) for at, token in enumerate(tokens) if _is_inside(token, start, end)]
        yield Section(
            heading.strip(),
            level,
            start,
            _trimmed(lines, start, end),
            tuple(_list(tokens, at, lines) for at, token in inside if token.type.endswith("list_open")),
            tuple(_paragraph(tokens, at) for at, token in inside if token.type == "paragraph_open"),
            tuple(_codes(tokens, start, end)),
        )


def _is_inside(token: Token, start: int, end: int) -> bool:
    return token.level == 0 and token.map is not None and start <= token.map[0] < end


def _codes(tokens: list[Token], start: int, end: int) -> Iterator[str]:
    for token in tokens:
        if token.map is None or not start <= token.map[0] < end:
            continue
        if token.type in ("fence", "code_block"):
            yield from (line.strip() for line in token.content.splitlines() if line.strip())
        elif token.type == "inline" and token.level == 4:
            yield token.content  # a cell of a table
        elif token.type == "inline" and token.level == 3:
            yield from sentences_of(" ".join(token.content.split()))  # a paragraph of an item, the first or a later one


def _paragraph(tokens: list[Token], at: int) -> Paragraph:
    start, end = tokens[at].map or (0, 0)
    return Paragraph(start, end, " ".join(tokens[at + 1].content.split()))


def _list(tokens: list[Token], at: int, lines: tuple[str, ...]) -> ItemList:
    opening = tokens[at]
    start, end = opening.map or (0, 0)
    items = []
    for place in range(at + 1, len(tokens)):
        token = tokens[place]
        if token.level == 0 and token.type.endswith("list_close"):
            break
        if token.type == "list_item_open" and token.level == 1 and token.map:
            items.append(_item(tokens, place, lines))
    lead = _MARKER.match(lines[items[-1].start]) if items else None
    gaps = [lines[one.start - 1].strip() == "" for one in items[1:]]
    return ItemList(
        start,
        _trimmed(lines, start, end),
        tuple(items),
        lead[2] if lead else "-",
        "".join(part or "" for part in lead.groups()) if lead else "- ",
        opening.type.startswith("ordered"),
        bool(gaps) and all(gaps),
        (lead[4] or "") if lead else "",
    )


def _item(tokens: list[Token], at: int, lines: tuple[str, ...]) -> Item:
    start, end = tokens[at].map or (0, 0)
    words, inner_end = "", start + 1
    if tokens[at + 1].type == "paragraph_open":
        words = re.sub(r"^\[[ xX]\]\s+", "", " ".join(tokens[at + 2].content.split()))
        inner_end = (tokens[at + 1].map or (start, inner_end))[1]
    return Item(start, _trimmed(lines, start, end), words, inner_end)


def _trimmed(lines: tuple[str, ...], start: int, end: int) -> int:
    """Behind the last line that is not blank."""
    while end > start and not lines[end - 1].strip():
        end -= 1
    return end


def sentences_of(text: str) -> list[str]:
    """The sentences of a paragraph or an item."""
    return [part for part in _SENTENCE.split(text) if part and part.strip()]
