"""Suggestions: facts matched to customization files, with the change each would make."""

from __future__ import annotations

from recollect.model.entries import Citation
from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    TargetType = Literal["instructions", "agent", "skill", "prompt", "hook", "newFile"]
    Action = Literal["merge", "add", "create", "remove", "conflict"]

MODES = ("off", "eager", "occasional", "manual")
TARGET_TYPES = ("instructions", "agent", "skill", "prompt", "hook", "newFile")
ACTIONS = ("merge", "add", "create", "remove", "conflict")
PENDING, NEEDS_REVIEW, APPLIED, DISMISSED = "pending", "needs_review", "applied", "dismissed"
STATUSES = (PENDING, NEEDS_REVIEW, APPLIED, DISMISSED)
OPEN, DECIDED = (PENDING, NEEDS_REVIEW), (APPLIED, DISMISSED)
CATEGORIES = ("style", "testing", "architecture", "tooling", "workflow", "domain")


class Fact(Record):
    """What suggestions are made from: an active entry, as they look at it."""

    fact_id: str  # of the entry
    content: str
    reason: str = ""
    citations: tuple[Citation, ...] = ()
    scope: str = "repository"  # user | repository
    confidence: float = 0.0
    category: str = "style"  # one of CATEGORIES
    command: str = ""  # a command in it that was seen to succeed here
    session: str = ""
    created: float = 0.0
    former: tuple[str, ...] = ()  # what it said before it was corrected


class Proposal(Record):
    """A change of one customization file that nobody has seen yet."""

    fact: str  # what it says, or why something goes
    fact_ids: tuple[str, ...]
    target_type: TargetType
    target: str  # relative to the repository, or ~/...
    action: Action
    before: str | None  # the file's text; None: there is no file
    after: str
    confidence: float
    why: str  # why this file and this place
    place: str = ""  # heading under which it stands; similar suggestions share file and place
    citations: tuple[Citation, ...] = ()


class Suggestion(Record):
    """A proposal that waits for a person, or was decided."""

    suggestion_id: str
    repository: str
    fact: str
    fact_ids: tuple[str, ...]
    target_type: TargetType
    target: str
    action: Action
    before: str | None
    after: str
    confidence: float
    why: str
    place: str
    citations: tuple[Citation, ...]
    fingerprint: str
    status: str = PENDING  # one of STATUSES
    note: str = ""  # why it needs a review
    edited: bool = False  # a person has put it into their own words
    root: str = ""  # the folder that the target is in
    undo: str = ""  # JSON: what an exact undo needs
    created: float = 0.0
    updated: float = 0.0
    told: float = 0.0  # when a person was told of it

    @property
    def proposal(self) -> Proposal:
        """The change that it proposes."""
        return Proposal(
            self.fact,
            self.fact_ids,
            self.target_type,
            self.target,
            self.action,
            self.before,
            self.after,
            self.confidence,
            self.why,
            self.place,
            self.citations,
        )
