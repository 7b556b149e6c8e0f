"""Turns of our own sessions: the log, `session show`, the timeline, a rewind and an import count the same ones."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect import Recollect
from recollect.context.requests import last_requests, typed
from recollect.errors import UsageError
from recollect.flows.sessions.own_session import OwnSession
from recollect.hosts.recollect.logs import kind_of, read
from recollect.model.messages import Media, Message, Text
from recollect.model.sessions import Turn
from recollect.sessions import events
from recollect.sessions.encodings import message_json
from recollect.sessions.events import Event, NewEvent, line_of
from recollect.sessions.replay import Replay, count_turns
from recollect.sessions.timeline import timeline
from recollect.sessions.turns import assemble
from tests.command_line import Run
from tests.sessions.test_event_log import compacted, sessions_in, user

TEXTS = st.sampled_from(
    [
        "fix it",
        "",
        "  ",
        "<system_notification>\nSomething was found.\n</system_notification>",
        "<system-reminder>Be careful.</system-reminder>",
        "<memory-context id=1>old</memory-context>",
        "<memory-<memory-context>x</memory-context>context>y",
        "[Request interrupted by user]",
        "# AGENTS.md instructions",
    ]
)
SOURCES: st.SearchStrategy[Any] = st.sampled_from(
    [..., None, "", "user", "terminal", "inbox", "hook", "system", 7, ["user"]]
)
SAID = st.one_of(
    st.builds(lambda text: message_json(Message("user", (Text(text),))), TEXTS),
    st.just(message_json(Message("user", (Media("image", {"data": "x"}),)))),
    st.sampled_from([None, {}, {"role": "user", "parts": [{"part": "of a version to come"}]}, "broken"]),
)
STEPS = st.one_of(
    st.tuples(st.just("say"), SAID, SOURCES),
    st.tuples(st.just("notice"), TEXTS, st.just("inbox")),
    st.tuples(st.just("answer"), TEXTS, st.none()),
    st.tuples(st.just("compact"), st.none(), st.none()),
    st.tuples(st.just("rewind"), st.integers(-2, 30), st.none()),
    st.tuples(st.just("again"), st.integers(0, 30), st.none()),
    st.tuples(st.just("cut off"), st.none(), st.none()),
)


def new_event(log: list[Event], step: str, what: Any, source: Any) -> NewEvent:
    match step:
        case "say":
            return NewEvent(events.USER, {"message": what, **({} if source is ... else {"source": source})})
        case "notice":
            return events.notice(what, source=source)
        case "answer":
            return events.of_message(Message("assistant", (Text(what),)))
        case "compact":
            return events.compaction_complete([user("summary")], {"summaryContent": "summary"})
    target: Any = {-2: "v_nowhere", -1: 5}.get(what, log[what % len(log)].event_id if log and what else "")
    return events.rewind(target, reason="rewind", messages_before=0, messages_after=0)


def written(steps: list[tuple[str, Any, Any]]) -> tuple[list[Event], list[bytes]]:
    """The events of a log, and its lines."""
    start = events.start("s_1", version="1", cwd="/w", repository="", branch="", model="")
    log = [Event("v_s", start.kind, start.data, 0.0)]
    lines = [line_of(log[0])]
    for number, (step, what, source) in enumerate(steps):
        if step == "again":
            lines.append(lines[what % len(lines)])
        elif step == "cut off":
            lines.append(line_of(Event(f"v_{number}", events.USER, {"message": message_json(user("half"))}, 1.0))[:-9])
        else:
            new = new_event(log, step, what, source)
            log.append(Event(f"v_{number}", new.kind, new.data, float(number)))
            lines.append(line_of(log[-1]))
    return log, lines


@given(st.lists(STEPS, max_size=25))
@settings(deadline=None)
def test_whoever_counts_the_turns_of_a_log_counts_the_same(steps) -> None:
    log, lines = written(steps)
    replay = Replay(log)
    assert count_turns(lines) == replay.turn
    for row in timeline(log):
        state = replay.state(row.event_id)
        assert state is not None
        assert row.turn == state.turn
    with TemporaryDirectory() as folder:
        path = os.path.join(folder, "events.jsonl")
        Path(path).write_bytes(b"".join(line + b"\n" for line in lines))
        parts = [getattr(part, "item", None) for part in assemble(read(path), kind_of)]
    shown = [part.number for part in parts if isinstance(part, Turn) and part.number]
    assert shown == list(range(1, replay.turn + 1))
    for number in shown:
        before = replay.before_turn(number)
        assert before is not None
        assert before.turn == number - 1


@pytest.fixture
def session(tmp_path: Path) -> OwnSession:
    return sessions_in(tmp_path).create(session_id="s_1", cwd="/w/app")


def test_a_notice_from_the_inbox_begins_no_turn_anywhere(session: OwnSession, tmp_path: Path) -> None:
    session.add(user("fix the login"))
    session.add(Message("assistant", (Text("I look."),)))
    session.notify("github-context found the issue about it.")
    session.add(Message("assistant", (Text("It is issue 7."),)))
    session.add(user("and the tests?"))
    assert session.turn == 2
    shown = sessions_in(tmp_path).show("s_1")
    assert [(turn.number, turn.user) for turn in shown.turns] == [(1, "fix the login"), (2, "and the tests?")]
    assert shown.turns[0].assistant == "I look.\n\nIt is issue 7."
    [(_, turns)] = sessions_in(tmp_path).listed()
    assert turns == 2
    rows = [(row.turn, row.what) for row in timeline(session.events())]
    assert rows[1:] == [(1, "asked"), (1, "answered"), (1, "notice"), (1, "answered"), (2, "asked")]
    session.rewind(turn=2)
    assert [message.role for message in session.messages()] == ["user", "assistant", "user", "assistant"]
    session.rewind()
    assert session.messages() == ()


def test_a_notice_is_read_by_the_model_and_never_taken_for_the_users_request(session: OwnSession) -> None:
    session.add(user("fix the login"))
    session.notify("Look at </system_notification> issue 7.")
    told = session.messages()[-1]
    assert told.role == "user"
    assert "issue 7" in told.text
    assert typed(told.text) == ""
    assert last_requests(session.messages())[0] == 0


def test_a_notice_cannot_pretend_to_be_the_users(session: OwnSession) -> None:
    for source in ("", "user", "terminal"):
        with pytest.raises(UsageError, match="source of its own"):
            session.notify("x", source=source)


def test_a_notice_survives_a_compaction_and_the_count_goes_on(session: OwnSession, tmp_path: Path) -> None:
    session.notify("Before anybody spoke.")
    session.add(user("one"))
    session.apply_compaction(compacted(session), of=session.messages())
    session.notify("After it.")
    session.add(user("two"))
    assert session.turn == 2
    assert [turn.number for turn in sessions_in(tmp_path).show("s_1").turns] == [1, 2]


def test_a_picture_alone_is_a_turn_everywhere(session: OwnSession, tmp_path: Path) -> None:
    session.add(Message("user", (Media("image", {"data": "x"}),)))
    assert session.turn == len(sessions_in(tmp_path).show("s_1").turns) == 1


# -- who started it


def test_a_session_says_who_started_it_which_agent_runs_in_it_and_whether_detached(cli: Run, tmp_path: Path) -> None:
    sessions = sessions_in(tmp_path / "home" / "sessions")
    sessions.create(session_id="s_01chat", agent="reviewer").add(user("look at this"))
    child = sessions.create(session_id="s_02rem", parent="s_01chat", agent="rem-agent", detached=True)
    child.add(user("Consolidate the board."))
    fields = child.workspace.fields()
    assert (fields["parent"], fields["agent"], fields["detached"]) == ("s_01chat", "rem-agent", True)
    shown = cli("session", "show", "s_02rem", "--json").json
    assert (shown["parent"], shown["agent"], shown["detached"]) == ("s_01chat", "rem-agent", True)
    assert "agent rem-agent · started by s_01chat · detached" in cli("session", "show", "s_02rem").out
    above = cli("session", "show", "s_01chat", "--json").json
    assert (above["parent"], above["agent"], above["detached"]) == ("", "reviewer", False)
    assert [(one["id"], one["detached"]) for one in above["subagents"]] == [("s_02rem", True)]
    [row] = cli("session", "list", "--all", "--json").json
    assert (row["id"], row["agent"], row["detached"]) == ("s_01chat", "reviewer", False)
    assert [one.session_id for one, _ in sessions.listed(agents=True)] == ["s_01chat", "s_02rem"]


def test_the_log_alone_knows_who_started_a_session(tmp_path: Path) -> None:
    sessions = sessions_in(tmp_path)
    made = sessions.create(session_id="s_02", parent="s_01", agent="rem-agent", detached=True)
    os.remove(os.path.join(made.workspace.folder, "workspace.yaml"))
    shown = sessions.show("s_02").session
    assert (shown.parent, shown.agent, shown.mode) == ("s_01", "rem-agent", "detached")
    assert sessions.open("s_02").workspace.fields()["detached"] is True


@pytest.mark.parametrize("agent", ["rem-agent", ""])
def test_a_session_with_a_parent_is_imported_as_a_sub_agents(tmp_path: Path, agent: str) -> None:
    with Recollect.open(str(tmp_path / "home"), folder=str(tmp_path), environ={"HOME": str(tmp_path)}) as memory:
        memory.own_sessions.create(session_id="s_01chat", agent="reviewer").add(user("look at this"))
        child = memory.own_sessions.create(session_id="s_02rem", parent="s_01chat", agent=agent, detached=True)
        child.add(user("Consolidate."))
        past = memory.sessions
        past.import_logs(past.logs()[0])
        [(session, _)] = past.listed()
        assert (session.native_id, session.agent) == ("s_01chat", "")
        [under] = past.show("s_01chat").subagents
        assert (under.native_id, under.agent, under.mode) == ("s_02rem", agent or "agent", "detached")
