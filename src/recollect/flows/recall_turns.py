"""Recall over past sessions: the turns, or the sessions, that answer a question best.

The index offers candidates within its budget, short turns bring the lines around them, and all of them are scored
again with every word of the question, the days and the names in it (`sessions/ranking.py`).
"""

from __future__ import annotations

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
from recollect.text.dates import date_phrases
from recollect.text.fences import strip_fences
from recollect.text.terms import query_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recollect.model.recall import Filters
    from recollect.sessions.vectors import Vectors
    from recollect.store.store import Store
    from recollect.store.turn_index import TurnIndex, TurnText

OVER_FETCH = 150
NEAR = 60  # so many of the best are read with the lines around them
MOST_WORDS = 32  # of a question, the rarest
BUDGET_POSTINGS = 6_000
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


def recall_sessions(
    message: str, *, store: Store, filters: Filters, limit: int, now: float, vectors: Vectors | None = None
) -> list[SessionHit]:
    """The sessions that answer a message, best first."""
    found = find(message, store=store, filters=filters, now=now, vectors=vectors)
    best = rank_sessions(*found)[:limit] if found.texts else []
    names = store.sessions.names([session for session, _ in best])
    return [SessionHit(names[session], score) for session, score in best]


def find(message: str, *, store: Store, filters: Filters, now: float, vectors: Vectors | None = None) -> Found:
    """What the index offers within its budget, with the lines around it."""
    index = store.sessions.index
    text = strip_fences(message)
    words, dates = query_terms(text), date_phrases(text, now)
    places = None if filters.everywhere else list(dict.fromkeys(("", filters.repository, *filters.known_as)))
    speakers = [speaker_mark(word) for word in words]
    marks = [mark for phrase in dates for mark in phrase]
    known = index.frequencies([ALL, *map(repository_mark, places or ()), *words, *speakers, *marks])
    asked = weigh(words, dates, speakers, known)
    plan = plan_turns(
        [*asked.words, *(mark for phrase, _ in asked.marks for mark in phrase)],
        places,
        frequencies=known,
        budget_postings=BUDGET_POSTINGS,
        newest_row=index.newest_row(),
    )
    rows = index.matching(plan, limit=OVER_FETCH)
    nearness = vectors.nearness(text, store=store) if vectors is not None else None
    if nearness:
        closest = sorted(nearness, key=lambda row: -nearness[row])[:VECTOR_CANDIDATES]
        rows = list(dict.fromkeys([*rows, *closest]))
    texts = with_neighbours([one for one in index.texts(rows) if allowed(one, filters, places)], rows, index)
    lengths = index.session_lengths(list({one.session_row for one in texts}))
    corpus = Corpus(known.get(ALL, 0), index.session_count(), known, lengths)
    return Found([_text(one) for one in texts], asked, corpus, nearness)


def weigh(
    words: Sequence[str], dates: Sequence[tuple[str, ...]], speakers: Sequence[str], known: Mapping[str, int]
) -> Asked:
    """What each word, date and speaker of the question is worth: the rarer, the more."""
    turns = known.get(ALL, 0)
    worths = {word: rarity(known[word], turns) for word in words if word in known}
    kept = sorted(worths, key=lambda word: -worths[word])[:MOST_WORDS]
    marks = [((mark,), SPEAKER_WEIGHT * rarity(known[mark], turns)) for mark in speakers if mark in known]
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
    there = {(one.session_row, one.number) for one in texts}
    wanted = {
        (one.session_row, one.number + step)
        for one in texts
        if one.turn_row in best and _is_short(one)
        for step in (-2, -1, 1, 2)
    }
    return texts + index.texts_at(sorted(wanted - there))


def _is_short(one: TurnText) -> bool:
    return len(one.typed) + len(one.said) + len(one.printed) < ALONE * CHARACTERS_A_WORD


def _text(one: TurnText) -> Text:
    return Text(one.turn_row, one.session_row, one.number, one.typed, one.said, one.printed)
