"""Recall: what a turn with this text gets, and why the rest stays out."""

from __future__ import annotations

from math import ceil

from recollect.flows.turns.settle import ENOUGH, Hit, allowed, best_first, settled
from recollect.memory.later import About
from recollect.memory.queries import concept_names, misspelled, reasons, respell, translated, understand
from recollect.memory.rank import (
    GRAINS,
    STRONG,
    judge,
    mentioned,
    score,
    weigh,
)
from recollect.memory.signs import asked_in, learned_relevance
from recollect.model.recall import Budget, Needed, Places, Wanted
from recollect.model.receipts import ARCHIVED, BELOW, LeftOut, Recall, Recalled
from recollect.model.record import Record
from recollect.text.rendering import entry_line
from recollect.text.secrets.redacting import redact
from recollect.text.terms import as_typed, name_token, terms
from recollect.text.tokens import estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from recollect.memory.checking import Checker
    from recollect.memory.rank import Evidence, Weights
    from recollect.memory.signs import Asked
    from recollect.model.entries import Entry
    from recollect.model.recall import Analysed, Filters, Frequencies, Limits, Nearness, Query
    from recollect.ports import EntrySearch
    from recollect.store.entries import Stored
    from recollect.store.store import Store

    Match = tuple[Analysed, Evidence]  # a candidate, and what speaks for it
    # Of a text, repositories and entries: how near in meaning they are, if anybody knows.
    AskNear = Callable[[str, Sequence[str], Sequence[str]], Nearness | None]

FEWEST_POSTINGS = 3_000
POSTINGS_SHARE = 4.0  # times the square root of the entries
OVER_FETCH = 50  # by some of the words, and one more for every forty postings
RESCORED = 24  # of these, by all words; more where more may come
PAIR_SHARE = 20  # times as many are passed over to see which entries have another word too
ANYTHING = Needed(1, 12.0, 12.0, 0)  # in grains, what an entry must share to be looked at: more than a common word
NEAREST = 5  # of those below the floor are listed
ARCHIVE_PART = 4  # one part in so many of the tokens is the archive's, unless the past is asked for
MOST_LEFT_OUT = 20  # a receipt is for reading


def recall(
    message: str,
    *,
    store: Store,
    filters: Filters,
    limits: Limits,
    checker: Checker,
    now: float,
    given: Callable[[], Mapping[str, str]] = dict,
    near: AskNear = lambda text, repositories, entry_ids: None,
) -> Recall:
    """The entries worth a turn's tokens, best first, and what was left out.

    `given` says what the reader still has before it, each with the mark of its line: that does not come again."""
    # One snapshot: an entry that is corrected or erased meanwhile is either here in all steps or in none.
    with store.read():
        layers = [(layer,) for layer in filters.layers or ("L1", "L2")]
        several = [places(filters._replace(layers=some), store) for some in (filters.layers, *layers)]
        search, *apart = store.searches(several)
        query = understand(message, search.name_heads)
        if not query.terms and not query.names:
            return Recall(redact(query.text))
        own = filters._replace(layers=layers[0], everywhere=False)
        sought = weighed(query, store.searches([places(own, store)])[0] if filters.everywhere else apart[0])
        stored: dict[str, Stored] = {}
        matches: list[Match] = []
        for one, where in zip(apart, several[1:], strict=True):
            # Each layer by itself: the words of an archive line take nothing away from an entry.
            offered = candidates(sought, one, filters, limits)
            there = store.entries.by_ids([found.entry_id for found, _ in offered])
            facts = [entry_id for entry_id, found in there.items() if found.entry.layer == "L1"]
            nearness = near(query.text, where.repositories, facts) if facts else None
            matches += believed(offered, there, sought, nearness)
            stored |= there
        hits, below = scored(matches, stored, filters, limits, now, query)
        hits, archived = without_archive(hits, query, filters, limits)
        known = given() if hits or query.asks_history else {}
        hits, out = settled(hits, store, checker, filters, limits, now, known)
        chosen = {hit.entry.entry_id for hit in hits}
        below = [one for one in below if one.entry_id not in chosen]  # it may have come in another's place
        asked = "L2" in filters.layers if filters.layers else query.asks_history
        room = limits.max_tokens if asked else limits.max_tokens // ARCHIVE_PART
        fitted = fit(hits, [*out, *archived, *below], query, limits, room)
        if not asked:
            return fitted
        # Imported here: few turns ask for the past.
        from recollect.flows.turns.recall_turns import with_turns

        return with_turns(fitted, query, store=store, filters=filters, limits=limits, known=known, now=now)


def places(filters: Filters, store: Store) -> Places:
    """Where entries are looked for."""
    known = store.repositories.all() if filters.everywhere else [filters.repository, *filters.known_as]
    return Places(filters.layers or ("L1", "L2"), tuple(dict.fromkeys(("", *known))))


class Sought(Record):
    """A question, and what its words are worth in this store."""

    query: Query
    asked: Asked
    weights: Weights
    frequencies: Frequencies


def weighed(query: Query, search: EntrySearch) -> Sought:
    """What is asked, with names found and spelling repaired, and what each word of it is worth."""
    frequencies = search.frequencies([*query.terms, *query.names, *query.topics])
    known = frequencies.terms
    foreign = translated(query, known)
    if foreign:
        query = query._replace(names=query.names | {name_token(word): (term,) for word, term in foreign.items()})
        known.update(search.frequencies([*query.names]).terms)
    names, implied = named(query, known, search)
    meant = [*misspelled(query, known, search.spelled_like), *terms(" ".join(foreign))]
    if meant:
        known.update(search.frequencies(meant).terms)
    weights = weigh(query, names, frequencies, implied)
    return Sought(query, asked_in(query, weights, meant), weights, frequencies)


def candidates(sought: Sought, search: EntrySearch, filters: Filters, limits: Limits) -> list[Match]:
    """What the search offers, judged with all words of the question; oldest first."""
    best = search.best(wanted(sought), affordable(sought.frequencies.total, filters, limits))
    return judged(best, sought.weights, sought.query)


def wanted(sought: Sought) -> Wanted:
    """What is looked up: names and topics too, and the words inside an identifier only where there is room."""
    known, compounds = sought.frequencies.terms, sought.query.compounds
    inside = {part for whole, parts in compounds.items() if whole in known for part in parts if part != whole}
    worth = sought.weights.grains | {term: ceil(GRAINS * weight) for term, weight in sought.asked.meant.items()}
    return Wanted(worth, sought.frequencies, ANYTHING, inside)


def affordable(entries: int, filters: Filters, limits: Limits) -> Budget:
    """How much is worth reading: in a store four times as large, twice as many postings, between two ends."""
    postings = min(limits.budget_postings, max(FEWEST_POSTINGS, int(POSTINGS_SHARE * entries**0.5)))
    read = OVER_FETCH + postings // 40
    narrowed = filters.tags or filters.project or filters.since or filters.until or filters.without
    best = read if narrowed else max(RESCORED, ENOUGH * limits.max_entries)
    return Budget(postings, PAIR_SHARE * postings, read, best)


def named(query: Query, known: dict[str, int], search: EntrySearch) -> tuple[list[str], dict[str, set[str]]]:
    """The names that the query means and that exist: written whole, misspelled, or, where nothing here is called by
    one of these, implied, and by which terms. How often they occur becomes known too: of what is called so here, here,
    for what others call so makes it no less telling."""
    found = [name for name in query.names if name in known]
    meant = respell(query, known, search.spelled_like)
    here = {name: count for name in (*found, *meant) if (count := search.count_here(name))}
    implied = {} if here else {name: by for name, by in concept_names(query).items() if name not in found}
    if meant or implied:
        known.update(search.frequencies([*meant, *implied]).terms)
    here |= {name: count for name in implied if name in known and (count := search.count_here(name))}
    known.update(here)
    return [name for name in (*found, *meant, *implied) if name in known], implied


def judged(entries: Sequence[Analysed], weights: Weights, query: Query) -> list[Match]:
    """Each entry with the evidence for it in all words of the query."""
    named = {name for name in weights.names if any(name in one.tokens for one in entries)}
    matches = []
    for entry in entries:
        tokens = entry.tokens
        shares = mentioned(tokens, named, query) if named and named.isdisjoint(tokens) else None
        matches.append((entry, judge(tokens, weights, shares)))
    return matches


def believed(
    matches: Sequence[Match],
    stored: Mapping[str, Stored],
    sought: Sought,
    nearness: Nearness | None = None,
) -> list[Match]:
    """Each entry with the relevance that its signs give it, unless it is archive or somebody gave it other names: what
    is asked for by one of these is meant."""
    there = [(found, evidence) for found, evidence in matches if found.entry_id in stored]
    said = [(found.tokens, stored[found.entry_id].entry.content, evidence) for found, evidence in there]
    cosines = [nearness.cosines.get(found.entry_id) for found, _ in there] if nearness else []
    believable = learned_relevance(said, sought.asked, sought.frequencies.terms, nearness, cosines)
    kept = []
    for (found, evidence), relevance in zip(there, believable, strict=True):
        entry = stored[found.entry_id].entry
        as_judged = entry.layer == "L2" or entry.aliases
        kept.append((found, evidence if as_judged else evidence._replace(relevance=relevance)))
    return kept


def scored(
    matches: Sequence[Match],
    stored: Mapping[str, Stored],
    filters: Filters,
    limits: Limits,
    now: float,
    query: Query | None = None,
) -> tuple[list[Hit], list[LeftOut]]:
    """Those above the floor that the filters let through, best first, and the nearest of the others."""
    hits, below = [], []
    for age, (found, evidence) in enumerate(matches):
        entry = stored[found.entry_id].entry
        if evidence.relevance < limits.floor:
            below.append((-evidence.strength, age, evidence.relevance, entry))
        elif allowed(entry, filters, now):
            parts = score(entry, evidence, check="unchecked", now=now)
            hits.append(Hit(age, entry, found.tokens, evidence, parts, about_of(entry, query)))
    nearest = [one for one in sorted(below, key=lambda one: one[:2]) if allowed(one[3], filters, now)][:NEAREST]
    near = [LeftOut(entry.entry_id, BELOW, relevance, entry.content) for _, _, relevance, entry in nearest]
    return best_first(hits), near


def about_of(entry: Entry, query: Query | None) -> About:
    """What an entry is about; of one of the archive, what was decided there of what a question asks for."""
    if entry.layer != "L2":
        return About(frozenset((name_token(entry.subject),))) if entry.subject else About()
    # Imported here: few turns get anything of the archive.
    from recollect.memory.decided import decided_about
    from recollect.text.language.decisions import asks_decision

    return decided_about((entry.content,), query.terms) if query and asks_decision(query.text) else About()


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
            left_out.append(hit.left_out(ARCHIVED))
        elif archive == limits.max_archive:
            left_out.append(hit.left_out("more archive entries than the ceiling"))
        else:
            archive += 1
            chosen.append(hit)
    return chosen, left_out


def fit(hits: list[Hit], left_out: list[LeftOut], query: Query, limits: Limits, archive_tokens: int) -> Recall:
    """As many as the ceilings of number and tokens allow, and of the archive as much as its own."""
    taken: list[tuple[Hit, int]] = []
    over: list[LeftOut] = []
    spent = archived = 0
    for hit in hits:
        if len(taken) >= limits.max_entries:
            over.append(hit.left_out(f"beyond the limit of {limits.max_entries}"))
            continue
        tokens = estimate_tokens(entry_line(hit.entry, hit.check))
        if spent + tokens > limits.max_tokens:
            over.append(hit.left_out(f"over the ceiling of {limits.max_tokens} tokens"))
            continue
        if hit.entry.layer == "L2" and archived + tokens > archive_tokens:
            over.append(hit.left_out(f"over the ceiling of {archive_tokens} tokens for the archive"))
            continue
        archived += tokens if hit.entry.layer == "L2" else 0
        spent += tokens
        taken.append((hit, tokens))
    # A receipt keeps the query and the reasons, and a word as it was typed may be an address with a password in it.
    asked = redact(query.text)
    typed = as_typed(asked, {term for hit, _ in taken for term in query.terms if term in hit.tokens})
    found = [
        Recalled(hit.entry, hit.parts, hit.check, tokens, because(hit, typed), hit.evidence.relevance)
        for hit, tokens in taken
    ]
    return Recall(asked, tuple(found), tuple([*over, *left_out][:MOST_LEFT_OUT]), spent, limits.floor)


def because(hit: Hit, typed: dict[str, str]) -> str:
    """Which of its names and of the words that were typed brought an entry."""
    given = {name_token(name): name for name in (hit.entry.subject, *hit.entry.aliases)}
    # What else it is called, its initials or its long form, stands in the index only.
    names = [given.get(token, token[1:]) for token in hit.evidence.names]
    return reasons(names, [word for term, word in typed.items() if term in hit.tokens])
