"""Commits, trees and files of a repository, read from loose objects and packs without git."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from mmap import mmap
    from typing import Self

LIMIT_BYTES = 1_000_000
LIMIT_DELTAS = 5_000
LIMIT_FOLDERS = 8
COMMIT, TREE, BLOB, OFFSET_DELTA, NAME_DELTA = 1, 2, 3, 6, 7
KINDS = {b"commit": COMMIT, b"tree": TREE, b"blob": BLOB}


def first_commit(
    common_directory: str, commit: str, *, limit_commits: int, limit_seconds: float, clock: Callable[[], float]
) -> str:
    """Follow first parents down to the commit that has none; empty when a limit, a gap or a shallow edge is met."""
    shallow = shallow_commits(common_directory)
    until = clock() + limit_seconds
    try:
        with Objects(os.path.join(common_directory, "objects")) as objects:
            for _ in range(limit_commits):
                if commit in shallow or clock() > until:
                    return ""
                parent = first_parent(objects.commit(bytes.fromhex(commit)))
                if not parent:
                    return commit
                commit = parent
    except (OSError, ValueError, IndexError, RecursionError):
        return ""  # damaged, or a format from a later git
    return ""


def shallow_commits(common_directory: str) -> frozenset[str]:
    """Commits whose parents were not fetched: they look like roots and are none."""
    try:
        with open(os.path.join(common_directory, "shallow"), "rb") as file:
            return frozenset(file.read(LIMIT_BYTES).decode("ascii", "replace").split())
    except OSError:
        return frozenset()


def first_parent(body: bytes) -> str:
    """The first parent named in a commit, or empty for a root. Raises ValueError for what is no commit."""
    if not body.startswith(b"tree "):
        raise ValueError("not a commit")
    header = body.partition(b"\n\n")[0]
    second = header.split(b"\n", 2)[1:2]
    return second[0][7:].decode("ascii") if second and second[0].startswith(b"parent ") else ""


class Objects:
    """The objects of one folder and of those it borrows from. Raises ValueError also when `late` says so."""

    def __init__(self, folder: str, *, late: Callable[[], bool] = lambda: False) -> None:
        self._folders = _with_alternates(folder)
        self._packs: list[Pack] | None = None
        self._late = late

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for pack in self._packs or ():
            pack.close()

    def commit(self, name: bytes) -> bytes:
        """The text of a commit. Raises ValueError when it is not here."""
        return self.read(name, COMMIT)

    def read(self, name: bytes, kind: int, *, limit_bytes: int = LIMIT_BYTES) -> bytes:
        """The content of an object. Raises ValueError when it is not here, of another kind, or larger."""
        found, body = self._loose(name, limit_bytes) or self._packed(name, limit_bytes)
        if found != kind:
            raise ValueError("an object of another kind")
        return body

    def _loose(self, name: bytes, limit_bytes: int) -> tuple[int, bytes] | None:
        digits = name.hex()
        for folder in self._folders:
            try:
                with open(os.path.join(folder, digits[:2], digits[2:]), "rb") as file:
                    packed = file.read(limit_bytes + 1)
            except OSError:
                continue
            if len(packed) > limit_bytes:
                raise ValueError("too large")
            header, _, body = _inflate(packed, limit_bytes).partition(b"\0")
            kind, _, size = header.partition(b" ")
            if not size.isdigit() or int(size) != len(body):
                raise ValueError("too large, or cut off")
            return KINDS.get(kind, 0), body
        return None

    def _packed(self, name: bytes, limit_bytes: int) -> tuple[int, bytes]:
        for pack in self._open_packs():
            offset = pack.find(name)
            if offset is not None:
                return pack.read(offset, self._packed, limit_bytes, self._late)
            if self._late():
                break
        raise ValueError("no such object")

    def _open_packs(self) -> list[Pack]:
        if self._packs is None:
            self._packs = []
            for folder in self._folders:
                packs = os.path.join(folder, "pack")
                names = sorted(os.listdir(packs)) if os.path.isdir(packs) else []
                self._packs += [Pack(os.path.join(packs, name[:-4])) for name in names if name.endswith(".idx")]
        return self._packs


class Pack:
    """One pack and its index (version 2), mapped when first asked."""

    def __init__(self, stem: str) -> None:
        self._stem = stem
        self._index: mmap | None = None
        self._data: mmap | None = None

    def close(self) -> None:
        for mapped in (self._index, self._data):
            if mapped is not None:
                mapped.close()

    def find(self, name: bytes) -> int | None:
        """Where the object starts in the pack, or None."""
        if self._index is None:
            self._index = _map(self._stem + ".idx")
        index = self._index
        if index[:8] != b"\xfftOc\0\0\0\x02":
            return None
        size = len(name)
        count = _number(index, 8 + 255 * 4)
        low = _number(index, 8 + (name[0] - 1) * 4) if name[0] else 0
        high = _number(index, 8 + name[0] * 4)
        names = 8 + 256 * 4
        while low < high:
            middle = (low + high) // 2
            here = index[names + middle * size : names + (middle + 1) * size]
            if here == name:
                return self._offset(index, names + count * (size + 4), middle, count)
            if here < name:
                low = middle + 1
            else:
                high = middle
        return None

    @staticmethod
    def _offset(index: mmap, offsets: int, position: int, count: int) -> int:
        offset = _number(index, offsets + position * 4)
        if offset < 0x80000000:
            return offset
        wide = offsets + count * 4 + (offset - 0x80000000) * 8
        return int.from_bytes(index[wide : wide + 8], "big")

    def read(
        self,
        offset: int,
        elsewhere: Callable[[bytes, int], tuple[int, bytes]],
        limit_bytes: int,
        late: Callable[[], bool],
    ) -> tuple[int, bytes]:
        """Kind and content of the object at an offset, with its deltas applied."""
        if self._data is None:
            self._data = _map(self._stem + ".pack")
        data = self._data
        deltas: list[bytes] = []
        while len(deltas) < LIMIT_DELTAS and not late():
            kind, size, at = _entry_header(data, offset)
            if kind == OFFSET_DELTA:
                back, at = _back_offset(data, at)
                deltas.append(_inflate_at(data, at, size, limit_bytes))
                offset -= back
            elif kind == NAME_DELTA:
                length = self._name_length()
                base = data[at : at + length]
                deltas.append(_inflate_at(data, at + length, size, limit_bytes))
                found = self.find(base)
                if found is None:
                    kind, body = elsewhere(base, limit_bytes)
                    return kind, _apply_all(body, deltas, limit_bytes, late)
                offset = found
            else:
                return kind, _apply_all(_inflate_at(data, at, size, limit_bytes), deltas, limit_bytes, late)
        raise ValueError("too many deltas, or too late")

    def _name_length(self) -> int:
        # A pack file is named after a hash of the repository's own kind.
        return 32 if len(os.path.basename(self._stem)) >= len("pack-") + 64 else 20


def _with_alternates(folder: str) -> list[str]:
    folders = [folder]
    for known in folders:
        try:
            with open(os.path.join(known, "info", "alternates"), "rb") as file:
                lines = os.fsdecode(file.read(LIMIT_BYTES)).splitlines()
        except OSError:
            continue
        for line in lines:
            path = os.path.normpath(os.path.join(known, line))
            if line and not line.startswith("#") and path not in folders and len(folders) < LIMIT_FOLDERS:
                folders.append(path)
    return folders


def _map(path: str) -> mmap:
    import mmap

    with open(path, "rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _number(data: mmap, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "big")


def _inflate(data: bytes, limit: int) -> bytes:
    import zlib

    try:
        return zlib.decompressobj().decompress(data, limit)
    except zlib.error as error:
        raise ValueError("damaged object") from error


def _inflate_at(data: mmap, at: int, size: int, limit_bytes: int) -> bytes:
    if size > limit_bytes:
        raise ValueError("too large")
    # Deflate adds a few bytes at most to what it cannot shrink.
    return _inflate(data[at : at + size + size // 100 + 64], max(size, 1))


def _entry_header(data: mmap, at: int) -> tuple[int, int, int]:
    byte = data[at]
    kind, size, shift = (byte >> 4) & 7, byte & 15, 4
    at += 1
    while byte & 0x80:
        byte = data[at]
        size |= (byte & 0x7F) << shift
        shift += 7
        at += 1
    return kind, size, at


def _back_offset(data: mmap, at: int) -> tuple[int, int]:
    byte = data[at]
    value = byte & 0x7F
    at += 1
    while byte & 0x80:
        byte = data[at]
        value = ((value + 1) << 7) | (byte & 0x7F)
        at += 1
    if value == 0:
        raise ValueError("a delta of itself")
    return value, at


def _apply_all(body: bytes, deltas: list[bytes], limit_bytes: int, late: Callable[[], bool]) -> bytes:
    for delta in reversed(deltas):
        body = apply_delta(body, delta, limit_bytes)
        if late():
            raise ValueError("too late")
    return body


def apply_delta(base: bytes, delta: bytes, limit_bytes: int = LIMIT_BYTES) -> bytes:
    """The object that a delta makes out of its base."""
    at = _after_varint(delta, _after_varint(delta, 0))
    made = bytearray()
    while at < len(delta):
        code = delta[at]
        at += 1
        if not code & 0x80:
            made += delta[at : at + code]
            at += code
            continue
        offset = size = 0
        for bit in range(4):
            if code & (1 << bit):
                offset |= delta[at] << (8 * bit)
                at += 1
        for bit in range(3):
            if code & (0x10 << bit):
                size |= delta[at] << (8 * bit)
                at += 1
        made += base[offset : offset + (size or 0x10000)]
        if len(made) > limit_bytes:
            raise ValueError("too large")
    return bytes(made)


def _after_varint(data: bytes, at: int) -> int:
    while data[at] & 0x80:
        at += 1
    return at + 1
