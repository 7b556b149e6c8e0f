"""Notices of suggestions, one small file a repository: the worker leaves them, the next hook there takes them.

A hook looks at every prompt, so nothing is opened where there is none."""

from __future__ import annotations

import os

PREFIX = "suggestions-"
SUFFIX = ".notice"
MOST_CHARACTERS = 1_000


def leave_notice(spool: str, repository: str, texts: list[str]) -> None:
    """Let the next hook in this repository tell these; a notice that was not told yet gives way to a newer one."""
    from recollect.files.writing import write_atomic

    write_atomic(spool, _name(spool, repository), "\n".join(texts)[:MOST_CHARACTERS])


def take_notice(spool: str, repository: str) -> str:
    """What is to be told here, once; empty when there is nothing."""
    path = _name(spool, repository)
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read(MOST_CHARACTERS)
        os.unlink(path)
    except OSError:
        return ""
    return text.strip()


def peek_notice(spool: str, repository: str) -> str:
    """What waits to be told here; it stays."""
    try:
        with open(_name(spool, repository), encoding="utf-8", errors="replace") as file:
            return file.read(MOST_CHARACTERS).strip()
    except OSError:
        return ""


def _name(spool: str, repository: str) -> str:
    # zlib is not loaded by a hook; a short sum of our own tells repositories apart well enough for a notice.
    number = 5381
    for letter in repository.encode():
        number = (number * 33 ^ letter) & 0xFFFFFFFFFFFF
    return os.path.join(spool, f"{PREFIX}{number:012x}{SUFFIX}")
