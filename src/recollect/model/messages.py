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
    """The assistant calls a tool. `arguments` is JSON text, exactly as it came; free text when `kind` is custom."""

    call_id: str
    name: str
    arguments: str
    extra: Json = {}  # noqa: RUF012
    kind: str = ""  # "" for a function; custom, legacy, or the item's own type where a provider has several


class ToolResult(Record):
    """A tool answers."""

    call_id: str
    parts: tuple[Text | Media | Other, ...] = ()
    is_error: bool = False
    extra: Json = {}  # noqa: RUF012
    kind: str = ""  # as for the call it answers
    form: str = ""  # as for a message


class Other(Record):
    """A block that we do not know, untouched: compaction items, server tools, a whole message when `form` says so."""

    value: Any


class Message(Record):
    """One message. Results stand in messages of role tool, apart from what the user says beside them."""

    role: str
    parts: tuple[Part, ...] = ()
    extra: Json = {}  # noqa: RUF012 name, id, cache markers of the message itself
    shape: str = ""  # the shape it came from: its extras are written back to that shape only
    form: str = ""  # how the content stood there (context.shapes.blocks.FORMS); "" for what is usual
    joined: bool = False  # the provider has it in one message (or one reply) with the one before it
    apart: bool = False  # the system context beside the list, with the rest of the request in `extra`

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
