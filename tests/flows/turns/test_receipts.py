"""Receipts: one for every turn, kept without making a reader wait, and never lost on the way."""

from __future__ import annotations

import json
import os
import resource
import time
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from recollect import Recollect, locks
from recollect.files import spool
from recollect.flows.turns.keep_receipt import take_in_spool
from recollect.flows.upkeep.put_in_order import put_in_order
from recollect.flows.writes.actors import Agent
from recollect.store.backups import copies
from tests.conftest import OpenMemory, make_repository
from tests.processes import Child


@pytest.fixture
def other(open_memory: OpenMemory, repository: Path) -> Recollect:
    """The same memory in another process's hands."""
    return open_memory(repository)


_numbers = count(1)


def ask(memory: Recollect, session: str = "s_1") -> None:
    """A prompt that was not told before."""
    memory.inject(f"what is the staging database, for the {next(_numbers)}th time?", session=session)


# While somebody writes


def test_turns_are_numbered_on_while_their_receipts_wait_in_the_spool(memory, other):
    memory.remember("The staging database is called otter.")
    ask(memory)
    with other.opened.store.write():
        for _ in range(2):
            ask(memory)
            ask(memory, "s_2")
    ask(memory)
    assert [receipt.turn for receipt in memory.receipts("s_1")] == [1, 2, 3, 4]
    assert [receipt.turn for receipt in memory.receipts("s_2")] == [1, 2]


def test_what_was_typed_while_somebody_wrote_still_counts_as_typed(memory, other):
    with other.opened.store.write():
        memory.inject("Remember that our deploys go out on Tuesdays only.", session="s_1")
    agent = memory.writes(Agent(session="s_1"))
    agent.memory_write("add", "L1", "Our deploys go out on Tuesdays only.")
    agent.close()
    assert [entry.origin for entry in memory.entries.list(layer="L1")] == ["typed"]


def test_receipts_are_stored_together_and_nobody_can_tell(memory, clock):
    kept = memory.remember("The staging database is called otter.").entry_id
    stored: list[int] = []
    while len(set(stored)) < 3:
        clock.now += 1
        ask(memory)
        stored.append(memory.opened.store.receipts.turns("s_1"))
    assert stored[-1] - stored[0] > 20, "many in one transaction"
    turns = list(range(1, len(stored) + 1))
    assert [receipt.turn for receipt in memory.receipts("s_1")] == turns
    clock.now += 1
    ask(memory)
    assert memory.why().turn == turns[-1] + 1
    assert memory.entries.get(kept).recall_count == turns[-1] + 1
    ways = [receipt.how(kept) for receipt in memory.entries.show(kept).receipts]
    assert set(ways) == {"known"}, "given once, asked for in every turn: the newest are shown"
    assert [receipt.turn for receipt in memory.receipts("s_1")] == [*turns, turns[-1] + 1]


def test_a_receipt_that_is_just_being_stored_is_missed_by_nobody(memory):
    memory.remember("The staging database is called otter.")
    memory.inject("what is the staging database?", session="s_1")
    taken = spool.take(memory.home.spool)
    memory.inject("and the port?", session="s_1")
    assert [receipt.turn for receipt in memory.receipts("s_1")] == [1, 2]
    assert len(taken) == 1
    assert memory.why(session="s_1", turn=1).query == "what is the staging database?"
    assert os.listdir(memory.home.spool) == []


def test_a_change_that_is_taken_back_takes_no_receipt_along(memory):
    memory.remember("The staging database is called otter.")
    receipt_id = memory.recall("staging database").receipt

    def fail() -> None:
        with memory.opened.store.write():
            memory.remember("The staging host is called heron.")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert memory.why(receipt_id=receipt_id).query == "staging database"


@pytest.mark.parametrize("broken", ["missing", "a file", "a link"])
def test_where_the_spool_cannot_be_written_the_receipt_is_stored_at_once(memory, broken):
    memory.remember("The staging database is called otter.")
    if broken == "a link":
        os.symlink("elsewhere", os.path.join(memory.home.spool, spool.RECEIPTS))
    else:
        os.rmdir(memory.home.spool)
    if broken == "a file":
        Path(memory.home.spool).touch()
    assert "otter" in memory.inject("what is the staging database?", session="s_1").text
    assert memory.why(session="s_1").turn == 1


def test_whoever_reads_waits_for_no_writer_and_misses_nothing(memory, other):
    memory.remember("The staging database is called otter.")
    with other.opened.store.write():
        began = time.monotonic()
        receipt_id = memory.recall("staging database", session="s_1").receipt
        assert memory.why().receipt_id == receipt_id
        assert memory.why(receipt_id=receipt_id[:20]).query == "staging database"
        assert memory.why(session="s_1", here=True).receipt_id == receipt_id
        memory.entries.list()
        memory.sessions.count()
        assert time.monotonic() - began < 5


def test_turns_are_numbered_on_while_others_take_in(memory):
    home, folder = memory.home.root, memory.folder
    memory.remember("The staging database is called otter.")

    def takes_in(pipe: int) -> None:
        with Recollect.open(home, folder=folder, environ={"HOME": folder}) as mine:
            until = time.monotonic() + 3
            while time.monotonic() < until:
                take_in_spool(mine.opened.store, spool_folder=mine.home.spool)

    child = Child(takes_in)
    for turn in range(1, 301):
        ask(memory)
        assert memory.receipts("s_1")[-1].turn <= turn
    assert child.wait() == 0
    assert sorted(receipt.turn for receipt in memory.receipts("s_1")) == list(range(1, 301))


def test_what_waits_in_several_files_is_read_in_the_order_of_time(memory):
    memory.remember("The staging database is called otter.")
    for _ in range(6):
        ask(memory)
        spool.take(memory.home.spool)  # and died before it was stored
    ask(memory)
    assert memory.why(session="s_1", turn=7).turn == 7
    assert sorted(receipt.turn for receipt in memory.receipts("s_1")) == list(range(1, 8))


def test_a_file_that_somebody_still_writes_to_is_left_for_the_next(memory):
    receipt_id = memory.recall("staging database").receipt
    path = os.path.join(memory.home.spool, spool.RECEIPTS)
    with open(path, "r+b") as held:
        assert locks.try_lock(held.fileno())
        assert take_in_spool(memory.opened.store, spool_folder=memory.home.spool) == 0
        assert memory.why(receipt_id=receipt_id)
    assert take_in_spool(memory.opened.store, spool_folder=memory.home.spool) == 1


def test_a_file_that_is_not_ours_holds_nothing_up(memory):
    os.mkdir(os.path.join(memory.home.spool, spool.RECEIPTS + ".0-1"))
    memory.remember("The staging database is called otter.")
    memory.recall("staging database")
    assert memory.why().query == "staging database"
    assert [entry.recall_count for entry in memory.entries.list()] == [1]
    assert spool.blocked(memory.home.spool) == [os.path.join(memory.home.spool, spool.RECEIPTS + ".0-1")]


@pytest.mark.parametrize("mark", ["\u2028", "\x85", "\u2029", "\x0b", "\x1c", "\ud800"])
def test_a_spooled_receipt_survives_whatever_the_prompt_holds(memory, other, mark):
    with other.opened.store.write():
        receipt_id = memory.recall(f"staging{mark}database").receipt
    assert memory.why(receipt_id=receipt_id).query.startswith("staging")


def test_a_line_that_is_no_receipt_keeps_nobody_from_starting(memory):
    good: dict[str, Any] = dict.fromkeys(("session", "host", "repository", "query"), "")
    good |= {"receipt_id": "r_good", "turn": 1, "created": 1.0, "tokens": 1, "entries": [], "left_out": []}
    for wrong in (
        {"entries": "abc"}, {"entries": [{"no": "id"}]}, {"entries": [5]}, {"entries": ["id"]}, {"entries": [None]},
        {"entries": [{"id": "\ud800"}]}, {"left_out": [5]}, {"turn": "x"}, {"turn": 10**30}, {"turn": 10**400},
        {"created": None}, {"created": float("nan")}, {"created": 10**400}, {"extra": 1},
    ):  # fmt: skip
        spool.add_line(memory.home.spool, json.dumps({**good, "receipt_id": "r_bad", **wrong}))
    spool.add_line(memory.home.spool, "{torn")
    spool.add_line(memory.home.spool, "[" * 100_000)
    spool.add_line(memory.home.spool, json.dumps(good))
    assert take_in_spool(memory.opened.store, spool_folder=memory.home.spool) == 1
    assert os.listdir(memory.home.spool) == []


def test_no_line_is_lost_between_those_who_spool_and_those_who_take_in(tmp_path):
    folder = str(tmp_path)

    def adds(pipe: int) -> None:
        until = time.monotonic() + 1.5
        lines = 0
        while time.monotonic() < until:
            spool.add_line(folder, f"{os.getpid()} {lines}")
            lines += 1
        os.write(pipe, str(lines).encode())

    children = [Child(adds) for _ in range(3)]
    taken: set[str] = set()
    until = time.monotonic() + 2.0
    while time.monotonic() < until:
        files = spool.take(folder)
        taken.update(line for lines in files.values() for line in lines if line)
        spool.done(list(files))
    added = sum(int(child.read()) for child in children)
    assert [child.wait() for child in children] == [0, 0, 0]
    files = spool.take(folder)
    taken.update(line for lines in files.values() for line in lines if line)
    assert len(taken) == added


# The start of a session


def test_a_session_is_given_the_same_bytes_whatever_is_learned_meanwhile(memory):
    memory.profile.set_section("Style", "Concise replies.")
    first = memory.start_session("s_1")
    memory.profile.set_section("Style", "Long replies.")
    assert memory.start_session("s_1") == first
    assert "Long replies." in memory.start_session("s_2")


def test_the_start_of_a_session_waits_for_no_writer_and_needs_no_room_on_the_disk(memory, other):
    memory.profile.set_section("Style", "Concise replies.")
    with other.opened.store.write():
        began = time.monotonic()
        assert "Concise replies." in memory.start_session("s_1")
        assert time.monotonic() - began < 5

    def on_a_full_disk(_: int) -> None:
        with Recollect.open(memory.home.root, folder=memory.folder, environ={"HOME": memory.folder}) as full:
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
            assert "Concise replies." in full.start_session("s_2")

    assert Child(on_a_full_disk).wait() == 0


# The clock


def test_a_clock_that_once_stood_in_the_future_does_not_stop_the_daily_upkeep(memory, clock):
    memory.remember("The staging database is called otter.")
    clock.pass_days(10_000)
    put_in_order(memory.opened)
    future = copies(memory.home.backups)
    clock.pass_days(-10_000)
    for day in range(4):
        memory.remember(f"Fact {day} is about {'abcd'[day] * 6}.")
        memory.recall("staging database")
        put_in_order(memory.opened)
        clock.pass_days(1)
    made = copies(memory.home.backups)
    assert len(made) == 3
    assert future[0] not in made, "a copy from the future is not the newest"


def test_receipts_are_pruned_by_age_and_by_number(memory, clock):
    memory.remember("The staging database is called otter.")
    for _ in range(5):
        memory.recall("staging database")
    clock.pass_days(91)
    kept = memory.recall("staging database").receipt
    put_in_order(memory.opened)
    assert [receipt.receipt_id for receipt in memory.receipts("")] == [kept]
    for _ in range(4):
        clock.now += 1
        memory.recall("staging database")
    take_in_spool(memory.opened.store, spool_folder=memory.home.spool)
    with memory.opened.store.write():
        memory.opened.store.receipts.prune(before=0.0, keep=2)
    assert len(memory.receipts("")) == 2


# A prompt told twice


def test_a_prompt_that_is_told_twice_within_a_minute_is_one_turn(memory, clock):
    memory.remember("The staging database is called otter.")
    first = memory.inject("what is the staging database?", session="s_1")
    again = memory.inject("what is the staging database?", session="s_1")
    assert "otter" in first.text
    assert "otter" in again.text, "a program that tries again gets its answer"
    clock.now += 61
    memory.inject("what is the staging database?", session="s_1")
    assert [receipt.turn for receipt in memory.receipts("s_1")] == [1, 1, 2]


def test_relevance_and_floor_are_on_one_scale_also_of_what_was_left_out(memory: Recollect) -> None:
    memory.remember("The deploy target is Fly.io.")
    memory.remember("Lunch on Friday is at the harbour deploy kitchen with the whole team and its guests.")
    answer = memory.recall("what is the deploy target?")
    found, receipt_id = answer.found, answer.receipt
    assert found.floor == memory.settings.recall.floor
    assert [one.relevance >= found.floor for one in found.entries] == [True]
    [below] = found.left_out
    assert 0 < below.relevance < found.floor
    assert "harbour" in below.content
    receipt = memory.why(receipt_id=receipt_id)
    assert [(0 < out["relevance"] < out["floor"]) for out in receipt.left_out] == [True]  # type: ignore[operator]
    assert "content" not in receipt.left_out[0], "a receipt holds no text"


def test_matches_in_other_repositories_are_counted(memory: Recollect, open_memory, tmp_path) -> None:
    other = open_memory(make_repository(tmp_path / "other", remote="git@github.com:owner/other.git"))
    other.remember("The deploy target is Render.")
    assert memory.entries.count_elsewhere("what is the deploy target?") == 1
