"""The command line for tests: in this process for the many, as a real process where that is the point."""

from __future__ import annotations

import atexit
import io
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from recollect.__main__ import main
from recollect.files.processes import parents
from recollect.hosts.programs import agent_of
from recollect.settings import AGENT_VARIABLES, PREFIX
from tests.paths import TESTS
from tests.screens import Screen
from tests.zygote import Zygote

BIN = Path(sys.executable).parent
LOOKS = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "VISUAL", "EDITOR")
RECOLLECT = str(BIN / "recollect")
OUTSIDE = str(TESTS / "outside")


class Done(NamedTuple):
    """How a command ended and what it said."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON document on stdout."""
        assert self.out, self.err
        return json.loads(self.out)


Run = Callable[..., Done]


def clean_environment(home: Path, user: Path, **more: str) -> dict[str, str]:
    """This machine's environment, without its agent, its settings and its own home."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in AGENT_VARIABLES and name not in LOOKS and not name.startswith((PREFIX, "COPILOT_"))
    }
    path = f"{BIN}{os.pathsep}{kept.get('PATH', '')}"
    # Read by what every Python of a test starts with: see there.
    kept["PYTHONPATH"] = OUTSIDE
    if agent_of(parents()):
        kept["TESTS_INSIDE_AGENT"] = "1"
    return {**kept, "HOME": str(user), "RECOLLECT_HOME": str(home), "PATH": path, "TMPDIR": _temporary(), **more}


@cache
def _temporary() -> str:
    """A temporary folder for this process: the samples have one folder per user, and tests run beside each other."""
    folder = tempfile.mkdtemp(prefix="t-")
    os.chmod(folder, 0o1777)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


SHELLS = set("|&;<>$`\\*?~()\n")  # what only a shell understands
SERVERS = ("hook", "mcp")


def process(
    words: list[str] | str, folder: Path, environ: Mapping[str, str], stdin: str = "", *, afresh: bool = False
) -> Done:
    """Run a real process; a text goes through the shell. Our own command is loaded once, unless it is to start afresh."""
    if _is_service(words):
        return _until_it_listens(words, folder, environ)
    own = None if afresh or environ.get("PYTHONPATH") != OUTSIDE else _own_command(words)
    if own:
        return Done(*_zygote().run(own, folder, environ, stdin))
    command = ["sh", "-c", words] if isinstance(words, str) else words
    done = subprocess.run(
        command, cwd=folder, env=dict(environ), input=stdin, capture_output=True, text=True, timeout=60, check=False
    )
    return Done(done.returncode, done.stdout, done.stderr)


def shown(line: str, folder: Path, environ: Mapping[str, str], *, colour: bool) -> tuple[int, Screen]:
    """Run a command on a terminal of 80 columns with nobody to answer it; the exit code, and what it shows."""
    environ = {**environ, "TERM": "xterm-256color", **({} if colour else {"NO_COLOR": "1"})}
    with Screen() as screen:
        if own := _own_command(line):
            return _zygote().show(own, folder, environ, screen), screen
        with subprocess.Popen(
            ["sh", "-c", line],
            cwd=folder,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=screen.inside,
            stderr=subprocess.STDOUT,
        ) as started:
            ended = os.pidfd_open(started.pid)
            screen.read_until(ended)
            os.close(ended)
            return started.wait(), screen


def _is_service(words: list[str] | str) -> bool:
    return (words.split() if isinstance(words, str) else words)[1:2] == ["serve"]


def _until_it_listens(words: list[str] | str, folder: Path, environ: Mapping[str, str]) -> Done:
    """Run the service, and end it once it says where it listens."""
    command = shlex.split(words) if isinstance(words, str) else words
    with subprocess.Popen(
        command, cwd=folder, env=dict(environ), stdin=subprocess.DEVNULL, stdout=-1, stderr=-1, text=True
    ) as server:
        assert server.stderr is not None
        first = server.stderr.readline()
        server.terminate()
        out, err = server.communicate(timeout=60)
        return Done(server.returncode, out, first + err)


def _own_command(words: list[str] | str) -> list[str]:
    if isinstance(words, str):
        words = [] if SHELLS & set(words) else shlex.split(words)
    ours = words[:1] in (["recollect"], [RECOLLECT]) and words[1:2] != [] and words[1] not in SERVERS
    return words if ours else []


@cache
def _zygote() -> Zygote:
    started = Zygote({**os.environ, **clean_environment(Path(os.devnull), Path(os.devnull))})
    atexit.register(started.stop)
    return started


@pytest.fixture
def cli(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Commands in this process, inside a repository: `cli("list", "--json")`."""
    (tmp_path / "user").mkdir(exist_ok=True)
    environ = clean_environment(tmp_path / "home", tmp_path / "user")
    monkeypatch.chdir(repository)
    for name in os.environ:
        monkeypatch.delenv(name)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)

    # A worker would outlive the test; those that are about it put the real one back.
    monkeypatch.setattr("recollect.files.worker_process.start_worker", lambda *_: None)
    # A worker in this process would make every later test yield to others.
    monkeypatch.setattr("os.nice", lambda _: 0)
    monkeypatch.setattr("recollect.flows.writes.actors.parents", list)
    monkeypatch.setattr("recollect.flows.writes.actors.environments_above", list)
    monkeypatch.setattr("recollect.flows.writes.actors.is_cut_loose", lambda: False)
    monkeypatch.setattr("recollect.flows.writes.actors.is_piped", lambda: False)

    def run(*words: str, stdin: str = "") -> Done:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8"))
        capsys.readouterr()
        code = main(list(words))
        captured = capsys.readouterr()
        return Done(code, captured.out, captured.err)

    return run
