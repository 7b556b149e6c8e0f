"""Ids: a letter for the kind, then a ULID; they sort by time of creation."""

from __future__ import annotations

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_SHIFTS = range(125, -1, -5)

ENTRY, SESSION, RECEIPT, TASK, PROJECT, CANDIDATE, JOB = "e_", "s_", "r_", "t_", "p_", "c_", "j_"
STAGED, APPROVAL = "w_", "a_"


def ulid(milliseconds: int, randomness: bytes) -> str:
    """26 characters: 48 bits of time, 80 bits of chance."""
    number = (milliseconds & (1 << 48) - 1) << 80 | int.from_bytes(randomness[:10], "big")
    return "".join([_ALPHABET[number >> shift & 31] for shift in _SHIFTS])


def make_id(prefix: str, now: float, randomness: bytes) -> str:
    """A new id of the kind that the prefix names."""
    return prefix + ulid(int(now * 1000), randomness)
