"""Memory that is handed in: for tests, where nothing may depend on a service or a file."""

from __future__ import annotations

from recollect.model.drafts import Outcome
from recollect.ports import PromptMemory
from recollect.strategies.gates import INJECTED
from recollect.text.language.statements import statement_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.model.entries import Scope
    from recollect.ports import NewMemory


class InjectedMemory:
    """Tells its text, and keeps what it is given for as long as it lives."""

    name = INJECTED
    scopes: tuple[Scope, ...] = ("repository", "user")
    why_off = ""

    def __init__(self, text: str, *, can_vote: bool = False) -> None:
        self.stored: list[NewMemory] = []
        self.votes: list[tuple[str, str, str]] = []
        self.closed = False
        self._text = text
        self._can_vote = can_vote

    @property
    def can_vote(self) -> bool:
        """As it was told."""
        return self._can_vote

    def prompt(self) -> PromptMemory:
        """The text."""
        return PromptMemory(self._text, {"injected": 1 if self._text else 0}, "", self._can_vote)

    def store(self, memory: NewMemory) -> Outcome:
        """Keep it in a list."""
        known = {statement_key(one.fact) for one in self.stored}
        if statement_key(memory.fact) in known:
            return Outcome("duplicate", why="It already says that.")
        self.stored.append(memory)
        return Outcome("stored", f"injected-{len(self.stored)}")

    def vote(self, fact: str, direction: str, reason: str) -> Outcome:
        """Keep it in a list, when it may vote."""
        if not self._can_vote:
            return Outcome("refused", why="The injected memory does not support votes.")
        self.votes.append((fact, direction, reason))
        return Outcome("voted")

    def close(self) -> None:
        """Note that somebody came to close it."""
        self.closed = True
