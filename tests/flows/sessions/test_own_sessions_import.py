"""Our own sessions come into the archive like those of any host: found by recall, listed once, imported once."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Recollect
from recollect.hosts import table
from recollect.model.messages import Message, Text
from recollect.model.sessions import Compacted, Said
from tests.command_line import Run
from tests.paths import FIXTURES

LOG = FIXTURES / "hosts/recollect/s_01k0harbour/events.jsonl"


def talk(memory: Recollect, session_id: str, *texts: str) -> None:
    session = memory.own_sessions.create(session_id=session_id)
    for text in texts:
        session.add(Message("user", (Text(text),)))
        session.add(Message("assistant", (Text(f"Yes: {text}"),)))


@pytest.fixture
def memory(tmp_path: Path):
    with Recollect.open(str(tmp_path / "home"), folder=str(tmp_path), environ={"HOME": str(tmp_path)}) as opened:
        yield opened


def test_what_was_said_in_our_own_session_is_recalled_from_the_archive(memory: Recollect) -> None:
    talk(memory, "s_01k0tides", "the harbour crane squeaks when it turns left", "thanks")
    past = memory.sessions
    brought = past.import_logs(past.logs()[0])
    assert (brought.sessions, brought.turns) == (1, 2)
    [(session, turns)] = past.listed()
    assert (session.host, session.native_id, turns) == ("recollect", "s_01k0tides", 2)
    found = memory.recall("what did we say earlier about the harbour crane?").found
    assert any("harbour crane squeaks" in one.entry.content for one in found.entries)


def test_a_second_import_brings_only_what_is_new(memory: Recollect) -> None:
    talk(memory, "s_01k0tides", "first")
    past = memory.sessions
    past.import_logs(past.logs()[0])
    assert past.import_logs(past.logs()[0]).turns == 0
    memory.own_sessions.resume("s_01k0tides").add(Message("user", (Text("second"),)))
    assert past.import_logs(past.logs()[0]).turns == 1


def test_a_turn_that_was_taken_back_is_not_imported_and_one_that_was_compacted_is() -> None:
    events = list(table.reader("recollect").read(str(LOG)))
    said = [event.text for event in events if isinstance(event, Said)]
    assert said == [
        "The tide tables come from the harbour office, never compute them. Which file reads them?",
        "Now write the test for an empty table",
        "Run it with uv",
    ]
    assert [event.trigger for event in events if isinstance(event, Compacted)] == ["threshold"]


def test_a_session_that_is_here_and_imported_is_listed_once_and_shown_by_any_beginning(
    memory: Recollect, cli: Run
) -> None:
    talk(memory, "s_01k0tides", "first")
    past = memory.sessions
    past.import_logs(past.logs()[0])
    listed = cli("session", "list", "--all", "--json")
    assert [one["id"] for one in listed.json] == ["s_01k0tides"]
    assert "first" in cli("session", "show", "s_01k0t").out
