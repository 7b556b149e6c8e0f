"""How four vendors' models answer: one step (a text, or a call of a tool) as the events that each of them streams."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

Json = dict[str, Any]
Event = tuple[str, Json | str]  # its name, which may be empty, and its data


class Step(NamedTuple):
    """What the model does next: say something, or call the tool whose name ends so."""

    text: str = "Fine."
    tool: str = ""
    arguments: Mapping[str, Any] = MappingProxyType({})
    namespace: str = ""  # of the tool, where a vendor has such a thing


class Tool(NamedTuple):
    """A tool as a request offers it."""

    name: str
    namespace: str = ""


def offered(body: Json) -> list[Tool]:
    """The tools of a request, whoever's dialect it is in."""
    found: list[Tool] = []
    for tool in body.get("tools") or ():
        inner = tool.get("tools") or tool.get("functionDeclarations")
        if inner:
            found += [Tool(one["name"], tool.get("name", "")) for one in inner]
        else:
            found.append(Tool(tool.get("function", tool).get("name", "")))
    return found


def anthropic(step: Step) -> Iterator[Event]:
    """Anthropic's messages."""
    head: Json = {
        "id": _name("msg"),
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
    }
    if step.tool:
        block: Json = {"type": "tool_use", "id": _name("toolu"), "name": step.tool, "input": {}}
        delta: Json = {"type": "input_json_delta", "partial_json": json.dumps(dict(step.arguments))}
    else:
        block, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": step.text}
    yield _typed("message_start", message={**head, "usage": {"input_tokens": 10, "output_tokens": 1}})
    yield _typed("content_block_start", index=0, content_block=block)
    yield _typed("content_block_delta", index=0, delta=delta)
    yield _typed("content_block_stop", index=0)
    why = {"stop_reason": "tool_use" if step.tool else "end_turn", "stop_sequence": None}
    yield _typed("message_delta", delta=why, usage={"output_tokens": 5})
    yield _typed("message_stop")


def chat(step: Step) -> Iterator[Event]:
    """OpenAI's chat completions, which most others speak too."""
    head = {"id": _name("chatcmpl"), "object": "chat.completion.chunk", "created": 1, "model": "m"}
    delta: Json = {"role": "assistant", "content": step.text}
    if step.tool:
        function = {"name": step.tool, "arguments": json.dumps(dict(step.arguments))}
        delta = {
            "role": "assistant",
            "tool_calls": [{"index": 0, "id": _name("call"), "type": "function", "function": function}],
        }
    why = "tool_calls" if step.tool else "stop"
    yield "", {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    yield "", {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": why}]}
    yield "", {**head, "choices": [], "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}}
    yield "", "[DONE]"


def responses(step: Step) -> Iterator[Event]:
    """OpenAI's responses."""
    if step.tool:
        item: Json = {
            "id": _name("fc"),
            "type": "function_call",
            "status": "completed",
            "call_id": _name("call"),
            "name": step.tool,
            "arguments": json.dumps(dict(step.arguments)),
        }
        item |= {"namespace": step.namespace} if step.namespace else {}
    else:
        content = [{"type": "output_text", "text": step.text, "annotations": []}]
        item = {"id": _name("msg"), "type": "message", "role": "assistant", "status": "completed", "content": content}
    usage = {
        "input_tokens": 10,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 5,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 15,
    }
    whole = {
        "id": _name("resp"),
        "object": "response",
        "created_at": 1,
        "model": "m",
        "status": "completed",
        "output": [item],
        "usage": usage,
    }
    yield _typed("response.created", response={**whole, "status": "in_progress", "output": [], "usage": None})
    yield _typed("response.output_item.added", output_index=0, item={**item, "status": "in_progress"})
    yield _typed("response.output_item.done", output_index=0, item=item)
    yield _typed("response.completed", response=whole)


def gemini(step: Step) -> Iterator[Event]:
    """Google's generateContent."""
    part = {"functionCall": {"name": step.tool, "args": dict(step.arguments)}} if step.tool else {"text": step.text}
    counts = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
    candidate = {"index": 0, "content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}
    yield "", {"candidates": [candidate], "usageMetadata": counts, "modelVersion": "m"}


# By how the path of a request ends.
DIALECTS = {
    "/messages": anthropic,
    "/chat/completions": chat,
    "/responses": responses,
    ":streamGenerateContent": gemini,
    ":generateContent": gemini,
}


def _typed(kind: str, **fields: Any) -> Event:
    return kind, {"type": kind, **fields}


def _name(kind: str) -> str:
    return f"{kind}_{uuid.uuid4().hex[:16]}"
