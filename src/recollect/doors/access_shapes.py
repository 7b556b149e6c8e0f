"""Who may use the service, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.doors.shapes import time_json

if TYPE_CHECKING:
    from typing import Any

    from recollect.flows.access.activity import ChangeMade
    from recollect.model.access import Token


def token_json(token: Token) -> dict[str, Any]:
    """A token, without what would let somebody use it."""
    return {
        "id": token.token_id,
        "name": token.name,
        "scope": token.scope,
        "created": time_json(token.created),
        "last_used": time_json(token.last_used),
    }


def change_json(made: ChangeMade) -> dict[str, Any]:
    """Who did what, when, and to which entries."""
    change = made.change
    return {
        "id": change.change_id,
        "action": change.action,
        "actor": change.actor,
        "at": time_json(change.created),
        "undone_by": change.undone_by,
        "entries": list(made.entries),
    }
