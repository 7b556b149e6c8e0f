"""Serving: one process with the API, the panel, MCP and the worker, until it is told to stop."""

from __future__ import annotations

import signal
import sys
import threading
from typing import TYPE_CHECKING

import uvicorn

from recollect.doors.http.application import build
from recollect.doors.http.listening import listen
from recollect.doors.http.memories import Memories
from recollect.doors.http.panel_sessions import PanelSessions
from recollect.doors.mcp.server import Door
from recollect.errors import RecollectError, Refused
from recollect.files.logs.mcp_log import log_to
from recollect.flows.turns.answer_near import answer_in_background
from recollect.text.addresses import is_loopback
from recollect.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import FrameType

GRACE_SECONDS = 3  # a client may keep its stream open for ever
MOST_CONNECTIONS = 500  # each may hold the body of a request; a process has some 1,000 files
WORKER_SECONDS = 5.0  # for a job under way; what is not done then is done again


class Served:
    """A server that is ready to listen, and the links that open its panel."""

    def __init__(self, environ: Mapping[str, str], *, folder: str, host: str, port: int) -> None:
        self._environ = environ
        self.memories = Memories(environ, folder=folder)
        self.sessions = PanelSessions()
        memory = self.memories.at()
        self.home = memory.home
        if not is_loopback(host) and not memory.tokens.count():
            raise Refused(
                f"On {host} other machines could reach this memory: add a token first, with `recollect token add NAME`."
            )
        self._socket = listen(host, port)
        self._host = host
        self.port = int(self._socket.getsockname()[1])
        # Over HTTP nobody is asked: the client may be the agent that wants something approved.
        self._door = Door(environ, folder=folder, has_person=False, is_near=is_loopback(host))
        self.app = build(self.memories, host=host, panel_sessions=self.sessions, door=self._door)
        self.config = uvicorn.Config(
            self.app,
            log_config=None,
            access_log=False,
            lifespan="on",
            server_header=False,
            # Any program of this machine could say that it is a proxy, and choose the address that it is known by.
            proxy_headers=False,
            ws="none",
            limit_concurrency=MOST_CONNECTIONS,
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
        self._server = uvicorn.Server(self.config)
        self.app.state.is_stopping = lambda: self._server.should_exit

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://{f'[{self._host}]' if ':' in self._host else self._host}:{self.port}"

    def link(self) -> str:
        """A link that opens the panel once, in a browser of this machine. Refused inside an agent, whose approvals it
        would give."""
        self.memories.at().for_person("Opening the panel", away=True)
        where = self.address if is_loopback(self._host) else f"http://127.0.0.1:{self.port}"
        return f"{where}/open?token={self.sessions.new_link()}"

    def run(self, *, works: bool = True) -> None:
        """Serve until a signal comes, with the worker inside."""
        log_to(self.home.logs)
        stop = threading.Event()
        worker = threading.Thread(target=Worker(self._environ).stay, args=(stop,), name="recollect-worker", daemon=True)
        if works:
            worker.start()
            answer_in_background(self.home)
        try:
            self._server.run(sockets=[self._socket])
        finally:
            stop.set()
            if works:
                worker.join(WORKER_SECONDS)
            self.close()

    def stop(self) -> None:
        """Let `run` end, from another thread."""
        self._server.should_exit = True

    def close(self) -> None:
        """Let go of the port and the databases."""
        self._socket.close()
        self._door.memories.close()
        self.memories.close()


def end_at_sigterm() -> None:
    """Let SIGTERM end this process in order, as Ctrl-C does."""

    def end(number: int, frame: FrameType | None) -> None:
        raise SystemExit(0)

    signal.signal(signal.SIGTERM, end)


def has_terminal() -> bool:
    """Can somebody press Enter where this runs?"""
    return sys.stdin is not None and sys.stdin.isatty()


def give_links(served: Served, say: Callable[[str], None]) -> None:
    """Say a new link whenever somebody presses Enter in the terminal that the server runs in."""

    def wait() -> None:
        for _ in sys.stdin:
            try:
                say(served.link())
            except RecollectError as error:
                say(str(error))

    if has_terminal():
        threading.Thread(target=wait, name="recollect-links", daemon=True).start()
