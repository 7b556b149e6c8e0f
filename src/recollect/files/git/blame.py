"""Which commit each line of a file is from, as git says. Starts git, so only for who has time."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from recollect.files.git.process import run_git
from recollect.model.commits import BlamedCommit

if TYPE_CHECKING:
    from recollect.model.repositories import Repository

GIT_SECONDS = 60.0
_FILTERS = r"^filter\..*\.(clean|process|required)$"
_LINE = re.compile(r"([0-9a-f]{40,64}) \d+ (\d+)(?: \d+)?")


def blamed_commits(repository: Repository, path: str, line: int = 0) -> list[BlamedCommit] | None:
    """The commits behind a file of the working tree, or behind one of its lines, newest first. None when git does not
    say: the file was never committed, or has no such line."""
    directory = git_directory(repository)
    lines = (f"-L{line},{line}",) if line else ()
    printed = run_git(
        directory,
        *(f"--work-tree={repository.root}", "-C", repository.root, "blame", "--porcelain", "--no-textconv", *lines),
        *("--", path),
        limit_seconds=GIT_SECONDS,
        settings=_without_filters(directory),
    )
    return None if printed is None else _parsed(printed.decode("utf-8", "replace"))


def git_directory(repository: Repository) -> str:
    """What git is told to work on: of a linked working tree, its own."""
    own = os.path.join(repository.root, ".git")
    return own if os.path.exists(own) else repository.common_directory


def _without_filters(directory: str) -> dict[str, str]:
    """Settings under which none of the programs runs that would change a file on its way into the repository."""
    found = run_git(directory, "config", "-z", "--name-only", "--get-regexp", _FILTERS, limit_seconds=GIT_SECONDS)
    names = (found or b"").decode("utf-8", "replace").split("\0")
    return {name: "false" if name.endswith(".required") else "" for name in names if name}


def _parsed(text: str) -> list[BlamedCommit]:
    fields: dict[str, dict[str, str]] = {}
    numbers: dict[str, list[int]] = {}
    name = ""
    for row in text.split("\n"):
        if row.startswith("\t"):
            continue
        head = _LINE.fullmatch(row)
        if head:
            name = head[1]
            numbers.setdefault(name, []).append(int(head[2]))
            fields.setdefault(name, {})
        elif name:
            key, _, value = row.partition(" ")
            fields[name].setdefault(key, value)
    found = [_commit(name, fields[name], numbers[name]) for name in numbers]
    return sorted(found, key=lambda one: -one.authored)


def _commit(name: str, fields: dict[str, str], numbers: list[int]) -> BlamedCommit:
    ranges: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1] = (ranges[-1][0], number)
        else:
            ranges.append((number, number))
    return BlamedCommit(
        name if name.strip("0") else "",
        tuple(ranges),
        fields.get("author", ""),
        float(fields.get("author-time") or 0),
        float(fields.get("committer-time") or 0),
        fields.get("summary", ""),
    )
