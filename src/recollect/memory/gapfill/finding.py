"""Whether what a person typed holds something durable, and what: a correction, a preference or a fact.

First what is not the person's own voice is set apart. Then two readers judge each sentence: the rules, and a scorer
that learnt from what many people typed. What both are sure of is stored, what one of them finds likely waits for the
person. A sentence is kept whole or not at all; a question, a quotation and what was pasted never count.
"""

from __future__ import annotations

import re
from itertools import pairwise

from recollect.memory.gapfill.cues import cues_of
from recollect.memory.gapfill.dating import dated, is_relative
from recollect.memory.gapfill.features import MOST_SENTENCES, read_features
from recollect.memory.gapfill.rules import LIKELY, PLAIN, rules_say
from recollect.memory.gapfill.scorer import scorer
from recollect.memory.gapfill.sessions import Recurring, Reversal, latest, recurring, reversals
from recollect.memory.gapfill.statements import LONGEST, own_words, statement_of
from recollect.model.record import Record
from recollect.text.language.sentences import Sentence, sentences
from recollect.text.language.take_backs import meant_from
from recollect.text.secrets import redacting as secrets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from recollect.memory.gapfill.scorer import Scorer
    from recollect.model.entries import Scope

    Kind = Literal["correction", "preference", "fact"]

__all__ = ["CANDIDATE", "STORED", "Found", "Recurring", "Reversal", "find_durable", "latest", "recurring", "reversals"]

STORED = 0.6  # several sessions that say the same come to this together
CANDIDATE = 0.25  # from here on two of five hold, on people whom nobody here has read
AGREED = 0.2  # the least at which the scorer goes along with rules that find it plain

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
_CORRECTIVE = frozenset(("object",))
_WISHES = frozenset("order prefer want please forbid must answers for_good".split())
_ORDERS = re.compile(r"(?:always|never|don'?t|do not|stop|avoid|prefer|use|keep|whenever|when)\b", re.IGNORECASE)
_OF_ONESELF = re.compile(
    r"(?:my (?:name|shell|editor|terminal|time ?zone|laptop|machine|keyboard|screen)\b"
    r"|i(?:'m|m| am) (?:an?|the|new|not|on)\b|i (?:use|work|prefer|like|hate|love|don't like)\b)",
    re.IGNORECASE,
)
_REMEMBER = re.compile(r"(?:please )?(?:remember|keep in mind|bear in mind)\b(?: that\b|\s*[:,])", re.IGNORECASE)
_OBJECTS = re.compile(
    r"(?:no|nope|wrong|that(?:'s| is| was) (?:wrong|not right|incorrect))\b(?=\s*[,.!]|\s*$)", re.IGNORECASE
)
_SHARED = re.compile(r"\b(?:we|our|us)\b", re.IGNORECASE)
_REQUEST = re.compile(
    r"(?P<said>(?:\S+\s+){3,}?\S+?)[,;]\s+(?:so |and |but )?(?:can|could|would|will) (?:you|u|we)\b", re.IGNORECASE
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
    sure: bool  # both readers are; otherwise it waits for a person
    whole: bool  # it says all by itself, and might be stored if it is said again
    because: str


def find_durable(text: str, *, before: str = "", at: float = 0.0, learned: Scorer | None = None) -> list[Found]:
    """What in a typed message would still be true and useful in a later session, in order.

    `before` is the end of what the assistant said before it, `at` when it was typed, `learned` the scorer, if not the
    one that ships.
    """
    own, shift = _own(text)
    spoken = [_without_request(one) for one in sentences(own)][:MOST_SENTENCES]
    if not spoken or _is_role(spoken, own):
        return []
    read = read_features(own, spoken, before)
    learned = learned or scorer()
    document = _is_document(own, spoken)
    voiced = _own_voice(own, spoken, before, document=document)
    found: list[Found] = []
    marked: list[secrets.Finding] | None = None
    objects = False  # from there on the person sets the assistant right
    plain = rules_say(spoken, own, before)
    meant = meant_from(own, spoken)
    for one, mine, rules, score, features in zip(
        spoken, voiced, plain, learned.scores(read), read.sentences, strict=True
    ):
        confidence = learned.durable(score, likely=rules >= LIKELY, plain=rules >= PLAIN)
        objects = objects or (mine and bool(_OBJECTS.match(one.shadow.lstrip())))
        if not mine or one.asked or (confidence < CANDIDATE and rules < PLAIN):
            continue
        marked = secrets.find(text) if marked is None else marked
        statement = dated(secrets.redact(statement_of(_clean(own, one, shift, marked))), at)
        if not statement:
            continue
        start, end = (at + (shift if at > _HEAD and shift else 0) for at in (one.start, one.end))
        cues = cues_of(one.shadow)
        said = own_words(own[one.start : one.end])
        scope: Scope = "user" if _is_personal(cues, said) or learned.is_personal(features) else "repository"
        kind = "correction" if objects else _kind(cues, said)
        # Whoever corrects says when things changed; what is so since then needs no date.
        whole = kind == "correction" or not (_points_back(one.shadow) or is_relative(statement))
        agreed = rules >= PLAIN and confidence >= AGREED
        whole = whole and not document
        sure = (agreed or _is_told_to_keep(one.shadow)) and whole and one.start >= meant
        number, why = round(confidence, 2), " ".join(cues)
        found.append(Found(statement, start, end, kind, scope, number, sure, whole, why))
    return _joined(found)


def _is_told_to_keep(shadow: str) -> bool:
    """Does the person say outright that it is to be remembered?"""
    return _REMEMBER.match(shadow.lstrip()) is not None


def _without_request(one: Sentence) -> Sentence:
    """I prefer early returns, could you rewrite it like that? What stands before the request is said outright."""
    request = _REQUEST.match(one.shadow) if one.asked else None
    if request is None or cues_of(request["said"]).count("ask"):
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
    """Of each sentence, whether the person typed it themselves: not below or between pastes, not the assistant's."""
    above = _above(text, spoken) if document else 0
    first, last = _pasted(text, spoken)
    said = " ".join(before.split()).lower()
    voiced = []
    for one in spoken:
        words = " ".join(text[one.start : one.end].split()).lower()
        repeated = len(words) >= _REPEATED and words in said
        below = 0 < above <= one.start
        voiced.append(not (repeated or below or first <= one.start < last))
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


def _points_back(shadow: str) -> bool:
    """Does it begin with something that was said before it, and not here?"""
    return _POINTS_BACK.match(own_words(shadow)) is not None


def _kind(cues: tuple[str, ...], said: str) -> Kind:
    if not _CORRECTIVE.isdisjoint(cues):
        return "correction"
    return "fact" if _WISHES.isdisjoint(cues) and not _ORDERS.match(said) else "preference"


def _is_personal(cues: tuple[str, ...], said: str) -> bool:
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


def _joined(found: list[Found]) -> list[Found]:
    """Sentences that follow each other as one, so that "never edit them" keeps what "them" are."""
    joined: list[Found] = []
    for one in found:
        last = joined[-1] if joined else None
        if last is None or one.start - last.end > 2 or len(last.statement) + len(one.statement) > LONGEST:
            joined.append(one)
            continue
        scope: Scope = "user" if last.scope == one.scope == "user" else "repository"
        joined[-1] = last._replace(
            statement=f"{last.statement} {one.statement}",
            end=one.end,
            scope=scope,
            confidence=max(last.confidence, one.confidence),
            sure=last.sure or one.sure,
            whole=last.whole,
        )
    return joined
