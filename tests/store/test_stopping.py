"""Work that nobody waits for any more ends, and writes nothing."""

from __future__ import annotations

import pytest

from recollect.errors import Stopped
from tests.conftest import contents

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


def test_a_search_that_takes_for_ever_ends_when_it_is_stopped(memory) -> None:
    looks = iter([False] * 50)
    memory.opened.stop_when(lambda: next(looks, True))
    with pytest.raises(Stopped):
        memory.opened.store.database.rows(ENDLESS)


def test_a_write_that_was_stopped_half_way_leaves_nothing_behind(memory) -> None:
    stops: list[bool] = []
    memory.opened.stop_when(lambda: bool(stops))

    def stopped_after_the_first_step() -> None:
        with memory.opened.store.write():
            memory.remember("The deploy target is Fly.io.")
            stops.append(True)

    with pytest.raises(Stopped):
        stopped_after_the_first_step()
    memory.opened.stop_when(None)
    assert contents(memory, "what is the deploy target?") == []


def test_after_a_stop_the_same_thread_works_on(memory) -> None:
    memory.opened.stop_when(lambda: True)
    with pytest.raises(Stopped):
        memory.remember("The deploy target is Fly.io.")
    memory.opened.stop_when(None)
    memory.remember("The deploy target is Fly.io.")
    assert contents(memory, "what is the deploy target?") == ["The deploy target is Fly.io."]


def test_recall_goes_on_where_it_left_off(memory) -> None:
    for number in range(6):
        memory.remember(f"Deploy step {number} runs script-{number}.sh on the staging machine.")
    given: list[str] = []
    while True:
        found = memory.recall("deploy step script staging machine", k=2, without=given).found
        if not found.entries:
            break
        assert not {one.entry.entry_id for one in found.entries} & set(given)
        given += [one.entry.entry_id for one in found.entries]
    everything = memory.recall("deploy step script staging machine", k=20).found
    assert sorted(given) == sorted(one.entry.entry_id for one in everything.entries)
    assert len(given) > 2
