"""The log of hooks: one JSON line a call, in the home, small enough to be read and never with what was typed."""

from __future__ import annotations

import os

from recollect.files.writing import BINARY, NO_LINKS
from recollect.text.quick_json import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

NAME, OLDER = "hook.jsonl", "hook.older.jsonl"
MOST_BYTES = 1_000_000


def log_call(folder: str, fields: Mapping[str, object]) -> bool:
    """Append a line; False when that cannot be done, which a hook survives."""
    path = os.path.join(folder, NAME)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | BINARY | NO_LINKS, 0o600)
        try:
            os.write(handle, dumps(fields).encode() + b"\n")
            full = os.fstat(handle).st_size > MOST_BYTES
        finally:
            os.close(handle)
        if full:
            os.replace(path, os.path.join(folder, OLDER))
    except OSError:
        return False
    return True


def read_log(folder: str, *, last: int = 200) -> list[dict[str, object]]:
    """The last calls, oldest first; lines that are none are passed over."""
    lines: list[str] = []
    for name in (OLDER, NAME):
        try:
            with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                lines += file.read().splitlines()
        except OSError:
            continue
    found = []
    for line in lines[-last:]:
        try:
            fields = loads(line)
        except ValueError:
            continue
        if isinstance(fields, dict):
            found.append(fields)
    return found
