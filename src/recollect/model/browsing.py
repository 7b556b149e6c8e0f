"""What somebody who browses asks for, and gets: pages of entries, and what happened over time."""

from __future__ import annotations

from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.model.entries import Entry


class EntryFilter(Record):
    """Which entries a page shows. Empty means any."""

    text: str = ""  # words that occur in it; the last one may be half typed
    layer: str = ""
    status: str = ""
    scope: str = ""
    repository: str | None = None  # '' is what holds everywhere
    source: str = ""
    origin: str = ""
    tag: str = ""
    session: str = ""
    since: float = 0.0
    never_used: bool = False
    cites: bool = False
    check: str = ""
    contains: str = ""  # letter by letter, where the words of an index find nothing


class EntryPage(Record):
    """One page of entries, newest first."""

    entries: list[Entry]
    checks: list[str]  # one for each
    total: int  # up to MOST_COUNTED
    number: int  # of the page, from 1
    has_more: bool


class Day(Record):
    """What happened on one day."""

    day: str  # 2026-11-16
    stored: int = 0
    recalls: int = 0
    tokens: int = 0


class HostUse(Record):
    """What one host asked and got."""

    host: str
    asked: int
    given: int
    tokens: int


class Insights(Record):
    """What is remembered and recalled, over time and by place."""

    days: list[Day]
    most_used: list[Entry]
    never_used: int
    statuses: dict[tuple[str, str], int]  # by layer and status
    repositories: list[tuple[str, int]]
    hosts: list[HostUse]
