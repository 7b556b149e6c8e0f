"""Threads of Codex: who began one, and which lines of its file are another's."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from recollect.hosts.reading import dict_of, parse_time, str_of
from recollect.model.sessions import Began

if TYPE_CHECKING:
    from recollect.hosts.reading import Json

_ID = re.compile(r"([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})(?:_[0-9a-f-]+)?\.jsonl")
_COPY_SECONDS = 2.0


def began_from(meta: Json, host: str, path: str, at: float) -> Began:
    """The head of a thread; without one, what the file's name tells."""
    git = dict_of(meta.get("git"))
    named = _ID.search(os.path.basename(path))
    native_id = str_of(meta.get("id")) or (named[1] if named else os.path.basename(path).partition(".")[0])
    agent = _agent(meta)
    return Began(
        host=host,
        native_id=native_id,
        at=parse_time(meta.get("timestamp")) or at,
        cwd=str_of(meta.get("cwd")),
        branch=str_of(git.get("branch")),
        remote=str_of(git.get("repository_url")),
        version=str_of(meta.get("cli_version")),
        parent=_parent(meta, native_id),
        agent=agent,
    )


def _spawned(meta: Json) -> Json:
    subagent = dict_of(meta.get("source")).get("subagent")
    return dict_of(dict_of(subagent).get("thread_spawn")) if isinstance(subagent, dict) else {}


def _agent(meta: Json) -> str:
    source = dict_of(meta.get("source"))
    if "subagent" not in source and meta.get("thread_source") != "subagent":
        return ""
    subagent = source.get("subagent")
    names = (
        meta.get("agent_nickname"),
        _spawned(meta).get("agent_nickname"),
        meta.get("agent_role"),
        _spawned(meta).get("agent_role"),
        subagent,
        dict_of(subagent).get("other"),
    )
    return next((name for name in names if isinstance(name, str) and name), "subagent")


def _parent(meta: Json, native_id: str) -> str:
    base = dict_of(meta.get("history_base")).get("thread_id")
    parents = (meta.get("parent_thread_id"), _spawned(meta).get("parent_thread_id"), meta.get("forked_from_id"), base)
    return next((parent for parent in parents if isinstance(parent, str) and parent and parent != native_id), "")


def turn_of(payload: Json) -> str:
    """The id of the turn that a record opens."""
    return str_of(payload.get("turn_id"))


class Copied:
    """Tells which lines at the beginning of a file are a copy of the parent's, as a fork makes them."""

    def __init__(self, since: float = 0.0, first_ordinal: int = 0) -> None:
        self.since = since
        self.first_ordinal = first_ordinal
        self.is_open = bool(since or first_ordinal)

    @classmethod
    def after(cls, meta: Json, at: float) -> Copied:
        """For the thread with this head; a paginated one refers to its parent's lines and copies none."""
        ordinal = meta.get("subagent_history_start_ordinal")
        if isinstance(ordinal, int):
            return cls(0.0, ordinal)
        is_copy = meta.get("forked_from_id") and not meta.get("history_base")
        return cls((parse_time(meta.get("timestamp")) or at) if is_copy else 0.0)

    def covers(self, record: Json, payload: Json, at: float) -> bool:
        """Whether this line is the parent's. Once a line is the thread's own, so are all that follow."""
        if self.first_ordinal:
            ordinal = record.get("ordinal")
            return isinstance(ordinal, int) and ordinal < self.first_ordinal
        opened = _opened(record, payload)
        is_own = opened >= self.since - 1 if opened else at > self.since + _COPY_SECONDS
        self.is_open = not is_own
        return not is_own


def _opened(record: Json, payload: Json) -> float:
    """When the turn began that a record opens; 0 when it opens none or does not say."""
    if record.get("type") != "turn_context" and payload.get("type") not in ("task_started", "turn_started"):
        return 0.0
    turn = turn_of(payload).replace("-", "")
    try:
        by_id = int(turn[:12], 16) / 1000 if len(turn) == 32 and turn[12] == "7" else 0.0
    except ValueError:
        by_id = 0.0
    return by_id or parse_time(payload.get("started_at"))
