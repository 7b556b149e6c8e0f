"""Statements under names, one module a table family; here, the lists of values in them and what else they are composed
of."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
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


def listed(names: Iterable[str], table: str = "") -> str:
    """The names of columns, of a table where one is named."""
    return ", ".join(f"{table}.{name}" if table else name for name in names)


def ends_with(column: str, table: str) -> str:
    """Whose id ends like this. The inner question reads the index alone."""
    return f"{column} IN (SELECT {column} FROM {table} WHERE {column} LIKE ?)"


def all_of(conditions: Iterable[str]) -> str:
    """What holds when every condition does; always, without one."""
    return " AND ".join(conditions) or "1 = 1"
