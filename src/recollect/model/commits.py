"""Commits, as far as they tell how work is done in a repository and what came of it."""

from __future__ import annotations

from recollect.model.record import Record


class Commit(Record):
    """One commit."""

    author: str
    subject: str
    paths: tuple[str, ...] = ()  # files changed
    name: str = ""  # its object name, as hex
    at: float = 0.0  # when it was committed
    body: str = ""  # the message below the subject, its beginning


class BlamedCommit(Record):
    """A commit that lines of a file are from."""

    name: str  # empty: they are not committed yet
    lines: tuple[tuple[int, int], ...]  # from, to
    author: str = ""
    authored: float = 0.0  # when the change was made; a rebase keeps it
    committed: float = 0.0
    summary: str = ""


class Revert(Record):
    """A commit that took another one back."""

    subject: str  # of what was taken back
    at: float
    name: str  # of the commit that did
    of: str = ""  # name of what was taken back, where the message says so
    paths: tuple[str, ...] = ()


class Together(Record):
    """Two files that change together."""

    paths: tuple[str, str]
    times: int
    of: int  # commits that changed the one that changes less often


class GitEvidence(Record):
    """What the history of a repository says about the work in it. Strangers may have written it: text, never orders."""

    commits: tuple[Commit, ...] = ()  # newest first
    reverts: tuple[Revert, ...] = ()
    together: tuple[Together, ...] = ()  # the most often first
    style: str = ""  # how messages are written, in a sentence; empty when there is no one way
