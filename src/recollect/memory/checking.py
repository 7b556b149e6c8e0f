"""Checks over the store: live for a person at a terminal, from what is cached for a hook."""

from __future__ import annotations

import time

from recollect.files.trees import stat_cited
from recollect.memory.checks import CachedCheck, Checked, check_cached, check_now, citation_key, combine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.model.entries import Citation, Entry
    from recollect.model.repositories import Repository
    from recollect.store.store import Store


class Checker:
    """Says of entries whether what they cite still holds."""

    def __init__(self, store: Store, repository: Repository, *, milliseconds: int) -> None:
        self._store = store
        self._repository = repository
        self._seconds = milliseconds / 1000
        self.fresh: list[CachedCheck] = []  # what the next write may keep for hooks

    def check(self, entries: Sequence[Entry], *, now: float) -> list[Checked]:
        """One verdict an entry, in order, within the time ceiling."""
        deadline = time.monotonic() + self._seconds
        verdicts = []
        for entry in entries:
            cited = self._cited(entry)
            if not cited:
                verdicts.append(Checked("unchecked"))
                continue
            done = check_now(cited, repository=self._repository, deadline=deadline, now=now)
            self.fresh += done.rows
            verdicts.append(combine(done.verdicts))
        return verdicts

    def _cited(self, entry: Entry) -> list[Citation]:
        # Paths are relative to the entry's own repository: nothing can be said about another one's files from here.
        if entry.repository != self._repository.repository or not self._repository.root:
            return []
        return [citation for citation in entry.citations if citation.kind == "file"]


class CachedChecker(Checker):
    """For the hook: looks at a file's time and size, and reads nothing."""

    def check(self, entries: Sequence[Entry], *, now: float) -> list[Checked]:
        """One verdict an entry, in order, from the cache."""
        return [combine([self._cached(citation) for citation in self._cited(entry)]) for entry in entries]

    def _cached(self, citation: Citation) -> Checked:
        root, key = self._repository.root, citation_key(citation)
        row = self._store.verdicts.cached_check(root, citation.path, key)
        cached = CachedCheck(root, citation.path, key, row[0], row[1], row[2], row[3]) if row else None  # type: ignore[arg-type]
        return check_cached(citation, stat=stat_cited(root, citation.path), cached=cached)
