"""Planned edits of somebody's file: what it is and what it will be, an atomic write, and an exact undo.

plan      read the file -> the wanted text beside it, nothing written
keep      its bytes into a folder of ours -> what an undo needs, for the caller to record before anything is written
apply     still as planned? -> write in one step; a file that changed since is left alone
undo      still what the edit wrote? -> the same bytes as before, or no file and none of the folders made for it
"""

from __future__ import annotations

import hashlib
import os
import stat

from recollect.errors import FileError
from recollect.files.writing import translated, write_atomic
from recollect.model.record import Record

LIMIT_BYTES = 64_000_000
ABSENT = "absent"  # stands for the hash of a file that is not there


class FileEdit(Record):
    """One file as it was when the edit was planned, and as it will be; None stands for no file."""

    path: str
    before: str | None
    after: str | None
    private: bool = True  # if the file has to be made: is it its owner's alone?

    @property
    def is_needed(self) -> bool:
        """Is there anything to do?"""
        return self.before != self.after

    @property
    def reverse(self) -> FileEdit:
        """The edit that takes this one back."""
        return self._replace(before=self.after, after=self.before)


class EditUndo(Record):
    """What an exact undo of an edit needs."""

    path: str
    before: str  # hash of what it brings back; empty when that is not kept
    after: str  # hash of what the edit wrote
    backup: str = ""  # the name of the kept text in its folder; empty when there was no file
    folders: tuple[str, ...] = ()  # made for the file, the outermost first


class Applied(Record):
    """The file is as the edit wants it, whether it was written now or before."""

    path: str


class TargetChanged(Record):
    """The file is not what it was when the edit was planned; nothing was written."""

    path: str


def plan_edit(path: str, after: str | None, *, private: bool = True) -> FileEdit:
    """An edit of the file as it is now. Raises FileError when it cannot be read as text."""
    return FileEdit(path, read_text(path), after, private)


def keep_undo(edit: FileEdit, folder: str) -> EditUndo:
    """Keep the text from before the edit in a folder, once a file; returns what an undo needs. Call it before apply."""
    name = ""
    if edit.before is not None:
        real = os.path.realpath(edit.path)
        name = f"{hashlib.sha256(real.encode()).hexdigest()[:16]}-{os.path.basename(real)}"
        write_atomic(folder, os.path.join(folder, name), edit.before.encode())
    return EditUndo(edit.path, digest(edit.before), digest(edit.after), name, missing_folders(edit.path))


def apply_edit(edit: FileEdit) -> Applied | TargetChanged:
    """Write the file in one step, if it is still as planned. To apply an edit twice is to apply it once."""
    now = read_text(edit.path)
    if now == edit.after:
        return Applied(edit.path)
    if now != edit.before:
        return TargetChanged(edit.path)
    if edit.after is None:
        remove_file(edit.path)
    else:
        real = os.path.realpath(edit.path)  # the target of a link, never the link
        folder = os.path.dirname(real) or os.sep
        write_atomic(folder, real, edit.after.encode(), mode=0o600 if edit.private else 0o644)
    return Applied(edit.path)


def plan_undo(undo: EditUndo, folder: str) -> FileEdit | None:
    """The edit that brings back the very bytes from before; None when the file changed since or they are not kept."""
    now = read_text(undo.path)
    if digest(now) == undo.before:
        return FileEdit(undo.path, now, now)
    if digest(now) != undo.after:
        return None
    before = read_text(os.path.join(folder, undo.backup)) if undo.backup else None
    return FileEdit(undo.path, now, before) if digest(before) == undo.before else None


def apply_undo(undo: EditUndo, folder: str) -> Applied | TargetChanged:
    """Bring back the file, or its absence, exactly. The kept text stays until `forget_undo`."""
    edit = plan_undo(undo, folder)
    if edit is None:
        return TargetChanged(undo.path)
    outcome = apply_edit(edit)
    if isinstance(outcome, Applied) and edit.after is None:
        remove_folders(undo.folders)
    return outcome


def forget_undo(undo: EditUndo, folder: str) -> None:
    """Throw away what was kept."""
    if undo.backup:
        remove_file(os.path.join(folder, undo.backup))


def digest(text: str | None) -> str:
    """The hash of a text, or what stands for it where there is no file."""
    return ABSENT if text is None else hashlib.sha256(text.encode()).hexdigest()


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
