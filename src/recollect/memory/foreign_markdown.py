"""Notes in Markdown as blocks: bullets and paragraphs, with what introduces them and why they hold. Pure."""

from __future__ import annotations

import re

from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_BULLET = re.compile(r"(?:[-*+]|\d{1,3}[.)])\s+(.*)")
_MARKS = re.compile(r"[*_]{2}")
_REASON = re.compile(r"(?:[-*+]\s+)?[*_]{0,2}(?:Why|How to apply)[*_]{0,2}\s*:", re.IGNORECASE)
_NOT_PROSE = ("#", "|", "<", "```", "~~~")
_QUOTED = re.compile(r"\s*>\s?")
_CALLOUT = re.compile(r"\[!\w+\][+-]?\s*")  # what opens a callout: `> [!WARNING]`
_TO_DO = re.compile(r"\[[ xX-]?\]\s")
_CODE = "```"
# An introduction that says when its list holds, or turns its meaning round: "Never do these:".
_STEERS = re.compile(
    r"\b(?:never|not|no|nothing|avoid|without|unless|except|if|when|while|for|in|on|under|before|after|instead|only"
    r"|forbidden|deprecated)\b|n['’]t\b",
    re.IGNORECASE,
)


class Block(Record):
    """A bullet with its continuation, or a paragraph, on one line; what only introduces a list stands before each of
    its items where it changes what they say."""

    text: str
    heading: str = ""
    reason: str = ""


class _Item(Record):
    text: str
    indent: int
    heading: str
    is_reason: bool = False


def blocks(text: str) -> Iterator[Block]:
    """What the text states, in quotes too. Headings, code, tables, to-dos and a line that only introduces something are
    not in it."""
    introductions: list[tuple[int, str]] = []
    last: Block | None = None
    for item in _items(text):
        if item.is_reason:
            last = last and last._replace(reason=f"{last.reason} {item.text}".strip())
            continue
        if last:
            yield last
        introductions = [one for one in introductions if one[0] < item.indent]
        last = None
        if item.text.endswith((":", "：")):
            introductions.append((item.indent, item.text))
        elif item.text and not _TO_DO.match(item.text):
            before = [intro for _, intro in introductions if _STEERS.search(intro)]
            last = Block(" ".join([*before, item.text]), item.heading)
    if last:
        yield last


def left_out(text: str) -> Iterator[str]:
    """What in the text `blocks` passes over though somebody may miss it, by its kind."""
    before, codes = "", 0
    for line in _prose(text):
        bare = line.strip()
        codes += bare == _CODE
        if bare == _CODE and codes % 2:
            yield "code block"
        elif bare.startswith("|") and not before.startswith("|"):
            yield "table"
        elif (bullet := _BULLET.match(bare)) and _TO_DO.match(bullet[1]):
            yield "to-do"
        before = bare


def _items(text: str) -> Iterator[_Item]:
    """Bullets, paragraphs and reasons with how far they are indented; an empty one where something else stands."""
    heading, indent, is_reason = "", 0, False
    said: list[str] = []
    for line in _prose(text):
        bare = line.strip()
        bullet, why = _BULLET.match(bare), _REASON.match(bare) is not None
        other = bare.startswith(_NOT_PROSE)
        if said and (bullet or why or other or not bare):
            yield _Item(_joined(said), indent, heading, is_reason)
            said = []
        if other:
            heading = bare.strip("# ").lower() if bare.startswith("#") else heading
            yield _Item("", -1, heading)
        elif bare and not bare.startswith("@"):
            if not said:
                is_reason, indent = why, len(line) - len(line.lstrip()) - (not bullet)
            said.append(bullet[1] if bullet else bare)
    if said:
        yield _Item(_joined(said), indent, heading, is_reason)


def _prose(text: str) -> Iterator[str]:
    """The lines without the header between `---`, and code as one fence."""
    lines = text.removeprefix("\ufeff").splitlines()
    if lines and lines[0].strip() == "---":
        end = next((at for at, line in enumerate(lines[1:], 1) if line.strip() == "---"), 0)
        lines = lines[end + 1 :]
    in_code = was_quoted = False
    for whole in lines:
        line = whole
        while found := _QUOTED.match(line):
            line = line[found.end() :]
        if line.lstrip().startswith(("```", "~~~")):
            in_code = not in_code
            yield _CODE
        elif not in_code:
            if (line is not whole) != was_quoted:
                yield ""
            was_quoted = line is not whole
            callout = _CALLOUT.match(line) if was_quoted else None
            yield line[callout.end() :] if callout else line


def _joined(lines: list[str]) -> str:
    return _MARKS.sub("", " ".join(lines)).strip()
