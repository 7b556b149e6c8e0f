"""A compaction whose process died is closed when its session is opened again; one that is going on is left alone."""

from __future__ import annotations

import copy
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from recollect.context.counting import KEPT_MESSAGES, Counter
from recollect.flows.compaction.records import LONGEST_SECONDS
from recollect.flows.sessions.own_sessions import OwnSessions
from recollect.model.messages import Message, Text
from recollect.sessions import events
from tests.paths import ROOT
from tests.sessions.test_event_log import sessions_in, texts, user

DIES = """
import os, sys
from pathlib import Path
from recollect.sessions.events import compaction_start
from tests.sessions.test_event_log import sessions_in
session = sessions_in(Path(sys.argv[1])).open("s_1")
session.record(compaction_start(trigger="threshold"))
os._exit(9)
"""


def ends(folder: Path) -> list[tuple[bool, str]]:
    log = sessions_in(folder).open("s_1").events()
    return [
        (event.data["success"], event.data["error"]["message"])
        for event in log
        if event.kind == events.COMPACTION_COMPLETE
    ]


@pytest.fixture
def died(tmp_path: Path) -> Path:
    sessions_in(tmp_path).create(session_id="s_1").add(user("hello"))
    done = subprocess.run([sys.executable, "-c", DIES, str(tmp_path)], cwd=ROOT, check=False)
    assert done.returncode == 9
    return tmp_path


def test_a_compaction_of_a_dead_process_has_failed_once_the_session_is_opened(died: Path) -> None:
    assert ends(died) == [(False, "the process that began it ended before it was done")]
    assert ends(died) == ends(died)
    assert texts(sessions_in(died).open("s_1")) == ["hello"]


def test_going_on_with_the_session_closes_it_too(died: Path) -> None:
    kinds = [event.kind for event in sessions_in(died).resume("s_1").events()]
    assert kinds[-3:] == [events.COMPACTION_START, events.COMPACTION_COMPLETE, events.RESUME]


def test_a_compaction_that_is_going_on_elsewhere_is_left_alone(tmp_path: Path) -> None:
    sessions_in(tmp_path).create(session_id="s_1").record(events.compaction_start())
    assert ends(tmp_path) == []


def test_after_an_hour_nobody_is_waited_for(tmp_path: Path) -> None:
    sessions = sessions_in(tmp_path)
    sessions.create(session_id="s_1").record(events.compaction_start())
    later = OwnSessions(str(tmp_path), clock=lambda: 1_790_000_000.0 + LONGEST_SECONDS, new_id=sessions._new_id)
    later.open("s_1")
    assert len(ends(tmp_path)) == 1


def test_two_threads_count_beyond_what_a_counter_keeps_without_disturbing_each_other() -> None:
    def many(name: str) -> list[Message]:
        return [Message("user", (Text(f"{name} {number}"),)) for number in range(KEPT_MESSAGES + 500)]

    ours, theirs = many("ours"), many("theirs")
    counter = Counter()
    counter.count(many("before"))
    other = copy.copy(counter)
    counted: list[int] = []
    thread = threading.Thread(target=lambda: counted.append(other.count(theirs).total))
    thread.start()
    total = counter.count(ours).total
    thread.join()
    assert (total, counted) == (Counter().count(ours).total, [Counter().count(theirs).total])
    assert other.ratio == counter.ratio
