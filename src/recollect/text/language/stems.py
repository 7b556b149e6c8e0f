"""Porter's stemmer for English words, and a lighter one that only folds plurals."""

from __future__ import annotations

from functools import lru_cache

_VOWELS = frozenset("aeiou")

# The rules of each step by the last letter of their ending, the longer ending first.
_STEP_2 = {
    "l": (("ational", "ate"), ("tional", "tion")),
    "n": (("ization", "ize"), ("ation", "ate")),
    "r": (("izer", "ize"), ("ator", "ate")),
    "m": (("alism", "al"),),
    "s": (("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous")),
    "i": (
        ("biliti", "ble"),
        ("entli", "ent"),
        ("ousli", "ous"),
        ("aliti", "al"),
        ("iviti", "ive"),
        ("enci", "ence"),
        ("anci", "ance"),
        ("abli", "able"),
        ("alli", "al"),
        ("logi", "log"),
        ("eli", "e"),
    ),
}
_STEP_3 = {
    "e": (("icate", "ic"), ("ative", ""), ("alize", "al")),
    "i": (("iciti", "ic"),),
    "l": (("ical", "ic"), ("ful", "")),
    "s": (("ness", ""),),
}
_STEP_4 = {
    "t": ("ement", "ment", "ant", "ent"),
    "e": ("ance", "ence", "able", "ible", "ate", "ive", "ize"),
    "m": ("ism",),
    "i": ("iti",),
    "s": ("ous",),
    "n": ("ion",),
    "l": ("al",),
    "r": ("er",),
    "c": ("ic",),
    "u": ("ou",),
}


def _shape(word: str) -> str:
    """One letter a character: v for a vowel, c for a consonant (y is a vowel after a consonant)."""
    shape = ""
    for letter in word:
        if letter in _VOWELS or (letter == "y" and shape.endswith("c")):
            shape += "v"
        else:
            shape += "c"
    return shape


def _measure(word: str) -> int:
    """How many vowel-consonant sequences the word has."""
    return _shape(word).count("vc")


def _ends_short(word: str) -> bool:
    """Consonant, vowel, consonant at the end, the last not w, x or y: `hop`, `fil`."""
    return len(word) > 2 and _shape(word).endswith("cvc") and word[-1] not in "wxy"


def _step_1(word: str) -> str:
    if word.endswith(("sses", "ies")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    if word.endswith("eed"):
        if _measure(word[:-3]) > 0:
            word = word[:-1]
    else:
        for ending in ("ed", "ing"):
            if word.endswith(ending) and "v" in _shape(word[: -len(ending)]):
                word = _mend(word[: -len(ending)])
                break
    # Porter's second rule for y: `happy` -> `happi`, but `deploy` stays with `deployment`.
    if len(word) > 2 and word.endswith("y") and word[-2] not in _VOWELS:
        word = word[:-1] + "i"
    return word


def _mend(word: str) -> str:
    """Undo what -ed and -ing did to the end of a word."""
    if word.endswith(("at", "bl", "iz")):
        return word + "e"
    if len(word) > 1 and word[-1] == word[-2] and word[-1] not in "aeioulsz":
        return word[:-1]
    if _measure(word) == 1 and _ends_short(word):
        return word + "e"
    return word


def _replace(word: str, step: dict[str, tuple[tuple[str, str], ...]]) -> str:
    for ending, new in step.get(word[-1], ()):
        if word.endswith(ending):
            rest = word[: -len(ending)]
            return rest + new if _measure(rest) > 0 else word
    return word


def _step_4(word: str) -> str:
    for ending in _STEP_4.get(word[-1], ()):
        if word.endswith(ending):
            rest = word[: -len(ending)]
            if _measure(rest) > 1 and (ending != "ion" or rest.endswith(("s", "t"))):
                return rest
            return word
    return word


def _step_5(word: str) -> str:
    if word.endswith("e"):
        measure = _measure(word[:-1])
        if measure > 1 or (measure == 1 and not _ends_short(word[:-1])):
            word = word[:-1]
    if word.endswith("ll") and _measure(word) > 1:
        word = word[:-1]
    return word


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The stem of a lower-case English word; words of one or two letters stay."""
    if len(word) <= 2:
        return word
    return _step_5(_step_4(_replace(_replace(_step_1(word), _STEP_2), _STEP_3)))


@lru_cache(maxsize=20_000)
def singular(word: str) -> str:
    """The word without its plural ending: `queries` -> `query`, `classes` -> `class`, `tests` -> `test`."""
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "zes")):
        return word[:-2]
    return word[:-1]
