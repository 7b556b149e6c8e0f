"""What a new user tries in the first hour, as they would try it."""

from __future__ import annotations

import shutil
from datetime import datetime
from pathlib import Path

import pytest

from recollect.doors.cli.printing.terminal import bar
from recollect.errors import UsageError
from recollect.text.times import parse_time
from tests.codex_logs import CodexLog
from tests.command_line import RECOLLECT, Run, clean_environment, process
from tests.conftest import make_repository
from tests.terminals import Terminal

NOW = datetime(2026, 11, 18, 15, 30).timestamp()  # a Wednesday


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("today", "2026-11-18"),
        ("yesterday", "2026-11-17"),
        ("Yesterday", "2026-11-17"),
        ("last monday", "2026-11-16"),
        ("monday", "2026-11-16"),
        ("last wednesday", "2026-11-11"),
        ("last week", "2026-11-11"),
        ("2026-01-31", "2026-01-31"),
    ],
)
def test_a_day_is_written_as_people_say_it(text: str, day: str) -> None:
    assert parse_time(text, now=NOW) == datetime.fromisoformat(day).timestamp()


@pytest.mark.parametrize(("text", "hours"), [("7d", 168), ("12h", 12), ("3 days ago", 72), ("2 weeks", 336)])
def test_how_long_ago_is_written_as_people_say_it(text: str, hours: int) -> None:
    assert parse_time(text, now=NOW) == NOW - hours * 3600


def test_what_is_not_a_time_is_answered_with_what_is() -> None:
    with pytest.raises(UsageError, match='"someday" is not a valid time; write 7d, 12h, yesterday, last monday'):
        parse_time("someday", now=NOW)


def test_every_command_that_takes_a_time_takes_words(cli: Run) -> None:
    cli("remember", "The queue is drained at night.")
    assert len(cli("list", "--since", "yesterday", "--json").json) == 1
    for words in (("recall", "queue"), ("report",), ("session", "list")):
        assert cli(*words, "--since", "last monday").code == 0, words
    assert cli("list", "--since", "0h", "--json").json == []


def test_list_finds_entries_by_their_words(cli: Run) -> None:
    cli("remember", "The queue is drained at night.")
    cli("remember", "Deploys run from the main branch only.", "--tag", "release")
    assert [one["content"] for one in cli("list", "QUEUE", "night", "--json").json] == [
        "The queue is drained at night."
    ]
    assert len(cli("list", "release", "--json").json) == 1, "also by a tag"
    assert cli("list", "elephants").out == ""


def test_remember_says_where_the_entry_holds_and_under_which_name(cli: Run, repository: Path) -> None:
    here = cli("remember", "The package manager is pnpm.")
    assert "It holds in this repository (" in here.err
    assert "is found under “package manager”" in here.err
    everywhere = cli("remember", "Answers are short.", "--scope", "user", "--subject", "answers")
    assert "It holds everywhere and is found under “answers”." in everywhere.err


def test_outside_git_an_entry_holds_everywhere(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "notes").mkdir()
    monkeypatch.chdir(tmp_path / "notes")
    assert "It holds everywhere" in cli("remember", "The printer is on the second floor.").err
    [entry] = cli("list", "--json").json
    assert entry["scope"] == "user"


def test_each_text_of_profile_set_is_a_line(cli: Run) -> None:
    assert cli("profile", "set", "Style", "Answers in short sentences.", "No emojis.").code == 0
    assert len(cli("list", "--layer", "L0", "--json").json) == 2


def test_a_setting_is_taken_out_again_and_nothing_else_changes(cli: Run, tmp_path: Path) -> None:
    cli("settings", "set", "recall.max_entries", "5")
    config = Path(cli("settings", "path").out.strip())
    config.write_text("# mine\nenabled = true\n" + config.read_text() + "max_tokens = 300 # few\n")
    done = cli("settings", "unset", "recall.max_entries", "--json")
    assert done.json["origin"] == "default"
    assert config.read_text().splitlines() == ["# mine", "enabled = true", "[recall]", "max_tokens = 300 # few"]
    again = cli("settings", "unset", "recall.max_entries")
    assert again.code == 0
    assert "does not set recall.max_entries" in again.err
    assert cli("settings", "unset", "nonsense").code != 0


def test_erasing_shows_what_will_be_erased(cli: Run) -> None:
    entry_id = cli("remember", "The staging password is in the vault.", "--json").json["id"]
    refused = cli("forget", entry_id, "--hard")
    assert refused.code == 1
    assert "This will be erased, with its history: “The staging password is in the vault.”" in refused.err
    assert cli("forget", entry_id, "--hard", "--yes").code == 0


def test_a_broken_file_stops_only_its_own_host(cli: Run, tmp_path: Path) -> None:
    user = tmp_path / "user"
    (user / ".claude").mkdir()
    (user / ".claude" / "settings.json").write_text('{"hooks": ')
    (user / ".gemini").mkdir()
    done = cli("install", "all", "--yes")
    assert done.code == 1, "one host could not be connected"
    assert "Connected Gemini CLI" in done.out
    assert "Claude Code was not connected: " in done.err
    assert "settings.json" in done.err
    assert "nothing was changed" not in done.err
    assert "Fix the file, then run `recollect install claude-code`." in done.err
    assert (user / ".claude" / "settings.json").read_text() == '{"hooks": '
    assert "recollect" in (user / ".gemini" / "settings.json").read_text()
    assert cli("install", "claude-code", "--yes").code == 1, "named alone, it is refused"


def test_a_host_that_is_left_out_on_purpose_is_no_problem(cli: Run, tmp_path: Path) -> None:
    for folder in (".claude", ".gemini"):
        (tmp_path / "user" / folder).mkdir()
    assert cli("install", "--never", "gemini-cli").code == 0
    assert cli("install", "all", "--yes").code == 0
    assert not (tmp_path / "user" / ".gemini" / "settings.json").exists()
    [finding] = [one for one in cli("doctor", "--json").json if one["check"] == "gemini-cli"]
    assert (finding["ok"], finding["detail"]) == (True, "left out on purpose")
    assert cli("install", "gemini-cli", "--yes").code == 0, "naming it connects it again"
    assert cli("settings", "get", "never_install").out.strip() == "[]"
    assert cli("install", "--never", "vim").code == 2
    assert cli("install").code == 2


def test_a_host_that_is_left_out_while_connected_is_named_with_the_way_out(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "user" / ".cursor").mkdir()
    assert cli("install", "cursor", "--yes").code == 0
    done = cli("install", "--never", "cursor")
    assert "cursor is still connected. Remove it with `recollect uninstall cursor`." in done.err
    (tmp_path / "user" / ".cursor" / "mcp.json").write_text("{bad")
    [finding] = [one for one in cli("doctor", "--json").json if one["check"].startswith("cursor")]
    assert finding["ok"]
    assert "still connected" in finding["detail"]
    (tmp_path / "user" / ".cursor" / "mcp.json").unlink()
    assert cli("uninstall", "cursor", "--yes").code == 0
    assert cli("status", "--json").json["left_out"] == ["cursor"]
    refused = cli("install", "--never", "goose")
    assert "`install all` never connects goose" in refused.err


def test_a_host_that_is_left_out_stays_so_when_it_reads_the_settings_of_another(cli: Run, tmp_path: Path) -> None:
    for folder in (".claude", ".cursor"):
        (tmp_path / "user" / folder).mkdir()
    assert cli("install", "--never", "cursor").code == 0
    assert cli("install", "claude-code", "--yes").code == 0
    assert cli("status", "--json").json["left_out"] == ["cursor"]
    [finding] = [one for one in cli("doctor", "--json").json if one["check"].startswith("cursor")]
    assert finding["ok"]
    assert "it reads the settings of Claude Code, so the hooks there run in Cursor too" in finding["detail"]
    assert not finding["remedy"]
    assert "still connected" not in cli("install", "--never", "cursor").err


def test_a_broken_file_that_several_hosts_read_is_one_problem(cli: Run, tmp_path: Path) -> None:
    user = tmp_path / "user"
    for folder in (".claude", ".cursor", ".config/Code/User"):
        (user / folder).mkdir(parents=True)
    cli("install", "all", "--yes")
    whole = (user / ".claude" / "settings.json").read_text()
    (user / ".claude" / "settings.json").write_text("{bad")
    wrong = [one for one in cli("doctor", "--json").json if one["check"].endswith(" files")]
    assert [(one["check"], one["remedy"]) for one in wrong] == [("claude-code files", "Fix the file.")]
    assert "settings.json: line 1 is not valid JSON" in wrong[0]["detail"]
    (user / ".claude" / "settings.json").write_text(whole)
    assert not [one for one in cli("doctor", "--json").json if one["check"].endswith(" files")]


def test_of_our_own_plugin_the_beginning_is_shown_and_all_of_it_with_full(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "user" / ".pi" / "agent").mkdir(parents=True)
    short = cli("install", "pi", "--dry-run").out
    assert "more lines; " in short
    assert len(short.splitlines()) < 40
    full = cli("install", "pi", "--dry-run", "--full").out
    assert len(full.splitlines()) > 100
    assert "--full" not in full


def test_without_a_command_the_state_is_shown_with_three_commands_that_fit(cli: Run, tmp_path: Path) -> None:
    first = cli().out
    assert first.startswith("Recollect is one local memory"), "before there is a home"
    assert (len(first.splitlines()), (tmp_path / "home").exists()) == (6, False)
    assert max(map(len, first.splitlines())) <= 80
    cli("remember", "The queue is drained at night.")
    done = cli()
    assert done.code == 0
    lines = done.out.splitlines()
    assert len(lines) <= 12
    assert lines[0] == "Recollect remembers 1 entry from 0 sessions."
    commands = [line.split("  ")[1] for line in lines if line.strip().startswith("recollect ")]
    assert commands == ["recollect up", "recollect install all", "recollect preview", "recollect --help"]
    assert "read the sessions of your agents" in done.out, "the first reason that fits"
    (tmp_path / "user" / ".claude").mkdir()
    cli("install", "all", "--yes")
    assert "install all" not in cli().out


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_real_shell_completes_commands_and_options(shell: str, tmp_path: Path) -> None:
    (tmp_path / "user").mkdir()
    environ = clean_environment(tmp_path / "home", tmp_path / "user")
    script = process([RECOLLECT, "completion", shell], tmp_path, environ)
    assert script.code == 0
    assert "_RECOLLECT_COMPLETE" in script.out
    program = shutil.which(shell)
    assert program, "make test installs the shells"
    (tmp_path / "script").write_text(script.out)
    ask = {
        "bash": "source ./script; COMP_WORDS=(recollect {words}); COMP_CWORD={at}; _recollect_completion recollect; "
        'printf "%s\\n" "${{COMPREPLY[@]}}"',
        "zsh": "autoload -U compinit; compinit -u; source ./script; functions _recollect_completion >/dev/null && "
        "env COMP_WORDS='recollect {words}' COMP_CWORD={at} _RECOLLECT_COMPLETE=zsh_complete recollect",
        "fish": "source ./script; complete -C 'recollect {words}'",
    }[shell]
    for words, at, wanted in (("pre", 1, "preview"), ("list --si", 2, "--since"), ("session sh", 2, "show")):
        done = process([program, "-c", ask.format(words=words, at=at)], tmp_path, environ)
        assert wanted in done.out.split(), (words, done)


def test_a_status_has_one_word_on_the_screen(cli: Run) -> None:
    entry_id = cli("remember", "The queue is drained at night.", "--json").json["id"]
    cli("forget", entry_id)
    assert "\tretired\t" in cli("list", "--status", "retired").out
    assert "status: retired" in cli("show", entry_id).out
    assert "tombstone" not in cli("history", entry_id).out
    assert cli("show", entry_id, "--json").json["status"] == "tombstone", "programs keep the name that they know"


def test_on_a_terminal_a_session_and_a_report_end_their_lines_between_words(cli: Run, tmp_path: Path) -> None:
    long = "please look at the importer and say which of its many steps could be left out without harm " * 3
    CodexLog(tmp_path / "user", str(Path.cwd()), 1, day="2026-10-01").typed(long).answered(long).write()
    cli("import")
    [session] = cli("session", "list", "--json").json
    environ = clean_environment(tmp_path / "home", tmp_path / "user", TERM="xterm")
    terminal = Terminal([RECOLLECT, "session", "show", session["id"]], Path.cwd(), environ, columns=80)
    assert terminal.end() == 0
    lines = [line.rstrip() for line in terminal.shown.splitlines()]
    assert max(map(len, lines)) <= 80
    assert long.split() == " ".join(lines).partition("you: ")[2].split()[: len(long.split())]


def test_a_bar_can_be_read_without_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert str(bar(0.5)) == "━" * 12 + "·" * 12


def test_a_repository_without_a_remote_is_shown_as_its_folder(tmp_path: Path) -> None:
    (tmp_path / "user").mkdir()
    folder = tmp_path / "bare"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    environ = clean_environment(tmp_path / "home", tmp_path / "user")
    process([RECOLLECT, "remember", "The queue is drained at night."], folder, environ)
    shown = process([RECOLLECT], folder, environ).out
    assert str(folder) in shown
    assert "path:" not in shown


def test_a_repository_with_commits_but_no_remote_is_shown_as_its_folder(tmp_path: Path) -> None:
    (tmp_path / "user").mkdir()
    folder = make_repository(tmp_path / "mill", remote="")
    CodexLog(tmp_path / "user", str(folder), 1).typed("Which port does the mill use?").answered("8124.").write()
    environ = clean_environment(tmp_path / "home", tmp_path / "user")
    told = process([RECOLLECT, "remember", "This repository uses pnpm, not npm."], folder, environ)
    assert f"({folder})" in told.err
    up = process([RECOLLECT, "up", "--no-serve"], folder, environ).out
    assert "Which package manager does mill use?" in up
    shown = "".join(process([RECOLLECT, name], folder, environ).out for name in ("overview", "status"))
    assert shown.count(str(folder)) >= 2
    assert "root:" not in up + shown.replace("repository: root:", "")
    listed = process([RECOLLECT, "session", "list"], folder, environ).out
    session = process([RECOLLECT, "session", "show", listed.split()[0]], folder, environ).out
    report = process([RECOLLECT, "report", "--since", "2020-01-01"], folder, environ).out
    memory = process([RECOLLECT, "memory", "status"], folder, environ).out
    process([RECOLLECT, "task", "add", "Move the mill"], folder, environ)
    task = process([RECOLLECT, "task", "show"], folder, environ).out
    assert session.startswith("Which port does the mill use?\n")
    assert "\tWhich port does the mill use?" in listed, "without a title, a session is known by what was typed first"
    assert all(str(folder) in one and "root:" not in one for one in (session, report, memory, task))


@pytest.mark.parametrize(("name", "value"), [("exclude", '["*/private/*"]'), ("enabled", "false")])
def test_the_only_setting_of_a_file_can_be_unset(name: str, value: str, cli: Run) -> None:
    assert cli("settings", "set", name, value).code == 0
    done = cli("settings", "unset", name)
    assert (done.code, done.err) == (0, "")
    assert cli("settings", "get", name, "--json").json["origin"] == "default"


def test_a_setting_that_is_unset_leaves_no_empty_table_behind(cli: Run) -> None:
    path = Path(cli("settings", "path").out.strip())
    cli("settings", "set", "enabled", "true")
    before = path.read_text()
    cli("settings", "set", "suggestions.mode", "eager")
    cli("settings", "set", "recall.max_entries", "5")
    for name in ("suggestions.mode", "recall.max_entries"):
        assert cli("settings", "unset", name).code == 0
    assert path.read_text() == before
    path.write_text("[recall]\n# mine\nmax_entries = 5\n")
    cli("settings", "unset", "recall.max_entries")
    assert path.read_text() == "[recall]\n# mine\n"
