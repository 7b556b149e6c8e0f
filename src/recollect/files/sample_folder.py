"""The folder of `recollect up --sample`: one per user, for its owner only, emptied whenever the samples run again."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING

from recollect.errors import FileError, Refused, StoreBusy
from recollect.locks import lock

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

NAME = "recollect-sample"
LOCK = "in-use"


def sample_folder(environ: Mapping[str, str]) -> str:
    """Where it is: in the temporary folder, under the name of the user who runs this."""
    return os.path.join(_temporary(environ), f"{NAME}-{os.getuid()}" if os.name == "posix" else NAME)


def is_temporary(folder: str, environ: Mapping[str, str]) -> bool:
    """Does this folder lie in the temporary one, where it goes with the next start of the machine?"""
    above = os.path.realpath(_temporary(environ))
    return os.path.realpath(folder).startswith(above + os.sep)


def _temporary(environ: Mapping[str, str]) -> str:
    wanted = environ.get("TMPDIR", "")
    return os.path.abspath(wanted) if wanted and os.path.isdir(wanted) else tempfile.gettempdir()


@contextmanager
def emptied(folder: str) -> Iterator[None]:
    """The folder, new or emptied, for as long as the context lasts. Refused when it is not ours, or in use."""
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        _require_ours(folder)
    except OSError as error:
        raise FileError(f"{folder} cannot be created ({error.strerror}). Set TMPDIR to another folder.") from error
    try:
        with lock(os.path.join(folder, LOCK), wait_seconds=0.0):
            _empty(folder)
            yield
    except StoreBusy as error:
        raise Refused(
            f"The sample sessions in {folder} are in use, most likely by a panel in another terminal. "
            "Press Ctrl-C there, then try again."
        ) from error


def _require_ours(folder: str) -> None:
    found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode):
        raise Refused(f"{folder} is not a folder, so the samples were not put there. Remove it, or set TMPDIR.")
    if os.name == "posix" and (found.st_uid != os.getuid() or stat.S_IMODE(found.st_mode) & 0o077):
        raise Refused(
            f"{folder} belongs to another user or is open to others, so it was left as it is. "
            "Remove it, or set TMPDIR to another folder."
        )


def _empty(folder: str) -> None:
    try:
        with os.scandir(folder) as there:
            for one in list(there):
                if one.is_dir(follow_symlinks=False):
                    shutil.rmtree(one.path)
                elif one.name != LOCK:
                    os.unlink(one.path)
    except OSError as error:
        raise FileError(f"{folder} cannot be emptied: {error.strerror}. Delete it, then try again.") from error
