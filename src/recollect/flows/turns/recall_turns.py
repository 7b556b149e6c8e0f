"""Recall over past sessions: the turns, or the sessions, that answer a question best.

The search offers candidates within its budget, short turns bring the lines around them, and all of them are scored
again with every word of the question, the days and the names in it (`sessions/ranking.py`).
"""

from __future__ import annotations

from recollect.memory.decided import decided_about, spoken_of
from recollect.memory.later import later_first
from recollect.memory.queries import reasons
from recollect.memory.rank import judge, weigh
from recollect.model.entries import Citation, Entry
from recollect.model.receipts import BELOW, GIVEN_BEFORE, LeftOut, Parts, Recalled
from recollect.model.record import Record
from recollect.model.turn_search import TurnBudget
from recollect.sessions.ranking import ALONE, DATE_WEIGHT, SPEAKER_WEIGHT, Asked, Corpus, rank_sessions, rank_turns
from recollect.sessions.snippets import snippet
from recollect.text.fences import strip_fences
from recollect.text.language.dates import date_phrases
from recollect.text.language.decisions import asks_decision, is_request
from recollect.text.marks import speaker_mark
from recollect.text.relevance import rarity
from recollect.text.rendering import entry_line
from recollect.text.terms import as_typed, query_terms
from recollect.text.tokens import estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recollect.model.recall import Filters, Frequencies, Limits, Query
    from recollect.model.receipts import Recall
    from recollect.model.turn_search import AnalysedTurn, TurnKey
    from recollect.ports import TurnSearch
    from recollect.sessions.vectors import Vectors
    from recollect.store.store import Store

BUDGET = TurnBudget(postings=6_000, matches=130, fewest=40, printed=100_000)
NEAR = 60  # so many of the best are read with the lines around them
MOST_WORDS = 32  # of a question, the rarest
CHARACTERS_A_WORD = 5  # at least, of an analysed text
VECTOR_CANDIDATES = 60
SEAM = " / "  # between what was typed and what was answered
ANSWER = f"{SEAM}assistant: "
LOOKED_THROUGH = 20  # of the best turns for a later word on the same thing


class TurnHit(Record):
    """A turn that answers, and why."""

    turn: AnalysedTurn
    score: float
    parts: dict[str, float]
    snippet: str
    later: str = ""  # the id of a turn that has a later word on the same thing

    @property
    def session_id(self) -> str:
        """The session it is a turn of."""
        return self.turn.session_id

    @property
    def number(self) -> int:
        """Which one of its session."""
        return self.turn.number

    @property
    def turn_id(self) -> str:
        """`s_...#3`: the third turn of a session."""
        return turn_id(self.turn)


def turn_id(turn: AnalysedTurn) -> str:
    """`s_...#3`: the third turn of a session."""
    return f"{turn.session_id}#{turn.number}"


class SessionHit(Record):
    """A session that answers."""

    session_id: str
    score: float


class Found(Record):
    """Candidates, and what is needed to rank them."""

    turns: list[AnalysedTurn]
    asked: Asked
    corpus: Corpus
    nearness: Mapping[TurnKey, float] | None


def recall_turns(
    message: str, *, store: Store, filters: Filters, limit: int, now: float, vectors: Vectors | None = None
) -> list[TurnHit]:
    """The turns that answer a message, best first; where some decide something, the last word before the others."""
    search = store.search_turns(places(filters))
    found = find(message, search, store=store, filters=filters, now=now, vectors=vectors)
    if not found.turns:
        return []
    best = [one for one in rank_turns(*found) if one.score > 0][: max(limit, LOOKED_THROUGH)]
    shown = search.shown_texts([one.turn.key for one in best])
    # What a person typed about a repository: an answer goes through many ways before one is taken, and so does a chat.
    asked = list(found.asked.words) if asks_decision(message) else []
    about = [decided_about(shown[one.turn.key][:1] if one.turn.repository else (), asked) for one in best]
    order, last = later_first(about, [one.turn.at for one in best])
    later = {place: turn_id(best[other].turn) for place, other in last.items()}
    return [
        TurnHit(*best[place], snippet(*shown[best[place].turn.key], found.asked), later.get(place, ""))
        for place in order[:limit]
    ]


def with_turns(
    found: Recall,
    query: Query,
    *,
    store: Store,
    filters: Filters,
    limits: Limits,
    now: float,
    known: Mapping[str, str],
) -> Recall:
    """A recall with the past turns that answer, as far as its ceilings allow, the last word on a thing first.

    Asked for by layer they fill what entries leave; else they count with the archive's few and must reach the floor."""
    by_layer = "L2" in filters.layers
    entries = [one for one in found.entries if one.entry.layer != "L2"]
    archive = [one for one in found.entries if one.entry.layer == "L2"]
    room = limits.max_entries - len(entries)
    limit = room if by_layer else min(room, limits.max_archive)
    if limit <= 0:
        return found
    most = limit + len(filters.without) + sum("#" in name for name in known)
    hits = recall_turns(query.text, store=store, filters=filters, limit=most, now=now, vectors=_vectors(store))
    hits = [hit for hit in hits if hit.turn_id not in filters.without]
    before = [LeftOut(hit.turn_id, GIVEN_BEFORE) for hit in hits[:limit] if hit.turn_id in known]
    turns = as_recalled([hit for hit in hits if hit.turn_id not in known], found.query, query, store, filters)
    floor = 0.0 if by_layer else limits.floor
    ordered, below = last_word_first([*entries, *archive, *turns], query, floor)
    return fitted(found, ordered, [*before, *below], limits, most=limit)


def as_recalled(hits: Sequence[TurnHit], asked: str, query: Query, store: Store, filters: Filters) -> list[Recalled]:
    """Past turns in the shape of what recall gives: the score is what orders them, the relevance is on the scale of
    the floor."""
    weights = weigh(query, (), store.search_turns(places(filters)).frequencies(query.terms))
    found = []
    for hit in hits:
        turn, entry = hit.turn, _as_entry(hit)
        words = {*turn.typed.split(), *turn.marks, *turn.said.split(), *turn.printed.split()}
        typed = as_typed(asked, words.intersection(query.terms))
        because = reasons((), [typed[term] for term in query.terms if term in typed])
        tokens = estimate_tokens(entry_line(entry))
        relevance = judge(words, weights).relevance
        found.append(Recalled(entry, Parts(text=hit.score), "unchecked", tokens, because, relevance))
    return found


def last_word_first(found: Sequence[Recalled], query: Query, floor: float) -> tuple[list[Recalled], list[LeftOut]]:
    """Entries and the past, none before a later word on the same thing; a turn below the floor comes only as such a
    word. What of the past is older says so."""
    asked = query.terms if asks_decision(query.text) else ()
    about = [
        decided_about([one.entry.content.split(ANSWER, 1)[0]] if one.entry.repository else (), asked)
        if one.entry.layer == "L2"
        else spoken_of([one.entry.content], asked)
        for one in found
    ]
    order, last = later_first(about, [one.entry.created for one in found])
    kept, below = [], []
    for place in order:
        one = found[place]
        if "#" in one.entry.entry_id and one.relevance < floor and place not in last.values():
            below.append(left_out_as(one, BELOW))
        elif place in last and one.entry.layer == "L2":
            marked = one.entry._replace(superseded_by=found[last[place]].entry.entry_id)
            kept.append(one._replace(entry=marked, tokens=estimate_tokens(entry_line(marked, one.check))))
        else:
            kept.append(one)
    return kept, below


def left_out_as(one: Recalled, why: str) -> LeftOut:
    """That something of the past stays out, and why."""
    return LeftOut(one.entry.entry_id, why, one.relevance, one.entry.content)


def fitted(found: Recall, ordered: Sequence[Recalled], left_out: list[LeftOut], limits: Limits, *, most: int) -> Recall:
    """The entries, which have their room, and of the past the first few that fit."""
    spent = sum(one.tokens for one in ordered if one.entry.layer != "L2")
    taken = []
    for one in ordered:
        name = one.entry.entry_id
        if one.entry.layer != "L2":
            taken.append(one)
        elif most <= 0:
            left_out += [] if "#" in name else [left_out_as(one, "more archive entries than the ceiling")]
        elif spent + one.tokens > limits.max_tokens:
            left_out.append(left_out_as(one, f"over the ceiling of {limits.max_tokens} tokens"))
        else:
            most -= 1
            spent += one.tokens
            taken.append(one)
    return found._replace(entries=tuple(taken), left_out=(*left_out, *found.left_out), tokens=spent)


def _vectors(store: Store) -> Vectors | None:
    """The vectors, where the extra is installed and has made some."""
    if not store.sessions.vectors.state()[0]:
        return None
    from recollect.sessions.vectors import Vectors

    return Vectors.load()


def _as_entry(hit: TurnHit) -> Entry:
    """A turn in the shape of what recall gives; it is quoted, never stored."""
    turn = hit.turn
    said = SEAM.join(hit.snippet.split("\n"))
    return Entry(
        entry_id=hit.turn_id,
        layer="L2",
        scope="repository" if turn.repository else "user",
        content=said,
        repository=turn.repository,
        citations=(Citation("turn", session=hit.session_id, turn=hit.number),),
        source="system",
        origin="document",
        created=turn.at,
        updated=turn.at,
        session=hit.session_id,
        superseded_by=hit.later,
    )


def recall_sessions(
    message: str, *, store: Store, filters: Filters, limit: int, now: float, vectors: Vectors | None = None
) -> list[SessionHit]:
    """The sessions that answer a message, best first."""
    search = store.search_turns(places(filters))
    found = find(message, search, store=store, filters=filters, now=now, vectors=vectors)
    best = rank_sessions(*found)[:limit] if found.turns else []
    return [SessionHit(session_id, score) for session_id, score in best]


def places(filters: Filters) -> list[str] | None:
    """The repositories whose turns are looked for ('' is none); None is all of them."""
    return None if filters.everywhere else list(dict.fromkeys(("", filters.repository, *filters.known_as)))


def find(
    message: str, search: TurnSearch, *, store: Store, filters: Filters, now: float, vectors: Vectors | None = None
) -> Found:
    """What the search offers within its budget, with the lines around it."""
    text = strip_fences(message)
    words, dates = query_terms(text), date_phrases(text, now)
    speakers = [speaker_mark(word) for word in words]
    known = search.frequencies([*words, *speakers, *(mark for phrase in dates for mark in phrase)])
    asked = worth_of(words, dates, speakers, known)._replace(is_request=is_request(text))
    wanted = [*asked.words, *(mark for phrase, _ in asked.marks for mark in phrase)]
    best, turns = search.best(wanted, known, BUDGET)
    nearness = None
    if vectors is not None:
        nearness = vectors.nearness(text, store=store, among=best, closest=VECTOR_CANDIDATES)
        there = {one.key for one in turns}
        turns += search.turns([key for key in nearness if key not in there])
    private = store.sessions.private_ids()
    turns = [one for one in turns if allowed(one, filters) and one.session_id not in private]
    turns = with_neighbours(turns, best, search)
    lengths = search.session_lengths(list({one.session_id for one in turns}))
    return Found(turns, asked, Corpus(known, search.session_count(), lengths), nearness)


def worth_of(
    words: Sequence[str], dates: Sequence[tuple[str, ...]], speakers: Sequence[str], frequencies: Frequencies
) -> Asked:
    """What each word, date and speaker of the question is worth: the rarer, the more."""
    turns, known = frequencies
    worths = {word: rarity(known[word], turns) for word in words if word in known}
    kept = sorted(worths, key=lambda word: -worths[word])[:MOST_WORDS]
    marks: list[tuple[tuple[str, ...], float]] = []
    marks += [((mark,), SPEAKER_WEIGHT * rarity(known[mark], turns)) for mark in speakers if mark in known]
    for phrase in dates:
        there = tuple(mark for mark in phrase if mark in known)
        if there:
            marks.append((there, DATE_WEIGHT * rarity(sum(known[mark] for mark in there), turns)))
    return Asked({word: worths[word] for word in words if word in kept}, tuple(marks))


def allowed(one: AnalysedTurn, filters: Filters) -> bool:
    """Do the filters let this turn through? Turns have neither tags nor a project."""
    if filters.tags or filters.project:
        return False
    if not filters.everywhere and one.repository not in ("", filters.repository, *filters.known_as):
        return False
    return one.at >= filters.since and (not filters.until or one.at < filters.until)


def with_neighbours(turns: list[AnalysedTurn], keys: Sequence[TurnKey], search: TurnSearch) -> list[AnalysedTurn]:
    """The best candidates that are short, with the two lines before and after them."""
    best = set(keys[:NEAR])
    there = {(one.session_id, one.number) for one in turns}
    wanted = {
        (one.session_id, one.number + step)
        for one in turns
        if one.key in best and one.characters < ALONE * CHARACTERS_A_WORD
        for step in (-2, -1, 1, 2)
    }
    return turns + search.turns_at(sorted(wanted - there))
