"""What a memory service, or memory that is handed in, says at the start of a session.

A hook has no time to ask a service: it tells what the service said last, to whoever asked it here."""

from __future__ import annotations

import json

from recollect.model.record import Record
from recollect.strategies.gates import INJECTED, SERVICE, choose
from recollect.text.clean import clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.flows.opened import Opened
    from recollect.ports import PromptMemory


class StartText(Record):
    """What was said, with how many memories there are, by scope."""

    text: str = ""
    counts: dict[str, int] = {}  # noqa: RUF012 read only


def told_at_start(memory: Opened) -> str:
    """The text for a session; empty for our own store, and where a service says nothing or cannot be reached."""
    if not memory.is_hook:
        ask_service(memory)
    return known(memory).text


def known(memory: Opened) -> StartText:
    """What the memory in use here is known to say and to hold; nobody is asked. Nothing for our own store."""
    name = _in_use(memory)
    if name == INJECTED:
        return StartText(clean(memory.settings.injected_memory.text))
    return last_said(memory) if name == SERVICE else StartText()


def ask_service(memory: Opened) -> None:
    """Where a service is in use, ask it and keep what it says for hooks; what it cannot say now stays as it was."""
    if _in_use(memory) != SERVICE:
        return
    from recollect.flows.writes.strategies import Strategies

    strategy = Strategies(memory).named(SERVICE)
    if strategy is not None and not strategy.why_off:
        keep_said(strategy.prompt(), memory)


def _in_use(memory: Opened) -> str:
    settings = memory.settings
    if not (settings.enabled and (settings.injected_memory.text or settings.agentic_memory.enabled)):
        return ""
    root = memory.repository.root if memory.repository.repository else ""
    return choose(settings, repository=memory.repository.repository, root=root).name


def keep_said(prompt: PromptMemory, memory: Opened) -> None:
    """Keep it, without secrets, for this repository."""
    said = json.dumps({"text": clean(prompt.text), "counts": dict(prompt.counts)}, ensure_ascii=False)
    if said != memory.store.home_value(_name(memory)):
        with memory.store.write(durable=False):
            memory.store.set_home_value(_name(memory), said)


def last_said(memory: Opened) -> StartText:
    """What the service said last for this repository."""
    kept = memory.store.home_value(_name(memory))
    return StartText(**json.loads(kept)) if kept else StartText()


def _name(memory: Opened) -> str:
    return f"service.said.{memory.repository.repository}"
