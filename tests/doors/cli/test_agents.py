"""Inside a coding agent: what it writes is the agent's, what is risky waits, what only a person decides is refused."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from recollect.files.processes import is_cut_loose, parents
from recollect.hosts.programs import agent_of
from recollect.settings import AGENT_VARIABLES, inside_agent
from tests.command_line import clean_environment, process


@pytest.fixture(params=["CLAUDECODE", "CODEX_THREAD_ID", "GEMINI_CLI", "CURSOR_AGENT", "COPILOT_CLI", "OPENCODE"])
def enter_agent(request, monkeypatch):
    """Call it to be inside an agent from then on."""
    return lambda: monkeypatch.setenv(request.param, "1")


@pytest.fixture
def inside(monkeypatch):
    """Be inside an agent as long as it is called with True."""
    return lambda yes: monkeypatch.setenv("CLAUDECODE", "1") if yes else monkeypatch.delenv("CLAUDECODE")


def test_a_persons_own_terminal_is_not_an_agent() -> None:
    assert inside_agent({"TERM": "xterm", "CURSOR_TRACE_ID": "1", "OPENCODE_CONFIG": "x", "CLAUDECODE": ""}) == ""
    assert inside_agent({"CLAUDECODE": "1"}) == "Claude Code"
    assert all(inside_agent({name: "1"}) for name in AGENT_VARIABLES)


def test_what_a_person_types_is_theirs(cli) -> None:
    entry_id = cli("remember", "The linter is ruff.", "--json").json["id"]
    shown = cli("show", entry_id, "--json").json
    assert (shown["source"], shown["origin"]) == ("user", "typed")


def test_what_an_agent_writes_about_a_repository_is_the_agents(cli, enter_agent) -> None:
    enter_agent()
    remembered = cli("remember", "The database is PostgreSQL.", "--json").json["id"]
    edited = cli("edit", remembered, "--text", "The database is PostgreSQL 16.", "--json").json["id"]
    corrected = cli("correct", edited, "The database is SQLite.", "--json").json["id"]
    for entry_id in (remembered, edited, corrected):
        shown = cli("show", entry_id, "--json").json
        assert (shown["source"], shown["origin"]) == ("agent", "assistant")
        assert shown["history"][0]["actor"].startswith("agent:")
    assert cli("vote", corrected, "up", "--reason", "it helped").code == 0
    assert cli("show", corrected, "--json").json["votes"]["given"][0]["by"].startswith("agent:")
    assert cli("forget", corrected).code == 0
    assert cli("history", corrected, "--json").json[-1]["actor"].startswith("agent:")
    assert cli("pending", "--json").json == []


def test_what_an_agent_would_change_of_yours_waits(cli, inside) -> None:
    mine = cli("remember", "The linter is ruff.", "--json").json["id"]
    before = cli("show", mine, "--json").json
    inside(True)
    wanted = [
        cli("edit", mine, "--text", "The linter is pylint.", "--json"),
        cli("correct", "The linter is flake8.", "--json"),
        cli("vote", mine, "down", "--reason", "I would not use it", "--json"),
        cli("forget", mine, "--json"),
        cli("remember", "The user likes tabs.", "--scope", "user", "--json"),
        cli("remember", "The user is called Ada.", "--layer", "L0", "--json"),
    ]
    assert [(done.code, done.json["status"]) for done in wanted] == [(0, "staged")] * 6
    inside(False)
    waiting = cli("pending", "--json").json
    updated, stored, voted, removed, *others = [done.json["id"] for done in wanted]
    assert [one["id"] for one in waiting] == [updated, stored, voted, *others, removed], "a removal comes last"
    assert [one["kind"] for one in waiting] == ["update", "store", "vote", "store", "store", "remove"]
    assert {*waiting[0]} >= {"id", "kind", "what", "why", "from", "expires"}
    assert {one["from"] for one in waiting} == {"Claude Code"}
    after = cli("show", mine, "--json").json
    assert (after["content"], after["status"], after["votes"]) == (before["content"], "active", before["votes"])
    assert "pending: 6" in cli("status").out


def test_an_agent_cannot_undo_restore_erase_load_or_change_what_holds_for_everything(
    cli, enter_agent, tmp_path
) -> None:
    entry_id = cli("remember", "The linter is ruff.", "--json").json["id"]
    export = tmp_path / "export.json"
    export.write_text(cli("export").out)
    log = tmp_path / "log.jsonl"
    log.write_text("{}\n")
    cli("forget", entry_id)
    before = cli("export").out
    enter_agent()
    for words in (
        ["undo"],
        ["restore", entry_id],
        ["forget", entry_id, "--hard", "--yes"],
        ["load", str(export)],
        ["import", str(log)],
        ["settings", "set", "permissions.allow_all", "true"],
        ["profile", "set", "About", "Ada."],
        ["profile", "edit"],
        ["permissions", "allow"],
        ["permissions", "revoke", "a_1"],
        ["approve", "w_1"],
        ["reject", "w_1"],
    ):
        done = cli(*words, stdin="## About\n- Eve\n")
        assert (done.code, done.out) == (1, ""), words
        assert "needs a person: run it in your own terminal" in done.err
    assert cli("export").out == before


def test_a_variable_that_an_agent_sets_allows_it_nothing(cli, inside, monkeypatch) -> None:
    inside(True)
    monkeypatch.setenv("RECOLLECT_PERMISSIONS__ALLOW_ALL", "true")
    monkeypatch.setenv("RECOLLECT_PERMISSIONS__ALLOW", "memory")
    done = cli("remember", "The user is called Ada.", "--layer", "L0", "--json")
    assert done.json["status"] == "staged"
    assert "RECOLLECT_PERMISSIONS__ALLOW_ALL is ignored" in done.err
    shown = cli("permissions")
    assert "rule\tallow_all\tfalse\tdefault" in shown.out, "the value in force"
    assert "RECOLLECT_PERMISSIONS__ALLOW is ignored" in shown.err
    assert cli("settings", "get", "permissions.allow_all").out == "false\n"


def test_a_command_that_nobody_sits_at_writes_as_you_and_decides_nothing(cli, monkeypatch) -> None:
    monkeypatch.setattr("recollect.flows.writes.actors.is_cut_loose", lambda: True)
    entry_id = cli("remember", "The linter is ruff.", "--json").json["id"]
    assert cli("show", entry_id, "--json").json["source"] == "user"
    for words in (["undo"], ["restore", entry_id], ["approve"], ["settings", "set", "recall.max_entries", "5"]):
        done = cli(*words)
        assert (done.code, done.out) == (1, ""), words
        assert "there is no terminal here" in done.err


def test_an_agent_keeps_the_tasks_of_its_own_repository_alone(cli, inside, tmp_path, monkeypatch) -> None:
    inside(True)
    assert cli("task", "add", "Move to pnpm").code == 0
    assert cli("task", "update", "--state", "half done").code == 0
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    named = "Move to pnpm"
    for words in (["update", named, "--state", "x"], ["complete", named], ["archive", named]):
        done = cli("task", *words)
        assert (done.code, done.out) == (1, ""), words
        assert "Claude Code may only change tasks of the repository it works in" in done.err


# -- without its variables


def test_an_agent_is_known_by_its_program_and_an_editor_is_not() -> None:
    for words, name in (
        (["claude", "--resume"], "Claude Code"),
        (["/opt/codex/bin/codex", "exec"], "Codex"),
        (["node", "--no-warnings", "/usr/lib/node_modules/@google/gemini-cli/dist/index.js"], "Gemini CLI"),
        (["node", "/home/ada/.local/bin/copilot"], "Copilot"),
        (["C:\\tools\\opencode.exe"], "opencode"),
        (["node", "/usr/local/bin/pi"], "pi"),
        (["pi"], ""),
        (["/usr/local/bin/goose", "session"], "goose"),
        (["/usr/share/code/code"], ""),
        (["/opt/Cursor/cursor"], ""),
        (["bash", "claude"], ""),
        (["/usr/bin/python3.12", "/home/ada/.local/bin/aider", "--yes"], "Aider"),
        (["python", "manage.py", "claude"], ""),
        (["node", "server.js"], ""),
        ([], ""),
    ):
        assert agent_of([["bash"], words]) == name, words


def test_parents_are_read_from_the_system_and_a_broken_one_ends_the_list(tmp_path: Path) -> None:
    def add(pid: str, parent: str, words: str) -> None:
        folder = tmp_path / pid
        folder.mkdir()
        (folder / "status").write_text(f"Name:\tx\nPPid:\t{parent}\n")
        (folder / "cmdline").write_text(words)

    add("self", "7", "recollect\0approve\0")
    add("7", "6", "sh\0-c\0recollect approve\0")
    add("6", "5", "claude\0")
    assert parents(root=str(tmp_path)) == [["sh", "-c", "recollect approve"], ["claude"], [""]]
    assert parents(root=str(tmp_path / "nowhere")) == []


def test_a_command_that_was_cut_loose_from_its_agent_is_nobodys(tmp_path: Path, monkeypatch) -> None:
    def is_loose(*chain: str, terminal: str = "0", last: str = "1", session: str = "1") -> bool:
        root = tmp_path / str(len(list(tmp_path.iterdir())))
        pids = ["self", *(str(n) for n in range(90, 90 - len(chain), -1)), last]
        for pid, parent, words in zip(pids, [*pids[1:], "0"], ["recollect", *chain, "init"], strict=True):
            (root / pid).mkdir(parents=True, exist_ok=True)
            (root / pid / "status").write_text(f"PPid:\t{parent}\n")
            (root / pid / "cmdline").write_text(words.replace(" ", "\0"))
            (root / pid / "stat").write_text(f"1 (a ) b) S 1 1 {session} {terminal} -1")
        return is_cut_loose(root=str(root))

    assert is_loose("sh -c x")
    assert is_loose("-bash", "/usr/bin/setsid x")
    assert is_loose("nohup x", "/usr/lib/systemd/systemd --user")
    assert is_loose()
    assert is_loose("sh -c x", "/usr/sbin/cron -f"), "nobody sits at a timer"
    assert is_loose("zsh", "sshd: ada"), "a login without a terminal"
    assert not is_loose("sh -c x", terminal="34816"), "a person's own terminal"
    assert not is_loose("sh -c x", terminal="34816", last="0"), "a terminal in a container"
    assert is_loose("sh -c x", terminal="34816", session="77"), (
        "it kept the terminal and left the shell that sits there"
    )
    assert is_loose("sh -c x", terminal="34816", session="0"), "it took a terminal along into a namespace"
    assert is_cut_loose(root=str(tmp_path / "nowhere")) or sys.platform != "linux", "somebody hid /proc"
    monkeypatch.setattr("recollect.files.processes._has_terminal", lambda: True)
    assert not is_cut_loose(root=str(tmp_path / "nowhere")), "a system that does not tell is asked for a terminal"


def test_an_agent_that_hides_its_variables_is_still_known_by_its_parents(repository, tmp_path) -> None:
    (tmp_path / "user").mkdir()
    environ = clean_environment(tmp_path / "home", tmp_path / "user", PYTHONPATH="")
    program = tmp_path / "claude"
    program.write_text(f"#!{sys.executable}\nimport subprocess, sys\nsys.exit(subprocess.call(sys.argv[1:]))\n")
    agent = [
        sys.executable,
        "-c",
        f"import os, sys; os.execv({sys.executable!r}, ['claude', {str(program)!r}, *sys.argv[1:]])",
    ]
    done = process([*agent, "recollect", "approve", "w_1"], repository, environ)
    assert done.code == 1
    # Where the system shows no parents the command runs, and finds nothing of that name.
    assert ("outside Claude Code" if os.path.isdir("/proc/self") else "Nothing is waiting") in done.err
