"""Offer for the profile: a preference that many turns asked for waits for a person, who may put it into L0."""

from __future__ import annotations

from recollect.flows.sessions.digest import Keeper, offer
from recollect.memory.preferences import is_worth_profile, standing
from recollect.model.drafts import Draft
from recollect.model.receipts import PROFILE
from recollect.text import ids

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.flows.opened import Opened

LOOKED_AT = 50
SURE = 0.7


def offer_for_profile(memory: Opened) -> int:
    """Let what is worth a place in the profile wait for a person; returns how much is new."""
    used = memory.store.entries.most_used_everywhere(limit=LOOKED_AT, now=memory.now)
    keeper = Keeper(memory.writer("system"), lambda: memory.new_id(ids.CANDIDATE))
    offered = 0
    for entry in standing(filter(is_worth_profile, used), profile=memory.profile().entries):
        draft = Draft(entry.content, layer="L0", scope="user", source="system", origin=entry.origin, tags=entry.tags)
        why = f"{entry.recall_count} turns asked for it; in the profile, every session would get it"
        offered += offer(PROFILE, draft, why, keeper, proof=entry.recall_count, confidence=SURE)
    return offered
