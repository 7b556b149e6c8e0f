"""Lines of a conversation that hold names later work may come back to, and how much each name matters."""

from __future__ import annotations

import heapq
import re
from math import log2
from typing import TYPE_CHECKING

from recollect.context.names import names_in, programs_in, values_in, weight_of, whole_names
from recollect.context.requests import is_request, is_system, typed
from recollect.context.tool_actions import CHANGE, COMMAND, READ, tool_actions
from recollect.model.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from recollect.context.tool_actions import ToolAction
    from recollect.model.messages import Message

TYPED, SAID, CALLED, PRINTED = "typed", "said", "called", "printed"
# How much likelier the work that follows uses a name for who brought it up; measured on real sessions.
BY_WHOM = {TYPED: 2.0, SAID: 2.0, CALLED: 1.5, PRINTED: 0.2}
FADING_MESSAGES = 30  # after so many messages a name is worth half
LONGEST_PIECE = 200
SHORTEST_PIECE = 5
LONGEST_LABEL = 60
LONGEST_PATH_LABEL = 160
LONGEST_OUTPUT = 60_000
LABEL_TOKENS = 4
LINE_TOKENS = 1
_CUT = re.compile(r"(?<=[.!?。！？])\s+|(?<=[;,|&])\s+|\s+(?=&&|\|\|)")
_SPACES = re.compile(r"\s+")
_PREAMBLE = re.compile(r"^\s*(?:(?:cd|pushd) [^&;|\n]+(?:&&|;)\s*)+")
_ADDED = re.compile(r"^\+(?!\+\+)(.*)$", re.M)


class Passage(Record):
    """A line as it stood, what it belongs to, and the names in it."""

    position: int
    label: str
    text: str
    names: tuple[str, ...]
    by: str


def find_passages(messages: Sequence[Message]) -> list[Passage]:
    """All lines with names: what the agent said, ran and wrote, and what tools printed."""
    found = [*_spoken(messages)]
    for action in tool_actions(messages):
        found += _of_action(action)
    return found


def weigh(passages: Iterable[Passage], length: int) -> dict[str, float]:
    """What each name is worth: by how often it is used, how lately, and who uses it."""
    times: dict[str, int] = {}
    latest: dict[str, int] = {}
    brought: dict[str, float] = {}
    for passage in passages:
        worth = BY_WHOM[passage.by]
        for name in passage.names:
            times[name] = times.get(name, 0) + 1
            latest[name] = max(passage.position, latest.get(name, 0))
            brought[name] = max(worth, brought.get(name, 0.0))
    return {
        name: brought[name]
        * (weight_of(name) or 1.0)
        * log2(1 + count)
        / (1 + (length - latest[name]) / FADING_MESSAGES)
        for name, count in times.items()
    }


def choose_passages(
    passages: Sequence[Passage],
    worth: Mapping[str, float],
    known: Iterable[str],
    budget_tokens: int,
    tokens_of: Callable[[str], int],
) -> list[Passage]:
    """The lines that add most for their length to what is known already, as far as the budget reaches."""
    covered = set(known)
    opened: set[tuple[int, str]] = set()
    left = budget_tokens
    chosen: list[int] = []

    def rank(at: int) -> float:
        passage = passages[at]
        gain = sum(worth.get(name, 0.0) for name in set(passage.names) if name not in covered)
        length = len(passage.text) / 4 + LINE_TOKENS
        if (passage.position, passage.label) not in opened:
            length += len(passage.label) / 4 + LABEL_TOKENS
        return -gain / length

    heap = [(rank(at), at) for at in range(len(passages))]
    heapq.heapify(heap)
    while heap and left > LABEL_TOKENS:
        before, at = heapq.heappop(heap)
        if before >= 0:
            break
        now = rank(at)
        if heap and now > heap[0][0]:
            if now < 0:
                heapq.heappush(heap, (now, at))
            continue
        passage = passages[at]
        place = (passage.position, passage.label)
        cost = tokens_of(passage.text) + LINE_TOKENS
        cost += 0 if place in opened else tokens_of(passage.label) + LABEL_TOKENS
        if now < 0 and cost <= left:
            left -= cost
            opened.add(place)
            covered.update(passage.names)
            covered.update(names_in(passage.label))
            chosen.append(at)
    return [passages[at] for at in sorted(chosen)]


def mentions(passages: Sequence[Passage]) -> list[Passage]:
    """Each name for itself, where it stood last: less to read, a fraction of the room."""
    latest: dict[str, Passage] = {}
    for passage in passages:
        for name in (*whole_names(passage.text), *values_in(passage.text)):
            latest.pop(name, None)
            latest[name] = passage
    return [passage._replace(text=name, names=(name, *names_in(name)), position=0) for name, passage in latest.items()]


def _spoken(messages: Sequence[Message]) -> Iterator[Passage]:
    for at, message in enumerate(messages):
        if is_system(message):
            continue
        if message.role == "assistant":
            yield from _lines(at, "said", message.text, SAID)
        elif is_request(message):
            own = typed(message.text)
            yield from _lines(at, "the user wrote", own, TYPED)
            if not own:
                yield from _lines(at, "a program put in", message.text, PRINTED)


def _of_action(action: ToolAction) -> Iterator[Passage]:
    label = _label(action)
    if action.kind == COMMAND:
        yield from _lines(action.position, "ran", _PREAMBLE.sub("", action.target), CALLED, programs=True)
    elif action.kind == CHANGE:
        added = "\n".join(_ADDED.findall(action.given)) if "*** Begin Patch" in action.given else action.given
        yield from _lines(action.position, f"wrote to {_path_label(action.target)}", added, CALLED)
    elif action.kind != READ:
        yield from _lines(action.position, f"called {action.target}", action.given, CALLED)
    yield from _lines(action.position, label, action.body[:LONGEST_OUTPUT], PRINTED)


def _label(action: ToolAction) -> str:
    target = _SPACES.sub(" ", _PREAMBLE.sub("", action.target[:1_000]))[:LONGEST_LABEL]
    if action.kind == COMMAND:
        return f"`{target}` printed"
    return f"in {_path_label(action.target)}" if action.kind in (CHANGE, READ) else f"{target} answered"


def _path_label(path: str) -> str:
    """A path, or the end of a long one: the name of the file stands there."""
    return path if len(path) <= LONGEST_PATH_LABEL else "…" + path[-LONGEST_PATH_LABEL:]


def _lines(at: int, label: str, text: str, by: str, *, programs: bool = False) -> Iterator[Passage]:
    seen = set()
    for line in text.splitlines():
        bare = _SPACES.sub(" ", line).strip()
        if (len(bare) < SHORTEST_PIECE and by == PRINTED) or bare in seen:
            continue
        seen.add(bare)
        for piece in pieces(bare):
            names = [*names_in(piece), *values_in(piece)]
            if programs:
                names += programs_in(piece)
            if names:
                yield Passage(at, label, piece, tuple(names), by)


def pieces(line: str) -> Iterator[str]:
    """A line, or a long one in parts that can be read."""
    while len(line) > LONGEST_PIECE:
        cuts = [found.end() for found in _CUT.finditer(line, 0, LONGEST_PIECE)]
        at = cuts[-1] if cuts and cuts[-1] > LONGEST_PIECE // 3 else line.rfind(" ", 0, LONGEST_PIECE) + 1
        at = at or LONGEST_PIECE
        yield line[:at].strip()
        line = line[at:]
    yield line
