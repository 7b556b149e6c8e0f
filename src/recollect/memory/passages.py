"""How a text that a program keeps is divided into passages, and how each says where it belongs. Pure."""

from __future__ import annotations

import re

from recollect.model.entries import SHELF_TAG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

PASSAGE_CHARACTERS = 1_200  # what a recall can bring whole without spending its ceiling on it
_PARAGRAPH = re.compile(r".+?(?:\n(?:[ \t\r]*\n)+|\Z)", re.DOTALL)  # ends with its empty lines


def shelf_tag(number: int) -> str:
    """The tag of the passage with this number; the first one's has none."""
    return SHELF_TAG if number == 1 else f"{SHELF_TAG}:{number}"


def passage_number(tags: Sequence[str]) -> int:
    """Which passage of its text an entry with these tags is; 0 when it stands on no shelf."""
    for tag in tags:
        name, _, number = tag.partition(":")
        if name == SHELF_TAG and (number.isdecimal() or not number):
            return int(number or 1)
    return 0


def divide(text: str) -> tuple[str, ...]:
    """The passages of a text, at least one: whole paragraphs where they are short enough. Joined, they are the text."""
    passages: list[str] = []
    for paragraph in _PARAGRAPH.findall(text) or [text]:
        for piece in _lines(paragraph) if len(paragraph) > PASSAGE_CHARACTERS else [paragraph]:
            if passages and len(passages[-1]) + len(piece) <= PASSAGE_CHARACTERS:
                passages[-1] += piece
            else:
                passages.append(piece)
    return tuple(passages) or ("",)


def join(passages: Sequence[str]) -> str:
    """The text of its passages. One that a person rewrote may have lost the end of its last line."""
    ended = [one if one.endswith("\n") or not one else one + "\n" for one in passages[:-1]]
    return "".join([*ended, *passages[-1:]])


def _lines(paragraph: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+\Z", paragraph)
