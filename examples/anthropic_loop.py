"""An agent loop on Anthropic-shaped messages that is fitted to the window before every request.

`send` stands for `client.messages.create(model=..., system=..., messages=messages).model_dump()`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recollect.context import Counter, fit
from recollect.context.shapes import parse, render

if TYPE_CHECKING:
    from collections.abc import Callable

    Send = Callable[[list[dict[str, Any]]], dict[str, Any]]


def ask(history: list[dict[str, Any]], send: Send, counter: Counter, window: int) -> list[dict[str, Any]]:
    """Send what fits, and go on with what was sent: what was compacted away stays away."""
    fitted = fit(parse(history, "anthropic"), window=window, counter=counter, pinned=["Answer in one sentence."])
    messages = render(fitted.messages, "anthropic")
    reply = send(messages)
    if fitted.compaction is not None and fitted.compaction.compacted:
        history = messages
    return [*history, {"role": "assistant", "content": reply["content"]}]


def main() -> None:
    """A long conversation in a small window, with a stand-in for the model."""
    text = "The build failed again; look at the log of the last run. " * 20
    history = [{"role": role, "content": text} for _ in range(40) for role in ("user", "assistant")]
    history.append({"role": "user", "content": "What is left to do?"})
    after = ask(history, lambda messages: {"content": [{"type": "text", "text": "ok"}]}, Counter(), window=8_000)
    print(f"{len(history)} messages before, {len(after)} after.")


if __name__ == "__main__":
    main()
