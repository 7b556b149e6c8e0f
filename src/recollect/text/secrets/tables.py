"""Secrets whose name stands elsewhere: in the header of a table, a list of columns, the kind of a manifest."""

from __future__ import annotations

from recollect.text.patterns import lazy
from recollect.text.secrets.names import classify, secret_kind
from recollect.text.secrets.values import MARKER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

Span = tuple[int, int, str]

_RULE = lazy(r"\n[ ]{0,3}\|?[ ]?:?-{2,}[-:| ]{0,400}\r?\n")
_NAME = lazy(r"[A-Za-z][A-Za-z0-9_ .-]{1,40}\Z")
_INSERT = lazy(r"(?i:insert\s+into)\s+[\w.`\"\[\]]{1,80}\s*\(([^()]{1,600})\)\s*(?i:values)")
_TUPLE = lazy(r"\s{0,8},?\s{0,24}\((?:[^()']|'(?:[^'\n]|'')*')*\)")
_SQL_VALUE = lazy(r"[(,]\s*(?:[NE]?'((?:[^'\n]|'')*)'|[^,()']*)\s*(?=[,)])")
_KIND = lazy(r"(?m)^[ \t]{0,8}kind:[ \t]*[\"']?[Ss]ecret[\"']?[ \t\r]*$")
_DATA = lazy(r"(?m)^([ \t]*)data:[ \t\r]*\n((?:\1[ \t]+[^\n]*(?:\n|\Z))+)")
_ENTRY = lazy(r"(?m)^[ \t]+[\w.-]+:[ \t]*(?:[|>][-+]?[ \t]*\n[ \t]+)?[\"']?([A-Za-z0-9+/]{8,}={0,2})[\"']?[ \t\r]*$")
_MOST_ROWS = 200
_MANIFEST = 2000  # how far from its data a manifest says what it is
_FRAME = " \t*`\"'\r"


def columns(text: str) -> Iterator[Span]:
    """The cells below a header such as `| user | password |`, or `user,password` in the first line of a text."""
    if "|" in text and "--" in text:
        done = 0
        for rule in _RULE.finditer(text):
            if rule.start() >= done:
                start = text.rfind("\n", 0, rule.start()) + 1
                done = yield from _below(text, start, rule.start(), rule.end(), "|")
    for mark in ("\n```csv\n", "\n```\n", "") if "```" in text else ("",):
        start = text.find(mark) + len(mark)
        end = text.find("\n", start)
        if start >= len(mark) and 8 <= end - start <= 400:
            header = text[start:end]
            split = "\t" if "\t" in header else ";" if ";" in header else ","
            if split in header and all(_NAME.match(cell.strip(_FRAME)) for cell in header.split(split)):
                yield from _below(text, start, end, end + 1, split)


def inserted(text: str) -> Iterator[Span]:
    """The values of an SQL `INSERT` under a column such as `password`."""
    for match in _INSERT.finditer(text):
        names = [name.strip(_FRAME + "[]") for name in match.group(1).split(",")]
        told = {at: name for at, name in enumerate(names) if classify(name)}
        row = _TUPLE.match(text, match.end()) if told else None
        while row:
            values = list(_SQL_VALUE.finditer(text, row.start(), row.end()))
            for at, name in told.items() if len(values) == len(names) else ():
                begin, end = values[at].span(1)
                if (
                    begin >= 0
                    and MARKER not in text[begin:end]
                    and (kind := secret_kind(name, text[begin:end], form="quoted"))
                ):
                    yield begin, end, kind
            row = _TUPLE.match(text, row.end())


def manifest(text: str) -> Iterator[Span]:
    """The values of a Kubernetes Secret, whatever their names; certificates among them are public."""
    for block in _DATA.finditer(text):
        floor, ceiling = max(0, block.start() - _MANIFEST), min(len(text), block.end() + _MANIFEST)
        start, end = text.rfind("\n---", floor, block.start()), text.find("\n---", block.end(), ceiling)
        if not _KIND.search(text, max(start, floor), end if end >= 0 else ceiling):
            continue
        for entry in _ENTRY.finditer(text, block.start(2), block.end(2)):
            value = entry.group(1)
            if len(value.rstrip("=")) >= 10 and not value.startswith("LS0tLS1CRUdJTiBDRVJU") and MARKER not in value:
                yield entry.start(1), entry.end(1), "kubernetes-secret"


def _below(text: str, start: int, end: int, rows: int, mark: str) -> Generator[Span, None, int]:
    """Spans in the rows below a header; gives where they end."""
    names = [cell.strip(_FRAME) for cell in text[start:end].split(mark)]
    told = {at: name for at, name in enumerate(names) if _NAME.match(name) and classify(name.replace(" ", "_"))}
    return (yield from _rows(text, rows, mark, len(names), told)) if told and len(names) > 1 else rows


def _rows(text: str, start: int, mark: str, width: int, told: dict[int, str]) -> Generator[Span, None, int]:
    """Spans in the rows from here on that are as wide as the header; gives where they end."""
    for _ in range(_MOST_ROWS):
        end = text.find("\n", start)
        end = end if end >= 0 else len(text)
        cells = text[start:end].split(mark) if end - start < 4000 else []
        if len(cells) != width or text[start : start + 1].isspace():
            break
        at = start
        for number, cell in enumerate(cells):
            value = cell.strip(_FRAME)
            begin = at + cell.find(value) if value else at
            kind = secret_kind(told[number].replace(" ", "_"), value, form="plain") if number in told else None
            if kind and MARKER not in value:
                yield begin, begin + len(value), kind
            at += len(cell) + 1
        start = end + 1
        if start > len(text):
            break
    return start
