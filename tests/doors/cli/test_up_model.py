"""`up` and models: it asks a person once, with the cost; flags answer beforehand; nobody else is asked anything."""

from __future__ import annotations

import json
import os
import pty
import subprocess
from pathlib import Path

import pytest

from tests.command_line import RECOLLECT, clean_environment, process
from tests.conftest import Clock
from tests.doors.test_who_sits_there import outside
from tests.fake_clis import Clis
from tests.session_answers import answer, reply
from tests.test_worker import Desk

PLAIN = "The billing exports land in the harbour bucket at night."


class Terminal:
    """A machine with a CLI and a past session, and a person at a terminal."""

    def __init__(self, tmp_path: Path, clock: Clock) -> None:
        desk = Desk(tmp_path, clock)
        desk.says(PLAIN)
        self.folder = desk.repository
        self.clis = Clis(tmp_path / "clis")
        self.clis.make("claude", json.dumps(reply(answer(1, "fact", PLAIN, PLAIN))))
        path = f"{self.clis.folder}{os.pathsep}/usr/bin{os.pathsep}/bin"
        self.environ = {**clean_environment(tmp_path / "home", tmp_path / "user"), "PATH": path}

    def up(self, typed: str, *words: str) -> str:
        """Run `up` at a terminal where this is typed; returns what was shown there."""
        parent, child = pty.openpty()
        os.write(parent, typed.encode())
        command = [RECOLLECT, "up", "--no-serve", *words]
        done = subprocess.run(
            command, cwd=self.folder, env=self.environ, stdin=child, stderr=child, stdout=subprocess.PIPE, timeout=60,
            preexec_fn=os.setsid, check=False,
        )  # fmt: skip
        shown = os.read(parent, 100_000).decode()
        os.close(parent)
        os.close(child)
        assert done.returncode == 0, shown
        return shown

    def pending(self) -> str:
        return process([RECOLLECT, "pending"], self.folder, self.environ).out


@pytest.fixture
def terminal(tmp_path: Path, clock: Clock) -> Terminal:
    return Terminal(tmp_path, clock)


@outside
def test_up_asks_once_with_the_cost_and_a_yes_is_kept(terminal: Terminal) -> None:
    shown = " ".join(terminal.up("y\n").split())
    assert "`claude` is available. Let it read the last session and write down what matters (about " in shown
    assert "tokens of your plan)? [y/N]" in shown
    assert len(terminal.clis.runs) == 1
    assert PLAIN in terminal.pending()
    assert "is available" not in terminal.up("")
    assert len(terminal.clis.runs) == 1


@outside
def test_a_no_is_kept_and_nothing_is_asked_again(terminal: Terminal) -> None:
    assert "is available" in terminal.up("n\n")
    assert "is available" not in terminal.up("")
    assert not terminal.clis.runs


@outside
def test_a_model_whose_key_is_missing_is_not_offered(terminal: Terminal) -> None:
    terminal.environ["RECOLLECT_MODELS__DEFAULT"] = "anthropic:some-model"
    assert "is available" not in terminal.up("y\n")


@outside
def test_no_model_answers_beforehand(terminal: Terminal) -> None:
    assert "is available" not in terminal.up("y\n", "--no-model")
    assert not terminal.clis.runs


def test_without_a_terminal_nobody_is_asked(terminal: Terminal) -> None:
    done = process([RECOLLECT, "up", "--no-serve"], terminal.folder, terminal.environ)
    assert done.code == 0
    assert "is available" not in done.err
    assert not terminal.clis.runs


def test_a_role_that_is_named_reads_without_a_question(terminal: Terminal) -> None:
    without = process([RECOLLECT, "up", "--no-serve", "--model", "default"], terminal.folder, terminal.environ)
    assert (without.code, "recollect models use" in without.err) == (1, True)
    terminal.environ["RECOLLECT_MODELS__DEFAULT"] = "claude"
    done = process([RECOLLECT, "up", "--no-serve", "--model", "default", "--json"], terminal.folder, terminal.environ)
    assert done.code == 0, done.err
    assert done.json["read_by_model"] == 1
    assert PLAIN in terminal.pending()
