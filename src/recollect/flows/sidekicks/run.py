"""Run sidekicks for one message: which start -> look, by a model or by words -> send, unless a newer message came."""

from __future__ import annotations

import json
import time

from recollect.errors import ProviderError, RecollectError
from recollect.flows.board.board import ContextBoard
from recollect.flows.sidekicks.definitions import agents_here, is_flag_on, system_prompt
from recollect.flows.sidekicks.inbox import Inbox
from recollect.flows.sidekicks.retrieval import BY_RULES
from recollect.flows.sidekicks.tools import SidekickTools
from recollect.flows.writes.start_texts import known
from recollect.model.record import Record
from recollect.prompts import render
from recollect.sidekicks.definitions import MEMORY_OR_PROMPT
from recollect.sidekicks.launching import Situation, launched
from recollect.text.clean import clean
from recollect.text.fences import neutralise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from recollect.flows.opened import Opened
    from recollect.flows.sidekicks.tools import GitHub
    from recollect.model.turns import Recipient
    from recollect.sidekicks.definitions import AgentDefinition

PURPOSE = "sidekick"
MOST_STEPS = 6
OUTPUT_TOKENS = 2_048
LONGEST_MESSAGE = 4_000
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "calls": {
            "type": "array",
            "maxItems": 8,
            "items": {
                "type": "object",
                "properties": {"tool": {"type": "string"}, "arguments": {"type": "object"}},
                "required": ["tool"],
            },
        }
    },
    "required": ["calls"],
}


class SidekickRun(Record):
    """What came of one sidekick."""

    agent: str
    sent: tuple[str, ...] = ()  # ids of inbox entries
    why: str = ""  # why it ended early


class Message(Record):
    """A user message that sidekicks look at."""

    text: str
    to: Recipient
    turn: int = 0


def starting(memory: Opened) -> list[AgentDefinition]:
    """The sidekicks that a message starts here and now; none while memory or the feature is off."""
    settings = memory.settings
    if not (settings.enabled and settings.subconscious.enabled):
        return []
    agents = agents_here(memory)
    counted = (
        sum(memory.store.entries.counts().values()) if any(one.launch == MEMORY_OR_PROMPT for one in agents) else 0
    )
    said = known(memory)
    counted += sum(said.counts.values())
    now = Situation(memory.store.board.count(ContextBoard(memory).place), counted, said.text)
    most = settings.subconscious.max_sidekicks
    return launched(agents, now, is_on=lambda flag: is_flag_on(flag, memory), most=most)


def run_sidekick(
    agent: AgentDefinition,
    message: Message,
    memory: Opened,
    *,
    cancelled: Callable[[], bool] = bool,
    github: GitHub | None = None,
) -> SidekickRun:
    """Let one sidekick look at a message. Never raises RecollectError; nothing is sent once it is cancelled or late."""
    limits = memory.settings.subconscious
    ends = time.monotonic() + limits.limit_seconds
    inbox = Inbox(memory, host=message.to.host, session=message.to.session)
    most = min(agent.max_sends, limits.max_sends)

    def stop() -> bool:
        return cancelled() or time.monotonic() > ends

    tools = SidekickTools(agent, memory, inbox, turn=message.turn, max_sends=most, github=github, cancelled=stop)

    try:
        if memory.models.is_there(agent.model):
            why = _by_model(agent, message, memory, tools, stop)
        else:
            why = _by_words(agent, message, memory, tools, inbox, stop)
    except RecollectError as error:
        why = str(error)
    return SidekickRun(agent.name, tuple(tools.sent), why)


def _by_words(
    agent: AgentDefinition,
    message: Message,
    memory: Opened,
    tools: SidekickTools,
    inbox: Inbox,
    stop: Callable[[], bool],
) -> str:
    retrieve = BY_RULES.get(agent.name)
    if retrieve is None:
        return "it needs a model"
    sent = frozenset(name for one in inbox.list() for name in one.about)
    found = retrieve(message.text, memory, message.to, sent)
    if found is None:
        return ""
    if stop():
        return "superseded"
    tools.send(found.summary, found.content, about=found.about)
    return ""


def _by_model(
    agent: AgentDefinition, message: Message, memory: Opened, tools: SidekickTools, stop: Callable[[], bool]
) -> str:
    """A few questions, each answered with tool calls; the tools' answers go into the next one."""
    models, left = memory.models, memory.settings.subconscious.max_tokens
    system, answers = system_prompt(agent, memory), ""
    board = ContextBoard(memory).table() if "context_board" in agent.tools else ""
    asked = _question(message, board, answers, tools)
    expected = models.expected_tokens(asked, SCHEMA, system=system)
    begun = models.begin(f"{PURPOSE} {agent.name}", expected_tokens=expected, role=agent.model)
    for _ in range(MOST_STEPS):
        if stop():
            return "superseded"
        if models.expected_tokens(asked, SCHEMA, system=system) > left:
            return "its tokens are used up"
        reply = begun.ask(asked, SCHEMA, agent.model, system=system, max_output_tokens=OUTPUT_TOKENS, cancelled=stop)
        left -= reply.usage.input_tokens + reply.usage.output_tokens
        if not reply.value["calls"]:
            return ""
        for call in reply.value["calls"]:
            if stop():
                return "superseded"
            answer = tools.call(call["tool"], call.get("arguments") or {})
            said = json.dumps({"tool": call["tool"], "arguments": call.get("arguments") or {}}, ensure_ascii=False)
            answers += f"## {neutralise(said[:500])}\n{'failed: ' if answer.failed else ''}{answer.text}\n\n"
        asked = _question(message, board, answers, tools)
    raise ProviderError(f"{agent.name} did not finish after {MOST_STEPS} steps.")


def _question(message: Message, board: str, answers: str, tools: SidekickTools) -> str:
    text = neutralise(clean(message.text[:LONGEST_MESSAGE]))
    return render(
        "sidekicks/step", message=text, board=board or "none", answers=answers or "nothing yet", tools=tools.described
    )
