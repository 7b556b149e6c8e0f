"""What a statement is about: its words with their weights, and how much of it another text says."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from recollect.text.similarity import plain_words, root, split_words

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME_WEIGHT = 2.0  # of code, numbers and paths: what cannot be said in other words
_CODE = re.compile(r"`([^`\n]+)`")
_NUMBER = re.compile(r"[<>=~^v]*(\d+(?:\.\d+)*)$")
_DENIES = frozenset(
    "not never no none without cannot kein keine keinen nie nicht ohne ne pas jamais sans nunca sin".split()
)
# What follows says what is not meant, or why; neither is the statement itself.
# "is not", "must not" and the like are no asides.
_ASIDE = re.compile(
    r"(?:(?<!\bis)(?<!\bare)(?<!\bbe)(?<!\bdo)(?<!\bdoes)(?<!\bmust)(?<!\bshould)(?<!\bmay)(?<!\bcan)\s+not|,\s+(?:not|nicht)"
    r"|,?\s+(?:instead of|rather than|because|since|so that|weil|statt))\b.*$",
    re.IGNORECASE,
)
# "No `print`, always `logging`": what stands first is the aside.
_RATHER = re.compile(r"^(?:no|never|not|kein\w*|nie)\s+\S+,\s+(?=(?:always|only|immer|nur|sondern)\b)", re.IGNORECASE)
_FILLER = frozenset(
    """
    a an the is are be am been was were do does did to of in on at for with by and or as it this that these those we i
    you our my your its their us has have had will shall should must can please always just so every each all any when
    than then there here which who into from after before user
    use uses used using repository repo project codebase code prefer prefers like likes want wants keep keeps
    most least long maximum minimum newer older required requires supported version target targets character characters
    column columns only
    also need needs through via go goes happen happens things
    der die das den dem ein eine einen einem und oder ist sind wird werden mit im in auf für von zu immer man es wir uns
    auch nur soll sollen muss müssen bei
    le la les un une des et est sont avec dans pour el los las una y es son con en para
    """.split()
)
# What a statement may begin with that only says what to do with what it is about.
ORDERED = frozenset(
    root(word)
    for word in """
    add avoid call change check commit create edit give import keep log make never only prefer put return run send set
    new show start store throw use write we wir
    """.split()
)
_IRREGULAR = {
    "written": "write", "wrote": "write", "built": "build", "kept": "keep", "made": "make", "ran": "run", "run": "run",
    "put": "put", "chosen": "choose", "held": "hold", "sent": "send", "thrown": "throw", "began": "begin",
    "edit": "change", "edited": "change", "edits": "change", "modify": "change", "modified": "change",
    "touch": "change", "touched": "change", "alter": "change", "altered": "change",
    "gestartet": "start", "starten": "start", "getestet": "test",
}  # fmt: skip


@lru_cache(maxsize=2048)
def weights(text: str) -> Mapping[str, float]:
    """The words that carry a statement, each as the key that its inflections share, with what it weighs."""
    found: dict[str, float] = {}
    bare = _ASIDE.sub("", text) if "`" not in _aside(text) else text
    for span in _CODE.findall(bare):
        for word in _keys(span, code=True):
            found[word] = NAME_WEIGHT
    for word in _keys(_CODE.sub(" ", bare), code=False):
        found.setdefault(word, NAME_WEIGHT if any(letter.isdigit() for letter in word) else 1.0)
    return found


def _aside(text: str) -> str:
    """What would be left out; an aside that names something is part of what is said."""
    found = _ASIDE.search(text)
    return found[0] if found and not re.match(r",?\s+(?:not|instead|rather|statt|nicht)\b", found[0]) else ""


@lru_cache(maxsize=8192)
def keys_of(text: str) -> frozenset[str]:
    """All words of a text as keys, for others to be looked up in."""
    found: set[str] = set()
    for word in plain_words(text):
        found.update(_word_keys(word))
    return frozenset(found)


def _keys(text: str, *, code: bool) -> list[str]:
    words = []
    for word in plain_words(text):
        if not code and (word in _FILLER or word in _DENIES or (len(word) < 2 and not word.isdigit())):
            continue
        words += [key for key in _word_keys(word, whole=True) if code or key not in _FILLER]
    return words


def _word_keys(word: str, *, whole: bool = False) -> list[str]:
    number = _NUMBER.match(word)
    if number is not None:
        return [number[1]]
    if word.isalnum():
        return [root(_IRREGULAR.get(word, word))]
    parts = [part for part in split_words(word) if part]
    # Asked for, a path counts once; looked up, it is there as a whole and in its parts.
    return [word] if whole else [word, *(root(_IRREGULAR.get(part, part)) for part in parts)]


def coverage(statement: str, text: str) -> float:
    """The share of what a statement is about that another text names, from 0 to 1."""
    wanted = weights(statement)
    there = keys_of(text)
    total = sum(wanted.values())
    return sum(weight for word, weight in wanted.items() if word in there) / total if total else 0.0


def names_covered(statement: str, text: str) -> bool:
    """Does a text have all the code, numbers and paths of a statement?"""
    there = keys_of(text)
    return all(word in there for word, weight in weights(statement).items() if weight == NAME_WEIGHT)


def head_of(statement: str) -> str:
    """What a statement is about before anything else: its first word that says something and is not what to do."""
    plain = _CODE.sub(" ", statement)
    return next((word for word in weights(plain) if word not in ORDERED), "")


def denies(text: str) -> bool:
    """Does a statement deny something, apart from an aside such as "not npm"?"""
    return any(word in _DENIES for word in plain_words(_RATHER.sub("", _ASIDE.sub("", text))))


def shared(statement: str, text: str) -> float:
    """What a statement and another text have in common, in weights."""
    there = keys_of(text)
    return sum(weight for word, weight in weights(statement).items() if word in there)


_SLOT = re.compile(r"\b([A-Za-zÀ-ÿ-]{3,})\s+(?:is\s+|are\s+|to\s+|of\s+|=\s*)?`?v?(\d[\d.,:]*\d|\d)`?")


def other_values(statement: str, text: str) -> bool:
    """Do both give a number for the same thing, another one each, and does the text say nothing else?"""
    ours = {root(word.lower()): number for word, number in _SLOT.findall(statement)}
    theirs = {root(word.lower()): number for word, number in _SLOT.findall(text)}
    differing = [word for word in ours.keys() & theirs.keys() if ours[word] != theirs[word]]
    if not differing:
        return False
    rest = [word for word in weights(text) if not word[0].isdigit()]
    return len(rest) > 1 and all(word in keys_of(statement) for word in rest)
