"""How well turns and sessions answer a question. Pure: what a search knows comes in.

BM25 throughout, in one of two shapes, by the kind of text. Talk (people, or a person and an assistant): what was typed
counts, what was answered a little, and a short line is read together with the lines around it. Work (tools printed
something, or code was written): the turn is one document, because what it was about stands anywhere in it. A turn
between the two is scored in between. Talk also takes up what its whole session is about. Where
tools ran, a long turn is measured against those found with it: what they print differs too much for one usual length.
"""

from __future__ import annotations

from recollect.model.record import Record
from recollect.text.relevance import rarity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from recollect.model.recall import Frequencies
    from recollect.model.turn_search import AnalysedTurn, TurnKey

SATURATION = 1.2  # k1
LENGTH_SHARE = 0.5  # b
TOOLS_LENGTH_SHARE = 0.75  # where tools ran
USUAL_TYPED = 25.0  # words
USUAL_SAID = 200.0
USUAL_WORK = 550.0
SAID_WEIGHT = 0.3
TYPED_IN_WORK = 3.0  # a word that was typed counts like three that were printed
NEXT_WEIGHT = 0.45  # of the lines before and after
SECOND_WEIGHT = 0.2  # of those one further
ALONE = 100.0  # a turn of this many words needs no context
LEAST_CODE = 3  # signs of code in a hundred words: below, it is talk
MOST_CODE = 10  # above, it is work
CODE_FOR_VECTORS = (8, 20)  # the same for vectors, which read what was typed alone
SESSION_WEIGHT = 0.35
SESSION_SATURATION = 2.0
BEST_TURN_WEIGHT = 0.6  # in the rank of a session
DATE_WEIGHT = 0.8
SPEAKER_WEIGHT = 1.2
PROMPT_VECTOR_SHARE = 0.45
CHAT_VECTOR_SHARE = 0.13
WORK_VECTOR_SHARE = 0.13
STANDING_LIFT = 1.0  # of its score, for a turn that tells an assistant what somebody always wants
STANDING = frozenset("alway never prefer whenev".split())  # as terms
AROUND = ((-2, SECOND_WEIGHT), (-1, NEXT_WEIGHT), (1, NEXT_WEIGHT), (2, SECOND_WEIGHT))


class Asked(Record):
    """A question: what each of its words is worth, and marks (dates, speakers) of which a turn may have one."""

    words: dict[str, float]
    marks: tuple[tuple[tuple[str, ...], float], ...] = ()
    is_request: bool = False  # something is to be done: what somebody always wants counts then


class Counted(Record):
    """How often a turn has each word of the question, those it has not left out, and what kind of text it is."""

    turn: AnalysedTurn
    typed: dict[str, int]
    said: dict[str, int]
    printed: dict[str, int]
    lengths: tuple[int, int, int]
    marks: float
    work: float  # from 0, talk, to 1
    tools: bool = False  # ran in its session

    @property
    def length(self) -> int:
        """All its words."""
        return sum(self.lengths)


class Corpus(Record):
    """What is known of everything that could have been found."""

    frequencies: Frequencies  # among turns
    sessions: int
    session_lengths: dict[str, int]  # in turns, of the sessions that were found, the oldest first


class Scored(Record):
    """A turn with its score and what it is made of."""

    turn: AnalysedTurn
    score: float
    parts: dict[str, float]


def rank_turns(
    turns: Sequence[AnalysedTurn], asked: Asked, corpus: Corpus, nearness: Mapping[TurnKey, float] | None = None
) -> list[Scored]:
    """The turns, best first, of equals the newest. `nearness` of meaning, from 0 to 1, comes with the extra."""
    counted = count(turns, asked)
    sessions = score_sessions(counted, asked, corpus)
    found = []
    for one, (own, parts) in zip(counted, _own_scores(counted, asked), strict=True):
        about = SESSION_WEIGHT * (1 - one.work) * sessions[one.turn.session_id]
        is_wish = asked.is_request and one.lengths[1] and not STANDING.isdisjoint(one.turn.typed.split())
        lift = STANDING_LIFT * own if is_wish else 0.0
        found.append(Scored(one.turn, own + about + lift, {**parts, "session": about, "standing": lift}))
    if nearness is not None:
        found = _fused(found, counted, nearness)
    return sorted(found, key=lambda one: (-one.score, -one.turn.order))


def rank_sessions(
    turns: Sequence[AnalysedTurn], asked: Asked, corpus: Corpus, nearness: Mapping[TurnKey, float] | None = None
) -> list[tuple[str, float]]:
    """Sessions by what they are about and by their best turn, best first, of equals the newest; by their ids."""
    counted = count(turns, asked)
    about = score_sessions(counted, asked, corpus)
    best: dict[str, float] = {}
    work: dict[str, float] = {}
    for one, (own, _) in zip(counted, _own_scores(counted, asked), strict=True):
        session = one.turn.session_id
        best[session] = max(best.get(session, 0.0), own)
        work[session] = max(work.get(session, 0.0), one.work)
    scores = {
        session: (1 - work[session]) * about[session] + (BEST_TURN_WEIGHT * (1 - work[session]) + work[session]) * own
        for session, own in best.items()
    }
    if nearness is not None:
        scores = _fused_sessions(scores, counted, nearness)
    newest_first = [(session, scores[session]) for session in reversed(corpus.session_lengths) if session in scores]
    return sorted(newest_first, key=lambda item: -item[1])


def count(turns: Sequence[AnalysedTurn], asked: Asked) -> list[Counted]:
    """The words of the question in each turn. Where tools ran or code prevails, the whole session is work."""
    wanted = frozenset(asked.words)
    counted = [_count(turn, wanted, asked) for turn in turns]
    with_tools = {one.turn.session_id for one in counted if one.turn.printed}
    shares: dict[str, list[float]] = {}
    for one in counted:
        shares.setdefault(one.turn.session_id, []).append(one.work)
    usual = {session: min(1.0, 2 * sum(own) / len(own)) for session, own in shares.items() if any(own)}
    usual |= dict.fromkeys(with_tools, 1.0)
    return [
        one._replace(work=max(one.work, usual[one.turn.session_id]), tools=one.turn.session_id in with_tools)
        if one.turn.session_id in usual
        else one
        for one in counted
    ]


def _count(turn: AnalysedTurn, wanted: frozenset[str], asked: Asked) -> Counted:
    columns = turn.typed.split(), turn.said.split(), turn.printed.split()
    return Counted(
        turn,
        _times(columns[0], wanted),
        _times(columns[1], wanted),
        _times(columns[2], wanted),
        (len(columns[0]), len(columns[1]), len(columns[2])),
        sum([worth for any_of, worth in asked.marks if any(mark in turn.marks for mark in any_of)]),
        1.0 if turn.printed else _ramp(turn.code, LEAST_CODE, MOST_CODE),
    )


def _times(column: list[str], wanted: frozenset[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for word in filter(wanted.__contains__, column):
        found[word] = found.get(word, 0) + 1
    return found


def _ramp(value: float, least: float, most: float) -> float:
    return min(max((value - least) / (most - least), 0.0), 1.0)


def _own_scores(counted: Sequence[Counted], asked: Asked) -> Iterable[tuple[float, dict[str, float]]]:
    places = {(one.turn.session_id, one.turn.number): one for one in counted}
    worths = asked.words
    with_tools = _usual_with_tools(counted)
    for one in counted:
        parts = {"typed": 0.0, "said": 0.0, "work": 0.0, "marks": one.marks}
        if one.work < 1:
            typed, length = _with_context(one, places)
            parts["typed"] = (1 - one.work) * bm25(typed, length, worths, USUAL_TYPED)
            said = bm25(one.said, one.lengths[1], worths, USUAL_SAID)
            parts["said"] = (1 - one.work) * SAID_WEIGHT * said
        if one.work:
            weighed = _together(((TYPED_IN_WORK, one.typed), (1.0, one.said), (1.0, one.printed)))
            usual, share = (with_tools, TOOLS_LENGTH_SHARE) if one.tools else (USUAL_WORK, LENGTH_SHARE)
            parts["work"] = one.work * bm25(weighed, _work_length(one), worths, usual, share)
        yield sum(parts.values()), parts


def _usual_with_tools(counted: Sequence[Counted]) -> float:
    """The mean length of these turns, of those in whose sessions tools ran."""
    lengths = [_work_length(one) for one in counted if one.tools]
    return max(sum(lengths) / max(len(lengths), 1), 1.0)


def _work_length(one: Counted) -> float:
    return TYPED_IN_WORK * one.lengths[0] + one.lengths[1] + one.lengths[2]


def _with_context(one: Counted, places: Mapping[tuple[str, int], Counted]) -> tuple[Mapping[str, float], float]:
    """The words of a turn and, for a short one, a share of those around it."""
    share = 1 - one.length / ALONE
    if share <= 0:
        return one.typed, one.lengths[0]
    session, number = one.turn.session_id, one.turn.number
    length: float = one.lengths[0]
    texts: list[tuple[float, Mapping[str, int]]] = [(1.0, one.typed)]
    for step, weight in AROUND:
        other = places.get((session, number + step))
        if other is not None:
            length += share * weight * other.lengths[0]
            if other.typed:
                texts.append((share * weight, other.typed))
    return _together(texts), length


def _together(texts: Iterable[tuple[float, Mapping[str, int]]]) -> dict[str, float]:
    total: dict[str, float] = {}
    for weight, counts in texts:
        for word, times in counts.items():
            total[word] = total.get(word, 0.0) + weight * times
    return total


def bm25(
    counts: Mapping[str, float],
    length: float,
    worths: Mapping[str, float],
    usual: float,
    length_share: float = LENGTH_SHARE,
) -> float:
    """The worth of the words found: more often is better, less and less so, and less so in a long text."""
    slow = SATURATION * (1 - length_share + length_share * length / usual)
    return sum([worths[word] * times * (SATURATION + 1) / (times + slow) for word, times in counts.items()])


def score_sessions(counted: Sequence[Counted], asked: Asked, corpus: Corpus) -> dict[str, float]:
    """How much each session as a whole is about the question."""
    sessions: dict[str, tuple[dict[str, int], dict[str, int]]] = {}
    turns_with = dict.fromkeys(asked.words, 0)
    for one in counted:
        totals = sessions.setdefault(one.turn.session_id, ({}, {}))
        for total, own in zip(totals, (one.typed, one.said), strict=True):
            for word, times in own.items():
                total[word] = total.get(word, 0) + times
        for word in one.typed.keys() | one.said.keys():
            turns_with[word] += 1
    worths = _session_worths(sessions, turns_with, corpus)
    usual = corpus.frequencies.total / max(corpus.sessions, 1)
    found = {}
    for session, (typed, said) in sessions.items():
        relative = corpus.session_lengths.get(session, 1) / usual
        slow = SESSION_SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * relative)
        score = sum([worths[word] * times / (times + slow) for word, times in typed.items()])
        score += SAID_WEIGHT * sum([worths[word] * times / (times + slow) for word, times in said.items()])
        found[session] = (SESSION_SATURATION + 1) * score
    return found


def _session_worths(
    sessions: Mapping[str, tuple[dict[str, int], dict[str, int]]], turns_with: Mapping[str, int], corpus: Corpus
) -> dict[str, float]:
    """Rarity among sessions. In how many a word occurs is not stored: it is put up from those that were found."""
    total, known = corpus.frequencies
    each = total / max(corpus.sessions, 1)
    seen = dict.fromkeys(turns_with, 0)
    for typed, said in sessions.values():
        for word in typed.keys() | said.keys():
            seen[word] += 1
    worths = {}
    for word, turns_seen in turns_with.items():
        turns = known.get(word, 0)
        spread = corpus.sessions * (1 - (1 - min(turns / max(total, 1), 1.0)) ** each)
        likely = max(seen[word], min(turns * seen[word] / max(turns_seen, 1), spread))
        worths[word] = rarity(likely, max(corpus.sessions, likely))
    return worths


def vector_shares(counted: Sequence[Counted]) -> list[float]:
    """How much meaning counts beside words: nothing in code, little in chat and in or among work, most in prompts."""
    among_work = min(2 * sum(one.tools for one in counted) / max(len(counted), 1), 1.0)
    return [
        WORK_VECTOR_SHARE
        if one.tools
        else among_work * WORK_VECTOR_SHARE
        + (1 - among_work)
        * (1 - _ramp(one.turn.code, *CODE_FOR_VECTORS))
        * (PROMPT_VECTOR_SHARE if one.lengths[1] else CHAT_VECTOR_SHARE)
        for one in counted
    ]


def _fused(found: list[Scored], counted: Sequence[Counted], nearness: Mapping[TurnKey, float]) -> list[Scored]:
    most = max((one.score for one in found), default=0.0) or 1.0
    fused = []
    for one, share in zip(found, vector_shares(counted), strict=True):
        near = share * nearness.get(one.turn.key, 0.0)
        parts = {name: (1 - share) * value / most for name, value in one.parts.items()}
        fused.append(one._replace(score=(1 - share) * one.score / most + near, parts={**parts, "meaning": near}))
    return fused


def _fused_sessions(
    scores: Mapping[str, float], counted: Sequence[Counted], nearness: Mapping[TurnKey, float]
) -> dict[str, float]:
    most = max(scores.values(), default=0.0) or 1.0
    best: dict[str, tuple[float, float]] = {}
    for one, share in zip(counted, vector_shares(counted), strict=True):
        near = (nearness.get(one.turn.key, 0.0), share)
        best[one.turn.session_id] = max(best.get(one.turn.session_id, (0.0, 0.0)), near)
    return {
        session: (1 - best[session][1]) * score / most + best[session][1] * best[session][0]
        for session, score in scores.items()
    }
