"""The checkpoints of every session, found in one place: those of our own and the summaries of hosts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.sessions.checkpoints import first_said, title_of
from recollect.sessions.events import seconds
from recollect.store.checkpoints import OWN, StoredCheckpoint

if TYPE_CHECKING:
    from recollect.flows.opened import Opened
    from recollect.flows.sessions.kept_log import KeepCheckpoints
    from recollect.model.messages import Json
    from recollect.sessions.checkpoints import Checkpoint

LONGEST_TITLE = 80


def keeping(memory: Opened) -> KeepCheckpoints:
    """What notes the checkpoints of our own sessions in the database of a home."""

    def keep(session_id: str, about: Json, checkpoints: tuple[Checkpoint, ...], in_effect: tuple[int, ...]) -> None:
        repository = memory.store.repositories.canonical(str(about.get("repository") or ""))
        rows = [
            StoredCheckpoint(
                session_id,
                one.number,
                OWN,
                repository,
                one.title,
                one.summary,
                seconds(one.created),
                one.tokens_before,
                one.tokens_after,
                int(one.number in in_effect),
            )
            for one in checkpoints
        ]
        with memory.store.write(durable=False):
            memory.store.checkpoints.replace(session_id, rows)

    return keep


def latest_checkpoints(memory: Opened, *, everywhere: bool = False, limit: int = 1) -> list[StoredCheckpoint]:
    """The newest checkpoints that are in effect, of this repository or of all."""
    here = None if everywhere or not memory.repository.repository else memory.repository.repository
    return [_titled(one) for one in memory.store.checkpoints.newest(repository=here, limit=limit)]


def _titled(one: StoredCheckpoint) -> StoredCheckpoint:
    """With a title: a host gives none, and its summary's first line has to do."""
    if one.title:
        return one
    return one._replace(title=title_of(one.summary, otherwise=first_said(one.summary))[:LONGEST_TITLE])
