"""The messages of the Agent Client Protocol, as far as memory has to do with them: lines of JSON-RPC. Pure."""

from __future__ import annotations

import json

from recollect.text.json_places import with_first

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    Json = dict[str, object]

INITIALIZE, NEW, LOAD, RESUME, FORK, PROMPT, CLOSE, UPDATE = (
    "initialize", "session/new", "session/load", "session/resume", "session/fork", "session/prompt", "session/close",
    "session/update",
)  # fmt: skip
OPENING = (NEW, LOAD, RESUME, FORK)
SERVER = "recollect"  # the name of our MCP server, in every host


def parsed(line: bytes) -> Json:
    """The message of a line; empty for what is not one."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return message if isinstance(message, dict) else {}


def dict_in(holder: Mapping[str, object], name: str) -> Json:
    """The object under a name, or an empty one."""
    value = holder.get(name)
    return value if isinstance(value, dict) else {}


def list_in(holder: Mapping[str, object], name: str) -> list[Json]:
    """The objects of the list under a name."""
    value = holder.get(name)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text_in(holder: Mapping[str, object], name: str) -> str:
    """The text under a name, or an empty one."""
    value = holder.get(name)
    return value if isinstance(value, str) else ""


def typed_words(blocks: list[Json]) -> str:
    """What the user typed of a prompt: its texts, with the name of what was mentioned between them.

    The content of a mentioned file is not theirs, nor is a text that is marked as not for their eyes."""
    return "".join(map(_typed, blocks)).strip()


def other_words(blocks: list[Json]) -> str:
    """What came with a prompt and was not typed: the content of mentioned files, and texts that nobody was shown."""
    return "\n\n".join(filter(None, map(_not_typed, blocks)))


def _not_typed(block: Json) -> str:
    if block.get("type") == "resource":
        resource = dict_in(block, "resource")
        text = text_in(resource, "text")
        return f"{text_in(resource, 'uri')}:\n{text}" if text else ""
    return text_in(block, "text") if _is_hidden(block) else ""


def _is_hidden(block: Json) -> bool:
    audience = dict_in(block, "annotations").get("audience")
    return isinstance(audience, list) and bool(audience) and "user" not in audience


def _typed(block: Json) -> str:
    match block.get("type"):
        case "text":
            return "" if _is_hidden(block) else text_in(block, "text")
        case "resource_link":
            return text_in(block, "name") or _last_part(text_in(block, "uri"))
        case "resource":
            return _last_part(text_in(dict_in(block, "resource"), "uri"))
    return ""


def _last_part(uri: str) -> str:
    return uri.rstrip("/").rpartition("/")[2]


def attachments(blocks: list[Json]) -> int:
    """How many images and sounds come with a prompt."""
    return sum(block.get("type") in ("image", "audio") for block in blocks)


def is_command(words: str) -> bool:
    """Is this a slash command? Agents know theirs by how the prompt begins, so nothing may stand before it."""
    first = words.split(maxsplit=1)[0] if words.strip() else ""
    return len(first) > 1 and first[0] == "/" and "/" not in first[1:]


def with_memory(line: bytes, block: str) -> bytes:
    """A prompt with the memory block before what the user wrote; all else stays byte for byte."""
    item = {"type": "text", "text": block, "annotations": {"audience": ["assistant"]}}
    return with_first(line, ["params", "prompt"], json.dumps(item).encode())


def with_server(line: bytes, message: Json, command: str) -> bytes:
    """The opening of a session with our MCP server among its servers; as it came where one of that name is there."""
    named = [text_in(server, "name") for server in list_in(dict_in(message, "params"), "mcpServers")]
    if not command or SERVER in named:
        return line
    item = {"name": SERVER, "command": command, "args": [], "env": []}
    return with_first(line, ["params", "mcpServers"], json.dumps(item).encode())


def content_text(content: object) -> str:
    """The text of a content block; empty for anything else."""
    return text_in(content, "text") if isinstance(content, dict) and content.get("type") == "text" else ""
