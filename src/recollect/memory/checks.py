"""Whether what an entry cites is still so and says so: by path, symbol and content hash, never by a model.

Cited lines that are as they were, wherever in the file they now stand, are verified when they hold the names and values
of the statement (`support.py`), else only cited. An entry is verified when all it cites is as it was and one place says
so, gone when all is gone, and changed when any of it changed or is gone; turns are no evidence about the present.
"""

from __future__ import annotations

import os

from recollect.errors import OutOfTime, OutsideRoot, UsageError
from recollect.files.trees import confined, read_cited, relative
from recollect.memory.time_limits import NO_LIMIT
from recollect.model.entries import Citation
from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from recollect.memory.time_limits import TimeLimit
    from recollect.model.entries import Check

SEARCH_LIMIT_BYTES = 16_000_000
STEP_BYTES = 500  # what it costs to try one place at all, in bytes of hashing
LINES_CHARACTERS_PER_SECOND = 25_000_000  # into lines and their hash; a busy machine is not four times as slow
ABSENT = (0, -1)  # the state of a file that is not there
SUPPORT_CHARACTERS_PER_SECOND = 4_000_000  # to look for names in the cited lines
SEVERITY: dict[str, int] = {"cited": 0, "verified": 1, "unchecked": 2, "changed": 3, "gone": 4}
MOST_MISSING = 3  # names that a verdict tells


class Checked(Record):
    """A verdict, in words for the user, and where the cited text stands now."""

    check: Check
    detail: str = ""
    where: str = ""
    gone_everywhere: bool = False  # gone from the working tree and from the default branch


class CachedCheck(Record):
    """What the last full check found; good as long as the file has the same time and size."""

    root: str
    path: str
    key: str
    mtime_ns: int
    size: int
    check: Check
    gone_on_default: bool = False
    checked_at: float = 0.0


def make_citation(spec: str, *, root: str, cwd: str, commit: str = "") -> Citation:
    """A citation from `PATH`, `PATH:A`, `PATH:A-B`, `PATH#LA-LB` or `PATH#symbol`, with the hash of it now.

    Raises UsageError when the file, the lines or the symbol are not there, OutsideRoot when the path leaves the root.
    """
    typed, start, end, symbol = _parse(spec, cwd)
    path = relative(root, typed, cwd)
    text = read_cited(root, path, exact=True)
    if text is None:
        raise UsageError(_why_unreadable(root, path, typed))
    lines = cited_lines(text)
    if symbol:
        span = _find_symbol(path, lines, symbol)
        if span is None:
            raise UsageError(f"{path} does not define {symbol}.")
        start, end = span
    elif end > len(lines):
        raise UsageError(f"{path} has {len(lines)} {'line' if len(lines) == 1 else 'lines'}; there is no line {end}.")
    cited = lines[start - 1 : end] if start else lines
    return Citation("file", path=path, start=start, end=end, symbol=symbol, sha256=_sha256(cited), commit=commit)


def name_citation(spec: str, *, root: str, cwd: str) -> Citation:
    """As `make_citation`, of a file that may be gone: nothing of it is read, so there is no hash."""
    typed, start, end, symbol = _parse(spec, cwd)
    return Citation("file", path=relative(root, typed, cwd), start=start, end=end, symbol=symbol)


def cited_as_now(citation: Citation, text: str | None) -> Citation:
    """The same place, as it is now, where what it says has changed; what is not there stays as it was cited."""
    if not citation.sha256 or text is None or check_text(citation, text).check != "changed":
        return citation
    lines = cited_lines(text)
    span = _find_symbol(citation.path, lines, citation.symbol) if citation.symbol else (citation.start, citation.end)
    start, end = span or (0, 0)
    if end > len(lines):
        return citation
    cited = lines[start - 1 : end] if start else lines
    return citation._replace(start=start, end=end, sha256=_sha256(cited), commit="")


def check_text(
    citation: Citation, text: str | None, time_limit: TimeLimit = NO_LIMIT, *, statement: str = ""
) -> Checked:
    """The verdict on one citation, given what its file holds now; None: there is no such file. Without a statement
    that it has to hold, what is as it was is verified.

    Raises OutOfTime when the time_limit does not allow to find out."""
    if citation.kind != "file":
        return Checked("unchecked", "a turn says nothing about the files now")
    if text is None:
        return Checked("gone", f"{citation.path} is no longer there")
    if citation.symbol:
        _require_time_for_symbol(citation, text, time_limit)
    time_limit.need(len(text) / LINES_CHARACTERS_PER_SECOND)
    lines = cited_lines(text)
    span = _find_symbol(citation.path, lines, citation.symbol, time_limit) if citation.symbol else None
    if citation.sha256:
        found = _check_hash(citation, lines, span, time_limit)
    else:
        found = _check_without_hash(citation, lines, span)
    return _held(found, statement, time_limit)


def check_at_a_glance(citation: Citation, text: str, time_limit: TimeLimit, *, statement: str = "") -> Checked:
    """The verdict on a symbol in a file that is too long to be parsed: what defined it stands there word for word, or
    it does not. Raises OutOfTime where only parsing tells."""
    from recollect.memory.symbols import is_parsed, names_around, names_of

    names, path = names_of(citation.symbol), citation.path
    if not names or not citation.symbol.isascii() or not is_parsed(path, len(text)):
        raise OutOfTime
    if any(name not in text for name in names):
        return Checked("gone", f"{path} no longer defines {citation.symbol}", path)
    if not citation.sha256 or not citation.start:
        raise OutOfTime
    time_limit.need(len(text) / LINES_CHARACTERS_PER_SECOND)
    lines = cited_lines(text)
    found = _find_block(lines, citation, names[-1], time_limit)
    if not found:
        return Checked("changed", f"{citation.symbol} in {path} has changed", path)
    if len(names) > 1 and names_around(lines, found, time_limit) != names[:-1]:
        raise OutOfTime
    return _held(_as_it_was(path, lines, (found, found + _length(citation) - 1)), statement, time_limit)


def combine(verdicts: Sequence[Checked]) -> Checked:
    """One verdict out of those on the cited files: one that says so is enough, of what is worse the worst counts, and
    gone only when nothing is left."""
    if not verdicts:
        return Checked("unchecked", "no file is cited")
    worst = max(verdicts, key=lambda verdict: SEVERITY[verdict.check])
    if worst.check != "gone":
        return worst
    if all(verdict.check == "gone" for verdict in verdicts):
        return worst._replace(gone_everywhere=all(verdict.gone_everywhere for verdict in verdicts))
    return worst._replace(check="changed", gone_everywhere=False)


def check_cached(citation: Citation, *, stat: tuple[int, int] | None, cached: CachedCheck | None) -> Checked:
    """The verdict a hook may give: what is known of the file in this very state. Reads and parses nothing."""
    if citation.kind != "file":
        return Checked("unchecked")
    if stat is None:
        everywhere = cached is not None and (cached.mtime_ns, cached.size) == ABSENT and cached.gone_on_default
        return Checked("gone", f"{citation.path} is no longer there", gone_everywhere=everywhere)
    if cached is None or (cached.mtime_ns, cached.size) != stat:
        return Checked("unchecked")
    everywhere = cached.check == "gone" and cached.gone_on_default
    return Checked(cached.check, where=citation.path, gone_everywhere=everywhere)


def citation_key(citation: Citation, statement: str = "") -> str:
    """What tells two citations of the same file apart, and what they are to hold, for the cache."""
    key = f"{citation.start}-{citation.end}#{citation.symbol}@{citation.sha256 or citation.quote}"
    if not statement:
        return key
    # Not hashlib, which a hook has no time for.
    from _blake2 import blake2b

    return f"{key}={blake2b(statement.encode('utf-8', 'surrogatepass'), digest_size=16).hexdigest()}"


def cited_lines(text: str) -> list[str]:
    """Lines as editors count them, without what editors change by themselves: line ends and trailing blanks."""
    lines = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if not lines[-1]:
        lines.pop()
    return [line.rstrip() for line in lines]


class _AsItWas(Record):
    """Cited text that is still there."""

    where: str
    said: list[str]
    detail: str = ""


def _as_it_was(path: str, lines: list[str], span: tuple[int, int] | None = None, detail: str = "") -> _AsItWas:
    if span is None:
        return _AsItWas(path, lines, detail)
    return _AsItWas(_where(path, *span), lines[span[0] - 1 : span[1]], detail)


def _held(found: Checked | _AsItWas, statement: str, time_limit: TimeLimit) -> Checked:
    """What is as it was is verified when it says what the statement says, and else only cited."""
    if not isinstance(found, _AsItWas):
        return found
    if not statement:
        return Checked("verified", found.detail, found.where)
    from recollect.memory.support import LONGEST_PASSAGE, missing_names, why_not_held

    said = "\n".join(found.said)
    time_limit.need(min(len(said), LONGEST_PASSAGE) / SUPPORT_CHARACTERS_PER_SECOND)
    if not missing_names(statement, said):
        return Checked("verified", found.detail, found.where)
    return Checked("cited", f"{found.where} {why_not_held(statement, said, most=MOST_MISSING)}", found.where)


def _check_hash(
    citation: Citation, lines: list[str], span: tuple[int, int] | None, time_limit: TimeLimit
) -> Checked | _AsItWas:
    path = citation.path
    if citation.symbol:
        if span and _sha256(lines[span[0] - 1 : span[1]]) == citation.sha256:
            return _as_it_was(path, lines, span)
        if span is None:
            return Checked("gone", f"{path} no longer defines {citation.symbol}", path)
        return Checked("changed", f"{citation.symbol} in {path} has changed", _where(path, *span))
    if not citation.start:
        same = _sha256(lines) == citation.sha256
        return _as_it_was(path, lines) if same else Checked("changed", f"{path} has changed", path)
    found = _find_lines(lines, citation, time_limit)
    if not found:
        return Checked("changed", f"{_where(path, citation.start, citation.end)} has changed", path)
    moved = "" if found == citation.start else f"moved from line {citation.start}"
    return _as_it_was(path, lines, (found, found + _length(citation) - 1), moved)


def _check_without_hash(citation: Citation, lines: list[str], span: tuple[int, int] | None) -> Checked | _AsItWas:
    """Others cite without a hash: then a quote, a symbol or the path itself is what can be checked."""
    path = citation.path
    if citation.quote:
        quoted = "\n".join(cited_lines(citation.quote)).strip()
        same = quoted in "\n".join(lines)
        return _AsItWas(path, [quoted]) if same else Checked("changed", f"{path} no longer says so", path)
    if citation.symbol:
        if span is None:
            return Checked("gone", f"{path} no longer defines {citation.symbol}", path)
        return _as_it_was(path, lines, span)
    if citation.start > len(lines):
        return Checked("changed", f"{path} has no line {citation.start} any more", path)
    return Checked("unchecked", "only line numbers are cited", path) if citation.start else _as_it_was(path, lines)


def _find_lines(lines: list[str], citation: Citation, time_limit: TimeLimit) -> int:
    """The line where the cited lines now begin, nearest to the old place first; 0 when they are not found."""
    length = _length(citation)
    places = len(lines) - length + 1
    if length < 1 or places < 1:
        return 0
    first = citation.start - 1
    if 0 <= first < places and _sha256(lines[first : first + length]) == citation.sha256:
        return citation.start
    from hashlib import sha256

    data = _encoded(lines)
    ends = [-1, *_positions(data, b"\n", time_limit), len(data)]
    left = SEARCH_LIMIT_BYTES
    for place in _outward(citation.start - 1, places):
        window = data[ends[place] + 1 : ends[place + length]]
        left -= STEP_BYTES + len(window)
        if left < 0:
            break
        time_limit.step(1 + len(window) // STEP_BYTES)
        if sha256(window).hexdigest() == citation.sha256:
            return place + 1
    return 0


def _find_block(lines: list[str], citation: Citation, name: str, time_limit: TimeLimit) -> int:
    """The line where the cited lines, which hold this name, now begin; 0 when they are not found."""
    length = _length(citation)
    places: set[int] = set()
    for number, line in enumerate(lines):
        time_limit.step()
        if name in line:
            time_limit.step(length)
            places.update(range(max(number - length + 1, 0), min(number, len(lines) - length) + 1))
    for place in sorted(places, key=lambda place: abs(place + 1 - citation.start)):
        time_limit.step(4 + length)
        if _sha256(lines[place : place + length]) == citation.sha256:
            return place + 1
    return 0


def _positions(data: bytes, mark: bytes, time_limit: TimeLimit) -> Iterable[int]:
    at = data.find(mark)
    while at >= 0:
        time_limit.step()
        yield at
        at = data.find(mark, at + 1)


def _outward(middle: int, places: int) -> Iterable[int]:
    middle = min(max(middle, 0), places - 1)
    yield middle
    for distance in range(1, places):
        if middle - distance >= 0:
            yield middle - distance
        if middle + distance < places:
            yield middle + distance


def _length(citation: Citation) -> int:
    return max(citation.end, citation.start) - citation.start + 1


def _sha256(lines: list[str]) -> str:
    import hashlib

    return hashlib.sha256(_encoded(lines)).hexdigest()


def _encoded(lines: list[str]) -> bytes:
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def _require_time_for_symbol(citation: Citation, text: str, time_limit: TimeLimit) -> None:
    from recollect.memory.symbols import require_time

    require_time(citation.path, len(text), time_limit)


def _find_symbol(path: str, lines: list[str], symbol: str, time_limit: TimeLimit = NO_LIMIT) -> tuple[int, int] | None:
    from recollect.memory.symbols import find_symbol

    return find_symbol(path, "\n".join(lines), symbol, time_limit)


def _where(path: str, start: int, end: int) -> str:
    return f"{path}:{start}" if start >= end else f"{path}:{start}-{end}"


def _parse(spec: str, cwd: str) -> tuple[str, int, int, str]:
    """Path, first line, last line, symbol. A file that has the whole text as its name wins."""
    spec = spec.strip()
    if not spec or "\0" in spec:
        raise UsageError("Name a file: PATH, PATH:LINE, PATH:FIRST-LAST or PATH#symbol.")
    if os.path.isfile(os.path.join(cwd, spec)):
        return spec, 0, 0, ""
    path, mark, symbol = spec.rpartition("#")
    if mark and path and symbol[:1] == "L" and _is_number(symbol[1:].partition("-")[0]):
        spec = f"{path}:{symbol.replace('L', '')}"  # as forges link to lines
    elif mark and path and symbol:
        return path, 0, 0, symbol
    path, mark, numbers = spec.rpartition(":")
    first, dash, last = numbers.partition("-")
    if not mark or not path or not _is_number(first) or (dash and not _is_number(last)):
        return spec, 0, 0, ""
    start, end = int(first), int(last or first)
    if start < 1 or end < start:
        raise UsageError(f"{numbers} are not line numbers: count from 1, the first before the last.")
    return path, start, end, ""


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def _why_unreadable(root: str, path: str, typed: str) -> str:
    full = os.path.join(root, path)
    if confined(root, path) is None:
        raise OutsideRoot(f"{typed} is a link that leaves {root}.")
    if os.path.isdir(full):
        return f"{typed} is a folder; cite a file in it."
    if not os.path.exists(full):
        return f"There is no file {typed}."
    return f"{typed} cannot be cited: it is larger than 2 MB or not text."
