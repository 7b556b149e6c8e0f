"""Which shape a list of messages has."""

from __future__ import annotations

from typing import Any

from recollect.errors import UsageError

ANTHROPIC_BLOCKS = {"tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use", "image", "document"}
RESPONSES_BLOCKS = {"input_text", "output_text", "input_image", "input_file"}
CHAT_BLOCKS = {"image_url", "file"}


def detect(messages: Any) -> str:
    """The shape of these messages; openai_chat when nothing in them decides. Raises UsageError for anything else."""
    if isinstance(messages, str):
        return "openai_responses"
    if isinstance(messages, dict):
        if "input" in messages:
            return "openai_responses"
        if "system" in messages and "messages" in messages:
            return "anthropic"
        messages = messages.get("messages")
    if not isinstance(messages, (list, tuple)):
        raise UsageError("These are not messages: a list is expected, or a request with one.")
    for message in messages:
        if shape := _shape_of(message):
            return shape
    return next((shape for message in messages if (shape := _likely_shape_of(message))), "openai_chat")


def _shape_of(message: Any) -> str:
    if not isinstance(message, dict):
        return "pydantic_ai" if hasattr(message, "kind") and hasattr(message, "parts") else ""
    if message.get("kind") in ("request", "response") and isinstance(message.get("parts"), list):
        return "pydantic_ai_json"
    if "tool_calls" in message or "function_call" in message or message.get("role") in ("tool", "function"):
        return "openai_chat"
    if "role" not in message:
        return "openai_responses" if isinstance(message.get("type"), str) else ""
    content = message.get("content")
    blocks = {block.get("type") for block in content if isinstance(block, dict)} if isinstance(content, list) else set()
    for types, shape in (
        (RESPONSES_BLOCKS, "openai_responses"),
        (ANTHROPIC_BLOCKS, "anthropic"),
        (CHAT_BLOCKS, "openai_chat"),
    ):
        if blocks & types:
            return shape
    return ""


def _likely_shape_of(message: Any) -> str:
    if not isinstance(message, dict) or message.get("type") != "message":
        return ""
    return "anthropic" if "stop_reason" in message or "usage" in message else "openai_responses"
