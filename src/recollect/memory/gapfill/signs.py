"""What a clause shows of being durable: general or of the moment, about how things stand or about the task at hand.

A sign is a name; `weights` says what each is worth. Signs rest on closed-class words, tense, mood and subject.
"""

from __future__ import annotations

from itertools import pairwise

from recollect.memory.gapfill import phrases as p
from recollect.memory.gapfill.facts import present
from recollect.memory.gapfill.views import (
    View,
    groups,
    head_of,
    holding,
    is_contrast,
    noun_of,
    with_lead,
)
from recollect.text.language import grammar as g
from recollect.text.language.clauses import Clause

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Sequence


def signs_of(clauses: Sequence[Clause], index: int) -> frozenset[str]:
    """All signs of one clause, seen among its neighbours in the sentence."""
    clause = clauses[index]
    words = clause.words()
    if clause.mood != "claim" and p.TELLING.isdisjoint(words) and not _is_beside_condition(clauses, index):
        return frozenset((clause.mood,))
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
    return frozenset(found)


def _is_beside_condition(clauses: Sequence[Clause], index: int) -> bool:
    return any(clause.lead in g.CONDITIONS for clause in clauses[max(0, index - 1) : index + 2])


def _common(view: View) -> set[str]:
    clause, words, plain = view.clause, view.words, view.plain
    stated = clause.mood != "question"
    # "I don't forget it" tells of oneself; "don't forget it" asks.
    standing = stated and p.STANDING.search(plain) and not (clause.subject == "i" and "forget" in words)
    return holding(
        (clause.mood, True),
        ("standing", standing or _is_each_time(view)),
        ("told", stated and (p.TOLD.search(plain) or p.KEEPS.search(plain))),
        ("consent", stated and words & p.ASKING and p.CONSENT.search(plain)),
        ("consent", clause.verb == "ask" and view.after and view.after.lead == "before"),
        ("consent", view.after and view.after.lead in ("unless", "until", "before") and _is_consent(view.after)),
        ("forbidden", stated and p.FORBIDDEN.search(plain)),
        ("hedged", words & g.HEDGES),
        (
            "deictic",
            not standing
            and (words & g.DEICTIC or "for now" in plain or "the one " in plain or p.THIS_TIME.search(plain)),
        ),
        ("symptom", p.SYMPTOM.search(plain)),
        ("condition", stated and clause.lead in g.CONDITIONS),
        ("remembered", view.before and clause.lead == "that" and _is_for_memory(view.before)),
        ("past", clause.tense == "past"),
        ("tools", stated and words & p.AGAINST and _is_tool_choice(view)),
    )


def _is_for_memory(clause: Clause) -> bool:
    return clause.verb in ("remember", "note") or not p.BOOKS.isdisjoint(clause.words())


def _is_each_time(view: View) -> bool:
    """Each time: do it. What happens each time is a symptom."""
    clause, before = view.clause, view.before
    if clause.mood != "order" and not (clause.subject in ("we", "you") or clause.verb == "mean"):
        return False
    led = before is not None and (before.lead == "whenever" or p.EACH_TIME.search(" ".join(before.words())))
    return bool(led or (clause.lead not in g.CONDITIONS and p.EACH_TIME.search(view.plain)))


def _is_consent(clause: Clause) -> bool:
    return bool(p.CONSENT.search(with_lead(clause)))


def _is_tool_choice(view: View) -> bool:
    """Two alternatives of one group of tools, one chosen over the other."""
    if view.clause.verb not in p.CHOICES or not is_contrast(view):
        return False
    named = [set(found) for found in map(groups, view.object_) if found]
    return len(named) > 1 and not named[0].isdisjoint(named[1])


def _follows(view: View, pattern: re.Pattern[str]) -> bool:
    """A condition beside this clause fits. A closing "if you like" belongs to a request."""
    before, after = view.before, view.after
    return bool(
        (view.second and before is not None and before.lead in g.CONDITIONS and pattern.search(with_lead(before)))
        or (after is not None and after.lead in p.AFTERTHOUGHTS and pattern.search(with_lead(after)))
    )


def _is_explained(view: View) -> bool:
    """A reason follows that holds in general."""
    after = view.after
    if after is None or after.tense not in ("present", ""):
        return False
    return after.lead in p.REASONS or (after.lead == "" and after.subject in ("they", "it"))


def _order(view: View) -> set[str]:
    clause, words = view.clause, view.words
    first = view.object_[0] if view.object_ else ""
    definite = not p.DEFINITE.isdisjoint(view.object_[:4]) or not {"name", "code"}.isdisjoint(view.kinds)
    every = [token.word for token in clause.tokens]
    ever = any(one in ("always", "never") and two.rpartition("-")[2] in g.ORDERS for one, two in pairwise(every))
    manner = words & g.MANNER or any("language of communication" in groups(word) for word in view.object_)
    talk = manner and (clause.verb in p.SPEAKING or ("your" in words and clause.verb != "make"))
    return holding(
        ("ever_order", ever or (clause.negated and "ever" in words)),
        ("stops", clause.verb in ("stop", "avoid", "quit") and first.endswith("ing")),
        ("tool", clause.verb in ("use", "prefer") and not clause.negated and _names_choice(view)),
        ("prefers", clause.verb == "prefer" and first not in p.SHOWN_NOW),
        ("general_no", clause.negated and not definite and first != "a" and "just" not in words),
        ("no_because", clause.negated and _is_explained(view) and first not in p.SHOWN_NOW),
        ("speech", talk and first not in ("a", "an", "me", "up")),
        ("process", _follows(view, p.PROCESS) and clause.verb not in ("let", "tell", "ping", "notify")),
    )


def _names_choice(view: View) -> bool:
    """One of the things developers choose between: tabs, single quotes, pytest."""
    words = view.object_[:4]
    return any(groups(word) for word in words) or any(groups(f"{one} {two}") for one, two in pairwise(words))


def _claim(view: View) -> set[str]:
    clause, words, plain = view.clause, view.words, view.plain
    subject = clause.subject
    general = clause.lead not in g.CONDITIONS and clause.tense == "present"
    lasting = (general and not clause.modal) or (clause.modal == "will" and "always" in words)
    shown = not p.SHOWN_NOW.isdisjoint(view.object_[:2])
    found = holding(
        ("prefers", p.PREFERS.search(plain) and not shown),
        ("prefers", p.WOULD_RATHER.search(plain) and _is_about_you(view.after)),
        ("access", subject == "you" and p.ACCESS.search(plain) and clause.lead not in g.CONDITIONS),
        ("ended", general and p.ENDED.search(plain) and _is_over(view)),
        ("changed", clause.verb in g.CHANGED and words & g.BE and (subject != "it" or clause.lead in g.REASONS)),
        ("moved", subject == "we" and clause.verb in g.MOVES and view.object_ and view.object_[0] not in p.PRONOUNS),
        ("ever_claim", lasting and words & g.FREQUENCY and _is_rule_subject(view)),
        ("moved", subject in ("we", "our", "the") and _is_settled(view)),
        ("decision", subject == "we" and clause.modal == "will" and clause.verb in p.DECIDED),
        ("want_object", subject in ("i", "we") and clause.verb == "want" and general and _is_of_others(view)),
    )
    if subject == "we" and clause.verb in ("using", "targeting", "hosting", "deploying"):
        found.add("habit_we")
    if general and clause.modal in ("must", "should", "shall", "can", "may"):
        found |= _duty(view)
    elif general and not clause.modal:
        found |= present(view)
    return found


def _is_of_others(view: View) -> bool:
    """I want the tests to run first: of something else, not of oneself or of the reader."""
    return view.object_[:1] not in (("to",), ("you",)) and "to" in view.object_[:8]


def _is_about_you(clause: Clause | None) -> bool:
    """I would prefer if you wrote smaller functions."""
    if clause is None or clause.lead != "if" or clause.subject != "you":
        return False
    return p.SHOWN_OR_THEM.isdisjoint(clause.words())


def _is_settled(view: View) -> bool:
    """We went with, the team decided to use: a choice that was made and stands."""
    clause, rest = view.clause, view.object_
    if clause.subject != "we" and head_of(clause).isdisjoint(p.OWNERS):
        return False
    if clause.verb == "went":
        return rest[:1] == ("with",) and len(rest) > 1 and rest[1] not in p.NOT_CHOSEN
    if clause.verb in ("agreed", "decided", "settled") and rest[:1] == ("on",):
        return len(rest) > 1 and rest[1] not in p.NOT_CHOSEN
    decided = clause.verb in ("decided", "agreed", "chose") and rest[:1] == ("to",) and len(rest) > 2
    return decided and (rest[1] in p.DECIDED or rest[1] == "stay") and rest[2] not in p.DEFINITE


def _is_over(view: View) -> bool:
    """No longer done by somebody, or no longer used; what no longer works is a symptom."""
    subject, words = view.clause.subject, view.words
    if subject not in ("we", "i", "all", "plural") and view.clause.verb in ("needed", "necessary", "required"):
        return False
    acted = subject in ("we", "i", "all") and (view.clause.verb not in g.MIND or view.clause.verb in g.STANDING)
    return acted or bool(words & g.ENDINGS)


def _is_rule_subject(view: View) -> bool:
    """What always holds of us and of any such thing; what always happens to me or to it is a symptom."""
    subject, words = view.clause.subject, view.words
    if "not always" in view.plain or "instead of" in view.plain or (subject == "i" and not _is_own_practice(view)):
        return False
    return subject in ("we", "i", "you", "all", "plural", "my", "our") or (subject == "the" and "will" in words)


def _is_own_practice(view: View) -> bool:
    """I always squash: work that could be asked for, not what befalls me."""
    verb = view.clause.verb
    return verb in p.SELF or (verb in g.ORDERS and verb not in g.MIND and p.ANAPHORS.isdisjoint(view.object_[:1]))


def _duty(view: View) -> set[str]:
    clause, words = view.clause, view.words
    head = head_of(clause)
    whole = {token.word for token in clause.tokens[: clause.subject_end]}
    relative = not head.isdisjoint(("i", "we", "you")) or not whole.isdisjoint(("this", "these", "those"))
    if clause.verb in g.REPAIRED and not words & {"always", "never", "ever"}:
        return set()
    strong = clause.modal != "should" or words & {"always", "never", "ever"}
    return holding(
        ("universal_duty", clause.subject == "all" and not relative and clause.modal != "should"),
        ("universal_should", clause.subject == "all" and not relative and clause.modal == "should"),
        ("ever_duty", words & {"never", "always", "ever"} and _is_bound(view)),
        ("practice_duty", head & g.PRACTICE and (clause.subject == "all" or (clause.subject == "plural" and strong))),
        ("practice_should", clause.subject == "plural" and head & g.PRACTICE),
        (
            "without",
            clause.modal == "can"
            and clause.negated
            and clause.subject != "plural"
            and noun_of(clause) in p.GROUND_THINGS
            and not words & p.MISBEHAVES,
        ),
        ("plural_not", clause.subject == "plural" and clause.negated and not _is_shut_out(view)),
        ("process", _follows(view, p.PROCESS)),
    )


def _is_bound(view: View) -> bool:
    """Who a rule can bind: people, kinds of things, what work runs on; "the sidebar should never" is a wish."""
    if view.clause.subject == "the":
        return noun_of(view.clause) in p.GROUND_THINGS and view.clause.modal != "should"
    return view.clause.subject != "it"


def _is_shut_out(view: View) -> bool:
    """Users can't log in: that is a bug, not a rule."""
    return view.clause.modal == "can" and noun_of(view.clause) in p.AUDIENCE
