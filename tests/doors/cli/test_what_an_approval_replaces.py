"""Whoever approves a change reads what stands there now, on every screen that asks them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import Recollect
from recollect.flows.writes.actors import Agent
from tests.command_line import RECOLLECT, Run, clean_environment
from tests.terminals import Terminal

OLD, NEW = "The rate in billing/tax.py must stay 19 percent until the law changes.", "The rate is 21 percent."
PNPM, NPM = "This repository uses pnpm, not npm.", "This repository uses npm."


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "user").mkdir(exist_ok=True)
    return clean_environment(tmp_path / "home", tmp_path / "user", TERM="xterm")


@pytest.fixture
def memory(environ: dict[str, str], tmp_path: Path, repository: Path) -> Iterator[Recollect]:
    with Recollect.open(str(tmp_path / "home"), folder=str(repository), environ=environ) as opened:
        yield opened


@pytest.fixture
def update(memory: Recollect) -> str:
    """An agent wants to rewrite an entry."""
    old = memory.remember(OLD, scope="repository").entry_id
    return memory.writes(Agent("A")).memory_write("update", "L1", content=NEW, target_id=old).entry_id


@pytest.fixture
def store(memory: Recollect) -> str:
    """An agent wants to remember what contradicts an entry."""
    memory.remember(PNPM, scope="repository")
    return memory.writes(Agent("A")).memory_write("add", "L1", content=NPM).entry_id


def shown(words: list[str], folder: Path, environ: dict[str, str], *answers: str) -> str:
    """What a person sees at a terminal, with every line break a space; each answer is typed at its question."""
    terminal = Terminal([RECOLLECT, *words], folder, environ)
    for answer in answers:
        terminal.until("[y/N]")
        terminal.press(f"{answer}\n")
    terminal.end()
    return " ".join(terminal.shown.split())


@pytest.mark.parametrize("command", ["pending", "show"])
def test_a_list_shows_the_old_text_below_the_new_one(command, update: str, environ, repository: Path) -> None:
    listed = shown([command, *([update] if command == "show" else [])], repository, environ)
    assert f"Change an entry to: {NEW} Instead of: {OLD}" in listed


def test_what_would_be_stored_shows_what_it_replaces(store: str, environ, repository: Path, cli: Run) -> None:
    assert f"{NPM} Instead of: {PNPM}" in shown(["pending"], repository, environ)
    assert PNPM in cli("pending").out, "in a pipe as well"
    assert cli("show", store, "--json").json["what"] == NPM


def test_the_review_shows_the_old_text(update: str, environ, repository: Path) -> None:
    terminal = Terminal([RECOLLECT, "review"], repository, environ)
    card = " ".join(terminal.until("q quit").split())
    assert f"{NEW} instead of {OLD}" in card
    terminal.press("q")
    assert terminal.end() == 0


def test_approving_the_first_one_asks_with_the_old_text_and_ends_with_it(
    update: str, environ, repository: Path
) -> None:
    before, _, after = shown(["approve"], repository, environ, "y").partition("[y/N]")
    assert f"Instead of: {OLD}" in before
    assert f"{NEW} Instead of: {OLD}" in after


def test_an_approval_in_a_pipe_says_what_it_replaced(store: str, cli: Run) -> None:
    assert f"Approved: {NPM}\nInstead of: {PNPM}\n" in cli("approve", store).err


def test_what_only_contradicts_is_not_said_to_be_replaced(memory: Recollect, environ, repository: Path) -> None:
    memory.remember(PNPM, scope="repository", subject="installing")
    memory.remember("Never use npm.", scope="user", subject="the lockfile")
    waiting = memory.writes(Agent("A")).memory_write("add", "L1", content=NPM).entry_id
    assert f"Contradicts: {PNPM}" in shown(["pending"], repository, environ)
    assert "Instead of" not in shown(["approve", waiting], repository, environ)
    active = {entry.content for entry in memory.entries.list(status="active")}
    assert {PNPM, NPM} <= active


def test_what_is_decided_already_is_not_shown_as_waiting(update: str, cli: Run) -> None:
    cli("reject", update)
    done = cli("show", update)
    assert (done.code, f"{update} was rejected already." in done.err) == (1, True)
