"""One session of our agent over the Agent Client Protocol: its turns run in threads, its client in an event loop."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from typing import TYPE_CHECKING, Any

from acp import RequestError

from recollect.doors.acp.choices import ASK, AWAY, MODES, YOLO, options
from recollect.doors.acp.updates import ANSWERS, OPTIONS, YES_NO, Showing, asked_about, asked_whether, thought
from recollect.errors import UsageError
from recollect.flows.chat.models import choices, require_conversing, spec_in_use
from recollect.model.permissions import MEMORY

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from acp.schema import PermissionOption, SessionConfigOptionSelect, ToolCallUpdate

    from recollect.app import Recollect
    from recollect.flows.chat.agent import Agent, Outcome
    from recollect.flows.chat.happenings import Happening
    from recollect.flows.sessions.terminal import Terminal
    from recollect.model.permissions import Answer, Question

    Waiting = concurrent.futures.Future[Any]


class Session:
    """An agent, and the client that shows it. What the client is told reaches it in order."""

    def __init__(
        self, memory: Recollect, client: Any, loop: asyncio.AbstractEventLoop, *, can_ask: bool, has_person: bool
    ) -> None:
        """`can_ask`: does the client answer for somebody else than an agent? `has_person`: does somebody sit there?"""
        self.memory = memory
        self.agent: Agent | None = None
        self._client = client
        self._loop = loop
        self._can_ask = can_ask
        self._has_person = has_person
        self._cancelled = threading.Event()
        self._asked: set[Waiting] = set()
        self._told_notices = False
        self.mode = ASK if can_ask else ""  # without anybody who could be asked there is nothing to choose

    @property
    def session_id(self) -> str:
        """The id that the client knows it by."""
        return self._running.session.session_id

    @property
    def _running(self) -> Agent:
        assert self.agent is not None
        return self.agent

    def begin_turn(self) -> None:
        """Called before the turn's thread is: a cancel that comes now is for this turn."""
        self._cancelled.clear()

    def turn(self, text: str, typed_at: Terminal | None) -> Outcome:
        """One turn, in a thread of its own."""
        showing = Showing(self.memory.folder)

        def tell(happening: Happening) -> None:
            if self._cancelled.is_set():
                self._running.cancel()  # it may have come before the turn had begun
            for update in showing.updates(happening):
                self.show(update)

        if not self._told_notices:
            self._told_notices = True
            for notice in (*self.memory.notices, *self._running.notices):
                self.show(thought(notice))
        return self._running.prompt(text, tell, typed_at=typed_at)

    def cancel(self) -> None:
        """End the turn, and every question that is open in it."""
        self._cancelled.set()
        self._running.cancel()
        for waiting in list(self._asked):
            waiting.cancel()

    def close(self) -> None:
        """End the session for now."""
        if self.agent is not None:
            self.cancel()
            self.agent.close()
        self.memory.close()

    def show(self, update: Any) -> None:
        """Tell the client. One that has gone misses nothing: all of it is in the log."""
        try:
            self._on_loop(self._client.session_update(self.session_id, update)).result()
        except (ConnectionError, concurrent.futures.CancelledError):
            self._cancelled.set()

    def ask(self, question: Question) -> Answer:
        """ports.Ask: the person's answer, however long it takes; nobody when they cancel or are not there."""
        may_answer = self._has_person if question.kind == MEMORY else self._can_ask
        if not may_answer or self.mode == AWAY or self._cancelled.is_set():
            return "nobody"
        if self.mode == YOLO:
            return "once"
        return self._asked_client(asked_about(question), OPTIONS)

    def confirm(self, question: str) -> bool:
        """A yes or a no, about something that is no tool call."""
        return self._can_ask and self._asked_client(asked_whether(question), YES_NO) == "once"

    def options(self) -> list[SessionConfigOptionSelect]:
        """What can be chosen for this session, with what is chosen now."""
        memory = self._running.memory
        return options(self.mode, str(spec_in_use(memory)), [str(spec) for spec in choices(memory)])

    def choose_mode(self, mode: str) -> None:
        """How much is asked from now on. UsageError for a mode that there is not."""
        if mode not in MODES or not self.mode:
            raise UsageError(f"There is no mode {mode[:40]!r} here.")
        self.mode = mode

    def choose_model(self, name: str) -> None:
        """Which model answers from the next request on. When its window is too small, the client is asked first."""
        if name not in [str(spec) for spec in choices(self._running.memory)]:
            raise UsageError(f"{name[:60]!r} is not one of the models here.")
        self._cancelled.clear()
        self._running.switch_model(require_conversing(name), ask=self.confirm)

    def _asked_client(self, about: ToolCallUpdate, options: list[PermissionOption]) -> Answer:
        request = self._client.request_permission(self.session_id, about, options)
        try:
            waiting = self._on_loop(request)
        except ConnectionError:
            return "nobody"
        self._asked.add(waiting)
        try:
            if self._cancelled.is_set():
                waiting.cancel()
            outcome = waiting.result().outcome
        except (ConnectionError, RequestError, concurrent.futures.CancelledError):
            return "nobody"
        finally:
            self._asked.discard(waiting)
        if outcome.outcome == "cancelled":
            self.cancel()
            return "nobody"
        return ANSWERS.get(outcome.option_id, "reject")

    def _on_loop(self, work: Coroutine[Any, Any, Any]) -> Waiting:
        if self._loop.is_closed():
            work.close()
            raise ConnectionError("The client has gone.")
        return asyncio.run_coroutine_threadsafe(work, self._loop)
