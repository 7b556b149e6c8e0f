"""Pass: a line -> a session that opens gets our tools -> a prompt gets its memory -> all else passes as it came."""

from __future__ import annotations

import os
import time

from recollect.errors import RecollectError
from recollect.files.config import load_settings
from recollect.files.logs.acp_log import claim_name, last_name
from recollect.files.repositories import working_tree
from recollect.flows.acp.messages import (
    CLOSE,
    FORK,
    INITIALIZE,
    NEW,
    OPENING,
    PROMPT,
    attachments,
    dict_in,
    is_command,
    list_in,
    parsed,
    text_in,
    typed_words,
    with_memory,
    with_server,
)
from recollect.model.hooks import PROMPT as PROMPT_HOOK
from recollect.model.hooks import SESSION_START, HookCall
from recollect.model.record import Record
from recollect.sessions.eligible import is_excluded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from recollect.files.home import Home
    from recollect.flows.acp.messages import Json
    from recollect.flows.hooks.answer_hook import HookAnswer
    from recollect.settings import Settings

HOST = "acp"
NOT_YET = ("too late", "no memory", "failed")  # outcomes after which a start is tried again


class Opened(Record):
    """A session whose opening was asked for, or granted."""

    session: str  # the agent's own id; empty until it has said it
    cwd: str
    method: str


class Prompted(Record):
    """A prompt went through, in a session that is recorded."""

    name: str
    session: str
    cwd: str
    agent: str  # who answers
    driven_by: str  # the agent that sends the prompts; empty for a person
    text: str
    attachments: int
    at: float


class Heard(Record):
    """A line of the agent, while a prompt is being answered."""

    line: bytes
    at: float


class Answered(Record):
    """A prompt has its answer."""

    name: str
    at: float


class Closed(Record):
    """A session is over."""

    name: str
    at: float


if TYPE_CHECKING:
    Note = Prompted | Heard | Answered | Closed


class _Session:
    """One session between this client and this agent."""

    def __init__(self, opened: Opened) -> None:
        self.opened = opened
        self.name = ""  # ours; chosen with its first prompt
        self.is_recorded = False
        self.is_started = False  # has it been given what a session gets at its start?
        self.prompts = 0


class Passing:
    """What passes between a client and an agent. Whatever is not ours passes as it came."""

    def __init__(
        self,
        home: Home,
        environ: Mapping[str, str],
        *,
        answer: Callable[[HookCall], HookAnswer],
        tell: Callable[[Note], None],
        server: str = "",
        driven_by: str = "",
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`server` is the command of our MCP server; `driven_by` the agent that sends the prompts, if one does."""
        self._home = home
        self._environ = environ
        self._answer = answer
        self._tell = tell
        self._server = server
        self._driven_by = driven_by
        self._clock = clock
        self._agent = ""
        self._asked: dict[object, Opened] = {}  # requests that open, close or describe, by their id
        self._turns: dict[object, _Session] = {}  # prompts without their answer, by their id
        self._sessions: dict[str, _Session] = {}

    # -- from the client to the agent

    def to_agent(self, line: bytes) -> bytes:
        """The line as the agent gets it."""
        message = parsed(line) if b'"method"' in line else {}
        method, params, request = message.get("method"), dict_in(message, "params"), message.get("id")
        if not isinstance(request, str | int):
            return line
        if method in (INITIALIZE, CLOSE):
            self._asked[request] = Opened(text_in(params, "sessionId"), "", str(method))
        elif method in OPENING:
            known = "" if method in (NEW, FORK) else text_in(params, "sessionId")
            opened = self._asked[request] = Opened(known, text_in(params, "cwd") or os.getcwd(), str(method))
            settings = self._settings(opened.cwd)
            return with_server(line, message, self._server) if settings and settings.enabled else line
        elif method == PROMPT:
            return self._prompt(line, request, params)
        return line

    def _prompt(self, line: bytes, request: str | int, params: Json) -> bytes:
        session = self._session(text_in(params, "sessionId"))
        settings = self._settings(session.opened.cwd)
        if settings is None or not settings.enabled:
            return line
        self._name(session, settings)
        blocks = list_in(params, "prompt")
        words = typed_words(blocks)
        if session.is_recorded:
            self._turns[request] = session
            opened = session.opened
            by, images = self._driven_by, attachments(blocks)
            self._tell(
                Prompted(session.name, opened.session, opened.cwd, self._agent, by, words, images, self._clock())
            )
        block = self._memory(session, words) if words and not is_command(words) else ""
        return with_memory(line, block) if block else line

    def _session(self, session_id: str) -> _Session:
        """The session of a prompt; one that was opened before we were there is taken as one that goes on."""
        if session_id not in self._sessions:
            self._sessions[session_id] = _Session(Opened(session_id, os.getcwd(), PROMPT))
        return self._sessions[session_id]

    def _name(self, session: _Session, settings: Settings) -> None:
        """Give a session the name under which it is remembered. What is kept out is never written down."""
        if session.name:
            return
        opened, folder = session.opened, self._home.acp
        session.is_recorded = not is_excluded(opened.cwd, settings.exclude)
        if not session.is_recorded:
            session.name = f"{opened.session}@{os.getpid()}"
        elif opened.method in (NEW, FORK):
            session.name = claim_name(folder, opened.session)
        else:
            session.name = last_name(folder, opened.session)

    def _memory(self, session: _Session, words: str) -> str:
        """What this prompt gets: with the first one of a session also what a session gets at its start."""
        opened = session.opened
        session.prompts += 1
        call = HookCall(
            HOST,
            session=session.name,
            cwd=opened.cwd,
            typed=not self._driven_by,
            # One of many clients may send the same words twice in a minute, and means it.
            turn_id=f"{os.getpid()}.{session.prompts}",
            has_tools=bool(self._server),
        )
        texts = []
        if not session.is_started:
            source = "startup" if opened.method in (NEW, FORK) else "resume"
            start = self._answer(call._replace(event=SESSION_START, source=source))
            session.is_started = start.outcome not in NOT_YET
            texts.append(start.text)
        texts.append(self._answer(call._replace(event=PROMPT_HOOK, prompt=words)).text)
        return "\n\n".join(filter(None, texts))

    def _settings(self, cwd: str) -> Settings | None:
        """The settings that hold in a folder; None when they cannot be read, and nothing is done then."""
        tree = working_tree(cwd, home=self._environ.get("HOME"))
        try:
            return load_settings(self._environ, self._home, working_tree=tree, is_hook=True)
        except RecollectError:
            return None

    # -- from the agent to the client

    def to_client(self, line: bytes) -> None:
        """Note what a line says, before the client has it: the line itself always passes as it came."""
        if self._turns:
            self._tell(Heard(line, self._clock()))
        if not (self._asked or self._turns) or not (b'"result"' in line or b'"error"' in line):
            return
        message = parsed(line)
        request = message.get("id")
        if "method" in message or not isinstance(request, str | int):
            return
        turn = self._turns.pop(request, None)
        if turn is not None:
            self._tell(Answered(turn.name, self._clock()))
        asked = self._asked.pop(request, None)
        if asked is not None and "result" in message:
            self._granted(asked, dict_in(message, "result"))

    def _granted(self, asked: Opened, result: Json) -> None:
        if asked.method == INITIALIZE:
            info = dict_in(result, "agentInfo")
            self._agent = f"{text_in(info, 'title') or text_in(info, 'name')} {text_in(info, 'version')}".strip()
        elif asked.method == CLOSE:
            session = self._sessions.pop(asked.session, None)
            if session is not None and session.is_recorded:
                self._tell(Closed(session.name, self._clock()))
        elif session_id := asked.session or text_in(result, "sessionId"):
            self._sessions[session_id] = _Session(asked._replace(session=session_id))
