"""The memories that requests work with, one per repository, opened when first needed and kept while they are used.

Any number of threads may use one: each has its own connection to the database, whichever repository it asks for."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

from recollect.app import Recollect
from recollect.flows.opened import elsewhere

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_KEPT = 64
WAIT_SECONDS = 30.0  # for other writers: under load a write waits for its turn
REPOSITORY_SETTINGS = ".recollect.toml"


class Memories:
    """Opened memories by repository. What a person changes in the settings holds from the next request on."""

    def __init__(self, environ: Mapping[str, str], *, folder: str, home: str | None = None) -> None:
        self.folder = folder
        self._environ = environ
        self._home = home
        self._here: tuple[Recollect, tuple[object, ...]] | None = None
        self._elsewhere: dict[str, Recollect] = {}
        self._lock = threading.Lock()

    def at(self, repository: str | None = None) -> Recollect:
        """The memory of a repository; of the folder that the server was started in when none is named, and of the user
        alone for an empty name."""
        with self._lock:
            here = self._opened()
            known = here.repository
            # Its working tree is here, so that citations can be checked.
            if repository is None or (repository and repository in (known.repository, *known.aliases)):
                return here
            memory = self._elsewhere.pop(repository, None) or Recollect(elsewhere(here.opened, repository))
            self._elsewhere[repository] = memory
            while len(self._elsewhere) > MOST_KEPT:
                self._elsewhere.pop(next(iter(self._elsewhere)))
            return memory

    def close(self) -> None:
        """Let go of all of them."""
        with self._lock:
            if self._here:
                self._here[0].close()
            self._here = None
            self._elsewhere.clear()

    def _opened(self) -> Recollect:
        if self._here is None or self._here[1] != _files_state(self._here[0]):
            memory = Recollect.open(self._home, folder=self.folder, environ=self._environ, wait_seconds=WAIT_SECONDS)
            self._here = (memory, _files_state(memory))
            self._elsewhere.clear()
        return self._here[0]


def _files_state(memory: Recollect) -> tuple[object, ...]:
    """What changes when somebody changes the settings that hold here, puts another database in its place, or gives the
    repository another remote."""
    paths = [memory.home.config]
    if memory.repository.root:
        paths.append(os.path.join(memory.repository.root, REPOSITORY_SETTINGS))
    if memory.repository.common_directory:
        paths.append(os.path.join(memory.repository.common_directory, "config"))
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
