"""Runs a command, and ends it with everything it started when whoever asked for it is gone, however that ended.

`python die_with_parent.py HANDLE COMMAND...`: HANDLE is the reading end of a pipe that only that one holds open."""

import os
import signal
import sys
import threading


def main() -> None:
    """Wait for the command, or for the end of the pipe, whichever comes first."""
    handle, words = int(sys.argv[1]), sys.argv[2:]
    child = os.spawnvp(os.P_NOWAIT, words[0], words)  # noqa: S606 what it was given to run
    threading.Thread(target=_end_with, args=(child,), daemon=True).start()
    while os.read(handle, 1):
        pass
    os.killpg(0, signal.SIGKILL)


def _end_with(child: int) -> None:
    status = os.waitpid(child, 0)[1]
    code = os.waitstatus_to_exitcode(status)
    os._exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    main()
