"""What a short statement is about, and how two of them stand to each other. Rules and a lexicon, no model.

When in doubt two statements are not opposite: a wrong conflict costs more than a missed one.
"""

from __future__ import annotations

from recollect.text.language import lexicon
from recollect.text.language.frames import PREPOSITIONS, Frame, Item, frame_of, is_question
from recollect.text.language.grammar import STATE_VERBS
from recollect.text.language.opposites import claims, contradict, names_group, shared_group
from recollect.text.patterns import lazy
from recollect.text.similarity import (
    ARTICLES,
    SEPARATORS,
    normalise,
    readable,
    root,
    similarity,
    singular_key,
    split_words,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    Relation = Literal["same", "near", "opposite", "related", "unrelated"]

__all__ = [
    "is_hedged",
    "is_question",
    "near_identical",
    "normalise",
    "opposite",
    "relation",
    "similarity",
    "statement_key",
    "subject_key",
    "subject_of",
]

RELATED = 0.4
DIRECTIONAL = frozenset(map(root, "from before after than depend call import extend inherit block over above".split()))
# Words that say how a thing is, and never what it is.
_HOW = frozenset(
    "short long brief terse concise verbose fast slow strict formal informal casual optional manual".split()
)
# Behind several things these are what the things do: "sessions last", "errors bubble up".
_BEHIND_SEVERAL = STATE_VERBS | frozenset(
    "last rotate bubble pay expire fail pass arrive send emit create load include cost differ match cover exist land"
    " remain return write read publish generate keep make stay take get call log".split()
)
_MANNERS = ("by hand",)  # how something is done, and never what it is done to
_LETTERS = lazy(r"[^\W\d_]{2}|[A-Z]|[^\x00-\x7f]")


def statement_key(text: str) -> str:
    """The same for texts that normalise alike."""
    from hashlib import blake2b

    return blake2b(normalise(text).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def subject_of(text: str) -> str:
    """What a statement is about, as a short phrase; "" when nothing sensible is found."""
    frame = frame_of(text)
    if frame.subject and not _is_forbidden_deed(frame):
        return _phrase(_as_name(frame.subject))
    said = [item for item in frame.items if item.raw.casefold() not in _MANNERS]
    sign = 1 if any(item.sign > 0 for item in said) else -1
    items = [item for item in said if item.sign == sign or item.antonym]
    # What something is in is no choice of its kind: "publish.yml in npm".
    for groups in dict.fromkeys(lexicon.groups_of(item.alternative) for item in items if item.lead != "in"):
        if len(groups) == 1 and (groups[0] not in lexicon.SHARED or names_group(frame, groups[0])):
            return groups[0]
    if frame.contrast and (shared := shared_group(frame)):
        return shared
    order = frame.verb in ("work", "hold", "place", "need", "several", "other") and len(items) > 1
    if order and PREPOSITIONS.isdisjoint((items[1].lead, items[1].raw.casefold())):
        # "Release notes live in CHANGES.md" is no order: its first word is half of a name, and its verb comes later.
        words = _first_chunk(items)
        named = _until_verb(words, 2)
        return _phrase(_as_name(named if named != words else _first_chunk(items[1:])))
    return _phrase(_as_name(_first_chunk(items)))


def _is_forbidden_deed(frame: Frame) -> bool:
    """Of "never edit generated files" the first word is what not to do, and not what it is about."""
    first = frame.items[0]
    is_deed = first.lead in ("not", "never") and first.sign < 0 and not first.alternative
    return is_deed and len(frame.subject) == 1 < len(frame.items)


def _first_chunk(items: list[Item]) -> tuple[str, ...]:
    chunk: list[str] = []
    for item in items:
        itself = item.raw.casefold() in PREPOSITIONS
        ends = item.lead in PREPOSITIONS or item.lead in SEPARATORS or itself
        if chunk and (ends or len(chunk) == 3):
            break
        if not itself:
            chunk.append(item.raw)
    return tuple(chunk)


def _as_name(words: tuple[str, ...]) -> tuple[str, ...]:
    """Only what a thing can be called: no verb behind it, and no word that just says how it is. Nothing at all where no
    word is left, but a number or a flag of one letter."""
    words = _until_verb(words, 1)
    while words and words[-1].casefold() in _HOW:
        words = words[:-1]
    return words if any(map(_LETTERS.search, words)) else ()


def _until_verb(words: tuple[str, ...], first: int) -> tuple[str, ...]:
    """Of "log files go" the things: several of them, and then a verb of how things stand, as it follows on several."""
    for at in range(first, len(words)):
        if words[at] in _BEHIND_SEVERAL and words[at][-1] != "s" == words[at - 1][-1]:
            return words[:at]
    return words


def subject_key(subject: str) -> str:
    """Equal for `deploy_target`, "Deploy targets" and `deployTarget`."""
    words = [word.casefold() for word in split_words(readable(subject))]
    return " ".join(singular_key(word) for word in words if word not in ARTICLES) or " ".join(words)


def is_hedged(text: str) -> bool:
    """Its author does not vouch for it: maybe, probably, I think."""
    return frame_of(text).hedged


def near_identical(a: str, b: str) -> bool:
    """They state the same: only order, stop words or inflection differ."""
    return normalise(a) == normalise(b) or is_near(frame_of(a), frame_of(b))


def opposite(a: str, b: str) -> bool:
    """They cannot both hold. Precise rather than complete."""
    return relation(a, b) == "opposite"


def relation(a: str, b: str) -> Relation:
    """How two statements stand to each other; the same in both directions."""
    if normalise(a) == normalise(b):
        return "same"
    ours, theirs = frame_of(a), frame_of(b)
    if is_near(ours, theirs):
        return "near"
    if contradict(ours, theirs):
        return "opposite"
    return "related" if _related(a, b, ours, theirs) else "unrelated"


def _related(a: str, b: str, ours: Frame, theirs: Frame) -> bool:
    if similarity(a, b) >= RELATED:
        return True
    subject = subject_key(" ".join(ours.subject))
    if subject and subject == subject_key(" ".join(theirs.subject)):
        return True
    mine = {group for item in ours.items for group in lexicon.groups_of(item.alternative)}
    return any(group in mine for item in theirs.items for group in lexicon.groups_of(item.alternative))


def _phrase(words: tuple[str, ...]) -> str:
    """Words as written, but without the capital that only the sentence gave them."""
    if not words:
        return ""
    first = words[0]
    if (
        first[:1].isupper()
        and first[1:].islower()
        and (words[1][:1].islower() if len(words) > 1 else _is_common(first.lower()))
    ):
        words = (first.lower(), *words[1:])
    return "".join(words) if words[0][0] > "\u2e7f" else " ".join(words)


def _is_common(word: str) -> bool:
    return word.endswith(("s", "ing", "tion", "ment")) or word in lexicon.ROLES or lexicon.concepts(word) != ()


def is_near(ours: Frame, theirs: Frame) -> bool:
    """They state the same, of what was read already: only order, stop words or inflection differ."""
    if not ours.signs or claims(ours) != claims(theirs) or ours.reason != theirs.reason:
        return False
    if (ours.tense, ours.hedged, ours.asks) != (theirs.tense, theirs.hedged, theirs.asks):
        return False
    if ours.owner != theirs.owner and ours.owner and theirs.owner:
        return False
    mine, yours = [item.raw for item in ours.items if item.code], [item.raw for item in theirs.items if item.code]
    if mine and yours and mine != yours:
        return False
    return _sequence(ours) == _sequence(theirs) or _reordered(ours, theirs) or _turned(ours, theirs)


def _sequence(frame: Frame) -> list[str]:
    """The words in order, what is asserted first: "this, not that" and "not that but this" are one."""
    return [item.key for item in sorted(frame.items, key=lambda item: -item.sign)]


def _reordered(ours: Frame, theirs: Frame) -> bool:
    """Another order says the same only where no name could have changed its place with another."""
    hard = {item.key for frame in (ours, theirs) for item in frame.items if item.hard}
    if len(hard) > 1 or not DIRECTIONAL.isdisjoint(ours.signs):
        return False
    mine, yours = _before(ours), _before(theirs)
    return mine == yours or not mine or not yours


def _turned(ours: Frame, theirs: Frame) -> bool:
    """ "Main is the default branch" and "the default branch is main"."""
    if (ours.verb, theirs.verb) != ("be", "be") or not (ours.definite or theirs.definite):
        return False
    return _before(ours) == _behind(theirs) and _before(theirs) == _behind(ours)


def _behind(frame: Frame) -> list[str]:
    return [item.key for item in frame.items if item.after]


def _before(frame: Frame) -> list[str]:
    return [item.key for item in frame.items if not item.after]
