"""A CLI that the user already pays for: asked once, in an empty folder, without its tools and our hooks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from recollect import Recollect
from recollect.errors import ProviderError, ReplyInvalid, RequestCancelled, RequestTimedOut
from recollect.model.asking import FOLDER, MARK
from recollect.providers.clis import CLI
from tests.command_line import Run
from tests.conftest import OpenMemory
from tests.fake_clis import NAMES, Clis

FACT = {"type": "object", "properties": {"fact": {"type": "string"}}, "required": ["fact"]}
ANSWER = '{"fact": "pnpm"}'
# What switches tools, hooks, instructions and logs off, by each CLI's own --help.
OFF = {
    "claude": ["--tools", "", "--strict-mcp-config", "--safe-mode", "--no-session-persistence"],
    "codex": ["--ephemeral", "--sandbox", "read-only", "hooks", "shell_tool", "mcp_servers={}"],
    "gemini": ["--approval-mode", "plan", "--policy", "--allowed-mcp-server-names", "none"],
    "copilot": ["--available-tools=none", "--disable-builtin-mcps", "--no-custom-instructions"],
    "opencode": ["--pure"],
}


@pytest.fixture
def clis(tmp_path: Path) -> Clis:
    return Clis(tmp_path / "clis")


def opened(open_memory: OpenMemory, clis: Clis, spec: str, **more: str) -> Recollect:
    return open_memory(RECOLLECT_MODELS__DEFAULT=spec, PATH=f"{clis.folder}:/usr/bin:/bin", **more)


@pytest.mark.parametrize("name", NAMES)
def test_a_cli_is_asked_in_an_empty_folder_with_its_tools_off(name: str, clis: Clis, open_memory: OpenMemory) -> None:
    clis.make(name, ANSWER)
    agent = {"CLAUDECODE": "1", "GEMINI_CLI": "1", "RECOLLECT_TOKEN": "private"}
    memory = opened(open_memory, clis, f"{name}:some-model", **agent)
    reply = memory.models.ask("Which package manager?", FACT)
    assert reply.value == {"fact": "pnpm"}
    (run,) = clis.runs
    assert set(OFF[name]) <= set(run["words"])
    assert "some-model" in run["words"]
    assert run["there"] == []
    assert os.path.basename(run["folder"]) == FOLDER
    assert not os.path.exists(run["folder"])
    assert run["environ"]["RECOLLECT_ENABLED"] == "false"
    assert not {"CLAUDECODE", "GEMINI_CLI", "RECOLLECT_TOKEN"} & set(run["environ"])
    # Others can see a command line: all of the question is on stdin.
    assert "Which package manager?" in run["stdin"]
    assert not any("package manager" in word for word in run["words"])
    assert run["stdin"].startswith(MARK)
    if name == "copilot":  # it does not say, and its own prompt counts too
        assert reply.usage.estimated
        assert reply.usage.input_tokens > 2_000
    else:
        assert (reply.usage.input_tokens, reply.usage.output_tokens) == (14 if name == "claude" else 10, 5)


def test_the_policy_for_gemini_denies_every_tool(clis: Clis, open_memory: OpenMemory) -> None:
    clis.make("gemini", ANSWER)
    opened(open_memory, clis, "gemini").models.ask("Well?", FACT)
    assert 'toolName = "*"\ndecision = "deny"' in str(next(iter(clis.runs[0]["files"].values())))


def test_opencode_is_told_by_a_variable_to_offer_no_tool(clis: Clis, open_memory: OpenMemory) -> None:
    clis.make("opencode", ANSWER)
    opened(open_memory, clis, "opencode").models.ask("Well?", FACT)
    assert json.loads(clis.runs[0]["environ"]["OPENCODE_CONFIG_CONTENT"])["tools"] == {"*": False}


def test_any_line_can_be_a_model(clis: Clis, open_memory: OpenMemory) -> None:
    clis.make("my-model", f"```json\n{ANSWER}\n```")
    reply = opened(open_memory, clis, "command:my-model --quiet 'two words'").models.ask("Which?", FACT)
    assert reply.value == {"fact": "pnpm"}
    assert reply.usage.estimated
    assert clis.runs[0]["words"] == ["--quiet", "two words"]
    assert '"required": ["fact"]' in clis.runs[0]["stdin"]


def test_an_answer_that_does_not_fit_is_asked_for_once_more(clis: Clis, open_memory: OpenMemory) -> None:
    clis.make("claude", "Gladly!")
    with pytest.raises(ReplyInvalid, match="not valid JSON"):
        opened(open_memory, clis, "claude").models.ask("Which?", FACT)
    assert len(clis.runs) == 2
    assert "That cannot be used." in clis.runs[1]["stdin"]


def test_a_cli_that_fails_is_quoted_in_one_line(clis: Clis, open_memory: OpenMemory) -> None:
    clis.make("claude", "", "fails")
    with pytest.raises(ProviderError, match=r"claude failed: Please log in first\.") as raised:
        opened(open_memory, clis, "claude").models.ask("Which?", FACT)
    assert "logged in" in raised.value.remedy


def test_a_cli_that_is_not_there_is_said_so(clis: Clis, open_memory: OpenMemory) -> None:
    with pytest.raises(ProviderError, match="claude was not found"):
        opened(open_memory, clis, "claude").models.ask("Which?", FACT)


def test_a_cli_that_prints_for_ever_is_stopped(clis: Clis, open_memory: OpenMemory) -> None:
    clis.make("claude", "", "floods")
    with pytest.raises(ReplyInvalid, match="longer than"):
        opened(open_memory, clis, "claude").models.ask("Which?", FACT)


# -- nothing is left behind


def alive(pid: int) -> bool:
    """Is the process, or anything in its group, there?"""
    found = subprocess.run(["ps", "-eo", "pid=,pgid=,stat="], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in found.splitlines()]
    group = next((row[1] for row in rows if row[0] == str(pid)), "")
    return any(str(pid) == row[0] or (group and row[1] == group) for row in rows if not row[2].startswith("Z"))


def gone(pid: int) -> bool:
    deadline = time.monotonic() + 10
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.1)
    return not alive(pid)


def test_a_cli_that_hangs_ends_at_its_limit_with_all_it_started(clis: Clis, open_memory: OpenMemory) -> None:
    clis.make("claude", "", "hangs")
    memory = opened(open_memory, clis, "claude", RECOLLECT_MODELS__LIMIT_SECONDS="3")
    with pytest.raises(RequestTimedOut):
        memory.models.ask("Which?", FACT)
    assert gone(clis.runs[0]["pid"])


def test_a_cancelled_cli_ends_soon(clis: Clis, open_memory: OpenMemory) -> None:
    clis.make("claude", "", "hangs")
    memory = opened(open_memory, clis, "claude")
    with pytest.raises(RequestCancelled):
        memory.models.ask("Which?", FACT, cancelled=lambda: bool(clis.runs))
    assert gone(clis.runs[0]["pid"])


ASKING = """
import sys
from recollect import Recollect
with Recollect.open(sys.argv[1], folder=sys.argv[2]) as memory:
    memory.models.ask("Which?", {})
"""


def test_a_cli_dies_with_whoever_asked_it(clis: Clis, tmp_path: Path) -> None:
    clis.make("claude", "", "hangs")
    environ = {**os.environ, "RECOLLECT_MODELS__DEFAULT": "claude", "PATH": f"{clis.folder}:{os.environ['PATH']}"}
    asking = subprocess.Popen([sys.executable, "-c", ASKING, str(tmp_path / "home"), str(tmp_path)], env=environ)
    deadline = time.monotonic() + 60
    while not clis.runs and time.monotonic() < deadline:
        time.sleep(0.1)
    asking.kill()
    asking.wait()
    assert gone(clis.runs[0]["pid"])


# -- never imported as a session


def claude_log(folder: Path, cwd: str, typed: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / f"{len(typed):08d}-b8af-42f5-821d-599025de524e.jsonl"
    common = {"sessionId": log.stem, "cwd": cwd, "version": "2.1.0", "isSidechain": False, "timestamp": "2026-11-01T09:00:00.000Z"}  # fmt: skip
    rows = [
        {"type": "user", "uuid": f"u-{log.stem}", "parentUuid": None, "message": {"role": "user", "content": typed}, **common},
        {"type": "assistant", "uuid": f"a-{log.stem}", "parentUuid": f"u-{log.stem}", "message": {"id": "m1", "role": "assistant", "content": [{"type": "text", "text": "Fine."}]}, **common},
    ]  # fmt: skip
    log.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return log


def test_what_we_ask_a_cli_is_never_imported_as_a_session(cli: Run, tmp_path: Path) -> None:
    projects = tmp_path / "user" / ".claude" / "projects"
    app = str(tmp_path / "app")
    claude_log(projects / "-tmp-app", app, "Please always use pnpm here.")
    claude_log(projects / "-tmp-a", f"/tmp/recollect-x/{FOLDER}", "We always use npm in this repository.")
    claude_log(projects / "-tmp-b", app, f"{MARK}\n\nWe always use yarn in this repository, and never npm.")
    assert cli("import", "--json").json["sessions"] == 1
    (session,) = cli("session", "list", "--json").json
    assert [turn["user"] for turn in cli("session", "show", session["id"], "--json").json["turns"]] == [
        "Please always use pnpm here."
    ]


def test_every_cli_that_is_known_has_a_way_to_switch_its_tools_off() -> None:
    assert set(CLI) == set(OFF) == set(NAMES)
