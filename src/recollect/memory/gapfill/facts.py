"""Signs of a plain claim in the present: what we do, what a thing is, where it is, what it cannot do."""

from __future__ import annotations

from recollect.memory.gapfill import phrases as p
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


def present(view: View) -> set[str]:
    clause = view.clause
    subject, verb = clause.subject, clause.verb
    at = clause.tokens[clause.verb_at].word
    first = view.object_[0] if view.object_ else ""
    whole = first != "" and first not in g.AUXILIARIES and first not in p.SHOWN_NOW
    named = not view.kinds.isdisjoint(("name", "link", "code", "number"))
    return holding(
        ("habit_we", subject == "we" and _is_habit(view)),
        ("without", subject == "there" and clause.negated and not p.GROUND_THINGS.isdisjoint((at, *view.object_))),
        ("habit_i", subject == "i" and verb in ("keep", "store", "track") and first == "my"),
        ("identity", subject in ("we", "i") and verb == "be" and at in ("a", "an") and first not in p.DEGREES),
        (
            "identity",
            subject == "i"
            and verb == "be"
            and at == "on"
            and any("operating system" in groups(w) for w in view.object_),
        ),
        (
            "habit_i",
            subject == "i"
            and verb in p.SELF
            and whole
            and (verb in ("maintain", "own", "manage") or p.DEFINITE.isdisjoint(view.object_[:2])),
        ),
        (
            "project_is",
            subject == "it" and verb == "be" and at in ("a", "an") and not g.PROJECT.isdisjoint(view.object_[:3]),
        ),
        ("identity", subject == "we" and verb == "be" and at in ("on", "at") and any(map(groups, view.object_[:3]))),
        ("called", subject == "we" and verb in ("call", "say") and is_contrast(view)),
        ("identity", subject == "i" and verb == "be" and at in p.VERSED and first in ("to", "with", "in")),
        ("identity", subject == "i" and verb == "be" and at == "the" and not p.OFFICES.isdisjoint(view.object_[:4])),
        ("called", subject == "i" and verb == "mean" and view.before is not None and "say" in view.before.words()),
    ) | (_thing(view, at, first, named=named) | _ground(view) if subject in p.THINGS else set())


def _is_habit(view: View) -> bool:
    """We do it, as a rule. "Fix it and we ship", "so that we ship" and "I suggest we drop it" are plans."""
    clause, before = view.clause, view.before
    if clause.verb == "keep" and view.object_[:1] and view.object_[0].endswith("ing"):
        return False
    marked = clause.negated or bool(view.words & p.HABITUAL)
    if clause.verb in ("want", "need") or not (clause.verb in g.STANDING or (marked and clause.verb not in g.MIND)):
        return False
    if not view.object_ or view.object_[0] in p.PRONOUNS or view.object_[0] in ".!,":
        return False
    if clause.lead in ("then", "so that") or (
        clause.lead in ("and", "or", "so", "if") and before is not None and before.mood != "claim"
    ):
        return False
    opening = [token.word for token in clause.tokens[: clause.subject_end]]
    if before is None and opening[:1] and opening[0] in ("and", "then") and not clause.negated:
        return False
    return not (before is not None and before.verb in ("suggest", "propose", "recommend", "think", "say", "insist"))


def _thing(view: View, at: str, first: str, *, named: bool) -> set[str]:
    """What is said of a thing: where it is, what it is, what it cannot do. Things of the moment do not count."""
    clause, words = view.clause, view.words
    subject, verb = clause.subject, clause.verb
    head = head_of(clause)
    if head & p.OF_THE_MOMENT and verb not in ("called", "named", "means", "mean"):
        return set()
    if subject == "my" and noun_of(clause) in p.OWN_WORK:
        return set()
    if verb in g.STATE_VERBS and not verb.endswith("s") and not (clause.negated or _is_plural(view)):
        return set()
    placed = named or not g.PREPOSITIONS.isdisjoint(view.object_)
    kind = at in ("a", "an", "the", "our", "my")
    passive = clause.tokens[clause.subject_end].word in g.BE and verb not in ("be", "have")
    return holding(
        ("identity", subject in ("my", "our") and (verb == "be" or passive) and _is_lasting(view)),
        ("is_not", is_contrast(view)),
        ("habit_our", subject == "our" and verb != "be" and not passive),
        (
            "project_is",
            head & g.PROJECT and subject in ("the", "our") and verb == "be" and kind and first not in p.EVALUATIONS,
        ),
        ("project_is", head & p.WHOLES and subject in ("the", "our") and verb == "have"),
        ("owns", verb in g.OWNERSHIP and (head & p.OWNERS or _is_proper(view))),
        ("state", verb in p.STATES and placed),
        ("state", verb in g.PERMANENT or (verb == "be" and at in g.PERMANENT)),
        ("state_named", passive and verb.endswith("ed") and first in g.PREPOSITIONS and named),
        ("called", verb in ("means", "mean") or (verb == "be" and head & {"name", "title", "acronym"})),
        ("called", verb in ("called", "named") and first not in p.NOT_A_NAME and first != ""),
        ("located", verb in g.PLACES and first in g.PREPOSITIONS and named),
        ("located", verb == "be" and clause.tokens[clause.verb_at].kind == "link"),
        ("located", verb.endswith("s") and first in ("at", "on", "from", "under") and "link" in view.kinds),
        ("placed", verb == "be" and at in ("in", "at", "on", "under", "inside") and named),
        ("lacks", verb in g.LIMITS and (clause.negated or "only" in words)),
        ("lacks", verb in g.PLACES and "only" in {token.word for token in clause.tokens[: clause.verb_at]}),
        ("universal", subject == "all" and _is_of_any(view, head)),
        ("practice_duty", subject in ("all", "plural") and head & g.PRACTICE and verb in ("need", "needs", "have")),
    )


def _is_of_any(view: View, head: frozenset[str]) -> bool:
    """All prices are in francs, each plugin ships: any such thing, not the three in view."""
    clause = view.clause
    if head & p.FEW or clause.verb in ("need", "needs"):
        return False
    tokens = clause.tokens[clause.verb_at : clause.verb_at + 2]
    rest = [token.word for token in tokens]
    plain = clause.verb == "be" and len(rest) == 2 and rest[0] in g.PREPOSITIONS and rest[1] not in g.DETERMINERS
    named = clause.verb == "be" and tokens[:1] and tokens[0].kind in ("proper", "name")  # are UTC
    return plain or bool(named) or clause.verb in p.UNIVERSAL_VERBS


def _ground(view: View) -> set[str]:
    """What work runs on and who does it: the simple present says how it behaves as a rule, unless it misbehaves."""
    clause, words = view.clause, view.words
    verb, subject = clause.verb, clause.subject
    head = head_of(clause)
    about = noun_of(clause) in (g.GROUND if subject in ("plural", "our", "all") else p.GROUND_THINGS)
    if head & p.OF_THE_MOMENT or words & p.MISBEHAVES or _is_about_trouble(view):
        return set()
    agrees = (clause.negated or verb.endswith("s") != _is_plural(view)) and verb not in ("be", "have")
    acts = agrees and (verb in g.STATE_VERBS or (verb.endswith("s") and verb not in g.MIND))
    rest = view.object_ or ("",)
    complement = not p.SHOWN_NOW.isdisjoint(rest) or rest[0] in p.ANAPHORS or not view.object_
    return holding(
        ("grounded" if subject == "plural" or _is_as_a_rule(view) else "behaves", about and acts and not complement),
        ("generic", subject == "plural" and acts and rest[0] in g.PREPOSITIONS and not complement),
        ("generic", subject == "plural" and verb.endswith("ed") and rest[0] in g.PREPOSITIONS and about),
        ("generic", subject == "plural" and verb.endswith("ed") and rest[0] == "by"),
        ("without", verb == "have" and (clause.negated or "only" in words) and about),
    )


def _is_as_a_rule(view: View) -> bool:
    """It supports, it runs on: a verb of standing, or what it needs is a name or a version."""
    verb, rest = view.clause.verb, view.object_ or ("",)
    if "my" in rest[:3]:
        return False
    named = not view.kinds.isdisjoint(("proper", "name", "code"))
    return (
        verb in g.LASTING
        or (verb in g.GOING and rest[0] in g.PREPOSITIONS)
        or (verb in ("needs", "expects", "accepts", "takes") and named)
    )


def _is_about_trouble(view: View) -> bool:
    """The problem is that, or a wish to have more of it right behind: it tells where the task begins."""
    before, after = view.before, view.after
    if before is not None and not p.TROUBLE.isdisjoint(before.words()):
        return True
    if after is not None and p.SYMPTOM.search(with_lead(after)):
        return True
    return after is not None and (
        (after.lead == "" and after.mood == "order" and not after.negated) or after.modal in ("should", "could")
    )


def _is_lasting(view: View) -> bool:
    """What follows "is" names or classes it; "my screen is black" does neither."""
    tokens = view.clause.tokens[view.clause.subject_end + 1 : view.clause.subject_end + 5]
    if not p.DEGREES.isdisjoint(token.word for token in tokens):
        return False
    if tokens and tokens[0].kind == "number":
        return len([token for token in view.clause.tokens[view.clause.subject_end + 1 :] if token.kind != "mark"]) < 3
    return any(
        token.kind not in ("word", "mark", "number")
        or token.word in ("a", "an", "the")
        or groups(token.word)
        or not token.word.isalpha()  # hetzner-3
        for token in tokens
        if token.kind not in ("mark", "number")
    )


def _is_proper(view: View) -> bool:
    head = [token for token in view.clause.tokens[: view.clause.subject_end] if token.kind != "mark"]
    return any(token.kind == "proper" for token in head) or (len(head) == 1 and view.clause.subject == "other")


def _is_plural(view: View) -> bool:
    head = [token.word for token in view.clause.tokens[: view.clause.subject_end]]
    return bool(head) and (head[-1].endswith("s") or "and" in head or view.clause.subject in ("all", "plural"))
