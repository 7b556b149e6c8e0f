"""A suggestion as pages show it: what it says, what it changes side by side, where it comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.doors.cli.suggest import sources_of
from recollect.text.side_by_side import side_by_side

if TYPE_CHECKING:
    from typing import Any

    from recollect.app import Recollect
    from recollect.model.suggestions import Suggestion

ACTIONS = {
    "merge": "Merge into",
    "add": "Add to",
    "create": "Create",
    "remove": "Remove from",
    "conflict": "Contradicts",
}


def suggestion_values(one: Suggestion, memory: Recollect) -> dict[str, Any]:
    """Plain values for a template."""
    return {
        "one": one,
        "rows": side_by_side(one.before or "", one.after),
        "sources": sources_of(one, memory) if one.citations else [],
        "arrow": f"{ACTIONS[one.action]} {one.target}",
    }
