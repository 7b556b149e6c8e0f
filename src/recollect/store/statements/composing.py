"""The parts that statements are composed of."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def listed(names: Iterable[str], table: str = "") -> str:
    """The names of columns, of a table where one is named."""
    return ", ".join(f"{table}.{name}" if table else name for name in names)


def all_of(conditions: Iterable[str]) -> str:
    """What holds when every condition does; always, without one."""
    return " AND ".join(conditions) or "1 = 1"
