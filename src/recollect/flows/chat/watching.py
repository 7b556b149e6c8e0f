"""What the log says of compactions, told to whoever watches the turn; and what memory gave is due again after one."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from recollect.context.compaction_options import CONTEXT_LIMIT
from recollect.flows.chat.happenings import Compaction, nobody
from recollect.model.receipts import COMPACTED
from recollect.sessions import events

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recollect.flows.chat.happenings import Tell
    from recollect.flows.opened import Opened
    from recollect.flows.sessions.own_session import OwnSession
    from recollect.model.turns import Recipient
    from recollect.sessions.events import Event

STARTED, WAITING, COMPLETED, FAILED, CANCELLED = "started", "waiting", "completed", "failed", "cancelled"

NEARLY_FULL = "The window is nearly full: waiting for the summary of the conversation."
REFUSED = "Waiting for the summary of the conversation."


class Watching:
    """Hears what compaction writes into the log of one session."""

    def __init__(self, session: OwnSession, memory: Opened, to: Recipient) -> None:
        self._memory = memory
        self._to = to
        self._tell: Tell = nobody
        self._is_running, self._trigger = False, ""
        self._will_wait = False
        session.subscribe(self._hear, (events.COMPACTION_START, events.COMPACTION_COMPLETE))

    @contextmanager
    def telling(self, tell: Tell) -> Iterator[None]:
        """Tell this one, as long as it lasts."""
        before, self._tell = self._tell, tell
        try:
            yield
        finally:
            self._tell = before

    def waits(self) -> None:
        """The turn waits for the summary that is being written, or that is about to be."""
        if self._is_running:
            line = REFUSED if self._trigger == CONTEXT_LIMIT else NEARLY_FULL
            self._tell(Compaction(WAITING, line, self._trigger))
        else:
            self._will_wait = True

    def _hear(self, event: Event) -> None:
        data = event.data
        trigger = str(data.get("trigger", ""))
        if event.kind == events.COMPACTION_START:
            self._is_running, self._trigger = True, trigger
            self._tell(Compaction(STARTED, "Compacting the conversation.", trigger))
            if self._will_wait:
                self.waits()
            return
        self._is_running = self._will_wait = False
        before, after = int(data.get("preCompactionTokens", 0)), int(data.get("postCompactionTokens", 0))
        if data.get("success"):
            self._memory.empty_window(self._to, COMPACTED)
            line = f"Conversation compacted: {before:,} → {after:,} tokens (checkpoint {data.get('checkpointNumber')})."
            self._tell(Compaction(COMPLETED, line, trigger, before, after))
        elif data.get("status") == CANCELLED:
            self._tell(Compaction(CANCELLED, "Compaction cancelled; nothing was changed.", trigger))
        else:
            error = data.get("error")
            why = str(error.get("message", "")) if isinstance(error, dict) else ""
            self._tell(Compaction(FAILED, f"Compaction failed ({why}); nothing was changed.", trigger))
