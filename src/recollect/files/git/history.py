"""The commits of a repository, as git tells them. Starts git, so only for who has time."""

from __future__ import annotations

from recollect.files.git.process import run_git
from recollect.model.commits import Commit

GIT_SECONDS = 5.0
MOST_COMMITS = 500
_RECORD, _FIELD = "\x1e", "\x1f"


def commits(common_directory: str) -> list[Commit]:
    """The newest commits without merges, of the last year, newest first; none when git cannot tell them in time."""
    printed = run_git(
        common_directory,
        *("log", f"--max-count={MOST_COMMITS}", "--since=1.year", "--no-merges", "--no-renames", "--name-only"),
        *(f"--format={_RECORD}%an{_FIELD}%s{_FIELD}", "HEAD", "--"),
        limit_seconds=GIT_SECONDS,
    )
    text = (printed or b"").decode("utf-8", "replace")
    return [_commit(record) for record in text.split(_RECORD) if record.count(_FIELD) == 2]


def _commit(record: str) -> Commit:
    author, subject, rest = record.split(_FIELD)
    return Commit(author, subject, tuple(line for line in rest.splitlines() if line))
