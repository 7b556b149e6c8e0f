"""The message that stands for everything before the boundary, and how it is read again by the next compaction.

It holds the summary, the user's own messages, pinned lines, plan, todos, skills and the agent's summary, each in a
tag of its own. A body that contains its own closing tag gets a longer tag, so that nothing has to be escaped.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recollect.context import rules_summary
from recollect.context.measuring import clip_middle
from recollect.context.notes import Note
from recollect.context.pairs import mend
from recollect.context.requests import is_head, request_of
from recollect.model.messages import Message, Text
from recollect.model.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

TAG = "conversation-summary"
PREAMBLE = (
    "Earlier messages of this conversation were replaced by this summary. It is a record, not a request: what it lists"
    " is done unless it says otherwise, and your tools work as before. Work on what the user asked for last, unless it"
    " says that this has been answered. What the"
    " user ruled holds word for word; files may have changed since, so read them again before you rely on details."
)
LEAST_MESSAGE_TOKENS = 60
MOST_MESSAGE_TOKENS = 1_200
SPOKEN_OVERHEAD_TOKENS = 10

_OPENING = re.compile(rf"\A\s*<{TAG}(?: goal=\"(\d+)\")?(?: after=\"(\d+)\")?>")
_SECTION = re.compile(r"^<(summary|notes|pinned|user-messages)(x*)(?: total=\"(\d+)\")?>\n", re.M)
_SPOKEN = re.compile(r"<user(x*) n=\"(\d+)\">\n(.*?)\n</user\1>", re.DOTALL)


class Spoken(Record):
    """A message of the user and which one of all it was."""

    number: int
    text: str


class Extras(Record):
    """What is taken from its source at every compaction and never summarised."""

    pinned: tuple[str, ...] = ()
    plan: str = ""
    todos: str = ""
    skills: tuple[tuple[str, str], ...] = ()  # name and instructions
    agent_summary: str = ""


class Earlier(Record):
    """What an earlier compaction left."""

    notes: tuple[Note, ...] = ()
    prose: str = ""
    spoken: tuple[Spoken, ...] = ()
    total: int = 0  # messages of the user until then
    pinned: tuple[str, ...] = ()
    goal_tokens: int = 0
    after_tokens: int = 0  # what stood behind the summary when it was made


def head_length(messages: Sequence[Message]) -> int:
    """How many messages stand before the place of a summary: system messages and instruction files."""
    at = 0
    while at < len(messages) and is_head(messages[at]):
        at += 1
    return at


def unfold(messages: Sequence[Message]) -> tuple[list[Message], Message | None]:
    """The messages without an earlier summary, and that summary; also when a shape joined it to the next message."""
    at = head_length(messages)
    if at == len(messages) or messages[at].role != "user" or not messages[at].parts:
        return list(messages), None
    first = messages[at].parts[0]
    if not isinstance(first, Text) or not _OPENING.match(first.text):
        return list(messages), None
    rest = messages[at].parts[1:]
    joined = [messages[at]._replace(parts=rest)] if rest else []
    return [*messages[:at], *joined, *messages[at + 1 :]], messages[at]._replace(parts=(first,))


def read(message: Message) -> Earlier:
    """What a summary message holds."""
    text = message.text
    opening = _OPENING.match(text)
    found: dict[str, str] = {}
    total = 0
    at = opening.end() if opening else 0
    while section := _SECTION.search(text, at):
        end = text.find(f"\n</{section[1]}{section[2]}>", section.end() - 1)
        if end < 0:
            break
        found.setdefault(section[1], text[section.end() : end])
        total = int(section[3]) if section[3] else total
        at = end
    spoken = tuple(Spoken(int(one[2]), one[3]) for one in _SPOKEN.finditer(found.get("user-messages", "")))
    return Earlier(
        notes=tuple(rules_summary.parse(found.get("notes", ""))),
        prose=found.get("summary", ""),
        spoken=spoken,
        total=max([total, *(one.number for one in spoken)]),
        pinned=tuple(found.get("pinned", "").splitlines()),
        goal_tokens=int(opening[1] or 0) if opening else 0,
        after_tokens=int(opening[2] or 0) if opening else 0,
    )


def write(
    *,
    prose: str,
    notes: Sequence[Note],
    spoken: Sequence[Spoken],
    total_spoken: int,
    extras: Extras,
    goal_tokens: int = 0,
    after_tokens: int = 0,
) -> str:
    """The text of the summary message."""
    sections = [
        _section("summary", prose),
        _spoken_section(spoken, total_spoken),
        _section("notes", rules_summary.render(notes)),
        _section("pinned", "\n".join(extras.pinned)),
        _section("plan", extras.plan),
        _section("todos", extras.todos),
        *(_section("skill", f"{name}\n{body}".strip()) for name, body in extras.skills),
        _section("agent-summary", extras.agent_summary),
    ]
    opening = f'<{TAG} goal="{goal_tokens}" after="{after_tokens}">'
    return "\n\n".join([f"{opening}\n{PREAMBLE}", *filter(None, sections), f"</{TAG}>"])


def spoken_cost(spoken: Sequence[Spoken], tokens_of: Callable[[str], int]) -> int:
    """What the user's messages take in a summary."""
    return sum(tokens_of(one.text) + SPOKEN_OVERHEAD_TOKENS for one in spoken)


def choose_spoken(spoken: Sequence[Spoken], budget_tokens: int, tokens_of: Callable[[str], int]) -> list[Spoken]:
    """The user's messages that fit: the latest first, the very first before the middle ones; long ones clipped."""
    cap = max(LEAST_MESSAGE_TOKENS, min(MOST_MESSAGE_TOKENS, budget_tokens // 3))
    order = [*reversed(spoken[1:]), *spoken[:1]] if len(spoken) < 4 else [*spoken[:-4:-1], spoken[0], *spoken[-4:0:-1]]
    left = budget_tokens
    kept: list[Spoken] = []
    for one in order:
        text = clip_middle(one.text, cap)
        cost = tokens_of(text) + SPOKEN_OVERHEAD_TOKENS
        if cost <= left:
            left -= cost
            kept.append(Spoken(one.number, text))
    return sorted(kept)


def replace(messages: Sequence[Message], summary: str, *, boundary: int, kept: Sequence[int]) -> list[Message]:
    """The replacement history: what is kept of the head, the summary, the kept requests, all behind the boundary."""
    head = [messages[at] for at in kept if is_head(messages[at])]
    requests = [request_of(messages[at]) for at in kept if not is_head(messages[at])]
    shape = messages[-1].shape if messages else ""
    stand_in = Message("user", (Text(summary),), shape=shape)
    return mend([*head, stand_in, *requests, *messages[boundary:]])


def replay_compaction(messages: Sequence[Message], data: Mapping[str, Any]) -> list[Message]:
    """Apply a recorded `session.compaction_complete` to the messages it was made from; a failed one changes nothing."""
    if not data.get("success"):
        return list(messages)
    rest = mend(unfold(messages)[0])
    return replace(rest, data["summaryContent"], boundary=data["boundary"], kept=data["keptIndexes"])


def _section(tag: str, body: str, attributes: str = "") -> str:
    if not body:
        return ""
    while f"</{tag}>" in body:
        tag += "x"
    return f"<{tag}{attributes}>\n{body}\n</{tag}>"


def _spoken_section(spoken: Sequence[Spoken], total: int) -> str:
    if not total:
        return ""
    items = [_section("user", one.text, f' n="{one.number}"') for one in spoken]
    omitted = total - len(spoken)
    if omitted > 0:
        items.insert(0, f"({omitted} {'message' if omitted == 1 else 'messages'} of the user omitted)")
    return _section("user-messages", "\n".join(items), f' total="{total}"')
