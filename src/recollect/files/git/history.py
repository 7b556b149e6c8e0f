"""The commits of a repository, as git tells them. Starts git, so only for who has time."""

from __future__ import annotations

from recollect.files.git.process import run_git
from recollect.model.commits import Commit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

GIT_SECONDS = 5.0
MOST_COMMITS = 500
LONGEST_BODY = 2_000
LIMIT_BYTES = 8_000_000
_RECORD, _FIELD = "\x1e", "\x1f"
_FORMAT = _FIELD.join(("%H", "%ct", "%an", "%s", "%b", ""))
_LISTING = (
    *("--no-renames", "--name-only", "-z", "--no-ext-diff", "--no-textconv", "--no-color"),
    "--no-show-signature",  # it would be checked by a program that the configuration names
    f"--format={_RECORD}{_FORMAT}",
)


def named_commits(common_directory: str, names: Sequence[str], *, limit_seconds: float) -> dict[str, Commit]:
    """These commits by name; those that git does not tell in time are left out."""
    if not names:
        return {}
    arguments = ("log", "--no-walk=unsorted", *_LISTING, *names, "--")
    printed = run_git(common_directory, *arguments, limit_seconds=limit_seconds, limit_bytes=LIMIT_BYTES)
    return {one.name: one for one in _parsed(printed)}


def commits(common_directory: str, *, most: int = MOST_COMMITS) -> list[Commit]:
    """The newest commits without merges, of the last year, newest first; none when git cannot tell them in time."""
    printed = run_git(
        common_directory,
        *("log", f"--max-count={most}", "--since=1.year", "--no-merges", *_LISTING, "HEAD", "--"),
        limit_seconds=GIT_SECONDS,
        limit_bytes=LIMIT_BYTES,
    )
    return _parsed(printed)


def _parsed(printed: bytes | None) -> list[Commit]:
    records = (printed or b"").decode("utf-8", "replace").split(_RECORD)
    if printed and len(printed) == LIMIT_BYTES:
        records.pop()  # the last one was cut
    return [_commit(record) for record in records if record.count(_FIELD) == _FORMAT.count(_FIELD)]


def _commit(record: str) -> Commit:
    name, at, author, subject, body, rest = record.split(_FIELD)
    paths = tuple(path for path in (part.lstrip("\n") for part in rest.split("\0")) if path)
    return Commit(author, subject, paths, name, float(at or 0), body.strip()[:LONGEST_BODY])
