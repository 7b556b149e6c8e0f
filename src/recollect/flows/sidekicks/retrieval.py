"""The built-in sidekicks without a model: what the board, past sessions and commits hold about a message, by words."""

from __future__ import annotations

from recollect.board.rendering import whole
from recollect.flows.board.board import ContextBoard
from recollect.flows.sidekicks.tools import history_about
from recollect.model.record import Record
from recollect.sidekicks.relevance import relevant
from recollect.text.rendering import as_reference

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from recollect.flows.opened import Opened
    from recollect.model.turns import Recipient

    Retrieve = Callable[[str, Opened, Recipient, frozenset[str]], "Finding | None"]

MOST_TURNS = 3
STRONG = 2.0  # times the floor: only what is clearly about it
LEAST_SHARED = 3  # words of a commit


class Finding(Record):
    """What a sidekick sends, and what it is made of."""

    summary: str
    content: str
    about: tuple[str, ...]


def from_board(message: str, memory: Opened, to: Recipient, sent: frozenset[str]) -> Finding | None:
    """What the board holds about a message, word for word; nothing that was sent in this session before."""
    board = ContextBoard(memory)
    fresh = [one for one in board.list() if _mark(one.src, one.name, one.updated) not in sent]
    found = relevant(message, fresh)
    if not found:
        return None
    items = [board.get(one.name, one.src) for one in found]
    names = ", ".join(one.name for one in items)
    return Finding(
        f"{names}: {items[0].description}",
        "\n\n".join(map(whole, items)),
        tuple(_mark(one.src, one.name, one.updated) for one in items),
    )


def from_history(message: str, memory: Opened, to: Recipient, sent: frozenset[str]) -> Finding | None:
    """What past sessions and commits say about a message, where it is clearly about it."""
    from recollect.flows.turns.recall import recall

    filters = memory.filters()._replace(layers=("L2",))
    limits = memory.limits(MOST_TURNS)._replace(max_archive=MOST_TURNS)
    found = recall(
        message, store=memory.store, filters=filters, limits=limits, checker=memory.checker(),
        given=lambda: memory.in_window(to), near=memory.near, now=memory.now,
    )  # fmt: skip
    strong = [one for one in found.entries if one.relevance >= STRONG * limits.floor]
    past = [one.entry for one in strong if one.entry.entry_id not in sent]
    changes = [line for line in history_about(message, memory, least=LEAST_SHARED) if line.split()[0] not in sent][:3]
    if not (past or changes):
        return None
    lines = [f"- [{one.entry_id}] {as_reference(one)}" for one in past]
    lines += [f"- commit {line}" for line in changes]
    names = [one.entry_id for one in past] + [line.split()[0] for line in changes]
    summary = "; ".join(filter(None, (_count(len(past), "past session"), _count(len(changes), "commit"))))
    return Finding(f"{summary} about this", "\n".join(lines), tuple(names))


def _count(number: int, noun: str) -> str:
    return "" if not number else f"1 {noun}" if number == 1 else f"{number} {noun}s"


def _mark(src: str, name: str, updated: float) -> str:
    return f"{src}/{name}@{updated:.0f}"


BY_RULES: Mapping[str, Retrieve] = {"subconscious-agent": from_board, "github-context": from_history}
