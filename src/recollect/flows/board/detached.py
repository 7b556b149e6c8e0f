"""rem as a process of its own: `recollect chat --agent rem-agent --yolo --silent`, linked to the session that ended."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from recollect.errors import NotFound
from recollect.files.detached_process import start_detached
from recollect.files.logs.worker_log import log
from recollect.flows.board.after_session import COUNTED, DETACHED_CHILD, ENGAGEMENT, PARENT
from recollect.flows.board.rem import AGENT_NAME, Consolidated, Rem
from recollect.model.jobs import REM
from recollect.prompts import render

if TYPE_CHECKING:
    from recollect.flows.opened import Opened


def command() -> list[str]:
    """The words of the command, with the fixed prompt."""
    return ["chat", "--agent", AGENT_NAME, "--yolo", "--silent", "-p", render("board/rem_detached")]


def spawn_rem(session_id: str, memory: Opened) -> None:
    """Start it and go on. Raises what the system raises when it cannot be started; the worker does it then."""
    variables = {PARENT: session_id, ENGAGEMENT: memory.environ.get(ENGAGEMENT) or session_id}
    start_detached(sys.executable, command(), memory.home, folder=memory.folder, variables=variables)


def consolidate_parent(memory: Opened) -> Consolidated:
    """What the child does: consolidate the session that it is linked to, then go. It starts no other rem."""
    parent = memory.environ.get(PARENT, "")
    if not parent:
        raise NotFound(f"{AGENT_NAME} consolidates a session that ended; {PARENT} names it.")
    done = Rem(memory).consolidate(memory.store.sessions.get(parent))
    if done.why:
        log(memory.home, "rem refused", now=memory.now, session=parent, why=done.why)  # nobody sees what it prints
    with memory.store.write(durable=False):
        memory.store.jobs.drop([REM], parent)
        memory.store.count(COUNTED + DETACHED_CHILD)
    return done
