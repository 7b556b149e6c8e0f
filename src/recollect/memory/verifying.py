"""Citations against the working tree and the default branch, within a ceiling of time.

What cannot be found out in time is answered from the last check of the very same file, or not at all; the worker, who
has more time, finds it out for the next turn."""

from __future__ import annotations

import os
import time

from recollect.errors import OutOfTime
from recollect.files.trees import as_text, read_cited, stat_cited
from recollect.memory.checks import (
    ABSENT,
    CachedCheck,
    Checked,
    check_at_a_glance,
    check_cached,
    check_text,
    citation_key,
)
from recollect.memory.time_limits import TimeLimit
from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recollect.model.entries import Check, Citation
    from recollect.model.repositories import Repository

    Known = Callable[[str, str, str], CachedCheck | None]  # root, path, key

SMALL_BYTES = 60_000  # such a file is read again rather than looked up: then the verdict comes with its details
READ_BYTES_PER_SECOND = 100_000_000
GIT_SECONDS = 0.2  # less than this, and git is not started: a turn never does
BLOB_BYTES = 2_000_000
LATE = "takes longer to check than a turn may take"


class ChecksDone(Record):
    """One verdict for each citation, in their order, and the rows to keep for the next turns."""

    verdicts: tuple[Checked, ...]
    rows: tuple[CachedCheck, ...]


def check_now(
    citations: Sequence[Citation],
    *,
    statement: str = "",
    repository: Repository,
    deadline: float,
    now: float,
    clock: Callable[[], float] = time.monotonic,
    known: Known = lambda *_: None,
) -> ChecksDone:
    """Read the cited files and judge whether they say what the statement says, by the deadline (on that clock);
    `known` gives the last check of a citation."""
    looking = _Looking(statement, repository, TimeLimit(deadline, clock), now, known)
    there = os.path.isdir(repository.root)
    verdicts = [looking.verdict(one) if one.kind == "file" and there else Checked("unchecked") for one in citations]
    return ChecksDone(tuple(verdicts), tuple(looking.rows))


class _Looking:
    """One round of checks: what was read so far, and what is to be kept of it."""

    def __init__(self, statement: str, repository: Repository, time_limit: TimeLimit, now: float, known: Known) -> None:
        self._statement = statement
        self._repository = repository
        self._limit = time_limit
        self._now = now
        self._known = known
        self._texts: dict[str, str | None] = {}
        self._commits: list[str] | None = None
        self.rows: list[CachedCheck] = []

    def verdict(self, citation: Citation) -> Checked:
        """What is found out in time; else what was found out before; else nothing."""
        late = Checked("unchecked", f"{citation.path} {LATE}")
        if self._limit.left_seconds <= 0:
            return late
        state = stat_cited(self._repository.root, citation.path)
        before = self._last(
            self._repository.root, citation.path, citation_key(citation, self._statement), state or ABSENT
        )
        if before is not None and before.check != "gone" and before.size > SMALL_BYTES:
            return check_cached(citation, stat=state, cached=before)
        try:
            return self._found_out(citation, state, before)
        except OutOfTime:
            return late if before is None else check_cached(citation, stat=state, cached=before)

    def _last(self, root: str, path: str, key: str, state: tuple[int, int]) -> CachedCheck | None:
        """The last check, if it was of this very state."""
        found = self._known(root, path, key)
        return found if found is not None and (found.mtime_ns, found.size) == state else None

    def _found_out(self, citation: Citation, state: tuple[int, int] | None, before: CachedCheck | None) -> Checked:
        text = self._text(citation.path, state)
        if state is not None and text is None:
            return Checked("unchecked", f"{citation.path} is too large or not text")
        try:
            verdict = check_text(citation, text, self._limit, statement=self._statement)
        except OutOfTime:
            # Not kept: it is less than what the worker finds.
            return check_at_a_glance(citation, text or "", self._limit, statement=self._statement)
        if verdict.check == "gone":
            elsewhere = self._on_default_branch(citation)
            if elsewhere is None:
                # Nor is this: it would overwrite an earlier answer.
                return verdict._replace(gone_everywhere=before is not None and before.gone_on_default)
            verdict = verdict._replace(gone_everywhere=not elsewhere)
        where = self._repository.root, citation.path, citation_key(citation, self._statement)
        self._keep(where, state or ABSENT, verdict.check, gone_everywhere=verdict.gone_everywhere)
        return verdict

    def _keep(
        self, where: tuple[str, str, str], state: tuple[int, int], check: Check, *, gone_everywhere: bool = False
    ) -> None:
        self.rows.append(CachedCheck(*where, *state, check, gone_everywhere, self._now))

    def _text(self, path: str, state: tuple[int, int] | None) -> str | None:
        if path not in self._texts:
            if state is not None:
                self._limit.need(state[1] / READ_BYTES_PER_SECOND)
            self._texts[path] = read_cited(self._repository.root, path, exact=True) if state else None
        return self._texts[path]

    def _on_default_branch(self, citation: Citation) -> bool | None:
        """Does the default branch still have the cited file, or define the cited symbol? None when not known.

        What a commit was found to hold is not looked for again: its row has the commit's name for a state."""
        from recollect.files.git.trees import default_commits

        directory = self._repository.common_directory
        if not directory:
            return False
        if self._commits is None:
            self._commits = default_commits(self._repository)
        answers: list[bool | None] = []
        for commit in self._commits:
            where = directory, citation.path, f"@#{citation.symbol}"
            state = int(commit[:14], 16), int(commit[14:28], 16)
            before = self._last(*where, state)
            answer = before.check == "verified" if before else self._in_commit(commit, citation)
            if before is None and answer is not None:
                self._keep(where, state, "verified" if answer else "gone")
            answers.append(answer)
        if True in answers:
            return True
        return False if answers and None not in answers else None

    def _in_commit(self, commit: str, citation: Citation) -> bool | None:
        from recollect.files.git.trees import blob_at, content_of

        directory, time_limit = self._repository.common_directory, self._limit
        if time_limit.left_seconds < GIT_SECONDS:
            return None
        blob = blob_at(directory, commit, citation.path, limit_seconds=time_limit.left_seconds)
        if blob is None or not blob.name or not citation.symbol or blob.size > BLOB_BYTES:
            return None if blob is None else bool(blob.name)
        content = content_of(directory, blob, limit_seconds=time_limit.left_seconds)
        if content is None:
            return None
        text = as_text(content, exact=True)
        try:
            return text is None or check_text(citation, text, time_limit).check != "gone"
        except OutOfTime:
            return None
