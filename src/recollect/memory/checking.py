"""Checks over the store: live for a person at a terminal, from what is cached for a hook."""

from __future__ import annotations

import time

from recollect.files.trees import stat_cited
from recollect.memory.checks import CachedCheck, Checked, check_cached, citation_key, combine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.model.entries import Citation, Entry
    from recollect.model.repositories import Repository
    from recollect.store.store import Store


PATIENT_MILLISECONDS = 2_000  # for whoever looks at one entry
STOP_SHARE = 0.8  # of the ceiling; the rest is for what is under way then


class Checker:
    """Says of entries whether what they cite still holds; one for a turn, which has one ceiling of time for all."""

    def __init__(self, store: Store, repository: Repository, *, milliseconds: int) -> None:
        self._store = store
        self._repository = repository
        self._left_seconds = STOP_SHARE * milliseconds / 1000
        self._verdicts: dict[tuple[Citation, str], Checked] = {}  # by citation and what it is to hold
        self.fresh: list[CachedCheck] = []  # what the next write may keep for hooks

    def check(self, entries: Sequence[Entry], *, now: float) -> list[Checked]:
        """One verdict per entry, in order, within what is left of the ceiling."""
        if any(map(self._cited, entries)):
            self._load()
        began = time.monotonic()
        verdicts = []
        for entry in entries:
            said = entry.content
            cited = self._cited(entry)
            fresh = [citation for citation in cited if (citation, said) not in self._verdicts]
            if fresh:
                found = self._look(fresh, said, deadline=began + self._left_seconds, now=now)
                self._verdicts.update(zip([(citation, said) for citation in fresh], found, strict=True))
            verdicts.append(combine([self._verdicts[citation, said] for citation in cited]))
        self._left_seconds -= time.monotonic() - began
        return verdicts

    def _load(self) -> None:
        """What has to be loaded before the clock runs: the first turn of a process would spend its time on that."""
        import hashlib  # noqa: F401

        import recollect.memory.support
        import recollect.memory.verifying  # noqa: F401

    def _look(self, citations: Sequence[Citation], said: str, *, deadline: float, now: float) -> Sequence[Checked]:
        from recollect.memory.verifying import check_now

        done = check_now(
            citations, statement=said, repository=self._repository, deadline=deadline, now=now, known=self._known
        )
        self.fresh += done.rows
        return done.verdicts

    def _known(self, root: str, path: str, key: str) -> CachedCheck | None:
        row = self._store.citation_checks.last(root, path, key)
        return CachedCheck(root, path, key, row[0], row[1], row[2], row[3]) if row else None  # type: ignore[arg-type]

    def _cited(self, entry: Entry) -> list[Citation]:
        # Paths are relative to the entry's own repository: nothing can be said about another one's files from here.
        if entry.repository != self._repository.repository or not self._repository.root:
            return []
        return [citation for citation in entry.citations if citation.kind == "file"]


class CachedChecker(Checker):
    """For the hook: looks at a file's time and size, and reads nothing."""

    def _load(self) -> None:
        """Nothing: a hook has what it needs."""

    def _look(self, citations: Sequence[Citation], said: str, *, deadline: float, now: float) -> Sequence[Checked]:
        return [self._cached(one, said) if time.monotonic() < deadline else Checked("unchecked") for one in citations]

    def _cached(self, citation: Citation, said: str) -> Checked:
        root = self._repository.root
        cached = self._known(root, citation.path, citation_key(citation, said))
        return check_cached(citation, stat=stat_cited(root, citation.path), cached=cached)
