"""Whether what a person typed holds something durable, and what: a correction, a preference or a fact.

First what is not the person's own voice is set apart. Then one calibrated score decides, learnt from what many people
typed; how plainly a sentence is said is one of its features, and sets how sure the score has to be. What is likely
enough is stored, what is less likely waits for the person, and a request, a piece of work, a doubt or a report is never
stored unasked. A sentence is kept whole or not at all; a question, a quotation and what was pasted never count.
"""

from __future__ import annotations

import re
from itertools import pairwise

from recollect.memory.gapfill.cues import cues_of
from recollect.memory.gapfill.dating import dated, is_relative
from recollect.memory.gapfill.features import MOST_SENTENCES, read_features
from recollect.memory.gapfill.plain import PLAIN, PLAINEST
from recollect.memory.gapfill.scorer import scorer
from recollect.memory.gapfill.sessions import Recurring, Reversal, latest, recurring, reversals
from recollect.memory.gapfill.statements import LONGEST, own_words, statement_of
from recollect.model.record import Record
from recollect.text.language.grammar import ORDERS
from recollect.text.language.moments import dangles, is_limit, is_of_the_moment
from recollect.text.language.sentences import Sentence, sentences
from recollect.text.language.take_backs import meant_from
from recollect.text.secrets import redacting as secrets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

    from recollect.memory.gapfill.features import Read
    from recollect.memory.gapfill.scorer import Scorer
    from recollect.model.entries import Scope

    Kind = Literal["correction", "preference", "fact"]

__all__ = ["SAID_AGAIN", "Found", "Recurring", "Reversal", "find_durable", "latest", "recurring", "reversals"]

# How sure the score has to be for storing it unasked. Of people not learnt from, three of four stored messages hold.
STORED = 0.22  # what is said plainly
PLAINLY_STORED = 0.15  # where two signs say so
UNPLAIN = 0.45  # where none does
SAID_AGAIN = 0.3  # what was said in another session too
# How sure to wait for the person.
CANDIDATE = 0.05
UNPLAIN_CANDIDATE = 0.19
PASSING_CANDIDATE = 0.32  # what sounds like the moment, or stands in a long text
BESIDE = 0.75  # of the likeliest sentence of the message; what is less likely is only there because of it

_DOCUMENT = 1000  # characters of own words: beyond that the message is a text, not talk
_SENTENCES = 15
_PASTE = 80  # characters between two sentences that nobody typed
_REPEATED = 25  # characters: a shorter sentence of the assistant may be the person's own as well
_FIRST_WORDS = 400
_HEAD, _TAIL = 12_000, 6_000  # where a person's own words stand around a paste
_POINTS_BACK = re.compile(
    r"(?:it|its|it's|this(?! (?:repo|repository|project|codebase|package|service|app)\b)|that|that's|these|those|they"
    r"|them|he|she|which|same)\b",
    re.IGNORECASE,
)
_HANGS = re.compile(r"(?:that|those|them|same)\b", re.IGNORECASE)  # and names nothing of what is meant
_FLEETING = frozenset(("now", "doubt", "suppose", "joke"))
_WISHES = frozenset("order prefer want please forbid must answers for_good".split())
_ORDERS = re.compile(
    r"(?:always|never|don'?t|do not|stop|avoid|prefer|use|keep|whenever|when|ask|check|talk|answer|reply)\b",
    re.IGNORECASE,
)
_OF_ONESELF = re.compile(
    r"(?:my (?:name|shell|editor|terminal|time ?zone|laptop|machine|keyboard|screen)\b"
    r"|i(?:'m|m| am) (?:an?|the|new|not|on)\b|i (?:use|work|prefer|like|hate|love|don't like)\b)",
    re.IGNORECASE,
)
_REMEMBER = re.compile(
    r"(?:please )?(?:remember|keep in mind|bear in mind)\b(?: that\b|\s*[:,])"
    r"(?! (?:i|we) (?:asked|said|told|wanted)\b)",
    re.IGNORECASE,
)
_LONG_WORD = re.compile(r"\w{5,}")
_BEFORE = 600  # characters of what the assistant said last
_TOLD_TO_THE_READER = ORDERS | {"you", "your", "you're"}  # and not plainly for good: about the work at hand
# A command that a repository brings along; another one has others.
_RUNS = re.compile(
    r"\b(?:npm|pnpm|yarn|bun|npx|cargo|poetry|uv|tox|nox|gradlew?|mvn|docker|rake) (?:run )?[a-z]|`[^`\s]+ [^`]+`",
    re.IGNORECASE,
)
_SHARED = re.compile(r"\b(?:we|our|us)\b", re.IGNORECASE)
_REQUEST = re.compile(
    r"(?P<said>(?:\S+\s+){3,}?\S+?)[,;]\s+(?:so |and |but )?(?:can|could|would|will) (?:you|u|we)\b", re.IGNORECASE
)
_FOR_NOW = re.compile(r"(?P<said>(?:\S+\s+){3,}?\S+?)[,;]\s+so\s+(?:this|that|it|we|you|let's|please)\b", re.IGNORECASE)
_ASKED = re.compile(  # also without a question mark
    r"\W*(?:(?:and|so|but|ok|also|then)\W+)*"
    r"(?:(?:can|could|would|will|should|must|does|did|is|are)(?:n'?t)? "
    r"(?:we|you|u|i|it|this|that|the|our|my|your|any|there|these|those|[\w-]+ (?:be|still|already))"
    r"|(?:do|has|have)(?:n'?t)? (?:we|you|u|i|they)|who|which"
    r"|(?:(?:what|where|when)|what (?!i\b|we\b|you\b|they\b|he\b|she\b|it\b)\w+) (?:is|are|was|do|does|did|should|can)"
    r"|why|how (?:can|could|would|will|should|do|does|did|is|are|was|were|come))\b"
    r"|.*,\s*(?:right|correct|isn'?t it|don'?t we|aren'?t we)\W*$"
    r"|.*,\s*(?:is|are|was|does|did) (?:it|that|this|they)\b",
    re.IGNORECASE,
)
_CORRECTS = re.compile(
    r"\W*(?:(?:no|nope|nah|wrong|incorrect)\s*[,.!;:–-]|(?:no|nope)\s+(?:we|it|that|the|this|our|they)\b"
    r"|(?:no,?\s+)?(?:that|this|it)(?:'s|s| is| was)\s+(?:wrong|incorrect|not (?:how|what|true|right|correct|the case))"
    r"|you(?:'re| are) (?:wrong|mistaken))",
    re.IGNORECASE,
)
_ACTUALLY = re.compile(r"\W*(?:but )?(?:actually|hold on|wait)\b", re.IGNORECASE)
_ASKS_FOR_WORK = re.compile(r"\b(?:can|could|would|will) (?:you|u|we)\b", re.IGNORECASE)
# Bob said: ... The README reads: ... user: ... What follows is somebody else's, or an example.
_REPORTS = re.compile(
    r"\W*(?:according to\b|(?:user|human|assistant|system|ai|bot|agent|claude|chatgpt|gpt|gemini|copilot|codex|cursor"
    r"|example|title|subject|quote)\s*:"
    r"|(?!(?:as |like )?i\b)(?:[^\s:]+ ){1,5}?(?:said|says?|told (?:me|us)|wrote|writes|suggest(?:s|ed)?"
    r"|recommend(?:s|ed)?|advise[sd]?|claim(?:s|ed)?|mention(?:s|ed)?|insist(?:s|ed)?|reads?|print(?:s|ed)?)\s*:)"
    r"|.*,\s*(?:said|says)\b",
    re.IGNORECASE,
)
_HEADING = re.compile(r"^#{1,6} \S", re.MULTILINE)


class Found(Record):
    """Something durable: the statement, the span it was typed in, and why it was taken."""

    statement: str
    start: int
    end: int
    kind: Kind
    scope: Scope
    confidence: float  # calibrated on people who were not learnt from
    sure: bool  # likely enough to be stored; otherwise it waits for a person
    whole: bool  # it says all by itself, and might be stored if it is said again
    because: str


class _Seen(Record):
    """Something durable beside its neighbours."""

    found: Found
    leans: bool  # on what stands before it
    hangs: bool  # and says nothing without that
    apart: bool  # says something plainly by itself, so that what follows does not belong to it


class Reading(Record):
    """A message divided into sentences, with their features and whose words they are."""

    own: str
    shift: int  # how much of a very long text is left out in the middle
    spoken: list[Sentence]
    voiced: list[bool]  # typed by the person, and not asked
    document: bool
    features: Read


def read_message(text: str, before: str = "") -> Reading:
    """Read what was typed; `before` is the end of what the assistant said before it."""
    own, shift = _own(text)
    spoken = [_without_request(one) for one in sentences(own)][:MOST_SENTENCES]
    document = _is_document(own, spoken)
    voiced = [] if not spoken or _is_role(spoken, own) else _own_voice(own, spoken, before, document=document)
    return Reading(own, shift, spoken, voiced, document, read_features(own, spoken, before))


def find_durable(text: str, *, before: str = "", at: float = 0.0, learned: Scorer | None = None) -> list[Found]:
    """What in a typed message would still be true and useful in a later session, in order.

    `before` is the end of what the assistant said before it, `at` when it was typed, `learned` the scorer, if not the
    one that ships.
    """
    read = read_message(text, before)
    if not any(read.voiced):
        return []
    own = read.own
    learned = learned or scorer()
    found: list[_Seen] = []
    marked: list[secrets.Finding] | None = None
    objects = False  # from there on the person sets the assistant right
    requests = False  # from there on it may tell how the work that was asked for should be done
    answered = frozenset(_LONG_WORD.findall(before[-_BEFORE:].lower()))
    meant = meant_from(own, read.spoken)
    confidences = [learned.durable(score) for score in learned.scores(read.features)]
    beside = BESIDE * max(confidences)
    of_each = read.features
    for one, mine, confidence, features, points in zip(
        read.spoken, read.voiced, confidences, of_each.sentences, of_each.points, strict=True
    ):
        objects = objects or (mine and _CORRECTS.match(one.shadow) is not None)
        requests = requests or (one.asked and _ASKS_FOR_WORK.search(one.shadow) is not None)
        cues = cues_of(one.shadow)
        # Whoever corrects says when things changed: "it is 16 now, I upgraded it yesterday".
        passing = is_passing([cue for cue in cues if not (objects and cue == "now")], one.shadow)
        least = _least_to_wait(points, passing=read.document or passing)
        answers = objects and not passing and not answered.isdisjoint(_LONG_WORD.findall(one.shadow.lower()))
        told = _is_told_to_keep(one.shadow)
        if not mine or not (confidence >= max(least, beside) or answers or told):
            continue
        marked = secrets.find(text) if marked is None else marked
        statement = stated(read, one, marked, at)
        if not statement:
            continue
        start, end = span_of(one, read)
        said = own_words(own[one.start : one.end])
        theirs = learned.is_personal(features) and not _RUNS.search(said)
        scope: Scope = "user" if theirs or is_personal(cues, said) else "repository"
        kind: Kind = "correction" if objects or _ACTUALLY.match(one.shadow) else _kind(cues, said)
        leans = kind != "correction" and (_points_back(one.shadow) or is_relative(statement))
        at_hand = points < PLAIN and said.partition(" ")[0].lower() in _TOLD_TO_THE_READER
        whole = not (leans or passing or read.document or at_hand)
        sure = (
            (told or (confidence >= _least_to_store(points) and (not requests or "for_good" in cues)))
            and whole
            and one.start >= meant
            and not is_limit(own, one.start, one.end)
        )
        number, why = round(confidence, 2), " ".join(cues)
        entry = Found(statement, start, end, kind, scope, number, sure, whole, why)
        hangs = leans and not told and points < PLAIN and _HANGS.match(statement) is not None
        apart = points >= PLAIN and not one.listed
        found.append(_Seen(entry, leans and not passing, hangs, apart))
    return _joined(found)


def _least_to_store(points: int) -> float:
    """How sure it has to be for storing it unasked, by how plainly it is said."""
    if points < PLAIN:
        return UNPLAIN
    return STORED if points < PLAINEST else PLAINLY_STORED


def _least_to_wait(points: int, *, passing: bool) -> float:
    if passing:
        return PASSING_CANDIDATE
    return CANDIDATE if points >= PLAIN else UNPLAIN_CANDIDATE


def stated(read: Reading, one: Sentence, marked: list[secrets.Finding], at: float) -> str:
    """A sentence of a message as a statement, with nothing secret in it and its dates written out; empty if nothing is
    left of it."""
    return dated(secrets.redact(statement_of(_clean(read.own, one, read.shift, marked))), at)


def span_of(one: Sentence, read: Reading) -> tuple[int, int]:
    """Where a sentence stands in the text that came in."""
    start, end = (at + (read.shift if at > _HEAD and read.shift else 0) for at in (one.start, one.end))
    return start, end


def _is_told_to_keep(shadow: str) -> bool:
    """Does the person say outright that it is to be remembered?"""
    return _REMEMBER.match(shadow.lstrip()) is not None


def _without_request(one: Sentence) -> Sentence:
    """I prefer early returns, could you rewrite it like that? We ship on Tuesdays, so this waits until tomorrow.

    What stands before the request, or before what follows for today, is said outright."""
    request = _REQUEST.match(one.shadow) if one.asked else _FOR_NOW.match(one.shadow)
    if request is None or cues_of(request["said"]).count("ask"):
        return one
    if not one.asked and "now" not in cues_of(one.shadow[request.end("said") :]):
        return one
    end = one.start + len(request["said"])
    return one._replace(end=end, shadow=request["said"], asked=False)


def _own(text: str) -> tuple[str, int]:
    """The text with the middle of a very long one blanked, so that offsets stay."""
    if len(text) <= _HEAD + _TAIL:
        return text, 0
    return text[:_HEAD] + "\n" * 2 + text[-_TAIL:], len(text) - _HEAD - _TAIL - 2


def _is_role(spoken: list[Sentence], text: str) -> bool:
    """A prompt that casts the reader in a role is a program's, not a person's."""
    opening = text[spoken[0].start : spoken[0].end].lower()
    return opening.startswith(("you are a ", "you are an ", "you are the ", "act as ")) and len(spoken) > 2


def _is_document(text: str, spoken: list[Sentence]) -> bool:
    """A text rather than talk: too long, or with headings."""
    long = sum(one.end - one.start for one in spoken) > _DOCUMENT or len(spoken) > _SENTENCES
    return long or len(_HEADING.findall(text)) > 1


def _own_voice(text: str, spoken: list[Sentence], before: str, *, document: bool) -> list[bool]:
    """Of each sentence, whether the person says it: not asked, not below or between pastes, not the assistant's."""
    above = _above(text, spoken) if document else 0
    first, last = _pasted(text, spoken)
    said = " ".join(before.split()).lower()
    voiced = []
    for one in spoken:
        words = " ".join(text[one.start : one.end].split()).lower()
        repeated = len(words) >= _REPEATED and words in said
        below = 0 < above <= one.start
        asked = one.asked or _ASKED.match(own_words(one.shadow)) is not None
        voiced.append(not (asked or repeated or below or first <= one.start < last))
    return voiced


def _above(text: str, spoken: list[Sentence]) -> int:
    """Where a paste begins below a short word of the person's own; 0 without one."""
    at = spoken[0].start
    for one, following in pairwise(spoken):
        if text[one.end : following.start].strip() or text.count("\n", one.end, following.start) > 1:
            at = following.start
            break
    own = sum(one.end - one.start for one in spoken)
    return at if at <= _FIRST_WORDS and own < len(text) * 0.7 else 0


def _pasted(text: str, spoken: list[Sentence]) -> tuple[int, int]:
    """Where the first paste ends and the last begins: what stands between two pastes was pasted too."""
    edges = [0, *(at for one in spoken for at in (one.start, one.end)), len(text)]
    gaps = [
        (start, end)
        for start, end in zip(edges[::2], edges[1::2], strict=True)
        if end - start > _PASTE and len("".join(text[start:end].split())) > _PASTE
    ]
    return (gaps[0][1], gaps[-1][0]) if len(gaps) > 1 else (1, 0)


def is_passing(cues: Sequence[str], shadow: str) -> bool:
    """About the work at hand, a doubt, a report, words for today: never stored unasked."""
    if not _FLEETING.isdisjoint(cues) or is_of_the_moment(shadow) or _REPORTS.match(shadow):
        return True
    return {"past", "i"} <= set(cues) and {"ever", "for_good"}.isdisjoint(cues)


def _points_back(shadow: str) -> bool:
    """Does it speak of something that was said before it, and not here?"""
    said = own_words(shadow)
    return _POINTS_BACK.match(said) is not None or dangles(said)


def _kind(cues: tuple[str, ...], said: str) -> Kind:
    return "fact" if _WISHES.isdisjoint(cues) and not _ORDERS.match(said) else "preference"


def is_personal(cues: tuple[str, ...], said: str) -> bool:
    """What somebody is, likes and uses, and how they want to be answered, is theirs wherever they work."""
    if "project" in cues or _SHARED.search(said):
        return False
    answered = "answers" in cues and ("order" in cues or _ORDERS.match(said) is not None)
    return answered or _OF_ONESELF.match(said) is not None


def _clean(own: str, one: Sentence, shift: int, marked: list[secrets.Finding]) -> str:
    """The typed words with every secret of the message taken out, also where only the message shows it is one."""
    body = own[one.start : one.end]
    moved = shift if one.start > _HEAD else 0
    for finding in reversed(marked):
        start, end = finding.start - moved - one.start, finding.end - moved - one.start
        if end > 0 and start < len(body):
            body = f"{body[: max(0, start)]}[redacted:{finding.kind}]{body[end:]}"
    return body


def _joined(found: list[_Seen]) -> list[Found]:
    """Sentences that follow each other as one, so that "never edit them" keeps what "them" are.

    What is sure is joined to what is not only where that leans on it. "That's not it", alone, says nothing later."""
    joined: list[Found] = []
    before = None
    for seen in found:
        one, last = seen.found, joined[-1] if joined else None
        ends = before is not None and (before.apart or seen.apart) and not seen.leans
        if last is None or ends or _stands_apart(one, last, leans=seen.leans):
            joined += [] if seen.hangs else [one]
        else:
            joined[-1] = last._replace(
                statement=f"{last.statement} {one.statement}",
                end=one.end,
                scope="user" if last.scope == one.scope == "user" else "repository",
                confidence=max(last.confidence, one.confidence),
            )
        before = seen
    return joined


def _stands_apart(one: Found, last: Found, *, leans: bool) -> bool:
    if one.start - last.end > 2 or len(last.statement) + len(one.statement) > LONGEST:
        return True
    return (one.sure, one.whole) != (last.sure, last.whole) and not leans
