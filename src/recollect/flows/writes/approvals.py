"""Approvals: what a person let agents do for longer than once, seen, added and taken back."""

from __future__ import annotations

from recollect.errors import Refused
from recollect.model.permissions import MEMORY, Approval
from recollect.text import ids

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.flows.opened import Opened


class StandingApprovals:
    """The approvals of this home; only a person changes them."""

    def __init__(self, memory: Opened) -> None:
        self._store = memory.store
        self._repository = memory.repository.repository
        self._now = memory.now
        self._new_id = memory.new_id

    def listed(self) -> list[Approval]:
        """Every approval, newest first."""
        return self._store.approvals.listed()

    def allow_here(self, kind: str = MEMORY) -> Approval:
        """Let agents use this kind of tool in this repository without asking: change its memory, say."""
        if not self._repository:
            raise Refused("There is no repository here; run this inside one.")
        with self._store.write():
            approval = Approval(self._new_id(ids.APPROVAL), kind, "location", self._repository, self._now)
            self._store.approvals.add(approval)
            return next(
                one
                for one in self._store.approvals.listed()
                if (one.kind, one.reach, one.place) == (kind, "location", self._repository)
            )

    def revoke(self, name: str) -> Approval:
        """Take an approval back."""
        with self._store.write():
            approval = self._store.approvals.get(name)
            self._store.approvals.revoke(approval.approval_id)
        return approval
