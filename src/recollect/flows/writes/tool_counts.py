"""Counters of the memory tools, by strategy: stores, votes, refusals, and how permission was given.

They are kept in the home, and no word of any memory is in them."""

from __future__ import annotations

from recollect.errors import StoreError
from recollect.sessions.tool_telemetry import measure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.model.drafts import Outcome
    from recollect.store.store import Store

TOOLS = "tools."  # before the strategy and what is counted, in the home
STORES, VOTES, REFUSALS = "stores", "votes", "refusals"
ALLOWED, APPROVED, DENIED, REJECTED, STAGED = "allowed", "approved", "denied", "rejected", "staged"
PERMISSIONS = (ALLOWED, APPROVED, DENIED, REJECTED, STAGED)
_OUTCOMES = {
    "stored": STORES,
    "duplicate": STORES,
    "updated": STORES,
    "removed": STORES,
    "voted": VOTES,
    "refused": REFUSALS,
    "denied": REFUSALS,
}


class ToolCounts:
    """What one agent's calls add to the counters of a home."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._new: list[tuple[str, str]] = []
        self._last: Outcome | None = None

    def permission(self, strategy: str, how: str) -> None:
        """Permission was given or not, in one of the ways of PERMISSIONS."""
        self._new.append((strategy, how))

    def outcome(self, strategy: str, outcome: Outcome) -> None:
        """A call is over; once, although one method asks another. Somebody who is writing just now is not waited for,
        and what was not written down is with the next."""
        what = _OUTCOMES.get(outcome.status)
        if outcome is self._last or not (what or self._new):
            return
        self._last = outcome
        self._new += [(strategy, what)] if what else []
        try:
            with self._store.write(durable=False, wait_seconds=0.0):
                for name, counted in self._new:
                    self._store.count(f"{TOOLS}{name}.{counted}")
                if what == REFUSALS:
                    self._store.count(REFUSALS)
        except StoreError:
            return
        for name, counted in self._new:
            measure(name, counted, is_permission=counted in PERMISSIONS)
        self._new = []


def tool_counts(store: Store) -> dict[str, dict[str, object]]:
    """By strategy: stores, votes, refusals and permissions, as far as any were counted."""
    found: dict[str, dict[str, int]] = {}
    for name, number in store.counted_under(TOOLS).items():
        strategy, _, what = name.partition(".")
        found.setdefault(strategy, {})[what] = number
    return {
        strategy: {
            **{what: counts.get(what, 0) for what in (STORES, VOTES, REFUSALS)},
            "permissions": {how: counts.get(how, 0) for how in PERMISSIONS},
        }
        for strategy, counts in sorted(found.items())
    }
