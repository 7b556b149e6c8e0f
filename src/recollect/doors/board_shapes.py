"""Items of the context board as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from recollect.model.board import BoardItem

LISTED = ("src", "name", "description", "read_count", "count")
WHOLE = (*LISTED, "content", "origin", "made_by", "session", "repository", "branch")


def item_json(item: BoardItem, *, whole: bool = False) -> dict[str, Any]:
    """An item as a list shows it, or whole."""
    fields = item._asdict()
    return {name: fields[name] for name in (WHOLE if whole else LISTED)}
