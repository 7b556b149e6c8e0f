"""Sidekicks of other hosts: the worker runs them for the last message; what they find is told with the next prompt."""

from __future__ import annotations

from recollect.flows.sidekicks.run import Message, SidekickRun, run_sidekick, starting
from recollect.flows.turns.waiting_receipts import last_turn
from recollect.model.turns import Recipient

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from recollect.flows.opened import Opened


def look(payload: Mapping[str, Any], memory: Opened) -> list[SidekickRun]:
    """Run every sidekick that starts here, one after the other, until a newer message comes."""
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
        done.append(run_sidekick(agent, message, memory, cancelled=superseded))
    return done
