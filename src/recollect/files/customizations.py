"""Finding the customizations of every host on disk, and the files that may say something already."""

from __future__ import annotations

import glob
import os

from recollect.files.trees import confined, is_inside, read_cited
from recollect.model.record import Record

SKIPPED = frozenset(
    ".git node_modules vendor dist build target .venv venv __pycache__ .tox .mypy_cache .next .nuxt coverage".split()
)
MOST_FOLDERS = 20_000
MOST_TEXTS = 400
# Where hosts keep what holds for the user everywhere, below their own folder.
USER_GLOBS = (
    ".claude/CLAUDE.md", ".claude/rules/*.md", ".claude/agents/*.md", ".claude/skills/*/SKILL.md",
    ".claude/commands/*.md", ".codex/AGENTS.md", ".gemini/GEMINI.md", ".copilot/copilot-instructions.md",
    ".copilot/instructions/*.instructions.md", ".copilot/agents/*.md", ".copilot/skills/*/SKILL.md",
    ".agents/skills/*/SKILL.md", ".config/opencode/AGENTS.md", ".pi/agent/AGENTS.md",
)  # fmt: skip


class FoundFile(Record):
    """A file and what it says; the path is relative to the root with forward slashes, or begins with ~/."""

    path: str
    text: str


def tree_paths(root: str) -> list[str]:
    """The paths of all files in a working tree, but for what tools put there and for other working trees inside it
    (worktrees, submodules, clones); the first of very many."""
    found: list[str] = []
    for folders, (folder, names, files) in enumerate(os.walk(root)):
        names[:] = sorted(name for name in names if _is_ours(folder, name)) if folders < MOST_FOLDERS else []
        inside = os.path.relpath(folder, root).replace(os.sep, "/")
        found += [name if inside == "." else f"{inside}/{name}" for name in sorted(files)]
    return found


def _is_ours(folder: str, name: str) -> bool:
    return name not in SKIPPED and not os.path.lexists(os.path.join(folder, name, ".git"))


def read_files(root: str, paths: list[str]) -> list[FoundFile]:
    """These files of a working tree, with every line end as it is; what is not text or leads out of it is left out."""
    read = ((path, read_exactly(root, path)) for path in paths[:MOST_TEXTS])
    return [FoundFile(path, text) for path, text in read if text is not None]


def read_exactly(root: str, path: str) -> str | None:
    """The text of a file with every line end as it is; None: not there, outside, too large, or not UTF-8 text."""
    from recollect.errors import FileError
    from recollect.files.edits.file_edits import read_text

    if read_cited(root, path) is None:
        return None
    try:
        return read_text(os.path.join(root, path))
    except FileError:
        return None


def user_paths(user: str) -> list[str]:
    """Customizations in the user's own folder, relative to it."""
    found = [path for pattern in USER_GLOBS for path in sorted(glob.glob(pattern, root_dir=user))]
    return [path.replace(os.sep, "/") for path in found]


def target_path(root: str, path: str) -> str | None:
    """Where a target is on disk; None when it would leave its root."""
    real = confined(root, path)
    return real if real and is_inside(os.path.realpath(root), real) else None


def exists(root: str, path: str) -> bool:
    """Is there a file or folder of this name in a working tree?"""
    return os.path.exists(os.path.join(root, path))
