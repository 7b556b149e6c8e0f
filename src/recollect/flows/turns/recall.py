"""Recall: what a turn with this text gets, and why the rest stays out."""

from __future__ import annotations

from math import ceil

from recollect.memory.queries import concept_names, misspelled, reasons, respell, understand
from recollect.memory.rank import (
    GRAINS,
    STRONG,
    judge,
    mentioned,
    says_the_same,
    score,
    weigh,
    words_of,
)
from recollect.memory.signs import asked_in, learned_relevance
from recollect.model.recall import Budget, Needed, Places, Wanted
from recollect.model.receipts import GIVEN_BEFORE, LeftOut, Recall, Recalled
from recollect.model.record import Record
from recollect.text.rendering import entry_line, line_mark
from recollect.text.secrets.redacting import redact
from recollect.text.terms import as_typed, name_token
from recollect.text.tokens import estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from recollect.memory.checking import Checker
    from recollect.memory.rank import Evidence, Weights
    from recollect.memory.signs import Asked
    from recollect.model.entries import Entry
    from recollect.model.recall import Analysed, Filters, Frequencies, Limits, Nearness, Query
    from recollect.model.receipts import Parts
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
ENOUGH = 3  # times as many as a turn may get are compared and checked, unless too many of those stay out
ANYTHING = Needed(1, 12.0, 12.0, 0)  # in grains, what an entry must share to be looked at: more than a common word
NEAREST = 5  # of those below the floor are listed
ARCHIVE_PART = 4  # one part in so many of the tokens is the archive's, unless the past is asked for
MOST_LEFT_OUT = 20  # a receipt is for reading


class Hit(Record):
    """A candidate above the floor: the entry and its score."""

    age: int  # its place among the candidates, the oldest first
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
        stored: dict[str, Stored] = {}
        matches: list[Match] = []
        for one, where in zip(apart, several[1:], strict=True):
            # Each layer by itself: the words of an archive line take nothing away from an entry.
            wants, counts, offered = candidates(query, one, filters, limits)
            there = store.entries.by_ids([found.entry_id for found, _ in offered])
            facts = [entry_id for entry_id, found in there.items() if found.entry.layer == "L1"]
            nearness = near(query.text, where.repositories, facts) if facts else None
            matches += believed(offered, there, wants, counts, nearness)
            stored |= there
        hits, below = scored(matches, stored, filters, limits, now)
        hits, archived = without_archive(hits, query, filters, limits)
        known = given() if hits or query.asks_history else {}
        hits, out = settled(hits, store, checker, limits, now, known)
        asked = query.asks_history or "L2" in filters.layers
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


def candidates(
    query: Query, search: EntrySearch, filters: Filters, limits: Limits
) -> tuple[Asked, dict[str, int], list[Match]]:
    """What is asked, how often its words occur, and what the search offers, judged with all of them; oldest first."""
    frequencies = search.frequencies([*query.terms, *query.names, *query.topics])
    known = frequencies.terms
    names, implied = named(query, known, search)
    meant = misspelled(query, known, search.spelled_like)
    if meant:
        known.update(search.frequencies(meant).terms)
    weights = weigh(query, names, frequencies, implied)
    asked = asked_in(query, weights, meant)
    best = search.best(wanted(query, weights, asked, frequencies), affordable(frequencies.total, filters, limits))
    return asked, known, judged(best, weights, query)


def wanted(query: Query, weights: Weights, asked: Asked, frequencies: Frequencies) -> Wanted:
    """What is looked up: names and topics too, and the words inside an identifier only where there is room."""
    known = frequencies.terms
    inside = {part for whole, parts in query.compounds.items() if whole in known for part in parts if part != whole}
    worth = weights.grains | {term: ceil(GRAINS * weight) for term, weight in asked.meant.items()}
    return Wanted(worth, frequencies, ANYTHING, inside)


def affordable(entries: int, filters: Filters, limits: Limits) -> Budget:
    """How much is worth reading: in a store four times as large, twice as many postings, between two ends."""
    postings = min(limits.budget_postings, max(FEWEST_POSTINGS, int(POSTINGS_SHARE * entries**0.5)))
    read = OVER_FETCH + postings // 40
    narrowed = filters.tags or filters.project or filters.since or filters.until or filters.without
    best = read if narrowed else max(RESCORED, ENOUGH * limits.max_entries)
    return Budget(postings, PAIR_SHARE * postings, read, best)


def named(query: Query, known: dict[str, int], search: EntrySearch) -> tuple[list[str], dict[str, set[str]]]:
    """The names that the query means and that exist: written whole, misspelled, or implied, and by which terms. How
    often the latter two occur becomes known too."""
    found = [name for name in query.names if name in known]
    meant = respell(query, known, search.spelled_like)
    implied = {} if found or meant else concept_names(query)
    if meant or implied:
        known.update(search.frequencies([*meant, *implied]).terms)
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
    asked: Asked,
    known: Mapping[str, int],
    nearness: Nearness | None = None,
) -> list[Match]:
    """Each entry with the relevance that its signs give it, unless it is archive or somebody gave it other names: what
    is asked for by one of these is meant."""
    there = [(found, evidence) for found, evidence in matches if found.entry_id in stored]
    said = [(found.tokens, stored[found.entry_id].entry.content, evidence) for found, evidence in there]
    cosines = [nearness.cosines.get(found.entry_id) for found, _ in there] if nearness else []
    believable = learned_relevance(said, asked, known, nearness, cosines)
    kept = []
    for (found, evidence), relevance in zip(there, believable, strict=True):
        entry = stored[found.entry_id].entry
        as_judged = entry.layer == "L2" or entry.aliases
        kept.append((found, evidence if as_judged else evidence._replace(relevance=relevance)))
    return kept


def scored(
    matches: Sequence[Match], stored: Mapping[str, Stored], filters: Filters, limits: Limits, now: float
) -> tuple[list[Hit], list[LeftOut]]:
    """Those above the floor that the filters let through, best first, and the nearest of the others."""
    hits, below = [], []
    for age, (found, evidence) in enumerate(matches):
        entry = stored[found.entry_id].entry
        if evidence.relevance < limits.floor:
            below.append((-evidence.strength, age, found.entry_id))
        elif allowed(entry, filters, now):
            parts = score(entry, evidence, check="unchecked", now=now)
            hits.append(Hit(age, entry, found.tokens, evidence, parts))
    near = [LeftOut(entry_id, "below the relevance floor") for _, _, entry_id in sorted(below)[:NEAREST]]
    return best_first(hits), near


def best_first(hits: list[Hit]) -> list[Hit]:
    """By score, and of equals the oldest first; the archive behind all entries, whose room it never takes."""
    return sorted(hits, key=lambda hit: (hit.entry.layer == "L2", -hit.score, hit.age))


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
            left_out.append(hit.left_out("archive entry (add `--layer L2` to see it)"))
        elif archive == limits.max_archive:
            left_out.append(hit.left_out("more archive entries than the ceiling"))
        else:
            archive += 1
            chosen.append(hit)
    return chosen, left_out


def settled(
    hits: list[Hit], store: Store, checker: Checker, limits: Limits, now: float, known: Mapping[str, str]
) -> tuple[list[Hit], list[LeftOut]]:
    """The best of them without repeats, with their citations looked at and without what the reader has before it:
    enough, or where some of it may be taken away more than that; seldom all."""
    spare = ENOUGH if known or any(hit.entry.citations for hit in hits) else 1
    size = spare * max(limits.max_entries, 1)
    while True:
        chosen, same = without_repeats(hits[:size], store)
        chosen, gone = checked(chosen, checker, now)
        chosen, before = not_again(chosen, known)
        if len(chosen) >= limits.max_entries or size >= len(hits):
            rest = [hit.left_out(f"more than {limits.max_entries} entries") for hit in hits[size:]]
            return chosen, [*before, *gone, *same, *rest]
        size *= 4


def not_again(hits: list[Hit], known: Mapping[str, str]) -> tuple[list[Hit], list[LeftOut]]:
    """Without what the reader has before it, unless that reads otherwise by now."""
    if not known:
        return hits, []
    due = [known.get(hit.entry.entry_id) != line_mark(entry_line(hit.entry, hit.check)) for hit in hits]
    chosen = [hit for hit, is_due in zip(hits, due, strict=True) if is_due]
    return chosen, [hit.left_out(GIVEN_BEFORE) for hit, is_due in zip(hits, due, strict=True) if not is_due]


def without_repeats(hits: list[Hit], store: Store) -> tuple[list[Hit], list[LeftOut]]:
    """Near duplicates collapse to the best one; of two that contradict each other the newer, more trusted one stays."""
    losers = _losers(hits, store)
    words = [words_of(hit.tokens) for hit in hits]
    chosen: list[Hit] = []
    said: list[set[str]] = []
    left_out = []
    for hit, own in zip(hits, words, strict=True):
        winner = losers.get(hit.entry.entry_id)
        twin = next((chosen[at] for at, other in enumerate(said) if says_the_same(own, other)), None)
        if winner is not None:
            left_out.append(hit.left_out(f"contradicted by {winner}, which is newer or more trusted"))
        elif twin is not None:
            left_out.append(hit.left_out(f"says the same as {twin.entry.entry_id}"))
        else:
            chosen.append(hit)
            said.append(own)
    return chosen, left_out


def _losers(hits: list[Hit], store: Store) -> dict[str, str]:
    """Hits that lose an unsettled conflict to another one, with the winner; by their ids."""
    by_id = {hit.entry.entry_id: hit for hit in hits}
    losers = {}
    for newer, older in store.conflicts.among(list(by_id)) if len(by_id) > 1 else []:
        first, second = by_id[newer], by_id[older]
        if second.parts.trust > first.parts.trust:
            first, second = second, first
        losers[second.entry.entry_id] = first.entry.entry_id
    return losers


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


def fit(hits: list[Hit], left_out: list[LeftOut], query: Query, limits: Limits, archive_tokens: int) -> Recall:
    """As many as the ceilings of number and tokens allow, and of the archive as much as its own."""
    taken: list[tuple[Hit, int]] = []
    over: list[LeftOut] = []
    spent = archived = 0
    for hit in hits:
        if len(taken) >= limits.max_entries:
            over.append(hit.left_out(f"more than {limits.max_entries} entries"))
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
    found = [Recalled(hit.entry, hit.parts, hit.check, tokens, because(hit, typed)) for hit, tokens in taken]
    return Recall(asked, tuple(found), tuple([*over, *left_out][:MOST_LEFT_OUT]), spent)


def because(hit: Hit, typed: dict[str, str]) -> str:
    """Which of its names and of the words that were typed brought an entry."""
    names = [name for name in (hit.entry.subject, *hit.entry.aliases) if name_token(name) in hit.evidence.names]
    return reasons(names, [word for term, word in typed.items() if term in hit.tokens])
