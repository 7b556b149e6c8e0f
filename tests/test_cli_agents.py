"""Inside a coding agent: what it writes is the agent's, and what only a person decides is refused."""

from __future__ import annotations

import pytest

from recollect.settings import AGENT_VARIABLES, inside_agent


@pytest.fixture(params=["CLAUDECODE", "CODEX_THREAD_ID", "GEMINI_CLI", "CURSOR_AGENT", "COPILOT_CLI", "OPENCODE"])
def enter_agent(request, monkeypatch):
    """Call it to be inside an agent from then on."""
    return lambda: monkeypatch.setenv(request.param, "1")


def test_a_persons_own_terminal_is_not_an_agent() -> None:
    assert inside_agent({"TERM": "xterm", "CURSOR_TRACE_ID": "1", "OPENCODE_CONFIG": "x", "CLAUDECODE": ""}) == ""
    assert inside_agent({"CLAUDECODE": "1"}) == "Claude Code"
    assert all(inside_agent({name: "1"}) for name in AGENT_VARIABLES)


def test_what_a_person_types_is_theirs(cli) -> None:
    entry_id = cli("remember", "The linter is ruff.", "--json").json["id"]
    shown = cli("show", entry_id, "--json").json
    assert (shown["source"], shown["origin"]) == ("user", "typed")


def test_what_an_agent_writes_is_the_agents(cli, enter_agent) -> None:
    mine = cli("remember", "The linter is ruff.", "--json").json["id"]
    enter_agent()
    remembered = cli("remember", "The database is PostgreSQL.", "--json").json["id"]
    edited = cli("edit", mine, "--text", "The linter is ruff, with the rules of pyproject.toml.", "--json").json["id"]
    corrected = cli("correct", remembered, "The database is SQLite.", "--json").json["id"]
    for entry_id in (remembered, edited, corrected):
        shown = cli("show", entry_id, "--json").json
        assert (shown["source"], shown["origin"]) == ("agent", "assistant")
        assert shown["history"][0]["actor"] == "agent"
    cli("vote", edited, "up", "--reason", "it helped")
    assert cli("show", edited, "--json").json["votes"]["given"][0]["by"] == "agent"
    cli("forget", corrected)
    assert cli("history", corrected, "--json").json[-1]["actor"] == "agent"


def test_an_agent_cannot_undo_restore_or_erase(cli, enter_agent) -> None:
    entry_id = cli("remember", "The linter is ruff.", "--json").json["id"]
    cli("forget", entry_id)
    before = cli("export").out
    enter_agent()
    for words in (["undo"], ["restore", entry_id], ["forget", entry_id, "--hard", "--yes"]):
        done = cli(*words)
        assert (done.code, done.out) == (1, "")
        assert "for a person to decide: do it in your own terminal" in done.err
    assert cli("export").out == before
