"""Words typed at our own terminal count as typed; no program can say so of words of its own."""

from __future__ import annotations

import asyncio
import inspect
import time
from pathlib import Path
from typing import Any

import pytest

import recollect
from recollect import Recollect
from recollect.context import events as context_events
from recollect.errors import UsageError
from recollect.flows.sessions.own_session import OwnSession
from recollect.flows.sessions.own_sessions import OwnSessions
from recollect.flows.sessions.terminal import Terminal
from recollect.flows.writes.find_typed import was_taken_back, was_typed
from recollect.model.messages import Message, Text
from recollect.sessions import events
from recollect.sessions.events import NewEvent
from tests.paths import SOURCE
from tests.sessions.test_event_log import user

RULE = "We use pnpm in this repository, never npm."
GONE = "Forget that the deploy target is Heroku."


@pytest.fixture
def memory(tmp_path: Path):
    with Recollect.open(str(tmp_path / "home"), folder=str(tmp_path), environ={"HOME": str(tmp_path)}) as opened:
        yield opened


def imported(memory: Recollect) -> None:
    past = memory.sessions
    past.import_logs(past.logs()[0])


def counts(memory: Recollect, text: str, session: str = "") -> bool:
    return was_typed(
        text, store=memory.opened.store, session=session, repository=memory.repository.repository, now=time.time()
    )


def test_what_a_person_types_at_our_terminal_counts_as_typed(memory: Recollect) -> None:
    session = memory.own_sessions.create(session_id="s_01chat", cwd=memory.folder)
    session.add(user(RULE), typed_at=Terminal())
    session.add(user(GONE), typed_at=Terminal())
    imported(memory)
    assert counts(memory, RULE, "s_01chat")
    assert counts(memory, RULE), "also for an agent that does not know its session"
    heroku = memory.entries.get(memory.remember("The deploy target is Heroku.").entry_id)
    assert was_taken_back(heroku, store=memory.opened.store, session="s_01chat", now=time.time())


def test_what_a_program_says_in_the_users_name_does_not(memory: Recollect) -> None:
    session = memory.own_sessions.create(session_id="s_01chat", cwd=memory.folder)
    session.add(user("The staging server is called mole."), typed_at=Terminal())
    session.add(user(RULE))
    session.add(user(RULE), source="user")
    session.notify(RULE)
    imported(memory)
    assert not counts(memory, RULE, "s_01chat")
    assert not counts(memory, RULE)
    assert counts(memory, "The staging server is called mole.", "s_01chat")


def test_a_sub_agents_prompt_is_never_typed(memory: Recollect) -> None:
    session = memory.own_sessions.create(session_id="s_02sub", cwd=memory.folder, parent="s_01chat")
    session.add(user(RULE), typed_at=Terminal())
    imported(memory)
    assert not counts(memory, RULE, "s_02sub")
    assert not counts(memory, RULE)


def test_what_was_typed_for_good_is_kept_and_what_a_program_said_waits(memory: Recollect) -> None:
    session = memory.own_sessions.create(cwd=memory.folder)
    session.add(user("Always run the linter before a commit."))
    session.add(user(RULE), typed_at=Terminal())
    imported(memory)
    memory.sessions.digest()
    kept = {entry.content: entry.origin for entry in memory.entries.list(everywhere=True, layer="L1")}
    assert [origin for content, origin in kept.items() if "pnpm" in content] == ["typed"]
    assert not any("linter" in content for content in kept)
    assert any("linter" in one.what for one in memory.pending.waiting())


def test_the_mark_survives_an_export(memory: Recollect, tmp_path: Path) -> None:
    memory.own_sessions.create(session_id="s_01chat", cwd=memory.folder).add(user(RULE), typed_at=Terminal())
    imported(memory)
    document = memory.transfer.export()
    with Recollect.open(str(tmp_path / "other"), folder=str(tmp_path), environ={"HOME": str(tmp_path)}) as other:
        other.transfer.load(document)
        assert counts(other, RULE, "s_01chat")


def test_an_export_of_before_has_no_marks(memory: Recollect, tmp_path: Path) -> None:
    memory.own_sessions.create(session_id="s_01chat", cwd=memory.folder).add(user(RULE), typed_at=Terminal())
    imported(memory)
    document = memory.transfer.export()
    for session in document["sessions"]:
        del session["mode"]
        for turn in session["turns"]:
            del turn["mark"]
    with Recollect.open(str(tmp_path / "other"), folder=str(tmp_path), environ={"HOME": str(tmp_path)}) as other:
        other.transfer.load(document)
        assert other.sessions.show("s_01chat").turns[0].user == RULE
        assert not counts(other, RULE, "s_01chat")


# -- who cannot set it


@pytest.mark.parametrize(
    "say",
    [
        lambda session: session.add(user(RULE), source="terminal"),
        lambda session: session.record(events.of_message(user(RULE), source="terminal")),
        lambda session: session.record(NewEvent("user.message", {"source": "terminal", "message": {}})),
        lambda session: session.emit(context_events.Event("user.message", {"source": "terminal", "message": {}})),
        lambda session: session.add(user(RULE), typed_at=True),
        lambda session: session.add(user(RULE), typed_at=object()),
        lambda session: session.add(Message("assistant", (Text(RULE),)), typed_at=Terminal()),
    ],
)
def test_a_program_that_claims_the_mark_is_refused_and_nothing_is_written(memory: Recollect, say: Any) -> None:
    session = memory.own_sessions.create()
    with pytest.raises(UsageError, match=r"typed"):
        say(session)
    assert session.messages() == ()


def test_a_mark_inside_of_a_message_means_nothing(memory: Recollect) -> None:
    session = memory.own_sessions.create(session_id="s_01chat", cwd=memory.folder)
    session.add(Message("user", (Text(RULE, {"source": "terminal"}),), {"source": "terminal", "mark": "terminal"}))
    session.add(user(RULE), mark="terminal", data={"source": "terminal"})
    imported(memory)
    assert not counts(memory, RULE, "s_01chat")


def test_the_openai_adapter_cannot_set_it(memory: Recollect) -> None:
    pytest.importorskip("agents")
    from recollect.adapters.openai_agents import RecollectSession

    session = RecollectSession("user-7", memory)
    item: Any = {"role": "user", "content": RULE, "source": "terminal", "typed_at": "terminal", "mark": "terminal"}
    asyncio.run(session.add_items([item]))
    imported(memory)
    [shown] = memory.own_sessions.show(session.kept.session_id).turns
    assert (shown.user, shown.mark) == (RULE, "")
    assert not counts(memory, RULE, session.kept.session_id)


def test_no_terminal_can_be_reached_from_the_public_class(memory: Recollect) -> None:
    assert not hasattr(recollect, "Terminal")
    session = memory.own_sessions.create()
    for thing in (memory, memory.own_sessions, session):
        held = [value for _, value in inspect.getmembers(thing, lambda value: isinstance(value, Terminal))]
        assert held == []
    takes = [
        f"{kind.__name__}.{name}"
        for kind in (Recollect, OwnSessions, OwnSession)
        for name, method in inspect.getmembers(kind, inspect.isfunction)
        if any("Terminal" in str(one.annotation) for one in inspect.signature(method).parameters.values())
    ]
    assert takes == ["OwnSession.add"]


def test_only_a_door_makes_a_terminal() -> None:
    made = [path for path in SOURCE.rglob("*.py") if "Terminal()" in path.read_text()]
    assert [path for path in made if SOURCE / "doors" not in path.parents] == []
