"""An agent loop on OpenAI-shaped messages that never outgrows its window.

`send` stands for `client.chat.completions.create(model=..., messages=messages).choices[0].message.model_dump()`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recollect.context import BasicTruncator, CompactionProcessor, Counter, RequestPipeline
from recollect.context.limit_errors import is_context_limit
from recollect.context.shapes import parse, render

if TYPE_CHECKING:
    from collections.abc import Callable

    Send = Callable[[list[dict[str, Any]]], dict[str, Any]]


def pipeline(window: int) -> RequestPipeline:
    """Compaction in the background, and truncation as the last guard."""
    counter = Counter()
    return RequestPipeline(
        compaction=CompactionProcessor(counter=counter, window=window),
        truncation=BasicTruncator(counter=counter, limit_tokens=window),
    )


def ask(history: list[dict[str, Any]], send: Send, steps: RequestPipeline) -> list[dict[str, Any]]:
    """Send the history and return it with the reply; a refusal for its length is retried smaller."""
    while True:
        messages = steps.process(parse(history, "openai_chat"))
        try:
            reply = send(render(messages, "openai_chat"))
        except Exception as error:
            if is_context_limit(error) and steps.on_error(error):
                continue
            raise
        steps.on_success()
        return [*history, reply]


def main() -> None:
    """A long conversation in a small window, with a stand-in for the model."""
    sent: list[int] = []

    def send(messages: list[dict[str, Any]]) -> dict[str, Any]:
        sent.append(len(messages))
        return {"role": "assistant", "content": "ok"}

    text = "The build failed again; look at the log of the last run. " * 20
    history = [{"role": role, "content": text} for _ in range(40) for role in ("user", "assistant")]
    history.append({"role": "user", "content": "What is left to do?"})
    ask(history, send, pipeline(8_000))
    print(f"{len(history)} messages in the history, {sent[-1]} sent.")


if __name__ == "__main__":
    main()
