"""Which version of an entry somebody saw, so that nobody overwrites what they have not seen."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, TypeVar

from recollect.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from recollect.flows.opened import Opened
    from recollect.model.entries import Entry

T = TypeVar("T")
# What use and votes change is no new version.
USE = ("recall_count", "last_used", "votes_up", "votes_down", "updated", "confidence")
LENGTH = 20


class ChangedMeanwhile(Refused):
    """Somebody changed it since you looked; nothing was written. Look at it again."""


def entry_version(entry: Entry) -> str:
    """A short text that changes whenever the entry does."""
    told = {name: value for name, value in entry._asdict().items() if name not in USE}
    return hashlib.sha256(json.dumps(told, default=str).encode()).hexdigest()[:LENGTH]


def change_if_unchanged(entry_id: str, seen: Collection[str] | None, do: Callable[[], T], memory: Opened) -> T:
    """Do it, unless the entry is none of the versions that were seen; nobody else writes in between. None stands for
    any version."""
    memory.take_in()
    with memory.store.write():
        entry = memory.store.entries.get(entry_id).entry
        if seen is not None and entry_version(entry) not in seen:
            raise ChangedMeanwhile
        return do()
