"""Search the text files of a folder for a text, bounded in files, bytes and hits. Links and hidden files stay out."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from recollect.files.trees import read_cited

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_FILES = 3_000
MOST_HITS = 20
LONGEST_LINE = 200
SKIPPED = frozenset(("node_modules", "dist", "build", "target", "vendor", "__pycache__", "venv"))


def search_files(root: str, text: str, *, most: int = MOST_HITS) -> list[str]:
    """`path:line: text` for each line that holds the text, whatever its case."""
    wanted = text.casefold()
    found: list[str] = []
    for number, path in enumerate(_paths(root)):
        if number >= MOST_FILES or len(found) >= most:
            break
        content = read_cited(root, path)
        if content is None or wanted not in content.casefold():
            continue
        for at, line in enumerate(content.splitlines(), 1):
            if wanted in line.casefold():
                found.append(f"{path}:{at}: {line.strip()[:LONGEST_LINE]}")
                if len(found) >= most:
                    break
    return found


def _paths(root: str) -> Iterator[str]:
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in SKIPPED)
        for name in sorted(names):
            path = os.path.join(folder, name)
            if not name.startswith(".") and not os.path.islink(path):
                yield os.path.relpath(path, root).replace(os.sep, "/")
