"""What a correction is about: the nearest of the stored statements, when the words say that something has changed.

Whoever corrects says which thing is meant by naming it, so the nearest statement by rare words is nearly always the
one. The questions left are whether anything is replaced at all, and whether two statements are equally near.
"""

from __future__ import annotations

import re
from math import log

from recollect.memory.correcting.alternatives import swap_in
from recollect.memory.correcting.called import name_changed, names_another
from recollect.memory.correcting.changes import clause_with, is_there
from recollect.memory.correcting.clear import SAYS_LITTLE
from recollect.memory.correcting.names import has_name_for
from recollect.memory.correcting.numbers import REVERSED, has_slot_for
from recollect.memory.correcting.pairs import CODED, LONGEST, bare, given_up_in, no_longer_in
from recollect.memory.correcting.parts import changed_parts
from recollect.memory.correcting.tidying import FORBIDS, without_lead
from recollect.memory.correcting.values import NUMBERS, kind_of, values_in
from recollect.model.record import Record
from recollect.text.patterns import lazy
from recollect.text.terms import query_terms, terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.model.recall import Frequencies

CLEAR = 0.75  # of the nearest's score that the second may have
# Of the weight of the correction's words, what must stand in the statement:
LEAST = 0.03  # where the words tell of a change
SHARE = 0.12  # where they have a value to put in the place of another
SILENT_SHARE = 0.2  # where they do neither: it may be an addition
OF_THE_SORT = 1.35  # for a value of the sort that the correction has a new one of, or what it gives up
ALSO_MEANT = 0.6  # of the nearest's score that a further statement needs, which names the old value as well
AT_LEAST = 2  # words in common where a change is told in passing, and most of what it is of is not in the statement
MOST_LIKELY = 3
USUAL_TERMS = 15  # of a statement

_QUESTION = lazy(r"\?\s*[)\"']*\s*[^.!?]{0,60}$")  # perhaps with a word on why it is asked
_WRONG = lazy(
    r"\W*(?:(?:that|this|it|all|everything)(?:'s| is| was)?(?: all)? )?"
    r"(?:wrong|incorrect|false|not (?:right|true|correct))?\W*$"
    r"|\W*(?:never ?mind|forget (?:it|that|this)|leave it|whatever|no idea|(?:i )?(?:do not|don'?t) know)\W*$",
    re.IGNORECASE,
)
# That something is no longer as it was.
_CHANGED = lazy(
    r"\b(?:now|again|no longer|any ?more|any longer|instead of|instead|as of|from \w+(?: \w+){0,4} on|from now on"
    r"|from (?:this|next|the new|\d)|starting (?:with|in|from|next)|beginning (?:with|in)|effective|since"
    r"|renamed|(?:is|are) called|call it|moved|migrated|took|taken|takes over|handed|inherited|went|switched|swapped"
    r"|ditched|dropped|gave up|given up|gone|left|is history|retired|deprecated|replaced|replaces|changed|became"
    r"|goes up|went up|up to|down to|raised|lowered|bumped|these days|today|nowadays|by now|meanwhile|after all|lifted"
    r"|unfrozen|unblocked|released|allowed|free to|fine to|(?:is|are) (?:fine|ok|okay|alright)|may|only|neither"
    r"|nowhere|anymore|cancelled"
    r"|is over|was over|off"
    r"|jetzt|inzwischen|mittlerweile|ab sofort|ab \w+|statt|nicht mehr|kein\w* mehr|wieder|seit|heißt|heisst|umbenannt"
    r"|gewechselt|umgestellt|abgegeben|übernommen|übernimmt|weg von|nur noch|nur|künftig|darf"
    r"|désormais|dorénavant|maintenant|à partir d\w+|depuis|ne .{1,30} plus|reprend|remplac\w+|renomm\w+|seulement"
    r"|ahora|desde|a partir de|ya no|en vez de|solo|sólo|reemplaz\w+|pasa a|"
    r"agora|não .{1,20} mais|a partir de|em vez de|adesso|ora|non .{1,20} più|invece di"
    r"|voortaan|nu|niet meer|in plaats van)\b|n't\b.*\bany",
    re.IGNORECASE,
)
# That something is not so; it may also tell what is new.
_DENIED = lazy(r"\b(?:no|not|never|nein|nicht|kein\w*|pas|non|não|nie|niet)\b|n't\b", re.IGNORECASE)
_ALSO = lazy(
    r"\b(?:also|as well|too(?=[.,;)]|$)|additionally|in addition|another|auch|au(?:ss|ß)erdem|aussi|también|anche)\b",
    re.IGNORECASE,
)
_LIKEWISE = lazy(r"^\W*no\b.{1,40}\beither\b|\b(?:likewise|ditto|same (?:reason|rule|thing) as)\b", re.IGNORECASE)
_FOR = lazy(r"^(for|für|pour|para) (?:the |our )?([^\W\d_]+)", re.IGNORECASE)  # of which case it is told
_SEVERAL = lazy(r"\b(?:and|both|all|every\w*|each|und|alle|beide|et|tous|y|todos)\b", re.IGNORECASE)
_LIMIT = lazy(
    r"\b(?:must|(?:above|below|within|under|over)(?= \W?\d)|at (?:most|least)|more than|less than|up to|limit\w*"
    r"|max\w*|min|minimum|budget|threshold|quota|cap|target|ceiling|floor|alarm|alert)\b",
    re.IGNORECASE,
)


class Statement(Record):
    """A stored statement that may be meant."""

    entry_id: str
    text: str


class Meant(Record):
    """What a correction is about."""

    replaced: tuple[str, ...] = ()  # ids of what it takes the place of, for sure
    likely: tuple[str, ...] = ()  # of what it may be about, the likeliest first


def is_question(said: str) -> bool:
    """Does it only ask?"""
    return _QUESTION.search(said.strip()) is not None


def says_nothing(said: str) -> bool:
    """Does it only say that something is wrong?"""
    return _WRONG.match(without_lead(said)) is not None


def find_changed(said: str, statements: Sequence[Statement], frequencies: Frequencies) -> Meant:
    """What is meant by somebody who says in passing that something is different now: it has to name what a statement is
    about, and have another value for it."""
    meant = _find_changed(said, statements, frequencies)
    about = [one.text for one in statements if one.entry_id in (*meant.replaced, *meant.likely)]
    if _LIMIT.search(said) or REVERSED.search(said):
        return meant
    # "Coverage is at 74% now" tells how things are, and not what they must be.
    return Meant() if any(_LIMIT.search(text) for text in about) else meant


def _find_changed(said: str, statements: Sequence[Statement], frequencies: Frequencies) -> Meant:
    meant = find_meant(said, statements, frequencies, asked=False)
    if is_question(said) or len(said) > LONGEST or len(meant.replaced) == 1:
        return meant
    if meant.replaced:
        return Meant(likely=meant.replaced)
    asked = find_meant(said, statements, frequencies)
    texts = {one.entry_id: one.text for one in statements}
    shares = {entry_id: _share_of_change(said, texts[entry_id]) for entry_id in asked.likely}
    sure = tuple(entry_id for entry_id, (of, found) in shares.items() if 2 * found > of)
    if sure:
        return Meant(sure if len(sure) == 1 else (), sure)
    if len(asked.replaced) == 1 and _lifts(said, texts[asked.replaced[0]]):
        return asked
    return Meant(likely=tuple(entry_id for entry_id in asked.replaced if shares.get(entry_id, (0, 0))[1] >= AT_LEAST))


def _lifts(said: str, statement: str) -> bool:
    """Is the ban of the statement lifted: is it one, and is what it names named?"""
    if not REVERSED.search(said) or not FORBIDS.search(statement):
        return False
    coded = [bare(one.text) for one in values_in(statement) if one.kind in CODED]
    shared = (set(query_terms(said)) - SAYS_LITTLE) & set(terms(statement))
    return any(is_there(one, said) for one in coded) or len(shared) > AT_LEAST


def _share_of_change(said: str, statement: str) -> tuple[int, int]:
    """How many words tell what a new value is of, and how many of them stand in the statement, if that has another."""
    changes = [] if _DENIED.search(without_lead(said)) else changed_parts(said, statement)
    if not changes:
        return 0, 0
    new = {term for change in changes for term in terms(change.new)}
    about = set(query_terms(clause_with(said, changes[0].new))) - SAYS_LITTLE - new
    return len(about), len(about & set(terms(statement)))


def find_meant(said: str, statements: Sequence[Statement], frequencies: Frequencies, *, asked: bool = True) -> Meant:
    """What is meant, of statements that share a word with the correction.

    `asked`: somebody said that it is one; else it has to name what is no longer so, and what is."""
    said = said[:LONGEST]
    if is_question(said) or not statements:
        return Meant()
    ranked = _ranked(said, statements, frequencies)
    best, top = ranked[0]
    if best <= 0:
        return Meant()
    likely = tuple(one.entry_id for score, one in ranked[:MOST_LIKELY] if score >= CLEAR * best)
    near = [one for score, one in ranked if score >= ALSO_MEANT * best]
    named = tuple(one.entry_id for one in near if _names_old(said, one.text, asked=asked))
    if len(named) > 1 and _is_of_one(said, top.text):
        return Meant(likely=named[:MOST_LIKELY]) if len(likely) > 1 else Meant(likely, likely)
    if not named and len(likely) == 1 and _goes_over_to(said, top.text):
        return Meant(likely, likely)
    if named and (len(likely) == 1 or named[0] in likely):
        return Meant(named, likely)
    if not asked:
        return Meant()
    too_little = _share(said, top.text, frequencies) < _share_needed(said, top.text)
    if len(likely) > 1 or too_little or _adds(said) or _is_of_another(said, top.text):
        return Meant(likely=likely)
    return Meant((top.entry_id,), likely)


def _share_needed(said: str, statement: str) -> float:
    if _CHANGED.search(said):
        return LEAST
    return SHARE if changed_parts(said, statement) else SILENT_SHARE


def _ranked(said: str, statements: Sequence[Statement], frequencies: Frequencies) -> list[tuple[float, Statement]]:
    """The statements with how near they are, the nearest first. Of several that are about as near, one that has
    what the correction puts something else in the place of is nearer."""
    found = sorted(((_nearness(said, one.text, frequencies), one) for one in statements), key=lambda pair: -pair[0])
    near = [(score, one) for score, one in found if score >= CLEAR * found[0][0]]
    if len(near) > 1:
        fits = [(score * OF_THE_SORT if _has_place(said, one.text) else score, one) for score, one in near]
        found[: len(near)] = sorted(fits, key=lambda pair: -pair[0])
    return found


def _has_place(said: str, statement: str) -> bool:
    """Does it have a value of the sort that is told, the name of what has another one, or what is given up?"""
    there = set(terms(statement))
    return (
        has_slot_for(said, statement)
        or has_name_for(said, statement)
        or bool(name_changed(said, statement))
        or any(there.issuperset(terms(one)) for one in no_longer_in(said))
    )


def _nearness(said: str, statement: str, frequencies: Frequencies) -> float:
    """BM25 of the statement for the words of the correction."""
    found = terms(statement)
    length = 0.25 + 0.75 * len(found) / USUAL_TERMS
    score = 0.0
    for term in set(query_terms(said)) - SAYS_LITTLE:
        count = found.count(term)
        if count:
            score += _rarity(term, frequencies) * count * 2.2 / (count + 1.2 * length)
    return score


def _rarity(term: str, frequencies: Frequencies) -> float:
    known = frequencies.terms.get(term, 0)
    return log(1 + (frequencies.total - known + 0.5) / (known + 0.5)) if frequencies.total >= known else 0.0


def _adds(said: str) -> bool:
    """Does it say that something else is so as well?"""
    return bool(_LIKEWISE.search(said) or (_ALSO.search(said) and not _DENIED.search(said)))


def _is_of_another(said: str, statement: str) -> bool:
    """Does it say what is given up, and the statement has nothing of that? Or of which case it tells, and the statement
    tells of another?"""
    if names_another(said, statement):
        return True
    given_up, there = given_up_in(said), set(terms(statement))
    if given_up and there.isdisjoint(terms(" ".join(given_up))):
        return True
    case = None if _CHANGED.search(said) else _FOR.match(without_lead(said))
    return case is not None and there.isdisjoint(terms(case[2])) and case[1].casefold() in statement.casefold().split()


def _share(said: str, statement: str, frequencies: Frequencies) -> float:
    """How much of what the correction is about is found in the statement."""
    words = set(query_terms(said)) - SAYS_LITTLE
    weights = {term: _rarity(term, frequencies) for term in words}
    there = set(terms(statement))
    return sum(weight for term, weight in weights.items() if term in there) / (sum(weights.values()) or 1.0)


def _names_old(said: str, statement: str, *, asked: bool) -> bool:
    """Is a part of the statement named together with what takes its place? In passing it has to be said to be gone."""
    return any(change.named and (asked or not change.guessed) for change in changed_parts(said, statement))


def _is_of_one(said: str, statement: str) -> bool:
    """Is a number told of one thing? It may stand for others as well, where a name stands for one thing everywhere."""
    return not _SEVERAL.search(said) and all(kind_of(one.old) in NUMBERS for one in changed_parts(said, statement))


def _goes_over_to(said: str, statement: str) -> bool:
    """Is another tool than the statement's said to be used now?"""
    swap = swap_in(said, statement)
    return swap is not None and swap.told and not _ALSO.search(said)
