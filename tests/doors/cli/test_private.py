"""Private sessions and excluded folders: kept, shown, and nothing is learned from them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from recollect import Recollect
from recollect.context.compaction import CompactionResult
from recollect.model.messages import Message, Text
from recollect.model.sessions import PRIVATE, Session, Turn
from tests.codex_logs import CodexLog
from tests.command_line import Run

RULE = "Always use pnpm in this repository, never npm."


@pytest.fixture
def name(cli: Run, tmp_path: Path, repository: Path) -> str:
    """An imported session in which something was said for good."""
    CodexLog(tmp_path / "user", str(repository), 1).typed(RULE).write()
    cli("import")
    [session] = cli("session", "list", "--json").json
    assert session["private"] is False
    return str(session["id"])


def learned(cli: Run) -> list[str]:
    cli("up", "--no-serve", "--json")
    return [one["content"] for one in cli("list", "--json").json]


def test_nothing_is_learned_from_a_private_session_until_that_is_undone(cli: Run, name: str) -> None:
    done = cli("session", "private", name)
    assert (done.code, done.out) == (0, f"{name} is private: nothing more is learned from it.\n")
    assert learned(cli) == []
    assert "Nothing is learned from it: it is private." in cli("session", "show", name).out
    assert cli("session", "show", name, "--json").json["private"] is True
    cli("import")  # a log that is read again leaves it so
    assert cli("session", "private", name, "--undo", "--json").json == {"id": name, "private": False, "learned": 0}
    assert any("pnpm" in content for content in learned(cli))


def test_what_was_learned_before_stays_and_is_told(cli: Run, name: str) -> None:
    assert learned(cli)
    done = cli("session", "private", name)
    assert "learned from it earlier" in done.err
    [known] = cli("list", "--json").json[:1]
    assert f"  {known['id']}  {known['content'].splitlines()[0]}" in done.err
    assert re.search(r"Retire one with `recollect forget e_\w+`", done.err), "it can be run as it is printed"
    assert learned(cli)


def test_an_agent_makes_a_session_private_but_never_takes_that_back(cli: Run, name: str, monkeypatch) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    assert cli("session", "private", name).code == 0
    refused = cli("session", "private", name, "--undo")
    assert refused.code == 1
    assert "needs a person" in refused.err


def test_nothing_is_learned_from_a_folder_that_is_excluded_after_its_sessions_were_imported(
    cli: Run, name: str, repository: Path
) -> None:
    cli("settings", "set", "exclude", str(repository))
    assert learned(cli) == []
    shown = cli("session", "show", name)
    assert "Nothing is learned from it: its folder is excluded." in shown.out


def test_an_unknown_session_is_refused_in_one_sentence(cli: Run) -> None:
    done = cli("session", "private", "s_nothing")
    assert (done.code, done.out) == (1, "")
    assert "No session has the id" in done.err


def test_what_a_private_session_starts_is_private_too_before_and_after(memory: Recollect) -> None:
    sessions = memory.opened.store.sessions
    with memory.opened.store.write():
        sessions.save(Session("s_1", "codex", "one", started=1.0))
        sessions.save(Session("s_2", "codex", "two", parent="one", agent="helper"))
        sessions.save(Session("s_3", "codex", "three", parent="two", agent="deeper"))
        sessions.save(Session("s_9", "claude-code", "nine", parent="one"))
    memory.sessions.set_private("s_1")
    with memory.opened.store.write():
        sessions.save(Session("s_4", "codex", "four", parent="three", agent="late"))
    assert {one: sessions.get(one).privacy for one in ("s_1", "s_2", "s_3", "s_4", "s_9")} == {
        **dict.fromkeys(("s_1", "s_2", "s_3", "s_4"), PRIVATE),
        "s_9": "",
    }
    memory.sessions.set_private("s_1", private=False)
    assert not any(sessions.get(one).privacy for one in ("s_1", "s_2", "s_3", "s_4"))


def test_a_private_session_proves_nothing_and_no_model_is_asked_about_it(memory: Recollect) -> None:
    from recollect.flows.sessions.extraction import expected_tokens, unread

    store = memory.opened.store
    with store.write():
        store.sessions.save(Session("s_1", "codex", "one", repository="r", started=1.0))
        store.sessions.add_turns("s_1", [Turn(1, RULE, "Done.", record_id="u1", at=1.0, ended=2.0)], ["r"])
    assert store.sessions.typed(limit=9)
    assert store.sessions.recent_turns("r", limit=9)
    assert unread(store, limit=9)
    session, _ = memory.sessions.set_private("s_1")
    assert not store.sessions.typed(limit=9)
    assert not store.sessions.recent_turns("r", limit=9)
    assert not unread(store, limit=9)
    assert expected_tokens(session, memory.opened, memory.models) == 0


def test_a_session_of_our_own_can_be_private_and_its_compactions_offer_nothing(cli: Run, tmp_path: Path) -> None:
    with Recollect.open(str(tmp_path / "home")) as memory:
        chat = memory.own_sessions.create(session_id="s_01k0chat", title="Move to pnpm")
        chat.add(Message("user", (Text("Move to pnpm"),)))
        chat.add(Message("assistant", (Text("Moved."),)))
    assert cli("session", "private", "s_01k0chat", "--json").json["private"] is True
    assert cli("session", "show", "s_01k0chat", "--json").json["private"] is True
    with Recollect.open(str(tmp_path / "home")) as memory:
        chat = memory.own_sessions.open("s_01k0chat")
        before = chat.messages()
        after = (Message("user", (Text("# Moved"),)), before[-1])
        chat.apply_compaction(
            CompactionResult("compacted", "", after, "# Moved", 90, 12, candidates=(RULE,)), of=before
        )
        assert not memory.opened.store.candidates.waiting()


def test_an_export_says_that_a_session_is_private(cli: Run, name: str) -> None:
    cli("session", "private", name)
    assert [one["privacy"] for one in cli("export").json["sessions"]] == [PRIVATE]


def test_recall_and_the_list_of_sessions_about_something_pass_over_a_private_session(cli: Run, name: str) -> None:
    asked = "what did we say about pnpm and npm?"
    assert [one["id"] for one in cli("session", "list", "--about", "pnpm", "--json").json] == [name]
    assert "pnpm" in cli("recall", asked, "--layer", "L2").out
    cli("session", "private", name)
    assert cli("session", "list", "--about", "pnpm", "--json").json == []
    assert "pnpm" not in cli("recall", asked, "--layer", "L2").out
