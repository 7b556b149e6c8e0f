"""The board, sidekicks and rem of our own chat: tools for the main agent, a listener for its messages and its end."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from recollect.errors import RecollectError
from recollect.flows.board.after_session import PARENT, leave_rem
from recollect.flows.board.board import ContextBoard
from recollect.flows.board.detached import spawn_rem
from recollect.flows.board.rem import AGENT_NAME
from recollect.flows.board.show_board import begin
from recollect.flows.chat.happenings import Notice
from recollect.flows.chat.listening import Listener
from recollect.flows.chat.permits import HOST
from recollect.flows.chat.toolbox import INBOX, TASK, Tool, ToolAnswer, an_object, text
from recollect.flows.sessions.past_sessions import PastSessions
from recollect.flows.sidekicks.inbox import Inbox, inbox_tool
from recollect.flows.sidekicks.manager import SidekickAgents
from recollect.prompts import render
from recollect.sidekicks.inbox import lines_of, notice

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.flows.chat.agent import Agent
    from recollect.flows.chat.happenings import Tell
    from recollect.flows.chat.toolbox import Work
    from recollect.flows.opened import Opened
    from recollect.flows.sessions.own_session import OwnSession
    from recollect.flows.sidekicks.tools import GitHub
    from recollect.model.messages import Json

BACKGROUND = "background"


def is_on(memory: Opened) -> bool:
    """Is the feature switched on?"""
    return memory.settings.enabled and memory.settings.subconscious.enabled


def run_prompt() -> str:
    """What /subconscious run gives to the main agent: it calls task once. The command itself changes nothing."""
    return render("board/subconscious_run")


class Subconscious(Listener):
    """The background of one agent. A turn never waits for it."""

    def __init__(
        self,
        *,
        spawn: Callable[[str, Opened], None] = spawn_rem,
        github: Callable[[Agent], GitHub | None] = lambda agent: None,
    ) -> None:
        self._spawn = spawn
        self._github = github
        self._sidekicks: SidekickAgents | None = None
        self._tasks: list[threading.Thread] = []

    def tools(self, agent: Agent) -> list[Tool]:
        """The tools of the main agent: its inbox, and starting rem. It never has the board itself."""
        if agent.options.agent:
            return []

        def offered() -> bool:
            return is_on(agent.memory)

        return [
            Tool(
                INBOX,
                INBOX,
                "What background agents found for this session. list: ids with one line each; read: one entry.",
                an_object(("command",), command=text(choices=("list", "read")), id=text("of the entry, for read")),
                _inbox,
                is_on=offered,
            ),
            Tool(
                TASK,
                TASK,
                "Start a background agent. rem-agent consolidates what this session taught; it needs no context.",
                an_object(
                    ("agent_type", "mode", "name", "description"),
                    agent_type=text(choices=(AGENT_NAME,)),
                    mode=text(choices=(BACKGROUND,)),
                    name=text(),
                    description=text(),
                ),
                self._task,
                is_on=offered,
            ),
        ]

    def on_start(self, agent: Agent) -> None:
        """A session that is taken up again initialises its board as a new one does: it may be on another branch."""
        if is_on(agent.memory):
            begin(ContextBoard(agent.memory))

    def on_user_message(self, agent: Agent, text: str) -> None:
        """Sidekicks look at what the user said; those of the message before are cancelled."""
        if (sidekicks := self._sidekicks_of(agent)) is not None:
            # Not the number of the turn: after a rewind that comes again, and what was sent then would count.
            sidekicks.on_user_message(text, agent.session.event_count)

    def between_steps(self, agent: Agent, tell: Tell) -> None:
        """What sidekicks found meanwhile is told where the turn goes on anyway; else it comes with the next prompt."""
        if (sidekicks := self._sidekicks_of(agent)) is None:
            return
        inbox = sidekicks.inbox
        fresh = inbox.new()
        if fresh:
            said = "\n".join(message.text for message in agent.session.messages())
            due = [one for one in fresh if one.entry_id not in said]
            if due:
                told = notice(due)
                agent.session.notify(told)
                for line in lines_of(told):
                    tell(Notice(f"Inbox: {line}"))
            inbox.tell(fresh)

    def on_rewound(self, agent: Agent, before: str) -> None:
        """A notice that the conversation lost is due again; one that came back with it is not told twice."""
        if (sidekicks := self._sidekicks_of(agent)) is None:
            return
        sidekicks.cancel()
        now = "\n".join(message.text for message in agent.session.messages())
        sidekicks.inbox.follow(before, now)

    def on_shutdown(self, agent: Agent) -> None:
        """Start rem for the session as a process of its own; nobody waits for it."""
        if self._sidekicks is not None:
            self._sidekicks.cancel()
        memory, session = agent.memory, agent.session
        if not is_on(memory) or agent.options.agent or not session.turn:
            return
        child = agent.options.detached or bool(memory.environ.get(PARENT))
        for session_id in flush(session, memory):
            leave_rem(session_id, memory, child=child, spawn=self._spawn)

    def wait(self, seconds: float) -> None:
        """Let what runs in the background finish, at most so long."""
        for thread in self._tasks:
            thread.join(seconds)
        if self._sidekicks is not None:
            self._sidekicks.wait(seconds)

    def _sidekicks_of(self, agent: Agent) -> SidekickAgents | None:
        """The sidekicks of an agent, from when the feature is on: it may be switched on while a chat is open."""
        if self._sidekicks is None and is_on(agent.memory) and not agent.options.agent:
            self._sidekicks = SidekickAgents(agent.memory, agent.session.session_id, github=self._github(agent))
        return self._sidekicks

    def _task(self, arguments: Json, work: Work) -> ToolAnswer:
        if any(thread.is_alive() for thread in self._tasks):
            return ToolAnswer(f"{arguments['agent_type']} is already working in the background.", failed=True)
        thread = threading.Thread(target=consolidate_now, args=(work.session, work.memory, work.tell), daemon=True)
        self._tasks.append(thread)
        thread.start()
        return ToolAnswer(f"{arguments['agent_type']} works in the background as {arguments['name']!r:.60}.")


def consolidate_now(session: OwnSession, memory: Opened, tell: Tell) -> None:
    """Let rem consolidate a session that goes on, and say what came of it."""
    from recollect.flows.board.rem import Rem

    try:
        for session_id in flush(session, memory):
            tell(Notice(Rem(memory).consolidate(memory.store.sessions.get(session_id)).sentence))
    except RecollectError as error:
        tell(Notice(f"The board is as it was: {error}"))
    finally:
        if threading.current_thread() is not threading.main_thread():
            memory.close()  # this thread's connection


def flush(session: OwnSession, memory: Opened) -> list[str]:
    """Take in what the log of a session holds; returns its ids in the store."""
    past, path = PastSessions(memory), session.workspace.log.path
    past.import_logs(past.logs_of(HOST, session.session_id, path), native_id=session.session_id)
    return [one.session_id for one in memory.store.sessions.of_log(path, HOST, session.session_id) if not one.agent]


def _inbox(arguments: Json, work: Work) -> ToolAnswer:
    answer = inbox_tool(Inbox(work.memory, host=HOST, session=work.session.session_id), arguments)
    return ToolAnswer(answer.text, failed=answer.failed)
