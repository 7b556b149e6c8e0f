"""The command itself, as a real process: a newcomer's journey, how it starts, how it fails, how it looks."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command_line import RECOLLECT, Done, clean_environment, process
from tests.processes import at_terminal
from tests.terminals import Terminal

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
LONG = "This repository uses pnpm, not npm, because the workspace protocol links packages without publishing them. " * 3

Environment = dict[str, str]


@pytest.fixture
def environ(tmp_path: Path) -> Environment:
    (tmp_path / "user").mkdir(exist_ok=True)
    return clean_environment(tmp_path / "home", tmp_path / "user")


@pytest.fixture
def run(repository: Path, environ: Environment) -> Callable[..., Done]:
    """The real command, inside a repository."""

    def run_it(*words: str, stdin: str = "", **more: str) -> Done:
        return process([RECOLLECT, *words], repository, {**environ, **more}, stdin, afresh=True)

    return run_it


def on_terminal(words: list[str], folder: Path, environ: Environment, *, typed: bytes = b"", columns: int = 80) -> Done:
    """Run the real command on a terminal of its own; what it prints is all in `out`."""
    child, terminal = at_terminal([RECOLLECT, *words], folder, {**environ, "TERM": "xterm-256color"}, columns=columns)
    os.write(terminal, typed)
    printed = b""
    while True:
        try:
            more = os.read(terminal, 65_536)
        except OSError:
            break
        if not more:
            break
        printed += more
    os.close(terminal)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return Done(code, printed.decode().replace("\r\n", "\n"), "")


def cells(line: str) -> int:
    """How many columns a line takes on a terminal."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in line)


# -- a newcomer


def test_a_newcomer_remembers_recalls_corrects_undoes_and_moves_to_another_machine(
    run, repository, environ, tmp_path
) -> None:
    (repository / "package.json").write_text("{}\n")
    stored = run("remember", "This repository uses npm.", "--cite", "package.json", "--json").json
    assert stored["status"] == "stored"
    assert "uses npm" in run("recall", "how do I install the dependencies?").out

    corrected = run("correct", "This repository uses pnpm, not npm.", "--json").json
    assert corrected["superseded"] == [stored["id"]]
    assert "This repository uses pnpm." in run("recall", "how do I install the dependencies?").out
    assert run("why", "--json").json["entries"][0]["id"] == corrected["id"]

    undone = run("undo")
    assert undone.code == 0
    assert "(correct)" in undone.err
    assert run("show", stored["id"], "--json").json["status"] == "active"
    again = run("correct", stored["id"][:20], "This repository uses pnpm, not npm.", "--json").json
    assert again["superseded"] == [stored["id"]]

    run("task", "add", "Move to pnpm", "--state", "half done")
    run("settings", "set", "recall.max_entries", "5")
    exported = run("export").out
    for form in ("json", "markdown"):
        file = str(tmp_path / f"memory.{form}")
        assert run("export", "--format", form, "--out", file).code == 0
        other = str(tmp_path / f"other-{form}")
        assert process([RECOLLECT, "--home", other, "load", file, "--mine"], tmp_path / "user", environ).code == 0
        assert process([RECOLLECT, "export", "--home", other], tmp_path / "user", environ).out == exported


def test_python_m_recollect_is_the_same_command(repository, environ) -> None:
    done = process([sys.executable, "-m", "recollect", "--version"], repository, environ)
    assert done == process([RECOLLECT, "--version"], repository, environ)
    assert re.fullmatch(r"recollect \d+\.\d+\.\d+\n", done.out)


def test_a_statement_is_read_from_stdin(run) -> None:
    run("remember", "-", stdin="Die Prüfung läuft mit pytest -n 2.\n")
    assert "Die Prüfung läuft mit pytest -n 2." in run("list").out


# -- starting


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["recall", "--help"], ["task", "--help"]])
def test_help_and_version_come_without_the_store_and_without_rich(words, repository, environ) -> None:
    script = (
        "import sys; from recollect.__main__ import main; main(sys.argv[1:]); "
        "print([name for name in sys.modules if name.split('.')[0] in ('sqlite3', 'rich') or name == 'recollect.app'])"
    )
    done = process([sys.executable, "-c", script, *words], repository, environ)
    assert done.out.splitlines()[-1] == "[]", done


def test_rich_is_not_loaded_when_nobody_is_looking(repository, environ) -> None:
    script = "import sys; from recollect.__main__ import main; main(sys.argv[1:]); print('rich' in sys.modules)"
    for words in (["remember", "x is y"], ["list"], ["recall", "x"], ["list", "--json"], ["status"]):
        done = process([sys.executable, "-c", script, *words], repository, environ)
        assert done.out.splitlines()[-1] == "False", done


def test_no_words_at_all_say_what_to_do_first(run) -> None:
    done = run()
    assert done.code == 0
    assert "recollect up " in done.out


# -- failing


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["shwo", "x"], 2),
        (["show"], 2),
        (["show", "e_nothing"], 1),
        (["vote", "e_nothing", "up"], 2),
        (["recall", "x", "--since", "soon"], 2),
        (["recall", "x", "--layer", "L7"], 2),
        (["recall", "x", "--bogus"], 2),
        (["remember", ""], 2),
        (["remember", "x", "--cite", "nowhere.txt"], 2),
        (["remember", "x", "--layer", "L1", "--section", "About"], 2),
        (["remember", "x", "--project", "none"], 1),
        (["correct", "e_01k0pnpm"], 2),
        (["edit", "e_nothing", "--text", "x"], 1),
        (["undo"], 1),
        (["why"], 1),
        (["load", "nowhere.json"], 2),
        (["load", "README.md"], 2),
        (["settings", "set", "recall.max_entries", "many"], 1),
        (["settings", "get", "nothing"], 1),
        (["profile", "edit"], 1),
        (["task", "show"], 1),
        (["task", "update"], 2),
    ],
)
def test_an_error_is_one_line_that_says_what_to_do(words, code, cli) -> None:
    done = cli(*words)
    assert (done.code, done.out) == (code, "")
    assert done.err.startswith("recollect: ")
    assert done.err.count("\n") == 1
    assert "Traceback" not in done.err
    assert "Unexpected error" not in done.err


def test_a_misspelled_command_gets_the_nearest_name(cli) -> None:
    assert "did you mean `recollect recall`?" in cli("recal", "x").err


def test_debug_shows_where_an_error_comes_from(run) -> None:
    assert "Traceback" in run("show", "e_nothing", "--debug").err
    assert "Traceback" not in run("show", "--", "--debug").err


def test_a_home_that_cannot_be_is_a_sentence_too(cli, tmp_path) -> None:
    (tmp_path / "file").write_text("")
    done = cli("list", "--home", str(tmp_path / "file"))
    assert done.code == 1
    assert done.err.startswith("recollect: ")
    assert done.err.count("\n") == 1


def test_what_nobody_expected_is_a_sentence_too(cli, monkeypatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("no\nidea")

    monkeypatch.setattr("recollect.flows.views.entries.EntryList.counts", fail)
    done = cli("status")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("recollect: Unexpected error (ZeroDivisionError: no). Run the command again")
    assert done.err.count("\n") == 1


def test_an_interrupted_command_says_nothing(cli, monkeypatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("recollect.flows.views.entries.EntryList.counts", interrupt)
    assert cli("status") == (130, "", "")


def test_a_reader_who_stops_reading_is_no_error(run, repository, environ) -> None:
    for number in range(3):
        run("remember", f"Service {number} listens on port {8000 + number}. " * 40, "--scope", "user")
    done = process("for i in 1 2 3; do recollect export; done | head -c 10", repository, environ)
    assert done.err == ""


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("ends", [{"stdout": -1}, {"stdout": -1, "stderr": subprocess.STDOUT}])
def test_a_command_does_its_work_although_nobody_reads_what_it_says(repository, environ, ends, unbuffered) -> None:
    environ |= {"PYTHONUNBUFFERED": unbuffered}
    settings = Path(environ["HOME"]) / ".claude" / "settings.json"
    for command, is_there in (("install", True), ("uninstall", False)):
        words = [RECOLLECT, command, "claude-code", "codex", "--yes"]
        with subprocess.Popen(words, cwd=repository, env=environ, stdin=subprocess.DEVNULL, **ends) as started:
            assert started.stdout
            started.stdout.close()
        assert (started.returncode, settings.exists()) == (0, is_there)


# -- looking


def test_a_pipe_gets_plain_lines_whatever_was_stored(cli) -> None:
    cli("remember", "Red \x1b[31malert\x1b[0m and \u202ereversed.\nSecond line.", "--tag", "odd")
    for words in (
        ["list"],
        ["recall", "red alert"],
        ["why"],
        ["show", "e_"],
        ["history", "e_"],
        ["status"],
        ["settings"],
    ):
        done = cli(*words)
        assert done.code == 0, done
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", done.out)
    [line] = cli("list").out.splitlines()
    assert line.split("\t")[-1] == "Red alert and reversed. Second line."
    assert cli("list", "--json").json[0]["content"] == "Red alert and reversed.\nSecond line."


def test_pages_fit_the_terminal(cli, repository, environ) -> None:
    (repository / "package.json").write_text("{}\n")
    entry_id = cli("remember", LONG, "--cite", "package.json", "--tag", "tooling", "--json").json["id"]
    cli("remember", "パッケージは pnpm で入れる。" * 12)
    cli("remember", "This repository uses npm, not pnpm.")
    cli("vote", entry_id, "up", "--reason", "it was right " * 20)
    cli("task", "add", "Move to pnpm", "--state", LONG)
    cli("profile", "set", "About", "Works on build tools. " * 8)
    pages = (
        ["list"], ["recall", "how do I install with pnpm?"], ["show", entry_id], ["why"], ["conflicts"], ["profile"],
        ["history", entry_id], ["status"], ["settings"], ["task"], ["task", "show"],
    )  # fmt: skip
    for words, columns in [*((words, 80) for words in pages), (["list"], 50), (["show", entry_id], 50)]:
        done = on_terminal(words, repository, environ, columns=columns)
        assert done.code == 0, done
        text = ESCAPES.sub("", done.out)
        assert max(map(cells, text.splitlines())) <= columns, f"{words}\n{text}"


def test_a_terminal_gets_colour_unless_the_user_wants_none(run, repository, environ) -> None:
    run("remember", "This repository uses pnpm.")
    assert "\x1b[" in on_terminal(["list"], repository, environ).out
    plain = on_terminal(["list"], repository, {**environ, "NO_COLOR": "1"}).out
    assert "\x1b" not in plain
    assert "uses pnpm" in plain
    assert "\x1b" not in on_terminal(["remember", "The linter is ruff."], repository, {**environ, "NO_COLOR": "1"}).out


# -- asking


def test_erasing_asks_first_on_a_terminal(run, repository, environ) -> None:
    entry_id = run("remember", "This repository uses pnpm.", "--json").json["id"]
    refused = on_terminal(["forget", entry_id, "--hard"], repository, environ, typed=b"n\n")
    assert refused.code == 1
    assert "Nothing was changed" in refused.out
    assert run("show", entry_id).code == 0
    assert on_terminal(["forget", entry_id, "--hard"], repository, environ, typed=b"y\n").code == 0
    assert run("show", entry_id).code == 1


def test_an_entry_is_edited_in_the_users_editor(run, repository, environ, tmp_path) -> None:
    entry_id = run("remember", "The database is PostgreSQL 15.", "--json").json["id"]
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nsed -i.old s/15/16/ "$1"\n')
    editor.chmod(0o755)
    assert on_terminal(["edit", entry_id], repository, {**environ, "EDITOR": str(editor)}).code == 0
    assert [entry["content"] for entry in run("list", "--json").json] == ["The database is PostgreSQL 16."]
    done = on_terminal(["edit", entry_id], repository, {**environ, "EDITOR": "true"})
    assert done.code == 1


def test_the_profile_is_edited_in_the_users_editor(run, repository, environ, tmp_path) -> None:
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nprintf "## About\\n- Works on build tools.\\n" > "$1"\n')
    editor.chmod(0o755)
    assert on_terminal(["profile", "edit"], repository, {**environ, "VISUAL": str(editor)}).code == 0
    assert run("profile").out == "## About\n- Works on build tools.\n"


def test_a_correction_that_could_mean_several_asks_which_and_a_question_is_refused(run, repository, environ) -> None:
    run("remember", "The dev server listens on port 8080.")
    run("remember", "The admin console listens on port 9090.")
    terminal = Terminal([RECOLLECT, "correct", "actually the port is 9091"], repository, environ)
    terminal.until("0 to keep them all beside it:")
    terminal.press("\x04")  # as Ctrl-C does
    assert terminal.end() == 1
    assert terminal.shown.endswith("Nothing was changed.\n")
    assert len(run("list", "--status", "active", "--json").json) == 2
    asked = on_terminal(["correct", "actually the port is 9091"], repository, environ, typed=b"2\n")
    assert "Which of these does it replace?" in asked.out
    assert asked.code == 0
    assert "It now says:" in asked.out
    said = [entry["content"] for entry in run("list", "--status", "active", "--json").json]
    assert len(said) == 2
    assert "The admin console listens on port 9091." in said or "The dev server listens on port 9091." in said
    question = run("correct", "is the port still 8080?")
    assert (question.code, "That is a question" in question.err) == (1, True)
    nothing = run("correct", "no, that's wrong")
    assert (nothing.code, "does not say what is right" in nothing.err) == (1, True)
