"""docs/models.md takes a reader from nothing to a working role: its lines are copied and run, block by block."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.command_line import clean_environment, process
from tests.fake_clis import NAMES, Clis, case_answers, right_answers
from tests.model_servers import Act, serving
from tests.paths import ROOT

BLOCKS = re.findall(r"```sh\n(.*?)```", (ROOT / "docs" / "models.md").read_text(), re.DOTALL)
OLLAMA = "http://127.0.0.1:11434/v1"


def first_words(block: str) -> str:
    return next((line for line in block.splitlines() if " models use " in line), block.splitlines()[0])


@pytest.mark.parametrize("block", BLOCKS, ids=first_words)
def test_the_lines_of_a_block_lead_to_a_working_role(block: str, repository: Path, tmp_path: Path) -> None:
    (tmp_path / "user").mkdir()
    clis = Clis(tmp_path / "clis")
    for name in (*NAMES, "my-model"):
        clis.make(name, right_answers())
    clis.make("pip", "installed")
    with (
        serving("openai", Act(right_answers())) as openai,
        serving("anthropic", Act(tool="answer", arguments=(("answers", case_answers()),))) as anthropic,
    ):
        environ = clean_environment(tmp_path / "home", tmp_path / "user")
        environ |= {"OPENAI_BASE_URL": openai.address, "ANTHROPIC_BASE_URL": anthropic.address}
        environ["PATH"] = f"{clis.folder}:{environ['PATH']}"
        lines = block.replace(OLLAMA, openai.address)
        done = process(f"set -e\n{lines}\nrecollect models --json >&2", repository, environ)
    assert done.code == 0, done.err
    if "models test" in block:
        assert "Passed" in done.out
    roles = {role["role"]: role for role in json.loads(done.err[done.err.index("{") :])["roles"]}
    for line in lines.splitlines():
        if " models use " in line:
            role = roles["smol" if "--role smol" in line else "default"]
            assert role["model"] in line
            assert role["ready"] or role["model"] == "sampling"


def test_every_provider_has_a_block() -> None:
    text = "\n".join(BLOCKS)
    for name in (*NAMES, "command:", "anthropic:", "openai:", OLLAMA, "sampling", "rules"):
        assert re.search(rf"models use .*{re.escape(name)}", text), name
