"""Settle which of what was found stands: without repeats, the later of two that contradict each other, with its
citations looked at, and not what the reader has before it."""

from __future__ import annotations

from recollect.memory.later import About, later_first, winner
from recollect.memory.rank import says_the_same, score, words_of
from recollect.model.receipts import GIVEN_BEFORE, LeftOut
from recollect.model.record import Record
from recollect.text.rendering import entry_line, line_mark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from recollect.memory.checking import Checker
    from recollect.memory.rank import Evidence
    from recollect.model.entries import Entry
    from recollect.model.recall import Filters, Limits
    from recollect.model.receipts import Parts
    from recollect.store.store import Store

ENOUGH = 3  # times as many as a turn may get are compared and checked, unless too many of those stay out


class Hit(Record):
    """A candidate above the floor: the entry and its score."""

    age: int  # its place among the candidates, the oldest first
    entry: Entry
    tokens: AbstractSet[str]
    evidence: Evidence
    parts: Parts
    about: About = About()
    check: str = "unchecked"

    @property
    def score(self) -> float:
        """The product of its parts."""
        return self.parts.score

    def left_out(self, why: str) -> LeftOut:
        """That it stays out, and why."""
        return LeftOut(self.entry.entry_id, why, self.evidence.relevance, self.entry.content)


def best_first(hits: list[Hit]) -> list[Hit]:
    """By score, and of equals the oldest first, but none before a later word on the same thing; the archive behind all
    entries, whose room it never takes."""
    ranked = sorted(hits, key=lambda hit: (hit.entry.layer == "L2", -hit.score, hit.age))
    if len(ranked) < 2:
        return ranked
    order, _ = later_first([hit.about for hit in ranked], [hit.entry.created for hit in ranked])
    return [ranked[place] for place in order]


def allowed(entry: Entry, filters: Filters, now: float) -> bool:
    """Do the structured filters let this entry through?"""
    if entry.status != "active" or (entry.valid_to and entry.valid_to <= now) or entry.entry_id in filters.without:
        return False
    here = ("", filters.repository, *filters.known_as)
    if not filters.everywhere and entry.repository not in here:
        return False
    if filters.layers and entry.layer not in filters.layers:
        return False
    if filters.tags and not set(filters.tags).intersection(entry.tags):
        return False
    if filters.project and entry.project != filters.project:
        return False
    return entry.created >= filters.since and (not filters.until or entry.created < filters.until)


def settled(
    hits: list[Hit],
    store: Store,
    checker: Checker,
    filters: Filters,
    limits: Limits,
    now: float,
    known: Mapping[str, str],
) -> tuple[list[Hit], list[LeftOut]]:
    """The best of them without repeats, with their citations looked at and without what the reader has before it:
    enough, or where some of it may be taken away more than that; seldom all. What contradicts one of them and is later
    comes in its place."""
    hits, contradicted = without_older(hits, store, filters, now)
    spare = ENOUGH if known or any(hit.entry.citations for hit in hits) else 1
    size = spare * max(limits.max_entries, 1)
    while True:
        chosen, same = without_repeats(hits[:size])
        chosen, gone = checked(chosen, checker, now)
        chosen, before = not_again(chosen, known)
        if len(chosen) >= limits.max_entries or size >= len(hits):
            rest = [hit.left_out(f"beyond the limit of {limits.max_entries}") for hit in hits[size:]]
            return chosen, [*before, *gone, *contradicted, *same, *rest]
        size *= 4


def not_again(hits: list[Hit], known: Mapping[str, str]) -> tuple[list[Hit], list[LeftOut]]:
    """Without what the reader has before it, unless that reads otherwise by now."""
    if not known:
        return hits, []
    due = [known.get(hit.entry.entry_id) != line_mark(entry_line(hit.entry, hit.check)) for hit in hits]
    chosen = [hit for hit, is_due in zip(hits, due, strict=True) if is_due]
    return chosen, [hit.left_out(GIVEN_BEFORE) for hit, is_due in zip(hits, due, strict=True) if not is_due]


def without_older(hits: list[Hit], store: Store, filters: Filters, now: float) -> tuple[list[Hit], list[LeftOut]]:
    """Of two that contradict each other the one that is used, also where only the other one was found."""
    by_id = {hit.entry.entry_id: hit for hit in hits}
    entries = {name: hit.entry for name, hit in by_id.items()}
    used_for, why = _used_for(entries, store, filters, now)
    if not used_for:
        return hits, []
    chosen: dict[str, Hit] = {}
    left_out = []
    for name, hit in by_id.items():
        used = _last(name, used_for)
        if used != name:
            left_out.append(hit.left_out(f"contradicted by {used}, which {why[name]}"))
        if used not in filters.without:
            chosen.setdefault(used, by_id.get(used) or hit._replace(entry=entries[used]))
    return list(chosen.values()), left_out


def uncontradicted(entries: Sequence[Entry], store: Store, filters: Filters, now: float) -> list[Entry]:
    """Those that no later or more trusted entry contradicts."""
    used_for, _ = _used_for({one.entry_id: one for one in entries}, store, filters, now)
    return [one for one in entries if one.entry_id not in used_for]


def _used_for(
    entries: dict[str, Entry], store: Store, filters: Filters, now: float
) -> tuple[dict[str, str], dict[str, str]]:
    """Which entry is used instead of one of these that it contradicts, and why. Those that are met become known."""
    pairs = store.conflicts.against(list(entries))
    if not pairs:
        return {}, {}
    unseen = {name for pair in pairs for name in pair} - entries.keys()
    # Also what was given already: the older does not come after it.
    anything = filters._replace(without=frozenset())
    entries |= {one.entry_id: one for one in store.entries.active(sorted(unseen)) if allowed(one, anything, now)}
    used_for, why = {}, {}
    for newer, older in pairs:
        if newer in entries and older in entries:
            used = winner(entries[newer], entries[older]).entry_id
            other = older if used == newer else newer
            used_for[other] = used
            why[other] = "is newer" if used == newer else "is more trusted"
    return used_for, why


def _last(name: str, used_for: Mapping[str, str]) -> str:
    """The end of a chain of words on one thing; of a ring, where one comes back."""
    seen = {name}
    while name in used_for and used_for[name] not in seen:
        name = used_for[name]
        seen.add(name)
    return name


def without_repeats(hits: list[Hit]) -> tuple[list[Hit], list[LeftOut]]:
    """Near duplicates collapse to the best one."""
    chosen: list[Hit] = []
    said: list[set[str]] = []
    left_out = []
    for hit in hits:
        own = words_of(hit.tokens)
        twin = next((chosen[at] for at, other in enumerate(said) if says_the_same(own, other)), None)
        if twin is not None:
            left_out.append(hit.left_out(f"says the same as {twin.entry.entry_id}"))
        else:
            chosen.append(hit)
            said.append(own)
    return chosen, left_out


def checked(hits: list[Hit], checker: Checker, now: float) -> tuple[list[Hit], list[LeftOut]]:
    """What is cited is looked at: gone everywhere stays out, changed or gone only here is lowered and marked."""
    cited = {hit.entry.entry_id: hit.entry for hit in hits if hit.entry.citations}
    if not cited:
        return hits, []
    verdicts = dict(zip(cited, checker.check(list(cited.values()), now=now), strict=True))
    chosen, left_out = [], []
    for hit in hits:
        verdict = verdicts.get(hit.entry.entry_id)
        if verdict is None:
            chosen.append(hit)
        elif verdict.gone_everywhere:
            left_out.append(hit.left_out(f"gone: {verdict.detail}"))
        else:
            parts = score(hit.entry, hit.evidence, check=verdict.check, now=now)
            chosen.append(hit._replace(check=verdict.check, parts=parts))
    return best_first(chosen), left_out
