"""One call: who makes it and from which folder, how the person behind it is asked, and where its work is done.

The client's roots name the folder. A client of the older era is asked for them once and again when it says that they
changed; in the newer era the call ends with the request, and the client makes it again with the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import anyio
import mcp_types as types
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from recollect.doors.mcp.asking import Asker, Elicited, set_asker
from recollect.doors.mcp.callers import Caller, folder_of, host_of, printable
from recollect.doors.mcp.threads import Work, in_thread
from recollect.flows.setup.plugin_folder import working_folder

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mcp.server.context import ServerRequestContext

    from recollect.doors.mcp.client_memories import ClientMemories, ClientMemory

    Context = ServerRequestContext[Any, Any]

T = TypeVar("T")
ROOTS = "roots"
ROOTS_SECONDS = 5.0  # for a client that says it has roots and does not name them
MOST_CONNECTIONS = 256
SESSION_HEADER = "mcp-session-id"
TOKEN_NAME = "recollect.token"  # noqa: S105 under which a request carries the name of its token


class RootsNeeded(Exception):
    """The call cannot go on before the client has named its roots."""


class Calls:
    """Every call of a server, with what is known about each of its clients."""

    def __init__(
        self, memories: ClientMemories, *, folder: str, agent: str = "", has_person: bool = True, is_near: bool = True
    ) -> None:
        self._memories = memories
        self._has_person = has_person  # behind a client that can ask one
        self._is_near = is_near  # clients run on this machine, so that their folders are folders here
        self._folder = folder
        self._agent = agent
        self._folders: dict[str, str] = {}  # by connection, as far as their roots are known

    def forget_roots(self, context: Context) -> None:
        """The client's roots changed: ask again when they are next needed."""
        self._folders.pop(connection_of(context) or "", None)

    async def caller(self, context: Context, params: types.InputResponseRequestParams | None = None) -> Caller:
        """Who calls, and from where."""
        return self._named(context, await self._folder_of(context, params))

    def known_caller(self, context: Context) -> Caller:
        """As `caller`, without asking the client anything."""
        return self._named(context, self._folders.get(connection_of(context) or "") or self._own_folder())

    def _named(self, context: Context, folder: str) -> Caller:
        client = context.session.client_params
        name = printable(client.client_info.name) if client else ""
        agent = printable(self._agent or token_of(context))
        return Caller(f"{agent} ({name})" if agent and name else agent or name, host_of(name), folder)

    async def work(
        self,
        context: Context,
        caller: Caller,
        function: Callable[[ClientMemory, Work], T],
        *,
        params: types.InputResponseRequestParams | None = None,
        even_off: bool = False,
    ) -> T:
        """Do something at the caller's opened, in a thread of its own. Raises what it raises."""
        work = Work()
        asker = self._asker(context, params, work)

        def at_the_desk() -> T:
            set_asker(asker)
            work.tell("opening the memory")
            connection = connection_of(context) or ""
            opened = (
                self._memories.at(caller, connection) if even_off else self._memories.switched_on(caller, connection)
            )
            opened.memory.opened.stop_when(work.is_stopped)
            work.tell("working")
            try:
                return function(opened, work)
            finally:
                opened.memory.opened.stop_when(None)

        async def report(beats: float, stage: str) -> None:
            await context.session.report_progress(beats, None, stage)

        return await in_thread(work, at_the_desk, report=report)

    async def _folder_of(self, context: Context, params: types.InputResponseRequestParams | None) -> str:
        connection = connection_of(context)
        if connection is not None and connection in self._folders:
            return self._folders[connection]
        capabilities = context.session.client_capabilities
        if capabilities is None or capabilities.roots is None or not self._is_near:
            return self._own_folder()
        if is_modern(context):
            given = (params.input_responses or {}).get(ROOTS) if params else None
            if params is None:
                return self._own_folder()  # a list: it cannot be made again with an answer
            if not isinstance(given, types.ListRootsResult):
                raise RootsNeeded
            roots = [str(root.uri) for root in given.roots]
        else:
            roots = await _listed_roots(context)
        folder = folder_of(roots) or self._own_folder()
        if connection is not None:
            self._folders[connection] = folder
            while len(self._folders) > MOST_CONNECTIONS:
                self._folders.pop(next(iter(self._folders)))
        return folder

    def _own_folder(self) -> str:
        """The folder that the server was started in, or the one that it stands for. Raises Refused when it is none."""
        return working_folder(self._folder, self._memories.environ)

    def _asker(self, context: Context, params: types.InputResponseRequestParams | None, work: Work) -> Asker:
        def waiting() -> None:
            work.tell("waiting for the user's answer")

        capabilities = context.session.client_capabilities
        elicitation = capabilities.elicitation if capabilities else None
        can = elicitation is not None and (elicitation.form is not None or elicitation.url is None)
        # Over HTTP anybody on this machine can be the client, also the agent that wants something approved.
        if not can or context.request is not None or not self._has_person:
            return Asker(wait=waiting)
        client = context.session.client_params
        host = host_of(client.client_info.name) if client else ""
        if is_modern(context):
            return Asker(answers=_answers(params), wait=waiting, host=host)

        async def elicit(message: str, form: dict[str, Any]) -> Elicited | None:
            try:
                result = await context.session.elicit_form(message, form, related_request_id=context.request_id)
            except (MCPError, ValidationError):
                return None
            return Elicited(result.action, result.content)

        return Asker(elicit=elicit, wait=waiting, host=host)


def is_modern(context: Context) -> bool:
    """Is this the era in which a server may not ask back?"""
    return context.protocol_version in MODERN_PROTOCOL_VERSIONS


def connection_of(context: Context) -> str | None:
    """What tells one client from another: nothing on stdio, where there is one; None when it cannot be told."""
    request = context.request
    if request is None:
        return ""
    found: str | None = request.headers.get(SESSION_HEADER)
    return found


def token_of(context: Context) -> str:
    """The name of the token that a request over HTTP came with, where the server asks for one."""
    request = context.request
    return str(request.scope.get(TOKEN_NAME, "")) if request is not None else ""


def _answers(params: types.InputResponseRequestParams | None) -> dict[str, Elicited]:
    given = (params.input_responses or {}) if params else {}
    return {key: Elicited(one.action, one.content) for key, one in given.items() if isinstance(one, types.ElicitResult)}


async def _listed_roots(context: Context) -> list[str]:
    """The client's roots; none from one that says it has some and does not answer."""
    found: list[str] = []
    with anyio.move_on_after(ROOTS_SECONDS):
        try:
            result = await context.session.send_request(
                types.ListRootsRequest(),
                types.ListRootsResult,
                metadata=ServerMessageMetadata(related_request_id=context.request_id),
            )
            found = [str(root.uri) for root in result.roots]
        except (MCPError, ValidationError):
            return []
    return found
