"""The folder of one session: its log, what it is called, its plan, its checkpoints and its inbox.

The log is what counts: all that is derived from it here (`workspace.yaml`, the checkpoints and their index) is written
whole or not at all and can be made again.
"""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING

from recollect.errors import Ambiguous, FileError, NotFound, UsageError
from recollect.files.event_logs import EventLog
from recollect.files.trees import read_cited
from recollect.files.writing import make_private_directory, sync_directory, write_atomic
from recollect.text.ids import is_called

if TYPE_CHECKING:
    from collections.abc import Mapping

    Field = str | int | bool

EVENTS, FIELDS, PLAN, CHECKPOINTS, INDEX, INBOX = (
    "events.jsonl",
    "workspace.yaml",
    "plan.md",
    "checkpoints",
    "index.md",
    "inbox",
)
_SESSION_ID = re.compile(r"s_[0-9a-z_]{1,64}")
_LINE = re.compile(r"^([A-Za-z_]\w*): *(.*?)\s*$")
# What YAML takes for a line break or refuses, beyond what JSON escapes by itself.
_UNSAFE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]")


class Workspace:
    """Where the things of one session are."""

    def __init__(self, root: str, session_id: str) -> None:
        if not _SESSION_ID.fullmatch(session_id):
            raise UsageError(f"{session_id!r} is not a session id: s_, then lower-case letters or digits.")
        self.session_id = session_id
        self.folder = os.path.join(os.path.realpath(root), session_id)
        if os.path.islink(self.folder):
            raise FileError(f"{self.folder} is a symlink; a session is a folder of its own.")
        self.log = EventLog(os.path.join(self.folder, EVENTS))

    def make(self) -> None:
        """Make the folders; what is there stays."""
        for name in ("", CHECKPOINTS, INBOX):
            make_private_directory(os.path.join(self.folder, name))
        sync_directory(os.path.dirname(self.folder))

    # -- workspace.yaml

    def fields(self) -> dict[str, Field]:
        """What workspace.yaml says: plain fields only, as far as it can be read."""
        return parse_fields(self._text(FIELDS))

    def set_fields(self, fields: Mapping[str, Field]) -> None:
        """Change these fields; others stay, and nothing is written when nothing is new."""
        text = self._text(FIELDS)
        wanted = render_fields({**parse_fields(text), **fields})
        if wanted != text:
            self._write(FIELDS, wanted)

    # -- plan.md

    def plan(self) -> str:
        """The plan as it is now; empty without one."""
        return self._text(PLAN)

    def write_plan(self, text: str) -> None:
        """Replace the plan."""
        self._write(PLAN, text)

    # -- checkpoints

    def checkpoints(self) -> dict[str, str]:
        """The Markdown files beside the index, by name."""
        try:
            names = sorted(os.listdir(os.path.join(self.folder, CHECKPOINTS)))
        except FileNotFoundError:
            return {}
        wanted = [name for name in names if name.endswith(".md") and name != INDEX and not name.startswith(".")]
        return {name: self._text(os.path.join(CHECKPOINTS, name)) for name in wanted}

    def write_checkpoint(self, name: str, text: str) -> None:
        """Write one checkpoint."""
        self._write(os.path.join(CHECKPOINTS, name), text)

    def write_index(self, text: str) -> None:
        """Write the index of the checkpoints, when it says something else than before."""
        if self._text(os.path.join(CHECKPOINTS, INDEX)) != text:
            self._write(os.path.join(CHECKPOINTS, INDEX), text)

    def path_of(self, checkpoint: str) -> str:
        """Where a checkpoint's file is."""
        return os.path.join(self.folder, CHECKPOINTS, checkpoint)

    def _text(self, path: str) -> str:
        return read_cited(self.folder, path) or ""

    def _write(self, path: str, text: str) -> None:
        write_atomic(self.folder, path, text)


def listed(root: str) -> list[str]:
    """The sessions that have a log here, the oldest id first."""
    try:
        names = sorted(os.listdir(root))
    except FileNotFoundError:
        return []
    return [name for name in names if _SESSION_ID.fullmatch(name) and os.path.isfile(os.path.join(root, name, EVENTS))]


def find(root: str, name: str) -> str:
    """The session with this id, or a unique beginning or end of one."""
    known = listed(root)
    if name in known:
        return name
    found = [session_id for session_id in known if is_called(session_id, name)]
    if len(found) > 1:
        raise Ambiguous(f"{len(found)} sessions match {name}; give more characters.")
    if not found:
        raise NotFound(
            f"No session of Recollect's own matches {name!r}; `recollect session list --all` shows the latest ones."
        )
    return found[0]


def render_fields(fields: Mapping[str, Field]) -> str:
    """Fields as YAML: one a line, every text in quotes, so that no text can be taken for anything else."""
    return "".join(f"{name}: {_scalar(value)}\n" for name, value in fields.items())


def parse_fields(text: str) -> dict[str, Field]:
    """The plain fields of a YAML file; lines that are none are passed over."""
    found = (_LINE.match(line) for line in text.removeprefix("\ufeff").split("\n"))
    pairs = ((line[1], _parsed(line[2])) for line in found if line)
    return {name: value for name, value in pairs if value is not None}


def _scalar(value: Field) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return _UNSAFE.sub(lambda one: "\ufffd" if "\ud800" <= one[0] <= "\udfff" else f"\\u{ord(one[0]):04x}", text)


def _parsed(text: str) -> Field | None:
    if text.startswith("'") and text.endswith("'") and len(text) > 1:
        return text[1:-1].replace("''", "'")
    try:
        value = json.loads(text)
    except ValueError:
        # Somebody wrote it by hand: bare text, perhaps with a remark behind it.
        value = text.split(" #")[0].rstrip()
        return value if value and value[0] not in "\"'[{|>&*!%@`#" and value not in ("~", "null") else None
    return value if isinstance(value, (str, int, bool)) else None
