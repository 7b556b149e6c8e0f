"""What Anthropic says that it took out of a conversation on its side, which pydantic-ai passes over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from anthropic import AsyncAnthropic

    from recollect.model.messages import Json


def watch(client: AsyncAnthropic) -> list[Json]:
    """Note the edits that the streams of this client tell of; the list fills while they are read."""
    found: list[Json] = []
    messages: Any = client.beta.messages
    create = messages.create

    async def created(**asked: Any) -> Any:
        answer = await create(**asked)
        return _Watched(answer, found) if asked.get("stream") else answer

    messages.create = created
    return found


class _Watched:
    """A stream of events as it is, looked at as it goes by."""

    def __init__(self, stream: Any, found: list[Json]) -> None:
        self._stream = stream
        self._found = found

    async def __aiter__(self) -> AsyncIterator[Any]:
        async for event in self._stream:
            managed = getattr(event, "context_management", None)
            self._found += [edit.to_dict() for edit in getattr(managed, "applied_edits", None) or ()]
            yield event

    async def __aenter__(self) -> _Watched:
        await self._stream.__aenter__()
        return self

    async def __aexit__(self, *how: object) -> None:
        await self._stream.__aexit__(*how)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
