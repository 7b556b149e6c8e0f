"""How a session ends and is taken up again: a note for the worker, and results for calls that a crash cut off."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from recollect.context.pairs import pairs
from recollect.errors import RecollectError
from recollect.files import worker_process
from recollect.flows.chat.permits import HOST
from recollect.flows.hooks.note_session_end import waits_for_worker, worker_is_there
from recollect.model.jobs import MEMORIES, SESSION_END
from recollect.model.messages import Message, Text, ToolCall, ToolResult
from recollect.sessions import events

if TYPE_CHECKING:
    from recollect.flows.opened import Opened
    from recollect.flows.sessions.own_session import OwnSession

WAIT_SECONDS = 1.0
LOST = "The program ended before this was done; it is not known whether it took effect. Look before you do it again."


def mended(session: OwnSession) -> int:
    """Give every call that was cut off its result, so that a model can be asked again; returns how many there were."""
    messages = session.messages()
    answered = set(pairs(messages))
    cut = [
        part.call_id
        for number, message in enumerate(messages)
        for at, part in enumerate(message.parts)
        if isinstance(part, ToolCall) and (number, at) not in answered
    ]
    for call_id in cut:
        session.add(Message("tool", (ToolResult(call_id, (Text(LOST),), is_error=True),)))
    return len(cut)


def note_end(session: OwnSession, memory: Opened) -> None:
    """Record the end, and have a worker import and digest the session."""
    session.record(events.shutdown(turns=session.turn))
    if not (memory.settings.enabled and session.turn):
        return
    payload = {
        "host": HOST,
        "session": session.session_id,
        "transcript": session.workspace.log.path,
        "cwd": memory.folder,
        "event": SESSION_END,
    }
    _leave(SESSION_END, f"{HOST}:{session.session_id}", payload, memory)


def begin_background(memory: Opened) -> None:
    """Have a worker look which past sessions are due for the memory of this project, or do what waits."""
    if memory.settings.enabled and memory.settings.memories.enabled:
        _leave(MEMORIES, "", {"cwd": memory.folder}, memory)
    elif memory.settings.enabled and waits_for_worker(memory.store, now=memory.now):
        _start_worker(memory)


def _leave(kind: str, key: str, payload: dict[str, str], memory: Opened) -> None:
    try:
        with memory.store.write(durable=False, wait_seconds=WAIT_SECONDS):
            memory.store.jobs.add(kind, key, payload, now=memory.now)
    except RecollectError:
        return  # the log has everything; the next import takes it in
    if not worker_is_there(memory.store, now=memory.now):
        _start_worker(memory)


def _start_worker(memory: Opened) -> None:
    try:
        worker_process.start_worker(sys.executable, memory.home)
    except (RecollectError, *worker_process.NOT_STARTED):
        return  # what waits is done by the next one
