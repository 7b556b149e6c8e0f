"""Sidekicks of our own chat: started by each user message in threads of their own, cancelled by the next one.

A turn never waits for them. What they find is told through `notify`, in the words of a system notification; without
it, whoever goes on with the conversation looks into the inbox."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from recollect.flows.sidekicks.inbox import Inbox
from recollect.flows.sidekicks.run import Message, SidekickRun, run_sidekick, starting
from recollect.model.turns import Recipient
from recollect.sidekicks.inbox import notice

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.flows.opened import Opened
    from recollect.flows.sidekicks.tools import GitHub
    from recollect.sidekicks.definitions import AgentDefinition

OWN = "recollect"


class SidekickAgents:
    """The sidekicks of one session."""

    def __init__(
        self,
        memory: Opened,
        session: str,
        *,
        notify: Callable[[str], None] | None = None,
        github: GitHub | None = None,
    ) -> None:
        self._memory = memory
        self._to = Recipient(OWN, session)
        self._notify = notify
        self._github = github
        self._current = threading.Event()  # set: a newer message came
        self._threads: list[threading.Thread] = []
        self.inbox = Inbox(memory, host=OWN, session=session)
        self.done: list[SidekickRun] = []

    def on_user_message(self, text: str, turn: int) -> list[str]:
        """Start what this message starts, and cancel what an earlier one started; returns the names."""
        self.cancel()
        superseded = self._current = threading.Event()
        agents = starting(self._memory)
        message = Message(text, self._to, turn)
        self._threads = [
            threading.Thread(
                target=self._run, args=(agent, message, superseded), name=f"recollect-{agent.name}", daemon=True
            )
            for agent in agents
        ]
        for thread in self._threads:
            thread.start()
        return [agent.name for agent in agents]

    def cancel(self) -> None:
        """What is still running sends nothing more."""
        self._current.set()

    def wait(self, seconds: float) -> None:
        """Let those that run finish, at most so long. For tests and for the end of a prompt without a person."""
        for thread in self._threads:
            thread.join(seconds)

    def _run(self, agent: AgentDefinition, message: Message, superseded: threading.Event) -> None:
        try:
            done = run_sidekick(agent, message, self._memory, cancelled=superseded.is_set, github=self._github)
            self.done.append(done)
            entries = [one for one in self.inbox.new() if one.entry_id in done.sent]
            if entries and self._notify is not None and not superseded.is_set():
                self._notify(notice(entries))
                self.inbox.tell(entries)
        finally:
            self._memory.close()  # this thread's connection
