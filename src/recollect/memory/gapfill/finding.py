"""Whether what a person typed holds something durable, and what: a correction, a preference or a fact.

Rules on language and context, no model. A sentence counts when it says how things stand or should be done in
general; requests for the task at hand, questions, approvals, states of the day and pasted text do not.
"""

from __future__ import annotations

import re
from itertools import pairwise
from math import exp

from recollect.memory.gapfill.japanese import is_japanese, japanese_signs
from recollect.memory.gapfill.sessions import Recurring, Reversal, latest, recurring, reversals
from recollect.memory.gapfill.signs import signs_of
from recollect.memory.gapfill.statements import LONGEST, statement_of
from recollect.memory.gapfill.views import asks_about_it
from recollect.memory.gapfill.weights import log_odds
from recollect.model.record import Record
from recollect.text.language import grammar as g
from recollect.text.language.clauses import Clause, clauses
from recollect.text.language.sentences import Sentence, sentences
from recollect.text.secrets import redacting as secrets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal

    from recollect.model.entries import Scope

    Kind = Literal["correction", "preference", "fact"]

__all__ = ["CANDIDATE", "STORE", "Found", "Recurring", "Reversal", "find_durable", "latest", "recurring", "reversals"]

STORE = 0.75
CANDIDATE = 0.5

_LIFT = 1.1  # log-odds of STORE: there three of four hold
_DOCUMENT = 1000  # characters of own words: beyond that the message is a text, not talk
_SENTENCES = 15
_PASTE = 80  # characters between two sentences that nobody typed
_BARE_REPLY = 24  # characters: "that's wrong." and nothing else
_FIRST_WORDS = 400
_HEAD, _TAIL = 12_000, 6_000  # where a person's own words stand around a paste
_INFORMS = re.compile(
    r"\W*(?:just )?(?:just so (?:you|u) know|so (?:you|u) know|fyi|btw|by the way|for (?:your information"
    r"|context|reference|the record)"
    r"|note(?: that|:)|heads up|be aware|keep in mind|important:)\b",
    re.IGNORECASE,
)
_CORRECTS = re.compile(
    r"\W*(?:(?:no|nope|nah|wrong|incorrect)\s*[,.!;:–-]|(?:no|nope)\s+(?:we|it|that|the|this|our|they)\b"
    r"|(?:no,?\s+)?(?:that|this|it)(?:'s|s| is| was)\s+(?:wrong|incorrect|not (?:how|what|true|right|correct|the case))"
    r"|you(?:'re| are) (?:wrong|mistaken))",
    re.IGNORECASE,
)
_ASSERTED = frozenset("the our my name plural all other".split())
_CORRECTIONS = frozenset("corrects told told_before thought rhetoric is_not answers".split())
_WISHES = frozenset(
    "prefers want_rule want_goal want_object want_no speech stops process consent universal_duty plural_duty ever_duty"
    " must_not plural_not you_duty forbidden only_duty generic_if ever_order general_no no_because".split()
)
_PERSONAL = frozenset("habit_i identity prefers speech access you_cannot own_lack stops no_because want_no".split())


_CONTINUING = g.REASONS | g.CONDITIONS | {"but", "whereas", "that", "which"}
_BORDERS = g.ORDERS | g.PRONOUNS | g.AUXILIARIES | g.PREPOSITIONS


class Found(Record):
    """Something durable: the statement, the span it was typed in, and why it was taken."""

    statement: str
    start: int
    end: int
    kind: Kind
    scope: Scope
    confidence: float
    because: str


class _Hit(Record):
    """A stretch of clauses with what it is worth."""

    start: int
    end: int
    worth: float
    signs: frozenset[str]
    order: bool
    asked: bool
    antecedent: str


def find_durable(text: str, *, before: str = "") -> list[Found]:
    """What in a typed message would still be true and useful in a later session, in order.

    `before` is the end of what the assistant said before it. Everything from CANDIDATE upwards is returned.
    """
    own, shift = _own(text)
    spoken = list(sentences(own))
    if not spoken or _is_role(spoken, own):
        return []
    long = sum(one.end - one.start for one in spoken) > _DOCUMENT or len(spoken) > _SENTENCES
    answered = frozenset(_content(before[-1500:].lower()))
    above = _above(own, spoken) if long else 0
    first, last = _pasted(own, spoken)
    parsed = [[] if is_japanese(one.shadow) else clauses(one) for one in spoken]
    hits = []
    for at, (one, parts) in enumerate(zip(spoken, parsed, strict=True)):
        foreign = (long and one.start >= above) or first <= one.start < last
        around = _around(one, spoken[at - 1].shadow if at else "", parsed[at + 1 : at + 2], foreign=foreign)
        hits.append(list(_hits(one, parts, own, around, answered)))
    marked = secrets.find(text) if any(hits) else []
    found = [_distinct([_found(hit, own, shift, marked) for hit in several]) for several in hits if several]
    return [one for several in found for one in _joined(several)]


def _own(text: str) -> tuple[str, int]:
    """The text with the middle of a very long one blanked, so that offsets stay."""
    if len(text) <= _HEAD + _TAIL:
        return text, 0
    return text[:_HEAD] + "\n" * 2 + text[-_TAIL:], len(text) - _HEAD - _TAIL - 2


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


def _is_role(spoken: list[Sentence], text: str) -> bool:
    """A prompt that casts the reader in a role is a program's, not a person's."""
    opening = text[spoken[0].start : spoken[0].end].lower()
    return opening.startswith(("you are a ", "you are an ", "you are the ", "act as ")) and len(spoken) > 2


def _content(text: str) -> Iterator[str]:
    for word in text.split():
        bare = word.strip(".,;:!?()[]{}\"'`*_")
        if len(bare) > 3 and bare not in _COMMON:
            yield bare


_COMMON = g.PREPOSITIONS | g.DETERMINERS | g.AUXILIARIES | g.ADVERBS | g.FILLERS | g.CONJUNCTIONS | g.WH | g.PRONOUNS


def _around(one: Sentence, before: str, after: list[list[Clause]], *, foreign: bool) -> frozenset[str]:
    """The signs that a sentence has from its place in the message."""
    corrects = _CORRECTS.match(one.shadow) or (len(before) <= _BARE_REPLY and _CORRECTS.match(before))
    return frozenset(
        name
        for name, holds in (
            ("asked", one.asked),
            ("document", foreign),
            ("informs", _INFORMS.match(one.shadow)),
            ("corrects", corrects),
            ("complaint", after and after[0] and asks_about_it(after[0][0])),
        )
        if holds
    )


def _hits(
    one: Sentence, parts: list[Clause], text: str, around: frozenset[str], answered: frozenset[str]
) -> Iterator[_Hit]:
    extra = around - {"corrects", "complaint"}
    if not parts:
        if not is_japanese(one.shadow):
            return
        signs, request = japanese_signs(one.shadow)
        worth = log_odds(signs | extra)
        if _confidence(worth) >= CANDIDATE:
            yield _Hit(one.start, one.end, worth, signs, request, one.asked, "")
        return
    for index, clause in enumerate(parts):
        signs = signs_of(parts, index) | extra
        if _asserts(clause, signs):
            signs |= around & {"corrects"}
        if clause.mood == "claim" and index == len(parts) - 1:
            signs |= around & {"complaint"}
        if clause.mood != "claim" or clause.tense != "present" or clause.modal:
            signs -= {"informs"}
        if signs & {"contrast", "corrects"} or clause.negated:
            words = frozenset(_content(text[clause.start : clause.end].lower()))
            signs |= {"answers"} if words & answered else frozenset()
        worth = log_odds(signs)
        if _confidence(worth) >= CANDIDATE:
            first, last = _stretch(parts, index)
            yield _Hit(
                _lead_start(parts[first], text),
                parts[last].end,
                worth,
                signs,
                clause.mood == "order",
                clause.mood == "question",
                _antecedent(parts, index, text),
            )


def _asserts(clause: Clause, signs: frozenset[str]) -> bool:
    """It says how a thing is, not how it should become."""
    if clause.mood != "claim" or clause.tense != "present" or clause.modal:
        return False
    agrees = clause.verb in ("be", "have") or clause.verb.endswith(("s", "ed"))
    return "habit_we" in signs if clause.subject == "we" else clause.subject in _ASSERTED and agrees


def _confidence(worth: float) -> float:
    return 1 / (1 + exp(-worth - _LIFT))


def _lead_start(clause: Clause, text: str) -> int:
    """Where a condition begins with its "when" or "if"."""
    if clause.lead not in g.CONDITIONS:
        return clause.start
    at = text.lower().rfind(clause.lead, max(0, clause.start - len(clause.lead) - 3), clause.start)
    return at if at >= 0 else clause.start


def _stretch(parts: list[Clause], index: int) -> tuple[int, int]:
    """The clause with the conditions, reasons and contrasts that belong to it."""
    first = last = index
    if first and parts[first - 1].lead in g.CONDITIONS and parts[first - 1].mood != "question":
        first -= 1
    while last + 1 < len(parts) and _belongs(parts[last + 1]):
        last += 1
    return first, last


def _belongs(clause: Clause) -> bool:
    if clause.mood in ("order", "question"):
        return False
    return clause.lead in _CONTINUING or clause.subject in (
        "it",
        "they",
    )


def _antecedent(parts: list[Clause], index: int, text: str) -> str:
    """What "it" or "that" stands for: the end of the clause before, when it is short and plain."""
    if parts[index].subject != "it" or not index:
        return ""
    tokens = parts[index - 1].tokens
    stop = len(tokens)
    while stop and tokens[stop - 1].word not in _BORDERS:
        stop -= 1
    chosen = tokens[stop:]
    return text[chosen[0].start : chosen[-1].end] if 0 < len(chosen) < 4 and stop else ""


def _found(hit: _Hit, own: str, shift: int, marked: list[secrets.Finding]) -> Found:
    start, end = (at + (shift if at > _HEAD and shift else 0) for at in (hit.start, hit.end))
    body = _clean(own, hit, shift, marked)
    statement = statement_of(body, order=hit.order, asked=hit.asked, antecedent=hit.antecedent)
    kind: Kind = "fact"
    if hit.signs & _CORRECTIONS:
        kind = "correction"
    elif hit.order or hit.signs & _WISHES:
        kind = "preference"
    because = " ".join(sorted(hit.signs - {"order", "claim", "question", "fragment"}))
    return Found(secrets.redact(statement), start, end, kind, _scope(hit), round(_confidence(hit.worth), 2), because)


def _clean(own: str, hit: _Hit, shift: int, marked: list[secrets.Finding]) -> str:
    """The typed words with every secret of the message taken out, also where only the message shows it is one."""
    body = own[hit.start : hit.end]
    moved = shift if hit.start > _HEAD else 0
    for finding in reversed(marked):
        start, end = finding.start - moved - hit.start, finding.end - moved - hit.start
        if end > 0 and start < len(body):
            body = f"{body[: max(0, start)]}[redacted:{finding.kind}]{body[end:]}"
    return body


def _scope(hit: _Hit) -> Scope:
    """What a person is or likes is theirs; whatever touches the project belongs to it."""
    return "user" if hit.signs & _PERSONAL and not hit.signs & {"in_repo", "habit_we", "tools"} else "repository"


def _distinct(found: list[Found]) -> list[Found]:
    """One finding for one stretch of text: the surest."""
    kept: list[Found] = []
    for one in sorted(found, key=lambda each: (-each.confidence, each.start)):
        if one.statement and all(one.end <= other.start or other.end <= one.start for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda each: each.start)


def _joined(found: list[Found]) -> list[Found]:
    """The findings of one sentence as one, so that "never edit them" keeps what "them" are."""
    if len(found) < 2 or sum(len(one.statement) for one in found) > LONGEST:
        return found
    best = max(found, key=lambda one: one.confidence)
    statement = " ".join(one.statement for one in found)
    scope: Scope = "user" if all(one.scope == "user" for one in found) else "repository"
    return [best._replace(statement=statement, start=found[0].start, end=found[-1].end, scope=scope)]
