"""read_file, list, search and edit: files of the folder of the work. What lies outside is asked about, or refused."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from recollect.errors import FileError, OutsideRoot, UsageError
from recollect.files.customizations import tree_paths
from recollect.files.reading import is_utf8, read_text
from recollect.files.trees import is_inside, read_cited
from recollect.files.writing import write_atomic
from recollect.flows.chat.happenings import FileDiff
from recollect.flows.chat.toolbox import EDIT, LONGEST_TITLE, READ, Planned, Tool, ToolAnswer, an_object, number, text
from recollect.model.permissions import Question
from recollect.suggestions.diffs import unified
from recollect.suggestions.globs import covers

if TYPE_CHECKING:
    from recollect.flows.chat.toolbox import Work
    from recollect.model.messages import Json

MOST_LINES = 2_000
MOST_CHARACTERS = 60_000
MOST_PATHS = 500
MOST_HITS = 100
LONGEST_HIT = 300
LIMIT_BYTES = 2_000_000
FILE_MODE = 0o644


def real_path(path: str, work: Work) -> str:
    """Where a path leads, links followed."""
    if not path or "\0" in path:
        raise UsageError("The path is empty.")
    return os.path.realpath(os.path.join(work.folder, os.path.expanduser(path)))


def is_here(path: str, work: Work) -> bool:
    """Is it in the folder of the work, or in its repository?"""
    real = real_path(path, work)
    return any(is_inside(os.path.realpath(root), real) for root in (work.folder, work.memory.root))


def _shown(path: str, work: Work) -> str:
    real = real_path(path, work)
    root = os.path.realpath(work.folder)
    return os.path.relpath(real, root) if is_inside(root, real) else real


# -- reading


def plan_read(arguments: Json, work: Work) -> Planned:
    """Outside the folder of the work a person is asked."""
    path = str(arguments.get("path") or ".")
    shown = _shown(path, work)
    if is_here(path, work):
        return Planned(shown, paths=(shown,))
    return Planned(shown, Question("read", shown, "it is outside the working folder.", kind=READ), paths=(shown,))


def plan_search(arguments: Json, work: Work) -> Planned:
    """The same, and what is looked for is shown."""
    planned = plan_read(arguments, work)
    where = "" if planned.title == "." else f" in {planned.title}"
    return planned._replace(title=f"{arguments['text']}{where}"[:LONGEST_TITLE])


def read_file(arguments: Json, work: Work) -> ToolAnswer:
    """The lines of a file, with their numbers."""
    path = real_path(arguments["path"], work)
    lines = read_text(path, limit_bytes=LIMIT_BYTES).splitlines()
    first = int(arguments.get("first", 1))
    wanted = lines[first - 1 : first - 1 + int(arguments.get("lines", MOST_LINES))]
    shown = "\n".join(f"{first + at}\t{line}" for at, line in enumerate(wanted))
    if len(shown) > MOST_CHARACTERS:
        shown = shown[:MOST_CHARACTERS] + "\n… cut here; read on with `first`"
    left = len(lines) - (first - 1 + len(wanted))
    return ToolAnswer((shown or "(empty)") + (f"\n… {left} more lines; read on with `first`" if left > 0 else ""))


def list_files(arguments: Json, work: Work) -> ToolAnswer:
    """The paths of files below a folder."""
    folder = real_path(arguments.get("path") or ".", work)
    if not os.path.isdir(folder):
        raise FileError(f"{arguments.get('path')!r} is not a folder.")
    pattern = arguments.get("glob", "")
    found = [path for path in tree_paths(folder) if not pattern or covers([pattern], path)]
    shown = "\n".join(found[:MOST_PATHS]) or "(nothing)"
    more = len(found) - MOST_PATHS
    return ToolAnswer(shown + (f"\n… {more} more; ask for less with `path` or `glob`" if more > 0 else ""))


def search(arguments: Json, work: Work) -> ToolAnswer:
    """Lines that hold a text. Upper and lower case count only when the text has upper case."""
    folder = real_path(arguments.get("path") or ".", work)
    if not os.path.isdir(folder):
        raise FileError(
            f"{arguments.get('path')!r} is not a folder; name the one that holds the file, and it as `glob`."
        )
    wanted, pattern = arguments["text"], arguments.get("glob", "")
    folds = wanted == wanted.lower()
    hits: list[str] = []
    for path in tree_paths(folder):
        if work.cancelled() or len(hits) >= MOST_HITS:
            break
        if pattern and not covers([pattern], path):
            continue
        content = read_cited(folder, path) or ""
        if wanted not in (content.lower() if folds else content):
            continue
        for line_number, line in enumerate(content.splitlines(), 1):
            if wanted in (line.lower() if folds else line):
                hits.append(f"{path}:{line_number}: {line.strip()[:LONGEST_HIT]}")
    more = "\n… and more; ask for less with `path` or `glob`" if len(hits) >= MOST_HITS else ""
    return ToolAnswer("\n".join(hits[:MOST_HITS]) + more if hits else "(not found)")


# -- editing


def planned_diff(arguments: Json, work: Work) -> FileDiff:
    """What an edit would change. Raises when it may not be, or cannot be, made."""
    path = arguments["path"]
    real = real_path(path, work)
    if not is_here(path, work):
        raise OutsideRoot(f"{path} is outside {work.folder}; files there cannot be changed.")
    if _is_kept_out(real, work):
        raise OutsideRoot(f"{path} belongs to git or to Recollect itself; it cannot be changed here.")
    before = read_text(real, limit_bytes=LIMIT_BYTES) if os.path.lexists(real) else None
    if before is not None and not is_utf8(real, before):
        raise FileError(f"{path} is not plain UTF-8; changing it here would damage it.")
    old, new = arguments.get("old", ""), arguments["new"]
    if before is None and old:
        raise FileError(f"{path} does not exist; leave out `old` to create it.")
    if before is not None and not old:
        raise UsageError(f"{path} exists; give the exact text to replace as `old`.")
    if before is not None and before.count(old) != 1:
        raise UsageError(f"`old` occurs {before.count(old)} times in {path}; it must occur exactly once.")
    after = new if before is None else before.replace(old, new, 1)
    if after == before:
        raise UsageError("The edit would change nothing.")
    shown = _shown(path, work)
    return FileDiff(shown, before, after, unified(shown, before, after))


def _is_kept_out(real: str, work: Work) -> bool:
    inside_git = ".git" in os.path.relpath(real, os.path.realpath(work.memory.root)).split(os.sep)
    return inside_git or is_inside(os.path.realpath(work.memory.home.root), real)


def plan_edit(arguments: Json, work: Work) -> Planned:
    """A person sees the diff and is asked."""
    diff = planned_diff(arguments, work)
    verb = "make" if diff.before is None else "change"
    question = Question("edit", diff.path, f"it would {verb} a file; [s] and [l] allow every edit.", kind=EDIT)
    return Planned(diff.path, question, diff, (diff.path,))


def edit(arguments: Json, work: Work) -> ToolAnswer:
    """Write the file, as it was shown; looked at again, because a person takes their time."""
    diff = planned_diff(arguments, work)
    real = real_path(arguments["path"], work)
    root = next(root for root in (work.folder, work.memory.root) if is_inside(os.path.realpath(root), real))
    write_atomic(root, real, diff.after, mode=FILE_MODE)
    return ToolAnswer(f"{'Made' if diff.before is None else 'Changed'} {diff.path}.", diff=diff)


_PATH = text("relative to the working folder")
_GLOB = text("only paths like this, such as **/*.py")
TOOLS = (
    Tool(
        "read_file",
        READ,
        "Read a text file; lines come with their numbers.",
        an_object(("path",), path=_PATH, first=number(1, 10_000_000, "first line"), lines=number(1, MOST_LINES)),
        read_file,
        plan_read,
    ),
    Tool(
        "list",
        READ,
        "List the files below a folder, without generated ones.",
        an_object(path=_PATH, glob=_GLOB),
        list_files,
        plan_read,
    ),
    Tool(
        "search",
        READ,
        "Find lines that contain a text, word for word, in the files below a folder.",
        an_object(("text",), text=text("the text to find"), path=_PATH, glob=_GLOB),
        search,
        plan_search,
    ),
    Tool(
        "edit",
        EDIT,
        "Change one place in a file, or create a new file. The user sees the diff first.",
        an_object(
            ("path", "new"),
            path=_PATH,
            old=text("the exact text to replace, which occurs once; leave it out for a new file"),
            new=text("the new text"),
        ),
        edit,
        plan_edit,
    ),
)
