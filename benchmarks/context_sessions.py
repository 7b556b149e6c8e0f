"""Real sessions as the messages a model was sent: logs of Claude Code (Anthropic) and of Codex (Responses items)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recollect.context.shapes import anthropic, openai_responses

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recollect.model.messages import Message

Conversation = tuple[str, tuple["Message", ...]]


def read_sessions(folder: str) -> Iterator[Conversation]:
    """The name and the messages of every session below the folder, in the order of their names."""
    for path in sorted(Path(folder).rglob("*.jsonl")):
        messages = read_session(path)
        if messages:
            yield path.stem, messages


def read_session(path: Path) -> tuple[Message, ...]:
    """The messages of one log; none when it is of another kind."""
    said: list[dict[str, Any]] = []
    items: list[dict[str, Any]] = []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if not isinstance(record, dict):
            continue
        if record.get("type") in ("user", "assistant") and not record.get("isSidechain"):
            message = record.get("message")
            if isinstance(message, dict) and message.get("content"):
                said.append({"role": message.get("role"), "content": message["content"]})
        elif record.get("type") == "response_item" and isinstance(record.get("payload"), dict):
            items.append(record["payload"])
    if said:
        return anthropic.parse(said)
    return openai_responses.parse(items) if items else ()
