"""OpenAI's and Anthropic's models, and whatever speaks like them, through pydantic-ai-slim (the extra `models`).

Each request has a thread and an event loop of its own: whoever asks may be in a loop already, and a request that is
cancelled ends at once, wherever it waits."""

from __future__ import annotations

import asyncio
import importlib.util
import queue
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from recollect.errors import ProviderError, RecollectError, ReplyInvalid
from recollect.providers.answers import MOST_CHARACTERS, TOO_LARGE, check_schema, checked
from recollect.providers.patience import Patience
from recollect.providers.specs import OPENAI
from recollect.text.extras import install_remedy

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from pydantic_ai.messages import ModelResponse
    from pydantic_ai.models import Model

    from recollect.ports import Prompt, Reply

WINDOW_TOKENS = 128_000  # servers do not say; few models that anybody pays for have less
PACKAGES = ("pydantic_ai", "openai", "anthropic")
NO_KEY = "none"  # local servers want a key and look at none
WAIT_SECONDS = 0.05
GONE_SECONDS = 5.0  # for a request that was cancelled to let go of its connection


def is_installed() -> bool:
    """Is the extra `models` there?"""
    return all(importlib.util.find_spec(name) is not None for name in PACKAGES)


def require_installed(provider: str) -> None:
    """Raises ProviderError, with the line that mends it."""
    if not is_installed():
        raise ProviderError(f"{provider} needs the extra `models`.", remedy=install_remedy("models"))


class VendorProvider:
    """ports.Provider over HTTP."""

    def __init__(
        self, vendor: str, model: str, *, address: str = "", key: str = "", window_tokens: int = WINDOW_TOKENS
    ) -> None:
        self.window_tokens = window_tokens
        self._vendor = vendor
        self._model = model
        self._address = address
        self._key = key

    def complete(self, prompt: Prompt, on_piece: Callable[[str], None] | None = None) -> Reply:
        """The whole answer."""
        from recollect.providers.vendor_messages import reply_of

        check_schema(prompt.schema)
        patience = Patience(prompt)
        patience.check()
        require_installed(self._vendor)
        request = _Request(lambda pieces: self._stream(prompt, pieces))
        request.start()
        try:
            while not request.done.is_set():
                patience.check()
                request.give_pieces(on_piece, wait_seconds=WAIT_SECONDS)
            request.give_pieces(on_piece)
        finally:
            request.stop()
        return checked(prompt, reply_of(request.response(), prompt))

    async def _stream(self, prompt: Prompt, pieces: Callable[[str], None]) -> ModelResponse:
        from recollect.providers import vendor_errors, vendor_messages

        # A client belongs to the loop that it was made in. It does not ask again by itself: that is ours to count.
        key, address = self._key or NO_KEY, self._address or None
        try:
            if self._vendor == OPENAI:
                from openai import AsyncOpenAI
                from pydantic_ai.models.openai import OpenAIChatModel
                from pydantic_ai.providers.openai import OpenAIProvider

                async with AsyncOpenAI(api_key=key, base_url=address, max_retries=0) as theirs:
                    return await _streamed(
                        OpenAIChatModel(self._model, provider=OpenAIProvider(openai_client=theirs)), prompt, pieces
                    )
            from anthropic import AsyncAnthropic
            from pydantic_ai.models.anthropic import AnthropicModel
            from pydantic_ai.providers.anthropic import AnthropicProvider

            from recollect.providers.context_edits import watch

            async with AsyncAnthropic(api_key=key, base_url=address, max_retries=0) as client:
                edits = watch(client)
                model = AnthropicModel(self._model, provider=AnthropicProvider(anthropic_client=client))
                response = await _streamed(model, prompt, pieces)
                return replace(
                    response, provider_details={**(response.provider_details or {}), vendor_messages.EDITS: edits}
                )
        except vendor_errors.EXPECTED as error:
            raise vendor_errors.translated(error, vendor=self._vendor, address=self._address) from error


async def _streamed(model: Model, prompt: Prompt, pieces: Callable[[str], None]) -> ModelResponse:
    """The answer of a model; its text is given on as it comes."""
    from pydantic_ai.direct import model_request_stream

    from recollect.providers import vendor_messages

    size = 0
    async with model_request_stream(
        model,
        vendor_messages.request_of(prompt),
        model_settings=vendor_messages.settings_of(prompt),
        model_request_parameters=vendor_messages.parameters_of(prompt, native=model.system == OPENAI),
    ) as stream:
        async for event in stream:
            size += vendor_messages.size_of(event)
            if size > MOST_CHARACTERS:
                raise ReplyInvalid(TOO_LARGE)
            text = vendor_messages.text_of(event)
            if text:
                pieces(text)
        return stream.get()


class _Request:
    """One request in a thread of its own."""

    def __init__(self, stream: Callable[[Callable[[str], None]], Coroutine[None, None, ModelResponse]]) -> None:
        self.done = threading.Event()
        self._stream = stream
        self._pieces: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[ModelResponse] | None = None
        self._response: ModelResponse | None = None
        self._error: RecollectError | None = None
        self._unexpected: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="recollect-model", daemon=True)

    def start(self) -> None:
        """Begin; the pieces come to `give_pieces`."""
        self._thread.start()

    def give_pieces(self, on_piece: Callable[[str], None] | None, *, wait_seconds: float = 0.0) -> None:
        """Hand on what has come, in the thread of whoever asked."""
        self.done.wait(wait_seconds)
        while not self._pieces.empty():
            piece = self._pieces.get()
            if on_piece is not None:
                on_piece(piece)

    def stop(self) -> None:
        """Let go of the connection, whatever it is waiting for."""
        loop, task = self._loop, self._task
        if not self.done.is_set() and loop is not None and task is not None:
            try:
                loop.call_soon_threadsafe(task.cancel)
            except RuntimeError:
                return  # the loop has just been closed
            self.done.wait(GONE_SECONDS)

    def response(self) -> ModelResponse:
        """What came; raises what went wrong."""
        if self._unexpected is not None:
            raise self._unexpected
        if self._error is not None:
            raise self._error
        if self._response is None:
            raise ProviderError("The model did not answer.")
        return self._response

    def _run(self) -> None:
        try:
            asyncio.run(self._main())
        except asyncio.CancelledError:
            pass
        except RecollectError as error:
            self._error = error
        except BaseException as error:  # in a thread nobody would see it
            self._unexpected = error
            raise
        finally:
            self.done.set()

    async def _main(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.ensure_future(self._stream(self._pieces.put))
        self._response = await self._task
