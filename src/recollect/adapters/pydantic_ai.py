"""A toolset for pydantic-ai: `Agent(..., toolsets=[RecollectToolset(memory)])`.

It brings the tools to recall, store, change and vote, and instructions with the profile, the guidance and what the
prompt recalls. What the model writes is an agent's write: permissions hold, and what is risky is asked or waits.
`history_processor` keeps the conversation inside its window.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Literal

from recollect.adapters.missing import missing
from recollect.context.pydantic_history import history_processor
from recollect.flows.writes.actors import Agent
from recollect.text.rendering import entry_line

try:
    from pydantic_ai import FunctionToolset, RunContext, Tool
except ImportError as error:
    raise missing("pydantic-ai", error) from error

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recollect.app import Recollect
    from recollect.model.drafts import Outcome
    from recollect.ports import Ask

__all__ = ["RecollectToolset", "history_processor"]
NOTHING = "Nothing is remembered about that."
MOST_RUNS = 64


class RecollectToolset(FunctionToolset[Any]):
    """The memory as tools and instructions. One object may serve many runs, threads and event loops.

    `typed` says that the prompts of the agent are a person's own words, so that what the model stores of them applies
    at once; it needs a `session`, the name of the conversation. `ask` is called before a risky write is done.
    """

    def __init__(
        self,
        memory: Recollect,
        *,
        client: str = "",
        session: str = "",
        typed: bool = False,
        ask: Ask | None = None,
        toolset_id: str = "recollect",
    ) -> None:
        self._memory = memory
        self._session = session
        self._typed = typed
        self._agent = memory.writes(Agent(client, session, ask=ask))
        self._given: dict[str, str] = {}
        self._lock = threading.Lock()
        super().__init__(id=toolset_id, instructions=[self._start, self._recall_of])
        described = f"{self.store_memory.__doc__}\n\n{self._agent.store_instructions}"
        self.add_function(self.memory_recall)
        self.add_function(self.memory_write)
        self.add_tool(Tool(self.store_memory, description=described))
        if self._agent.can_vote:
            self.add_function(self.vote_memory)

    def history_processor(
        self, *, window: int = 0, model: str = "", pinned: Sequence[str] = (), instructions: str = ""
    ) -> Callable[[list[Any]], list[Any]]:
        """Keeps an agent's messages inside the window, the one given or the model's, as the settings say."""
        return self._memory.context.history_processor(
            window=window, model=model, pinned=pinned, instructions=instructions
        )

    def close(self) -> None:
        """Let the memory finish what it began."""
        self._agent.close()

    # -- tools

    def memory_recall(self, query: str, k: int = 8) -> str:
        """Look up what is remembered about something: one line per entry, with its id and what its check says.

        Args:
            query: What it is about, in the words the user would use.
            k: At most so many entries.
        """
        found = self._memory.recall(query, k=max(1, min(k, 20)))
        return "\n".join(entry_line(one.entry, one.check) for one in found.entries) or NOTHING

    def memory_write(
        self,
        action: Literal["add", "update", "remove"],
        layer: Literal["L0", "L1"],
        content: str = "",
        target_id: str = "",
        tags: tuple[str, ...] = (),
        project: str = "",
        task: str = "",
    ) -> str:
        """Add, update or remove one memory. Record what the user corrects, prefers or states for good.

        Args:
            action: What to do.
            layer: L0 is the user's profile and small; L1 is everything else.
            content: The new text, for add and update: one declarative sentence.
            target_id: The id of the memory, for update and remove.
            tags: Labels.
            project: The project that it belongs to, by id or title.
            task: The task that it belongs to, by id or title.
        """
        return _told(self._agent.memory_write(action, layer, content, target_id, tags, project=project, task=task))

    def store_memory(
        self,
        subject: str,
        fact: str,
        citations: list[str],
        reason: str,
        scope: Literal["user", "repository"] | None = None,
        project: str = "",
        task: str = "",
    ) -> str:
        """Store one fact for later tasks, with what it rests on.

        Args:
            subject: One or two words.
            fact: A short statement.
            citations: What it rests on: path, path:10-20, path#symbol, or the user's words.
            reason: Why it is worth keeping.
            scope: The repository, where there is one, unless told otherwise.
            project: The project that it belongs to, by id or title.
            task: The task that it belongs to, by id or title.
        """
        return _told(self._agent.store_memory(subject, fact, citations, reason, scope, project=project, task=task))

    def vote_memory(self, fact: str, direction: Literal["upvote", "downvote"], reason: str) -> str:
        """Say that a remembered fact proved right and useful, or wrong or out of date.

        Args:
            fact: The exact text of the memory.
            direction: Useful or wrong.
            reason: What showed it.
        """
        return _told(self._agent.vote_memory(fact, direction, reason))

    # -- instructions

    def _start(self, ctx: RunContext[Any]) -> str:
        """What a session is given at its start: the same text for every request of a run, and one receipt."""
        return self._once(str(ctx.run_id), lambda: self._memory.start_session(self._session, host="pydantic-ai"))

    def _recall_of(self, ctx: RunContext[Any]) -> str:
        """What the prompt of this run recalls: the same text for every request of it, and one receipt."""
        prompt = _words(ctx.prompt)
        if not prompt:
            return ""
        session = self._session if self._typed else ""
        return self._once(
            f"{ctx.run_id} {prompt}",
            # Instructions are those of one run: the next has nothing of it before it.
            lambda: self._memory.inject(prompt, session=session, host="pydantic-ai", stays=False).text,
        )

    def _once(self, key: str, make: Callable[[], str]) -> str:
        """What was made for a key before, or what is made now."""
        with self._lock:
            if key not in self._given:
                while len(self._given) >= MOST_RUNS:
                    self._given.pop(next(iter(self._given)))
                self._given[key] = make()
            return self._given[key]


def _told(outcome: Outcome) -> str:
    return f"{outcome.status}: {outcome.why}" if outcome.why else outcome.status


def _words(prompt: Any) -> str:
    if isinstance(prompt, str) or prompt is None:
        return prompt or ""
    return "\n".join(part for part in prompt if isinstance(part, str))
