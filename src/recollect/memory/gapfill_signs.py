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
    r"|remember (?:that|to)|next time|(?:keep|bear) in mind|(?:do not|never) forget|under no circumstances?|no matter (?:what|how))\b"
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
_THOUGHT = re.compile(r"\bi thought (?:that )?we (?!had|have|were|are|could|would|should|might|need|can|will)")
_PREFERS = re.compile(
    r"\b(?:i|we) (?:would |do )?(?:really |strongly |always |usually |generally |personally |much )*"
    r"(?:prefer|hate|dislike|rather)\b|\b(?:my|our) preference\b|\bi (?:do not|never) (?:like|want) (?:it when|when|to see|any)\b"
    r"|\bi (?:really |always )?like (?:it when|when|my|our|to have|\w+ (?:more|better) than)\b"
)
_MEMORY = re.compile(
    r"\b(?:remember|memori[sz]e|note|save|store|record|add|put|write|document|log|keep)\b.{0,60}?\b(?:memory|memories|learnings?"
    r"|next (?:time|session)s?|future (?:sessions?|reference))\b|\bremember (?:this|that|to|:)|\bmemori[sz]e\b"
)
_ACCESS = re.compile(
    r"\byou (?:do not |now |already |also |should |still )*(?:have|can|could|are|cannot)\b.{0,40}?\b(?:access|permissions?|rights?"
    r"|credentials?|keys?|yourself|internet|network|sudo|root|sandbox(?:ed)?|able|allowed)\b"
)
_OVER = re.compile(r"\b(?:instead of|rather than)\b|\bnot \S+ but\b")
_RHETORIC = re.compile(
    r"\bwhy (?:are|do|did|would|have|not) (?:not )?(?:you|we)\b.*\b(?:still|again|rather|instead|keep)\b"
    r"|\bwhy (?:is|are|do|did|was|were)\b.*\b(?:rather than|instead of)\b"
)
_WORK = (
    "writing committing pushing testing coding editing refactoring implementing creating making reviewing debugging deploying"
    " answering responding replying explaining generating finishing working fixing changing touching merging planning naming"
).replace(" ", "|")
_PROCESS = re.compile(
    rf"^(?:(?:when|whenever|before|after|if|once|unless) (?:ever )?(?:you\b|(?:{_WORK})\b|i (?:say|ask|tell|type|mention)\b)"
    r"|(?:before|after) \w+ing\b)"
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
_FORBIDDEN = re.compile(r"\bnot (?:allowed|permitted) to\b|\b(?:forbidden|prohibited|off limits|mandatory)\b")
_DEFINITE = frozenset("the this that these those it them him her".split())
_THINGS = frozenset("the our my name plural all other".split())
_OF_THE_MOMENT = frozenset(
    "issue problem question bug error idea goal reason point thing thinking assumption task plan result fix next suggestion"
    " option way answer pr step screenshot build page button modal menu here there above below output row rows".split()
)
_SELF = frozenset(
    "use prefer work deploy host maintain own speak live manage avoid hate dislike favor favour develop review approve".split()
)
_CHOICES = frozenset("use prefer run install switch stick deploy write choose pick keep adopt migrate".split())


_DECIDED = frozenset("use adopt support drop switch migrate move keep stick rely deploy host target require".split())
_TALKING = frozenset("explain summarize summarise apologise apologize repeat suggest offer recommend praise thank".split())
_SPEAKING = frozenset("reply respond answer speak talk be write explain".split())
_NOT_A_NAME = g.PREPOSITIONS | g.ADVERBS | frozenset("twice once wrong wrongly again when after before . ,".split())
_SHOWN_NOW = frozenset("this that these those it option first second third latter former".split())


class View(Record):
    """A clause with what its signs are read from."""

    clause: Clause
    words: frozenset[str]
    plain: str
    object_: tuple[str, ...]  # the words behind the verb
    kinds: frozenset[str]  # of the tokens behind the verb
    before: Clause | None
    after: Clause | None
    second: bool  # the second clause of its sentence


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
        index == 1,
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
    standing = stated and _STANDING.search(plain)
    return {clause.mood} | _holding(
        ("standing", standing or (stated and view.before and view.before.lead == "whenever")),
        ("in_repo", stated and _IN_REPO.search(plain)),
        ("memory", _MEMORY.search(plain)),
        ("told", stated and _TOLD.search(plain)),
        ("contrast", stated and _is_contrast(view)),
        ("consent", stated and _CONSENT.search(plain)),
        ("consent", clause.verb == "ask" and view.after and view.after.lead == "before"),
        ("consent", view.after and view.after.lead in ("unless", "until", "before") and _is_consent(view.after)),
        ("forbidden", stated and _FORBIDDEN.search(plain)),
        ("hedged", words & g.HEDGES),
        ("deictic", not standing and (words & g.DEICTIC or "for now" in plain or "at the moment" in plain)),
        ("symptom", _SYMPTOM.search(plain)),
        ("condition", stated and clause.lead in g.CONDITIONS),
        ("remembered", view.before and clause.lead == "that" and view.before.verb in ("remember", "note")),
        (clause.tense, clause.tense in ("past", "progressive", "perfect", "future")),
        ("tools", stated and _is_tool_choice(view)),
    )


def _is_contrast(view: View) -> bool:
    """This, not that."""
    if _OVER.search(view.plain):
        return True
    words = view.clause.words()
    return any(
        word == "not" and at > 1 and words[at - 1] not in g.AUXILIARIES and words[at + 1] not in ("sure", "yet", "only", "just")
        for at, word in enumerate(words[:-1])
    )


def _is_consent(clause: Clause) -> bool:
    return bool(_CONSENT.search(_with_lead(clause)))


def _is_tool_choice(view: View) -> bool:
    """Two alternatives of one group of tools, one chosen over the other."""
    if view.clause.verb not in _CHOICES or not _is_contrast(view):
        return False
    groups = [set(_groups(word)) for word in view.object_]
    named = [group for group in groups if group]
    return len(named) > 1 and not named[0].isdisjoint(named[1])


def _groups(word: str) -> tuple[str, ...]:
    return lexicon.groups_of(lexicon.canonical(word))


def _with_lead(clause: Clause) -> str:
    return f"{clause.lead} {' '.join(clause.words())}"


def _follows(view: View, pattern: re.Pattern[str]) -> bool:
    """A condition beside this clause fits. A closing "if you like" belongs to a request."""
    before, after = view.before, view.after
    return bool(
        (before is not None and before.lead in g.CONDITIONS and pattern.search(_with_lead(before)))
        or (after is not None and after.lead in g.CONDITIONS - {"if", "once"} and pattern.search(_with_lead(after)))
    )


def _is_explained(view: View) -> bool:
    """A reason follows that holds in general."""
    after = view.after
    if after is None or after.tense not in ("present", ""):
        return False
    return after.lead in g.REASONS - {"so"} or (after.lead == "" and after.subject in ("they", "it"))


def _order(view: View) -> set[str]:
    clause, words = view.clause, view.words
    first = view.object_[0] if view.object_ else ""
    definite = not _DEFINITE.isdisjoint(view.object_[:4]) or not {"name", "code"}.isdisjoint(view.kinds)
    every = [token.word for token in clause.tokens]
    ever = any(one in ("always", "never") and two in g.ORDERS for one, two in zip(every, every[1:], strict=False))
    manner = words & g.MANNER or any("language of communication" in _groups(word) for word in view.object_)
    talk = manner and (clause.verb in _SPEAKING or "your" in words)
    stops = clause.verb in ("stop", "avoid", "quit") and first.endswith("ing")
    return _holding(
        ("ever_order", ever or (clause.negated and "ever" in words)),
        ("possible", _POSSIBLE.search(view.plain)),
        ("stops", stops),
        ("quiet", clause.negated and clause.verb in _TALKING),
        ("no_in_general", clause.negated and first not in _SHOWN_NOW | {"them"} and _is_placed_in_general(view)),
        ("tool", clause.verb in ("use", "prefer") and not clause.negated and _names_choice(view)),
        ("everywhere", words & {"everywhere", "all", "every", "each", "any"}),
        ("prefers", clause.verb == "prefer" and first not in _SHOWN_NOW),
        ("general_no", clause.negated and not definite and first != "a" and "just" not in words),
        ("no_because", clause.negated and _is_explained(view) and first not in _SHOWN_NOW),
        ("speech", talk),
        ("process", _follows(view, _PROCESS) and clause.verb != "let"),
        ("generic_if", view.second and _follows(view, _GENERIC_IF) and clause.verb not in ("let", "tell")),
    )


def _is_placed_in_general(view: View) -> bool:
    """In tests, for variable names: a place without an article is any such place."""
    words = view.object_
    for at, word in enumerate(words[:-1]):
        if word in ("in", "for", "on", "with", "inside"):
            phrase = [one for one in words[at + 1 : at + 4] if one.isalpha()]
            if phrase and phrase[0] not in g.DETERMINERS and any(one.endswith("s") and one in g.PRACTICE for one in phrase):
                return True
    return False


def _names_choice(view: View) -> bool:
    """One of the things developers choose between: tabs, single quotes, pytest."""
    words = view.object_[:4]
    return any(_groups(word) for word in words) or any(
        _groups(f"{one} {two}") for one, two in zip(words, words[1:], strict=False)
    )


def _claim(view: View) -> set[str]:
    clause, words, plain = view.clause, view.words, view.plain
    subject = clause.subject
    general = clause.lead not in g.CONDITIONS and clause.tense == "present"
    lasting = (general and not clause.modal) or (clause.modal == "will" and "always" in words)
    shown = not _SHOWN_NOW.isdisjoint(view.object_[:2])
    found = _holding(
        ("prefers", _PREFERS.search(plain) and not shown),
        ("thought", _THOUGHT.search(plain)),
        ("access", subject == "you" and _ACCESS.search(plain) and clause.lead not in g.CONDITIONS),
        ("you_cannot", subject == "you" and clause.modal == "can" and clause.negated),
        ("ended", general and _ENDED.search(plain) and _is_over(view)),
        ("changed", clause.verb in g.CHANGED and words & g.BE),
        ("moved", subject == "we" and clause.verb in g.MOVES and view.object_),
        ("ever_claim", lasting and words & g.FREQUENCY and _is_rule_subject(view)),
        ("decision", subject == "we" and clause.modal == "will" and clause.verb in _DECIDED),
        ("explained", _is_explained(view)),
        ("corrects", general and subject in _THINGS | {"we"} and view.before and _TOLD.search(_with_lead(view.before).strip())),
    )
    if subject == "we" and clause.verb in ("using", "targeting", "hosting", "deploying"):
        found.add("habit_we")
    if general and clause.modal in ("must", "should", "shall", "can", "may"):
        found |= _duty(view)
    elif general and not clause.modal:
        found |= _present(view)
    if subject in ("i", "we") and clause.verb == "want" and general:
        found |= _want(view)
    return found


def _is_over(view: View) -> bool:
    """No longer done by somebody, or no longer used; what no longer works is a symptom."""
    subject, words = view.clause.subject, view.words
    if subject == "it" and view.clause.verb == "needed":
        return False
    acted = subject in ("we", "i", "all") and (view.clause.verb not in g.MIND or view.clause.verb in g.STANDING)
    return acted or bool(words & g.ENDINGS)


def _is_rule_subject(view: View) -> bool:
    """What always holds of us and of any such thing; what always happens to me or to it is a symptom."""
    subject, words = view.clause.subject, view.words
    if "not always" in view.plain or "instead of" in view.plain or (subject == "i" and view.clause.verb not in _SELF):
        return False
    return subject in ("we", "i", "you", "all", "plural", "my", "our") or (subject == "the" and "will" in words)


def _duty(view: View) -> set[str]:
    clause, words = view.clause, view.words
    head = {token.word for token in clause.tokens[: clause.subject_end]}
    relative = not head.isdisjoint(("i", "we", "you"))
    return _holding(
        ("universal_duty", clause.subject == "all" and not relative),
        ("plural_duty", clause.subject == "plural"),
        ("ever_duty", words & {"never", "always", "ever"} and clause.subject not in ("the", "it")),
        ("practice_duty", clause.subject in ("plural", "all") and head & g.PRACTICE),
        ("only_duty", "only" in words),
        ("plural_not", clause.subject == "plural" and clause.negated),
        ("must_not", clause.negated and clause.modal != "can"),
        ("you_duty", clause.subject == "you" and clause.modal in ("must", "should")),
        ("process", _follows(view, _PROCESS)),
        ("generic_if", view.second and _follows(view, _GENERIC_IF)),
    ) | {"duty"}


def _want(view: View) -> set[str]:
    clause, words = view.clause, view.words
    first = view.object_[0] if view.object_ else ""
    return _holding(
        ("want_no", clause.negated and first not in _DEFINITE | {"to", "you"} and "to" in view.object_[:8]),
        ("want_object", first not in ("to", "you") and "to" in view.object_[:8]),
        ("want_rule", words & {"always", "never", "every", "whenever", "automatically"} or _follows(view, _PROCESS)),
        ("want_goal", clause.subject == "we" and first not in ("to", "you", "a", "the", "this", "that", "it")),
    )


def _present(view: View) -> set[str]:
    clause = view.clause
    subject, verb = clause.subject, clause.verb
    at = clause.tokens[clause.verb_at].word
    first = view.object_[0] if view.object_ else ""
    whole = first != "" and first not in g.AUXILIARIES and first not in _SHOWN_NOW
    named = not view.kinds.isdisjoint(("name", "link", "code", "number"))
    return _holding(
        ("habit_we", subject == "we" and _is_habit(view)),
        ("need_not", subject == "we" and verb == "need" and clause.negated),
        ("identity", subject in ("we", "i") and verb == "be" and at in ("a", "an")),
        ("identity", subject == "i" and verb == "be" and at == "on" and any("operating system" in _groups(w) for w in view.object_)),
        ("habit_i", subject == "i" and verb in _SELF and whole and first not in _DEFINITE),
        ("project_is", subject == "it" and verb == "be" and at in ("a", "an") and not g.PROJECT.isdisjoint(view.object_[:3])),
        ("none_there", subject == "there" and clause.negated and "no" in view.words),
        ("have_at", subject in ("we", "i") and verb == "have" and "link" in view.kinds),
        ("own_lack", subject == "i" and verb == "have" and (clause.negated or at == "no")),
    ) | (_thing(view, at, first, named=named) if subject in _THINGS else set())


def _is_plural(view: View) -> bool:
    head = [token.word for token in view.clause.tokens[: view.clause.subject_end]]
    return bool(head) and (head[-1].endswith("s") or "and" in head or view.clause.subject in ("all", "plural"))


def _is_habit(view: View) -> bool:
    """We do it, as a rule. "Fix it and we ship" and "I suggest we drop it" are plans."""
    clause, before = view.clause, view.before
    if clause.verb in ("want", "need") or (clause.verb in g.MIND and clause.verb not in g.STANDING):
        return False
    if clause.lead in ("and", "or", "then", "so", "if") and before is not None and before.mood != "claim":
        return False
    opening = [token.word for token in clause.tokens[: clause.subject_end]]
    if before is None and opening[:1] and opening[0] in ("and", "then") and not clause.negated:
        return False
    return not (before is not None and before.verb in ("suggest", "propose", "recommend", "think", "say", "insist"))


def _thing(view: View, at: str, first: str, *, named: bool) -> set[str]:
    """What is said of a thing: where it is, what it is, what it cannot do. Things of the moment do not count."""
    clause, words = view.clause, view.words
    subject, verb = clause.subject, clause.verb
    head = {token.word for token in clause.tokens[: clause.subject_end]}
    if head & _OF_THE_MOMENT and verb not in ("called", "named"):
        return set()
    if verb in g.STATE_VERBS and not verb.endswith("s") and not (clause.negated or _is_plural(view)):
        return set()
    placed = named or not g.PREPOSITIONS.isdisjoint(view.object_)
    kind = at in ("a", "an", "the", "our", "my")
    passive = bool(view.words & g.BE) and verb not in ("be", "have")
    return _holding(
        ("identity", subject in ("my", "our") and (verb == "be" or passive)),
        ("is_not", _is_contrast(view)),
        ("habit_our", subject == "our" and verb != "be" and not passive),
        ("project_is", head & g.PROJECT and subject in ("the", "our") and (verb == "have" or (verb == "be" and kind))),
        ("owns", verb in g.OWNERSHIP and view.object_),
        ("state", verb in g.STATES - {"called", "named"} and placed),
        ("state", verb in g.PERMANENT or (verb == "be" and at in g.PERMANENT)),
        ("state_named", passive and verb.endswith("ed") and first in g.PREPOSITIONS and named),
        ("called", verb in ("means", "mean")),
        ("called", verb in ("called", "named") and first not in _NOT_A_NAME and first != ""),
        ("located", verb in g.PLACES and first in g.PREPOSITIONS and named),
        ("located", verb.endswith("s") and first in ("at", "on", "from", "under") and "link" in view.kinds),
        ("located", verb == "be" and at in ("in", "at", "on", "under", "inside") and named),
        ("state_verb", verb in g.STATE_VERBS and named),
        ("lacks", verb in g.LIMITS and (clause.negated or "only" in words)),
        ("lacks", verb in g.PLACES and "only" in {token.word for token in clause.tokens[: clause.verb_at]}),
        ("nominal", verb == "be" and kind),
        ("universal", subject == "all" and verb in g.STATE_VERBS | g.STATES | {"have", "need"}),
        ("practice_duty", subject in ("all", "plural") and head & g.PRACTICE and verb in ("need", "needs", "have")),
        ("generic_be", subject in ("plural", "all") and verb == "be"),
    )
