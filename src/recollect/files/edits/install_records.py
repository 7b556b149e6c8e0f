"""A record of what an install made in the files of other programs, so that an uninstall leaves every byte as it was."""

from __future__ import annotations

import json
import os

from recollect.errors import FileError
from recollect.files.edits.file_edits import EditUndo, read_text, remove_file
from recollect.files.writing import write_atomic
from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from recollect.files.home import Home

RECORDS_FILE = "installed.json"
LOCK_FILE = "installed.lock"
VERSION = 1


class FileRecord(Record):
    """What Recollect did to one file."""

    path: str  # as the host names it
    hosts: tuple[str, ...]
    project: str = ""
    created: bool = False
    folders: tuple[str, ...] = ()  # made for it, the outermost first
    made: tuple[tuple[str, ...], ...] = ()  # paths of what was made in it to hold our entries
    backup: str = ""  # its name in the folder of backups
    before: str = ""  # hash of what an uninstall brings back, as long as nobody else edits the file; else empty
    after: str = ""  # hash of what was written

    @property
    def undo(self) -> EditUndo:
        """What brings the file back as it was."""
        return EditUndo(self.path, self.before, self.after, self.backup, self.folders)


def backups_folder(home: Home) -> str:
    """Where the texts from before an install are kept."""
    return os.path.join(home.backups, "hosts")


def read_records(home: Home) -> dict[str, FileRecord]:
    """What was done so far, by the real path of the file."""
    path = os.path.join(home.root, RECORDS_FILE)
    text = read_text(path)
    if text is None:
        return {}
    try:
        rows = json.loads(text)["files"]
        return {real: _record(row) for real, row in rows.items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise FileError(f"{path} is damaged; move it away and run `recollect install all` again.") from error


def write_records(home: Home, records: Mapping[str, FileRecord]) -> None:
    """Keep what was done; with nothing left to keep, no file stays."""
    path = os.path.join(home.root, RECORDS_FILE)
    if not records:
        remove_file(path)
        return
    rows = {real: {name: list(v) if isinstance(v, tuple) else v for name, v in zip(r._fields, r, strict=True)}
            for real, r in sorted(records.items())}  # fmt: skip
    write_atomic(home.root, path, json.dumps({"version": VERSION, "files": rows}, indent=2) + "\n")


def _record(row: Mapping[str, object]) -> FileRecord:
    fields = {name: row[name] for name in FileRecord._fields if name in row}
    made = fields.get("made") or []
    assert isinstance(made, list)
    lists = {name: tuple(value) for name, value in fields.items() if isinstance(value, list)}
    return FileRecord(**{**fields, **lists, "made": tuple(tuple(path) for path in made)})  # type: ignore[arg-type]
