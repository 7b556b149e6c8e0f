"""Sidekicks of other hosts: the worker runs them for the last message; what they find is told with the next prompt."""

from __future__ import annotations

from recollect.flows.sidekicks.run import Message, SidekickRun, run_sidekick, starting
from recollect.flows.turns.waiting_receipts import last_turn
from recollect.model.turns import Recipient

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from recollect.flows.opened import Opened
    from recollect.flows.sidekicks.tools import GitHub


def look(
    payload: Mapping[str, Any], memory: Opened, *, github: Callable[[], GitHub | None] = lambda: None
) -> list[SidekickRun]:
    """Run every sidekick that starts here, one after the other, until a newer message comes. `github` starts the user's
    GitHub server, for an agent that may use it."""
    host, session = str(payload.get("host") or ""), str(payload.get("session") or "")
    at = float(payload.get("at") or 0.0)

    def last() -> tuple[int, str, float]:
        return last_turn(session, store=memory.store, spool_folder=memory.home.spool) or (0, "", 0.0)

    def superseded() -> bool:
        return last()[2] > at

    message = Message(str(payload.get("message") or ""), Recipient(host, session), last()[0])
    done = []
    for agent in starting(memory):
        if superseded():
            done.append(SidekickRun(agent.name, why="superseded"))
            continue
        asks = "github" in agent.tools and memory.models.is_there(agent.model)
        done.append(run_sidekick(agent, message, memory, cancelled=superseded, github=github() if asks else None))
    return done
