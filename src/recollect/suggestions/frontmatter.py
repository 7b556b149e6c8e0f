"""The header between two lines of `---` at the top of a customization file: read, and found wrong where a host would
find it wrong without a word. Nothing here rewrites one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recollect.model.record import Record

if TYPE_CHECKING:
    Value = str | tuple[str, ...]

FENCE = "---"
_KEY = re.compile(r"([A-Za-z][\w-]*)\s*:(?:[ ]+(.*))?$")
_ITEM = re.compile(r"\s*-\s+(.*)$")
_COLON = re.compile(r":\s|:$")


class Frontmatter(Record):
    """The keys of a header; `lines` is how many lines of the file it takes, both fences included."""

    values: dict[str, Value]
    lines: int = 0
    problems: tuple[str, ...] = ()

    def text(self, key: str) -> str:
        """A value as one text; empty when it is not there."""
        value = self.values.get(key, "")
        return value if isinstance(value, str) else ", ".join(value)

    def patterns(self, *keys: str) -> tuple[str, ...]:
        """Globs under one of these keys, written as a list or with commas between them."""
        for key in keys:
            value = self.values.get(key, "")
            parts = _parted(value) if isinstance(value, str) else value
            if found := tuple(part for part in (one.strip() for one in parts) if part):
                return found
        return ()


def read_frontmatter(text: str) -> Frontmatter:
    """The header of a file. It opens only when the first line is `---`; one that is not closed is a problem."""
    lines = [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]
    if not lines or lines[0].rstrip() != FENCE:
        return Frontmatter({})
    closing = next((at for at, line in enumerate(lines[1:], 1) if line.rstrip() == FENCE), 0)
    if not closing:
        return Frontmatter({}, len(lines), ("the header is not closed, so hosts take the whole file for it",))
    values: dict[str, Value] = {}
    problems: list[str] = []
    key = ""
    for line in lines[1:closing]:
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        found = _KEY.match(line)
        if found is not None:
            key = found[1]
            values[key] = _value(found[2] or "", key, problems)
        elif "\t" in line[: len(line) - len(line.lstrip())]:
            problems.append("a line is indented with a tab")
        elif not key or (not line[0].isspace() and not line.startswith("-")):
            problems.append(f"a line is neither a key nor a value: {line.strip()[:40]}")
        elif (item := _ITEM.match(line)) is not None:
            known = values[key]
            values[key] = (*(known if isinstance(known, tuple) else ()), _bare(item[1]))
    return Frontmatter(values, closing + 1, tuple(problems))


def _value(written: str, key: str, problems: list[str]) -> Value:
    written = written.strip()
    if written.startswith("[") and written.endswith("]"):
        return tuple(_bare(part) for part in _parted(written[1:-1]) if part.strip())
    quoted = written[:1] in "\"'" and written[:1] == written[-1:] and len(written) > 1
    if written and not quoted and _COLON.search(written):
        problems.append(f"the value of {key} has a colon and no quotes")
    return _bare(written)


def _bare(written: str) -> str:
    written = written.strip()
    if len(written) > 1 and written[0] == written[-1] and written[0] in "\"'":
        return written[1:-1]
    return written.split(" #")[0].rstrip()


def _parted(text: str) -> list[str]:
    """Parts between commas, but for the commas inside braces: `**/*.{ts,tsx}` is one glob."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "{") - (letter == "}")
        if letter == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts
