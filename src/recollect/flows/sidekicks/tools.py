"""The tools of sidekicks: each answers in bounded, harmless text, and none changes anything but the inbox."""

from __future__ import annotations

from recollect.errors import RecollectError
from recollect.files.git.history import commits
from recollect.files.searching import search_files
from recollect.files.trees import read_cited
from recollect.flows.board.board import ContextBoard
from recollect.flows.board.tool import ToolAnswer, context_board
from recollect.model.record import Record
from recollect.text.clean import clean
from recollect.text.fences import neutralise
from recollect.text.terms import query_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from recollect.flows.opened import Opened
    from recollect.flows.sidekicks.inbox import Inbox
    from recollect.sidekicks.definitions import AgentDefinition

LONGEST_ANSWER = 6_000
MOST_COMMITS = 10
NO_GITHUB = "No GitHub MCP server is connected here."
SAID = {
    "context_board": 'context_board {"command": "get_board"} or {"command": "get", "src", "name"}: the context board',
    "send_inbox": 'send_inbox {"summary", "content"}: send one entry to the main agent\'s inbox',
    "search": 'search {"text"}: lines of this repository that hold a text',
    "read": 'read {"path"}: a file of this repository',
    "git_history": 'git_history {"text"}: commits about something',
    "session_store_sql": (
        'session_store_sql {"sql"}: one SELECT from sessions (session_id, host, branch, title, started, ended), turns '
        "(session_id, number, user_text, assistant_text, tools, at) and checkpoints (session_id, number, title, "
        "summary)"
    ),
    "github": 'github {"tool", "arguments"}: a read-only tool of the user\'s GitHub MCP server',
}


class GitHub(Record):
    """The user's GitHub MCP server: the names of its tools that change nothing, and how to use one of them."""

    names: tuple[str, ...]
    call: Callable[[str, Mapping[str, object], Callable[[], bool]], str]


class SidekickTools:
    """What one sidekick may do in one turn."""

    def __init__(
        self,
        agent: AgentDefinition,
        memory: Opened,
        inbox: Inbox,
        *,
        turn: int,
        max_sends: int,
        github: GitHub | None = None,
        cancelled: Callable[[], bool] = bool,
    ) -> None:
        self._agent = agent
        self._memory = memory
        self._inbox = inbox
        self._turn = turn
        self._max_sends = max_sends
        self._github = github
        self._cancelled = cancelled
        self.sent: list[str] = []  # ids of what was sent

    @property
    def described(self) -> str:
        """What a model is told of its tools."""
        lines = [f"- {SAID[name]}" for name in self._agent.tools if name != "github"]
        if self._github is not None and "github" in self._agent.tools:
            lines.append(f"- {SAID['github']}: {', '.join(self._github.names)}")
        return "\n".join(lines)

    def call(self, name: str, arguments: Mapping[str, object]) -> ToolAnswer:
        """Use a tool. What an agent was not given, it cannot use."""
        if name not in self._agent.tools:
            return ToolAnswer(f"{self._agent.name} has no tool {name[:40]!r}.", failed=True)
        try:
            answer = self._answer(name, arguments)
        except RecollectError as error:
            answer = ToolAnswer(str(error), failed=True)
        text = answer.text if len(answer.text) <= LONGEST_ANSWER else answer.text[:LONGEST_ANSWER] + "…"
        return answer._replace(text=text)

    def _answer(self, name: str, arguments: Mapping[str, object]) -> ToolAnswer:
        given = {key: str(value) for key, value in arguments.items() if isinstance(value, str)}
        memory = self._memory
        match name:
            case "context_board":
                return context_board(ContextBoard(memory), arguments, writes=False)
            case "send_inbox":
                return self.send(given.get("summary", ""), given.get("content", ""))
            case "search":
                found = search_files(memory.root, given["text"]) if given.get("text") else []
                return _shown("\n".join(found) or "Nothing in this repository contains that.")
            case "read":
                content = read_cited(memory.root, given.get("path", ""))
                return _shown(content) if content else ToolAnswer("There is no such text file here.", failed=True)
            case "git_history":
                return _shown("\n".join(history_about(given.get("text", ""), memory)) or "No commit matches that.")
            case "session_store_sql":
                return _shown(self._sql(given.get("sql", "")))
            case _:
                return self._ask_github(given.get("tool", ""), arguments.get("arguments"))

    def send(self, summary: str, content: str, *, about: tuple[str, ...] = ()) -> ToolAnswer:
        """Send one entry to the inbox, as often in a turn as this agent may."""
        sent = self._inbox.send(self._agent.name, summary, content, turn=self._turn, most=self._max_sends, about=about)
        self.sent.append(sent.entry_id)
        return ToolAnswer(f"Sent {sent.entry_id}.")

    def _ask_github(self, tool: str, arguments: object) -> ToolAnswer:
        if self._github is None:
            return ToolAnswer(NO_GITHUB, failed=True)
        if tool not in self._github.names:
            return ToolAnswer(
                f"Nobody is asked here, so only these may be used: {', '.join(self._github.names)}.", failed=True
            )
        given = dict(arguments) if isinstance(arguments, dict) else {}
        return _shown(self._github.call(tool, given, self._cancelled))

    def _sql(self, statement: str) -> str:
        here = self._memory.repository
        found = self._memory.store.ask_sessions(statement, [here.repository, *here.aliases])
        lines = [" | ".join(found.columns), *(" | ".join(map(str, row)) for row in found.rows)]
        return "\n".join([*lines, *(["There are more rows."] if found.more else [])])


def history_about(text: str, memory: Opened, *, least: int = 1) -> list[str]:
    """Commits that share words with a text, the most first."""
    wanted, directory = set(query_terms(text)), memory.repository.common_directory
    if not wanted or not directory:
        return []
    scored = []
    for one in commits(directory, most=300):
        shared = len(wanted & set(query_terms(f"{one.subject} {one.body[:500]}")))
        if shared >= least:
            scored.append((-shared, -one.at, f"{one.name[:10]} {one.subject}"))
    return [line for _, _, line in sorted(scored)[:MOST_COMMITS]]


def _shown(text: str) -> ToolAnswer:
    return ToolAnswer(neutralise(clean(text)))
