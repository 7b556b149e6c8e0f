"""The first hour: what somebody who never saw Recollect is told, and whether what it tells them to do helps."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import time
from pathlib import Path

import pytest

from recollect.files.logs.hook_log import log_call
from tests.command_line import RECOLLECT, Run, clean_environment, process
from tests.doors.cli.test_process import ESCAPES, on_terminal
from tests.flows.setup.test_doctor import Patient
from tests.processes import in_child


def seen(words: list[str], patient: Patient, *, typed: bytes = b"") -> str:
    """What a person reads on a terminal of 80 columns."""
    environ = clean_environment(patient.root, patient.user)
    return ESCAPES.sub("", on_terminal(words, patient.project, environ, typed=typed).out)


def test_a_file_that_cannot_be_read_has_one_remedy_that_works(tmp_path: Path) -> None:
    patient = Patient(tmp_path)
    patient.has(".gemini")
    with patient.open():
        pass
    settings = patient.user / ".gemini" / "settings.json"
    settings.write_text('{"hooks": [')
    assert patient.wrong() == ["gemini-cli files"], "an install would be refused, so it is not what helps"
    settings.write_text("{}")
    assert patient.wrong() == ["gemini-cli"]
    patient.install("gemini-cli")
    assert patient.wrong() == []


def test_what_went_wrong_in_a_hook_is_told_until_one_is_answered_again(tmp_path: Path) -> None:
    patient = Patient(tmp_path)
    patient.has(".claude")
    patient.install("claude-code")
    call = {"at": time.time(), "host": "claude-code", "event": "prompt", "milliseconds": 9.0}
    log_call(patient.home.logs, {**call, "outcome": "no memory", "why": "The disk is full."})
    assert patient.wrong() == ["hook"]
    log_call(patient.home.logs, {**call, "outcome": "answered"})
    assert patient.wrong() == []


def test_settings_that_cannot_be_read_set_no_limit_of_nothing(tmp_path: Path) -> None:
    patient = Patient(tmp_path)
    patient.has(".claude")
    patient.install("claude-code")
    log_call(patient.home.logs, {"event": "prompt", "outcome": "answered", "milliseconds": 9.0})
    assert "limit 300 ms" in patient.examine()["hook time"].detail
    Path(patient.home.config).write_text("enabled = maybe\n")
    assert patient.examine()["hook time"].detail == "9 ms per prompt (longest 9 ms)"


def test_a_switch_in_the_environment_is_not_turned_on_in_the_file(tmp_path: Path) -> None:
    patient = Patient(tmp_path)
    with patient.open():
        pass
    Path(patient.home.config).write_text("enabled = false\n")
    assert patient.examine()["switch"].remedy == "Run `recollect settings set enabled true`."
    Path(patient.home.config).write_text("enabled = true\n")
    patient.environ["RECOLLECT_ENABLED"] = "false"
    assert "RECOLLECT_ENABLED" in patient.examine()["switch"].remedy
    assert "settings set" not in patient.examine()["switch"].remedy


def test_hosts_that_do_not_run_the_hooks_yet_are_marked_in_the_status(cli: Run, tmp_path: Path) -> None:
    for folder in (".codex", ".cursor"):
        (tmp_path / "user" / folder).mkdir()
    cli("install", "all", "--yes")
    status = cli("status", "--json").json
    assert status["connected"] == {"codex": ["user"], "cursor": ["user"]}
    assert status["untrusted"] == ["codex"]


def test_a_terminal_sums_up_the_files_before_it_asks(tmp_path: Path) -> None:
    patient = Patient(tmp_path)
    patient.has(".claude", ".codex")
    shown = seen(["install", "all"], patient, typed=b"n\n")
    summary = shown[shown.index(f"  create  {patient.user}/.claude/settings.json") :]
    assert "\nWrite these 4 files? [y/N]" in summary
    assert not (patient.user / ".codex" / "hooks.json").exists()


def test_taking_it_out_asks_about_what_it_does(tmp_path: Path) -> None:
    patient = Patient(tmp_path)
    patient.has(".claude", ".codex")
    seen(["install", "all"], patient, typed=b"y\n")
    assert "\nRemove these 4 files? [y/N]" in seen(["uninstall", "all"], patient, typed=b"n\n")


def test_the_home_folder_is_no_project(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user = tmp_path / "user"
    monkeypatch.chdir(user)
    done = cli("install", "codex", "--project", "--yes")
    assert done.code == 1
    assert "leave out --project" in done.err
    assert not (user / ".codex").exists()


def test_samples_name_their_home_in_every_command_and_lead_to_the_install(cli: Run, tmp_path: Path) -> None:
    assert "install all" not in cli("up", "--sample", "--no-serve").out, "there is no agent to connect"
    (tmp_path / "user" / ".codex").mkdir(parents=True)
    shown = cli("up", "--sample", "--no-serve").out
    assert "recollect review --home " in shown
    assert shown.index("recollect list --all --home ") < shown.index("  recollect install all\n")


def test_a_session_start_has_a_name_in_why(tmp_path: Path) -> None:
    patient = Patient(tmp_path)
    environ = clean_environment(patient.root, patient.user)
    process([RECOLLECT, "profile", "set", "Preferences", "Answers in short sentences."], patient.project, environ)
    call = {"hook_event_name": "SessionStart", "session_id": "s1", "cwd": str(patient.project), "source": "startup"}
    process([RECOLLECT, "hook", "--host", "claude-code"], patient.project, environ, json.dumps(call))
    shown = seen(["why"], patient)
    assert shown.startswith("At the start of a session\n")
    assert "turn 0" not in shown


def test_what_was_allowed_reads_well_on_a_terminal(tmp_path: Path) -> None:
    patient = Patient(tmp_path)
    assert "deny       none" in seen(["permissions", "list"], patient)
    seen(["permissions", "allow"], patient)
    shown = seen(["permissions", "list"], patient)
    assert "You allowed agents to change memory" in shown
    assert "\t" not in shown


def test_an_install_that_can_make_no_database_writes_nothing(cli: Run, tmp_path: Path) -> None:
    codex = tmp_path / "user" / ".codex"
    codex.mkdir()
    (tmp_path / "home" / "recollect.db").mkdir(parents=True)
    done = cli("install", "codex", "--yes")
    assert done.code == 1
    assert list(codex.iterdir()) == []


def test_a_very_long_word_does_not_fill_the_screen(cli: Run) -> None:
    for words in (["install", "x" * 9_000], ["forget", "x" * 9_000], ["x" * 9_000], ["list", "--limit", "x" * 9_000]):
        done = cli(*words)
        assert done.code in (1, 2)
        assert len(done.err) < 1_200


def test_a_person_who_starts_the_server_by_hand_is_told_what_it_is(tmp_path: Path) -> None:
    patient = Patient(tmp_path)
    with patient.open():
        pass
    assert "Hosts start this themselves" in seen(["mcp"], patient, typed=b"\x04")


def test_a_database_without_its_rights_gets_them_back() -> None:
    folder = Path(tempfile.mkdtemp())  # where another user may look
    folder.chmod(0o755)
    patient = Patient(folder)
    with patient.open():
        pass

    def work() -> None:
        os.chmod(patient.root, 0o777)
        if os.geteuid() == 0:
            os.setuid(65534)
        found = patient.examine()["database"]
        assert found.remedy == f"Run: chmod u+rw {patient.home.database}"

    try:
        os.chmod(patient.home.database, 0o400)
        assert in_child(work) == 0
    finally:
        shutil.rmtree(folder)


def test_a_home_that_was_thrown_away_first_does_not_keep_the_hooks_in_the_hosts(cli: Run, tmp_path: Path) -> None:
    user = tmp_path / "user"
    for folder in (".claude", ".codex", ".pi/agent"):
        (user / folder).mkdir(parents=True)
    settings = user / ".claude" / "settings.json"
    settings.write_text('{"model": "opus"}')
    cli("install", "all", "--yes")
    shutil.rmtree(tmp_path / "home")
    done = cli("uninstall", "all", "--yes")
    assert done.code == 0, done
    assert "Removed Recollect from Claude Code, Codex, pi: " in done.out
    assert not [path for path in user.rglob("*") if path.is_file() and "recollect-" in path.read_text()]
    assert json.loads(settings.read_text())["model"] == "opus"
    assert "Recollect is not installed" in cli("uninstall", "all", "--yes").out
