"""Leave a message for the sidekicks of a host's session: a line in the spool, for the worker. No turn waits for it."""

from __future__ import annotations

import os

from recollect.files.agents_folders import IN_HOME, IN_REPOSITORY
from recollect.flows.board.board import place_of
from recollect.flows.hooks.enqueue import enqueue
from recollect.flows.hooks.note_session_end import worker_is_there
from recollect.memory.queries import own_words
from recollect.model.jobs import SIDEKICKS
from recollect.text.secrets.redacting import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.flows.opened import Opened
    from recollect.model.hooks import HookCall

LONGEST = 4_000


def leave_message(call: HookCall, memory: Opened) -> bool:
    """Leave what was typed, when a sidekick may look at it; True when a worker has to be started for it."""
    if not (call.typed and call.has_tools and call.session and call.prompt.strip() and may_start(memory)):
        return False
    payload = {
        "host": call.host,
        "session": call.session,
        "cwd": call.cwd,
        "message": redact(own_words(call.prompt))[:LONGEST],
        "at": memory.now,
    }
    key = f"{call.host}:{call.session}"
    kept = enqueue(SIDEKICKS, key, payload, store=None, spool_folder=memory.home.spool, wait_seconds=0, now=memory.now)
    return kept and not worker_is_there(memory.store, now=memory.now)


def may_start(memory: Opened) -> bool:
    """Could a sidekick start? A quick look; the worker looks closer."""
    settings = memory.settings
    if not (settings.enabled and settings.subconscious.enabled):
        return False
    folders = (os.path.join(memory.home.root, IN_HOME), os.path.join(memory.root, IN_REPOSITORY))
    return (
        memory.store.board.count(place_of(memory)) > 0
        or settings.subconscious.github_context
        or any(map(os.path.isdir, folders))
    )
