"""What a person asked for, apart from what programs put into messages of the user."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recollect.model.messages import Media, Message, Other, Text, ToolResult
from recollect.text.fences import strip_fences
from recollect.text.openings import OPENINGS

if TYPE_CHECKING:
    from collections.abc import Sequence

SYSTEM_ROLES = ("system", "developer")
MOST_TAGS = 400
PROVIDER_COMPACTIONS = ("compaction", "compaction_summary", "context_compaction")
_INSTRUCTIONS = re.compile(r"\s*(?:# AGENTS\.md instructions|# CLAUDE\.md|<user_instructions>|<INSTRUCTIONS>)")
# A tag with a dash or an underscore in its name is a program's: people type <div>, not <system-reminder>.
_BLOCK = re.compile(r"<([A-Za-z]+(?:[-_][A-Za-z]+)+)(?:\s[^<>]*)?>.*?</\1>", re.DOTALL)
_UNCLOSED = re.compile(r"\s*<(?:[A-Za-z]+(?:[-_][A-Za-z]+)+)>")
_TYPED_IN = re.compile(r"<(user_query|user-query|userRequest)>\s*(.*?)\s*</\1>", re.DOTALL)
_COMMAND = re.compile(r"<command-args>(.*?)</command-args>", re.DOTALL)


def is_system(message: Message) -> bool:
    """Whether the message is an instruction of the program that talks to the model."""
    return message.role in SYSTEM_ROLES


def is_request(message: Message) -> bool:
    """Whether the message says something in the user's name; the results of tools alone do not."""
    return message.role == "user" and any(
        isinstance(part, Media) or (isinstance(part, Text) and part.text.strip()) for part in message.parts
    )


def is_instructions(message: Message) -> bool:
    """Whether the message is an instruction file that a host put in front of the conversation."""
    return message.role == "user" and bool(_INSTRUCTIONS.match(message.text))


def is_provider_compaction(message: Message) -> bool:
    """Whether a provider's own compaction stands in the message: it holds what nobody else has any more."""
    return any(
        isinstance(part, Other) and isinstance(part.value, dict) and part.value.get("type") in PROVIDER_COMPACTIONS
        for part in message.parts
    )


def is_head(message: Message) -> bool:
    """Whether the message stays in front of a summary, word for word."""
    return is_system(message) or is_instructions(message) or is_provider_compaction(message)


def typed(text: str) -> str:
    """What a person typed of a message of the user; empty when a program wrote all of it."""
    inside = _TYPED_IN.search(text)
    if inside:
        return inside[2]
    if "<command-args>" in text and (words := _COMMAND.search(text)):
        return words[1].strip()
    if "<" in text:
        text = strip_fences(text)
        # Each tag that is never closed is looked for until the end: what has too many of them was not typed.
        text = _BLOCK.sub("", text) if "</" in text and text.count("<") <= MOST_TAGS else text
    text = text.strip()
    return "" if text.startswith(OPENINGS) or _INSTRUCTIONS.match(text) or _UNCLOSED.match(text) else text


def request_of(message: Message) -> Message:
    """The message for itself, without the results of tools that stood in it."""
    parts = tuple(part for part in message.parts if not isinstance(part, ToolResult))
    if len(parts) == len(message.parts) and not message.joined:
        return message
    return message._replace(parts=parts, joined=False)


def last_requests(messages: Sequence[Message]) -> list[int]:
    """Where the last request stands, and the last one that a person typed when that is another."""
    requests = [at for at, message in enumerate(messages) if is_request(message)]
    if not requests:
        return []
    spoken = next((at for at in reversed(requests) if typed(messages[at].text)), requests[-1])
    return sorted({requests[-1], spoken})
