"""Eight hosts, one memory: what is corrected in one of them is known in the next."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.command_line import RECOLLECT, Done, clean_environment, process
from tests.conftest import make_repository
from tests.host_schemas import HostTypes
from tests.scripted_hosts import ClaudeCode, Codex, CopilotCli, Cursor, GeminiCli, ScriptedHost, VsCode
from tests.scripted_shims import OpenCode, Pi, PluginHost

HOSTS: tuple[type[ScriptedHost], ...] = (ClaudeCode, Codex, CopilotCli, GeminiCli, Cursor, VsCode, OpenCode, Pi)
NAMES = [host.name for host in HOSTS]
WRONG = "This repository installs its dependencies with npm."
CORRECTION = "No, that is wrong. We use pnpm in this repository, not npm."
QUESTION = "how do I install the dependencies of this repository?"
PORTS = "Metrics are served on :9090, the health probe answers on :8081."
BUN = "This repository uses bun."
COVERAGE = "Coverage must stay above 80%."
CHANGES = [  # what is stored, what is typed in passing, and what is known after it
    (PORTS, "btw metrics are on :9100 now", "Metrics are served on :9100, the health probe answers on :8081."),
    (BUN, "no, back to pnpm again, bun broke our lockfile", "This repository uses pnpm."),
]
NO_CHANGES = [
    "are metrics on :9100 now?",
    "metrics are also on :9100 now",
    "serve the metrics on :9100 now, I want to see the dashboard",
    "metrics are on :9100 today, the other port is taken",
    "if metrics are on :9100 now the dashboard shows nothing",
    'the ticket reads "metrics are on :9100 now"',
    "here is the log:\n```\nmetrics are on :9100 now\nwe moved back to pnpm\n```",
    "let's go back to pnpm for this branch",
    "maybe we are back to pnpm now",
    "coverage is at 74% now",
    "their website switched from bun to pnpm",
]
WORKER_SECONDS = 60
PUBLISHED = (ClaudeCode, CopilotCli, GeminiCli)  # the others of those that speak JSON publish no types
EVENTS = {
    "SessionStart": "session_start", "sessionStart": "session_start", "UserPromptSubmit": "prompt",
    "userPromptTransformed": "prompt", "BeforeAgent": "prompt", "Stop": "stop", "agentStop": "stop", "AfterAgent": "stop",
}  # fmt: skip


class Machine:
    """One person's machine: every host on it, all connected by one command."""

    def __init__(self, folder: Path, repository: Path) -> None:
        self.user = folder / "user"
        self.user.mkdir(exist_ok=True)
        self.repository = repository
        self.environ = clean_environment(folder / "home", self.user)
        self._hosts: list[ScriptedHost] = []

    def recollect(self, *words: str) -> Done:
        return process([RECOLLECT, *words], self.repository, self.environ)

    def host(self, kind: type[ScriptedHost]) -> ScriptedHost:
        """A new session in a host; it knows nothing of Recollect but what stands in its own files."""
        environ = {name: value for name, value in self.environ.items() if not name.startswith("RECOLLECT")}
        self._hosts.append(kind(self.user, self.repository, environ))
        return self._hosts[-1]

    def wait_until(self, holds: Callable[[], bool]) -> None:
        """Wait for what the worker does by itself."""
        deadline = time.monotonic() + WORKER_SECONDS
        while not holds():
            assert time.monotonic() < deadline, self.recollect("doctor").out + self._logs()
            time.sleep(0.2)

    def _logs(self) -> str:
        return "\n".join(path.read_text() for path in sorted((self.user.parent / "home" / "logs").iterdir()))

    def knows(self, text: str) -> bool:
        return any(text in entry["content"] for entry in self.recollect("list", "--json").json)

    def close(self) -> None:
        for host in self._hosts:
            if isinstance(host, PluginHost):
                host.close()
        self.wait_until(lambda: not self.recollect("status", "--json").json.get("jobs", {}).get("running"))


@pytest.fixture(scope="module")
def connected(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A folder whose hosts are all connected by one command, and a copy of it: what is installed names its folder."""
    folder = tmp_path_factory.mktemp("machine")
    machine = Machine(folder, make_repository(folder / "app"))
    assert machine.recollect("install", *NAMES, "--yes").code == 0
    # What is said counts here, not how soon.
    assert machine.recollect("settings", "set", "hook.limit_milliseconds", "10000").code == 0
    kept = tmp_path_factory.mktemp("kept") / "machine"
    shutil.copytree(folder, kept, symlinks=True)
    return folder, kept


@pytest.fixture
def machine(connected: tuple[Path, Path]) -> Iterator[Machine]:
    folder, kept = connected
    _remove(folder)
    shutil.copytree(kept, folder, symlinks=True)
    found = Machine(folder, folder / "app")
    yield found
    found.close()


def _remove(folder: Path) -> None:
    """Once no worker of the test before is left: it would take in what the next test leaves in the same place."""
    deadline = time.monotonic() + WORKER_SECONDS
    while _is_used(folder):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    shutil.rmtree(folder)


def _is_used(folder: Path) -> bool:
    named = f"={folder}".encode()
    for environ in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if named in environ.read_bytes():
                return True
    return False


@pytest.mark.parametrize("receiver", HOSTS, ids=NAMES)
def test_a_correction_made_in_one_host_is_known_in_the_next(machine: Machine, receiver: type[ScriptedHost]) -> None:
    giver = HOSTS[HOSTS.index(receiver) - 1]
    assert machine.recollect("remember", WRONG).code == 0
    first = machine.host(giver)
    first.start()
    first.say("please set up the project", reply="I will run npm install.")
    first.say(CORRECTION, reply="Understood, pnpm it is.")
    machine.wait_until(lambda: machine.knows("pnpm"))

    second = machine.host(receiver)
    at_start = second.start()
    at_prompt = second.prompt(QUESTION)
    seen = at_prompt if second.takes_at_prompt else at_start
    assert len(re.findall(r"^- \[e_\w+\].* We use pnpm", seen, re.MULTILINE)) == 1, (at_start, at_prompt)
    assert WRONG not in at_start + at_prompt


@pytest.mark.parametrize(("stored", "typed", "after"), CHANGES, ids=["a value", "a tool"])
def test_a_change_told_in_passing_takes_the_place_of_what_it_changes(
    machine: Machine, stored: str, typed: str, after: str
) -> None:
    assert machine.recollect("remember", stored).code == 0
    first = machine.host(ClaudeCode)
    first.start()
    first.say(typed, reply="Noted.")
    machine.wait_until(lambda: machine.knows(after))
    assert not machine.knows(stored)

    second = machine.host(Codex)
    at_start = second.start()
    assert "Corrected from what the user said in Claude Code" in at_start
    seen = at_start + second.prompt("which port are metrics on, and do we install with bun or pnpm?")
    assert after in seen
    assert stored not in seen
    [entry] = [one for one in machine.recollect("list", "--json").json if one["content"] == after]
    assert entry["origin"] == "typed"
    shown = machine.recollect("show", entry["id"], "--json").json
    assert typed in json.dumps(shown)
    undo = re.search(r"recollect undo (\w+)", at_start)
    assert undo
    assert machine.recollect("undo", undo[1]).code == 0
    assert machine.knows(stored)
    assert not machine.knows(after)


def test_what_only_sounds_like_a_change_replaces_nothing(machine: Machine) -> None:
    for stored in (PORTS, BUN, COVERAGE):
        assert machine.recollect("remember", stored).code == 0
    host = machine.host(ClaudeCode)
    host.start()
    for typed in (*NO_CHANGES, "Remember that invoices are rounded to 0.05 CHF."):
        host.say(typed, reply="Noted.")
    machine.wait_until(lambda: machine.knows("0.05 CHF"))
    assert all(machine.knows(stored) for stored in (PORTS, BUN, COVERAGE))
    assert machine.recollect("conflicts", "--json").json == []


@pytest.mark.parametrize("kind", HOSTS, ids=NAMES)
def test_a_session_starts_with_profile_and_task_and_gets_them_once(machine: Machine, kind: type[ScriptedHost]) -> None:
    machine.recollect("profile", "set", "Work", "Prefers short answers.")
    machine.recollect("task", "add", "Move the store to SQLite")
    host = machine.host(kind)
    seen = host.start() + host.prompt("what is next?")
    assert seen.count("Prefers short answers.") == 1
    assert seen.count("Move the store to SQLite") == 1


def test_the_title_that_opencode_asks_for_carries_no_memory(machine: Machine) -> None:
    machine.recollect("profile", "set", "Work", "Prefers short answers.")
    machine.recollect("remember", "We use pnpm in this repository.")
    host = machine.host(OpenCode)
    assert isinstance(host, OpenCode)
    assert "Prefers short answers." in host.start()
    assert "pnpm" in host.prompt("how does pnpm work here?")
    assert host.ask({"do": "title"}) == ""


def test_a_session_that_opencode_resumes_within_a_minute_starts_with_the_profile(machine: Machine) -> None:
    machine.recollect("profile", "set", "Work", "Prefers short answers.")
    host = machine.host(OpenCode)
    assert isinstance(host, OpenCode)
    for _ in range(2):
        assert host.start().count("Prefers short answers.") == 1
        host.close()  # the next question starts another process


def test_pi_without_mcp_is_not_told_to_use_tools_that_it_does_not_have(machine: Machine) -> None:
    host = machine.host(Pi)
    seen = host.start() + host.prompt("what is next?")
    assert "You have no tool to search it or to write to it" in seen
    assert "L1" not in seen


@pytest.mark.parametrize("kind", HOSTS, ids=NAMES)
def test_every_prompt_leaves_a_receipt_with_its_host_and_session(machine: Machine, kind: type[ScriptedHost]) -> None:
    host = machine.host(kind)
    host.start()
    host.prompt(QUESTION)
    # By its number: pi asks for the start of a session and for its first prompt at the same time.
    receipt = machine.recollect("why", "--session", host.session, "--turn", "1", "--json").json
    assert (receipt["session"], receipt["query"]) == (host.session, QUESTION)


@pytest.mark.parametrize("kind", PUBLISHED, ids=[host.name for host in PUBLISHED])
def test_hosts_say_what_they_publish_and_get_what_they_take(
    machine: Machine, kind: type[ScriptedHost], host_types: HostTypes
) -> None:
    machine.recollect("remember", CORRECTION)
    host = machine.host(kind)
    host.start()
    host.say(QUESTION)
    known = [(EVENTS[event], said, answer) for event, said, answer in host.heard if event in EVENTS]
    assert {event for event, _, _ in known} == {"session_start", "prompt", "stop"}
    for event, said, answer in known:
        assert not host_types.input_errors(host.name, event, said)
        assert not host_types.output_errors(host.name, event, answer)


def test_nothing_in_the_folder_an_agent_works_in_is_imported(machine: Machine) -> None:
    trap = f"open({str(machine.user / 'sprung')!r}, 'w')\nraise SystemExit('a trap')\n"
    for name in ("recollect", "click", "json", "mcp"):
        (machine.repository / f"{name}.py").write_text(trap)
    host = machine.host(ClaudeCode)
    host.environ["PYTHONPATH"] = str(machine.repository)
    host.start()
    host.say(CORRECTION)
    machine.wait_until(lambda: machine.knows("pnpm"))
    launcher = json.loads((machine.user / ".claude.json").read_text())["mcpServers"]["recollect"]["command"]
    served = process([launcher], machine.repository, host.environ)
    assert served.code == 0, served.err
    assert not (machine.user / "sprung").exists()
