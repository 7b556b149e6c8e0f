"""A hook never hurts its host: whatever is wrong with the call, the home or the machine, it says {} and ends with 0."""

from __future__ import annotations

import json
import os
import random
import resource
import select
import sqlite3
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from recollect import Recollect
from recollect.doors.hook import MOST_BYTES
from recollect.files.home import Home
from recollect.files.launchers.hook_launcher import ensure_launcher
from recollect.files.logs.hook_log import read_log
from recollect.flows.hooks.answer_hook import Clock
from recollect.flows.turns.keep_receipt import take_in_spool
from recollect.model.hooks import PRE_COMPACT
from tests.hook_calls import (
    ALL,
    SURROUNDINGS,
    answered,
    heard,
    launched,
    leaving,
    pre_compact,
    prompt,
    session_start,
    taken,
)
from tests.processes import Child

FUZZED = 2_000
FUZZED_PROCESSES = 60
EVENTS = (session_start, leaving, pre_compact, lambda host, cwd: prompt(host, cwd, "what is the deploy target?"))
STRANGE: tuple[Any, ...] = (
    None, True, 0, -1, 1e308, float("nan"), "", "\0", "\ud83d", "x" * 3_000, "/dev/null/x", "../../..", "{}", [], {}, [[]],
    {"a": {"b": {}}}, "日本語", "<memory-context>", "'; DROP TABLE entries; --", 10**30, "SessionStart", "UserPromptSubmit",
)  # fmt: skip


@pytest.fixture
def places(memory: Recollect, tmp_path: Path) -> tuple[Path, Path]:
    """The home and the user's folder."""
    memory.remember("The deploy target is Fly.io.")
    return tmp_path / "home", tmp_path / "user"


def malformed(chance: random.Random, cwd: Path) -> bytes:
    """Something that a host might send when it, or somebody in between, has gone mad."""
    host = chance.choice(ALL)
    said = chance.choice(EVENTS)(host, str(cwd))
    kind = chance.randrange(7)
    if kind == 0:
        return chance.randbytes(chance.randrange(0, 400))
    if kind == 1:
        data = json.dumps(said).encode()
        return data[: chance.randrange(len(data))]
    if kind == 2:
        bent = bytearray(json.dumps(said).encode())
        for _ in range(chance.randrange(1, 12)):
            bent[chance.randrange(len(bent))] = chance.randrange(256)
        return bytes(bent)
    if kind == 3:
        return json.dumps(chance.choice(STRANGE)).encode()
    if kind == 4:
        depth = chance.choice((50, 5_000))
        return b"[" * depth + b"]" * depth if chance.random() < 0.5 else b'{"a":' * depth + b"1" + b"}" * depth
    for name in chance.sample(list(said), k=chance.randrange(1, min(4, len(said)) + 1)):
        if chance.random() < 0.2:
            del said[name]
        else:
            said[name] = chance.choice(STRANGE)
    if kind == 6:
        said[chance.choice(("agent_id", "source", "hook_event_name", "hookEventName", "event"))] = chance.choice(
            STRANGE
        )
    return json.dumps(said).encode("utf-8", "surrogatepass") + chance.choice((b"", b"\n", b" \r\n"))


def is_valid(answer: bytes, *, plain: bool) -> bool:
    """One object on one line; for a compaction of Claude Code plain instructions, or nothing."""
    if plain:
        return answer == b"" or answer.startswith(b"Keep ")
    return answer.endswith(b"\n") and answer.count(b"\n") == 1 and isinstance(json.loads(answer), dict)


def test_five_thousand_malformed_calls_all_get_one_valid_object(places, repository: Path) -> None:
    chance = random.Random(5)
    environments: list[dict[str, Any]] = [
        {},
        *SURROUNDINGS.values(),
        {"RECOLLECT_RECALL__FLOOR": "x"},
        {"RECOLLECT_NONSENSE": "1"},
    ]
    outcomes: dict[str, int] = {}
    for _ in range(FUZZED):
        data = malformed(chance, repository)
        reply = heard(data, *places, host=chance.choice(("", "", *ALL)), **chance.choice(environments))
        compacts = reply.call is not None and (reply.call.host, reply.call.event) == ("claude-code", PRE_COMPACT)
        assert is_valid(reply.data, plain=compacts), data
        outcomes[reply.answered.outcome] = outcomes.get(reply.answered.outcome, 0) + 1
    assert {"not understood", "answered", "noted", "not ours", "no memory"} <= set(outcomes), outcomes


def test_malformed_calls_of_the_real_program_exit_with_0(places, repository: Path) -> None:
    chance = random.Random(6)
    launcher = ensure_launcher(Home(str(places[0])))
    environ = {"HOME": str(places[1]), "PATH": os.environ["PATH"]}
    for _ in range(FUZZED_PROCESSES):
        data = malformed(chance, repository)
        words = [launcher, *chance.choice(([], ["--host", chance.choice(ALL)], ["--host"], ["--nonsense", "x"]))]
        done = subprocess.run(
            words, input=data, capture_output=True, env=environ, cwd=repository, timeout=60, check=False
        )
        assert (done.returncode, done.stderr) == (0, b""), data
        assert is_valid(done.stdout, plain=done.stdout[:1] != b"{"), data


# -- streams


def test_a_hook_without_stdin_or_stdout_ends_quietly(places, tmp_path: Path) -> None:
    launcher = ensure_launcher(Home(str(places[0])))
    for redirection in ("<&-", ">&-", "<&- >&-", "< /dev/null", "> /dev/full", "<&- >&- 2>&-"):
        done = subprocess.run(
            ["sh", "-c", f"'{launcher}' {redirection}; echo $?"], capture_output=True, text=True, check=False
        )
        assert done.stdout.splitlines()[-1] == "0", redirection


def test_a_host_that_reads_nothing_does_not_hold_the_hook(places, repository: Path) -> None:
    launcher = ensure_launcher(Home(str(places[0])))
    hook = subprocess.Popen([launcher], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert hook.stdin is not None
    assert hook.stdout is not None
    hook.stdout.close()
    hook.stdin.write(json.dumps(session_start("codex", repository)).encode())
    hook.stdin.close()
    assert hook.wait(timeout=30) == 0


def test_a_host_that_never_closes_the_pipe_is_answered_all_the_same(places, repository: Path) -> None:
    launcher = ensure_launcher(Home(str(places[0])))
    hook = subprocess.Popen([launcher, "--host", "codex"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert hook.stdin is not None
    assert hook.stdout is not None
    hook.stdin.write(json.dumps(prompt("codex", repository, "what is the deploy target?")).encode())
    hook.stdin.flush()
    assert select.select([hook.stdout], [], [], 30)[0]
    json.loads(hook.stdout.readline())
    assert hook.wait(timeout=30) == 0
    hook.stdin.close()


def test_a_host_that_says_nothing_is_answered_in_time(places) -> None:
    launcher = ensure_launcher(Home(str(places[0])))
    began = time.monotonic()
    hook = subprocess.Popen([launcher], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert hook.stdout is not None
    assert hook.stdout.readline() == b"{}\n"
    assert hook.wait(timeout=30) == 0
    assert time.monotonic() - began < 5
    assert read_log(str(places[0] / "logs"))[-1]["outcome"] == "too late"


def test_a_call_without_end_is_read_to_its_end_and_dropped(places, repository: Path) -> None:
    said = {**prompt("codex", repository, "deploy target"), "noise": "x" * (MOST_BYTES + 1_000_000)}
    assert launched(said, *places, host="codex", RECOLLECT_HOOK__LIMIT_MILLISECONDS="10000").answer == {}


def test_a_prompt_of_a_million_words_is_answered(places, repository: Path) -> None:
    text = "what is the deploy target? " + "word " * 1_000_000
    reply = heard(prompt("codex", repository, text), *places, host="codex")
    assert isinstance(json.loads(reply.data), dict)


# -- the database


def test_a_locked_database_costs_fifty_milliseconds_and_the_receipt_waits_in_a_spool(
    memory: Recollect, repository: Path, places
) -> None:
    holding = sqlite3.connect(places[0] / "recollect.db", isolation_level=None)
    holding.execute("BEGIN IMMEDIATE")
    began = time.monotonic()
    answer = answered(prompt("codex", repository, "what is the deploy target?"), *places, host="codex")
    assert time.monotonic() - began < 5
    assert "Fly.io" in taken("codex", answer), "readers never wait"
    reply = heard(leaving("codex", repository), *places, host="codex")
    assert reply.answered.start_worker
    assert "Fly.io" not in taken("codex", answered(session_start("codex", repository), *places, host="codex"))
    holding.execute("ROLLBACK")
    holding.close()
    assert take_in_spool(memory.opened.store, spool_folder=str(places[0] / "spool")) == 2
    assert [receipt.turn for receipt in memory.receipts("S")] == [1, 0]
    assert "codex:S" in (places[0] / "spool" / "jobs.jsonl").read_text()


@pytest.mark.parametrize(
    "damage", ["nonsense", "empty", "torn", "another program's", "folder", "no permission to read"]
)
def test_a_broken_database_costs_the_memory_and_nothing_else(
    damage: str, memory: Recollect, repository: Path, places
) -> None:
    memory.close()
    path = places[0] / "recollect.db"
    for name in (f"{path}-wal", f"{path}-shm"):
        if os.path.exists(name):
            os.unlink(name)
    if damage == "nonsense":
        path.write_bytes(random.Random(1).randbytes(40_000))
    elif damage == "empty":
        path.write_bytes(b"")
    elif damage == "torn":
        data = bytearray(path.read_bytes())
        data[4_096:] = b"\xff" * (len(data) - 4_096)
        path.write_bytes(bytes(data))
    else:
        path.unlink()
        if damage == "another program's":
            with sqlite3.connect(path) as other:
                other.execute("CREATE TABLE songs (title)")
        elif damage == "folder":
            path.mkdir()
        else:
            path.symlink_to("/dev/null/nowhere")
    for said in (session_start("codex", repository), prompt("codex", repository, "what is the deploy target?")):
        done = launched(said, *places, host="codex", RECOLLECT_HOOK__LIMIT_MILLISECONDS="10000")
        assert done.answer == {}
        assert read_log(str(places[0] / "logs"))[-1]["outcome"] in ("no memory", "failed")
    assert heard(leaving("codex", repository), *places, host="codex").answered.start_worker
    assert "codex:S" in (places[0] / "spool" / "jobs.jsonl").read_text(), "the note waits beside the database"


def test_a_database_of_an_older_version_is_left_to_the_worker(memory: Recollect, repository: Path, places) -> None:
    memory.close()
    with sqlite3.connect(places[0] / "recollect.db") as database:
        database.execute("PRAGMA user_version = 1")
    assert answered(prompt("codex", repository, "what is the deploy target?"), *places, host="codex") == {}


def test_a_home_that_was_never_made_is_not_made_by_a_hook(tmp_path: Path, repository: Path) -> None:
    for said in (
        session_start("codex", repository),
        prompt("codex", repository, "hello"),
        leaving("codex", repository),
    ):
        reply = heard(said, tmp_path / "nowhere", tmp_path, host="codex")
        assert reply.data == b"{}\n"
        assert not reply.answered.start_worker
    assert not (tmp_path / "nowhere").exists()


# -- the disk


def test_a_full_disk_takes_the_receipt_and_not_the_answer(memory: Recollect, repository: Path, places) -> None:
    def work(output: int) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        for said in (
            prompt("codex", repository, "what is the deploy target?"),
            session_start("codex", repository),
            pre_compact("codex", repository),
            leaving("codex", repository),
        ):
            reply = heard(said, *places, host="codex")
            os.write(output, b"%d " % len(json.loads(reply.data)))

    import signal

    # The memory stays open: SQLite cannot read a log that it has no room to map.
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        child = Child(work)
        answers = child.read().split()
        assert child.wait() == 0
    finally:
        signal.signal(signal.SIGXFSZ, before)
    assert answers == [b"1", b"1", b"0", b"0"]


def test_a_home_that_cannot_be_written_to_still_gives_what_it_knows(
    memory: Recollect, repository: Path, places
) -> None:
    # Not by permissions, which mean nothing to root: where folders should be there are files, and the other way round.
    home = places[0]
    ensure_launcher(Home(str(home)))
    for name in ("logs", "spool", "sessions"):
        for path in sorted((home / name).rglob("*"), reverse=True):
            path.unlink()
        (home / name).rmdir()
        (home / name).write_text("")
    (home / "recollect.db.lock").unlink()
    (home / "recollect.db.lock").mkdir()
    slow: dict[str, Any] = {"RECOLLECT_HOOK__LIMIT_MILLISECONDS": "10000"}
    asked = launched(prompt("codex", repository, "what is the deploy target?"), *places, host="codex", **slow)
    assert "Fly.io" in taken("codex", asked.answer)
    assert "outlives" in taken(
        "codex", launched(session_start("codex", repository), *places, host="codex", **slow).answer
    )
    for said in (pre_compact("claude-code", repository), leaving("codex", repository)):
        assert not heard(said, *places).answered.start_worker


# -- the time


def test_promise_12_a_hook_past_its_time_says_nothing_and_says_so_in_the_log(
    memory: Recollect, repository: Path, places
) -> None:
    reply = heard(prompt("codex", repository, "what is the deploy target?"), *places, host="codex", limit=0.0)
    assert reply.data == b"{}\n"
    assert reply.answered.outcome == "too late"
    clock = Clock(0.5)
    assert not clock.late()
    assert 0 < clock.left_seconds <= 0.5


def test_promise_12_a_slow_database_cannot_hold_a_host(memory: Recollect, repository: Path, places) -> None:
    launcher = ensure_launcher(Home(str(places[0])))
    slow = (
        "import recollect.store.receipts as r, time\n"
        "def last_turn(self, session):\n"
        "    self._database.rows('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n')\n"
        "r.Receipts.last_turn = last_turn\n"
    )
    sleepy = "import recollect.store.receipts as r, time\nr.Receipts.last_turn = lambda self, session: time.sleep(60)\n"
    deaf = (
        "import recollect.store.receipts as r, time, _signal\n"
        "def last_turn(self, session):\n"
        "    _signal.pthread_sigmask(_signal.SIG_BLOCK, [_signal.SIGALRM]); time.sleep(60)\n"
        "r.Receipts.last_turn = last_turn\n"
    )
    stub = Path(places[0], "bin", "recollect-hook.py")
    plain = stub.read_text()
    said = json.dumps(prompt("codex", repository, "what is the deploy target?")).encode()
    environ = {"HOME": str(places[1]), "PATH": os.environ["PATH"]}
    for change in (slow, sleepy, deaf):
        stub.write_text(plain.replace("main(sys.argv", change + "main(sys.argv"))
        began = time.monotonic()
        done = subprocess.run(
            [launcher, "--host", "codex"], input=said, capture_output=True, env=environ, timeout=60, check=False
        )
        assert (done.returncode, done.stdout) == (0, b"{}\n")
        assert time.monotonic() - began < 5, "a busy machine starts programs slowly; the rest is 300 milliseconds"
        last = read_log(str(places[0] / "logs"))[-1]
        assert last.get("outcome") == "too late" or last.get("event") == "no answer", last
        for mark in (places[0] / "spool" / "seen").iterdir():
            mark.unlink()


def test_the_limit_is_a_setting(memory: Recollect, repository: Path, places) -> None:
    said = prompt("codex", repository, "what is the deploy target?")
    done = launched(said, *places, host="codex", RECOLLECT_HOOK__LIMIT_MILLISECONDS="10")
    assert done.answer == {}
    done = launched({**said, "turn_id": "t2"}, *places, host="codex", RECOLLECT_HOOK__LIMIT_MILLISECONDS="10000")
    assert "Fly.io" in taken("codex", done.answer)
