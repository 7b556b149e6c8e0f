"""Whether Gemini CLI's history has just shrunk. Its PreCompress hook fires before every request, and only the counts in
its log tell which of them was followed by a compression."""

from __future__ import annotations

import os

MOST_BYTES = 1 << 18  # of the end of a log
SHARE = 0.5  # a compression keeps less than a third; nothing else takes away half


def history_shrank(log: str) -> bool:
    """Did the last request carry less than half of the one before? False where the log does not say."""
    counts = list(_counts(_end(log)).values())
    return len(counts) > 1 and counts[-1] < SHARE * counts[-2]


def _counts(end: bytes) -> dict[str, int]:
    """How many tokens each request had, by the answer's id: a record that comes again replaces itself."""
    import json

    found: dict[str, int] = {}
    for line in end.splitlines():
        if b'"tokens":{"input":' not in line:
            continue
        try:
            record = json.loads(line)
            found[str(record["id"])] = int(record["tokens"]["input"])
        except (ValueError, KeyError, TypeError):
            continue  # the first line of the end is cut; others may be torn
    return found


def _end(log: str) -> bytes:
    try:
        with open(log, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - MOST_BYTES))
            return file.read(MOST_BYTES)
    except (OSError, ValueError):
        return b""
