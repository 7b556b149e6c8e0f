"""The memory of one folder as one client uses it, opened when it is first needed and kept while it is used."""

from __future__ import annotations

import logging
import os
import threading
from typing import TYPE_CHECKING

from recollect.app import Recollect
from recollect.errors import RecollectError, Refused
from recollect.flows.opened import read_settings
from recollect.flows.turns.session_start import strategy_text
from recollect.flows.writes.actors import Agent
from recollect.text.fences import SESSION_TAG, fence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recollect.doors.mcp.callers import Caller
    from recollect.flows.writes.agent_writes import AgentWrites
    from recollect.ports import Ask

MOST_OPEN = 16
LONGEST_START = 4_000  # of what another memory says, in the instructions of the server
WAIT_SECONDS = 5.0  # for other writers: an agent can try again, and a host does not wait for ever
SWITCHED_OFF = "Memory is switched off (enabled = false); `recollect settings set enabled true` switches it on."
REPOSITORY_SETTINGS = ".recollect.toml"

log = logging.getLogger("recollect.mcp")


class ClientMemory:
    """An open memory, what an agent may write to it, and the state of the files it was opened with."""

    def __init__(self, memory: Recollect, agent: AgentWrites, state: tuple[object, ...]) -> None:
        self.memory = memory
        self.agent = agent
        self.state = state

    def close(self) -> None:
        """Let the strategy finish its work, and let go of the database."""
        try:
            self.agent.close()
        finally:
            self.memory.close()


class ClientMemories:
    """One open memory per client and folder. What a person changes in the settings holds from the next call on."""

    def __init__(self, environ: Mapping[str, str], *, ask: Ask) -> None:
        self.environ = environ
        self._ask = ask
        self._open: dict[tuple[str, Caller], ClientMemory] = {}
        self._lock = threading.Lock()

    def at(self, caller: Caller, connection: str = "") -> ClientMemory:
        """The memory of this client, in its folder. Raises RecollectError when the memory cannot be opened."""
        key = (connection, caller)
        with self._lock:
            opened = self._open.pop(key, None)
            if opened and opened.state != files_state(opened.memory):
                opened.close()
                opened = None
            self._open[key] = opened = opened or self._opened(caller)
            while len(self._open) > MOST_OPEN:
                self._open.pop(next(iter(self._open))).close()
            return opened

    def switched_on(self, caller: Caller, connection: str = "") -> ClientMemory:
        """As `at`; Refused while memory is switched off."""
        opened = self.at(caller, connection)
        if not opened.memory.settings.enabled:
            raise Refused(SWITCHED_OFF)
        return opened

    def start_text(self, folder: str) -> str:
        """What a memory that is used here instead of our own store says at the start, inside its fence."""
        _, settings = read_settings(self.environ, folder=folder)
        if not (settings.enabled and (settings.injected_memory.text or settings.agentic_memory.enabled)):
            return ""
        with Recollect.open(folder=folder, environ=self.environ, wait_seconds=WAIT_SECONDS) as memory:
            text = strategy_text(memory.opened)
        return fence(text[:LONGEST_START], tag=SESSION_TAG) if text else ""

    def close(self) -> None:
        """Close all of them; one that fails does not keep the others open."""
        with self._lock:
            while self._open:
                try:
                    self._open.popitem()[1].close()
                except RecollectError:
                    continue  # what it had to say was said in the calls themselves

    def _opened(self, caller: Caller) -> ClientMemory:
        memory = Recollect.open(folder=caller.folder, environ=self.environ, wait_seconds=WAIT_SECONDS)
        for notice in memory.notices:
            log.warning("%s", notice)
        agent = memory.writes(Agent(caller.client, host=caller.host, ask=self._ask))
        return ClientMemory(memory, agent, files_state(memory))


def files_state(memory: Recollect) -> tuple[object, ...]:
    """What changes when somebody changes the settings that hold here, or puts another database in its place."""
    paths = [memory.home.config]
    if memory.repository.root:
        paths.append(os.path.join(memory.repository.root, REPOSITORY_SETTINGS))
    database = _found(memory.home.database)
    return (
        database and (database.st_dev, database.st_ino),
        *(found and (found.st_mtime_ns, found.st_size, found.st_ino) for found in map(_found, paths)),
    )


def _found(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except OSError:
        return None
