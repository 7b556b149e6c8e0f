"""What a clause shows of being durable: its mechanisms, and what speaks for or against them."""

from __future__ import annotations

import re

from recollect.model.record import Record
from recollect.text import grammar as g
from recollect.text.clauses import Clause, Token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# Phrases of generality; closed-class words only.
_STANDING = re.compile(
    r"\b(?:from (?:now|here|this point) on(?:wards?)?|going forwards?|in (?:the )?future(?= *$|,| please)|"
    r"(?:each|every) ?time|whenever|at all times|as a (?:general )?rule|in general|"
    r"by convention|remember (?:that|to)|keep in mind|bear in mind|(?:do not|never) forget|under no circumstances?|"
    r"once and for all|no matter (?:what|how|which))\b"
)
_IN_REPO = re.compile(
    r"\b(?:in|across|throughout|for) (?:this|our|the) (?:entire |whole )?(?:repo|repository|project|codebase|code base|team)\b"
)
_POSSIBLE = re.compile(r"\b(?:where|when|wherever|whenever|if|as (?:much|far|often) as) (?:ever )?possible\b|\bby default\b")
_ENDED = re.compile(r"\b(?:no longer|any ?more)\b")
_TOLD = re.compile(
    r"\b(?:i (?:have )?(?:already |just )?(?:told|asked) you|(?:like|as) i (?:have )?(?:said|told|mentioned|asked)|i said|how "
    r"many times|you (?:keep|kept|always|again)|we (?:have )?(?:already )?(?:agreed|decided|discussed|settled|went over))\b"
)
_THOUGHT = re.compile(r"\bi thought (?:that )?(?:we|you|our|the|this|it)\b")
_PREFERS = re.compile(
    r"\b(?:i|we) (?:would |do )?(?:really |strongly |always |usually |generally |personally |much )*"
    r"(?:prefer|hate|dislike|favou?r|rather)\b|\b(?:my|our) preference\b|\bi (?:do not|never) (?:like|want) (?:you|it when|"
    r"when|to see|any|my|our)\b|\bi (?:really |always )?like (?:it when|when|my|our|to have)\b"
)
_MEMORY = re.compile(
    r"\b(?:remember|memori[sz]e|note|save|store|record|add|put|write|document|log|keep)\b.{0,60}?\b(?:memory|memories|"
    r"learnings?|for (?:the )?(?:future|next)|next (?:time|session)s?|future sessions?)\b|\bremember (?:this|that|to|:)|"
    r"\bmemori[sz]e\b|\bfor future reference\b"
)
_ACCESS = re.compile(
    r"\byou (?:do not |now |already |also |should |still )*(?:have|can|could|are able|are allowed|are not allowed|cannot)\b"
    r".{0,30}?\b(?:access|permissions?|rights?|credentials?|keys?|yourself|internet|network|sudo|root)\b"
)
_CONTRAST = re.compile(r"\b(?:instead of|rather than|over)\b|(?:,|\band\b|\b\w+) not (?!sure|yet|that|only|just|be|have|work)")
_RHETORIC = re.compile(r"^(?:\w+,? )?why (?:are|do|did|is|would|were|have|has|not|am|does)\b.*\b(?:still|again|rather|instead|keep)\b")
_PROCESS = re.compile(r"^(?:when|whenever|before|after|if|once|while|unless) (?:ever )?(?:you|\w+ing\b|i (?:say|ask|tell|type|mention))")
_SYMPTOM = re.compile(
    r"\b(?:error|errors|fail|fails|failed|failing|failure|broken|breaks|bug|bugs|crash|crashes|wrong|weird|issue|issues|"
    r"stuck|missing|slow|flaky|problem|warning|warnings|exception)\b"
)
_DEFINITE = frozenset("the this that these those it them him her".split())


class Signs(Record):
    """The names of what was found in a clause, and the text of its words."""

    names: frozenset[str]
    plain: str


def signs_of(clauses: Sequence[Clause], index: int) -> Signs:
    """All signs of one clause, seen among its neighbours in the sentence."""
    clause = clauses[index]
    plain = " ".join(token.word for token in clause.tokens)
    following = clauses[index + 1] if index + 1 < len(clauses) else None
    preceding = clauses[index - 1] if index else None
    found: set[str] = set()
    words = set(clause.words())
    if clause.mood == "order":
        found.update(_order_signs(clause, words, plain, following, preceding))
    elif clause.mood == "claim":
        found.update(_claim_signs(clause, words, plain, following, preceding))
    elif clause.mood == "question":
        if _RHETORIC.search(plain):
            found.add("rhetoric")
    found.update(_common_signs(clause, words, plain))
    return Signs(frozenset(found), plain)


def _common_signs(clause: Clause, words: set[str], plain: str) -> set[str]:
    found = {clause.mood}
    if clause.mood in ("order", "claim", "fragment") and _STANDING.search(plain):
        found.add("standing")
    if _IN_REPO.search(plain):
        found.add("in_repo")
    if _POSSIBLE.search(plain):
        found.add("possible")
    if _MEMORY.search(plain):
        found.add("memory")
    if _TOLD.search(plain):
        found.add("told")
    if _CONTRAST.search(plain):
        found.add("contrast")
    if words & g.HEDGES and not _THOUGHT.search(plain):
        found.add("hedged")
    if words & g.DEICTIC or "for now" in plain or "right now" in plain:
        found.add("deictic")
    if words & g.LATELY:
        found.add("lately")
    if _SYMPTOM.search(plain):
        found.add("symptom")
    if any(token.kind in ("name", "code", "link") for token in clause.tokens):
        found.add("named")
    if clause.lead in g.REASONS:
        found.add("reason")
    if clause.lead in g.CONDITIONS:
        found.add("condition")
    if clause.tense in ("past", "perfect", "progressive", "future"):
        found.add(clause.tense)
    return found


def _order_signs(
    clause: Clause, words: set[str], plain: str, following: Clause | None, preceding: Clause | None
) -> set[str]:
    found: set[str] = set()
    object_ = [token for token in clause.tokens[clause.verb_at + 1 :]]
    definite = any(token.word in _DEFINITE or token.kind in ("name", "code") for token in object_[:5])
    if "always" in words or "never" in words or "ever" in words:
        found.add("ever_order")
    if clause.negated:
        found.add("prohibition")
        found.add("definite_no" if definite else "general_no")
        if following and following.lead in g.REASONS - {"so"} and following.tense != "past":
            found.add("because")
    elif definite:
        found.add("definite")
    if words & g.SPEECH and (
        "your" in words or clause.verb in ("reply", "respond", "answer", "speak", "talk", "be", "keep", "explain")
    ):
        found.add("speech")
    if preceding and preceding.lead in g.CONDITIONS and _PROCESS.search(_with_lead(preceding)):
        found.add("process")
    if following and following.lead in ("when", "whenever", "before", "after", "if") and _PROCESS.search(_with_lead(following)):
        found.add("process")
    return found


def _with_lead(clause: Clause) -> str:
    return f"{clause.lead} {' '.join(clause.words())}"


def _claim_signs(
    clause: Clause, words: set[str], plain: str, following: Clause | None, preceding: Clause | None
) -> set[str]:
    found: set[str] = {f"subject_{clause.subject}"}
    tail = clause.tokens[clause.verb_at + 1 :]
    present = clause.tense == "present" and clause.lead not in g.CONDITIONS
    placed = any(token.kind in ("name", "code", "link") or token.word in g.PREPOSITIONS for token in tail)
    if present and not clause.modal:
        found.update(_present_signs(clause, words, tail, placed))
    if _ENDED.search(plain) and (words & g.ENDINGS) and present and not (clause.subject == "it" and clause.verb == "needed"):
        found.add("ended")
    if words & g.CHANGED and clause.verb in g.CHANGED and "by" in words | {"by"}:
        found.add("changed")
    if present and clause.modal in ("must", "should", "shall", "can", "may"):
        if clause.subject == "all" and clause.tokens[clause.verb_at - 2].word not in ("i", "we", "you"):
            found.add("universal_duty")
        if clause.subject == "plural":
            found.add("plural_duty")
        if words & {"never", "always", "ever", "only"}:
            found.add("ever_duty")
        if clause.negated and clause.modal != "can":
            found.add("must_not")
        if clause.subject == "you":
            found.add("you_duty")
        found.add("duty")
    if present and words & g.FREQUENCY and clause.subject in ("we", "i", "you", "all", "plural", "my", "our", "the", "name"):
        found.add("ever_claim")
    if _PREFERS.search(plain):
        found.add("prefers")
    if clause.subject in ("i", "we") and clause.verb == "want":
        found.add("wants")
    if _THOUGHT.search(plain):
        found.add("thought")
    if _ACCESS.search(plain):
        found.add("access")
    if preceding and preceding.lead in g.CONDITIONS and _PROCESS.search(_with_lead(preceding)) and clause.modal:
        found.add("process")
    if following and following.lead in g.REASONS - {"so"} and following.tense != "past":
        found.add("because")
    return found


_THINGS = frozenset("the our my name plural all other".split())
_ROLES_OF_THE_MOMENT = frozenset(
    "issue problem question bug error idea goal reason point thing thinking assumption task plan result fix next"
    " suggestion option way answer".split()
)


def _present_signs(clause: Clause, words: set[str], tail: Sequence[Token], placed: bool) -> set[str]:
    found: set[str] = set()
    subject, verb = clause.subject, clause.verb
    named = any(token.kind in ("name", "link", "code", "number") for token in tail)
    at = clause.tokens[clause.verb_at].word
    if subject == "we" and (verb in g.STANDING or verb not in g.MIND) and verb not in ("want", "need"):
        found.add("habit_we")
    if subject == "we" and verb == "need" and clause.negated:
        found.add("need_not")
    if subject == "i" and verb in g.STANDING - {"want", "need", "run", "expect", "assume", "like", "allow"}:
        found.add("habit_i")
    if subject in ("we", "i") and verb == "have" and named:
        found.add("have_at")
    if subject in ("my", "our") and verb == "be":
        found.add("identity")
    if subject == "i" and verb == "be" and at in ("a", "an", "on", "new", "using", "running"):
        found.add("identity")
    if subject in _THINGS and not words & _ROLES_OF_THE_MOMENT:
        if verb in g.STATES and placed:
            found.add("state")
        if verb in g.STATE_VERBS and placed:
            found.add("state_verb")
        if verb in g.STATE_VERBS and (clause.negated or "only" in words):
            found.add("lacks")
        if verb == "be" and at in ("a", "an", "the", "our", "my"):
            found.add("nominal")
        if verb == "be" and at in ("in", "at", "on", "under", "inside") and named:
            found.add("located")
        if subject in ("plural", "all") and verb == "be":
            found.add("generic_be")
    if verb == "be" and subject == "it" and at in ("a", "an", "the", "our", "my"):
        found.add("nominal_it")
    if subject in ("i", "we") and verb == "want":
        after = [token.word for token in tail[:8]]
        first = at if verb != at else (after[0] if after else "")
        if first not in ("to", "you") and "to" in after:
            found.add("want_object")
    return found
