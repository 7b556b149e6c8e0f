"""The bytes of a damaged database: its log applied, its first page mended, its leaf pages read one by one."""

from __future__ import annotations

import os
import struct
from statistics import mode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Row = list[object]

PAGE = 4096
MAGIC = b"SQLite format 3\x00"
_TABLE_LEAF = 0x0D
_LOG_HEADER, _FRAME_HEADER = 32, 24
_CHUNK = 1 << 20
# Bytes 18 and 19 of the header: 2 is a database with a log, 1 is one without.
_NO_LOG = b"\x01\x01"
_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}


def copy_bytes(source: str, target: str) -> None:
    """Copy a file as far as the disk gives it: unreadable parts become zeros."""
    size = os.stat(source).st_size
    with open(source, "rb", buffering=0) as damaged, open(target, "wb") as copy:
        for start in range(0, size, _CHUNK):
            length = min(_CHUNK, size - start)
            try:
                damaged.seek(start)
                part = damaged.read(length)
            except OSError:
                part = b""
            copy.write(part.ljust(length, b"\0"))
        copy.flush()
        os.fsync(copy.fileno())
    os.chmod(target, 0o600)


def apply_log(log: str, target: str) -> bool:
    """Write every committed page of a log into the database file, as opening it would, and those behind a part that
    cannot be read as well: True when there are such, and what is in the file need not fit together."""
    data, frames = _committed(log)
    if frames:
        with open(target, "r+b") as file:
            for number, start, _ in frames:
                file.seek((number - 1) * PAGE)
                file.write(data[start : start + PAGE])
            file.truncate(frames[-1][2] * PAGE)
    return _has_gap(frames)


def is_torn(log: str) -> bool:
    """Is there something in a log behind a part that cannot be read?"""
    return _has_gap(_committed(log)[1])


def _committed(log: str) -> tuple[bytes, list[tuple[int, int, int]]]:
    """The log, and its whole frames up to the last that commits."""
    try:
        with open(log, "rb") as file:
            data = file.read()
    except OSError:
        return b"", []
    frames = list(_sound_frames(data))
    while frames and not frames[-1][2]:
        frames.pop()
    return data, frames


def _has_gap(frames: list[tuple[int, int, int]]) -> bool:
    return bool(frames) and frames[-1][1] != _LOG_HEADER + len(frames) * (_FRAME_HEADER + PAGE) - PAGE


def _sound_frames(data: bytes) -> Iterator[tuple[int, int, int]]:
    """(page number, where its bytes begin, pages of the database if this frame commits) of every frame that is whole.

    A frame's sum goes on from that of the frame before it, which is written there: so it can be checked by itself."""
    if len(data) < _LOG_HEADER:
        return
    magic, _, page_size = struct.unpack(">III", data[:12])
    known = magic & ~1 == 0x377F0682 and page_size == PAGE
    order = ">" if known and magic & 1 else "<"
    places = range(_LOG_HEADER, len(data) - _FRAME_HEADER - PAGE + 1, _FRAME_HEADER + PAGE)
    # Where the header is lost, most frames still tell which log they belong to.
    salts = data[16:24] if known else mode([data[start + 8 : start + 16] for start in places] or [b""])
    before = struct.pack(">II", *_checksum(order, data[:24], (0, 0)))
    for start in places:
        number, pages = struct.unpack(">II", data[start : start + 8])
        body = start + _FRAME_HEADER
        # What another log left behind is not looked at any closer.
        if number and data[start + 8 : start + 16] == salts:
            sums = struct.unpack(">II", before)
            found = _checksum(order, data[start : start + 8] + data[body : body + PAGE], (sums[0], sums[1]))
            if struct.pack(">II", *found) == data[start + 16 : body]:
                yield number, body, pages
        before = data[start + 16 : body]


def _checksum(order: str, data: bytes, sums: tuple[int, int]) -> tuple[int, int]:
    first, second = sums
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for even, odd in zip(words[::2], words[1::2], strict=True):
        first = (first + even + second) & 0xFFFFFFFF
        second = (second + odd + first) & 0xFFFFFFFF
    return first, second


def mend_header(path: str, template: bytes = b"") -> None:
    """Make the file openable without its log; with a template, its whole first page is replaced by that one."""
    size = os.stat(path).st_size
    with open(path, "r+b") as file:
        if size % PAGE:
            file.truncate((size // PAGE + 1) * PAGE)
        pages = max((size + PAGE - 1) // PAGE, 1)
        if template:
            file.write(template)
        file.seek(18)
        file.write(_NO_LOG)
        if template:
            file.seek(28)
            file.write(struct.pack(">III", pages, 0, 0))


def first_page(path: str) -> bytes:
    """The page that says where every table begins."""
    with open(path, "rb") as file:
        return file.read(PAGE)


def leaf_rows(path: str, fewest: int, most: int, *, without: set[int]) -> Iterator[tuple[int, Row]]:
    """(rowid, values) of the other rows with so many columns on any leaf page, whatever became of the pages above.

    Rows that were written before a table got a column are shorter."""
    with open(path, "rb") as file:
        pages = os.stat(path).st_size // PAGE
        for number in range(1, pages + 1):
            file.seek((number - 1) * PAGE)
            page = file.read(PAGE)
            offset = 100 if number == 1 else 0
            if len(page) < PAGE or page[offset] != _TABLE_LEAF:
                continue
            for cell in range(min(int.from_bytes(page[offset + 3 : offset + 5], "big"), PAGE // 4)):
                at = offset + 8 + 2 * cell
                place = int.from_bytes(page[at : at + 2], "big")
                try:
                    found = _row(file.fileno(), page, place, fewest, most, without)
                except (IndexError, ValueError, struct.error, OverflowError):
                    continue
                if found:
                    yield found


def _row(handle: int, page: bytes, place: int, fewest: int, most: int, without: set[int]) -> tuple[int, Row] | None:
    length, place = _varint(page, place)
    rowid, place = _varint(page, place)
    if rowid in without:
        return None
    payload = _payload(handle, page, place, length)
    end, at = _varint(payload, 0)
    kinds = []
    while at < end:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    if not fewest <= len(kinds) <= most or at != end:
        return None
    values: Row = []
    for kind in kinds:
        value, at = _value(payload, at, kind)
        values.append(value)
    return (rowid, values) if at == len(payload) else None


def _payload(handle: int, page: bytes, place: int, length: int) -> bytes:
    if length > PAGE * 1000:
        raise ValueError("longer than any row")
    if length <= PAGE - 35:
        return page[place : place + length]
    least = (PAGE - 12) * 32 // 255 - 23
    local = least + (length - least) % (PAGE - 4)
    local = local if local <= PAGE - 35 else least
    parts, missing = [page[place : place + local]], length - local
    following = int.from_bytes(page[place + local : place + local + 4], "big")
    while missing > 0 and following:
        overflow = os.pread(handle, PAGE, (following - 1) * PAGE) if hasattr(os, "pread") else b""
        if len(overflow) < PAGE:
            raise ValueError("the chain leaves the file")
        parts.append(overflow[4 : 4 + missing])
        missing -= PAGE - 4
        following = int.from_bytes(overflow[:4], "big")
    return b"".join(parts)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for step in range(8):
        byte = data[at + step]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + step + 1
    return value << 8 | data[at + 8], at + 9


def _value(payload: bytes, at: int, kind: int) -> tuple[object, int]:
    if kind == 0:
        return None, at
    if kind in (8, 9):
        return kind - 8, at
    if kind == 7:
        return struct.unpack(">d", payload[at : at + 8])[0], at + 8
    size = _INTEGERS.get(kind)
    if size:
        return int.from_bytes(payload[at : at + size], "big", signed=True), at + size
    if kind < 13 or kind % 2 == 0:
        raise ValueError("no table of ours holds this kind of value")
    size = (kind - 13) // 2
    return payload[at : at + size].decode("utf-8"), at + size
