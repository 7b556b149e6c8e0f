"""Our agent over the Agent Client Protocol: `recollect acp`. It offers what works here, and nothing else."""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

from acp import (
    PROTOCOL_VERSION,
    InitializeResponse,
    LoadSessionResponse,
    NewSessionResponse,
    PromptResponse,
    RequestError,
    run_agent,
)
from acp.schema import (
    AgentCapabilities,
    CloseSessionResponse,
    ConfigOptionUpdate,
    CurrentModeUpdate,
    Implementation,
    ListSessionsResponse,
    McpServerStdio,
    ResumeSessionResponse,
    SessionCapabilities,
    SessionCloseCapabilities,
    SessionInfo,
    SessionListCapabilities,
    SessionResumeCapabilities,
    SetSessionConfigOptionResponse,
    SetSessionModeResponse,
)

from recollect.app import Recollect
from recollect.doors.acp.choices import MODE, MODEL, modes
from recollect.doors.acp.sessions import Session
from recollect.doors.acp.updates import replayed
from recollect.doors.chat.agents import new_agent
from recollect.errors import NotFound, RecollectError, Refused, UsageError
from recollect.flows.acp.messages import SERVER, other_words, typed_words
from recollect.flows.sessions.terminal import Terminal
from recollect.flows.writes.actors import agent_here, has_person_behind
from recollect.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from acp.schema import SessionModeState

    from recollect.flows.chat.agent import Agent

T = TypeVar("T")
MOST_THREADS = 64  # turns that run at the same time
INVALID, NOT_FOUND, FAILED = -32602, -32002, -32603
STOPS: dict[str, Literal["end_turn", "cancelled"]] = {"done": "end_turn", "cancelled": "cancelled"}


class Chosen(NamedTuple):
    """What can be chosen for a session, in the protocol's older and its newer form."""

    modes: SessionModeState | None
    options: list[Any]


class OwnAgent:
    """The agent side of a connection, with any number of sessions."""

    def __init__(self, environ: Mapping[str, str], *, make: Callable[..., Agent] = new_agent) -> None:
        self._environ = environ
        self._make = make
        # Any editor may allow a command; that words are the user's own, and what memory may keep, is for somebody who
        # is known to sit there, as everywhere.
        self._is_driven = bool(agent_here(environ))
        self._has_person = not self._is_driven and has_person_behind(environ)
        self._sessions: dict[str, Session] = {}
        self._threads = ThreadPoolExecutor(MOST_THREADS, thread_name_prefix="recollect-acp")
        self._client: Any = None

    def on_connect(self, conn: Any) -> None:
        """The SDK's way to hand over the client."""
        self._client = conn

    async def initialize(self, protocol_version: int, **_: Any) -> InitializeResponse:
        """What this agent can do: only what is here."""
        sessions = SessionCapabilities(
            list=SessionListCapabilities(), resume=SessionResumeCapabilities(), close=SessionCloseCapabilities()
        )
        return InitializeResponse(
            protocol_version=PROTOCOL_VERSION,
            agent_capabilities=AgentCapabilities(load_session=True, session_capabilities=sessions),
            auth_methods=[],
            agent_info=Implementation(name="recollect", title="Recollect", version=__version__),
        )

    # -- sessions

    async def new_session(self, cwd: str, mcp_servers: Sequence[Any] | None = None, **_: Any) -> NewSessionResponse:
        """Begin a session in a folder."""
        session = await self._opened(cwd, "", mcp_servers)
        chosen = await self._chosen(session)
        return NewSessionResponse(session_id=session.session_id, modes=chosen.modes, config_options=chosen.options)

    async def load_session(
        self, cwd: str, session_id: str, mcp_servers: Sequence[Any] | None = None, **_: Any
    ) -> LoadSessionResponse:
        """Go on with a session, and show what was said in it. An error for one that is not here."""
        session = await self._opened(cwd, session_id, mcp_servers)
        shown = await self._in_thread(lambda: session.memory.own_sessions.show(session_id))
        for update in replayed(shown.turns):
            await self._client.session_update(session_id, update)
        chosen = await self._chosen(session)
        return LoadSessionResponse(modes=chosen.modes, config_options=chosen.options)

    async def resume_session(
        self, session_id: str, cwd: str, mcp_servers: Sequence[Any] | None = None, **_: Any
    ) -> ResumeSessionResponse:
        """Go on with a session that the client still shows."""
        chosen = await self._chosen(await self._opened(cwd, session_id, mcp_servers))
        return ResumeSessionResponse(modes=chosen.modes, config_options=chosen.options)

    async def list_sessions(self, cwd: str | None = None, **_: Any) -> ListSessionsResponse:
        """The sessions of our own that there are, of a folder where one is named."""

        def listed() -> list[SessionInfo]:
            with Recollect.open(environ=self._environ, folder=cwd) as memory:
                found = [one for one, turns in memory.own_sessions.listed() if turns and os.path.isabs(one.cwd)]
            return [
                SessionInfo(
                    session_id=one.session_id, cwd=one.cwd, title=one.title or None, updated_at=_iso(one.started)
                )
                for one in found
                if cwd in (None, one.cwd)
            ]

        return ListSessionsResponse(sessions=await self._in_thread(listed))

    async def close_session(self, session_id: str, **_: Any) -> CloseSessionResponse:
        """End a session for now."""
        session = self._session(session_id)
        del self._sessions[session_id]
        await self._in_thread(session.close)
        return CloseSessionResponse()

    # -- choices

    async def set_session_mode(self, session_id: str, mode_id: str, **_: Any) -> SetSessionModeResponse:
        """How much is asked from now on, also in the turn that runs."""
        session = self._session(session_id)
        await self._in_thread(lambda: session.choose_mode(mode_id))
        update = ConfigOptionUpdate(
            session_update="config_option_update", config_options=(await self._chosen(session)).options
        )
        await self._client.session_update(session_id, update)
        return SetSessionModeResponse()

    async def set_config_option(
        self, config_id: str, session_id: str, value: str | bool, **_: Any
    ) -> SetSessionConfigOptionResponse:
        """The mode or the model, by the ids of the options."""
        session, wanted = self._session(session_id), str(value)
        if config_id == MODE:
            await self._in_thread(lambda: session.choose_mode(wanted))
            update = CurrentModeUpdate(session_update="current_mode_update", current_mode_id=session.mode)
            await self._client.session_update(session_id, update)
        elif config_id == MODEL:
            await self._in_thread(lambda: session.choose_model(wanted))
        else:
            raise RequestError(INVALID, f"There is no option {config_id[:40]!r}.")
        return SetSessionConfigOptionResponse(config_options=(await self._chosen(session)).options)

    # -- a turn

    async def prompt(self, session_id: str, prompt: Sequence[Any], **_: Any) -> PromptResponse:
        """One turn. What the user typed counts as typed, unless other text comes with it."""
        session = self._session(session_id)
        blocks = [block.model_dump(mode="json", by_alias=True, exclude_none=True) for block in prompt]
        if any(block["type"] in ("image", "audio") for block in blocks):
            raise RequestError(INVALID, "This agent accepts only text, not images or sound.")
        typed, other = typed_words(blocks), other_words(blocks)
        text = "\n\n".join(filter(None, (other, typed)))
        if not text:
            raise RequestError(INVALID, "The prompt is empty.")
        typed_at = Terminal() if self._has_person and not other else None
        session.begin_turn()
        done = await self._in_thread(lambda: session.turn(text, typed_at))
        if done.status not in STOPS:
            raise RequestError(FAILED, f"{done.why} {done.remedy}".strip())
        return PromptResponse(stop_reason=STOPS[done.status])

    async def cancel(self, session_id: str, **_: Any) -> None:
        """End the turn that runs; its prompt answers `cancelled`."""
        if session_id in self._sessions:
            self._sessions[session_id].cancel()

    def close(self) -> None:
        """End every session."""
        for session in self._sessions.values():
            session.close()
        self._sessions.clear()
        self._threads.shutdown(wait=False, cancel_futures=True)

    # -- inside

    async def _chosen(self, session: Session) -> Chosen:
        found = await self._in_thread(session.options)
        return Chosen(modes(session.mode) if session.mode else None, found)

    def _session(self, session_id: str) -> Session:
        if session_id not in self._sessions:
            raise RequestError(NOT_FOUND, f"Session {session_id!r} is not open here; load it, or start a new one.")
        return self._sessions[session_id]

    async def _opened(self, cwd: str, session_id: str, servers: Sequence[Any] | None) -> Session:
        """A session that is open: a new one without an id. Services start here, so that memory works in all of them."""
        if session_id in self._sessions:
            return self._sessions[session_id]
        if not os.path.isdir(cwd):
            raise RequestError(INVALID, f"There is no folder {cwd!r}.")
        loop = asyncio.get_running_loop()

        def opened() -> Session:
            memory = Recollect.open(environ=self._environ, folder=cwd)
            session = Session(memory, self._client, loop, can_ask=not self._is_driven, has_person=self._has_person)
            try:
                if session_id and memory.own_sessions.find(session_id) != session_id:
                    raise NotFound(f"There is no session {session_id!r} here.")
                agent = session.agent = self._make(memory, ask=session.ask, servers=_by_name(servers or ()))
                if why := agent.why_silent():
                    raise Refused(why)
                if session_id:
                    agent.load(session_id)
                else:
                    agent.start()
            except RecollectError:
                memory.close()
                raise
            return session

        session = await self._in_thread(opened)
        self._sessions[session.session_id] = session
        return session

    async def _in_thread(self, work: Callable[[], T]) -> T:
        """Do it beside the loop; our errors as the protocol's."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        except NotFound as error:
            raise RequestError(NOT_FOUND, str(error)) from error
        except UsageError as error:
            raise RequestError(INVALID, str(error)) from error
        except RecollectError as error:
            raise RequestError(FAILED, str(error)) from error


def _by_name(servers: Sequence[Any]) -> dict[str, dict[str, Any]]:
    """The servers that the editor configured and that we can start; our own is there without one."""
    return {
        one.name: {"command": one.command, "args": one.args, "env": {each.name: each.value for each in one.env} or None}
        for one in servers
        if isinstance(one, McpServerStdio) and one.name != SERVER
    }


def _iso(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


def serve(environ: Mapping[str, str]) -> None:
    """Speak the protocol on stdin and stdout until the client closes its end."""
    agent = OwnAgent(environ)

    async def speak() -> None:
        # The SDK still calls it unstable to resume and close sessions; the protocol does not any more.
        connected: Any = agent
        await run_agent(connected, use_unstable_protocol=True)

    try:
        asyncio.run(speak())
    finally:
        agent.close()
