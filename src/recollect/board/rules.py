"""The rules of the board: what an item may be, how many there may be, and what is said when one does not fit. Pure."""

from __future__ import annotations

import re

from recollect.errors import Refused, UsageError
from recollect.model.board import AGENT, CAPACITY, USER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.model.board import BoardItem, Pruned

WARN_AT = 23  # from here on whoever consolidates is told to prune
PRUNE_TO = 18  # or fewer, so that there is headroom
LONGEST_NAME, LONGEST_DESCRIPTION, LONGEST_CONTENT = 60, 200, 4_000
LONGEST_TITLE = 40  # of an item that holds a statement
COMMANDS = ("get_board", "get", "add", "prune")
_KEBAB = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_OPENING = re.compile(r"^\W*(?:(?:please|so|also|note that|remember(?: that)?|the user|the team|user|we|i|you)\b\W*)+")
_UNSAID = frozenset(("a", "an", "the", "is", "are", "be"))
_LEADS_ON = frozenset(  # words that no title ends with
    "after and as at because before but by for from if in into its never no not of on only or so than that this to "
    "unless when with without".split()
)

EMPTY = "The context board is empty."
OFF = "The context board is switched off; `recollect settings set subconscious.enabled true` switches it on."
GET_NEEDS = "get needs src and name."
ADD_NEEDS = "add needs name, description and context."
PRUNE_NEEDS = "prune needs name."


def unknown_command(command: str) -> str:
    """The sentence for a command that the board does not have."""
    return f"context_board has no command {command[:40]!r}; use get_board, get, add or prune."


def not_found(src: str, name: str) -> str:
    """The sentence for an item that is not there."""
    return f"Item not found: the board has no {src} item {name[:LONGEST_NAME]!r}."


def full() -> str:
    """The sentence for an item too many."""
    return f"The board is full ({CAPACITY} items): prune first, to {PRUNE_TO} items or fewer."


def users_item(name: str) -> str:
    """The sentence for an agent that would prune what the user wrote."""
    return f"{name!r} was written by the user: only the user can prune it."


def warning(number: int) -> str:
    """What is said with a board that is nearly full; empty below that."""
    if number < WARN_AT:
        return ""
    return f"The board holds {number} of {CAPACITY} items: prune it to {PRUNE_TO} or fewer."


def require_fit(name: str, description: str, content: str) -> None:
    """UsageError when this cannot be an item; each reason has its own sentence."""
    if not (name and description.strip() and content.strip()):
        raise UsageError("An item needs a name, a description and content.")
    if not _KEBAB.fullmatch(name):
        raise UsageError(f"{name[:LONGEST_NAME]!r} is not a valid name; use lower-case words with dashes: run-tests.")
    if len(name) > LONGEST_NAME:
        raise UsageError(f"A name may have at most {LONGEST_NAME} characters; {name[:30]!r}… has {len(name)}.")
    if "\n" in description.strip() or len(description) > LONGEST_DESCRIPTION:
        raise UsageError(f"A description is one line of at most {LONGEST_DESCRIPTION} characters.")
    if len(content) > LONGEST_CONTENT:
        raise UsageError(f"An item may have at most {LONGEST_CONTENT:,} characters; this one has {len(content):,}.")


def require_room(name: str, src: str, items: Sequence[BoardItem]) -> None:
    """Refused when a new item would be one too many. Overwriting needs no room."""
    is_known = any(one.src == src and one.name == name for one in items)
    if not is_known and len(items) >= CAPACITY:
        raise Refused(full())


def require_wanted(name: str, pruned: Sequence[Pruned]) -> None:
    """Refused when a person took this off the board: an agent does not bring it back."""
    if any(one.name == name and one.pruned_by == USER for one in pruned):
        raise Refused(f"The user took {name!r} off the board; only the user can add it again.")


def choose(name: str, src: str, items: Sequence[BoardItem]) -> BoardItem | None:
    """The item of this name: of the source that is named, else the user's, else an agent's."""
    sources = (src,) if src else (USER, AGENT)
    return next((one for wanted in sources for one in items if one.src == wanted and one.name == name), None)


def slug(text: str) -> str:
    """A name made of the words of a text."""
    return _joined(re.findall(r"[a-z0-9]+", text.lower()), LONGEST_NAME - 12) or "item"


def title(text: str, prefix: str) -> str:
    """A name that reads like a headline: without who says it, articles and forms of "to be", cut at a whole word."""
    plain = _OPENING.sub("", re.sub(r"(?<=\w)['’](?=\w)", "", text.lower()))
    words = [word for word in re.findall(r"[a-z0-9]+", plain) if word not in _UNSAID]
    made = _joined(words, LONGEST_TITLE - len(prefix)).split("-")
    while len(made) < len(words) and len(made) > 1 and made[-1] in _LEADS_ON:
        made.pop()
    return prefix + ("-".join(made) or slug(text)[: LONGEST_TITLE - len(prefix)].strip("-"))


def _joined(words: Sequence[str], longest: int) -> str:
    """As many of the words as there is room for, with dashes between them."""
    made = ""
    for word in words:
        if len(made) + len(word) + bool(made) > longest:
            break
        made = f"{made}-{word}" if made else word
    return made
