"""A spool: lines that could not be stored yet, appended by any process and taken in by the next writer."""

from __future__ import annotations

import os

from recollect.files.writing import append_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

NAME = "receipts.jsonl"


def add_line(folder: str, line: str) -> None:
    """Append one line."""
    append_line(os.path.join(folder, NAME), line)


def take(folder: str) -> dict[str, list[str]]:
    """The spooled lines by file; hand the files to `done` once their lines are stored."""
    path = os.path.join(folder, NAME)
    try:
        # Renamed first: what is spooled from now on goes to a new file.
        os.rename(path, f"{path}.{os.getpid()}-{os.urandom(4).hex()}")
    except FileNotFoundError:
        pass
    taken: dict[str, list[str]] = {}
    # Files of a process that died half-way are taken again; storing a line twice changes nothing.
    for name in os.listdir(folder) if os.path.isdir(folder) else []:
        if name.startswith(NAME + "."):
            try:
                with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as lines:
                    taken[os.path.join(folder, name)] = lines.read().splitlines()
            except FileNotFoundError:
                continue  # another process took it in meanwhile
    return taken


def done(paths: Sequence[str]) -> None:
    """Remove files whose lines are stored."""
    for path in paths:
        try:
            os.unlink(path)
        except FileNotFoundError:
            continue
