"""Every command that a screen prints can be run as it is printed: it names the home, and the program as it was called."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path
from shutil import copytree

import pytest

from recollect.text.extras import installers
from tests.command_line import RECOLLECT, Run, clean_environment, process
from tests.terminals import Terminal

COMMAND = re.compile(r"`((?:\S*/)?recollect(?: [^`]*)?)`")
# Each of these prints at least one command about the samples.
SCREENS = (
    ["doctor"],
    ["list", "--all"],
    ["recall", "zanzibar"],
    ["review"],
    ["conflicts", "--all"],
    ["suggest", "list"],
    ["memory", "status"],
    ["board", "list"],
    ["why", "e_unknown"],
    ["show", "e_unknown"],
)


def test_every_printed_command_carries_the_home(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "user" / ".claude").mkdir()
    home = tmp_path / "named home"
    copytree(cli("up", "--sample", "--no-serve", "--json").json["home"], home)
    named = f"--home {shlex.quote(str(home))}"
    for words in SCREENS:
        done = cli("--home", str(home), *words)
        commands = COMMAND.findall(done.out + done.err)
        assert commands, f"{words} prints a command"
        assert [command for command in commands if f"{named} " not in command] == [], words
    assert f"Run `recollect {named} install claude-code`." in cli("--home", str(home), "doctor").out


def test_a_program_that_is_not_on_the_path_is_printed_with_its_path(tmp_path: Path) -> None:
    environ = clean_environment(tmp_path / "home", tmp_path, PATH="/usr/bin:/bin")
    (tmp_path / ".claude").mkdir()
    for words in (["remember", "We use yarn here."], ["doctor"], ["recall", "cellars"]):
        done = process([RECOLLECT, *words], tmp_path, environ, afresh=True)
    done = process([RECOLLECT, "doctor"], tmp_path, environ, afresh=True)
    commands = COMMAND.findall(done.out)
    assert commands
    assert all(command.startswith((os.path.relpath(RECOLLECT, tmp_path), RECOLLECT)) for command in commands)


def test_after_the_samples_the_panel_is_opened_on_their_home(cli: Run) -> None:
    done = cli("up", "--sample")
    [home] = set(re.findall(r"--home (\S+)", done.out))
    assert done.err.endswith(f"Open the panel with `recollect --home {home} serve`.\n")


def test_the_samples_use_one_folder_that_is_emptied(cli: Run, tmp_path: Path) -> None:
    first = Path(cli("up", "--sample", "--no-serve", "--json").json["home"]).parent
    assert first.stat().st_mode & 0o077 == 0
    (first / "old").mkdir()
    (first / "old" / "file").write_text("from before")
    again = cli("up", "--sample", "--no-serve")
    assert f"the samples stay in {first} until the next run" in again.out
    assert "Read 16 sessions" in again.out
    assert not (first / "old").exists()
    first.chmod(0o755)
    done = cli("up", "--sample", "--no-serve")
    assert (done.code, "is open to others, so it was left as it is" in done.err) == (1, True)
    first.chmod(0o700)
    first.rename(tmp_path / "elsewhere")
    first.symlink_to(tmp_path / "elsewhere")
    assert "is not a folder" in cli("up", "--sample", "--no-serve").err
    first.unlink()


@pytest.mark.parametrize(
    ("environment", "lines"),
    [
        ("/src/recollect/.venv", (".venv/bin/pip install -e",)),
        ("/home/me/.local/share/uv/tools/recollect", ("uv tool install",)),
        ("/home/me/.local/pipx/venvs/recollect", ("pipx install --force",)),
        ("/usr", ("uv tool install", "pip install")),
    ],
)
def test_an_extra_is_installed_as_recollect_was(environment: str, lines: tuple[str, ...]) -> None:
    assert installers(environment=environment, package="/src/recollect/src/recollect") == lines


def test_a_command_that_is_longer_than_the_terminal_has_a_line_of_its_own(repository: Path, tmp_path: Path) -> None:
    home = tmp_path / ("a-long-name-" * 6) / "home"
    environ = clean_environment(tmp_path / "unused", tmp_path, TERM="xterm")
    process([RECOLLECT, "--home", str(home), "remember", "We use yarn here."], repository, environ)
    terminal = Terminal([RECOLLECT, "--home", str(home)], repository, environ)
    terminal.end()
    assert f"  recollect --home {home} up\n      read the sessions of your agents\n" in terminal.shown
