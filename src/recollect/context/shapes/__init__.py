"""Messages of four libraries from and to the neutral model, loss-free: `render(parse(x, shape), shape) == x`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from recollect.context.shapes import anthropic, openai_chat, openai_responses, pydantic_ai
from recollect.context.shapes.adapting import adapted
from recollect.context.shapes.detecting import detect
from recollect.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from recollect.model.messages import Message

Result = TypeVar("Result")
PARSERS: dict[str, Callable[[Any], tuple[Message, ...]]] = {
    "openai_chat": openai_chat.parse,
    "openai_responses": openai_responses.parse,
    "anthropic": anthropic.parse,
    "pydantic_ai": pydantic_ai.parse,
    "pydantic_ai_json": pydantic_ai.parse,
}
RENDERERS: dict[str, Callable[[Iterable[Message]], Any]] = {
    "openai_chat": openai_chat.render,
    "openai_responses": openai_responses.render,
    "anthropic": anthropic.render,
    "pydantic_ai": pydantic_ai.objects,
    "pydantic_ai_json": pydantic_ai.render,
}
SHAPES = tuple(PARSERS)


def parse(messages: Any, shape: str = "") -> tuple[Message, ...]:
    """The neutral messages of a list of that shape, or of a whole request around one; detected when none is named."""
    parser = _known(shape or detect(messages), PARSERS)
    return parser(messages)


def render(messages: Iterable[Message], shape: str) -> Any:
    """The messages in that shape: a list, or a whole request when a system context or more stands beside the list."""
    renderer = _known(shape, RENDERERS)
    return renderer(adapted(messages, shape.removesuffix("_json")))


def _known(shape: str, table: dict[str, Callable[[Any], Result]]) -> Callable[[Any], Result]:
    if shape not in table:
        raise UsageError(f"There is no message shape {shape!r}; the shapes are {', '.join(SHAPES)}.")
    return table[shape]


__all__ = ["SHAPES", "detect", "parse", "render"]
