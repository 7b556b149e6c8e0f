"""What an agent's writes need of an opened memory: citations, rules that a person set, and where facts go."""

from __future__ import annotations

from recollect.flows.turns.keep_receipt import take_in_spool
from recollect.flows.writes.agent_writes import AgentMemory, Means, redacted
from recollect.flows.writes.citing import agents_citations, text_cited
from recollect.flows.writes.permit import WritingAgent
from recollect.flows.writes.strategies import Strategies
from recollect.permissions import rules_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.flows.opened import Opened
    from recollect.flows.writes.write import Writer
    from recollect.model.permissions import Rules
    from recollect.ports import Ask
    from recollect.settings import Settings


def agent_memory(
    memory: Opened,
    *,
    client: str = "",
    session: str = "",
    host: str = "",
    ask: Ask | None = None,
    allow_tools: Sequence[str] = (),
    deny_tools: Sequence[str] = (),
) -> AgentMemory:
    """The memory as an agent may write it."""
    client = redacted(client)  # it chose its name itself

    def writer() -> Writer:
        # What was typed a moment ago tells whether the user said so.
        take_in_spool(memory.store, spool_folder=memory.home.spool)
        return memory.writer(f"agent:{client}" if client else "agent")

    means = Means(
        writer=writer,
        cite=lambda given: agents_citations(given, memory, session=session),
        read=lambda path: text_cited(path, memory),
        new_id=memory.new_id,
        rules=rules_for(memory.settings, allow_tools, deny_tools),
        strategy=Strategies(memory).chosen,
        why_off="" if memory.settings.enabled else "Memory is switched off (enabled = false).",
    )
    return AgentMemory(WritingAgent(memory.repository.repository, client, session, host), means, ask=ask)


def rules_for(settings: Settings, allow_tools: Sequence[str], deny_tools: Sequence[str]) -> Rules:
    """The rules that hold. What widens them counts only where a person sets things: an agent can set variables for the
    commands it runs."""

    def is_persons(name: str) -> bool:
        return not settings.origin(name).startswith("environment variable")

    given = settings.permissions
    return rules_of(
        deny=given.deny,
        allow=given.allow if is_persons("permissions.allow") else (),
        allow_all=given.allow_all and is_persons("permissions.allow_all"),
        allow_tools=allow_tools,
        deny_tools=deny_tools,
    )
