"""The agent of `recollect chat` and `recollect acp`, without a terminal: one session, one turn at a time.

    user's words -> keep what was said for good -> recall -> record -> ask the model -> tools, each permitted -> again,
    until the model has nothing left to do

What happens is told as values (`happenings`). Everything that was told of is in the session's log: a process that dies
loses nothing that was acknowledged. Rooms that come later add tools to `tools`, and listeners to `listeners`.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from recollect.errors import RecollectError, Refused
from recollect.flows.chat.conversing import Conversing
from recollect.flows.chat.endings import begin_background, mended, note_end
from recollect.flows.chat.happenings import Failed, Queued, WindowUsed, nobody
from recollect.flows.chat.hearing import hear
from recollect.flows.chat.listening import Listener
from recollect.flows.chat.models import (
    OFF,
    ChatModel,
    spec_in_use,
    take_settings,
    use_from_now,
    why_silent,
    window_name,
)
from recollect.flows.chat.permits import HOST, Permits
from recollect.flows.chat.starting import system_message
from recollect.flows.chat.toolbox import Toolbox, Work
from recollect.model.message_sources import COMMAND
from recollect.model.receipts import CLEARED
from recollect.model.record import Record
from recollect.model.turns import PROGRAM, Recipient

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from recollect.context.compaction import CompactionResult
    from recollect.flows.chat.happenings import Tell
    from recollect.flows.chat.toolbox import Tool
    from recollect.flows.opened import Opened
    from recollect.flows.sessions.own_session import OwnSession, Rewound
    from recollect.flows.sessions.own_sessions import OwnSessions
    from recollect.flows.sessions.terminal import Terminal
    from recollect.ports import Ask, Provider
    from recollect.providers.specs import Spec


TAKES = PROGRAM._replace(injects_by_file=True)  # memory where a tool touches a file, too
LONGEST_TITLE = 60


class Options(Record):
    """How an agent is begun."""

    agent: str = ""  # the agent that works, by its name; empty: the main one
    allow_tools: tuple[str, ...] = ()  # names or kinds that nobody is asked about
    deny_tools: tuple[str, ...] = ()  # names or kinds that are not offered at all
    yolo: bool = False  # no questions
    parent: str = ""  # the session that started this one
    detached: bool = False
    instructions: str = ""  # what the agent is, beside what every agent is told


class Outcome(Record):
    """How a turn ended: done, cancelled or failed. `text` is the last answer, `why` what went wrong."""

    status: str
    text: str = ""
    why: str = ""
    remedy: str = ""


class Agent:
    """One conversation with a model that has tools and memory. `start` or `load` comes first, `close` last."""

    def __init__(
        self,
        memory: Opened,
        sessions: OwnSessions,
        *,
        ask: Ask,
        options: Options | None = None,
        tools: Callable[[Agent], Sequence[Tool]] = lambda agent: (),
        provider: Provider | None = None,
        listeners: Sequence[Listener] = (),
    ) -> None:
        self.memory = memory
        self.options = options or Options()
        self.tools = Toolbox()
        self.listeners: list[Listener] = list(listeners)
        self.notices: list[str] = []  # what a person should know at the start
        self._sessions = sessions
        self._ask = ask
        self._more_tools = tools
        self._provider = provider
        self._session: OwnSession | None = None
        self._conversing: Conversing | None = None
        self._permits: Permits | None = None
        self._turn = threading.Lock()
        self._cancelled = threading.Event()
        self._waiting: list[tuple[str, Terminal | None]] = []
        self._guard = threading.Lock()

    # -- a session

    def start(self, *, title: str = "") -> OwnSession:
        """Begin a session: what memory has for its start goes into the system message, which stays as it is."""
        memory, options = self.memory, self.options
        session = self._sessions.create(
            cwd=memory.folder,
            repository=memory.repository.repository,
            branch=memory.repository.branch,
            model=window_name(spec_in_use(memory)),
            title=title,
            parent=options.parent,
            agent=options.agent,
            detached=options.detached,
        )
        self._use(session)
        session.add(system_message(memory, self.to, self._offered(), options.instructions))
        return self._begun()

    def load(self, name: str) -> OwnSession:
        """Take up a session by its id or a unique beginning of it. NotFound for one that is not here."""
        session = self._sessions.resume(name, cwd=self.memory.folder)
        session.use_model(window_name(spec_in_use(self.memory)))
        self._use(session)
        mended(session)
        return self._begun()

    def close(self) -> None:
        """End the session for now; a worker sees to what it leaves behind."""
        if self._session is None:
            return
        self.cancel()
        with self._turn:
            note_end(self._session, self.memory)
        for listener in self.listeners:
            try:
                listener.on_shutdown(self)
            except RecollectError as error:
                self.notices.append(str(error))  # the log is complete: nothing is lost, and the others end too
        self._session = None

    @property
    def session(self) -> OwnSession:
        """The session. Refused before there is one."""
        if self._session is None:
            raise Refused("There is no session yet: start one, or load one.")
        return self._session

    @property
    def permits(self) -> Permits:
        """What the agent may do; `permits.actor` is who writes to memory."""
        if self._permits is None:
            raise Refused("There is no session yet: start one, or load one.")
        return self._permits

    @property
    def to(self) -> Recipient:
        """Whom memory is given to."""
        return Recipient(HOST, self.session.session_id, TAKES)

    # -- a turn

    def prompt(self, text: str, on_event: Tell = nobody, *, typed_at: Terminal | None = None) -> Outcome:
        """One turn. Words count as the user's own where `typed_at` says that a door of ours read them from a person.

        Refused while another turn runs; use `steer` for that."""
        return self._answered(lambda: self._take(text, typed_at, on_event), on_event)

    def instruct(self, text: str, on_event: Tell = nobody) -> Outcome:
        """One turn for what a command of ours says to the model: nobody typed it, so memory and sidekicks leave it
        alone, and it is not counted as a message of the user."""
        return self._answered(lambda: self.session.notify(text, source=COMMAND), on_event)

    def steer(self, text: str, *, typed_at: Terminal | None = None) -> None:
        """A message that was typed during a turn: the model gets it with its next request, or right after."""
        with self._guard:
            self._waiting.append((text, typed_at))

    @property
    def waiting(self) -> tuple[str, ...]:
        """Messages that were typed and not taken up yet."""
        with self._guard:
            return tuple(text for text, _ in self._waiting)

    def next_waiting(self) -> str:
        """The oldest message that waits, which waits no longer; empty without one."""
        with self._guard:
            return self._waiting.pop(0)[0] if self._waiting else ""

    def take_back_waiting(self) -> list[str]:
        """The messages that wait, which are not sent any more: for a turn that was cancelled."""
        with self._guard:
            taken, self._waiting = [text for text, _ in self._waiting], []
        return taken

    @property
    def is_busy(self) -> bool:
        """Does a turn run?"""
        return self._turn.locked()

    def cancel(self) -> None:
        """End the turn that runs, and the tool or the compaction it waits for, at once. What was said is kept."""
        self._cancelled.set()
        if self._conversing is not None:
            self._conversing.cancel()

    # -- the conversation

    def rewind(self, turn: int = 0) -> Rewound:
        """Go back to before a turn; by default the last one. What memory gave since is due again."""
        return self._rewound(lambda: self.session.rewind(turn=turn))

    def take_back(self) -> Rewound:
        """Undo the last turn, rewind or compaction."""
        return self._rewound(self.session.undo)

    def compact(self, instructions: str = "", on_event: Tell = nobody) -> CompactionResult:
        """Compact the conversation now. Raises CompactionRefused, also when it is cancelled."""
        with self._one_turn():
            return self._conversation.compact(instructions, on_event)

    def usage(self) -> WindowUsed:
        """How full the window is."""
        return self._conversation.usage()

    def switch_model(
        self, spec: Spec, *, ask: Callable[[str], bool], on_event: Tell = nobody
    ) -> CompactionResult | None:
        """Another model from the next request on. When its window is too small, `ask` is told what would happen."""
        with self._one_turn():
            result = self._conversation.switch_model(window_name(spec), ask=ask, tell=on_event)
            use_from_now(self.memory, spec)
            return result

    def why_silent(self) -> str:
        """Why nobody would answer, with what to do about it; empty when somebody would."""
        if self._provider is None:
            return why_silent(self.memory)
        return "" if self.memory.settings.enabled else OFF

    # -- inside

    @property
    def _conversation(self) -> Conversing:
        if self._conversing is None:
            raise Refused("There is no session yet: start one, or load one.")
        return self._conversing

    def _use(self, session: OwnSession) -> None:
        self._session = session
        options = self.options
        self._permits = Permits(
            self.memory,
            session,
            self._ask,
            cancelled=self._cancelled.is_set,
            allow_tools=options.allow_tools,
            deny_tools=options.deny_tools,
            yolo=options.yolo,
        )
        self.tools = Toolbox(self._more_tools(self))
        self._conversing = Conversing(
            session,
            self.memory,
            self.to,
            provider=self._provider or ChatModel(self.memory),
            summariser=self._provider or ChatModel(self.memory, "smol"),
            permits=self._permits,
            tools=self._offered,
            work=self._work,
            cancelled=self._cancelled.is_set,
            between_steps=self._tell_listeners,
        )

    def _tell_listeners(self, tell: Tell) -> None:
        for listener in self.listeners:
            listener.between_steps(self, tell)

    def _begun(self) -> OwnSession:
        begin_background(self.memory)
        for listener in self.listeners:
            listener.on_start(self)
        return self.session

    def _offered(self) -> list[Tool]:
        return [tool for tool in self.tools if tool.is_on() and not self.permits.is_denied(tool)]

    def _work(self, call_id: str, tell: Tell) -> Work:
        return Work(self.memory, self.session, self.memory.folder, self._cancelled.is_set, tell, call_id)

    def _rewound(self, rewind: Callable[[], Rewound]) -> Rewound:
        with self._one_turn():
            before = "\n".join(message.text for message in self.session.messages())
            done = rewind()
            self.memory.empty_window(self.to, CLEARED)
            for listener in self.listeners:
                listener.on_rewound(self, before)
            return done

    def _answered(self, take: Callable[[], object], tell: Tell) -> Outcome:
        with self._one_turn():
            take_settings(self.memory)
            if why := self.why_silent():
                tell(Failed(why))
                return Outcome("failed", why=why)
            mended(self.session)  # a turn that broke off may have left a call without its result
            take()
            ended = self._conversation.run(tell, waiting=lambda: self._take_waiting(tell))
            return Outcome(*ended)

    @contextmanager
    def _one_turn(self) -> Iterator[None]:
        if not self._turn.acquire(blocking=False):
            raise Refused("A turn is running; wait for it, or cancel it.")
        try:
            self._cancelled.clear()
            yield
        finally:
            self._turn.release()

    def _take(self, text: str, typed_at: Terminal | None, tell: Tell) -> None:
        hear(text, self.session, self.memory, self.to, typed_at=typed_at, tell=tell)
        if not self.session.about.get("title"):
            self.session.rename(" ".join(text.split())[:LONGEST_TITLE])
        for listener in self.listeners:
            listener.on_user_message(self, text)

    def _take_waiting(self, tell: Tell) -> bool:
        """Take up what was typed meanwhile; was there anything?"""
        with self._guard:
            taken, self._waiting = self._waiting, []
        for text, typed_at in taken:
            tell(Queued(text))
            self._take(text, typed_at, tell)
        return bool(taken)
