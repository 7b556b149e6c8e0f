"""What somebody stumbled over who tried one command after the other: what it said was not so, or left the next step out."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import time
from pathlib import Path

import pytest

from tests.codex_logs import CodexLog
from tests.command_line import RECOLLECT, Run, clean_environment, process
from tests.conftest import git, make_repository
from tests.doors.cli.test_newcomers_again import shown
from tests.terminals import Terminal

FUTURE = "2999-01-01"


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "user").mkdir(exist_ok=True)
    return clean_environment(tmp_path / "home", tmp_path / "user", TERM="xterm")


def test_up_names_whole_folders_and_says_how_many_of_those_that_wait_it_shows(
    environ: dict[str, str], tmp_path: Path
) -> None:
    page = shown(["up", "--sample", "--no-serve"], tmp_path, environ)
    found = page.partition("Found in the samples")[2].partition("Read 16")[0]
    assert "quayside-billing and 1 more" in found
    assert "…" not in found
    assert "see Next" not in page
    assert "Waiting for your review (2 of 12): one key each, with `review` (below)" in page
    assert re.search(r"^  recollect review --home", page.partition("\nNext")[2], re.MULTILINE)


def test_next_steps_are_for_another_terminal_while_the_panel_has_this_one(
    environ: dict[str, str], tmp_path: Path
) -> None:
    first = Terminal([RECOLLECT, "up", "--sample"], tmp_path, environ)
    first.until("press Ctrl-C to stop.")
    assert "Next, in another terminal" in first.shown
    second = process([RECOLLECT, "up", "--sample", "--no-serve"], tmp_path, environ)
    assert second.code == 1
    assert "are in use, most likely by a panel in another terminal. Press Ctrl-C there" in second.err
    assert first.interrupt() == 0


def test_up_shows_a_line_of_the_profile_and_the_entry_it_came_from_once(
    cli: Run, tmp_path: Path, repository: Path
) -> None:
    cli("remember", "Keep your answers short.", "--layer", "L0")
    cli("remember", "Keep your answers short.", "--scope", "everywhere")
    CodexLog(tmp_path / "user", str(repository), 1).typed("We deploy from tags only.").answered("Yes.").write()
    assert cli("up", "--no-serve").out.count("Keep your answers short.") == 1


def test_up_says_on_which_day_a_prompt_was_typed(cli: Run, tmp_path: Path, repository: Path) -> None:
    user = tmp_path / "user"
    said = CodexLog(user, str(repository), 1, day="2026-10-01").typed("We use pnpm here, not npm.")
    said.answered("pnpm is used from now on.").write()
    asked = CodexLog(user, str(repository), 2, day="2026-10-02").typed("install the dependencies with npm please")
    asked.answered("They are installed.").write()
    assert "On 2026-10-02 you typed this, and memory would have added" in cli("up", "--no-serve").out


def test_up_brings_no_fact_that_was_said_after_the_prompt(cli: Run, tmp_path: Path, repository: Path) -> None:
    user = tmp_path / "user"
    asked = CodexLog(user, str(repository), 1, day="2026-10-01").typed("install the dependencies with npm please")
    asked.answered("They are installed.").write()
    said = CodexLog(user, str(repository), 2, day="2026-10-02").typed("We use pnpm here, not npm.")
    said.answered("pnpm is used from now on.").write()
    assert "memory would have added" not in cli("up", "--no-serve").out


def test_worktrees_are_not_counted_as_projects(cli: Run, tmp_path: Path) -> None:
    for number, folder in enumerate(("/gone/shop", "/gone/shop/.claude/worktrees/a-1", "/gone/shop.worktrees/b")):
        CodexLog(tmp_path / "user", folder, number + 1).typed("Fix the login.").answered("Done.").write()
    found = next(line for line in cli("up", "--no-serve").out.splitlines() if "3 sessions" in line)
    assert found.split()[-1] == "shop"


def test_a_list_of_sessions_says_when_there_are_more(
    cli: Run, environ: dict[str, str], tmp_path: Path, repository: Path
) -> None:
    for number in range(52):
        CodexLog(tmp_path / "user", str(repository), number + 1).typed(f"Fix login {number}.").answered("Done.").write()
    cli("import")
    terminal = Terminal([RECOLLECT, "session", "list"], repository, environ)
    assert terminal.end() == 0
    assert "50 shown; --limit 0 lists them all." in terminal.shown
    assert len(cli("session", "list", "--json").json) == len(cli("session", "list").out.splitlines()) == 52
    assert len(cli("session", "list", "--limit", "3", "--json").json) == 3
    assert cli("session", "list", "--limit", "0").code == 0


def test_the_command_for_the_archive_looks_where_the_list_looked(cli: Run, tmp_path: Path, repository: Path) -> None:
    shop = make_repository(tmp_path / "shop", remote="git@github.com:owner/shop.git")
    for number, folder in enumerate((repository, shop)):
        log = CodexLog(tmp_path / "user", str(folder), number + 1).typed("We deploy from tags only.")
        log.answered("Yes.").write()
    cli("up", "--no-serve")
    hint = cli("list", "--repository", "shop", "--since", "2020-01-31").err
    assert "recollect list --layer L2 --repository shop --since '2020-01-31 00:00'" in hint
    listed = cli(*shlex.split(re.search("recollect (list [^`]+)`", hint)[1]), "--json").json  # type: ignore[index]
    assert {one["repository"] for one in listed} == {"github.com/owner/shop"}


def test_a_folder_that_lost_its_remote_is_called_by_its_path(cli: Run, repository: Path) -> None:
    cli("remember", "We use pnpm.")
    git(repository, "remote", "remove", "origin")
    told = cli("status").err
    assert f"was github.com/owner/app before and is {repository} without a remote now" in told
    assert cli("status", "--json").json["place"] == str(repository)


def test_a_list_since_a_day_has_what_was_said_since_then(cli: Run, tmp_path: Path, repository: Path) -> None:
    said = CodexLog(tmp_path / "user", str(repository), 1, day="2026-10-01").typed("We deploy from tags only.")
    said.answered("Yes.").write()
    cli("up", "--no-serve")
    cli("remember", "The queue is drained at night.")
    assert [one["content"] for one in cli("list", "--since", "1d", "--json").json] == ["The queue is drained at night."]
    for command in ("list", "recall"):
        assert "Only what was said or stored since then" in " ".join(cli(command, "--help").out.split())


@pytest.mark.parametrize("words", [["list"], ["report"], ["recall", "pnpm"], ["session", "list"]], ids=" ".join)
def test_a_time_in_the_future_is_wrong_usage(cli: Run, words: list[str]) -> None:
    done = cli(*words, "--since", FUTURE)
    assert (done.code, done.out) == (2, "")
    assert f'"{FUTURE}" is in the future.' in done.err


def test_an_empty_list_says_how_to_fill_it_and_a_narrow_one_where_else_to_look(cli: Run) -> None:
    assert cli("list").err.startswith("No entries here yet. Add one with `recollect remember TEXT`")
    narrow = cli("list", "--tag", "tooling").err
    assert narrow.startswith("No such entries here.")
    assert "remember" not in narrow


def test_an_empty_report_offers_another_time_than_the_one_that_was_asked_for(cli: Run) -> None:
    assert "`--since 30d` for more days" in cli("report").err
    assert "or an earlier `--since`" in cli("report", "--since", "30d").err


def test_a_report_steps_in_below_its_bullets(
    cli: Run, environ: dict[str, str], tmp_path: Path, repository: Path
) -> None:
    asked = "please look at the importer and say which of its many steps could be left out without any harm"
    day = time.strftime("%Y-%m-%d", time.localtime(time.time() - 86_400))  # a time of today may be still to come
    log = CodexLog(tmp_path / "user", str(repository), 1, day=day).typed(asked)
    log.answered("There are three. Shall I remove the first one?").write()
    cli("up", "--no-serve")
    page = shown(["report"], repository, environ)
    assert re.search(r"^- Request: please look .*\n  \S", page, re.MULTILINE)
    assert "Open: Shall I remove the first one?" in page


def test_loading_what_is_here_already_asks_nothing(
    cli: Run, environ: dict[str, str], tmp_path: Path, repository: Path
) -> None:
    cli("remember", "Hi there.", "--layer", "L0")
    cli("remember", "We use pnpm.")
    cli("task", "add", "Move to pnpm")
    export = str(tmp_path / "memory.json")
    cli("export", "--out", export)
    page = shown(["load", export], repository, environ)
    assert page.strip() == "✓ No new entries: all of them are already here."
    document = json.loads(Path(export).read_text())
    document["entries"][0] = {**document["entries"][0], "id": "e_new", "layer": "L1", "content": "Deploys are manual."}
    Path(export).write_text(json.dumps(document))
    terminal = Terminal([RECOLLECT, "load", export], repository, environ)
    assert "1 entry will count as your own words" in " ".join(terminal.until("your own words").split())
    terminal.press("y\n")
    assert terminal.end() == 0
    assert "Hi there" not in terminal.shown
    assert "Loaded 1 entry." in terminal.shown


def test_one_line_in_zshrc_is_enough_for_completion(environ: dict[str, str], tmp_path: Path) -> None:
    zsh = shutil.which("zsh")
    assert zsh, "make test installs the shells"
    (tmp_path / "user" / ".zshrc").write_text('eval "$(recollect completion zsh)"\n')
    found = process([zsh, "-i", "-c", "print $_comps[recollect]"], tmp_path, environ)
    assert (found.out.split(), "not found" in found.err) == (["_recollect_completion"], False), found


def test_a_task_is_completed_with_the_command_that_the_refusal_names(cli: Run) -> None:
    task_id = cli("task", "add", "Move to pnpm", "--json").json["id"]
    done = cli("task", "update", "--status", "completed")
    assert (done.code, f"`recollect task complete {task_id}`" in done.err) == (1, True)


def test_a_second_project_of_the_same_name_is_refused(cli: Run) -> None:
    first = cli("project", "add", "Build tools", "--json").json["id"]
    other = cli("project", "add", "Docs", "--json").json["id"]
    for words in (("add", "build Tools"), ("update", "Docs", "--title", "Build tools")):
        done = cli("project", *words)
        assert (done.code, f"There is already a project 'Build tools' ({first})" in done.err) == (1, True), done.err
    assert cli("project", "update", "Docs", "--title", "DOCS").code == 0, "its own name is free"
    assert cli("project", "show", "docs", "--json").json["id"] == other


def test_where_several_tasks_have_a_name_their_ids_are_listed(cli: Run) -> None:
    made = [cli("task", "add", "Move to pnpm", "--json").json["id"] for _ in range(2)]
    said = cli("task", "show", "Move to pnpm").err
    assert all(task_id in said for task_id in made)


def test_an_install_says_which_agents_are_not_on_this_machine(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "user" / ".codex").mkdir()
    said = cli("install", "claude-code", "codex", "--dry-run").err
    assert "Claude Code was not found on this machine; these files are used once you install it." in said


def test_nobody_is_offered_to_connect_agents_to_the_home_of_the_samples(cli: Run) -> None:
    home = cli("up", "--sample", "--no-serve", "--json").json["home"]
    assert "install all" not in cli("--home", home).out
    cli("remember", "We use pnpm.")
    assert "install all" in cli().out


def test_a_long_command_in_a_hint_is_never_broken(environ: dict[str, str], repository: Path, tmp_path: Path) -> None:
    home = str(tmp_path / ("a-long-name-" * 3) / "home")
    process([RECOLLECT, "--home", home, "up", "--sample", "--no-serve"], repository, environ)
    process([RECOLLECT, "--home", home, "remember", "We use pnpm."], repository, environ)
    process([RECOLLECT, "--home", home, "remember", "We use npm."], repository, environ)
    for words in (["conflicts"], ["list"], ["recall", "nothing like that"]):
        page = shown(["--home", home, *words], repository, environ)
        for line in page.splitlines():
            assert line.count("`") % 2 == 0, page


@pytest.mark.parametrize("command", ["serve", "check", "load", "export", "task update", "import"])
def test_a_help_breaks_no_command_that_it_names(environ: dict[str, str], tmp_path: Path, command: str) -> None:
    for line in shown([*command.split(), "--help"], tmp_path, environ).splitlines():
        assert line.count("`") % 2 == 0, line


@pytest.mark.parametrize("shape", ["responses", "openai_responses"])
def test_a_format_has_both_its_names_wherever_it_is_taken(cli: Run, tmp_path: Path, shape: str) -> None:
    file = tmp_path / "messages.json"
    file.write_text('[{"type": "message", "role": "user", "content": "Fix the login"}]')
    assert cli("truncate", str(file), "--window", "8000", "--shape", shape).code == 0
    assert "No session" in cli("session", "replay", "s_none", "--shape", shape, "--json").err
    for command in (("truncate",), ("compact",), ("session", "replay")):
        assert "[openai|responses|anthropic]" in cli(*command, "--help").out


def test_the_settings_say_where_their_meaning_is(environ: dict[str, str], repository: Path) -> None:
    assert "`recollect settings get NAME`" in shown(["settings", "list"], repository, environ)
    page = shown(["settings", "get", "recall.max_entries"], repository, environ)
    assert page.split("\n")[:2] == ["8", "  Maximum number of entries a turn gets."]


def test_suggestions_that_were_never_looked_for_name_the_command_that_does(cli: Run) -> None:
    assert "run `recollect suggest reconcile`" in cli("suggest", "list").err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["task", "ad"], "There is no command 'task ad'; did you mean `recollect task add`?"),
        (["lsit"], "There is no command 'lsit'; did you mean `recollect list`?"),
        (["list", "--scop"], "There is no option '--scop'; did you mean `--scope`?"),
        (["remember", "-prefer tabs"], "There is no option '-p'. Put `--` before text that starts with a dash."),
        (["status", "--quux"], "There is no option '--quux'. See `recollect status --help`."),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_a_mistyped_word_is_answered_in_one_way(cli: Run, words: list[str], said: str) -> None:
    done = cli(*words)
    assert (done.code, said in done.err) == (2, True), done.err


def test_the_section_of_a_profile_line_does_not_read_like_a_repository(
    cli: Run, environ: dict[str, str], repository: Path
) -> None:
    cli("remember", "Prefers tabs.", "--layer", "L0", "--section", "Style")
    page = shown(["list"], repository, environ)
    assert "section Style" in page
    assert "in Style" not in page
