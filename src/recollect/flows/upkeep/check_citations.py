"""Check citations: read and parse what entries cite, off everybody's way, so that a hook only has to look it up."""

from __future__ import annotations

import os
import time

from recollect.files.trees import stat_cited
from recollect.memory.checks import ABSENT, CachedCheck, citation_key
from recollect.memory.verifying import check_now

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.model.entries import Citation
    from recollect.model.repositories import Repository
    from recollect.store.entries import Stored
    from recollect.store.store import Store

PAGE = 200
GONE_SECONDS = 3_600.0  # what is gone is looked for on the default branch again: a branch moves without the file
CITATION_SECONDS = 2.0


def check_citations(
    repository: Repository,
    *,
    store: Store,
    now: float,
    limit_seconds: float,
    clock: Callable[[], float] = time.monotonic,
) -> int:
    """Bring the cached checks of a repository up to date, newest entries first; returns how many were made.

    What the time does not suffice for is done next time: what is up to date costs a look at the file."""
    if not repository.repository or not os.path.isdir(repository.root):
        return 0
    deadline = clock() + limit_seconds

    def known(root: str, path: str, key: str) -> CachedCheck | None:
        row = store.citation_checks.last(root, path, key)
        return CachedCheck(root, path, key, row[0], row[1], row[2], row[3]) if row else None  # type: ignore[arg-type]

    made = 0
    before: Stored | None = None
    while clock() < deadline:
        page = store.entries.cited(repository.repository, before=before, limit=PAGE)
        if not page:
            break
        before = page[-1]
        entries = [stored.entry for stored in page]
        cited = [(one, entry.content) for entry in entries for one in entry.citations if one.kind == "file"]
        stale = [one for one in cited if not _is_fresh(*one, repository.root, store, now=now)]
        rows: list[CachedCheck] = []
        for citation, said in stale:
            if clock() >= deadline:
                break
            limit = min(deadline, clock() + CITATION_SECONDS)
            rows += check_now(
                [citation], statement=said, repository=repository, deadline=limit, now=now, clock=clock, known=known
            ).rows
        if rows:
            with store.write(durable=False):
                store.citation_checks.save(rows)
        made += sum(row.root == repository.root for row in rows)
    return made


def _is_fresh(citation: Citation, said: str, root: str, store: Store, *, now: float) -> bool:
    """Is the cached check of the file as it is now?"""
    where = root, citation.path, citation_key(citation, said)
    cached = store.citation_checks.last(*where)
    if cached is None or cached[:2] != (stat_cited(root, citation.path) or ABSENT):
        return False
    return cached[2] != "gone" or abs(now - store.citation_checks.checked_at(*where)) < GONE_SECONDS
