"""Whether what a model found was typed, and whether its sentence says no more than that. Pure.

A model may choose and phrase. It can neither invent nor lift from tools: its quote has to stand in the message word for
word, and what applies by itself is the whole sentence around the quote, so that no "not" gets lost at its edge.
"""

from __future__ import annotations

from recollect.memory.correcting.values import values_in
from recollect.memory.gapfill.finding import find_durable
from recollect.memory.gapfill.statements import SHORTEST, statement_of
from recollect.memory.typed_words import own_sentences
from recollect.model.record import Record
from recollect.text.language.lexicon import NEGATIONS
from recollect.text.language.statements import relation
from recollect.text.language.stopwords import STOPWORDS
from recollect.text.terms import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.memory.gapfill.finding import Found
    from recollect.model.entries import Scope

LEAST_SURE, SURE = 0.5, 0.75  # as the rules have it: from here on it waits, and from here on it is stored
# Words that a sentence about what was typed may have besides.
_PLAIN = frozenset(terms("the user this repository project use uses used wants prefers says for of in on at to is are"))
_DENYING = NEGATIONS | {
    "don't",
    "dont",
    "doesn't",
    "isn't",
    "aren't",
    "won't",
    "can't",
    "cannot",
    "nicht",
    "kein",
    "pas",
}


class Answer(Record):
    """What a model says of a message, or of a part of it."""

    turn: int
    kind: str  # rule, fact, preference; order, question, status, chat
    quote: str = ""
    statement: str = ""
    scope: str = ""
    replaces: int = 0  # the number of the entry, as the model was shown it
    confidence: float = 0.0


class Grounded(Record):
    """Words that were typed, as rules put them."""

    said: str  # the whole sentences in which the quote stands; the quote itself where nobody stated it
    statement: str
    scope: Scope
    kind: str  # correction, preference, fact
    stated: bool  # as a sentence of the person's own: nothing asked, quoted or pasted
    found: Found | None = None  # what rules found there by themselves


def ground(answer: Answer, typed: str, *, before: str = "") -> Grounded | None:
    """What the quoted words say; None where they were not typed."""
    quote = _line(answer.quote)
    if len(quote) < SHORTEST or quote not in _line(typed):
        return None
    own = _around(quote, [_line(one) for one in own_sentences(typed)])
    said = own or quote
    found = next((one for one in find_durable(typed, before=before) if is_part(typed[one.start : one.end], said)), None)
    if found:
        return Grounded(said, found.statement, found.scope, found.kind, bool(own), found)
    statement = statement_of(said)
    kind = "fact" if answer.kind == "fact" else "preference"
    return Grounded(said, statement, "repository", kind, bool(own)) if statement else None


def may_apply(grounded: Grounded, answer: Answer, *, passed: bool) -> bool:
    """May it be stored without a person? Rules and model agree on it, or the model has proved itself and is sure."""
    return grounded.stated and (grounded.found is not None or (passed and answer.confidence >= SURE))


def may_wait(grounded: Grounded, answer: Answer, *, passed: bool) -> bool:
    """Is it worth a person's time?"""
    return not passed or grounded.found is not None or answer.confidence >= LEAST_SURE


def keeps_values(statement: str, typed: str, old: str = "") -> bool:
    """Does every name, number, path and unit of a model's sentence stand in what was typed, or in the entry that it
    replaces, and does it deny as much as they do?"""
    if not names_only(statement, f"{typed} {old}"):
        return False
    return _denies(statement) == _denies(typed) or (bool(old) and _denies(statement) == _denies(old))


def names_only(statement: str, text: str) -> bool:
    """Does every name, number, path and unit of a model's sentence stand in a text?"""
    known = _line(text).casefold()
    for value in values_in(statement):
        if value.first and value.kind == "name":
            continue  # the capital of a sentence
        measured = f"{value.text} {value.unit}" if value.kind in ("measure", "amount", "share") and value.unit else ""
        if value.text.casefold() not in known or (measured and _unit_differs(value.text, value.unit, known)):
            return False
    return True


def is_faithful(statement: str, grounded: Grounded, typed: str, old: str = "") -> bool:
    """Does a model's sentence say what was typed, in its words, or in those of the entry that it replaces?"""
    if not statement or not keeps_values(statement, grounded.said, old):
        return False
    known = {*terms(typed), *terms(old), *_PLAIN}
    if not all(term in known or term in STOPWORDS for term in terms(statement)):
        return False
    return bool(old) or relation(statement, grounded.statement) != "opposite"


def _unit_differs(number: str, unit: str, known: str) -> bool:
    return unit.isalpha() and unit not in STOPWORDS and number in known and f"{number} {unit}" not in known


def _denies(text: str) -> bool:
    return any(word.strip(".,;:!?\"'`()") in _DENYING for word in text.casefold().replace("’", "'").split())


def _around(quote: str, sentences: list[str]) -> str:
    """The sentences that a quote stands in; empty when it does not stand in such."""
    whole = " ".join(sentences)
    at = whole.find(quote)
    if at < 0:
        return ""
    touched, start = [], 0
    for one in sentences:
        if start < at + len(quote) and at < start + len(one):
            touched.append(one)
        start += len(one) + 1
    return " ".join(touched)


def is_part(one: str, other: str) -> bool:
    """Does one of two quotes stand in the other?"""
    one, other = _line(one), _line(other)
    return bool(one) and (one in other or other in one)


def _line(text: str) -> str:
    return " ".join(text.split())
