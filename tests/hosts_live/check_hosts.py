"""Each host by itself, and what one of them learns in the next: real programs, and a model on loopback."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hosts_live.claude_code import ClaudeCode
from tests.hosts_live.codex import Codex
from tests.hosts_live.copilot_cli import CopilotCli
from tests.hosts_live.gemini_cli import GeminiCli
from tests.hosts_live.installing import installed
from tests.hosts_live.machine import Machine
from tests.hosts_live.model_server import ModelServer
from tests.hosts_live.opencode import OpenCode
from tests.hosts_live.pi import Pi
from tests.hosts_live.real_host import RealHost

HOSTS: list[type[RealHost]] = [ClaudeCode, Codex, GeminiCli, CopilotCli, OpenCode, Pi]
NAMES = [kind.name for kind in HOSTS]
NEEDS_PNPM = "install the dependencies with npm"
LOOKS_UP = "look the package manager up in memory"
PNPM = "This repository uses pnpm, not npm."


@pytest.fixture(scope="session")
def commands() -> Path:
    return installed()


@pytest.fixture(scope="session")
def model() -> Iterator[ModelServer]:
    server = ModelServer()
    yield server
    server.close()


@pytest.fixture(scope="module", params=HOSTS, ids=NAMES)
def machine(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, commands: Path, model: ModelServer
) -> Machine:
    """A machine with one host, which goes through the checks in their order."""
    return Machine(tmp_path_factory.mktemp(request.param.name), commands, model, [request.param])


def test_it_is_connected_by_one_command(machine: Machine) -> None:
    [host] = machine.hosts
    print(host.name, machine.run(host.version()).strip())
    assert "Connected" in machine.recollect("install", host.name, "--yes")


def test_a_session_starts_with_the_profile_and_a_prompt_brings_the_fact_it_needs(machine: Machine) -> None:
    [host] = machine.hosts
    machine.prompt(host, NEEDS_PNPM)
    assert machine.model.saw("Answer in English.")
    assert machine.model.saw(PNPM)
    assert machine.model.saw("You have no tool to search it") != host.has_tools


def test_an_agent_recalls_and_stores_and_its_words_for_the_profile_wait(machine: Machine) -> None:
    [host] = machine.hosts
    if not host.has_tools:
        machine.prompt(host, LOOKS_UP)
        return
    fact = {
        "subject": "deploys",
        "fact": "Deploys go through Argo.",
        "citations": ["README.md:1"],
        "reason": "The deploy job says so.",
    }
    machine.prompt(
        host,
        LOOKS_UP,
        *host.before_tools(),
        *host.calls("memory_recall", {"query": "which package manager"}),
        *host.calls("store_memory", fact),
        *host.calls("memory_write", {"action": "add", "layer": "L0", "content": "The user likes tabs."}),
    )
    assert machine.model.saw("for reference only")
    assert "Deploys go through Argo." in [entry["content"] for entry in machine.read("list")]
    assert "The user likes tabs." in machine.recollect("pending")
    assert machine.model.saw("waiting for the user")


def test_its_sessions_are_imported_as_they_were_typed(machine: Machine) -> None:
    machine.settle()
    assert sorted(text.strip('"') for text in machine.typed()) == sorted([NEEDS_PNPM, LOOKS_UP])


def test_no_hook_failed_or_came_too_late(machine: Machine) -> None:
    wrong = [
        line
        for line in machine.hook_calls()
        if line["outcome"] in ("failed", "no memory", "not understood", "too late")
    ]
    assert machine.hook_calls()
    assert wrong == []


def test_nothing_is_installed_from_npm_because_of_us(machine: Machine) -> None:
    # Copilot unpacks its own program there at its first start.
    folders = [one for one in machine.home.rglob("node_modules") if ".cache/copilot/pkg" not in one.as_posix()]
    found = {path.name for folder in folders for path in folder.iterdir()}
    assert found <= {".recollect"}


def test_uninstalling_leaves_every_file_as_it_was(machine: Machine) -> None:
    [host] = machine.hosts
    machine.recollect("uninstall", host.name, "--yes")
    assert machine.digests() == machine.before
    assert machine.left_behind() == []


def following(kind: type[RealHost]) -> type[RealHost]:
    return HOSTS[(HOSTS.index(kind) + 1) % len(HOSTS)]


@pytest.fixture
def pair(request: pytest.FixtureRequest, tmp_path: Path, commands: Path, model: ModelServer) -> Machine:
    """A machine with two connected hosts."""
    machine = Machine(tmp_path, commands, model, [request.param, following(request.param)])
    machine.recollect("install", *(host.name for host in machine.hosts), "--yes")
    return machine


PAIRS = pytest.mark.parametrize(
    "pair", HOSTS, ids=[f"{kind.name} to {following(kind).name}" for kind in HOSTS], indirect=True
)


@PAIRS
def test_what_is_typed_in_one_host_comes_with_a_prompt_in_the_next(pair: Machine) -> None:
    first, second = pair.hosts
    pair.prompt(first, "Remember that we deploy with Argo CD in this repository.")
    pair.settle()
    pair.prompt(second, "how do we deploy this repository?")
    assert pair.model.saw("Argo CD")


@PAIRS
def test_a_correction_typed_in_one_host_is_what_the_next_gets(pair: Machine) -> None:
    first, second = pair.hosts
    pair.prompt(first, "No, we moved to bun last week, never use pnpm here.")
    pair.settle()
    pair.prompt(second, "please install the dependencies")
    assert pair.model.saw("bun")
    assert not pair.model.saw(PNPM)
