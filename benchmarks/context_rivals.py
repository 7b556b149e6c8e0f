"""Other ways to make a conversation smaller, each given the same number of tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchmarks.context_needs import said
from benchmarks.context_uses import names_in
from recollect.context.boundaries import whole_from
from recollect.context.counting import Counter
from recollect.model.messages import Message, Text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Rival = Callable[[Sequence[Message], int, Counter], Sequence[Message]]

TAIL_SHARE = 0.6


def drop_oldest(messages: Sequence[Message], limit_tokens: int, counter: Counter) -> Sequence[Message]:
    """System messages, and the latest messages that fit."""
    system = [message for message in messages if message.role in ("system", "developer")]
    left = limit_tokens - sum(map(counter.message, system))
    at = len(messages)
    while at and (size := counter.message(messages[at - 1])) <= left:
        at -= 1
        left -= size if messages[at].role not in ("system", "developer") else 0
    at = whole_from(messages, at)
    return [message for n, message in enumerate(messages) if n >= at or message.role in ("system", "developer")]


def keep_last(messages: Sequence[Message], limit_tokens: int, counter: Counter) -> Sequence[Message]:
    """System messages and the last N, where N is the same share of the messages as the limit is of the tokens."""
    number = round(len(messages) * limit_tokens / max(1, counter.count(messages).total))
    at = whole_from(messages, len(messages) - number)
    return [message for n, message in enumerate(messages) if n >= at or message.role in ("system", "developer")]


def head_and_tail(messages: Sequence[Message], limit_tokens: int, counter: Counter) -> Sequence[Message]:
    """The text of the conversation, cut out in the middle."""
    text = said(messages)
    characters = int(len(text) * limit_tokens / max(1, counter.text(text))) // 2
    return [Message("user", (Text(text[:characters] + "\n...\n" + text[-characters:]),))]


def trim_messages(messages: Sequence[Message], limit_tokens: int, counter: Counter) -> Sequence[Message]:
    """LangChain's trim_messages, the last messages that fit with the system message kept."""
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
    from langchain_core.messages import trim_messages as trim

    originals: dict[str, Message] = {}
    converted: list[Any] = []
    for number, message in enumerate(messages):
        originals[str(number)] = message
        kind: Any = {"system": SystemMessage, "developer": SystemMessage, "assistant": AIMessage}.get(message.role)
        if message.results:
            converted.append(ToolMessage("x", tool_call_id=message.results[0].call_id, id=str(number)))
        elif message.calls:
            calls = [{"name": one.name, "args": {}, "id": one.call_id} for one in message.calls]
            converted.append(AIMessage("x", tool_calls=calls, id=str(number)))
        else:
            converted.append((kind or HumanMessage)("x", id=str(number)))

    def tokens(some: Sequence[Any]) -> int:
        return sum(counter.message(originals[one.id]) for one in some)

    left = trim(converted, max_tokens=limit_tokens, token_counter=tokens, strategy="last", include_system=True)
    return [originals[str(one.id)] for one in left]


def frequent_names(messages: Sequence[Message], limit_tokens: int, counter: Counter) -> Sequence[Message]:
    """Nothing but names: the most frequent of the whole conversation."""
    return [_listed(messages, limit_tokens, counter)]


def tail_and_names(messages: Sequence[Message], limit_tokens: int, counter: Counter) -> Sequence[Message]:
    """The latest messages in 60 % of the room, and the names of the part before them, most used and latest first."""
    system = [message for message in messages if message.role in ("system", "developer")]
    room = limit_tokens - sum(map(counter.message, system))
    at = len(messages)
    left = int(room * TAIL_SHARE)
    while at and messages[at - 1].role not in ("system", "developer") and counter.message(messages[at - 1]) <= left:
        at -= 1
        left -= counter.message(messages[at])
    at = whole_from(messages, at)
    tail = messages[at:]
    older = [message for message in messages[:at] if message.role not in ("system", "developer")]
    return [*system, _listed(older, room - sum(map(counter.message, tail)), counter), *tail]


def _listed(messages: Sequence[Message], limit_tokens: int, counter: Counter) -> Message:
    """One message with the names of these messages, as many as fit."""
    uses: dict[str, tuple[int, int]] = {}
    for at, message in enumerate(messages):
        for _, name in names_in(said([message])):
            uses[name] = (uses.get(name, (0, 0))[0] + 1, at)
    chosen = []
    left = limit_tokens - 10
    for name in sorted(uses, key=lambda name: uses[name], reverse=True):
        cost = counter.text(name + "\n")
        if cost > left:
            break
        left -= cost
        chosen.append(name)
    return Message("user", (Text("\n".join(chosen)),))


RIVALS: dict[str, Rival] = {
    "drop-oldest": drop_oldest,
    "keep-last-N": keep_last,
    "trim_messages": trim_messages,
    "head+tail": head_and_tail,
}

# These know what names look like: they run where names are asked for.
FUTURE_RIVALS: dict[str, Rival] = {"tail+names": tail_and_names, "frequent names": frequent_names}


def available() -> tuple[dict[str, Rival], list[str]]:
    """The rivals that can be run here, and the packages that others need."""
    try:
        import langchain_core.messages  # noqa: F401
    except ImportError:
        return {name: rival for name, rival in RIVALS.items() if name != "trim_messages"}, ["langchain-core"]
    return RIVALS, []
