"""Files of other programs that Recollect edits: read as text, written through symlinks with a backup in the home,
and a record of what was made there, so that an uninstall leaves every byte as it was."""

from __future__ import annotations

import hashlib
import json
import os
import stat

from recollect.errors import FileError
from recollect.files.writing import translated, write_atomic
from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from recollect.files.home import Home

RECORDS_FILE = "installed.json"
LOCK_FILE = "installed.lock"
LIMIT_BYTES = 64_000_000
VERSION = 1
ABSENT = "absent"  # stands for the hash of a file that was not there


class FileRecord(Record):
    """What Recollect did to one file."""

    path: str  # as the host names it
    hosts: tuple[str, ...]
    project: str = ""
    created: bool = False
    folders: tuple[str, ...] = ()  # made for it, the outermost first
    made: tuple[tuple[str, ...], ...] = ()  # paths of what was made in it to hold our entries
    backup: str = ""  # its name in the home
    before: str = ""  # hash of what an uninstall brings back, as long as nobody else edits the file; else empty
    after: str = ""  # hash of what was written


def read_text(path: str) -> str | None:
    """The file's text with every line end as it is, or None when there is no file. Raises FileError, saying why."""
    try:
        if not os.path.exists(path):
            return None
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise FileError(f"{path} is not a regular file; nothing was changed.")
        with open(path, "rb") as file:
            data = file.read(LIMIT_BYTES + 1)
    except OSError as error:
        raise FileError(f"{path} could not be read: {error.strerror or error}; nothing was changed.") from error
    if len(data) > LIMIT_BYTES:
        raise FileError(f"{path} is larger than {LIMIT_BYTES // 1_000_000} MB; nothing was changed.")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise FileError(f"{path} is not UTF-8 text; nothing was changed.") from error


def missing_folders(path: str) -> tuple[str, ...]:
    """The folders that have to be made before the file can be written, the outermost first."""
    missing: list[str] = []
    folder = os.path.dirname(os.path.realpath(path))
    while folder and not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    return tuple(reversed(missing))


def write_text(path: str, text: str, *, private: bool) -> None:
    """Replace the file in one step: the target of a link, never the link. An existing file keeps its permissions."""
    real = os.path.realpath(path)
    write_atomic(os.path.dirname(real) or os.sep, real, text.encode(), mode=0o600 if private else 0o644)


def remove_file(path: str) -> None:
    """Remove a file that was made here; a link to it is the user's and stays."""
    try:
        os.unlink(os.path.realpath(path))
    except FileNotFoundError:
        return
    except OSError as error:
        raise translated(error, path) from error


def remove_folders(folders: tuple[str, ...]) -> list[str]:
    """Remove folders that were made here, as far as they are empty; returns those that stay."""
    stay = []
    for folder in sorted(set(folders), key=len, reverse=True):
        try:
            os.rmdir(folder)
        except FileNotFoundError:
            continue
        except OSError:
            stay.append(folder)
    return stay


def back_up(home: Home, path: str, text: str) -> str:
    """Keep the text in the home, once a file; returns the name of the backup."""
    real = os.path.realpath(path)
    name = f"{hashlib.sha256(real.encode()).hexdigest()[:16]}-{os.path.basename(real)}"
    write_atomic(home.root, os.path.join(home.backups, "hosts", name), text.encode())
    return name


def read_backup(home: Home, record: FileRecord) -> str | None:
    """The text from before the first edit, if it is still what it was."""
    if not record.backup:
        return None
    text = read_text(os.path.join(home.backups, "hosts", record.backup))
    return text if text is not None and digest(text) == record.before else None


def remove_backup(home: Home, record: FileRecord) -> None:
    """Forget the backup of a file that is as it was."""
    if record.backup:
        remove_file(os.path.join(home.backups, "hosts", record.backup))


def digest(text: str) -> str:
    """The hash of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


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
        raise FileError(f"{path} is damaged; move it away and run `recollect install` again.") from error


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
