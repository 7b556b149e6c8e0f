"""Statements under names, one module a table family; here, the lists of values in them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

CHUNK = 400  # values in one statement
_STEP = 16


def marks(count: int) -> str:
    """So many marks, for an IN or a VALUES."""
    return ",".join("?" * count)


def padded(values: Sequence[Any]) -> tuple[list[Any], str]:
    """Values for an IN with as many marks as the next power of two, or of sixteen the next multiple: few statements,
    so that each is known."""
    step = _STEP if len(values) > _STEP else 1 << (len(values) - 1).bit_length()
    filled = [*values, *[values[-1]] * (-len(values) % step)]
    return filled, ",".join("?" * len(filled))
