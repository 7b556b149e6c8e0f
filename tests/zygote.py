"""A Recollect that is loaded already: each command that a test runs is a process forked from it, in a tenth of the time.

It has no database open, so what it forks is as good as a new process. Tests about the start of the program, about
the surroundings of its process or about its streams start a new one."""

from __future__ import annotations

import atexit
import importlib
import io
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Mapping
from pathlib import Path

from tests.screens import Screen

SLOW_TO_LOAD = ("pydantic_ai.models.openai", "pydantic_ai.models.anthropic", "rich.console", "rich.markdown")
PATIENCE_SECONDS = 60


class Zygote:
    """The loaded program, as one process beside the tests."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="z-")
        self._address = os.path.join(self._folder.name, "z")
        command = [sys.executable, "-m", "tests.zygote", self._address]
        root = Path(__file__).resolve().parent.parent
        path = f"{environ.get('PYTHONPATH', '')}{os.pathsep}{root}"
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**environ, "PYTHONPATH": path}
        )
        assert self._process.stdout
        assert self._process.stdout.readline() == b"ready\n"

    def run(self, words: list[str], folder: Path, environ: Mapping[str, str], stdin: str) -> tuple[int, str, str]:
        """Run a command: exit code, output and errors."""
        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            given.write(stdin.encode())
            given.seek(0)
            with self._started(words, folder, environ, (given.fileno(), out.fileno(), err.fileno())) as connection:
                code = _code(connection, words)
            out.seek(0)
            err.seek(0)
            return code, out.read().decode(), err.read().decode()

    def show(self, words: list[str], folder: Path, environ: Mapping[str, str], screen: Screen) -> int:
        """Run a command that nobody answers, with a terminal for its output; the exit code."""
        with open(os.devnull) as nothing:
            handles = (nothing.fileno(), screen.inside, screen.inside)
            with self._started(words, folder, environ, handles) as connection:
                screen.read_until(connection.fileno())
                return _code(connection, words)

    def _started(
        self, words: list[str], folder: Path, environ: Mapping[str, str], handles: tuple[int, int, int]
    ) -> socket.socket:
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(PATIENCE_SECONDS)
        connection.connect(self._address)
        socket.send_fds(connection, [b"+"], handles)
        connection.sendall(json.dumps([words, str(folder), dict(environ)]).encode())
        connection.shutdown(socket.SHUT_WR)
        return connection

    def stop(self) -> None:
        """Let it end."""
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait()
        self._folder.cleanup()


def _code(connection: socket.socket, words: list[str]) -> int:
    code = connection.recv(16)
    assert code, f"{words} was killed"
    return int(code)


def main() -> None:
    """Load the program, then fork for each command that is asked for, until nobody is there any more."""
    from recollect.doors.cli.tree import COMMANDS, cli

    for name in COMMANDS:
        cli.get_command(None, name)  # type: ignore[arg-type]
    for name in SLOW_TO_LOAD:
        importlib.import_module(name)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the forks
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(sys.argv[1])
    listening.listen(64)
    print("ready", flush=True)
    while True:
        ready, _, _ = select.select([listening, sys.stdin], [], [])
        if sys.stdin in ready:
            os._exit(0)
        connection, _ = listening.accept()
        if os.fork():
            connection.close()
            continue
        try:
            listening.close()
            _serve(connection)
        except BaseException:  # noqa: BLE001 - a fork must never come back into the loop
            traceback.print_exc()
        os._exit(1)


def _serve(connection: socket.socket) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    _, handles, _, _ = socket.recv_fds(connection, 1, 3)
    parts = []
    while part := connection.recv(1 << 16):
        parts.append(part)
    words, folder, environ = json.loads(b"".join(parts))
    for number, handle in enumerate(handles):
        os.dup2(handle, number)
        os.close(handle)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environ)
    time.tzset()
    sys.argv = words
    sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0)), encoding="utf-8")
    sys.stdout = io.TextIOWrapper(io.FileIO(1, "w"), encoding="utf-8", errors="surrogateescape", write_through=True)
    sys.stderr = io.TextIOWrapper(io.FileIO(2, "w"), encoding="utf-8", errors="backslashreplace", write_through=True)
    connection.sendall(b"%d" % _run(words[1:]))
    os._exit(0)


def _run(words: list[str]) -> int:
    from recollect.__main__ import main as recollect

    try:
        code = recollect(words)
        atexit._run_exitfuncs()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:  # noqa: BLE001 - as the interpreter would
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    return code


if __name__ == "__main__":
    main()
