"""Who may use the service, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.doors.shapes import time_json

if TYPE_CHECKING:
    from typing import Any

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
