"""Recall: what a turn with this text gets, and why the rest stays out."""

from __future__ import annotations

from recollect.memory.queries import concept_names, reasons, respell, understand
from recollect.memory.rank import (
    STRONG,
    judge,
    mentioned,
    reach,
    reaching,
    says_the_same,
    score,
    weigh,
    words_of,
)
from recollect.model.receipts import LeftOut, Recall, Recalled
from recollect.model.record import Record
from recollect.store.entries import Analysed
from recollect.store.index import ALL, brevity, partition_token, plan_search
from recollect.text.rendering import entry_line
from recollect.text.secrets.redacting import redact
from recollect.text.terms import as_typed, name_token
from recollect.text.tokens import estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from recollect.memory.checking import Checker
    from recollect.memory.rank import Evidence, Weights
    from recollect.model.entries import Entry
    from recollect.model.recall import Filters, Limits, Query
    from recollect.model.receipts import Parts
    from recollect.store.held import Held
    from recollect.store.index import Index, Plan
    from recollect.store.store import Store

    Match = tuple[Analysed, Evidence]  # a candidate, and what speaks for it

FEWEST_POSTINGS = 3_000
POSTINGS_SHARE = 4.0  # times the square root of the entries
OVER_FETCH = 50  # by some of the words, and one more for every forty postings
RESCORED = 24  # of these, by all words; more where more may come
PAIR_SHARE = 20  # times as many are passed over to see which entries have another word too
ENOUGH = 3  # times as many as a turn may get are compared and checked, unless too many of those stay out
NEAREST = 5  # of those below the floor are listed
MOST_LEFT_OUT = 20  # a receipt is for reading


class Hit(Record):
    """A candidate above the floor: the entry and its score."""

    entry_row: int
    entry: Entry
    tokens: AbstractSet[str]
    evidence: Evidence
    parts: Parts
    check: str = "unchecked"

    @property
    def score(self) -> float:
        """The product of its parts."""
        return self.parts.score

    def left_out(self, why: str) -> LeftOut:
        """That it stays out, and why."""
        return LeftOut(self.entry.entry_id, why)


def recall(message: str, *, store: Store, filters: Filters, limits: Limits, checker: Checker, now: float) -> Recall:
    """The entries worth a turn's tokens, best first, and what was left out."""
    # One snapshot: an entry that is corrected or erased meanwhile is either here in all steps or in none.
    with store.read():
        held = store.held()
        query = understand(message, held.name_heads if held else None)
        if not query.terms and not query.names:
            return Recall(redact(query.text))
        matches = candidates(query, store, held, filters, limits)
        hits, below = scored(matches, store, filters, limits, now)
        hits, archived = without_archive(hits, query, filters, limits)
        hits, out = settled(hits, store, checker, limits, now)
        found = fit(hits, [*out, *archived, *below], query, limits)
        if not (query.asks_history or "L2" in filters.layers):
            return found
        # Imported here: few turns ask for the past.
        from recollect.flows.turns.recall_turns import with_turns

        return with_turns(found, query, store=store, filters=filters, limits=limits, now=now)


def candidates(query: Query, store: Store, held: Held | None, filters: Filters, limits: Limits) -> list[Match]:
    """What the index offers, in memory where it is held there, judged with every word of the query."""
    places = store.repositories.all() if filters.everywhere else [filters.repository, *filters.known_as]
    index = held or store.index
    partitions = index.partitions(filters.layers or ("L1", "L2"), list(dict.fromkeys(("", *places))))
    here = set(map(partition_token, partitions))
    frequencies = index.frequencies([ALL, *here, *query.terms, *query.names, *query.topics])
    names, implied = named(query, frequencies, index)
    weights = weigh(query, names, frequencies, implied)
    budget_postings = affordable(frequencies.get(ALL, 0), limits)
    over_fetch = OVER_FETCH + budget_postings // 40
    narrowed = filters.tags or filters.project or filters.since or filters.until or filters.without
    most = over_fetch if narrowed else max(RESCORED, ENOUGH * limits.max_entries)
    if held:
        best = best_held(held, weights, here, floor=limits.floor, limit=most)
    else:
        plan = plan_of(query, names, frequencies, partitions, budget_postings, store)
        rows = store.index.matching(plan, limit=over_fetch)
        best = best_rows(rows, weights, here, store, floor=limits.floor, limit=most)
    return judged(best, weights, query)


def affordable(entries: int, limits: Limits) -> int:
    """How many postings are worth reading: in a store four times as large, twice as many, between two ends."""
    return min(limits.budget_postings, max(FEWEST_POSTINGS, int(POSTINGS_SHARE * entries**0.5)))


def plan_of(
    query: Query,
    names: Sequence[str],
    frequencies: dict[str, int],
    partitions: Sequence[int],
    budget_postings: int,
    store: Store,
) -> Plan:
    """What is looked up: names and topics too, and the words inside an identifier only where there is room."""
    return plan_search(
        [*names, *query.topics, *query.terms],
        partitions,
        frequencies=frequencies,
        budget_postings=budget_postings,
        pair_postings=PAIR_SHARE * budget_postings,
        newest_row=store.index.newest_row(),
        parts={
            part for whole, parts in query.compounds.items() if whole in frequencies for part in parts if part != whole
        },
    )


def best_rows(
    rows: Sequence[int], weights: Weights, partitions: AbstractSet[str], store: Store, *, floor: float, limit: int
) -> list[Analysed]:
    """Those of the partitions that can reach the floor by all words of the query, not only by those looked up, or else
    all of them; those with most first."""
    worth, needed = weights.grains, reach(floor, weights)
    inside: list[tuple[int, str, list[str]]] = []
    have = []
    for row, entry_id, analysed in store.entries.analysed(rows):
        tokens = analysed.split()
        # The partition of an entry is the first of its tokens.
        if tokens[0] in partitions:
            common = worth.keys() & tokens
            have.append((len(inside), sum(map(worth.__getitem__, common)), len(common)))
            inside.append((row, entry_id, tokens))
    near = [one for one in have if one[1] >= needed.least]
    words = {place: max(len(set(inside[place][2])) - 1, 1) for place, _, _ in near}
    found = reaching(needed, near, words) or [(place, grains) for place, grains, _ in have]
    best = sorted([(-grains * brevity(len(inside[place][2])), *inside[place]) for place, grains in found])
    return [Analysed(row, entry_id, set(tokens)) for _, row, entry_id, tokens in best[:limit]]


def best_held(
    held: Held, weights: Weights, partitions: AbstractSet[str], *, floor: float, limit: int
) -> list[Analysed]:
    """The same of a store in memory, of which no part was looked up first."""
    worth, needed, inside = weights.grains, reach(floor, weights), held.inside
    near = reaching(needed, held.having(worth, needed.least), held.words)
    found = [one for one in near if inside[one[0]] in partitions]
    if not found:
        found = [(place, grains) for place, grains, _ in held.having(worth, 1) if inside[place] in partitions]
    best = sorted([(-grains * held.brevities[place], place) for place, grains in found])
    return [held.entries[place] for _, place in best[:limit]]


def named(query: Query, frequencies: dict[str, int], index: Index | Held) -> tuple[list[str], dict[str, set[str]]]:
    """The names that the query means and that exist: written whole, misspelled, or implied, and by which terms."""
    found = [name for name in query.names if name in frequencies]
    meant = respell(query, frequencies, index.spelled_like)
    implied = {} if found or meant else concept_names(query)
    if meant or implied:
        frequencies.update(index.frequencies([*meant, *implied]))
    return [name for name in (*found, *meant, *implied) if name in frequencies], implied


def judged(entries: Sequence[Analysed], weights: Weights, query: Query) -> list[Match]:
    """Each entry with the evidence for it in all words of the query."""
    named = {name for name in weights.names if any(name in one.tokens for one in entries)}
    matches = []
    for entry in entries:
        tokens = entry.tokens
        shares = mentioned(tokens, named, query) if named and named.isdisjoint(tokens) else None
        matches.append((entry, judge(tokens, weights, shares)))
    return matches


def scored(
    matches: Sequence[Match], store: Store, filters: Filters, limits: Limits, now: float
) -> tuple[list[Hit], list[LeftOut]]:
    """Those above the floor that the filters let through, best first, and the nearest of the others."""
    above = {
        found.entry_row: (found.tokens, evidence) for found, evidence in matches if evidence.relevance >= limits.floor
    }
    hits = []
    for row, entry in store.entries.by_rows(list(above)).items():
        if allowed(entry, filters, now):
            tokens, evidence = above[row]
            hits.append(Hit(row, entry, tokens, evidence, score(entry, evidence, check="unchecked", now=now)))
    below = sorted(
        [(-evidence.strength, *found[:2]) for found, evidence in matches if evidence.relevance < limits.floor]
    )
    near = [LeftOut(entry_id, "below the relevance floor") for _, _, entry_id in below[:NEAREST]]
    return best_first(hits), near


def best_first(hits: list[Hit]) -> list[Hit]:
    """By score, and of equals the oldest first."""
    return sorted(hits, key=lambda hit: (-hit.score, hit.entry_row))


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


def without_archive(hits: list[Hit], query: Query, filters: Filters, limits: Limits) -> tuple[list[Hit], list[LeftOut]]:
    """Archive entries come only when history is asked for or the match is strong, and not many of them."""
    if "L2" in filters.layers:
        return hits, []
    chosen, left_out = [], []
    archive = 0
    for hit in hits:
        if hit.entry.layer != "L2":
            chosen.append(hit)
        elif not (query.asks_history or hit.evidence.names or hit.evidence.relevance >= STRONG * limits.floor):
            left_out.append(hit.left_out("an archive entry, and history was not asked for"))
        elif archive == limits.max_archive:
            left_out.append(hit.left_out("more archive entries than the ceiling"))
        else:
            archive += 1
            chosen.append(hit)
    return chosen, left_out


def settled(
    hits: list[Hit], store: Store, checker: Checker, limits: Limits, now: float
) -> tuple[list[Hit], list[LeftOut]]:
    """The best of them without repeats and with their citations looked at: enough, or where a check may take some away
    more than that; seldom all."""
    spare = ENOUGH if any(hit.entry.citations for hit in hits) else 1
    size = spare * max(limits.max_entries, 1)
    while True:
        chosen, same = without_repeats(hits[:size], store)
        chosen, gone = checked(chosen, checker, now)
        if len(chosen) >= limits.max_entries or size >= len(hits):
            rest = [hit.left_out(f"more than {limits.max_entries} entries") for hit in hits[size:]]
            return chosen, [*gone, *same, *rest]
        size *= 4


def without_repeats(hits: list[Hit], store: Store) -> tuple[list[Hit], list[LeftOut]]:
    """Near duplicates collapse to the best one; of two that contradict each other the newer, more trusted one stays."""
    losers = _losers(hits, store)
    words = [words_of(hit.tokens) for hit in hits]
    chosen: list[Hit] = []
    said: list[set[str]] = []
    left_out = []
    for hit, own in zip(hits, words, strict=True):
        winner = losers.get(hit.entry_row)
        twin = next((chosen[at] for at, other in enumerate(said) if says_the_same(own, other)), None)
        if winner is not None:
            left_out.append(hit.left_out(f"contradicted by {winner}, which is newer or more trusted"))
        elif twin is not None:
            left_out.append(hit.left_out(f"says the same as {twin.entry.entry_id}"))
        else:
            chosen.append(hit)
            said.append(own)
    return chosen, left_out


def _losers(hits: list[Hit], store: Store) -> dict[int, str]:
    """Rows that lose an unsettled conflict to another hit, with the winner's id."""
    by_id = {hit.entry.entry_id: hit for hit in hits}
    losers = {}
    for newer, older in store.conflicts.among(list(by_id)) if len(by_id) > 1 else []:
        first, second = by_id[newer], by_id[older]
        if second.parts.trust > first.parts.trust:
            first, second = second, first
        losers[second.entry_row] = first.entry.entry_id
    return losers


def checked(hits: list[Hit], checker: Checker, now: float) -> tuple[list[Hit], list[LeftOut]]:
    """What is cited is looked at: gone everywhere stays out, changed or gone only here is lowered and marked."""
    cited = {hit.entry_row: hit.entry for hit in hits if hit.entry.citations}
    if not cited:
        return hits, []
    verdicts = dict(zip(cited, checker.check(list(cited.values()), now=now), strict=True))
    chosen, left_out = [], []
    for hit in hits:
        verdict = verdicts.get(hit.entry_row)
        if verdict is None:
            chosen.append(hit)
        elif verdict.gone_everywhere:
            left_out.append(hit.left_out(f"gone: {verdict.detail}"))
        else:
            parts = score(hit.entry, hit.evidence, check=verdict.check, now=now)
            chosen.append(hit._replace(check=verdict.check, parts=parts))
    return best_first(chosen), left_out


def fit(hits: list[Hit], left_out: list[LeftOut], query: Query, limits: Limits) -> Recall:
    """As many as the ceilings of number and tokens allow."""
    taken: list[tuple[Hit, int]] = []
    over: list[LeftOut] = []
    spent = 0
    for hit in hits:
        if len(taken) >= limits.max_entries:
            over.append(hit.left_out(f"more than {limits.max_entries} entries"))
            continue
        tokens = estimate_tokens(entry_line(hit.entry, hit.check))
        if spent + tokens > limits.max_tokens:
            over.append(hit.left_out(f"over the ceiling of {limits.max_tokens} tokens"))
            continue
        spent += tokens
        taken.append((hit, tokens))
    # A receipt keeps the query and the reasons, and a word as it was typed may be an address with a password in it.
    asked = redact(query.text)
    typed = as_typed(asked, {term for hit, _ in taken for term in query.terms if term in hit.tokens})
    found = [Recalled(hit.entry, hit.parts, hit.check, tokens, because(hit, typed)) for hit, tokens in taken]
    return Recall(asked, tuple(found), tuple([*over, *left_out][:MOST_LEFT_OUT]), spent)


def because(hit: Hit, typed: dict[str, str]) -> str:
    """Which of its names and of the words that were typed brought an entry."""
    names = [name for name in (hit.entry.subject, *hit.entry.aliases) if name_token(name) in hit.evidence.names]
    return reasons(names, [word for term, word in typed.items() if term in hit.tokens])
