"""How the messages of commits are written, by rules, and which of them take something back."""

from __future__ import annotations

import re

from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

STYLE_SHARE = 0.8
_CONVENTIONAL = re.compile(
    r"(?:build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(?:\([\w ./,*-]+\))?!?: \S"
)
_TICKET = re.compile(r"\[?[A-Z][A-Z0-9]+-\d+\b")
_REVERT = re.compile(r"(?:Revert (?=\")|revert(?:\([^)]*\))?!?: )(.*)", re.IGNORECASE | re.DOTALL)
_REVERTED = re.compile(r"\bThis reverts commit ([0-9a-f]{7,64})\b")
_BOT = re.compile(r"\[bot\]|\b(?:dependabot|renovate|github[- ]actions)\b", re.IGNORECASE)
_STYLES = (
    (_CONVENTIONAL, "Commit messages here follow Conventional Commits, such as `fix: …`."),
    (_TICKET, "Commit messages here begin with the number of a ticket."),
)


class Style(Record):
    """The one way in which messages are written, and how many are."""

    says: str
    times: int
    of: int


def style_of(subjects: Sequence[str]) -> Style | None:
    """The style that nearly all of these have; None when there is none. What git writes for a revert has no say."""
    own = [subject for subject in subjects if reverted(subject) is None]
    for pattern, says in _STYLES:
        count = sum(pattern.match(subject) is not None for subject in own)
        if own and count / len(own) >= STYLE_SHARE:
            return Style(says, times=count, of=len(own))
    return None


def reverted(subject: str) -> str | None:
    """The subject of what a commit with this one takes back; None when it takes nothing back."""
    found = _REVERT.match(subject)
    return found[1].strip().strip('"') if found else None


def reverted_name(body: str) -> str:
    """The name of the commit that a message says it reverts, or empty."""
    found = _REVERTED.search(body)
    return found[1] if found else ""


def is_bot(author: str) -> bool:
    """Is this a program that commits, not a person?"""
    return _BOT.search(author) is not None
