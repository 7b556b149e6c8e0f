"""What was changed in each file, in a few words: how often, how many lines, and which names the new lines define."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recollect.context.tool_actions import CHANGE
from recollect.model.record import Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from recollect.context.tool_actions import ToolAction

WRITTEN, CHANGED, DELETED = "written", "changed", "deleted"
MOST_NAMES = 5
LONGEST_LINE = 80

_PATCHED = re.compile(r"^\*\*\* (Add File|Update File|Delete File|Move to): (.+?)\s*$", re.M)
_PATCH_VERBS = {"Add File": WRITTEN, "Update File": CHANGED, "Delete File": DELETED, "Move to": CHANGED}
_VERB_LINE = re.compile(r"\A(?:create|str_replace|insert|undo_edit)\n")
_WRITING, _DELETING = re.compile(r"write|create", re.I), re.compile(r"delete|remove", re.I)
_DEFINED = re.compile(
    r"^\s*(?:(?:export|default|public|private|protected|static|async|pub|abstract|declare)\s+)*"
    r"(?:def|class|func|function|fn|interface|struct|enum|trait|type|module)\s+(?:\([^)\n]*\)\s*)?([A-Za-z_$][\w$.-]*)"
    r"|^#{1,3}\s+(\S.{0,60})$",
    re.M,
)
_WORDS = re.compile(r"[^\W\d_]{3}")  # a line with a word says more than a bracket


class _Change(Record):
    path: str
    verb: str
    added: str


def what_changed(done: Iterable[ToolAction]) -> dict[str, str]:
    """For each path that a tool changed and said so, what was done to it."""
    found: dict[str, list[_Change]] = {}
    for action in done:
        if action.kind == CHANGE and action.failed is False:
            for change in _changes(action):
                found.setdefault(change.path, []).append(change)
    return {path: _told(changes) for path, changes in found.items()}


def _changes(action: ToolAction) -> Iterator[_Change]:
    if "*** Begin Patch" not in action.given:
        added = _VERB_LINE.sub("", action.given)
        first = _VERB_LINE.match(action.given)
        verb = (first[0] if first else action.tool).strip()
        said = WRITTEN if _WRITING.search(verb) else DELETED if _DELETING.search(verb) else CHANGED
        yield from (_Change(path, said, added) for path in action.paths)
        return
    heads = list(_PATCHED.finditer(action.given))
    for at, head in enumerate(heads):
        end = heads[at + 1].start() if at + 1 < len(heads) else len(action.given)
        body = action.given[head.end() : end].splitlines()
        added = "\n".join(line[1:] for line in body if line.startswith("+") and not line.startswith("+++"))
        yield _Change(head[2], _PATCH_VERBS[head[1]], added)


def _told(changes: list[_Change]) -> str:
    if changes[-1].verb == DELETED:
        return DELETED
    begun = max((at for at, change in enumerate(changes) if change.verb in (WRITTEN, DELETED)), default=0)
    since = changes[begun:]
    written = since[0].verb == WRITTEN
    times = len(since) - written
    again = "" if written and not times else f"{CHANGED}{f' {times} times' if times > 1 else ''}"
    lines = [line for change in since for line in change.added.splitlines() if _WORDS.search(line)]
    names = [next(filter(None, found)) for change in since for found in _DEFINED.findall(change.added)]
    names = list(dict.fromkeys(reversed(names)))[:MOST_NAMES][::-1]
    about = ", ".join(names) or (" ".join(lines[-1 if len(since) > 1 else 0].split()) if lines else "")
    about = about if len(about) <= LONGEST_LINE else about[:LONGEST_LINE].rstrip() + " …"
    size = sum(len(change.added.splitlines()) for change in since)
    told = ", ".join(filter(None, (WRITTEN if written else "", again, f"{size} line{'s' if size != 1 else ''}")))
    return f"{told}: {about}" if about else told
