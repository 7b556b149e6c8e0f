"""What a clause shows of being durable: general or of the moment, about how things stand or about the task at hand.

A sign is a name; gapfill_weights says what each is worth. Signs rest on closed-class words, tense, mood and subject.
"""

from __future__ import annotations

import re

from recollect.model.record import Record
from recollect.text import grammar as g
from recollect.text import lexicon
from recollect.text.clauses import Clause

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_STANDING = re.compile(
    r"\b(?:from (?:now|here|this point|today) on(?:wards?)?|going forwards?|moving forwards?|(?:each|every) ?time|whenever"
    r"|in (?:the )?future(?= *$| *,| please)|at all times|as a (?:general )?rule|in general|by convention"
    r"|remember (?:that|to)|(?:keep|bear) in mind|(?:do not|never) forget|under no circumstances?|no matter (?:what|how))\b"
)
_IN_REPO = re.compile(
    r"\b(?:in|across|throughout|for) (?:this|our|the) (?:entire |whole )?(?:repo|repository|project|codebase|team)\b"
)
_POSSIBLE = re.compile(r"\b(?:where|when|wherever|whenever|as (?:much|far|often) as) (?:ever )?possible\b|\bby default\b")
_ENDED = re.compile(r"\b(?:no longer|any ?more)\b")
_TOLD = re.compile(
    r"\b(?:i (?:have )?(?:already |just )?(?:told|asked) you|(?:like|as) i (?:have )?(?:already )?(?:said|told|mentioned|"
    r"asked)|how many times|you (?:keep|kept) \w+ing|we (?:have )?(?:already )?(?:agreed|decided|settled)|you (?:always|again))\b"
)
_THOUGHT = re.compile(r"\bi thought (?:that )?we\b")
_PREFERS = re.compile(
    r"\b(?:i|we) (?:would |do )?(?:really |strongly |always |usually |generally |personally |much )*"
    r"(?:prefer|hate|dislike|rather)\b|\b(?:my|our) preference\b|\bi (?:do not|never) (?:like|want) (?:it when|when|to see|any)\b"
    r"|\bi (?:really |always )?like (?:it when|when|my|our|to have)\b"
)
_MEMORY = re.compile(
    r"\b(?:remember|memori[sz]e|note|save|store|record|add|put|write|document|log|keep)\b.{0,60}?\b(?:memory|memories|learnings?"
    r"|next (?:time|session)s?|future (?:sessions?|reference))\b|\bremember (?:this|that|to|:)|\bmemori[sz]e\b"
)
_ACCESS = re.compile(
    r"\byou (?:do not |now |already |also |should |still )*(?:have|can|could|are|cannot)\b.{0,40}?\b(?:access|permissions?|rights?"
    r"|credentials?|keys?|yourself|internet|network|sudo|root|sandbox(?:ed)?|able|allowed)\b"
)
_CONTRAST = re.compile(
    r"\b(?:instead of|rather than)\b|, not \w|\b(?:use|call|name|is|are|with|in|on|to|by) \S+ not (?!sure|yet|only|just|be|work)\S+"
    r"|\bnot \S+ but\b"
)
_RHETORIC = re.compile(
    r"^(?:\w+ ){0,2}why (?:are|do|did|is|would|were|have|has|not|am|does)\b.*\b(?:still|again|rather|instead|keep)\b"
)
_WORK = (
    "writing committing pushing testing coding editing refactoring implementing creating making reviewing debugging deploying"
    " answering responding replying explaining generating finishing working fixing changing touching merging planning naming"
).replace(" ", "|")
_PROCESS = re.compile(
    rf"^(?:when|whenever|before|after|if|once|unless) (?:ever )?(?:you\b|(?:{_WORK})\b|i (?:say|ask|tell|type|mention)\b)"
)
_GENERIC_IF = re.compile(r"^(?:if|when|in case) .*\b(?:any|anything|ever|unsure|doubt|unclear|you (?:need|have|want) to)\b")
_CONSENT = re.compile(
    r"\b(?:without|unless|until|before)\b.*\b(?:asking|permission|approval|consent|(?:i|me) (?:say|tell|ask|approve|confirm|told))\b"
    r"|\bask (?:me )?(?:first|before)\b"
)
_SYMPTOM = re.compile(
    r"\b(?:errors?|fail(?:s|ed|ing|ure|ures)?|broken?|breaks|bugs?|bugged|crash(?:es|ed|ing)?|wrong|weird|issues?|stuck|missing"
    r"|slow|flaky|problems?|warnings?|exceptions?|hangs?|freezes?|regression)\b"
)
_FORBIDDEN = re.compile(r"\bnot (?:allowed|permitted|supposed) to\b|\b(?:forbidden|prohibited|off limits|mandatory)\b")
_DEFINITE = frozenset("the this that these those it them him her".split())
_THINGS = frozenset("the our my name plural all other".split())
_OF_THE_MOMENT = frozenset(
    "issue problem question bug error idea goal reason point thing thinking assumption task plan result fix next suggestion"
    " option way answer pr branch commit step test tests screenshot build page button here there above below".split()
)
_SELF = g.STANDING - frozenset("want need run expect assume like allow test build write commit merge".split())
_CHOICES = frozenset("use prefer run install switch stick deploy write choose pick keep adopt migrate".split())


class View(Record):
    """A clause with what its signs are read from."""

    clause: Clause
    words: frozenset[str]
    plain: str
    object_: tuple[str, ...]  # the words behind the verb
    kinds: frozenset[str]  # of the tokens behind the verb
    before: Clause | None
    after: Clause | None


def signs_of(clauses: Sequence[Clause], index: int) -> frozenset[str]:
    """All signs of one clause, seen among its neighbours in the sentence."""
    clause = clauses[index]
    words = clause.words()
    tail = clause.tokens[clause.verb_at + 1 :] if clause.verb_at >= 0 else ()
    view = View(
        clause,
        frozenset(words),
        " ".join(words),
        tuple(token.word for token in tail),
        frozenset(token.kind for token in tail),
        clauses[index - 1] if index else None,
        clauses[index + 1] if index + 1 < len(clauses) else None,
    )
    found = _common(view)
    if clause.mood == "order":
        found |= _order(view)
    elif clause.mood == "claim":
        found |= _claim(view)
    elif clause.mood == "question" and _RHETORIC.search(view.plain):
        found.add("rhetoric")
    return frozenset(found)


def _holding(*pairs: tuple[str, object]) -> set[str]:
    return {name for name, holds in pairs if holds}


def _common(view: View) -> set[str]:
    clause, words, plain = view.clause, view.words, view.plain
    stated = clause.mood != "question"
    return {clause.mood} | _holding(
        ("standing", stated and _STANDING.search(plain)),
        ("in_repo", stated and _IN_REPO.search(plain)),
        ("memory", _MEMORY.search(plain)),
        ("told", stated and _TOLD.search(plain)),
        ("contrast", stated and _CONTRAST.search(plain)),
        ("consent", stated and _CONSENT.search(plain)),
        ("forbidden", stated and _FORBIDDEN.search(plain)),
        ("hedged", words & g.HEDGES),
        ("deictic", words & g.DEICTIC or "for now" in plain),
        ("symptom", _SYMPTOM.search(plain)),
        ("condition", clause.lead in g.CONDITIONS),
        (clause.tense, clause.tense in ("past", "progressive", "perfect", "future")),
        ("tools", stated and _is_tool_choice(view)),
        ("unless_told", view.after and view.after.lead in ("unless", "until", "before") and _is_consent(view.after)),
    )


def _is_consent(clause: Clause) -> bool:
    return bool(_CONSENT.search(_with_lead(clause)))


def _is_tool_choice(view: View) -> bool:
    """Two alternatives of one group of tools, one chosen over the other."""
    if view.clause.verb not in _CHOICES or not _CONTRAST.search(view.plain) and "not" not in view.words:
        return False
    groups = [set(lexicon.groups_of(lexicon.canonical(word))) for word in view.object_]
    named = [group for group in groups if group]
    return len(named) > 1 and not named[0].isdisjoint(named[1])


def _with_lead(clause: Clause) -> str:
    return f"{clause.lead} {' '.join(clause.words())}"


def _follows(view: View, pattern: re.Pattern[str]) -> bool:
    """A condition beside this clause fits."""
    return any(
        other is not None and other.lead in g.CONDITIONS and pattern.search(_with_lead(other))
        for other in (view.before, view.after)
    )


def _is_explained(view: View) -> bool:
    """A reason follows that holds in general."""
    after = view.after
    return after is not None and after.lead in g.REASONS - {"so"} and after.tense in ("present", "")


def _order(view: View) -> set[str]:
    clause, words = view.clause, view.words
    definite = not _DEFINITE.isdisjoint(view.object_[:4]) or not {"name", "code"}.isdisjoint(view.kinds)
    own = clause.tokens[clause.verb_at - 1].word if clause.verb_at else ""
    talk = words & g.SPEECH and ("your" in words or clause.verb in ("reply", "respond", "answer", "speak", "talk", "be"))
    return _holding(
        ("ever_order", own in ("always", "never") or (clause.negated and "ever" in words)),
        ("possible", _POSSIBLE.search(view.plain)),
        ("general_no", clause.negated and not definite and "a" not in view.object_[:1] and "just" not in words),
        ("no_because", clause.negated and _is_explained(view)),
        ("definite", definite),
        ("speech", talk),
        ("process", _follows(view, _PROCESS) and clause.verb != "let"),
        ("generic_if", _follows(view, _GENERIC_IF) and clause.verb not in ("let", "tell")),
    )


def _claim(view: View) -> set[str]:
    clause, words, plain = view.clause, view.words, view.plain
    subject = clause.subject
    general = clause.lead not in g.CONDITIONS and clause.tense == "present"
    lasting = general or (clause.modal == "will" and "always" in words)
    found = _holding(
        ("prefers", _PREFERS.search(plain)),
        ("thought", _THOUGHT.search(plain)),
        ("access", subject == "you" and _ACCESS.search(plain) and clause.lead not in g.CONDITIONS),
        ("ended", general and _ENDED.search(plain) and words & g.ENDINGS and plain.find("it is no longer needed") < 0),
        ("changed", clause.verb in g.CHANGED and words & g.BE),
        ("ever_claim", lasting and words & g.FREQUENCY and subject in ("we", "i", "you", "all", "plural", "my", "our", "the")),
        ("decision", subject == "we" and clause.modal == "will" and clause.verb in g.STANDING | {"drop", "switch", "migrate"}),
        ("explained", _is_explained(view)),
    )
    if general and clause.modal in ("must", "should", "shall", "can", "may"):
        found |= _duty(view)
    elif general and not clause.modal:
        found |= _present(view)
    if subject in ("i", "we") and clause.verb == "want" and general:
        found |= _want(view)
    return found


def _duty(view: View) -> set[str]:
    clause, words = view.clause, view.words
    relative = any(token.word in ("i", "we", "you") for token in clause.tokens[1 : clause.verb_at])
    return _holding(
        ("universal_duty", clause.subject == "all" and not relative),
        ("plural_duty", clause.subject == "plural"),
        ("ever_duty", words & {"never", "always", "ever"}),
        ("only_duty", "only" in words),
        ("must_not", clause.negated and clause.modal != "can"),
        ("you_duty", clause.subject == "you" and clause.modal in ("must", "should")),
        ("process", _follows(view, _PROCESS)),
        ("generic_if", _follows(view, _GENERIC_IF)),
    ) | {"duty"}


def _want(view: View) -> set[str]:
    clause, words = view.clause, view.words
    first = view.object_[0] if view.object_ else ""
    return _holding(
        ("want_object", first not in ("to", "you") and "to" in view.object_[:8]),
        ("want_rule", words & {"always", "never", "every", "whenever", "automatically"} or _follows(view, _PROCESS)),
        ("want_goal", clause.subject == "we" and first not in ("to", "you", "a", "the", "this", "that", "it")),
    )


def _present(view: View) -> set[str]:
    clause, words = view.clause, view.words
    subject, verb = clause.subject, clause.verb
    at = clause.tokens[clause.verb_at].word
    named = not view.kinds.isdisjoint(("name", "link", "code", "number"))
    placed = named or not g.PREPOSITIONS.isdisjoint(view.object_)
    thing = subject in _THINGS and _OF_THE_MOMENT.isdisjoint(token.word for token in clause.tokens[: clause.verb_at - 1])
    return _holding(
        ("habit_we", subject == "we" and verb not in ("want", "need") and (verb in g.STANDING or verb not in g.MIND)),
        ("need_not", subject == "we" and verb == "need" and clause.negated),
        ("habit_i", subject == "i" and verb in _SELF),
        ("have_at", subject in ("we", "i") and verb == "have" and "link" in view.kinds),
        ("identity", verb == "be" and (subject in ("my", "our") and thing)),
        ("identity", verb == "be" and subject == "i" and at in ("a", "an", "on", "new")),
        ("state", thing and verb in g.STATES and placed),
        ("state_verb", thing and verb in g.STATE_VERBS and named),
        ("lacks", thing and verb in g.STATE_VERBS and (clause.negated or "only" in words)),
        ("nominal", thing and verb == "be" and at in ("a", "an", "the", "our", "my")),
        ("located", thing and verb == "be" and at in ("in", "at", "on", "under", "inside") and named),
        ("generic_be", subject in ("plural", "all") and verb == "be" and thing),
    )
