"""A session for the OpenAI Agents SDK: `Runner.run(agent, "...", session=RecollectSession("user-7", memory))`.

The conversation is kept as a session of Recollect's own: an append-only log that survives a crash, can be shown, gone
back in and replayed (`recollect session`). When it outgrows its window it is compacted there, and a run gets what fits.
It is the program's own data: no permission is asked. Secrets are taken out before anything is written.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import threading
from typing import TYPE_CHECKING, Any

from recollect.adapters.missing import missing
from recollect.context.shapes import parse, render
from recollect.errors import NotFound, UsageError

try:
    from agents.memory.session_settings import SessionSettings, resolve_session_limit
except ImportError as error:
    raise missing("openai-agents", error) from error

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agents.items import TResponseInputItem

    from recollect.app import Recollect
    from recollect.context.compaction import CompactionResult, SummaryRequest
    from recollect.flows.sessions.own_session import OwnSession
    from recollect.model.messages import Message

SHAPE = "openai_responses"
_OWN = re.compile(r"s_[0-9a-z_]{1,64}")


class RecollectSession:
    """One conversation, by the name the program gives it. Any thread, event loop or process may use it at once.

    `window` is how many tokens of history a run may get: those of the `model` where none is given. `summarise` asks a
    model for a summary, which is otherwise written by rules.
    """

    session_settings: SessionSettings | None

    def __init__(
        self,
        session_id: str,
        memory: Recollect,
        *,
        window: int = 0,
        model: str = "",
        summarise: Callable[[SummaryRequest], str] | None = None,
        session_settings: SessionSettings | None = None,
    ) -> None:
        self.session_id = session_id
        self.session_settings = session_settings or SessionSettings()
        self._kept = _opened(session_id, memory, model)
        if model:
            self._kept.use_model(model)
        self._lock = threading.RLock()
        self._compaction = self._kept.compaction(window=window, summarise=summarise)

    @property
    def kept(self) -> OwnSession:
        """The session as Recollect keeps it: its log, its checkpoints, and the way back."""
        return self._kept

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """The conversation as far as it fits the window; with a limit the latest items, as they are."""
        latest = resolve_session_limit(limit, self.session_settings)
        return await asyncio.to_thread(self._items, latest)

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Add to the conversation. When this returns, it will still be there after a crash."""
        if items:
            await asyncio.to_thread(self._add, items)

    async def pop_item(self) -> TResponseInputItem | None:
        """Take the latest item back, and return it."""
        return await asyncio.to_thread(self._pop)

    async def clear_session(self) -> None:
        """Begin anew. The log keeps what was; `recollect session rewind` brings it back."""
        await asyncio.to_thread(self._clear)

    def compact(self, instructions: str = "") -> CompactionResult:
        """Compact now, keeping first what the instructions name. Raises CompactionRefused, also when cancelled."""
        return self._compaction.compact(instructions)

    def cancel(self) -> bool:
        """Stop a compaction that runs; False when none did."""
        return self._compaction.cancel()

    def on_error(self, error: object) -> bool:
        """Learn from the error of a run: True when it was about the length, so that running again makes sense."""
        return self._compaction.on_error(error)

    def on_success(self, reply: object = None) -> None:
        """Note that a run went through; what its reply says about the provider's own compacting is recorded."""
        self._compaction.on_success(reply)

    def _items(self, latest: int | None) -> list[TResponseInputItem]:
        with self._lock:
            if latest is None or latest < 0:
                return _rendered(self._compaction.request())
            items = _rendered(self._kept.messages())
            return items[len(items) - latest :] if latest < len(items) else items

    def _add(self, items: Sequence[TResponseInputItem]) -> None:
        with self._lock:
            for message in parse([_as_message(item) for item in items], SHAPE):
                self._kept.add(message)
            # Only the log is changed: a compaction that is due begins now, beside the work.
            self._compaction.prepare()

    def _pop(self) -> TResponseInputItem | None:
        with self._lock:
            taken = self._kept.take_back()
            return _rendered([taken])[0] if taken else None

    def _clear(self) -> None:
        with self._lock:
            self._kept.clear()


def _opened(name: str, memory: Recollect, model: str) -> OwnSession:
    session_id = name if _OWN.fullmatch(name) else _own_id(name)
    try:
        return memory.own_sessions.open(session_id)
    except NotFound:
        pass
    try:
        repository = memory.repository.repository
        return memory.own_sessions.create(
            session_id=session_id, cwd=memory.folder, repository=repository, title=name, model=model
        )
    except UsageError:  # another thread or process was faster
        return memory.own_sessions.open(session_id)


def _own_id(name: str) -> str:
    """An id of ours for a name of theirs: readable, and different for different names."""
    words = re.sub(r"[^0-9a-z]+", "_", name.lower()).strip("_")[:40]
    mark = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"s_{words}_{mark}" if words else f"s_{mark}"


def _as_message(item: Any) -> Any:
    return item.model_dump(exclude_unset=True) if hasattr(item, "model_dump") else item


def _rendered(messages: Sequence[Message]) -> list[Any]:
    items = render(messages, SHAPE)
    return items if isinstance(items, list) else [items]
