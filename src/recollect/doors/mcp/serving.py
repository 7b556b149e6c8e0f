"""Serving: on stdin and stdout for the host that started it, or over HTTP. Imported when it is asked for: the SDK is
large."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from recollect.doors.mcp import sdk
from recollect.errors import FileError
from recollect.files.home import ensure_home, home_directory
from recollect.files.logs.mcp_log import log_to
from recollect.flows.writes.actors import has_person_behind
from recollect.text.addresses import is_loopback

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recollect.doors.mcp.server import Door


def serve_stdio(environ: Mapping[str, str], *, folder: str, agent: str = "") -> None:
    """Serve one client until it closes stdin. Nothing but the protocol is written to stdout."""
    _log(environ)
    sdk.load()
    import anyio

    from recollect.doors.mcp.server import Door

    door = Door(environ, folder=folder, agent=agent, has_person=has_person_behind(environ))
    _answer_hooks(environ)
    try:
        anyio.run(partial(_until_stdin_closes, door))
    finally:
        door.memories.close()


def serve_http(environ: Mapping[str, str], *, folder: str, host: str, port: int, agent: str = "") -> None:
    """Serve any number of clients until it is interrupted."""
    _log(environ)
    from recollect.doors.mcp.http import run
    from recollect.doors.mcp.server import Door

    door = Door(environ, folder=folder, agent=agent, is_near=is_loopback(host))
    _answer_hooks(environ)
    try:
        run(door, home=ensure_home(home_directory(environ)), host=host, port=port)
    finally:
        door.memories.close()


async def _until_stdin_closes(door: Door) -> None:
    import anyio
    from mcp.server.stdio import stdio_server

    from recollect.doors.mcp.server import changes, make_server

    server = make_server(door)
    async with anyio.create_task_group() as group:
        if sys.platform != "win32":
            group.start_soon(_end_at_signal, door)
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options(changes()))
        group.cancel_scope.cancel()


async def _end_at_signal(door: Door) -> None:
    """A host that is in a hurry: finish what a strategy still has to write, then go at once."""
    import anyio

    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async for _ in signals:
            door.memories.close()
            # Not by raising: a thread waits in a read of stdin, and only its end would wake it.
            os._exit(0)


def _answer_hooks(environ: Mapping[str, str]) -> None:
    """Say to hooks what only a process that stays can know; whether there is a home, the tools will say."""
    from recollect.flows.turns.answer_near import answer_in_background

    with suppress(FileError):
        answer_in_background(ensure_home(home_directory(environ)))


def _log(environ: Mapping[str, str]) -> None:
    """To the home; without one, nowhere: the tools will say what is wrong with it."""
    try:
        log_to(ensure_home(home_directory(environ)).logs)
    except FileError:
        log_to(os.devnull)
