"""Doctor says what is wrong and what helps, also when nothing else works; status is its short form."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from recollect import Recollect
from recollect.files import spool
from recollect.files.home import Home, ensure_home
from recollect.files.launchers.hook_launcher import STUB_NAME, interpreter, launcher_path
from recollect.files.logs.hook_log import log_call
from recollect.flows.setup.doctor import examine
from recollect.flows.setup.install import apply, plan
from recollect.hosts.codex.install import LABELS, _fingerprints
from recollect.model.findings import Finding
from recollect.model.jobs import MOST_ATTEMPTS
from recollect.model.sessions import Session
from recollect.store.database import Database
from recollect.store.migrations import migrate
from tests.command_line import RECOLLECT, Run, clean_environment
from tests.conftest import make_repository


class Patient:
    """A home, a user's folder with hosts in it, and a project."""

    def __init__(self, tmp_path: Path) -> None:
        self.user, self.root = tmp_path / "user", tmp_path / "home"
        self.user.mkdir(exist_ok=True)
        self.project = make_repository(tmp_path / "app")
        self.environ = {**clean_environment(self.root, self.user), "PATH": "/usr/bin:/bin"}
        self.home = Home(str(self.root))

    def has(self, *folders: str) -> None:
        for folder in folders:
            (self.user / folder).mkdir(parents=True, exist_ok=True)

    def open(self) -> Recollect:
        return Recollect.open(folder=str(self.project), environ=self.environ)

    def install(self, *hosts: str, project: bool = False) -> None:
        with self.open():
            pass
        where = str(self.project) if project else ""
        apply(plan(hosts, home=self.home, environ=self.environ, project=where), home=self.home)

    def examine(self) -> dict[str, Finding]:
        found = examine(self.home, self.environ, folder=str(self.project), now=time.time())
        assert all(finding.ok or finding.remedy for finding in found), "what is wrong has a remedy"
        assert all("\n" not in finding.detail + finding.remedy for finding in found), "one line each"
        return {finding.check: finding for finding in found}

    def wrong(self) -> list[str]:
        return [name for name, finding in self.examine().items() if not finding.ok]


@pytest.fixture
def patient(tmp_path: Path) -> Patient:
    return Patient(tmp_path)


def test_on_a_fresh_machine_it_says_where_to_begin_and_makes_nothing(patient: Patient) -> None:
    assert patient.wrong() == ["home"]
    assert "recollect up" in patient.examine()["home"].remedy
    assert not patient.root.exists()


def test_all_is_well_in_a_home_with_a_connected_host(patient: Patient) -> None:
    patient.has(".claude")
    patient.install("claude-code")
    found = patient.examine()
    assert [name for name, finding in found.items() if not finding.ok] == []
    assert found["claude-code"].detail == "connected (user)"
    assert re.search(r"answers in \d+ ms", found["launcher"].detail)
    assert found["waiting"].detail == "nothing is waiting for you"


def test_a_host_that_is_there_and_not_connected_gets_its_command(patient: Patient) -> None:
    patient.has(".claude", ".gemini")
    patient.install("claude-code")
    assert patient.wrong() == ["gemini-cli"]
    assert patient.examine()["gemini-cli"].remedy == "Run `recollect install gemini-cli`."


def test_codex_that_was_not_asked_to_trust_the_hooks_is_untrusted(patient: Patient) -> None:
    patient.has(".codex")
    patient.install("codex")
    found = patient.examine()
    assert [name for name, finding in found.items() if not finding.ok] == ["codex trust"]
    assert "/hooks" in found["codex trust"].remedy
    hooks = patient.user / ".codex" / "hooks.json"
    states = [
        f'[hooks.state.{json.dumps(key)}]\ntrusted_hash = "{fingerprint}"\n'
        for key, fingerprint in _fingerprints(str(hooks), hooks.read_text())
    ]
    config = patient.user / ".codex" / "config.toml"
    config.write_text(config.read_text() + "\n" + "\n".join(states))
    assert patient.wrong() == []


def test_the_plugin_in_codex_is_untrusted_until_each_of_its_hooks_is_trusted(patient: Patient) -> None:
    patient.has(".claude", ".codex")
    patient.install("claude-code")
    config = patient.user / ".codex" / "config.toml"
    config.write_text('[plugins."recollect@recollect"]\nenabled = true\n')
    found = patient.examine()
    assert found["codex"].detail.startswith("connected (plugin)")
    assert [name for name, finding in found.items() if not finding.ok] == ["codex trust"]
    assert "/hooks" in found["codex trust"].remedy
    for label in LABELS.values():
        assert patient.wrong() == ["codex trust"]
        # As Codex 0.166 names the hooks of a plugin.
        key = f"recollect@recollect:hooks/hooks.json:{label}:0:0"
        with config.open("a") as file:
            file.write(f'\n[hooks.state."{key}"]\ntrusted_hash = "sha256:5d75/sha256:bda1"\n')
    assert patient.wrong() == []


def test_hooks_of_a_project_may_wait_for_trust_until_a_call_shows_that_they_run(patient: Patient) -> None:
    patient.has(".gemini")
    patient.install("gemini-cli", project=True)
    assert "gemini-cli trust" in patient.wrong()
    log_call(patient.home.logs, {"at": time.time() + 1, "host": "gemini-cli", "event": "prompt", "outcome": "answered"})
    assert "gemini-cli trust" not in patient.wrong()


def test_two_installs_of_one_host_are_one_too_many(patient: Patient) -> None:
    patient.has(".claude")
    patient.install("claude-code")
    patient.install("claude-code", project=True)
    found = patient.examine()
    assert [name for name, finding in found.items() if not finding.ok] == ["claude-code twice"]
    assert found["claude-code twice"].remedy == "Keep one: `recollect uninstall claude-code --project`."


def test_a_plugin_beside_the_settings_is_one_too_many(patient: Patient) -> None:
    patient.has(".claude")
    patient.install("claude-code")
    settings = patient.user / ".claude" / "settings.json"
    document = json.loads(settings.read_text())
    settings.write_text(json.dumps({**document, "enabledPlugins": {"recollect@somewhere": True}}))
    assert patient.wrong() == ["claude-code twice"]


def test_the_plugin_alone_connects_copilot(patient: Patient) -> None:
    settings = patient.user / ".copilot" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"enabledPlugins": {"recollect@somewhere": True}}))
    found = patient.examine()["copilot-cli"]
    assert (found.ok, found.detail.startswith("connected (plugin)")) == (True, True)
    settings.write_text(json.dumps({"enabledPlugins": {"recollect@somewhere": False}}))
    assert not patient.examine()["copilot-cli"].ok


def test_a_hook_that_starts_the_launcher_of_another_home_is_stale(patient: Patient) -> None:
    patient.has(".claude")
    patient.install("claude-code")
    settings = patient.user / ".claude" / "settings.json"
    settings.write_text(settings.read_text().replace(str(patient.root), "/elsewhere"))
    assert "claude-code launcher" in patient.wrong()


def test_a_missing_mcp_entry_is_named(patient: Patient) -> None:
    patient.has(".claude")
    patient.install("claude-code")
    (patient.user / ".claude.json").unlink()
    assert patient.wrong() == ["claude-code mcp"]


def test_a_tool_of_opencode_that_our_files_keep_from_its_packages_is_named(patient: Patient) -> None:
    patient.has(".config/opencode")
    patient.install("opencode")
    assert "opencode packages" not in patient.examine()
    patient.has(".config/opencode/tools")
    (patient.user / ".config/opencode/tools/mine.ts").write_text("")
    finding = patient.examine()["opencode packages"]
    assert not finding.ok
    assert finding.remedy == "Run `recollect install opencode`."
    patient.install("opencode")
    assert "opencode packages" not in patient.examine()


def test_a_settings_file_of_a_host_that_cannot_be_read_is_named(patient: Patient) -> None:
    patient.has(".claude")
    patient.install("claude-code")
    (patient.user / ".claude" / "settings.json").write_text('{"hooks": {')
    assert "claude-code files" in patient.wrong()


def test_a_host_that_takes_memory_at_session_start_only_says_so(patient: Patient) -> None:
    patient.has(".config/Code/User")
    patient.install("vscode")
    found = patient.examine()["vscode"]
    assert found.ok
    assert "session start" in found.detail


def test_a_host_that_is_too_old_is_named_with_its_version(patient: Patient) -> None:
    patient.has(".codex")
    patient.install("codex")
    with patient.open() as memory, memory.opened.store.write():
        memory.opened.store.sessions.save(Session("s_1", "codex", "n", started=1.0, version="0.98.0"))
    found = patient.examine()["codex version"]
    assert not found.ok
    assert "0.98.0" in found.detail
    assert "0.116.0" in found.detail
    with patient.open() as memory, memory.opened.store.write():
        memory.opened.store.sessions.save(Session("s_2", "codex", "n2", started=2.0, version="0.142.5"))
    assert "codex version" not in patient.examine()


@pytest.mark.parametrize("broken", ["gone", "not executable", "no python", "moved", "says nonsense"])
def test_a_launcher_that_no_host_could_start_is_found(patient: Patient, broken: str) -> None:
    patient.has(".claude")
    patient.install("claude-code")
    path = Path(launcher_path(patient.home))
    stub = path.with_name(STUB_NAME)
    if broken == "gone":
        path.unlink()
    elif broken == "not executable":
        path.chmod(0o600)
    elif broken == "no python":
        path.write_text(path.read_text().replace(f"'{interpreter()}'", "'/nowhere/python'"))
    elif broken == "moved":
        stub.write_text(re.sub(r"sys\.path\.append\(.*\)", "sys.path.append('/nowhere')", stub.read_text()))
    else:
        path.write_text("#!/bin/sh\necho hello\n")
    assert "launcher" in patient.wrong()


def test_a_launcher_of_an_older_version_is_stale_and_any_command_renews_it(patient: Patient, tmp_path: Path) -> None:
    patient.has(".claude")
    patient.install("claude-code")
    stub = Path(patient.home.bin) / STUB_NAME
    stub.write_text(stub.read_text().replace("Written by Recollect ", "Written by Recollect 0.0.0-"))
    assert patient.wrong() == ["launcher"]
    environ = clean_environment(patient.root, patient.user)
    subprocess.run([RECOLLECT, "status"], env=environ, cwd=patient.project, check=True, capture_output=True)
    assert patient.wrong() == []


# -- home, settings, database


def test_a_home_that_others_may_read_is_not_private(patient: Patient) -> None:
    with patient.open():
        pass
    patient.root.chmod(0o755)
    assert patient.examine()["home"].remedy == f"Run: chmod 700 {patient.root}"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("enabled = [", "settings"),
        ("no_such_thing = 1\n", "settings"),
        ("[recall]\nmax_entries = 'many'\n", "settings"),
    ],
)
def test_wrong_settings_are_named(patient: Patient, text: str, named: str) -> None:
    with patient.open():
        pass
    Path(patient.home.config).write_text(text)
    assert named in patient.wrong()


def test_promise_13_a_switch_that_is_off_is_the_first_thing_one_hears(patient: Patient) -> None:
    with patient.open():
        pass
    Path(patient.home.config).write_text("enabled = false\n")
    found = patient.examine()["switch"]
    assert not found.ok
    assert found.remedy == "Run `recollect settings set enabled true`."


@pytest.mark.parametrize("where", [0, 20_000])
def test_a_damaged_database_is_found_and_the_remedy_mends_it(patient: Patient, where: int) -> None:
    with patient.open() as memory:
        for number in range(200):
            memory.remember(f"The port of service {number} is {8000 + number}.", scope="user")
    with open(patient.home.database, "r+b") as file:
        file.seek(where)
        file.write(os.urandom(9_000))
    found = patient.examine()["database"]
    assert not found.ok
    assert "recollect status" in found.remedy
    environ = clean_environment(patient.root, patient.user)
    subprocess.run([RECOLLECT, "status"], env=environ, cwd=patient.project, check=True, capture_output=True)
    assert patient.examine()["database"].ok


def test_an_index_that_differs_from_its_rows_is_found(patient: Patient) -> None:
    with patient.open() as memory:
        memory.remember("The deploy target is Fly.io.")
        with memory.opened.store.write():
            memory.opened.store.database.run("UPDATE term_counts SET documents = documents + 3")
    assert patient.wrong() == ["database"]


def test_a_database_that_vanished_is_not_taken_for_a_new_home(patient: Patient) -> None:
    with patient.open():
        pass
    for path in patient.root.glob("recollect.db*"):
        if not path.name.endswith(".created"):
            path.unlink()
    assert patient.wrong() == ["database"]


def test_a_database_of_a_newer_version_asks_for_an_upgrade(patient: Patient) -> None:
    with patient.open() as memory, memory.opened.store.write():
        memory.opened.store.database.run("INSERT INTO migrations VALUES (999, 'later', 'x', 1)")
        memory.opened.store.database.run("PRAGMA user_version = 999")
    assert patient.examine()["database"].remedy == "Upgrade Recollect."


def test_a_home_full_of_sessions_is_whole(patient: Patient) -> None:
    import recollect

    with patient.open() as memory:
        past = memory.sessions
        past.import_logs(past.logs([str(Path(recollect.__file__).parent / "sample")])[0])
        past.digest()
    assert patient.wrong() == []


def test_sessions_of_the_version_before_are_whole_after_the_migration(patient: Patient) -> None:
    ensure_home(str(patient.root))
    database = Database(patient.home.database)
    migrate(database, now=1.0, until=2)
    with database.write():
        database.run("INSERT INTO sessions (session_id, host, native_id, digested) VALUES ('s_1', 'codex', 'n', 9)")
        typed = "pnpm @~20 @2026"
        database.run(
            "INSERT INTO turns (session_row, number, user_text, user_analysed, assistant_analysed, tools_analysed, "
            "record_id) VALUES (1, 1, 'pnpm', ?, '', '', 'r')",
            (typed,),
        )
        database.run("INSERT INTO turn_text (rowid, user_analysed) VALUES (1, ?)", (typed,))
        for term in ("", *typed.split()):
            database.run("INSERT INTO turn_term_counts VALUES (?, 1)", (term,))
    database.close()
    with patient.open() as memory:
        assert memory.opened.store.sessions.undigested() == []
        assert memory.notices == ()
    assert patient.wrong() == []


# -- worker, hook times, what waits


def test_jobs_that_wait_for_long_without_a_worker_are_stuck(patient: Patient) -> None:
    with patient.open() as memory:
        memory.opened.store.jobs.add("check_citations", "a", {}, now=time.time() - 7_300)
    found = patient.examine()["worker"]
    assert not found.ok
    assert "2 hours" in found.detail
    environ = clean_environment(patient.root, patient.user)
    command = found.remedy.split("`")[1].split()
    subprocess.run([RECOLLECT, *command[1:]], env=environ, cwd=patient.project, check=True)
    assert patient.wrong() == []


def test_a_spool_that_nobody_takes_in_is_stuck(patient: Patient) -> None:
    home = ensure_home(str(patient.root))
    with patient.open():
        pass
    spool.add_line(home.spool, "{}", name=spool.JOBS)
    os.utime(Path(home.spool) / spool.JOBS, (1.0, 1.0))
    assert patient.wrong() == ["worker"]


def test_a_job_that_was_given_up_says_why_and_can_be_tried_again(patient: Patient) -> None:
    now = time.time()
    with patient.open() as memory:
        memory.opened.store.jobs.add("check_citations", "here", {}, now=now)
        for _ in range(MOST_ATTEMPTS):
            job = memory.opened.store.jobs.claim("w", now=now)
            assert job is not None
            memory.opened.store.jobs.fail(job, "The disk is full.", now=now)
            now += 4_000
    found = patient.examine()["jobs"]
    assert not found.ok
    assert "The disk is full." in found.detail
    environ = clean_environment(patient.root, patient.user)
    subprocess.run([RECOLLECT, "worker", "--once", "--retry"], env=environ, cwd=patient.project, check=True)
    assert patient.wrong() == []


def test_prompts_that_came_too_late_are_counted(patient: Patient) -> None:
    patient.has(".claude")
    patient.install("claude-code")
    for number in range(20):
        outcome = "too late" if number % 4 == 0 else "answered"
        log_call(
            patient.home.logs,
            {
                "at": time.time(),
                "host": "claude-code",
                "event": "prompt",
                "outcome": outcome,
                "milliseconds": 40 + number,
            },
        )
    found = patient.examine()["hook time"]
    assert not found.ok
    assert "5 of 20 prompts" in found.detail
    assert "hook.limit_milliseconds" in found.remedy


def test_calls_without_memory_say_why(patient: Patient) -> None:
    patient.has(".claude")
    patient.install("claude-code")
    call = {"at": time.time(), "host": "claude-code", "event": "prompt", "milliseconds": 9.0}
    log_call(patient.home.logs, {**call, "outcome": "no memory", "why": "The disk is full."})
    assert "The disk is full." in patient.examine()["hook"].detail


def test_the_last_injection_and_what_waits_are_told(patient: Patient) -> None:
    with patient.open() as memory:
        memory.remember("The deploy target is Fly.io.")
        memory.inject("what is the deploy target?", session="s", host="codex")
    found = patient.examine()
    assert "codex: 1 entry" in found["last injection"].detail


# -- the commands


def test_the_command_exits_with_1_when_something_needs_the_user(cli: Run, tmp_path: Path) -> None:
    assert cli("list").code == 0
    done = cli("doctor", "--json")
    assert done.code == 0
    assert all(set(one) == {"check", "ok", "detail", "remedy"} for one in done.json)
    (tmp_path / "user" / ".codex").mkdir()
    done = cli("doctor", "--json")
    assert done.code == 1
    assert [one["check"] for one in done.json if not one["ok"]] == ["codex"]
    assert "fix\tcodex\tnot connected\tRun `recollect install codex`." in cli("doctor").out


def test_the_command_works_where_the_database_does_not(cli: Run, tmp_path: Path) -> None:
    cli("list")
    (tmp_path / "home" / "recollect.db").write_bytes(b"nonsense" * 1_000)
    done = cli("doctor", "--json")
    assert done.code == 1
    assert "database" in [one["check"] for one in done.json if not one["ok"]]


def test_a_person_sees_marks_and_remedies_within_80_columns(patient: Patient) -> None:
    patient.has(".claude", ".codex", ".config/Code/User")
    patient.install("claude-code", "codex")
    patient.root.chmod(0o755)
    text = on_terminal([RECOLLECT, "doctor"], clean_environment(patient.root, patient.user), patient.project)
    lines = re.sub(r"\x1b\[[0-9;]*m", "", text).replace("\r", "").splitlines()
    assert not [line for line in lines if len(line.rstrip()) > 80 and " " in line.strip()]
    assert any(str(patient.home.bin) in line for line in lines), "a path can be copied"
    assert "  ✓  claude-code" in "\n".join(lines)
    assert "→ Run: chmod 700" in "\n".join(lines)
    assert re.match(r"\d things need your attention\.", lines[-1])


def test_status_is_the_short_form(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "user" / ".codex").mkdir()
    cli("remember", "The deploy target is Fly.io.")
    cli("recall", "what is the deploy target?")
    status = cli("status", "--json").json
    assert set(status) >= {"home", "entries", "sessions", "pending", "suggestions", "hosts", "model", "ceilings"}
    assert status["entries"] == {"L0": 0, "L1": 1, "L2": 0}
    assert status["connected"] == {"codex": []}
    # The upkeep of the day and a look at what is cited, which the first change leaves to a worker; commands in this
    # process start none.
    assert status["worker"] == {"alive": False, "waiting": 2, "failed": 0, "serving": False}
    assert status["last_injection"]["entries"] == 1
    assert "connected.codex: no" in cli("status").out


def on_terminal(words: list[str], environ: dict[str, str], folder: Path) -> str:
    """What a command prints on a terminal of 80 columns."""
    ours, theirs = pty.openpty()
    quiet = {**environ, "COLUMNS": "80", "LINES": "40", "TERM": "xterm-256color"}
    process = subprocess.Popen(words, stdin=theirs, stdout=theirs, stderr=theirs, env=quiet, cwd=folder)
    os.close(theirs)
    parts = []
    while True:
        try:
            part = os.read(ours, 1 << 16)
        except OSError:
            break
        if not part:
            break
        parts.append(part)
    process.wait(timeout=30)
    os.close(ours)
    assert sys.platform != "win32"
    return b"".join(parts).decode()
