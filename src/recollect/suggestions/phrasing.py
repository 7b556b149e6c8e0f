"""A fact in the manner of the file it goes into: imperative or not, with or without a full stop, wrapped or not."""

from __future__ import annotations

import itertools
import re
import textwrap
from typing import TYPE_CHECKING

from recollect.model.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

NARROWEST, WIDEST = 60, 120
_VERBS = frozenset(
    """
    add always annotate answer apply ask avoid branch build bump call check choose commit copy create declare
    document don't do ensure explain expose fix follow format give group handle import include inject install
    keep leave let link list log look make mark mock move name never note open pass pin place point prefer put
    raise read register reject remove rename return reuse review run send set show split squash start store
    style tag tell test throw try type update use validate verify wrap write
    """.split()
)
# Words that are surely not names, so that they may begin with a capital letter.
_OPENERS = _VERBS | frozenset(
    "a all an any are both can each every for he i if in is it its must no not on one only our she should some "
    "that the their there these they this those to we when where you your".split()
)
# What a fact says about somebody or something, as what there is to do.
_ORDERS: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    # What somebody wants its reader to do is simply to be done.
    (
        re.compile(
            r"^(?:the user|i|we|they) (?:(always|never) )?(?:wants?|expects?|prefers?|would like) you to (?=\S)", re.I
        ),
        lambda found: f"{found[1].capitalize()} " if found[1] else "",
    ),
    (re.compile(r"^(?:the user|i|we|they) (?:always )?(?:prefers?|likes?|wants?) (?=\S)", re.IGNORECASE), "Prefer "),
    (
        re.compile(r"^(?:this|the|our) (?:repository|repo|project|codebase|team) (?:always )?uses ", re.IGNORECASE),
        "Use ",
    ),
    (re.compile(r"^we (?:always )?use ", re.IGNORECASE), "Use "),
    (re.compile(r"^(?:the user|i|we) (?:never|do(?:es)? not|don't|doesn't) use ", re.IGNORECASE), "Do not use "),
    (re.compile(r"^we always ", re.IGNORECASE), "Always "),
    (re.compile(r"^we never ", re.IGNORECASE), "Never "),
    (re.compile(r"^we (?:do not|don't) ", re.IGNORECASE), "Do not "),
)
# How it was before: "..., not to Fly.io anymore", "... now, no longer on Fly.io". A full stop may be part of a name.
_NAMED = r"(?:[^,;.]|\.(?=\S)){1,60}"
_BEFORE = re.compile(
    rf",(?: and| but)? not {_NAMED} any ?more(?=[.!]?$)|(?<=\bnow),(?: and)? no longer {_NAMED}(?=[.!]?$)",
    re.IGNORECASE,
)
_NOW = re.compile(r" now(?=[ ,.!]|$)")
_CODE = re.compile(r"`[^`\n]+`")
# Paths, constants and identifiers of several words, which are never plain words; an address stays as it is.
_NAME = re.compile(
    r"`[^`\n]*`|\w+://\S+|(?<![\w./-])(?:"
    r"(?:\.{0,2}/)?(?:[\w@.*-]+/){2,}[\w@.*-]*[\w*]|(?:[\w@.*-]+/)+(?:[\w@*-]+\.\w+|(?=[\s,.;]|$))"
    r"|(?:(?<=\b[Ii]n )|(?<=\b[Uu]nder )|(?<=\binto )|(?<=\bfrom )|(?<=\b[Tt]ouch )|(?<=\b[Ee]dit ))[\w@.*-]+/[\w@*-]+"
    r"|[A-Z][A-Z0-9]*_[A-Z0-9_]+|[a-z]\w*_\w+(?:\(\))?|[a-z]{2,}[A-Z][a-z]\w*(?:\(\))?|[a-z]\w+\.[A-Za-z]\w+(?:\(\))?"
    r")(?![\w-])"
)
_ABOUT_USER = re.compile(r"^the user(?:'s)? ", re.IGNORECASE)


class Manner(Record):
    """How a file, or a list in it, is written."""

    orders: bool = True  # it tells its reader what to do
    stops: bool = True  # items end with a full stop
    width: int = 0  # where its lines are wrapped; 0: nowhere
    codes: bool = False  # names of code stand in backticks


def manner_of(items: Sequence[str], lines: Sequence[str]) -> Manner:
    """The manner of a list, or of a whole file where the list is empty."""
    opening = [one.split(" ", 1)[0].strip("*_`").casefold().rstrip(",:") for one in items if one]
    orders = sum(word in _VERBS for word in opening)
    stops = sum(one.rstrip(")*_").endswith((".", "!", "。", ":")) for one in items)
    return Manner(
        orders=not items or orders * 3 >= len(items),
        stops=not items or stops * 2 >= len(items),
        width=_width(lines),
        codes=any(_CODE.search(line) for line in lines),
    )


def _width(lines: Sequence[str]) -> int:
    """Where lines are wrapped: only if a line of prose goes on in the next one."""
    prose = [line.rstrip() for line in lines if not line.lstrip().startswith(("#", "|", "```", "<", "---"))]
    wrapped = [
        len(line)
        for line, following in itertools.pairwise(prose)
        if line and following and not re.match(r"\s*(?:[-*+]|\d+[.)])\s", following) and len(line) >= NARROWEST
    ]
    if not wrapped or max(wrapped) > WIDEST:
        return 0
    return next(width for width in (72, 79, 80, 88, 100, WIDEST) if max(wrapped) <= width)


def phrased(content: str, manner: Manner) -> str:
    """The fact as the file would put it."""
    text = _as_it_is(" ".join(content.split()))
    for pattern, order in _ORDERS:
        if pattern.match(text) and (manner.orders or _ABOUT_USER.match(text)):
            text = pattern.sub(order, text)
            text = text[:1].upper() + text[1:]
            break
    text = in_code(text) if manner.codes else text
    opening = text.partition(" ")[0].rstrip(",:")
    text = text[:1].upper() + text[1:] if opening in _OPENERS else text  # pnpm and gRPC keep their names
    bare = text.rstrip()
    if manner.stops:
        return bare if bare.endswith((".", "!", "?", "。", ":")) else bare + "."
    return bare[:-1] if bare.endswith(".") and not bare.endswith("..") else bare


def _as_it_is(text: str) -> str:
    """A statement of a change as how things are now: a file does not say how they were before."""
    now = _BEFORE.sub("", text)
    return _NOW.sub("", now, count=1) if now != text else text


def in_code(text: str) -> str:
    """The text with its paths and identifiers in backticks."""
    return _NAME.sub(lambda found: found[0] if found[0][0] == "`" or "://" in found[0] else f"`{found[0]}`", text)


def wrapped(text: str, lead: str, manner: Manner) -> list[str]:
    """The lines of an item or a paragraph, without their ends; what goes on is indented behind the marker."""
    if not manner.width:
        return [lead + text]
    return textwrap.wrap(
        text,
        manner.width,
        initial_indent=lead,
        subsequent_indent=" " * len(lead),
        break_long_words=False,
        break_on_hyphens=False,
    )
