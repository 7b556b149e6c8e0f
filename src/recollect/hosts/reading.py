"""Reading other programs' logs: lines and records as a stream, times, text out of content blocks, clipped output.

Nothing here raises for what a file contains. A log may be cut short, hold NULs, broken UTF-8 or a line without end,
and memory stays bounded by the longest line that is read.
"""

from __future__ import annotations

import io
import json
import os
import re
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from recollect.model.record import Record
from recollect.model.sessions import Skipped

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
    from typing import BinaryIO, TypeAlias

    Json: TypeAlias = "dict[str, object]"

MAX_LINE_BYTES = 16 * 1024 * 1024
CLIP_CHARACTERS = 4000
_clipping = ContextVar("recollect_clipping", default=CLIP_CHARACTERS)
NO_OBJECT = "the line is not a JSON object"
_BUFFER_BYTES = 256 * 1024
_PADDING = b"\x00\xef\xbb\xbf \t\r\n"
_NO_ZSTD = "it is compressed with zstd, which this Python cannot read: pip install zstandard"
_ATTACHED = frozenset(("image", "document", "input_image", "local_image", "input_file", "input_audio", "file"))
_NOT_SPOKEN = frozenset(("thinking", "redacted_thinking", "reasoning", "tool_use", "tool_result", "tool_call"))
_parsed = json.JSONDecoder().raw_decode
_SURROGATE = re.compile(r"\\u[dD]")
_SURROGATES = re.compile(r"(\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2})|\\ud[89a-f][0-9a-f]{2}|(\\.)", re.I | re.S)


class Seen:
    """Ids met before. Old ones are forgotten after GENERATION newer ones, so that memory stays bounded."""

    GENERATION = 400_000

    def __init__(self) -> None:
        self._new: set[int] = set()
        self._old: set[int] = set()

    def __contains__(self, key: Hashable) -> bool:
        mark = hash(key)
        return mark in self._new or mark in self._old

    def first(self, key: Hashable) -> bool:
        """Whether this is met for the first time; from now on it is not."""
        mark = hash(key)
        if mark in self._new or mark in self._old:
            return False
        self._new.add(mark)
        if len(self._new) >= self.GENERATION:
            self._old, self._new = self._new, set()
        return True


class _Source(Record):
    stream: BinaryIO
    errors: tuple[type[Exception], ...]


class NoZstd(Exception):
    """Neither Python's own zstd nor the package zstandard is there."""


def read_records(path: str, unwanted: Callable[[bytes], bool] | None = None) -> Iterator[Json | Skipped]:
    """The JSON objects of a JSONL file in order; a broken line comes as Skipped, an unfinished last line not at all.

    `unwanted` may look at the raw line and spare the parsing of what the caller would ignore.
    """
    for line in raw_lines(path):
        if isinstance(line, Skipped):
            yield line
            continue
        number, data, ended = line
        if unwanted is not None and unwanted(data):
            continue
        record = parse_object(data)
        if record is not None:
            yield record
        elif ended:
            yield Skipped(path, NO_OBJECT, number)


def raw_lines(path: str) -> Iterator[tuple[int, bytes, bool] | Skipped]:
    """Number, data and whether it ended, of each line of a file, plain or .zst, that holds anything.

    Lines longer than MAX_LINE_BYTES come as Skipped."""
    try:
        source = _opened(path)
    except NoZstd:
        yield Skipped(path, _NO_ZSTD)
        return
    except (OSError, ValueError) as error:
        yield Skipped(path, f"it cannot be read: {_reason(error)}")
        return
    with source.stream:
        yield from _lines_of(path, source)


def _lines_of(path: str, source: _Source) -> Iterator[tuple[int, bytes, bool] | Skipped]:
    number = 0
    readline = source.stream.readline
    while True:
        number += 1
        try:
            data = readline(MAX_LINE_BYTES)
            if not data:
                return
            ended = data.endswith(b"\n")
            if not ended and len(data) >= MAX_LINE_BYTES:
                data = b""
                if not _passed_over(source.stream):
                    return
                yield Skipped(path, f"the line is longer than {MAX_LINE_BYTES // 1024 // 1024} MiB", number)
                continue
        except source.errors as error:
            yield Skipped(path, f"it cannot be read further: {_reason(error)}", number)
            return
        data = data.strip(_PADDING)
        if data:
            yield number, data, ended


def _passed_over(stream: BinaryIO) -> bool:
    """Read on to the end of an over-long line; False when the file ends first."""
    while True:
        data = stream.readline(_BUFFER_BYTES)
        if not data:
            return False
        if data.endswith(b"\n"):
            return True


def home_in(environ: Mapping[str, str], platform: str) -> str:
    """The person's home folder as the environment names it; empty when it does not."""
    names = ("USERPROFILE", "HOME") if platform == "win32" else ("HOME", "USERPROFILE")
    return next((environ[name] for name in names if environ.get(name)), "")


def files_below(places: Iterable[str], *endings: str) -> Iterator[str]:
    """The regular files with one of these endings in the given files and folders, in the order of their names."""
    for place in places:
        if os.path.isfile(place):
            yield place
        for folder, folders, names in os.walk(place):
            folders.sort()
            for name in sorted(names):
                if name.endswith(endings) and os.path.isfile(path := os.path.join(folder, name)):
                    yield path


def read_head(path: str, limit: int = 4096) -> bytes:
    """The first bytes of a file, decompressed if it is .zst; empty when it cannot be read."""
    try:
        source = _opened(path)
    except (OSError, ValueError, NoZstd):
        return b""
    with source.stream:
        try:
            return source.stream.read(limit)
        except source.errors:
            return b""


def read_whole(path: str, limit: int = 4 * MAX_LINE_BYTES) -> Json | Skipped:
    """A file that is one JSON object."""
    data = read_head(path, limit + 1)
    if len(data) > limit:
        return Skipped(path, f"the file is longer than {limit // 1024 // 1024} MiB")
    record = parse_object(data.strip(_PADDING))
    return Skipped(path, "the file is not a JSON object") if record is None else record


def _opened(path: str) -> _Source:
    if not path.endswith(".zst"):
        return _Source(_plain(path), (OSError,))
    try:
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]

        return _Source(zstd.open(path, "rb"), (OSError, EOFError, zstd.ZstdError))
    except ImportError:
        pass
    try:
        import zstandard
    except ImportError:
        raise NoZstd from None
    raw = zstandard.ZstdDecompressor().stream_reader(_plain(path), read_across_frames=True, closefd=True)
    return _Source(io.BufferedReader(raw, _BUFFER_BYTES), (OSError, EOFError, zstandard.ZstdError))


def _plain(path: str) -> BinaryIO:
    return open(path, "rb", buffering=_BUFFER_BYTES)


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__


def parse_object(data: bytes | str) -> Json | None:
    """The JSON object in a line, or None. Broken UTF-8 and lone surrogates become replacement characters."""
    text = data if isinstance(data, str) else data.decode("utf-8", "replace")
    if _SURROGATE.search(text):
        text = _SURROGATES.sub(_kept_escape, text)
    return _object_in(text.strip())


def parse_halves(data: bytes) -> Json | None:
    """The same, but lone surrogates stay: for lines of which little is kept, and that little made `whole`."""
    return _object_in(data.decode("utf-8", "replace").strip())


def whole(text: str) -> str:
    """The text with lone surrogates replaced."""
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode("utf-8")
    return text


def _object_in(text: str) -> Json | None:
    try:
        value, end = _parsed(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and end == len(text) else None


def _kept_escape(match: re.Match[str]) -> str:
    return match[0] if match[1] or match[2] else "\\ufffd"


def parse_time(value: object) -> float:
    """Seconds since the epoch from ISO 8601, seconds, milliseconds, microseconds or nanoseconds; 0 when unknown.

    A time without a zone is taken as UTC.
    """
    if isinstance(value, str):
        if value[4:5] != "-" and value.isdecimal() and len(value) >= 10:
            return parse_time(int(value[:25]))
        try:
            moment = datetime.fromisoformat(value)
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
        except (ValueError, OverflowError):
            return 0.0
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e20:
        return 0.0
    seconds = float(value)
    while seconds > 1e11:
        seconds /= 1000
    return seconds


def text_of(content: object) -> str:
    """The spoken text of a message: a string, a block, or blocks; thinking, calls, results and images say nothing."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join([text for text in map(_text_in, content) if text])
    return _text_in(content)


def _text_in(block: object) -> str:
    if isinstance(block, str):
        return block
    if not isinstance(block, dict) or block.get("thought") is True:
        return ""
    kind = block.get("type")
    text = block.get("text")
    return text if isinstance(text, str) and not (isinstance(kind, str) and kind in _NOT_SPOKEN) else ""


def attachments_of(content: object) -> int:
    """How many images, documents and files a message carries."""
    if not isinstance(content, list):
        return 0
    return sum(1 for block in content if isinstance(block, dict) and _is_attached(block))


def _is_attached(block: Json) -> bool:
    kind = block.get("type")
    return (isinstance(kind, str) and kind in _ATTACHED) or "inlineData" in block or "fileData" in block


def squeezed(head: bytes) -> bytes:
    """The head of a JSON log without padding and without spaces between keys and values, for a look at its markers."""
    return head.strip(_PADDING).replace(b'": ', b'":').replace(b', "', b',"')


def clip(text: str, limit: int | None = None, start: int = 0) -> str:
    """The text from `start` on, or its head and tail when that is longer than the limit."""
    limit = _clipping.get() if limit is None else limit
    size = len(text) - start
    if size <= limit:
        return text[start:]
    room = max(limit - 40, 0)
    tail = room // 2
    return f"{text[start : start + room - tail]}\n[… {size - room} characters …]\n{text[len(text) - tail :]}"


@contextmanager
def unclipped() -> Iterator[None]:
    """Inside it, readers give what tools printed whole, for who looks at it once and keeps none of it."""
    before = _clipping.set(MAX_LINE_BYTES)
    try:
        yield
    finally:
        _clipping.reset(before)


def dict_of(value: object) -> Json:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def list_of(value: object) -> list[object]:
    """The value if it is an array, else an empty one."""
    return value if isinstance(value, list) else []


def str_of(value: object) -> str:
    """The value if it is a string, else an empty one."""
    return value if isinstance(value, str) else ""


def int_of(value: object) -> int:
    """The value if it is a whole number, else 0."""
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
