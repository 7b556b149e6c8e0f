"""Ids: a letter for the kind, then a ULID; they sort by time of creation."""

from __future__ import annotations

from functools import lru_cache

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"

ENTRY, SESSION, RECEIPT, TASK, PROJECT, CANDIDATE, JOB = "e_", "s_", "r_", "t_", "p_", "c_", "j_"
STAGED, APPROVAL, SUGGESTION, INBOX = "w_", "a_", "g_", "i_"
SHORT_ID = 16  # kind, time and 20 random bits: enough to cite by


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
    """The beginning of an id, which every command accepts; of a turn's, with its number."""
    name, mark, number = entry_id.partition("#")
    return name[:SHORT_ID] + mark + number
