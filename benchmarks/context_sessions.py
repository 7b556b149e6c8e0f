"""Real sessions as the messages a model was sent: logs of Claude Code, Codex, Copilot CLI and pi."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recollect.context.shapes import anthropic, openai_chat, openai_responses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from recollect.model.messages import Message

Conversation = tuple[str, tuple["Message", ...]]
Json = dict[str, Any]
SEED = 18


def read_sessions(folder: str) -> Iterator[Conversation]:
    """The name and the messages of every session below the folder, in the order of their names."""
    for path in sorted(Path(folder).rglob("*.jsonl")):
        messages = read_session(path)
        if messages:
            yield path.stem, messages


def is_unread(name: str) -> bool:
    """Whether a session belongs to the third that nobody looked at while the summary was built."""
    return int(hashlib.sha256(f"{SEED}:{name}".encode()).hexdigest(), 16) % 3 == 0


def read_session(path: Path) -> tuple[Message, ...]:
    """The messages of one log; none when it is of another kind."""
    return read_hosted(path)[1]


def read_hosted(path: Path) -> tuple[str, tuple[Message, ...]]:
    """The host that wrote a log, and its messages; empty when it is of another kind."""
    records = list(_records(path))
    for host, (read, parse) in HOSTS.items():
        found = _system_once(item for record in records for item in read(record))
        if found:
            return host, parse(found)
    return "", ()


def _system_once(items: Iterable[Json]) -> list[Json]:
    """The items without system messages that a log repeats, as Copilot CLI's does whenever a session goes on."""
    found: list[Json] = []
    for item in items:
        if item.get("role") != "system" or item not in found:
            found.append(item)
    return found


def _records(path: Path) -> Iterator[Json]:
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict):
            yield record


def _claude_code(record: Json) -> Iterator[Json]:
    message = record.get("message")
    if record.get("type") not in ("user", "assistant") or record.get("isSidechain"):
        return
    if isinstance(message, dict) and message.get("content"):
        yield {"role": message.get("role"), "content": message["content"]}


def _codex(record: Json) -> Iterator[Json]:
    if record.get("type") == "response_item" and isinstance(record.get("payload"), dict):
        yield record["payload"]


def _copilot(record: Json) -> Iterator[Json]:
    data = record.get("data")
    if not isinstance(data, dict):
        return
    match record.get("type"):
        case "system.message":
            yield {"role": "system", "content": data.get("content") or ""}
        case "user.message":
            yield {"role": "user", "content": data.get("content") or ""}
        case "assistant.message":
            calls = [
                _called(one["toolCallId"], one["name"], one["arguments"]) for one in data.get("toolRequests") or ()
            ]
            yield {
                "role": "assistant",
                "content": data.get("content") or "",
                **({"tool_calls": calls} if calls else {}),
            }
        case "tool.execution_complete":
            result = data.get("result") or data.get("error") or {}
            text = result.get("content") or result.get("message") or "" if isinstance(result, dict) else str(result)
            yield {"role": "tool", "tool_call_id": data["toolCallId"], "content": text}


def _pi(record: Json) -> Iterator[Json]:
    message = record.get("message")
    if record.get("type") != "message" or not isinstance(message, dict):
        return
    content = message.get("content") or []
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    text = "\n".join(block["text"] for block in blocks if block.get("type") == "text")
    match message.get("role"):
        case "user":
            yield {"role": "user", "content": text}
        case "assistant":
            calls = [_called(one["id"], one["name"], one["arguments"]) for one in blocks if one["type"] == "toolCall"]
            yield {"role": "assistant", "content": text, **({"tool_calls": calls} if calls else {})}
        case "toolResult":
            yield {"role": "tool", "tool_call_id": message["toolCallId"], "content": text}


def _called(call_id: str, name: str, arguments: Any) -> Json:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": text}}


HOSTS: dict[str, tuple[Callable[[Json], Iterator[Json]], Callable[[Any], tuple[Message, ...]]]] = {
    "claude-code": (_claude_code, anthropic.parse),
    "codex": (_codex, openai_responses.parse),
    "copilot-cli": (_copilot, openai_chat.parse),
    "pi": (_pi, openai_chat.parse),
}
