"""An entry is one stored memory; everything here is a plain value."""

from __future__ import annotations

from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    Layer = Literal["L0", "L1", "L2"]
    Scope = Literal["user", "repository"]
    Source = Literal["user", "agent", "system"]
    Origin = Literal["typed", "assistant", "tool", "document"]
    Status = Literal["active", "inactive", "superseded", "tombstone"]
    Check = Literal["verified", "cited", "changed", "gone", "unchecked"]

LAYERS = ("L0", "L1", "L2")
SCOPES = ("user", "repository")
SOURCES = ("user", "agent", "system")
ORIGINS = ("typed", "assistant", "tool", "document")
STATUSES = ("active", "inactive", "superseded", "tombstone")
CHECKS = ("verified", "cited", "changed", "gone", "unchecked")
SHELF_TAG = "shelved"  # of what a program keeps under an address; its passages are numbered: shelved, shelved:2


class Citation(Record):
    """What an entry rests on: lines or a symbol of a file with the hash seen then, or a turn of a session."""

    kind: str  # file | turn
    path: str = ""  # relative to the repository, forward slashes
    start: int = 0  # first line, 1-based; 0: the whole file
    end: int = 0
    symbol: str = ""
    sha256: str = ""  # of the cited lines, or of the symbol's source, or of the whole file
    commit: str = ""
    session: str = ""
    turn: int = 0
    quote: str = ""

    def filled(self) -> dict[str, object]:
        """Its fields by name, without the empty ones."""
        return {name: value for name, value in self._asdict().items() if value}


class Entry(Record):
    """One stored memory. Times are seconds since the epoch, in UTC."""

    entry_id: str
    layer: Layer
    scope: Scope
    content: str
    repository: str = ""  # identity; empty in user scope
    project: str = ""
    task: str = ""
    subject: str = ""
    aliases: tuple[str, ...] = ()
    reason: str = ""
    citations: tuple[Citation, ...] = ()
    tags: tuple[str, ...] = ()
    source: Source = "user"
    origin: Origin = "typed"
    confidence: float = 0.5
    status: Status = "active"
    superseded_by: str = ""
    created: float = 0.0
    updated: float = 0.0
    last_used: float = 0.0
    recall_count: int = 0
    votes_up: int = 0
    votes_down: int = 0
    valid_from: float = 0.0
    valid_to: float = 0.0  # 0: still valid
    session: str = ""


def action_word(action: str) -> str:
    """What people call a change; programs are told the name as it is."""
    return {"gap-fill": "found in a session"}.get(action, action)


def status_word(status: str) -> str:
    """What people call a status; programs are told the name as it is."""
    return {"tombstone": "retired", "superseded": "replaced"}.get(status, status)
