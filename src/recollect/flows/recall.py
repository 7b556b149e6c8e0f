"""Recall: what a turn with this text gets, and why the rest stays out."""

from __future__ import annotations

from math import fsum

from recollect.memory.queries import concept_names, reasons, respell, understand
from recollect.memory.rank import (
    STRONG,
    brevity,
    judge,
    mentioned,
    says_the_same,
    score,
    topics_of,
    weigh,
    words_of,
)
from recollect.memory.rendering import entry_line
from recollect.model.receipts import LeftOut, Recall, Recalled
from recollect.model.record import Record
from recollect.store.index import ALL, partition_token, plan_search
from recollect.store.rows import load_list
from recollect.text.secrets import redact
from recollect.text.terms import as_typed, name_token
from recollect.text.tokens import estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.memory.checking import Checker
    from recollect.memory.rank import Evidence, Weights
    from recollect.model.recall import Filters, Limits, Query
    from recollect.model.receipts import Parts
    from recollect.store.entries import Brief
    from recollect.store.store import Store

OVER_FETCH = 50  # by some of the words, and one more for every forty postings
RESCORED = 24  # of these, by all words; more where more may come
FEWEST_POSTINGS = 500
POSTINGS_SHARE = 4.0  # times the square root of the entries
PAIR_SHARE = 20  # times as many are passed over to see which entries have another word too
ENOUGH = 3  # times as many as a turn may get are compared and checked, unless too many of those stay out
MOST_LEFT_OUT = 20  # a receipt is for reading


class Hit(Record):
    """A candidate with its evidence and its score."""

    brief: Brief
    tokens: set[str]
    evidence: Evidence
    parts: Parts
    check: str = "unchecked"

    @property
    def score(self) -> float:
        """The product of its parts."""
        return self.parts.score


def recall(message: str, *, store: Store, filters: Filters, limits: Limits, checker: Checker, now: float) -> Recall:
    """The entries worth a turn's tokens, best first, and what was left out."""
    query = understand(message)
    if not query.terms and not query.names:
        return Recall(redact(query.text))
    # One snapshot: an entry that is corrected or erased meanwhile is either here in all steps or in none.
    with store.read():
        hits = candidates(query, store, filters, limits, now)
        chosen, below = relevant(hits, query, filters, limits)
        chosen, out = settled(chosen, store, checker, limits, now)
        found = fit(chosen, [*out, *below], query, store, limits)
        if not (query.asks_history or "L2" in filters.layers):
            return found
        # Imported here: few turns ask for the past.
        from recollect.flows.recall_turns import with_turns

        return with_turns(found, query, store=store, filters=filters, limits=limits, now=now)


def candidates(query: Query, store: Store, filters: Filters, limits: Limits, now: float) -> list[Hit]:
    """What the index offers within its budget, rescored with every word of the query."""
    layers = filters.layers or ("L1", "L2")
    places = store.repositories.all() if filters.everywhere else [filters.repository, *filters.known_as]
    partitions = store.entries.partitions(layers, list(dict.fromkeys(("", *places))))
    tokens = [partition_token(one) for one in partitions]
    topics = topics_of(query)
    frequencies = store.index.frequencies([ALL, *tokens, *query.terms, *query.names, *topics])
    names, implied = named(query, frequencies, store)
    budget_postings = affordable(frequencies.get(ALL, 0), limits)
    plan = plan_search(
        [*names, *topics, *query.terms],
        partitions,
        frequencies=frequencies,
        budget_postings=budget_postings,
        pair_postings=PAIR_SHARE * budget_postings,
        newest_row=store.index.newest_row(),
        parts={
            part for whole, parts in query.compounds.items() if whole in frequencies for part in parts if part != whole
        },
    )
    weights = weigh(query, names, frequencies, implied)
    narrowed = filters.tags or filters.project or filters.since or filters.until or filters.without
    best = best_rows(store.index.matching(plan, limit=OVER_FETCH + budget_postings // 40), weights, set(tokens), store)
    rows = list(best) if narrowed else list(best)[: max(RESCORED, ENOUGH * limits.max_entries)]
    found = [brief for brief in store.entries.briefs(rows) if allowed(brief, filters, now)]
    return rescored(found, best, weights, query, now)


def affordable(entries: int, limits: Limits) -> int:
    """How many postings are worth reading: in a store a hundred times as large, ten times as many."""
    return min(limits.budget_postings, max(FEWEST_POSTINGS, int(POSTINGS_SHARE * entries**0.5)))


def best_rows(rows: list[int], weights: Weights, partitions: set[str], store: Store) -> dict[int, list[str]]:
    """Those of the partitions with their tokens, in the order of all words and names of the query, not only of those
    looked up."""
    worth = {**weights.terms, **weights.names}
    wanted = frozenset(worth)
    ranked = []
    for row, analysed in store.entries.analysed(rows).items():
        tokens = analysed.split()
        # The partition of an entry is the first of its tokens.
        if tokens[0] in partitions:
            # Exact whatever the order: a set has none, and two runs must agree.
            mass = fsum(map(worth.__getitem__, wanted.intersection(tokens)))
            ranked.append((-mass * brevity(len(tokens)), row, tokens))
    return {row: tokens for _, row, tokens in sorted(ranked)}


def named(query: Query, frequencies: dict[str, int], store: Store) -> tuple[list[str], dict[str, set[str]]]:
    """The names that the query means and that exist: written whole, misspelled, or implied, and by which terms."""
    found = [name for name in query.names if name in frequencies]
    meant = respell(query, frequencies, store.index.spelled_like)
    implied = {} if found or meant else concept_names(query)
    if meant or implied:
        frequencies.update(store.index.frequencies([*meant, *implied]))
    return [name for name in (*found, *meant, *implied) if name in frequencies], implied


def rescored(
    briefs: list[Brief], analysed: dict[int, list[str]], weights: Weights, query: Query, now: float
) -> list[Hit]:
    """The evidence for each entry with all words of the query, and its score."""
    tokens = [set(analysed[brief.entry_row]) for brief in briefs]
    named = {name for name in weights.names if any(name in one for one in tokens)}
    hits = []
    for brief, own in zip(briefs, tokens, strict=True):
        evidence = judge(own, weights, mentioned(own, named, query) if named and named.isdisjoint(own) else None)
        hits.append(Hit(brief, own, evidence, score(brief, evidence, check="unchecked", now=now)))
    return hits


def allowed(brief: Brief, filters: Filters, now: float) -> bool:
    """Do the structured filters let this entry through?"""
    if brief.status != "active" or (brief.valid_to and brief.valid_to <= now) or brief.entry_id in filters.without:
        return False
    here = ("", filters.repository, *filters.known_as)
    if not filters.everywhere and brief.repository not in here:
        return False
    if filters.layers and brief.layer not in filters.layers:
        return False
    if filters.tags and not set(filters.tags).intersection(load_list(brief.tags)):
        return False
    if filters.project and brief.project != filters.project:
        return False
    return brief.created >= filters.since and (not filters.until or brief.created < filters.until)


def relevant(hits: list[Hit], query: Query, filters: Filters, limits: Limits) -> tuple[list[Hit], list[LeftOut]]:
    """Those above the floor, best first; archive entries only when history is asked for or the match is strong."""
    chosen, left_out = [], []
    archive = 0
    for hit in sorted(hits, key=lambda hit: (-hit.score, hit.brief.entry_row)):
        if hit.evidence.relevance < limits.floor:
            left_out.append(LeftOut(hit.brief.entry_id, "below the relevance floor"))
        elif hit.brief.layer == "L2" and "L2" not in filters.layers:
            strong = bool(hit.evidence.names) or hit.evidence.relevance >= STRONG * limits.floor
            archive += query.asks_history or strong
            if not (query.asks_history or strong):
                left_out.append(LeftOut(hit.brief.entry_id, "an archive entry, and history was not asked for"))
            elif archive > limits.max_archive:
                left_out.append(LeftOut(hit.brief.entry_id, "more archive entries than the ceiling"))
            else:
                chosen.append(hit)
        else:
            chosen.append(hit)
    return chosen, left_out


def settled(
    hits: list[Hit], store: Store, checker: Checker, limits: Limits, now: float
) -> tuple[list[Hit], list[LeftOut]]:
    """The best of them without repeats and with their citations looked at: more than enough, seldom all."""
    size = ENOUGH * max(limits.max_entries, 1)
    while True:
        chosen, same = without_repeats(hits[:size], store)
        chosen, gone = checked(chosen, store, checker, now)
        if len(chosen) >= limits.max_entries or size >= len(hits):
            rest = [LeftOut(hit.brief.entry_id, f"more than {limits.max_entries} entries") for hit in hits[size:]]
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
        winner = losers.get(hit.brief.entry_row)
        twin = next((chosen[at] for at, other in enumerate(said) if says_the_same(own, other)), None)
        if winner is not None:
            left_out.append(LeftOut(hit.brief.entry_id, f"contradicted by {winner}, which is newer or more trusted"))
        elif twin is not None:
            left_out.append(LeftOut(hit.brief.entry_id, f"says the same as {twin.brief.entry_id}"))
        else:
            chosen.append(hit)
            said.append(own)
    return chosen, left_out


def _losers(hits: list[Hit], store: Store) -> dict[int, str]:
    """Rows that lose an unsettled conflict to another hit, with the winner's id."""
    by_row = {hit.brief.entry_row: hit for hit in hits}
    losers = {}
    for newer, older in store.verdicts.conflicting(list(by_row)) if len(by_row) > 1 else []:
        first, second = by_row[newer], by_row[older]
        if second.parts.trust > first.parts.trust:
            first, second = second, first
        losers[second.brief.entry_row] = first.brief.entry_id
    return losers


def checked(hits: list[Hit], store: Store, checker: Checker, now: float) -> tuple[list[Hit], list[LeftOut]]:
    """What is cited is looked at: gone everywhere stays out, changed or gone only here is lowered and marked."""
    cited = [hit.brief.entry_row for hit in hits if hit.brief.cited]
    if not cited:
        return hits, []
    entries = store.entries.by_rows(cited)
    verdicts = dict(zip(cited, checker.check([entries[row] for row in cited], now=now), strict=True))
    chosen, left_out = [], []
    for hit in hits:
        verdict = verdicts.get(hit.brief.entry_row)
        if verdict is None:
            chosen.append(hit)
        elif verdict.gone_everywhere:
            left_out.append(LeftOut(hit.brief.entry_id, f"gone: {verdict.detail}"))
        else:
            parts = score(hit.brief, hit.evidence, check=verdict.check, now=now)
            chosen.append(hit._replace(check=verdict.check, parts=parts))
    return sorted(chosen, key=lambda hit: (-hit.score, hit.brief.entry_row)), left_out


def fit(hits: list[Hit], left_out: list[LeftOut], query: Query, store: Store, limits: Limits) -> Recall:
    """As many as the ceilings of number and tokens allow."""
    best = hits[: limits.max_entries]
    entries = store.entries.by_rows([hit.brief.entry_row for hit in best])
    # A receipt keeps the query and the reasons, and a word as it was typed may be an address with a password in it.
    asked = redact(query.text)
    typed = as_typed(asked, {term for hit in best for term in query.terms if term in hit.tokens})
    taken: list[Recalled] = []
    over: list[LeftOut] = []
    spent = 0
    for hit in hits:
        if len(taken) >= limits.max_entries or hit.brief.entry_row not in entries:
            over.append(LeftOut(hit.brief.entry_id, f"more than {limits.max_entries} entries"))
            continue
        entry = entries[hit.brief.entry_row]
        tokens = estimate_tokens(entry_line(entry, hit.check))
        if spent + tokens > limits.max_tokens:
            over.append(LeftOut(hit.brief.entry_id, f"over the ceiling of {limits.max_tokens} tokens"))
            continue
        spent += tokens
        names = [name for name in (entry.subject, *entry.aliases) if name_token(name) in hit.evidence.names]
        words = [typed[term] for term in query.terms if term in typed and term in hit.tokens]
        taken.append(Recalled(entry, hit.parts, hit.check, tokens, reasons(names, words)))
    return Recall(asked, tuple(taken), tuple([*over, *left_out][:MOST_LEFT_OUT]), spent)
