"""Our prompts in the words of pydantic-ai, and its replies in ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic_ai.messages import (
    CompactionPart,
    ModelRequest,
    ModelResponse,
    PartDeltaEvent,
    PartStartEvent,
    SystemPromptPart,
    TextPart,
    TextPartDelta,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.tools import ToolDefinition

from recollect.errors import AnswerLost, ReplyInvalid
from recollect.model.messages import Message, Text, ToolCall
from recollect.ports import Reply, Usage
from recollect.providers.answers import asked_for
from recollect.providers.sampling import said_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic_ai.messages import ModelMessage, ModelRequestPart, ModelResponsePart
    from pydantic_ai.settings import ModelSettings

    from recollect.model.messages import Json
    from recollect.ports import Prompt

ANSWER = "answer"  # the tool by which a model answers where its protocol has no schema for answers
EDITS = "applied_edits"  # among the details of a response
MOST_SECONDS = 3_600.0


def request_of(prompt: Prompt) -> list[ModelMessage]:
    """The conversation."""
    names = {call.call_id: call.name for message in prompt.messages for call in message.calls}
    system = "\n\n".join(part for part in (prompt.system, _words(prompt)) if part)
    parts: list[ModelRequestPart] = [SystemPromptPart(system)] if system else []
    sent: list[ModelMessage] = []
    for message in prompt.messages:
        if message.role == "assistant":
            sent += [ModelRequest(parts=parts)] if parts else []
            parts = []
            sent.append(ModelResponse(parts=list(_said(message))))
        else:
            parts += _told(message, names)
    return [*sent, ModelRequest(parts=parts)] if parts else sent


def settings_of(prompt: Prompt) -> ModelSettings:
    """How much may be said, and when the connection is given up."""
    sent: ModelSettings = {"max_tokens": prompt.max_output_tokens, "timeout": prompt.limit_seconds or MOST_SECONDS}
    if prompt.headers:
        sent["extra_headers"] = dict(prompt.headers)
    return sent


def parameters_of(prompt: Prompt, *, native: bool) -> ModelRequestParameters:
    """Tools, and the form of the answer: as a schema where the protocol has one (`native`), else as the one tool."""
    tools = [
        ToolDefinition(name=tool.name, description=tool.description, parameters_json_schema=tool.arguments_schema)
        for tool in prompt.tools
    ]
    if prompt.schema is None or tools:
        return ModelRequestParameters(function_tools=tools)
    if native:
        form = OutputObjectDefinition(prompt.schema, name=ANSWER)
        return ModelRequestParameters(output_mode="native", output_object=form)
    tool = ToolDefinition(
        name=ANSWER, description="Give the answer.", parameters_json_schema=prompt.schema, kind="output"
    )
    return ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False)


def text_of(event: object) -> str:
    """The text that an event of a stream brings."""
    if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
        return event.part.content
    if isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
        return event.delta.content_delta
    return ""


def size_of(event: object) -> int:
    """How many characters an event brings, of whatever kind."""
    part = (
        event.part if isinstance(event, PartStartEvent) else event.delta if isinstance(event, PartDeltaEvent) else None
    )
    names = ("content", "content_delta", "args", "args_delta")
    return sum(len(str(value)) for name in names if (value := getattr(part, name, None)))


def reply_of(response: ModelResponse, prompt: Prompt) -> Reply:
    """The reply in our words. ReplyInvalid when it was refused or cut short, AnswerLost when it broke off."""
    text = "".join(part.content for part in response.parts if isinstance(part, TextPart))
    calls = [part for part in response.parts if isinstance(part, ToolCallPart)]
    if response.finish_reason == "content_filter":
        raise ReplyInvalid("The model refused to answer.", said=text)
    if response.finish_reason == "length":
        raise ReplyInvalid("The model stopped in the middle of its answer: it was too long.", said=text)
    if response.finish_reason in (None, "error"):
        raise AnswerLost
    if prompt.schema is not None and not prompt.tools and [call.tool_name for call in calls] == [ANSWER]:
        text, calls = calls[0].args_as_json_str(), []
    parts = (Text(text),) if text else ()
    ours = tuple(ToolCall(call.tool_call_id, call.tool_name, call.args_as_json_str()) for call in calls)
    return Reply(
        Message("assistant", (*parts, *ours)),
        _usage(response),
        request_id=response.provider_response_id or "",
        model=response.model_name or "",
        context_edits=tuple(_edits(response)),
    )


def _words(prompt: Prompt) -> str:
    """With tools on offer the answer's form is asked for in words."""
    return asked_for(prompt.schema) if prompt.tools else ""


def _told(message: Message, names: dict[str, str]) -> list[ModelRequestPart]:
    if message.role in ("system", "developer"):
        return [SystemPromptPart(said_in(message))]
    results = message.results
    if results:
        return [
            ToolReturnPart(
                tool_name=names.get(one.call_id, "tool"),
                content="\n".join(part.text for part in one.parts if isinstance(part, Text)),
                tool_call_id=one.call_id,
            )
            for one in results
        ]
    return [UserPromptPart(said_in(message))]


def _said(message: Message) -> Iterator[ModelResponsePart]:
    if message.text:
        yield TextPart(message.text)
    for call in message.calls:
        yield ToolCallPart(call.name, call.arguments, call.call_id)


def _usage(response: ModelResponse) -> Usage:
    used = response.usage
    return Usage(used.input_tokens, used.output_tokens, used.cache_read_tokens, cost_usd=_cost(response))


def _cost(response: ModelResponse) -> float | None:
    try:
        return float(response.cost().total_price)
    except (LookupError, ValueError):
        return None  # a local model, or one that is newer than the list of prices


def _edits(response: ModelResponse) -> Iterator[Json]:
    """What the provider did to the conversation on its side."""
    for part in response.parts:
        if isinstance(part, CompactionPart):
            yield {"type": "compaction", "content": part.content or ""}
    yield from (response.provider_details or {}).get(EDITS, ())
