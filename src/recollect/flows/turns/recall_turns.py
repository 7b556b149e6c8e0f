"""Recall over past sessions: the turns, or the sessions, that answer a question best.

The index offers candidates within its budget, short turns bring the lines around them, and all of them are scored
again with every word of the question, the days and the names in it (`sessions/ranking.py`).
"""

from __future__ import annotations

from recollect.memory.queries import reasons
from recollect.memory.rank import judge, weigh
from recollect.model.entries import Citation, Entry
from recollect.model.receipts import LeftOut, Parts, Recalled
from recollect.model.record import Record
from recollect.sessions.ranking import (
    ALONE,
    DATE_WEIGHT,
    SPEAKER_WEIGHT,
    Asked,
    Corpus,
    Text,
    rank_sessions,
    rank_turns,
)
from recollect.sessions.snippets import snippet
from recollect.store.index import ALL, rarity
from recollect.store.turn_index import plan_turns, repository_mark, speaker_mark
from recollect.text.fences import strip_fences
from recollect.text.language.dates import date_phrases
from recollect.text.rendering import entry_line
from recollect.text.terms import as_typed, query_terms
from recollect.text.tokens import estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recollect.model.recall import Filters, Limits, Query
    from recollect.model.receipts import Recall
    from recollect.sessions.vectors import Vectors
    from recollect.store.store import Store
    from recollect.store.turn_index import TurnIndex, TurnText

OVER_FETCH = 130
NEAR = 60  # so many of the best are read with the lines around them
MOST_WORDS = 32  # of a question, the rarest
BUDGET_POSTINGS = 6_000
FEWEST = 40  # candidates that are read, however long they are
BUDGET_PRINTED = 100_000  # characters of what tools printed that are read to rank the others too
CHARACTERS_A_WORD = 5  # at least, of an analysed text
VECTOR_CANDIDATES = 60


class TurnHit(Record):
    """A turn that answers, and why."""

    turn_row: int
    session_id: str
    number: int
    score: float
    parts: dict[str, float]
    snippet: str

    @property
    def turn_id(self) -> str:
        """`s_...#3`: the third turn of a session."""
        return f"{self.session_id}#{self.number}"


class SessionHit(Record):
    """A session that answers."""

    session_id: str
    score: float


class Found(Record):
    """Candidates, and what is needed to rank them."""

    texts: list[Text]
    asked: Asked
    corpus: Corpus
    nearness: Mapping[int, float] | None


def recall_turns(
    message: str, *, store: Store, filters: Filters, limit: int, now: float, vectors: Vectors | None = None
) -> list[TurnHit]:
    """The turns that answer a message, best first."""
    found = find(message, store=store, filters=filters, now=now, vectors=vectors)
    if not found.texts:
        return []
    best = [one for one in rank_turns(*found) if one.score > 0][:limit]
    shown = store.sessions.shown_texts([one.row for one in best])
    return [
        TurnHit(one.row, shown[one.row][0], one.number, one.score, one.parts, snippet(*shown[one.row][1:], found.asked))
        for one in best
    ]


def with_turns(found: Recall, query: Query, *, store: Store, filters: Filters, limits: Limits, now: float) -> Recall:
    """A recall with the past turns that answer, as far as its ceilings allow.

    Asked for by layer they fill what entries leave; else they count with the archive's few and must reach the floor."""
    by_layer = "L2" in filters.layers
    archived = sum(one.entry.layer == "L2" for one in found.entries)
    room = limits.max_entries - len(found.entries)
    limit = room if by_layer else min(room, limits.max_archive - archived)
    if limit <= 0:
        return found
    vectors = _vectors(store)
    most = limit + len(filters.without)
    hits = recall_turns(query.text, store=store, filters=filters, limit=most, now=now, vectors=vectors)
    hits = [hit for hit in hits if hit.turn_id not in filters.without][:limit]
    if not hits:
        return found
    index = store.sessions.index
    texts = {one.turn_row: one for one in index.texts([hit.turn_row for hit in hits])}
    weights = weigh(query, (), index.frequencies([ALL, *query.terms]))
    taken, left_out, spent = list(found.entries), list(found.left_out), found.tokens
    for hit in hits:
        text = texts[hit.turn_row]
        words = {*text.typed.split(), *text.said.split(), *text.printed.split()}
        evidence = judge(words, weights)
        entry = _as_entry(hit, text)
        tokens = estimate_tokens(entry_line(entry))
        if evidence.relevance < limits.floor and not by_layer:
            left_out.append(LeftOut(hit.turn_id, "below the relevance floor"))
        elif spent + tokens > limits.max_tokens:
            left_out.append(LeftOut(hit.turn_id, f"over the ceiling of {limits.max_tokens} tokens"))
        else:
            spent += tokens
            typed = as_typed(found.query, words.intersection(query.terms))
            because = reasons((), [typed[term] for term in query.terms if term in typed])
            taken.append(Recalled(entry, Parts(text=evidence.relevance), "unchecked", tokens, because))
    return found._replace(entries=tuple(taken), left_out=tuple(left_out), tokens=spent)


def _vectors(store: Store) -> Vectors | None:
    """The vectors, where the extra is installed and has made some."""
    if not store.sessions.vectors.state()[0]:
        return None
    from recollect.sessions.vectors import Vectors

    return Vectors.load()


def _as_entry(hit: TurnHit, text: TurnText) -> Entry:
    """A turn in the shape of what recall gives; it is quoted, never stored."""
    said = " / ".join(hit.snippet.split("\n"))
    return Entry(
        entry_id=hit.turn_id,
        layer="L2",
        scope="repository" if text.repository else "user",
        content=said,
        repository=text.repository,
        citations=(Citation("turn", session=hit.session_id, turn=hit.number),),
        source="system",
        origin="document",
        created=text.at,
        updated=text.at,
        session=hit.session_id,
    )


def recall_sessions(
    message: str, *, store: Store, filters: Filters, limit: int, now: float, vectors: Vectors | None = None
) -> list[SessionHit]:
    """The sessions that answer a message, best first."""
    found = find(message, store=store, filters=filters, now=now, vectors=vectors)
    best = rank_sessions(*found)[:limit] if found.texts else []
    return [SessionHit(session_id, score) for session_id, score in best]


def find(message: str, *, store: Store, filters: Filters, now: float, vectors: Vectors | None = None) -> Found:
    """What the index offers within its budget, with the lines around it."""
    index = store.sessions.index
    text = strip_fences(message)
    words, dates = query_terms(text), date_phrases(text, now)
    places = None if filters.everywhere else list(dict.fromkeys(("", filters.repository, *filters.known_as)))
    speakers = [speaker_mark(word) for word in words]
    marks = [mark for phrase in dates for mark in phrase]
    known = index.frequencies([ALL, *map(repository_mark, places or ()), *words, *speakers, *marks])
    asked = worth_of(words, dates, speakers, known)
    plan = plan_turns(
        [*asked.words, *(mark for phrase, _ in asked.marks for mark in phrase)],
        places,
        frequencies=known,
        budget_postings=BUDGET_POSTINGS,
        newest_row=index.newest_row(),
    )
    rows = index.matching(plan, limit=OVER_FETCH)
    nearness = None
    texts = readable(rows, index)
    if vectors is not None:
        nearness = vectors.nearness(text, store=store, among=rows, closest=VECTOR_CANDIDATES)
        there = {one.turn_row for one in texts}
        texts += index.texts([row for row in nearness if row not in there])
    texts = with_neighbours([one for one in texts if allowed(one, filters, places)], rows, index)
    lengths = index.session_lengths(list({one.session_id for one in texts}))
    corpus = Corpus(known.get(ALL, 0), index.session_count(), known, lengths)
    return Found([_text(one) for one in texts], asked, corpus, nearness)


def readable(rows: Sequence[int], index: TurnIndex) -> list[TurnText]:
    """The best candidates, as many as a turn can afford to read: all of talk, fewer of work where much was printed."""
    texts = index.texts(rows[:FEWEST])
    printed = sum(len(one.printed) for one in texts)
    more = int(len(texts) * (BUDGET_PRINTED / max(printed, 1) - 1))
    return texts + index.texts(rows[FEWEST : FEWEST + more]) if more > 0 else texts


def worth_of(
    words: Sequence[str], dates: Sequence[tuple[str, ...]], speakers: Sequence[str], known: Mapping[str, int]
) -> Asked:
    """What each word, date and speaker of the question is worth: the rarer, the more."""
    turns = known.get(ALL, 0)
    worths = {word: rarity(known[word], turns) for word in words if word in known}
    kept = sorted(worths, key=lambda word: -worths[word])[:MOST_WORDS]
    marks: list[tuple[tuple[str, ...], float]] = []
    marks += [((mark,), SPEAKER_WEIGHT * rarity(known[mark], turns)) for mark in speakers if mark in known]
    for phrase in dates:
        there = tuple(mark for mark in phrase if mark in known)
        if there:
            marks.append((there, DATE_WEIGHT * rarity(sum(known[mark] for mark in there), turns)))
    return Asked({word: worths[word] for word in words if word in kept}, tuple(marks))


def allowed(one: TurnText, filters: Filters, places: Sequence[str] | None) -> bool:
    """Do the filters let this turn through? Turns have neither tags nor a project."""
    if filters.tags or filters.project or (places is not None and one.repository not in places):
        return False
    return one.at >= filters.since and (not filters.until or one.at < filters.until)


def with_neighbours(texts: list[TurnText], rows: Sequence[int], index: TurnIndex) -> list[TurnText]:
    """The best candidates that are short, with the two lines before and after them."""
    best = set(rows[:NEAR])
    there = {(one.session_id, one.number) for one in texts}
    wanted = {
        (one.session_id, one.number + step)
        for one in texts
        if one.turn_row in best and _is_short(one)
        for step in (-2, -1, 1, 2)
    }
    return texts + index.texts_at(sorted(wanted - there))


def _is_short(one: TurnText) -> bool:
    return len(one.typed) + len(one.said) + len(one.printed) < ALONE * CHARACTERS_A_WORD


def _text(one: TurnText) -> Text:
    return Text(one.turn_row, one.session_id, one.number, one.typed, one.said, one.printed)
