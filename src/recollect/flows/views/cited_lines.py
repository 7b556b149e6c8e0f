"""Cited lines: what an entry cites as it stands now, beside what stood there when it was cited."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recollect.files.git.refs import commit_of
from recollect.files.git.trees import blob_at, content_of, default_commits
from recollect.files.trees import as_text, read_cited
from recollect.memory.checks import check_text, cited_lines
from recollect.model.record import Record
from recollect.text.rendering import citation_label

if TYPE_CHECKING:
    from recollect.flows.opened import Opened
    from recollect.memory.checks import Checked
    from recollect.model.entries import Citation, Entry

GIT_SECONDS = 2.0
MOST_LINES = 60
_SPAN = re.compile(r":(\d+)(?:-(\d+))?$")


class CitedLines(Record):
    """One citation: what the check says, the lines now, and those of the commit at which it was cited."""

    citation: Citation
    label: str
    check: str
    detail: str
    first: int = 0  # number of the first line now; 0: nothing to show
    now: tuple[str, ...] = ()
    then: tuple[str, ...] | None = None  # None: not known


def cited_lines_of(entry: Entry, memory: Opened) -> list[CitedLines]:
    """Every citation of an entry, in its order."""
    checker = memory.checker(patient=True)
    verdicts = [checker.check([entry._replace(citations=(one,))], now=memory.now)[0] for one in entry.citations]
    is_here = bool(entry.repository) and entry.repository == memory.repository.repository
    return [
        _shown(citation, verdict, memory if is_here else None)
        for citation, verdict in zip(entry.citations, verdicts, strict=True)
    ]


def _shown(citation: Citation, verdict: Checked, memory: Opened | None) -> CitedLines:
    found = CitedLines(citation, citation_label(citation, whole=True), verdict.check, verdict.detail)
    if memory is None or citation.kind != "file" or not memory.repository.root:
        return found
    start, end = _span(citation, verdict)
    text = read_cited(memory.repository.root, citation.path)
    now = _lines(text, start, end) if text is not None else ()
    return found._replace(first=start if now else 0, now=now, then=_then(citation, memory))


def _span(citation: Citation, verdict: Checked) -> tuple[int, int]:
    """Where the cited text stands now, as far as the check knows; else where it stood."""
    where = _SPAN.search(verdict.where)
    if where:
        return int(where[1]), int(where[2] or where[1])
    return citation.start or 1, citation.end or MOST_LINES


def _then(citation: Citation, memory: Opened) -> tuple[str, ...] | None:
    """The lines of the commit at which it was cited, or of the one that is checked out, if they are what was cited."""
    repository = memory.repository
    folder = repository.common_directory
    here = commit_of(folder, f"refs/heads/{repository.branch}") if folder and repository.branch else ""
    for commit in filter(None, dict.fromkeys((citation.commit, here, *default_commits(repository)))):
        blob = blob_at(folder, commit, citation.path, limit_seconds=GIT_SECONDS)
        if not (blob and blob.name):
            continue
        data = content_of(folder, blob, limit_seconds=GIT_SECONDS)
        text = as_text(data, exact=True) if data is not None else None
        if text is not None and check_text(citation, text).check == "verified":
            return _lines(text, citation.start or 1, citation.end or MOST_LINES)
    return None


def _lines(text: str, start: int, end: int) -> tuple[str, ...]:
    return tuple(cited_lines(text)[start - 1 : min(end, start + MOST_LINES - 1)])
