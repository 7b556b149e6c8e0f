"""Tools of the MCP servers that the user configured in `mcp.json` of the home; a person is asked before each call.

The servers talk in a thread of their own: the agent waits for one answer at a time and can stop waiting. A repository
configures none: starting one runs a command."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from concurrent.futures import CancelledError as FutureCancelled
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from recollect.errors import FileError, RecollectError
from recollect.files.trees import read_cited
from recollect.flows.chat.listening import Listener
from recollect.flows.chat.toolbox import Planned, Tool, ToolAnswer
from recollect.flows.sidekicks.tools import GitHub
from recollect.flows.writes.gate import rules_for
from recollect.model.permissions import Question
from recollect.text.clean import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from recollect.flows.chat.agent import Agent
    from recollect.flows.chat.toolbox import Work
    from recollect.flows.opened import Opened
    from recollect.model.messages import Json

FILE = "mcp.json"
GITHUB = "github"  # in the name of the server that the sidekick github-context may look into
CONNECT_SECONDS = 15.0
CALL_SECONDS = 300.0
LOOK_SECONDS = 0.02
MOST_CHARACTERS = 30_000
LONGEST_SHOWN = 200
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]+")


class ServerFailed(RecollectError):
    """An MCP server did not answer."""


def configured(memory: Opened) -> dict[str, Json]:
    """The servers of this home, by name. FileError for a file that cannot be understood."""
    text = read_cited(memory.home.root, FILE)
    if text is None:
        return {}
    try:
        servers = json.loads(text)["mcpServers"]
        if not all(isinstance(one, dict) and ("command" in one or "url" in one) for one in servers.values()):
            raise ValueError("a server has a command or a url")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise FileError(f'{FILE} in the home is not {{"mcpServers": {{NAME: {{"command": ...}}}}}}: {error}') from error
    return dict(servers)


class ServerTools(Listener):
    """The tools of the configured servers for one agent; they are started with its session and end with it."""

    def __init__(self, given: Mapping[str, Json] | None = None) -> None:
        """`given` are servers that an editor configured for this session."""
        self._given = dict(given or {})
        self._servers: Servers | None = None

    def tools(self, agent: Agent) -> list[Tool]:
        """Start the servers and offer what they have. What is wrong with one is told to the person."""
        servers = dict(self._given)
        try:
            servers |= configured(agent.memory)
        except FileError as error:
            agent.notices.append(str(error))
        if not servers:
            return []
        self._servers = Servers(servers, agent.memory.folder)
        tools, problems = self._servers.connect()
        agent.notices += problems
        return tools

    def github(self, agent: Agent) -> GitHub | None:
        """The user's GitHub server as a background agent may use it: nobody is asked there, so only tools of which the
        server says that they change nothing, and which no rule denies."""
        return _github(self._servers, agent.permits.is_denied) if self._servers is not None else None

    def on_shutdown(self, agent: Agent) -> None:
        """Let them end."""
        if self._servers is not None:
            self._servers.close()


@contextmanager
def github_server(memory: Opened) -> Iterator[Callable[[], GitHub | None]]:
    """The user's GitHub server where there is no chat: it is started when a background agent first asks for it, without
    the other servers, and ends with this."""
    begun: list[Servers] = []
    denied = rules_for(memory.settings, (), ()).deny

    def start() -> GitHub | None:
        if not begun:
            try:
                servers = {name: one for name, one in configured(memory).items() if GITHUB in name.lower()}
            except FileError:
                return None
            begun.append(Servers(servers, memory.folder))
            begun[0].connect()
        return _github(begun[0], lambda tool: tool.kind in denied or tool.name in denied)

    try:
        yield start
    finally:
        for servers in begun:
            servers.close()


def _github(servers: Servers, is_denied: Callable[[Tool], bool]) -> GitHub | None:
    found = {
        told.name: server
        for tool, server, told in servers.offered
        if GITHUB in server.lower() and _is_read_only(told) and not is_denied(tool)
    }

    def call(name: str, arguments: Mapping[str, object], cancelled: Callable[[], bool]) -> str:
        answer = servers.call(found[name], name, dict(arguments), cancelled)
        if answer.failed:
            raise ServerFailed(answer.text)
        return answer.text

    return GitHub(tuple(found), call) if found else None


class Servers:
    """The servers of one agent, from `connect` to `close`."""

    def __init__(self, servers: dict[str, Json], folder: str) -> None:
        self._servers = servers
        self._folder = folder
        self._loop = asyncio.new_event_loop()
        self._clients: dict[str, Any] = {}
        self.offered: list[tuple[Tool, str, Any]] = []  # with the name of the server, and what it says of the tool
        self._stop = asyncio.Event()
        self._ended: list[Future[None]] = []
        self._thread = threading.Thread(target=self._loop.run_forever, name="recollect-mcp", daemon=True)

    def connect(self) -> tuple[list[Tool], list[str]]:
        """Their tools, and what is wrong with those that do not answer."""
        import mcp  # noqa: F401 before anybody's time runs: on a busy machine it takes seconds

        self._thread.start()
        begun = {name: self._begin(name, spec) for name, spec in self._servers.items()}
        problems: list[str] = []
        for name, ready in begun.items():
            try:
                told = ready.result(CONNECT_SECONDS)
            except (NotYet, ServerFailed) as error:
                problems.append(f"The MCP server {name} does not answer: {_shown(error) or 'it took too long'}")
                continue
            for one in told:
                tool = self._tool(name, one)
                if problem := _problem(tool, {other.name for other, _, _ in self.offered}):
                    problems.append(f"A tool of the MCP server {name} is left out: {problem}")
                else:
                    self.offered.append((tool, name, one))
        return [tool for tool, _, _ in self.offered], problems

    def close(self) -> None:
        """Let them end."""
        if not self._thread.is_alive():
            return
        self._loop.call_soon_threadsafe(self._stop.set)
        for ended in self._ended:
            try:
                ended.result(5.0)
            except (NotYet, FutureCancelled, ServerFailed):
                continue
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5.0)

    def _begin(self, name: str, spec: Json) -> Future[list[Any]]:
        ready: Future[list[Any]] = Future()
        self._ended.append(asyncio.run_coroutine_threadsafe(self._serve(name, spec, ready), self._loop))
        return ready

    async def _serve(self, name: str, spec: Json, ready: Future[list[Any]]) -> None:
        """One server from its first to its last word, in one task, as the client wants it."""
        from mcp import Client, MCPError, StdioServerParameters

        target: Any = spec.get("url") or StdioServerParameters(
            command=spec["command"], args=list(spec.get("args", ())), env=spec.get("env"), cwd=self._folder
        )
        try:
            async with Client(target) as client:
                self._clients[name] = client
                ready.set_result(list((await client.list_tools()).tools))
                await self._stop.wait()
        except (OSError, MCPError, ExceptionGroup, RuntimeError, ValueError) as error:
            if not ready.done():
                ready.set_exception(ServerFailed(_shown(error)))

    def _tool(self, server: str, told: Any) -> Tool:
        kind = f"mcp:{server}"

        def plan(arguments: Json, work: Work) -> Planned:
            given = " ".join(json.dumps(arguments, ensure_ascii=False).split())[:LONGEST_SHOWN]
            title = f"{told.name} {given}"
            return Planned(title, Question("use", f"{server}: {title}", "it is a tool of an MCP server.", kind=kind))

        def run(arguments: Json, work: Work) -> ToolAnswer:
            return self.call(server, told.name, arguments, work.cancelled)

        name = _NOT_IN_NAMES.sub("_", f"{server}__{told.name}")[:64]
        return Tool(name, kind, clean(told.description or told.name), dict(told.input_schema), run, plan)

    def call(self, server: str, name: str, arguments: Json, cancelled: Callable[[], bool]) -> ToolAnswer:
        """What a tool answers. ServerFailed when its server does not."""
        call = self._clients[server].call_tool(name, arguments)
        waiting: Future[Any] = asyncio.run_coroutine_threadsafe(_answered(call), self._loop)
        while not waiting.done():
            if cancelled():
                waiting.cancel()
                return ToolAnswer("Cancelled by the user.", failed=True)
            try:
                waiting.result(LOOK_SECONDS)
            except (NotYet, ServerFailed):
                continue
        result = waiting.result()
        text = "\n".join(str(getattr(part, "text", "")) or f"[{part.type}]" for part in result.content)
        return ToolAnswer(text[:MOST_CHARACTERS] or "(nothing)", failed=bool(result.is_error))


def _problem(tool: Tool, taken: set[str]) -> str:
    """Why a tool cannot be offered; empty when it can."""
    from jsonschema import Draft202012Validator, SchemaError

    if tool.name in taken:
        return f"{tool.name} is the name of another one."
    try:
        Draft202012Validator.check_schema(tool.takes)
    except SchemaError as error:
        return f"the schema of {tool.name} is not valid ({clean(error.message)[:LONGEST_SHOWN]})."
    return ""


def _is_read_only(told: Any) -> bool:
    return getattr(told.annotations, "read_only_hint", None) is True


async def _answered(call: Any) -> Any:
    import anyio
    from mcp import MCPError

    try:
        return await asyncio.wait_for(call, CALL_SECONDS)
    except TimeoutError as error:
        raise ServerFailed("The MCP server did not answer in time.") from error
    except MCPError as error:
        raise ServerFailed(f"The MCP server refused: {_shown(error)}") from error
    except (anyio.ClosedResourceError, anyio.BrokenResourceError, OSError, RuntimeError, ValueError) as error:
        told = _shown(error) or type(error).__name__
        raise ServerFailed(f"The MCP server does not answer any more: {told}") from error


def _shown(error: BaseException) -> str:
    while isinstance(error, ExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    return clean(" ".join(str(error).split()))[:LONGEST_SHOWN]
