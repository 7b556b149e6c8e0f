"""The client's model as something that can be asked: for providers/sampling.py, while a call is worked on.

Only in the older era: in the newer one a server may not ask, and a summary that is half done cannot be made again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio
import mcp_types as types
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from pydantic import ValidationError

from recollect.doors.mcp.calling import is_modern
from recollect.doors.mcp.threads import from_thread
from recollect.errors import ProviderError
from recollect.flows.sessions.extraction import read_here
from recollect.providers.patience import LOOK_SECONDS
from recollect.providers.sampling import Sampled, Sampling
from recollect.providers.specs import SAMPLING

if TYPE_CHECKING:
    from recollect.app import Recollect
    from recollect.doors.mcp.calling import Context
    from recollect.doors.mcp.threads import Work
    from recollect.providers.patience import Patience
    from recollect.providers.sampling import Sample


def sampler(context: Context) -> Sample | None:
    """How to ask the model of this call's client; None when the client does not lend it."""
    capabilities = context.session.client_capabilities
    if capabilities is None or capabilities.sampling is None or is_modern(context):
        return None

    async def create(asked: Sampling) -> Sampled:
        said: list[Sampled] = []
        failed: list[ProviderError] = []

        async with anyio.create_task_group() as group:
            group.start_soon(_give_up, asked.patience, group.cancel_scope)
            try:
                said.append(await _sampled(context, asked))
            except ProviderError as error:
                failed.append(error)  # raised below: the group would wrap it
            group.cancel_scope.cancel()
        if failed:
            raise failed[0]
        if not said:
            asked.patience.check()
        return said[0]

    return lambda asked: from_thread(create, asked)


def read_with(sample: Sample, memory: Recollect, work: Work) -> None:
    """Let the client's model read the sessions of this repository that none has read, where it is the role's model."""
    models = memory.models
    if models.spec().provider == SAMPLING:
        work.tell("reading past sessions")
        read_here(memory.opened, models.lent(sample))


async def _sampled(context: Context, asked: Sampling) -> Sampled:
    params = types.CreateMessageRequestParams(
        messages=[_message(role, text) for role, text in asked.messages],
        system_prompt=asked.system or None,
        max_tokens=asked.max_output_tokens,
        model_preferences=types.ModelPreferences(speed_priority=1.0) if asked.prefer_speed else None,
    )
    metadata = ServerMessageMetadata(related_request_id=context.request_id)
    try:
        result = await context.session.send_request(
            types.CreateMessageRequest(params=params), types.CreateMessageResult, metadata=metadata
        )
    except (MCPError, ValidationError) as error:
        raise ProviderError(f"The client did not let us use its model: {error}".split("\n")[0]) from error
    if not isinstance(result.content, types.TextContent):
        raise ProviderError("The client's model answered with something that is not text.")
    return Sampled(result.content.text, result.model, result.stop_reason or "")


async def _give_up(patience: Patience, scope: anyio.CancelScope) -> None:
    """Stop waiting for the client when the request was cancelled or its time is up."""
    while True:
        try:
            patience.check()
        except ProviderError:
            scope.cancel()
            return
        await anyio.sleep(LOOK_SECONDS)


def _message(role: str, text: str) -> types.SamplingMessage:
    content = types.TextContent(type="text", text=text)
    return types.SamplingMessage(role="assistant" if role == "assistant" else "user", content=content)
