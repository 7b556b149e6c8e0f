"""Ids: a letter for the kind, then a ULID; they sort by time of creation."""

from __future__ import annotations

from functools import lru_cache

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"

ENTRY, SESSION, RECEIPT, TASK, PROJECT, CANDIDATE, JOB = "e_", "s_", "r_", "t_", "p_", "c_", "j_"
STAGED, APPROVAL, SUGGESTION, TOKEN, INBOX = "w_", "a_", "g_", "k_", "i_"
# What an id of each kind names, and the command that takes it.
KINDS = {
    ENTRY: ("an entry", "show"),
    SESSION: ("a session", "session show"),
    RECEIPT: ("a receipt", "why --receipt"),
    TASK: ("a task", "task show"),
    PROJECT: ("a project", "project show"),
    SUGGESTION: ("a suggestion", "suggest show"),
    CANDIDATE: ("something that is waiting for your review", ""),
    STAGED: ("something that is waiting for your review", ""),
}
WHOLE = 28  # characters of an id
SHORT_END = 8  # characters of chance at its end: unique in practice, where the beginning is the day
SHORTEST_END = 4  # that somebody may type
FOREIGN = 16  # characters that are shown of an id that is not ours


def ulid(milliseconds: int, randomness: bytes) -> str:
    """26 characters: 48 bits of time, 80 bits of chance."""
    return _time(milliseconds & (1 << 48) - 1) + _spelled(int.from_bytes(randomness[:10], "big"), 16)


@lru_cache(maxsize=8)
def _time(milliseconds: int) -> str:
    return _spelled(milliseconds, 10)


def _spelled(number: int, digits: int) -> str:
    return "".join([_ALPHABET[number >> shift & 31] for shift in range(5 * digits - 5, -1, -5)])


def make_id(prefix: str, now: float, randomness: bytes) -> str:
    """A new id of the kind that the prefix names."""
    return prefix + ulid(int(now * 1000), randomness)


def short_id(entry_id: str) -> str:
    """The kind and the end of an id, which everything accepts; of a turn's, with its number."""
    name, mark, number = entry_id.partition("#")
    short = name[:2] + name[-SHORT_END:] if len(name) == WHOLE and name[1] == "_" else name[:FOREIGN]
    return short + mark + number


def mistaken(name: str, wanted: str) -> str:
    """A sentence about an id of another kind than was wanted, and the command for it; empty for any other name."""
    kind = name[:2]
    if kind == wanted or kind not in KINDS:
        return ""
    what, command = KINDS[kind]
    takes = (
        f"use `recollect {command} {name}`"
        if command
        else f"use `recollect approve {name}` or `recollect reject {name}`"
    )
    return f"{name} is {what}, not {KINDS[wanted][0]}; {takes}."


def end_of(name: str) -> tuple[str, str]:
    """The kind and the end that a short name gives, the kind perhaps empty; two empty texts when it is none."""
    kind, end = (name[:2], name[2:]) if name[1:2] == "_" else ("", name)
    is_end = SHORTEST_END <= len(end) < WHOLE - 2 and end.isascii() and end.isalnum()
    return (kind, end.lower()) if is_end else ("", "")


def is_called(whole_id: str, name: str) -> bool:
    """Does the name mean this id: its beginning, or its end?"""
    kind, end = end_of(name)
    return bool(name) and (
        whole_id.startswith(name) or (bool(end) and whole_id.startswith(kind) and whole_id.endswith(end))
    )
