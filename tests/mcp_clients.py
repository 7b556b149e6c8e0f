"""Clients for tests of the MCP door: the official one, in this process, over stdio and over HTTP."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
from mcp import Client, StdioServerParameters

from recollect.doors.mcp.server import Door, make_server
from tests.command_line import clean_environment

ERAS = ("legacy", "2026-07-28")
TALK = Callable[[Client], Awaitable[Any]]


def environment_of(tmp_path: Path, **more: str) -> dict[str, str]:
    """A user with a home of their own."""
    (tmp_path / "user").mkdir(exist_ok=True)
    return clean_environment(tmp_path / "home", tmp_path / "user", **more)


def in_memory(
    folder: Path, environ: dict[str, str], era: str, talk: TALK, *, agent: str = "", is_near: bool = True, **client: Any
) -> Any:
    """Let a client in this process talk with a server in this process; returns what the talk returns."""
    door = Door(environ, folder=str(folder), agent=agent, is_near=is_near)

    async def run() -> Any:
        async with Client(make_server(door), mode=era, **client) as connected:
            return await talk(connected)

    try:
        return anyio.run(run)
    finally:
        door.memories.close()


def over_stdio(
    folder: Path, environ: dict[str, str], era: str, talk: TALK, *, words: tuple[str, ...] = (), **client: Any
) -> Any:
    """Let a client talk with a real process, as a host does."""
    started = StdioServerParameters(
        command=sys.executable, args=["-m", "recollect", "mcp", *words], env=environ, cwd=str(folder)
    )

    async def run() -> Any:
        async with Client(started, mode=era, **client) as connected:
            return await talk(connected)

    return anyio.run(run)


@contextmanager
def http_server(folder: Path, environ: dict[str, str], *words: str) -> Iterator[str]:
    """A real server over HTTP on a free port; gives its address."""
    command = [sys.executable, "-m", "recollect", "mcp", "--http", "--port", "0", *words]
    server = subprocess.Popen(
        command, cwd=folder, env=environ, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stderr is not None
        line = server.stderr.readline()
        found = re.search(r"http://\S+", line)
        assert found, line + server.stderr.read()
        yield found[0]
    finally:
        server.terminate()
        server.wait(timeout=20)


@asynccontextmanager
async def over_http(address: str, era: str, **client: Any) -> AsyncIterator[Client]:
    """A client of a server over HTTP."""
    async with Client(address, mode=era, **client) as connected:
        yield connected


def said(result: types.CallToolResult) -> str:
    """The text that a model reads."""
    assert isinstance(result, types.CallToolResult), result
    return "\n".join(part.text for part in result.content if isinstance(part, types.TextContent))


def roots(*folders: Path) -> Callable[..., Awaitable[types.ListRootsResult]]:
    """A client that works in these folders."""

    async def listed(_: Any) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root(uri=folder.as_uri()) for folder in folders])  # type: ignore[arg-type]

    return listed


def answering(*answers: str | None) -> tuple[Callable[..., Awaitable[types.ElicitResult]], list[str]]:
    """A person who gives these answers, one after the other (None: closes the prompt), and what they were asked."""
    asked: list[str] = []
    left = list(answers)

    async def elicit(_: Any, params: Any) -> types.ElicitResult:
        asked.append(params.message)
        answer = left.pop(0)
        if answer is None:
            return types.ElicitResult(action="cancel")
        if answer == "decline":
            return types.ElicitResult(action="decline")
        return types.ElicitResult(action="accept", content={"answer": answer})

    return elicit, asked
