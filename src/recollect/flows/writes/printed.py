"""What tools printed in the sessions that are going on, read from the hosts' own logs while those are written."""

from __future__ import annotations

import os
import sys

from recollect.errors import Ambiguous, NotFound, OutsideRoot
from recollect.files.trees import read_cited, relative
from recollect.flows.sessions.import_sessions import holds_several
from recollect.hosts.reading import unclipped
from recollect.hosts.table import events_of, kinds, reader
from recollect.model.hosts import NAMES
from recollect.model.sessions import Called, Returned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recollect.flows.opened import Opened
    from recollect.store.store import Store

NEAR_SECONDS = 12 * 3_600.0  # a log that was written to this long ago at most may be the session's
MOST_BYTES = 200_000_000  # of logs, the newest first
LARGE_BYTES = 64_000_000  # a database beyond this is asked for the sessions that hooks saw last, and no others
MOST_SESSIONS = 100  # that were imported last
MOST_FILES = 500  # that tools read


def printed_lately(memory: Opened, sessions: Sequence[str]) -> Iterator[str]:
    """What tools printed, and the files of the repository that they read, in every session that was going on in the
    last hours. Every one: which session an agent writes from is what the agent says."""
    left = MOST_BYTES
    for host, path, size in _live_logs(memory):
        large = holds_several(path) and size > LARGE_BYTES
        left -= 0 if large else size
        if left < 0:
            return
        for name in sessions if large else [""]:
            with unclipped():
                yield from _printed(host, path, name, memory.root)


def printed_in(store: Store, sessions: Sequence[str]) -> Iterator[str]:
    """What tools printed in sessions that were imported; their logs may be gone."""
    for name in sessions:
        try:
            session = store.sessions.get(name)
        except (NotFound, Ambiguous):
            continue
        for turn in store.sessions.turns(session.session_id):
            yield from (tool.output for tool in turn.tools if tool.output)


def _live_logs(memory: Opened) -> list[tuple[str, str, int]]:
    """Host, path and size of each log that was written to in the last hours, newest first."""
    environ = {**memory.environ, "RECOLLECT_HOME": memory.home.root}
    found: dict[str, tuple[float, str, int]] = {}
    for host in NAMES:
        reads = reader(host)
        for path in reads.find(reads.places(environ, sys.platform)):
            changed, size = _state(path)
            if changed >= memory.now - NEAR_SECONDS:
                found.setdefault(path, (changed, host, size))
    # Where logs were before, whatever the variables of this process say now.
    for session, _ in memory.store.sessions.listed(limit=MOST_SESSIONS):
        changed, size = _state(session.path) if session.host in NAMES and session.path else (0.0, 0)
        if changed >= memory.now - NEAR_SECONDS:
            found.setdefault(session.path, (changed, session.host, size))
    newest = sorted(found.items(), key=lambda one: one[1][0], reverse=True)
    return [(host, path, size) for path, (_, host, size) in newest]


def _state(path: str) -> tuple[float, int]:
    """When it was last written to, and its size; a database counts with its write-ahead log."""
    changed, size = 0.0, 0
    for one in (path, path + "-wal"):
        try:
            state = os.stat(one)
        except OSError:
            continue
        changed, size = max(changed, state.st_mtime), size + state.st_size
    return changed, size


def _printed(host: str, path: str, session: str, root: str) -> Iterator[str]:
    kind_of = kinds(host)
    read: set[str] = set()
    for event in events_of(host, path, session):
        if isinstance(event, Returned):
            if event.output:
                yield event.output
        elif isinstance(event, Called) and root and len(read) < MOST_FILES:
            kind, target = kind_of(event.name, event.arguments)
            # Some logs say what was read, and not what it said.
            if kind == "read" and target not in read:
                read.add(target)
                yield _text_of(target, root)


def _text_of(path: str, root: str) -> str:
    """The text of a file of the repository; empty for any other."""
    try:
        return read_cited(root, relative(root, path, root)) or ""
    except OutsideRoot:
        return ""
