"""Does a text name one of several alternatives, like pnpm or PostgreSQL? A quick look, for many texts."""

from __future__ import annotations

from recollect.text.language.lexicon import CASED, SHARED, SPELLINGS, groups_of

# A name as it may stand between two spaces.
_FRAMES = ("{}", "{},", "{}.", "{};", "{}:", "{}!", "{}?", "{})", "({}", "({})", "`{}`", "`{}`,", "`{}`.", '"{}"')


def _telling(alternative: str) -> bool:
    groups = groups_of(alternative)
    return len(groups) == 1 and groups[0] not in SHARED


_NAMES = frozenset(
    frame.format(spelling)
    for spelling, alternative in SPELLINGS.items()
    if " " not in spelling and spelling not in CASED and _telling(alternative)
    for frame in _FRAMES
)


def names_choice(text: str) -> bool:
    """Does it name an alternative that by itself says what the text is about?"""
    return not _NAMES.isdisjoint(text.casefold().split())
