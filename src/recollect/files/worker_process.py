"""Start the worker as a process of its own. Hooks use this, so it imports next to nothing."""

from __future__ import annotations

import os

from recollect.settings import environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.files.home import Home

# What the system may raise instead of starting a process.
NOT_STARTED = (OSError, ValueError, NotImplementedError)


def start_worker(python: str, home: Home) -> None:
    """A process that outlives whoever starts it: no terminal, no streams, its own session. Raises NOT_STARTED."""
    # -E -P: neither the folder the agent works in nor its environment decides what is imported.
    command = [python, "-E", "-P", "-m", "recollect", "worker", "--once"]
    environ = {**environment(), "RECOLLECT_HOME": home.root}
    if not hasattr(os, "posix_spawn"):
        os.spawnve(getattr(os, "P_DETACH", os.P_NOWAIT), python, command, environ)  # noqa: S606
        return
    nowhere = [(os.POSIX_SPAWN_OPEN, handle, os.devnull, os.O_RDWR, 0) for handle in (0, 1, 2)]
    try:
        os.posix_spawn(python, command, environ, file_actions=nowhere, setsid=True)
    except NotImplementedError:
        os.posix_spawn(python, command, environ, file_actions=nowhere, setpgroup=0)
