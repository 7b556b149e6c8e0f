"""What somebody wants written, and what became of it."""

from __future__ import annotations

from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.model.entries import Citation, Layer, Origin, Scope, Source


class Draft(Record):
    """An entry that is not stored yet."""

    content: str
    layer: Layer = "L1"
    scope: Scope = "repository"
    repository: str = ""
    subject: str = ""
    aliases: tuple[str, ...] = ()
    reason: str = ""
    citations: tuple[Citation, ...] = ()
    tags: tuple[str, ...] = ()
    source: Source = "user"
    origin: Origin = "typed"
    confidence: float = 0.0  # 0: what the source is worth
    project: str = ""
    task: str = ""
    session: str = ""
    created: float = 0.0  # 0: now


class Add(Record):
    """Store a draft."""

    draft: Draft


class Update(Record):
    """Replace an entry by a new version; the old one stays in the trail."""

    entry_id: str
    draft: Draft


class Remove(Record):
    """Retire an entry; what remains keeps it dead."""

    entry_id: str


STATUSES = (
    "stored",
    "duplicate",
    "updated",
    "removed",
    "voted",
    "staged",
    "refused",
    "invalid",
    "invalid_scope",
    "no_client",
    "denied",
    "failed",
)
DONE = ("stored", "duplicate", "updated", "removed", "voted")
STAGED = "staged"


class Outcome(Record):
    """What became of one write, whoever asked for it."""

    status: str  # one of STATUSES
    entry_id: str = ""  # of the entry, or, when staged, of what waits
    why: str = ""
    conflicts: tuple[str, ...] = ()  # ids that say the opposite
    superseded: tuple[str, ...] = ()  # ids that this one replaced
    also: tuple[str, ...] = ()  # ids of further entries that the same correction made

    @property
    def is_done(self) -> bool:
        """Is memory as it was asked for?"""
        return self.status in DONE

    @property
    def is_refused(self) -> bool:
        """Was nothing changed, and does nothing wait for a person either?"""
        return not self.is_done and self.status != STAGED
