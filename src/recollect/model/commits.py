"""Commits, as far as they tell how work is done in a repository."""

from __future__ import annotations

from recollect.model.record import Record


class Commit(Record):
    """One commit."""

    author: str
    subject: str
    paths: tuple[str, ...] = ()  # files changed
