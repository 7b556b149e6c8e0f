"""Messages of another shape, made ready for this one.

Text, calls, results and media arrive wherever the target can say them. What has no counterpart:

- Reasoning is sealed by its provider. It travels into pydantic-ai and from there back to its provider; else it is
  left out.
- Blocks that only one provider knows (server tools, approvals, sealed compaction, cache points) are left out; the
  summary of a readable compaction block arrives as text, an unknown block in a tool result as its JSON.
- Ids, names, phases, cache markers, citations, usage and other extras stay with the shape that wrote them.
- Media that the target cannot take (sound for Anthropic, a document's address for chat, another provider's file id,
  anything the assistant sent) become a text that names them. Media in a result of a chat tool follow as a user message.
- A refusal is text for Anthropic and pydantic-ai. That a result is an error is known to these two alone.
- Custom tools exist at OpenAI alone: elsewhere their input is `{"input": ...}`. Arguments that are no JSON object reach
  Anthropic as `{"arguments": ...}`. The older function calls become calls with an id.
- Anthropic has one system context: every system message moves there. Empty messages are left out.
- Chat knows no order between the words and the calls of one reply. Replies and runs of results are put together where
  the target wants them in one message.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from recollect.context.shapes.blocks import from_json, json_text
from recollect.context.shapes.media import belongs, converted, named
from recollect.model.messages import Media, Message, Other, Text, Thinking, ToolCall, ToolResult

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recollect.model.messages import Json, Part

SYSTEM = ("system", "developer")
# Shapes in which a reply is one message, whatever the shape it came from.
WHOLE_REPLIES = ("openai_chat", "anthropic", "pydantic_ai")
# Shapes in which results and what the user says next are one message.
JOINED_RESULTS = ("anthropic", "pydantic_ai")
PROVIDER_OF_SHAPE = {"anthropic": "anthropic", "openai_responses": "openai"}
SHAPE_OF_PROVIDER = {provider: shape for shape, provider in PROVIDER_OF_SHAPE.items()}


def adapted(messages: Iterable[Message], shape: str) -> list[Message]:
    """The same conversation, every message of this shape; those that already are stay untouched."""
    messages = list(messages)
    if all(message.shape == shape for message in messages):
        return messages
    calls = {call.call_id: call for message in messages for call in message.calls}
    adapter = _Adapter(shape, calls)
    for message in messages:
        adapter.add(message)
    return adapter.finished()


class _Adapter:
    """Collects adapted messages: replies grow together, the system context moves to where the shape has it."""

    def __init__(self, shape: str, calls: dict[str, ToolCall]) -> None:
        self.shape = shape
        self.calls = calls
        self.out: list[Message] = []
        self.apart: list[Text] = []
        self.attached: list[Part] = []  # media of results, waiting until the run of results ends
        self.grows = False  # the last message is ours to grow

    def add(self, message: Message) -> None:
        if message.shape == self.shape:
            self._attach(message.role)
            self.out.append(message)
            self.grows = False
            return
        parts = self._parts(message)
        if not parts:
            return
        if message.role in SYSTEM:
            self._add_system(message, parts)
            return
        role = message.role if message.role in ("assistant", "tool") else "user"
        if role == "tool" and not any(isinstance(part, ToolResult) for part in parts):
            role = "user"
        self._attach(role)
        self._add_spoken(role, parts, message.joined)

    def finished(self) -> list[Message]:
        self._attach("")
        if not self.apart:
            return self.out
        texts: tuple[Part, ...] = tuple(self.apart)
        for place, message in enumerate(self.out):
            if message.apart:
                self.out[place] = message._replace(parts=(*message.parts, *texts))
                return self.out
        return [Message("system", texts, shape=self.shape, apart=True), *self.out]

    def _add_system(self, message: Message, parts: list[Part]) -> None:
        texts = [part for part in parts if isinstance(part, Text)]
        if self.shape == "anthropic":
            self.apart += texts
        elif self.shape == "openai_responses" and message.apart:
            self.apart = [Text("\n\n".join(text.text for text in [*self.apart, *texts]))]
        else:
            role = "system" if self.shape == "pydantic_ai" else message.role
            joined = self.shape == "pydantic_ai" and self.grows and self.out[-1].role != "assistant"
            self.out.append(Message(role, tuple(texts), shape=self.shape, joined=joined))
            self.grows = True

    def _add_spoken(self, role: str, parts: list[Part], joined: bool) -> None:
        last = self.out[-1] if self.out and self.grows else None
        self.grows = True
        if last and role == "assistant" == last.role and self.shape in WHOLE_REPLIES:
            self.out[-1] = last._replace(parts=(*last.parts, *parts))
            return
        if self.shape in JOINED_RESULTS:
            joined = bool(last) and role != "assistant" != self.out[-1].role and (joined or self._takes_more())
        self.out.append(Message(role, tuple(parts), shape=self.shape, joined=joined))

    def _takes_more(self) -> bool:
        return self.out[-1].role == "tool" or (self.shape == "pydantic_ai" and self.out[-1].role == "system")

    def _attach(self, next_role: str) -> None:
        if self.attached and next_role != "tool":
            parts, self.attached = self.attached, []
            self._add_spoken("user", parts, joined=False)

    def _parts(self, message: Message) -> list[Part]:
        if message.form == "whole":
            compacted = _compacted(message.parts[0])
            return [compacted] if compacted else []
        parts = [made for part in message.parts if (made := self._part(part, message))]
        refusal = message.extra.get("refusal") if message.shape == "openai_chat" else None
        return [*parts, Text(refusal)] if isinstance(refusal, str) and refusal else parts

    def _part(self, part: Part, message: Message) -> Part | None:
        match part:
            case Text():
                return self._text(part)
            case Media():
                return self._media(part, message.role)
            case ToolCall():
                return self._call(part)
            case ToolResult():
                return self._result(part)
            case Thinking():
                return _thinking(part, message.shape, self.shape)
            case Other():
                return _compacted(part)

    def _text(self, text: Text) -> Text | None:
        if not text.text and self.shape == "anthropic":
            return None
        refused = text.extra.get("type") == "refusal" and self.shape.startswith("openai")
        return Text(text.text, {"type": "refusal"} if refused else {})

    def _media(self, media: Media, role: str) -> Part:
        if role == "assistant" and (self.shape != "pydantic_ai" or "data" not in media.source):
            return named(media)
        return Media(media.kind, media.source) if belongs(media, self.shape) else converted(media, self.shape)

    def _call(self, call: ToolCall) -> ToolCall:
        arguments = call.arguments or "{}"
        kind = self._kind(call)
        if call.kind == "custom" and not kind:
            arguments = json_text({"input": call.arguments})
        if self.shape == "anthropic" and not isinstance(from_json(arguments), dict):
            arguments = json_text({"arguments": from_json(arguments)})
        typed = {"type": kind or "function"} if self.shape == "openai_chat" else {}
        return ToolCall(call.call_id, call.name, arguments, typed, kind)

    def _kind(self, call: ToolCall) -> str:
        return "custom" if call.kind == "custom" and self.shape.startswith("openai") else ""

    def _result(self, result: ToolResult) -> ToolResult:
        call = self.calls.get(result.call_id)
        parts: list[Text | Media | Other] = []
        for part in result.parts:
            match part:
                case Text(text=text):
                    parts.append(Text(text))
                case Media() as media:
                    made = self._media(media, "tool")
                    if isinstance(made, Media) and self.shape == "openai_chat":
                        self.attached.append(made)
                    elif isinstance(made, (Text, Media)):
                        parts.append(made)
                case Other(value=value):
                    parts.append(Text(json.dumps(value, ensure_ascii=False)))
        extra: Json = {"is_error": True} if result.is_error and self.shape == "anthropic" else {}
        if self.shape == "pydantic_ai":
            extra = {"tool_name": call.name if call else "", "outcome": "failed" if result.is_error else "success"}
        kind = self._kind(call) if call else ""
        return ToolResult(result.call_id, tuple(parts), result.is_error, extra, kind)


def _compacted(part: Any) -> Text | None:
    """The summary in a provider's compaction block, which stands for all that was said before it."""
    match part:
        case Other(
            value={"type": "compaction", "content": str(text)} | {"part_kind": "compaction", "content": str(text)}
        ):
            return Text(text)
    return None


def _thinking(part: Thinking, source: str, shape: str) -> Thinking | None:
    """Reasoning is sealed by its provider: it can travel only inside pydantic-ai, and from there back."""
    provider = part.extra.get("provider_name")
    if shape == "pydantic_ai" and source in PROVIDER_OF_SHAPE:
        thinking_id = "redacted_thinking" if "redacted" in part.extra else part.extra.get("id")
        extra = {"provider_name": PROVIDER_OF_SHAPE[source], **({"id": thinking_id} if thinking_id else {})}
        return Thinking(part.text, part.signature, extra)
    if source != "pydantic_ai" or not part.signature or SHAPE_OF_PROVIDER.get(str(provider)) != shape:
        return None
    if shape == "anthropic":
        redacted = part.extra.get("id") == "redacted_thinking"
        return Thinking(part.text, part.signature, {"redacted": {}} if redacted else {})
    summary = [{"type": "summary_text", "text": part.text}] if part.text else []
    return Thinking(part.text, part.signature, {"id": part.extra.get("id"), "summary": summary})
