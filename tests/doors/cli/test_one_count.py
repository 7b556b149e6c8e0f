"""Screens agree with each other on what is stored and what waits, and say nothing that is not so."""

from __future__ import annotations

import json
import os
import re
import threading
import time
from pathlib import Path

import pytest

from recollect import Recollect
from recollect.doors.http.panel.pages.review import _because, _kind
from recollect.doors.http.panel.rendering import check_name
from recollect.flows.upkeep.compare_entries import compare_entries
from recollect.flows.writes.waiting import what_waits
from recollect.model.suggestions import Suggestion
from recollect.worker import Worker
from tests.codex_logs import CodexLog
from tests.command_line import RECOLLECT, Run, clean_environment, process
from tests.terminals import Terminal


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return clean_environment(tmp_path / "home", tmp_path / "user", TERM="xterm")


@pytest.fixture
def home(cli: Run, tmp_path: Path) -> Path:
    """The home of the samples, after its worker."""
    folder = Path(cli("up", "--sample", "--no-serve", "--json").json["home"])
    assert cli("--home", str(folder), "worker", "--once").code == 0
    return folder


def test_up_counts_what_the_list_shows(cli: Run) -> None:
    told = cli("up", "--sample", "--no-serve")
    [kept] = re.findall(r"kept (\d+) new entries", told.out)
    [home] = set(re.findall(r"--home (\S+)", told.out))
    listed = cli("--home", home, "list", "--all", "--json").json
    assert int(kept) == len(listed)
    assert cli("--home", home, "list", "--all").out.count("\n") == len(listed), "a pipe gets the same"
    archived = cli("--home", home, "list", "--all", "--layer", "L2", "--json").json
    state = cli("--home", home).out
    assert state.startswith(f"Recollect remembers {kept} entries and {len(archived)} archive entries from 16 sessions")


def test_every_screen_says_the_same_of_what_waits(cli: Run, home: Path) -> None:
    run = ("--home", str(home))
    kinds = [one["kind"] for one in cli(*run, "pending", "--json").json]
    waiting = len(kinds)
    assert len(set(kinds)) > 1, "what was found, and one of the weekly comparison"
    assert f"  waiting    {waiting} to approve\n" in cli(*run).out
    assert f"\t{waiting} to approve: `recollect --home {home} review`" in cli(*run, "doctor").out
    assert cli(*run, "status", "--json").json["pending"] == waiting
    done = cli(*run, "preview", "hello")
    preview = done.out + done.err
    assert "# Waiting for your review\n" in preview
    assert f"{waiting} items are waiting for the user's decision" in preview
    assert "repeated until you decide; reports of changes appear once" in preview
    assert len(cli(*run, "review").out.splitlines()) == waiting


def test_with_only_a_suggestion_open_every_screen_names_it(cli: Run, repository: Path, tmp_path: Path) -> None:
    cli("remember", "We use pnpm here.")
    with Recollect.open(str(tmp_path / "home"), folder=str(repository), environ={"HOME": str(tmp_path)}) as memory:
        here, path = memory.repository.repository, ".github/instructions/a.instructions.md"
        one = Suggestion(
            "g_01k0aaaa", here, "Use pnpm.", (), "newFile", path, "create", None, "- Use pnpm.\n", 0.9, "",
            "", (), "a", root=str(repository), created=1.0, updated=1.0,
        )  # fmt: skip
        with memory.opened.store.write():
            memory.opened.store.suggestions.add(one)
        waits = what_waits(memory.opened.store, now=memory.opened.now, repository=here)
        assert (waits.approvals, waits.suggestions, waits.said) == (0, 1, "1 suggestion")
    assert "  waiting    1 suggestion\n" in cli().out
    assert "\t1 suggestion: `recollect review`" in cli("doctor").out
    for words in ("pending", "review"):
        assert "Nothing to approve.\n1 suggestion for your customization files:" in cli(words).err


def test_the_terminal_counts_suggestions_of_other_repositories_as_the_panel_does(
    cli: Run, repository: Path, tmp_path: Path
) -> None:
    cli("remember", "We use pnpm here.")
    with Recollect.open(str(tmp_path / "home"), folder=str(repository), environ={"HOME": str(tmp_path)}) as memory:
        places, path = (memory.repository.repository, "github.com/owner/other", "github.com/owner/other"), "AGENTS.md"
        for number, place in enumerate(places):
            one = Suggestion(
                f"g_01k0aaa{number}", place, "Use pnpm.", (), "newFile", path, "create", None, "- Use pnpm.\n", 0.9, "",
                "", (), f"mark {number}", root=str(repository), created=1.0, updated=1.0,
            )  # fmt: skip
            with memory.opened.store.write():
                memory.opened.store.suggestions.add(one)
        assert memory.browsing.waiting().suggestions == 3, "what the panel shows"
        assert "  waiting    1 suggestion here, 2 suggestions in other repositories\n" in cli().out
        document = cli("status", "--json").json
        assert (document["suggestions"], document["suggestions_elsewhere"]) == (1, 2)
        memory.suggestions.dismiss("g_01k0aaa0")
    assert "  waiting    2 suggestions in other repositories\n" in cli().out


def test_the_weekly_comparison_is_not_called_an_agent(cli: Run, home: Path, repository: Path) -> None:
    with Recollect.open(str(home), folder=str(repository), environ={}) as memory:
        [staged] = memory.pending.staged()
        assert _kind(staged) == "Recollect suggests retiring"
        assert _because(staged).startswith("Recollect suggests retiring this: you later said “")
        assert "agent" not in _because(staged)
        assert compare_entries(memory.opened, memory.models).proposed == 0, "proposed once"


def test_nothing_is_decided_without_an_id_unless_the_person_says_so(
    cli: Run, home: Path, repository: Path, environ: dict[str, str]
) -> None:
    before = cli("--home", str(home), "pending", "--json").json
    for verb in ("approve", "reject"):
        done = cli("--home", str(home), verb)
        assert (done.code, f"{verb.capitalize()} which one? Give its ID" in done.err) == (2, True)
    terminal = Terminal([RECOLLECT, "--home", str(home), "reject"], repository, environ)
    assert before[0]["what"][:20] in " ".join(terminal.until("[y/N]").split())
    terminal.press("\n")
    terminal.end()
    assert cli("--home", str(home), "pending", "--json").json == before


def test_uninstall_names_only_hosts_that_were_connected(cli: Run, tmp_path: Path) -> None:
    for folder in (".claude", ".copilot"):
        (tmp_path / "user" / folder).mkdir()
    assert cli("install", "claude-code", "--project", "--yes").code == 0
    assert "Removed Recollect from Claude Code: " in cli("uninstall", "all", "--project", "--yes").out


def test_a_server_that_works_is_shown_as_the_worker(cli: Run, tmp_path: Path) -> None:
    cli("remember", "We use pnpm here.")
    stop, environ = threading.Event(), dict(os.environ)
    working = threading.Thread(target=Worker(environ).stay, args=(stop,), kwargs={"poll_seconds": 0.01})
    working.start()
    try:
        mark = tmp_path / "home" / "serving.lock"
        end = time.monotonic() + 30
        while not mark.exists():
            assert time.monotonic() < end, "the worker never said that it serves"
            time.sleep(0.01)
        assert cli("status", "--json").json["worker"]["serving"] is True
        assert "\trunning inside `recollect serve`; " in cli("doctor").out
    finally:
        stop.set()
        working.join()
    assert cli("status", "--json").json["worker"]["serving"] is False


def test_an_edit_that_changes_nothing_records_nothing(cli: Run) -> None:
    name = cli("remember", "We use pnpm here.", "--json").json["id"]
    before = cli("history", name, "--json").json
    for words in (("--tag", ""), ("--text", "We use pnpm here.")):
        done = cli("edit", name, *words)
        assert (done.code, "Nothing was changed" in done.err) == (1, True)
    assert cli("history", name, "--json").json == before
    assert cli("edit", name, "--tag", "tools").code == 0


def test_an_export_says_how_many_entries_are_active(
    cli: Run, repository: Path, environ: dict[str, str], tmp_path: Path
) -> None:
    for text in ("We use pnpm here.", "Deploys run on Friday."):
        name = cli("remember", text, "--json").json["id"]
    cli("forget", name, "--yes")
    terminal = Terminal([RECOLLECT, "export", "--out", str(tmp_path / "a.json")], repository, environ)
    terminal.end()
    assert "Wrote 2 entries (1 active) to" in " ".join(terminal.shown.split())
    assert "*retired*: Deploys" in cli("export", "--format", "markdown").out
    elsewhere = [RECOLLECT, "--home", str(tmp_path / "other")]
    terminal = Terminal([*elsewhere, "load", str(tmp_path / "a.json"), "--mine"], repository, environ)
    terminal.end()
    assert "Loaded 2 entries (1 active)." in terminal.shown
    terminal = Terminal([*elsewhere, "undo"], repository, environ)
    terminal.end()
    assert "which touched 1 entry" in terminal.shown


def test_outside_git_a_folder_is_called_a_folder(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "plain").mkdir()
    monkeypatch.chdir(tmp_path / "plain")
    assert "It holds in this folder (" in cli("remember", "We use pnpm here.", "--scope", "here").err


def test_recall_without_a_text_says_so(cli: Run) -> None:
    cli("remember", "We use pnpm here.")
    done = cli("recall", "")
    assert (done.code, "Type what to recall" in done.err) == (2, True)


def test_an_empty_report_says_where_it_looked(cli: Run, repository: Path) -> None:
    cli("remember", "We use pnpm here.")
    done = cli("report")
    assert "The archive has nothing for these days." in done.out
    assert re.search(r"Only \S+ was looked at; add `--all` for every repository", done.err)


def test_a_list_of_sessions_of_several_repositories_says_which(
    cli: Run, tmp_path: Path, repository: Path, environ: dict[str, str]
) -> None:
    (tmp_path / "other").mkdir()
    for number, folder in ((1, repository), (2, tmp_path / "other")):
        CodexLog(tmp_path / "user", str(folder), number).typed("add a route").answered("Done.").write()
    cli("import")
    done = process([RECOLLECT, "session", "list", "--all"], repository, environ)
    assert {row.split("\t")[-1].rpartition("/")[2] for row in done.out.splitlines()} >= {"other"}
    terminal = Terminal([RECOLLECT, "session", "list", "--all"], repository, environ)
    terminal.end()
    assert "other" in terminal.shown


def test_a_wrong_setting_is_told_in_a_sentence(cli: Run) -> None:
    done = cli("settings", "get", "foo")
    assert done.err.startswith("recollect: Unknown setting 'foo'; ")
    assert done.err.endswith(".\n")


def test_a_compaction_with_nothing_to_do_is_told_in_sentences(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "m.json").write_text(json.dumps([{"role": "user", "content": "Fix the login"}]))
    done = cli("compact", str(tmp_path / "m.json"), "--window", "8000")
    assert re.search(r"Unchanged at \d+ tokens?\. There is nothing to compact\.\n", done.err)


def test_health_names_hosts_as_people_do() -> None:
    assert [check_name(one) for one in ("claude-code", "claude-code twice", "disk")] == [
        "Claude Code",
        "Claude Code twice",
        "Disk",
    ]


def test_several_facts_of_one_suggestion_stand_one_below_the_other(
    cli: Run, repository: Path, environ: dict[str, str], tmp_path: Path
) -> None:
    path, facts = ".github/copilot-instructions.md", "Use pnpm.\nDeploy on Friday."
    with Recollect.open(str(tmp_path / "home"), folder=str(repository), environ={"HOME": str(tmp_path)}) as memory:
        one = Suggestion(
            "g_01k0aaaa", memory.repository.repository, facts, (), "newFile", path, "create", None, "- Use pnpm.\n",
            0.9, "", "", (), "a", root=str(repository), created=1.0, updated=1.0,
        )  # fmt: skip
        with memory.opened.store.write():
            memory.opened.store.suggestions.add(one)
    terminal = Terminal([RECOLLECT, "suggest", "list"], repository, environ)
    terminal.end()
    rows = [line.strip() for line in terminal.shown.splitlines()]
    assert [row.partition("• ")[2] for row in rows if "• " in row and "Mode" not in row] == facts.split("\n")
    assert "Says:\n  • Use pnpm.\n  • Deploy on Friday.\n" in cli("suggest", "show", "g_01k0aaaa").out


def test_going_back_in_a_review_says_that_it_was_undone(home: Path, repository: Path, environ: dict[str, str]) -> None:
    terminal = Terminal([RECOLLECT, "--home", str(home), "review"], repository, environ)
    card = terminal.until("q quit ?")
    assert re.search(r"1 of \d+", card)
    assert max(map(len, card.splitlines())) <= 80
    for key, said in (("n", "Dropped."), ("b", "Undone.")):
        terminal.press(key)
        terminal.until(said)
        terminal.until("q quit ?")
    terminal.press("q")
    assert terminal.end() == 0


def test_what_is_approved_after_an_undo_is_stored_again(cli: Run, home: Path) -> None:
    run = ("--home", str(home))
    name = next(one["id"] for one in cli(*run, "pending", "--json").json if one["id"].startswith("c_"))
    first = cli(*run, "approve", name)
    assert cli(*run, "undo", first.out.split()[-1]).code == 0
    again = cli(*run, "approve", name)
    assert again.out.split()[-1] == first.out.split()[-1]
    assert again.out.startswith("stored again ")
    assert "It is active again" not in again.err
