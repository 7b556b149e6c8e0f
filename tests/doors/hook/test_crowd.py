"""Many hooks at once: one works for the others, each host gets its own answer, and nothing is left behind."""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from recollect import Recollect
from recollect.doors.hook_crowd import LIFE_SECONDS, PER_PROCESSOR, Crowd
from recollect.files.home import Home
from recollect.files.launchers.hook_launcher import ensure_launcher
from recollect.files.logs.hook_log import read_log
from tests.hook_calls import launched, prompt, taken

TOOLS = ("Argo", "Bazel", "Celery", "Django", "Envoy", "Flask", "Grafana", "Helm", "Istio", "Jenkins", "Kafka", "Loki")
HOOKS = 24
FREE = PER_PROCESSOR * (os.cpu_count() or 1)
LONG: dict[str, Any] = {"RECOLLECT_HOOK__LIMIT_MILLISECONDS": "10000"}

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="hooks work alone here")


@pytest.fixture
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home whose path leaves room for the name of a socket."""
    return tmp_path_factory.mktemp("h")


@pytest.fixture
def memory(home: Path, repository: Path) -> Iterator[Recollect]:
    with Recollect.open(str(home), folder=str(repository), environ={"HOME": str(home)}) as opened:
        for tool in TOOLS:
            opened.remember(f"The {tool} configuration lives in ops/{tool.lower()}.yaml.")
        yield opened


def busy(home: Path) -> list[Crowd]:
    """Hooks that work just now, so many that the next one has to wait."""
    found: list[Crowd] = []
    while True:
        crowd = Crowd(str(home / "spool"))
        if not crowd.leads():
            return found
        found.append(crowd)


def leave(crowds: list[Crowd]) -> None:
    for crowd in crowds:
        crowd.leave()


def places(home: Path) -> int:
    """How many more hooks could work just now."""
    found = busy(home)
    leave(found)
    return len(found)


def test_a_hook_that_comes_while_others_work_is_answered_by_one_of_them(
    memory: Recollect, home: Path, repository: Path
) -> None:
    heard = []

    def answer(said: tuple[list[str], bytes, dict[str, str], str, float, str]) -> bytes:
        heard.append(said)
        return b'{"from": "another"}\n'

    others = busy(home)
    threads = [threading.Thread(target=crowd._answer_all, args=(answer, 3.0)) for crowd in others]
    for thread in threads:
        thread.start()
    said = prompt("codex", repository, "where is the Kafka configuration?")
    done = launched(said, home, home, host="codex", cwd=repository)
    assert done.answer == {"from": "another"}
    [(words, data, environ, folder, _, _)] = heard
    assert (words, json.loads(data), environ["HOME"]) == (["--host", "codex"], said, str(home))
    assert folder == str(repository), "a relative path means what it meant to the one that asked"
    for crowd, thread in zip(others, threads, strict=True):
        thread.join()
        crowd.leave()


def test_a_hook_whose_helper_goes_away_works_itself(memory: Recollect, home: Path, repository: Path) -> None:
    others = busy(home)
    threading.Timer(0.05, leave, [others]).start()
    said = prompt("codex", repository, "where is the Kafka configuration?")
    done = launched(said, home, home, host="codex", **LONG)
    assert taken("codex", done.answer) == "" or "Kafka" in taken("codex", done.answer)
    assert done.code == 0


def test_a_killed_hook_leaves_nothing_that_stands_in_the_way(memory: Recollect, home: Path, repository: Path) -> None:
    for number in range(64):
        (home / "spool" / f"crowd-{number}").write_text("")
        (home / "spool" / f"crowd-{number}.lock").write_text("")
    said = prompt("codex", repository, "where is the Kafka configuration?")
    assert "Kafka" in taken("codex", launched(said, home, home, host="codex", **LONG).answer)


def test_a_hook_that_waited_in_vain_says_so_in_the_log(memory: Recollect, home: Path, repository: Path) -> None:
    others = busy(home)
    done = launched(prompt("codex", repository, "where is the Kafka configuration?"), home, home, host="codex")
    leave(others)
    assert done.answer == {}
    [line] = read_log(str(home / "logs"))
    assert line["outcome"] == "too late"
    assert "behind other hooks" in str(line["why"])


def test_in_a_crowd_every_host_gets_its_own_answer_and_nobody_stays(
    memory: Recollect, home: Path, repository: Path
) -> None:
    launcher = ensure_launcher(Home(str(home)))
    environ = {"HOME": str(home), "PATH": os.environ["PATH"]}
    started = []
    for number in range(HOOKS):
        tool = TOOLS[number % len(TOOLS)]
        process = subprocess.Popen(
            [launcher, "--host", "codex"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environ, cwd=repository
        )
        assert process.stdin
        process.stdin.write(
            json.dumps(prompt("codex", repository, f"where is the {tool} configuration?", f"S{number}")).encode()
        )
        process.stdin.close()
        started.append((process, tool))
    for process, tool in started:
        assert process.stdout
        text = taken("codex", json.loads(process.stdout.read()))
        assert process.wait() == 0
        assert text == "" or f"The {tool} configuration" in text
        assert not [other for other in TOOLS if other != tool and f"The {other} " in text]
    deadline = time.monotonic() + LIFE_SECONDS + 5
    while (free := places(home)) < FREE and time.monotonic() < deadline:
        time.sleep(0.1)
    assert free == FREE, "who answered the others is gone, and the next hooks find their places"
