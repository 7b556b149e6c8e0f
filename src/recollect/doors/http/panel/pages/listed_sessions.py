"""Sessions as the panel lists them: those of hosts and our own, each once, newest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recollect.app import Recollect
    from recollect.model.sessions import Session


def listed_sessions(
    memory: Recollect, *, repository: str | None = None, host: str = "", limit: int
) -> list[tuple[Session, int]]:
    """Sessions with their number of turns."""
    found = memory.sessions.listed(repository=repository, host=host, limit=limit)
    own = [] if host else memory.own_sessions.listed(repository=repository)[:limit]
    ours = {session.session_id for session, _ in own}
    imported = [one for one in found if one[0].native_id not in ours]
    return sorted([*imported, *own], key=lambda one: one[0].started, reverse=True)[:limit]
