"""The text that a correction leaves: the old statement with the changed part changed, else the new one, tidied, with
what the old one says besides. Pure."""

from __future__ import annotations

import re

from recollect.memory.correcting.called import names_several
from recollect.memory.correcting.changes import AS_BEFORE, clauses, is_as_before, is_denied, is_there
from recollect.memory.correcting.clear import SAYS_LITTLE, given_up, is_clear, is_so_elsewhere, names_in, restates
from recollect.memory.correcting.ended import ends_a_part, is_over, says_end, without_ended
from recollect.memory.correcting.numbers import REVERSED, numbers_in, numbers_told
from recollect.memory.correcting.pairs import CODED, LONGEST, bare
from recollect.memory.correcting.parts import changed_parts, contrasts, parts, readings
from recollect.memory.correcting.several import is_why
from recollect.memory.correcting.tidying import FORBIDS, lowered, since_when, tidy
from recollect.memory.correcting.values import NUMBERS, is_same_sort, kind_of, values_in
from recollect.text.language.frames import frame_of
from recollect.text.language.stopwords import STOPWORDS
from recollect.text.language.stopwords_elsewhere import ELSEWHERE
from recollect.text.patterns import lazy
from recollect.text.terms import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.memory.correcting.changes import Change

TOUCHED = 0.34  # of the words of a half that the correction may have where it is kept, and one of them at most

# That something may be besides, or that the rest stays.
_BESIDES = lazy(
    r"\b(?:may|can|allowed|darf|dürfen|kann|peut|puede)\b.{0,80}?\b(?:also|as well|too|auch|aussi|también)\b"
    r"|\b(?:also|auch|aussi|también) (?:may|can|allowed|darf|dürfen|kann|peut|puede)\b"
    r"|\b(?:except|unless|(?:everywhere|all) else|elsewhere|for (?:the rest|others)|außer|sauf|salvo|en el resto)\b",
    re.IGNORECASE,
)
# Whose thing it is: another person is not another name for it.
_OWNED = lazy(
    r"\b(?:own(?:s|ed|er)?|responsible|maintain(?:s|ed|er)|ask|contact|lead|looks after|runs|review\w*|approv\w+"
    r"|zuständig|lleva|s'occupe|belongs)\b",
    re.IGNORECASE,
)
_WORDS = lazy(r"[a-z-]+(?: [a-z-]+)+")  # no person: "mail worker"
_VERB = (
    r"(?:is|are|was|has|have|needs?|runs?|goes|go|gets?|live|lives|uses?|must|may|can|does|do|comes?|fails?|takes?"
    r"|starts?|posts?|owns?|ist|sind|wird|werden|hat|est|sont|es|son|va)"
)
_JOINED = "because|so|which|that|not|or|when|where|since|while|otherwise"
_HALF = lazy(
    r"(?<=[^\s.;])(?<!\b[A-Z][a-z])[.;] +(?=\S)"
    rf"|,(?: but| and)? (?=(?:(?!{_JOINED})[\w`/.#-]+ ){{1,4}}{_VERB} )"
)
# It says something of what stands before it, and nothing without that.
_LEANS = lazy(
    r"(?:it|its|that|this|these|they|he|she|otherwise|because|so|which|er|sie|es|das|ils?|elles?)\b"
    r"|.*\b(?:it|them|there)$|(?:don't|do not|never|leave|edit|ask|use) (?:\w+ )?(?:it|them|that|this)\b",
    re.IGNORECASE,
)
_UNIT = lazy(r"`|(?<=\w) [a-zA-Zµ%]+(?![\w(])")
_QUOTE = lazy("`")
_FREE_IN = lazy(
    r"\b(?:ok|okay|fine|allowed|alright) ((?:in|for|inside|on|within|from) (?:`[^`]+`|[^,.;`])+?)(?= and only|[,.;]|$)",
    re.IGNORECASE,
)


def reworded(said: str, statement: str) -> str:
    """What is true after the correction, as one would write it down."""
    text = _reworded(said, statement)
    return tidy(said) if denies_what_is_said(text, said) else text


def denies_what_is_said(text: str, said: str) -> bool:
    """Does a text deny a name or a value that a correction asserts? "Jest, not Vitest" denies "Vitest, not Mocha"."""
    now = frame_of(text).signs
    if all(sign < 0 for sign in now.values()):
        return False  # a ban as a whole: "Nobody deploys between 7 and 9"
    told = [item for item in frame_of(said).items if item.sign > 0 and (item.hard or item.alternative)]
    return any(now.get(item.key, 0) < 0 for item in told)


def _reworded(said: str, statement: str) -> str:
    if text := edited(said, statement):
        return text
    if parts(said, statement) and not changed_parts(said, statement):
        return statement  # it says so already: what the correction gives up does not stand in it
    free = _FREE_IN.search(said)
    if free and not REVERSED.search(said) and FORBIDS.search(statement):
        return f"{statement.rstrip(' .')}, except {free[1]}."
    if _BESIDES.search(said) and not REVERSED.search(said) and not restates(said, statement):
        return f"{statement.rstrip(' .')}; {lowered(tidy(said))}"
    return without_ended(tidy(said), statement) or _with_other_halves(tidy(said), statement)


def loses(said: str, statement: str) -> bool:
    """Would the statement go without all of it being spoken of: more of its numbers than the correction has new ones of
    the sort, what is said to be as before, or what stands beside a value that still holds for something else? Then both
    have to stay."""
    text = reworded(said, statement)
    if text == statement or edited(said, statement):
        return False
    if names_several(said, statement):
        return True
    if text == tidy(said) and ends_a_part(text, statement):
        return True
    if text == tidy(said) and any(_refers_back(clause, statement) for clause in clauses(said)):
        return True
    holds = any(is_so_elsewhere(one, said) for changes in readings(said, statement) for one in changes)
    if holds and not set(terms(statement)) - SAYS_LITTLE <= set(terms(text)):
        return True
    mine, known = numbers_told(said), f"{text}\n{said}"
    gone = [one for one in numbers_in(statement) if not is_there(one.text, known) and not is_why(statement, one)]
    return any(
        sum(is_same_sort(new, one) for one in gone) > sum(is_same_sort(new, one) for one in mine) for new in mine
    )


def _refers_back(clause: str, statement: str) -> bool:
    """Is something that the statement says said to be as before, without being said again?"""
    words = set(terms(AS_BEFORE.sub("", clause))) - SAYS_LITTLE
    return is_as_before(clause) and not numbers_in(clause) and bool(words) and words <= set(terms(statement))


def edited(said: str, statement: str) -> str:
    """The old statement with the one part changed that is clearly replaced, or ""."""
    for found in readings(said, statement):
        changes = [one for one in found if not is_denied(one.new, said) and one.new != one.old]
        if any(is_over(statement, one.start, one.end) for one in changes) and not says_end(said):
            continue  # another name would say that this has ended
        if changes and not _is_of_another_half(said, statement, changes):
            text = _edited(said, statement, changes)
            if is_clear(said, statement, text, changes) and not denies_what_is_said(text, said):
                return text
    return ""


def _is_of_another_half(said: str, statement: str, changes: list[Change]) -> bool:
    """Is something handed over that another half tells of? "Ana wrote it; API changes need her review"."""
    old = changes[0].old
    if changes[0].renames or not changes[0].named or kind_of(old) != "name":
        return False
    told = set(terms(said)) - STOPWORDS - set(terms(f"{old} {changes[0].new}"))
    shares = {half: len(told & set(terms(half))) for half in _halves(statement)}
    here = max((share for half, share in shares.items() if old in half), default=0)
    return not here and max(shares.values()) > 1


def _edited(said: str, statement: str, changes: list[Change]) -> str:
    """The old statement with its parts changed."""
    start, end = since_when(said)
    when, text = said[start:end].rstrip(","), statement
    first = min(one.start for one in changes)
    for one in sorted([*changes, *contrasts(said, statement, changes)], key=lambda change: -change.start):
        note = _before(one, statement, when=bool(when)) if one.start == first else ""
        behind = (_UNIT if when else _QUOTE).match(statement, one.end) if note else None  # "14 days (before: 30)"
        end = behind.end() if behind and behind[0].strip() not in STOPWORDS | ELSEWHERE else one.end
        text = text[: one.start] + one.new + text[one.end : end] + note + text[end:]
    return f"{when[:1].upper()}{when[1:]}, {lowered(text, said)}" if when else text


def _before(change: Change, statement: str, *, when: bool) -> str:
    """What it was: a thing with a new name is still asked for by its old one, and until a day to come it is so."""
    if when:
        return f" (before: {change.old})"
    is_name = not any(value.kind in NUMBERS for value in values_in(change.old))
    if not change.renames or not is_name or (_OWNED.search(statement) and not _WORDS.fullmatch(change.old)):
        return ""
    old = f"`{change.old}`" if statement[change.end : change.end + 1] == "`" else change.old
    return f" (formerly {old})"


def _with_other_halves(text: str, statement: str) -> str:
    """The new statement, between those halves of the old one that it says nothing about."""
    halves = _halves(statement)
    said = set(terms(text))
    words = [set(terms(half)) - STOPWORDS for half in halves]
    place = max(range(len(halves)), key=lambda at: len(words[at] & said))
    free = bool(REVERSED.search(text))  # what was forbidden with it is free too
    kept: list[int] = []
    for at, half in enumerate(halves):
        untouched = len(words[at] & said) <= min(1, TOUCHED * len(words[at])) and not (free and FORBIDS.search(half))
        leans = _LEANS.match(half.rstrip(" .")) and at - 1 not in kept
        if at != place and untouched and not leans:
            kept.append(at)
    gone = " ".join(half for at, half in enumerate(halves) if at not in kept)
    replaced = [name for name in names_in(gone) if not is_there(name, text)]
    replaced += given_up(text)
    kept = [at for at in kept if not any(is_there(name, halves[at]) for name in replaced)]
    new = _with_thing(text, gone) if free else without_ended(text, halves[place]) or text
    return " ".join(_sentence(new if at == place else halves[at]) for at in sorted((*kept, place)))


def _with_thing(text: str, gone: str) -> str:
    """A ban that is lifted names its thing as people say it; the entry keeps how the statement wrote it."""
    named = [one for one in values_in(gone) if one.kind in CODED]
    if not named or any(one.kind in CODED for one in values_in(text)):
        return text
    return f"{bare(named[0].text)}: {lowered(text)}"


def _halves(statement: str) -> list[str]:
    """Its sentences, and clauses with a verb of their own."""
    return [statement] if len(statement) > LONGEST else _HALF.split(statement)


def _sentence(half: str) -> str:
    text = half[:1].upper() + half[1:] if not values_in(half.split(" ", 1)[0]) else half
    return text if text.endswith((".", "!", "?", "。")) else f"{text}."
