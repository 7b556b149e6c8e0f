"""A conversation of any provider, neutral. What a provider adds and we do not know is carried along in `extra`."""

from __future__ import annotations

from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    Json: TypeAlias = dict[str, Any]
    Part: TypeAlias = "Text | Thinking | Media | ToolCall | ToolResult | Other"

ROLES = ("system", "developer", "user", "assistant", "tool")


class Text(Record):
    """Something said."""

    text: str
    extra: Json = {}  # noqa: RUF012 never written to


class Thinking(Record):
    """Reasoning that a provider wants back unchanged; `signature` or `extra` may be all there is."""

    text: str
    signature: str = ""
    extra: Json = {}  # noqa: RUF012


class Media(Record):
    """An image, a document or a sound, as the provider wrote it."""

    kind: str  # image | document | audio
    source: Json
    extra: Json = {}  # noqa: RUF012


class ToolCall(Record):
    """The assistant calls a tool. `arguments` is JSON text, exactly as it came."""

    call_id: str
    name: str
    arguments: str
    extra: Json = {}  # noqa: RUF012


class ToolResult(Record):
    """A tool answers."""

    call_id: str
    parts: tuple[Text | Media | Other, ...] = ()
    is_error: bool = False
    extra: Json = {}  # noqa: RUF012


class Other(Record):
    """A block that we do not know, untouched: compaction items, citations, server tools."""

    value: Json


class Message(Record):
    """One message."""

    role: str
    parts: tuple[Part, ...] = ()
    extra: Json = {}  # noqa: RUF012 name, id, cache markers of the message itself
    shape: str = ""  # the shape it came from, where that changes how it is written back

    @property
    def text(self) -> str:
        """What is said in it, without tools and thinking."""
        return "\n".join(part.text for part in self.parts if isinstance(part, Text))

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The tool calls in it."""
        return tuple(part for part in self.parts if isinstance(part, ToolCall))

    @property
    def results(self) -> tuple[ToolResult, ...]:
        """The tool results in it."""
        return tuple(part for part in self.parts if isinstance(part, ToolResult))
