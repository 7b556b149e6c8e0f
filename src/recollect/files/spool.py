"""Spools: lines that could not be stored yet, appended by any process and taken in by the next writer."""

from __future__ import annotations

import os

from recollect.files.writing import append_line
from recollect.locks import wait_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

RECEIPTS, JOBS = "receipts.jsonl", "jobs.jsonl"
LOCK_SECONDS = 1.0
TAIL_BYTES = 200_000


def add_line(folder: str, line: str, *, name: str = RECEIPTS) -> int:
    """Append one line; returns how many bytes wait in its file."""
    return append_line(os.path.join(folder, name), line)


def take(folder: str, *, name: str = RECEIPTS) -> dict[str, list[str]]:
    """The spooled lines by file; hand the files to `done` once their lines are stored."""
    path = os.path.join(folder, name)
    try:
        # Renamed first: what is spooled from now on goes to a new file.
        os.rename(path, f"{path}.{os.getpid()}-{os.urandom(4).hex()}")
    except FileNotFoundError:
        pass
    taken: dict[str, list[str]] = {}
    # Files of a process that died half-way are taken again; storing a line twice changes nothing.
    for found in _listed(folder):
        if found.startswith(name + "."):
            try:
                with open(os.path.join(folder, found), "r+b") as lines:
                    # Whoever opened it under its old name may still be writing its line.
                    wait_for(lines.fileno(), LOCK_SECONDS)
                    taken[os.path.join(folder, found)] = lines.read().decode("utf-8", "replace").split("\n")
            except FileNotFoundError:
                continue  # another process took it in meanwhile
    return taken


def tail(folder: str, *, name: str = RECEIPTS) -> list[str]:
    """The last lines of each spooled file, those of the file in use last; they stay where they are."""
    found: list[str] = []
    for file in sorted((one for one in _listed(folder) if one.startswith(name)), reverse=True):
        try:
            with open(os.path.join(folder, file), "rb") as lines:
                lines.seek(max(os.fstat(lines.fileno()).st_size - TAIL_BYTES, 0))
                found += lines.read(TAIL_BYTES).decode("utf-8", "replace").split("\n")
        except OSError:
            continue  # taken in meanwhile
    return found


def waiting(folder: str, *, name: str = RECEIPTS) -> int:
    """How many bytes wait."""
    total = 0
    for found in _listed(folder):
        if not found.startswith(name):
            continue
        try:
            total += os.stat(os.path.join(folder, found)).st_size
        except FileNotFoundError:
            continue
    return total


def oldest(folder: str, *, name: str, now: float) -> float:
    """Since when something waits; now, when nothing does."""
    times = [now]
    for found in _listed(folder):
        if found.startswith(name):
            try:
                times.append(os.stat(os.path.join(folder, found)).st_mtime)
            except FileNotFoundError:
                continue
    return min(times)


def done(paths: Sequence[str]) -> None:
    """Remove files whose lines are stored."""
    for path in paths:
        try:
            os.unlink(path)
        except FileNotFoundError:
            continue


def _listed(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return []
