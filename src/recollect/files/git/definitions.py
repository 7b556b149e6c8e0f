"""Functions that a repository once had. Starts git, so only for who has time."""

from __future__ import annotations

import os
import re

from recollect.files.git.process import run_git

LIMIT_SECONDS = 5.0
LIMIT_BYTES = 8_000_000
# A plain definition in the languages that have a word for it; what is only called may come from anywhere.
_DEFINES = "(def|function|func|fn|fun|class|const|let|var)[ \t*]+(\\([^)]*\\)[ \t]*)?"
_COMMIT, _FILE = "\x01", "--- a/"


def deleted_definitions(root: str, names: list[str], source: re.Pattern[str]) -> dict[str, str]:
    """Which of these functions a source file once defined and lost, each with a word on when."""
    directory = os.path.join(root, ".git")
    if not names or not os.path.exists(directory):
        return {}
    wanted = f"{_DEFINES}({'|'.join(map(re.escape, names))})"
    options = ("--no-renames", "--no-ext-diff", "--no-textconv", "--no-color", "--src-prefix=a/", "--dst-prefix=b/")
    printed = run_git(
        directory,
        *("log", "-p", "-U0", *options, f"--format={_COMMIT}%h, %cs", f"-G{wanted}"),
        limit_seconds=LIMIT_SECONDS,
        limit_bytes=LIMIT_BYTES,
    )
    return _lost((printed or b"").decode("utf-8", "replace"), re.compile(rf"-.*?\b{wanted}\b"), source)


def _lost(printed: str, wanted: re.Pattern[str], source: re.Pattern[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    when, is_source = "", False
    for line in printed.split("\n"):
        if line.startswith(_COMMIT):
            when, is_source = line.removeprefix(_COMMIT), False
        elif line.startswith(("--- ", "diff ")):
            is_source = line.startswith(_FILE) and bool(source.fullmatch(line.removeprefix(_FILE).rstrip("\t\r")))
        elif is_source and (lost := wanted.match(line)):
            found.setdefault(lost[3], f"deleted in {when}")
    return found
