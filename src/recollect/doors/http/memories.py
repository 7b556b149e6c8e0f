"""The memories that requests work with, one per repository, opened when first needed and kept while they are used.

Any number of threads may use one: each has its own connection to the database."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

from recollect.app import Recollect

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_OPEN = 16
WAIT_SECONDS = 30.0  # for other writers: under load a write waits for its turn
REPOSITORY_SETTINGS = ".recollect.toml"


class Memories:
    """Opened memories by repository. What a person changes in the settings holds from the next request on."""

    def __init__(self, environ: Mapping[str, str], *, folder: str, home: str | None = None) -> None:
        self.folder = folder
        self._environ = environ
        self._home = home
        self._open: dict[str | None, tuple[Recollect, tuple[object, ...]]] = {}
        self._lock = threading.Lock()

    def at(self, repository: str | None = None) -> Recollect:
        """The memory of a repository; of the folder that the server was started in when none is named, and of the user
        alone for an empty name."""
        here = self.at().repository if repository else None
        if here and repository in (here.repository, *here.aliases):
            repository = None  # its working tree is here, so that citations can be checked
        with self._lock:
            memory, state = self._open.pop(repository, (None, ()))
            if memory is None or state != _files_state(memory):
                memory = self._opened(repository)
            self._open[repository] = (memory, _files_state(memory))
            while len(self._open) > MOST_OPEN:
                self._open.pop(next(iter(self._open)))[0].close()
            return memory

    def close(self) -> None:
        """Let go of all of them."""
        with self._lock:
            while self._open:
                self._open.popitem()[1][0].close()

    def _opened(self, repository: str | None) -> Recollect:
        return Recollect.open(
            self._home, folder=self.folder, environ=self._environ, wait_seconds=WAIT_SECONDS, repository=repository
        )


def _files_state(memory: Recollect) -> tuple[object, ...]:
    """What changes when somebody changes the settings that hold here, or puts another database in its place."""
    paths = [memory.home.config]
    if memory.repository.root:
        paths.append(os.path.join(memory.repository.root, REPOSITORY_SETTINGS))
    database = _found(memory.home.database)
    return (
        database and (database.st_dev, database.st_ino),
        *(found and (found.st_mtime_ns, found.st_size, found.st_ino) for found in map(_found, paths)),
    )


def _found(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except OSError:
        return None
