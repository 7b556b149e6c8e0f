"""Spools: lines that could not be stored yet, appended by any process and taken in by the next writer."""

from __future__ import annotations

import os

from recollect.files.writing import append_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

RECEIPTS, JOBS = "receipts.jsonl", "jobs.jsonl"


def add_line(folder: str, line: str, *, name: str = RECEIPTS) -> None:
    """Append one line."""
    append_line(os.path.join(folder, name), line)


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
    for found in os.listdir(folder) if os.path.isdir(folder) else []:
        if found.startswith(name + "."):
            try:
                with open(os.path.join(folder, found), encoding="utf-8", errors="replace") as lines:
                    taken[os.path.join(folder, found)] = lines.read().splitlines()
            except FileNotFoundError:
                continue  # another process took it in meanwhile
    return taken


def waiting(folder: str) -> int:
    """How many bytes wait in the spools."""
    total = 0
    for found in os.listdir(folder) if os.path.isdir(folder) else []:
        if not found.startswith((RECEIPTS, JOBS)):
            continue
        try:
            total += os.stat(os.path.join(folder, found)).st_size
        except FileNotFoundError:
            continue
    return total


def oldest(folder: str, *, now: float) -> float:
    """Since when something waits in the spools; now, when nothing does."""
    times = [now]
    for found in os.listdir(folder) if os.path.isdir(folder) else []:
        if found.startswith((RECEIPTS, JOBS)):
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
