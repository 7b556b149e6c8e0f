"""What an agent wants to do, what a person is asked about it, and what waits for a person."""

from __future__ import annotations

from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

    Answer = Literal["once", "session", "location", "reject", "nobody"]
    Decision = Literal["deny", "allow", "ask"]
    Reach = Literal["session", "location"]

MEMORY = "memory"  # the kind of tool that changes memory; a host of ours has others
COMPARISON = "weekly comparison"  # who wants what Recollect itself proposes to retire
ANSWERS = ("once", "session", "location", "reject", "nobody")


class Question(Record):
    """What a person is asked before an agent may do something: change memory, or use another kind of tool."""

    action: str  # store | update | remove | vote
    what: str  # the fact, or what the entry says
    why: str  # why it is not done without asking
    scope: str = ""
    layer: str = ""
    citations: tuple[str, ...] = ()
    reason: str = ""
    direction: str = ""  # of a vote
    replaces: tuple[str, ...] = ()  # what the entries say that it would take the place of
    client: str = ""  # which agent asks
    repository: str = ""
    kind: str = MEMORY
    call_id: str = ""  # the tool call that waits for the answer, in a session of our own

    @property
    def text(self) -> str:
        """The question in words, for a prompt that has nothing but text."""
        who = self.client or "An agent"
        verb = {"store": "remember", "update": "change a memory to", "remove": "forget", "vote": "vote on"}
        lines = [f"{who} wants to {verb.get(self.action, self.action)}: {self.what}"]
        if self.direction:
            lines.append(f"Vote: {self.direction}")
        lines += [f"In place of: {old}" for old in self.replaces]
        if self.reason:
            lines.append(f"Reason: {self.reason}")
        if self.citations:
            lines.append(f"Citations: {', '.join(self.citations)}")
        if self.scope:
            place = f" ({self.repository})" if self.scope == "repository" and self.repository else ""
            lines.append(f"Scope: {self.scope}{place}{', profile' if self.layer == 'L0' else ''}")
        lines.append(f"Asked because {self.why}")
        # One line each, of what can be seen: no text of the agent can look like a line of ours.
        return "\n".join("".join(filter(str.isprintable, " ".join(line.split()))) for line in lines)


class Rules(Record):
    """What is allowed and denied without asking, as tool names or kinds."""

    deny: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    allow_all: bool = False


class Approval(Record):
    """What a person allowed for longer than once."""

    approval_id: str
    kind: str
    reach: Reach
    place: str  # a session's id, or a repository's identity
    created: float


class Staged(Record):
    """What an agent wanted to change and may not change alone. `payload` says exactly what would be done."""

    staged_id: str
    action: str  # store | update | remove | vote | write | task
    target_id: str
    payload: dict[str, Any]
    what: str
    why: str
    client: str = ""
    session: str = ""
    repository: str = ""
    created: float = 0.0
    expires: float = 0.0
    status: str = "waiting"  # waiting | accepted | rejected | expired | replaced
