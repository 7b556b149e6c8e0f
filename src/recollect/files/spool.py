"""Spools: lines that are not stored yet, appended by any process and taken in by another.

A file that cannot be read, or a folder that cannot be listed, holds nothing up: it counts as not there."""

from __future__ import annotations

import os
import time

from recollect.files.writing import append_line
from recollect.locks import wait_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

RECEIPTS, JOBS = "receipts.jsonl", "jobs.jsonl"
LOCK_SECONDS = 0.1
TAIL_BYTES = 1_000_000
TRIES = 20


def add_line(folder: str, line: str, *, name: str = RECEIPTS) -> int:
    """Append one line; returns how many bytes wait in its file."""
    return append_line(os.path.join(folder, name), line)


def take(folder: str, *, name: str = RECEIPTS) -> dict[str, list[str]]:
    """The spooled lines by file; hand the files to `done` once their lines are stored."""
    path = os.path.join(folder, name)
    try:
        # Renamed first: what is spooled from now on goes to a new file. Names in the order of time.
        os.rename(path, f"{path}.{time.time_ns():020}-{os.getpid()}")
    except OSError:
        pass  # there is none, or it is not ours to take
    taken: dict[str, list[str]] = {}
    # Files of a process that died half-way are taken again; storing a line twice changes nothing.
    for found in _listed(folder, name):
        if found == name:
            continue
        try:
            with open(os.path.join(folder, found), "r+b") as lines:
                # Whoever opened it under its old name may still be writing its line; then it is for the next one.
                if wait_for(lines.fileno(), LOCK_SECONDS):
                    lines.seek(0)
                    taken[os.path.join(folder, found)] = lines.read().decode("utf-8", "replace").split("\n")
        except OSError:
            continue  # another process took it in meanwhile, or it is another user's
    return taken


def tail(folder: str, *, mark: str = "", name: str = RECEIPTS) -> list[str]:
    """Of the last lines of each spooled file those with the mark, the newest file last; they stay where they are."""
    for _ in range(TRIES):
        files = _listed(folder, name)
        found = [
            line for file in files for line in _last_lines(os.path.join(folder, file), mark.encode("utf-8", "replace"))
        ]
        # A file that was renamed meanwhile may have been missed under both names.
        if _listed(folder, name) == files:
            break
    return found


def waiting(folder: str, *, name: str = RECEIPTS) -> int:
    """How many bytes wait."""
    return sum(size for size, _ in _stats(folder, name))


def oldest(folder: str, *, name: str, now: float) -> float:
    """Since when something waits; now, when nothing does."""
    return min((modified for _, modified in _stats(folder, name)), default=now)


def blocked(folder: str) -> list[str]:
    """The spooled files that this user cannot take in."""
    paths = [os.path.join(folder, file) for name in (RECEIPTS, JOBS) for file in _listed(folder, name)]
    return [path for path in paths if not os.path.isfile(path) or not os.access(path, os.R_OK | os.W_OK)]


def done(paths: Sequence[str]) -> None:
    """Remove files whose lines are stored."""
    for path in paths:
        try:
            os.unlink(path)
        except OSError:
            continue  # gone already, or stored once more by the next one, which changes nothing


def _listed(folder: str, name: str) -> list[str]:
    """The files of this spool, those that are being taken first, by time; then the one in use."""
    try:
        files = [file for file in os.listdir(folder) if file.startswith(name)]
    except OSError:
        return []
    return sorted(files, key=lambda file: (file == name, file))


def _last_lines(path: str, mark: bytes) -> list[str]:
    try:
        with open(path, "rb") as file:
            file.seek(max(os.fstat(file.fileno()).st_size - TAIL_BYTES, 0))
            lines = file.read(TAIL_BYTES)
    except OSError:
        return []
    # Looked for in the whole first: most sessions have nothing there.
    found = [line for line in lines.split(b"\n") if line and mark in line] if mark in lines else []
    return [line.decode("utf-8", "replace") for line in found]


def _stats(folder: str, name: str) -> list[tuple[int, float]]:
    """Size and time of each file."""
    found = []
    for file in _listed(folder, name):
        try:
            state = os.stat(os.path.join(folder, file))
        except OSError:
            continue
        found.append((state.st_size, state.st_mtime))
    return found
