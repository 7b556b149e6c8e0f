"""Too many facts: the best stay in the pool that suggestions are made from. The others are left out, never deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.model.record import Record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recollect.model.entries import Entry

HALF_LIFE_DAYS = 30.0
DAY_SECONDS = 86_400.0


class Weights(Record):
    """What age, votes and use count."""

    recency: float = 1.0
    votes: float = 1.0
    use: float = 1.0


def score(entry: Entry, weights: Weights, *, applied: int = 0, now: float) -> float:
    """How much a fact deserves its place: newer ones more, with half as much every month; votes and use raise it."""
    age_days = max(now - max(entry.updated, entry.created), 0.0) / DAY_SECONDS
    recency: float = 0.5 ** (age_days / HALF_LIFE_DAYS)
    return weights.recency * recency + weights.votes * _vote_score(entry) + weights.use * _use_score(entry, applied)


def _vote_score(entry: Entry) -> float:
    """From -1 to 1."""
    votes = entry.votes_up - entry.votes_down
    return votes / (abs(votes) + 1)


def _use_score(entry: Entry, applied: int) -> float:
    """From 0 to 1; an applied suggestion counts as much as ten recalls."""
    used = 10 * applied + entry.recall_count
    return used / (used + 10)


def pool(
    entries: Sequence[Entry], limit: int, weights: Weights, *, applied: Mapping[str, int], now: float
) -> list[Entry]:
    """The facts that stay, best first."""
    ranked = sorted(
        entries, key=lambda one: (-score(one, weights, applied=applied.get(one.entry_id, 0), now=now), one.entry_id)
    )
    return ranked[:limit]
