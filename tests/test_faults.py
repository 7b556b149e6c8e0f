"""What a user keeps when many agents write at once, the disk fills up or a statement fails: real processes."""

from __future__ import annotations

import json
import os
import random
import resource
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recollect import Recollect
from recollect.errors import RecollectError, StoreError, StoreFull
from recollect.flows.turns.keep_receipt import take_in_spool
from recollect.flows.upkeep.put_in_order import put_in_order
from recollect.store.database import SCHEMA_VERSION, Database
from recollect.store.upkeep import check, verify_index
from tests.conftest import Clock
from tests.processes import Child

WRITERS = 16
MIXED_SECONDS = float(os.environ.get("FAULT_TEST_SECONDS", "8"))
ALONE_SECONDS = MIXED_SECONDS / 6


def opened(home: Path) -> Recollect:
    return Recollect.open(str(home), folder=str(home.parent), environ={"HOME": str(home.parent)})


def fact(chance: random.Random) -> str:
    """A statement that has nothing to do with any other."""
    words = ["".join(chance.choices("bcdfghklmnprstvw", k=7)) for _ in range(6)]
    return f"{words[0]} {words[1]} sends {words[2]} to {words[3]} through {words[4]} {words[5]}."


# Sixteen at once


class Worker:
    """One agent: remembers, recalls, votes, corrects, takes back; and knows what it was told."""

    def __init__(self, home: Path, seed: int) -> None:
        self.memory = opened(home)
        self.chance = random.Random(seed)
        self.expected: dict[str, str] = {}
        self.adds = self.recalls = 0
        self.worst = {"remember": 0.0, "recall": 0.0}

    def run(self, seconds: float) -> dict[str, Any]:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            entry_id = self.remember()
            kind = self.chance.random()
            if kind < 0.5:
                self.recall(entry_id)
            elif kind < 0.7:
                self.memory.vote(entry_id, "up", "seen")
            elif kind < 0.85:
                outcome = self.memory.correct(fact(self.chance), entry_id=entry_id)
                self.expected.update({entry_id: "superseded", outcome.entry_id: "active"})
            else:
                self.memory.undo(entry_id)
                self.expected[entry_id] = "inactive"
        self.memory.close()
        return {"expected": self.expected, "adds": self.adds, "recalls": self.recalls, "worst": self.worst}

    def remember(self) -> str:
        began = time.monotonic()
        outcome = self.memory.remember(fact(self.chance), scope="user")
        self._took("remember", began)
        assert outcome.status == "stored"
        self.expected[outcome.entry_id] = "active"
        self.adds += 1
        return outcome.entry_id

    def recall(self, entry_id: str) -> None:
        query = self.memory.entries.get(entry_id).content
        began = time.monotonic()
        found = self.memory.recall(query).found
        self._took("recall", began)
        assert entry_id in [one.entry.entry_id for one in found.entries]
        self.recalls += 1

    def _took(self, what: str, began: float) -> None:
        self.worst[what] = max(self.worst[what], time.monotonic() - began)


def run_workers(home: Path, count: int, seconds: float, seed: int) -> list[dict[str, Any]]:
    def work(number: int) -> Callable[[int], None]:
        def run(pipe: int) -> None:
            with os.fdopen(pipe, "w") as output:
                output.write(json.dumps(Worker(home, seed + number).run(seconds)))

        return run

    children = [Child(work(number)) for number in range(count)]
    outputs = [child.read() for child in children]
    assert [child.wait() for child in children] == [0] * count
    return [json.loads(output) for output in outputs]


@pytest.mark.slow
def test_sixteen_agents_at_once_lose_nothing_and_nobody_meets_a_lock(tmp_path, record_property):
    [alone] = run_workers(tmp_path / "alone", 1, ALONE_SECONDS, seed=0)
    done = run_workers(tmp_path / "home", WRITERS, MIXED_SECONDS, seed=1)
    memory = opened(tmp_path / "home")
    expected = {entry_id: status for one in done for entry_id, status in one["expected"].items()}
    assert {entry.entry_id: entry.status for entry in memory.entries.list(everywhere=True, status="any")} == expected
    assert check(memory.opened.store) == []
    put_in_order(memory.opened)
    receipts = memory.opened.store.database.rows("SELECT count(*) FROM receipts")[0][0]
    assert receipts == sum(one["recalls"] for one in done)
    ratio = sum(one["adds"] for one in done) / MIXED_SECONDS / (alone["adds"] / ALONE_SECONDS)
    worst = {what: max(one["worst"][what] for one in done) for what in ("remember", "recall")}
    print(f"\nadds/s alone {alone['adds'] / ALONE_SECONDS:.0f}, ratio of {WRITERS} to one {ratio:.2f}, worst {worst}")
    record_property("adds_ratio", ratio)
    assert ratio > 0.05, "how much faster is for benchmarks.writers; here nobody starves"
    assert worst["remember"] < 15


def test_eight_processes_that_open_an_empty_home_at_once_make_one_schema(tmp_path):
    gate, go = os.pipe()

    def work(pipe: int) -> None:
        os.read(gate, 1)
        with opened(tmp_path / "home") as memory:
            memory.remember(fact(random.Random(os.getpid())), scope="user")
            os.write(pipe, json.dumps(memory.notices).encode())

    children = [Child(work) for _ in range(8)]
    os.write(go, b"x" * 8)
    assert [json.loads(child.read()) for child in children] == [[]] * 8
    assert [child.wait() for child in children] == [0] * 8
    memory = opened(tmp_path / "home")
    assert len(memory.entries.list()) == 8
    assert memory.opened.store.database.rows("SELECT count(*) FROM migrations") == [(SCHEMA_VERSION,)]
    assert check(memory.opened.store) == []


# Readers


def test_a_reader_neither_waits_for_a_long_write_nor_sees_half_of_it(tmp_path):
    memory = opened(tmp_path / "home")
    kept = memory.remember("The harbour crane is painted yellow.", scope="user").entry_id
    reached, tell = os.pipe()
    gate, go = os.pipe()

    def work(_: int) -> None:
        with opened(tmp_path / "home") as other, other.opened.store.write():
            other.remember("The harbour crane was sold to Trieste.", scope="user")
            other.forget(kept)
            os.write(tell, b"x")
            os.read(gate, 1)

    child = Child(work)
    os.read(reached, 1)
    took = []
    receipts = []
    for _ in range(5):
        began = time.monotonic()
        answer = memory.recall("harbour crane")
        found, receipt_id = answer.found, answer.receipt
        took.append(time.monotonic() - began)
        receipts.append(receipt_id)
        assert [one.entry.entry_id for one in found.entries] == [kept]
    assert min(took) < 0.04, "whoever reads does not wait for the lock, not even a little"
    assert memory.opened.store.database.rows("SELECT count(*) FROM receipts") == [(0,)]
    os.write(go, b"x")
    assert child.wait() == 0
    assert [one.entry.content for one in memory.recall("harbour crane").entries] == [
        "The harbour crane was sold to Trieste."
    ]
    assert take_in_spool(memory.opened.store, spool_folder=memory.home.spool) == 6
    assert all(memory.why(receipt_id=receipt_id) for receipt_id in receipts)
    assert memory.entries.get(kept).recall_count == 5


# Full disk


def test_a_full_disk_is_said_plainly_nothing_is_half_written_and_space_brings_it_back(tmp_path):
    home = tmp_path / "home"
    opened(home).close()

    def work(pipe: int) -> None:
        memory = opened(home)
        chance = random.Random(5)
        size = max(os.path.getsize(memory.home.database + suffix) for suffix in ("", "-wal"))
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 300_000, resource.RLIM_INFINITY))
        stored = []
        while True:
            try:
                stored.append(memory.remember(fact(chance), scope="user").entry_id)
            except StoreFull as error:
                said = str(error)
                break
        assert "free space" in said or "Free some space" in said
        before = {entry.entry_id for entry in memory.entries.list()}
        assert before == set(stored)
        for _ in range(3):
            with pytest.raises(StoreError):
                memory.remember_many([fact(chance) for _ in range(2_000)])
        assert {entry.entry_id for entry in memory.entries.list()} == before
        assert memory.recall(memory.entries.get(stored[0]).content).entries, "recall answers on a full disk, too"
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        stored.append(memory.remember(fact(chance), scope="user").entry_id)
        assert check(memory.opened.store) == []
        os.write(pipe, json.dumps(stored).encode())

    child = Child(work)
    stored = json.loads(child.read() or b"[]")
    assert child.wait() == 0
    memory = opened(home)
    assert memory.notices == ()
    assert {entry.entry_id for entry in memory.entries.list()} == set(stored)
    assert check(memory.opened.store) == []


# The Nth statement fails


class Failing(Database):
    """A database whose Nth statement inside a write fails as on a broken disk."""

    left = 0

    def run(self, sql: str, values: Any = ()) -> sqlite3.Cursor:
        self._count_down()
        return super().run(sql, values)

    def run_many(self, sql: str, rows: Any) -> None:
        self._count_down()
        super().run_many(sql, rows)

    def _count_down(self) -> None:
        self.left -= 1
        if self.left == 0:
            # A real failure in SQLite itself, so that it also does what it does on one.
            self.connection.set_progress_handler(lambda: 1, 1)
            try:
                super().run("UPDATE home_values SET value = value || (SELECT count(*) FROM entries)")
                super().run("INSERT INTO home_values SELECT entry_id, 'x', '' FROM entries")
            finally:
                self.connection.set_progress_handler(None, 1)


def prepared(tmp_path: Path) -> tuple[Recollect, dict[str, Any], str]:
    memory = Recollect.open(
        str(tmp_path / "home"), folder=str(tmp_path), environ={"HOME": str(tmp_path)}, clock=Clock()
    )
    old = memory.remember("The queue is RabbitMQ.", subject="queue", scope="user").entry_id
    memory.remember("The queue keeps messages for seven days.", scope="user", tags=["ops"])
    other = Recollect.open(
        str(tmp_path / "other"), folder=str(tmp_path), environ={"HOME": str(tmp_path)}, clock=Clock()
    )
    for number in range(3):
        other.remember(fact(random.Random(number)), scope="user")
    document = other.transfer.export()
    other.close()
    memory.opened.store.database.__class__ = Failing
    return memory, document, old


OPERATIONS: dict[str, Callable[[Recollect, dict[str, Any], str], object]] = {
    "remember": lambda memory, _, old: memory.remember("The gateway is Envoy.", scope="user"),
    "merge": lambda memory, _, old: memory.remember("The queue is RabbitMQ.", scope="user", tags=["again"]),
    "correct": lambda memory, _, old: memory.correct("The queue is NATS.", entry_id=old),
    "vote": lambda memory, _, old: memory.vote(old, "down", "wrong"),
    "undo": lambda memory, _, old: memory.undo(old),
    "forget": lambda memory, _, old: memory.forget(old),
    "load": lambda memory, document, old: memory.transfer.load(document),
    "many": lambda memory, _, old: memory.remember_many([fact(random.Random(9)) for _ in range(5)]),
}


def everything(memory: Recollect) -> list[Any]:
    tables = ("entries", "audits", "changes", "votes", "conflicts", "term_counts", "partitions", "home_values")
    return [sorted(memory.opened.store.database.rows(f"SELECT * FROM {table}")) for table in tables]


@pytest.mark.parametrize("name", OPERATIONS)
def test_whichever_statement_fails_all_of_it_is_taken_back(tmp_path, name):
    memory, document, old = prepared(tmp_path)
    database = memory.opened.store.database
    assert isinstance(database, Failing)
    before = everything(memory)
    failures = 0
    while True:
        database.left = failures + 1
        try:
            OPERATIONS[name](memory, document, old)
        except StoreError:
            failures += 1
        else:
            break
        assert everything(memory) == before
        assert verify_index(memory.opened.store) == []
    assert failures >= 4
    database.left = 0
    assert everything(memory) != before
    assert check(memory.opened.store) == []


def test_an_interrupt_at_any_instruction_takes_all_of_it_back(tmp_path):
    memory, document, old = prepared(tmp_path)
    for name in ("remember", "correct", "load"):
        before = everything(memory)
        left, failures = 40, 0
        while True:
            # Every so many instructions of SQLite's machine; the distances grow, or this would take all day.
            left = int(left * 1.35)
            steps = [left]

            def count(steps: list[int] = steps) -> int:
                steps[0] -= 10
                return int(steps[0] <= 0)

            # It goes on interrupting, the rollback too: then the connection is dropped, and the next one rolls back.
            connection = memory.opened.store.database.connection
            connection.set_progress_handler(count, 10)
            try:
                OPERATIONS[name](memory, document, old)
            except RecollectError:
                failures += 1
            else:
                break
            finally:
                if memory.opened.store.database.connection is connection:
                    connection.set_progress_handler(None, 1)
            assert everything(memory) == before, (name, left)
            assert verify_index(memory.opened.store) == []
        assert failures > 3
    assert check(memory.opened.store) == []


# Kill


KILLS = 60
READY = b"!"


@pytest.mark.slow
def test_after_sixty_kills_every_acknowledged_entry_is_there(tmp_path, record_property):
    home = tmp_path / "home"
    with opened(home) as memory:
        # Everything is loaded before the forks: else they would die loading it.
        first = memory.remember(fact(random.Random(0)), scope="user").entry_id
        memory.correct(fact(random.Random(1)), entry_id=first)
    chance = random.Random(3)
    acknowledged: set[str] = set()

    def work(pipe: int) -> None:
        memory = opened(home)
        os.write(pipe, READY)
        own = random.Random(os.urandom(8))
        while True:
            outcome = memory.remember(fact(own), scope="user")
            if own.random() < 0.3:
                outcome = memory.correct(fact(own), entry_id=outcome.entry_id)
            os.write(pipe, outcome.entry_id.encode() + b"\n")

    worst = 0.0
    for number in range(KILLS):
        child = Child(work)
        # One in four dies while it opens the file, the others while they write.
        if chance.random() < 0.75:
            assert os.read(child.output, 1) == READY
            time.sleep(chance.uniform(0.0, 0.2))
        else:
            time.sleep(chance.uniform(0.0, 0.06))
        os.kill(child.pid, 9)
        assert child.wait() == -9
        acknowledged.update(child.read().removeprefix(READY).decode().split("\n")[:-1])
        began = time.monotonic()
        memory = opened(home)
        with memory.opened.store.write(wait_seconds=0.5):
            memory.opened.store.set_home_value("round", str(number))
        worst = max(worst, time.monotonic() - began)
        assert memory.notices == ()
        known = {entry_id for (entry_id,) in memory.opened.store.database.rows("SELECT entry_id FROM entries")}
        assert acknowledged <= known
        if number % 5 == 0:
            assert verify_index(memory.opened.store) == []
        memory.close()
    memory = opened(home)
    assert check(memory.opened.store) == []
    assert len(acknowledged) > KILLS // 4, "the kills came before anything was written"
    print(f"\n{KILLS} kills, {len(acknowledged)} acknowledged, worst open after a kill {worst * 1000:.0f} ms")
    record_property("acknowledged", len(acknowledged))
