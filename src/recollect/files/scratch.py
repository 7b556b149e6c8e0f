"""An empty folder for a child process, with files for it beside the folder; both are gone when it is done."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING

from recollect.errors import FileError
from recollect.model.asking import FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PREFIX = "recollect-"


@contextmanager
def scratch_folder(files: Mapping[str, str]) -> Iterator[tuple[str, dict[str, str]]]:
    """The empty folder, and the path of each file by its name without the ending."""
    try:
        place = os.path.realpath(tempfile.mkdtemp(prefix=PREFIX))
        folder = os.path.join(place, FOLDER)
        os.mkdir(folder, 0o700)
        paths = {}
        for name, text in files.items():
            path = os.path.join(place, name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            paths[os.path.splitext(name)[0]] = path
    except OSError as error:
        raise FileError(f"There is no folder to ask a model in: {error}") from error
    try:
        yield folder, paths
    finally:
        shutil.rmtree(place, ignore_errors=True)
