"""docs/models.md takes a reader from nothing to a working role: its lines are copied and run, block by block."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.command_line import Run, clean_environment, process, shown
from tests.fake_clis import NAMES, Clis, case_answers, right_answers
from tests.model_servers import Act, serving
from tests.paths import ROOT
from tests.screens import COLOURS, too_wide

BLOCKS = re.findall(r"```sh\n(.*?)```", (ROOT / "docs" / "models.md").read_text(), re.DOTALL)
OLLAMA = "http://127.0.0.1:11434/v1"


def first_words(block: str) -> str:
    return next((line for line in block.splitlines() if " models use " in line), block.splitlines()[0])


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[dict[str, str]]:
    """Every model that the page names, and the variables that lead to them."""
    clis = Clis(tmp_path / "clis")
    for name in (*NAMES, "my-model"):
        clis.make(name, right_answers())
    clis.make("uv", "installed")
    with (
        serving("openai", Act(right_answers())) as openai,
        serving("anthropic", Act(tool="answer", arguments=(("answers", case_answers()),))) as anthropic,
    ):
        yield {"OPENAI_BASE_URL": openai.address, "ANTHROPIC_BASE_URL": anthropic.address, "PATH": str(clis.folder)}


def require_working(block: str, told: str, models: str) -> None:
    """The roles that the block chose are ready, and whoever was tried has passed."""
    assert "Passed" in told or "models test" not in block
    roles = {role["role"]: role for role in json.loads(models)["roles"]}
    for line in block.splitlines():
        if " models use " in line:
            role = roles["smol" if "--role smol" in line else "default"]
            assert role["model"] in line
            assert role["ready"] or role["model"] == "sampling"


@pytest.mark.parametrize("block", BLOCKS, ids=first_words)
def test_the_lines_of_a_block_lead_to_a_working_role(
    block: str, cli: Run, servers: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In this process, because a shell would start three of ours a block."""
    block = block.replace(OLLAMA, servers["OPENAI_BASE_URL"])
    for name, value in servers.items():
        monkeypatch.setenv(name, f"{value}:{os.environ['PATH']}" if name == "PATH" else value)
    told = ""
    for line in block.splitlines():
        program, *words = shlex.split(line)
        if program == "recollect":
            done = cli(*words)
            assert done.code == 0, (line, done.err)
            told += done.out
        elif program == "export":
            monkeypatch.setenv(*words[0].split("=", 1))
        else:
            assert line == "uv tool install '.[models]'"  # from the source folder: PyPI has another `recollect`
    require_working(block, told, cli("models", "--json").out)


@pytest.mark.parametrize("colour", [True, False], ids=["colour", "no colour"])
def test_on_a_terminal_of_eighty_columns_every_line_fits(
    colour: bool, servers: dict[str, str], repository: Path, tmp_path: Path
) -> None:
    (tmp_path / "user").mkdir()
    environ = clean_environment(tmp_path / "home", tmp_path / "user", OPENAI_API_KEY="k", ANTHROPIC_API_KEY="k")
    environ |= {**servers, "PATH": f"{servers['PATH']}:{environ['PATH']}"}
    for line in "\n".join(BLOCKS).replace(OLLAMA, servers["OPENAI_BASE_URL"]).splitlines():
        if line.startswith("recollect"):
            code, screen = shown(line, repository, environ, colour=colour)
            assert code == 0, (line, screen.raw)
            assert colour or not COLOURS.search(screen.raw), line
            assert too_wide(screen) == [], line


def test_a_shell_runs_the_lines_as_they_are(servers: dict[str, str], repository: Path, tmp_path: Path) -> None:
    """One block for all: what a shell adds is the same for each."""
    (tmp_path / "user").mkdir()
    environ = clean_environment(tmp_path / "home", tmp_path / "user")
    environ |= {**servers, "PATH": f"{servers['PATH']}:{environ['PATH']}"}
    [block] = [one for one in BLOCKS if "use claude\n" in one]
    done = process(f"set -e\n{block}\nrecollect models --json >&2", repository, environ)
    assert done.code == 0, done.err
    require_working(block, done.out, done.err[done.err.index("{") :])


def test_every_provider_has_a_block() -> None:
    text = "\n".join(BLOCKS)
    for name in (*NAMES, "command:", "anthropic:", "openai:", OLLAMA, "sampling", "rules"):
        assert re.search(rf"models use .*{re.escape(name)}", text), name
