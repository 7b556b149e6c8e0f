"""What the scripted hosts say, and what our hook answers, held against the types that the hosts publish."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recollect import Recollect
from tests.conftest import OpenMemory
from tests.hook_calls import answered, leaving, pre_compact, prompt, session_start
from tests.host_schemas import INPUTS, OUTPUTS, HostTypes

QUESTION = "what is the deploy target?"
CALLS: dict[str, Callable[[str, Path], dict[str, Any]]] = {
    "session_start": session_start,
    "prompt": lambda host, cwd: prompt(host, cwd, QUESTION),
    "pre_compact": pre_compact,
    "stop": leaving,
}
PUBLISHED = [(host, event) for host, event in INPUTS if event in CALLS]


@pytest.mark.parametrize(("host", "event"), PUBLISHED)
def test_a_scripted_host_says_what_the_real_one_publishes(
    host: str, event: str, repository: Path, host_types: HostTypes
) -> None:
    said = CALLS[event](host, repository)
    assert host_types.input_errors(host, event, said) == []
    assert host_types.input_errors(host, event, {"nothing": 1}), "the check itself works"


@pytest.fixture
def memory_home(open_memory: OpenMemory, repository: Path, tmp_path: Path) -> Path:
    memory: Recollect = open_memory(repository)
    memory.remember("The deploy target is Fly.io.")
    memory.remember("Works on build tools.", layer="L0")
    return tmp_path / "home"


@pytest.mark.parametrize(("host", "event"), PUBLISHED)
def test_a_host_takes_what_our_hook_answers(
    host: str, event: str, repository: Path, memory_home: Path, tmp_path: Path, host_types: HostTypes
) -> None:
    answer = answered(CALLS[event](host, repository), memory_home, tmp_path / "user", host=host)
    if event in ("session_start", "prompt"):
        assert "Fly.io" in str(answer) or "build tools" in str(answer)
    assert host_types.output_errors(host, event, answer) == []
    if (host, event) in OUTPUTS or host in OUTPUTS:
        assert host_types.output_errors(host, event, {**answer, "nobody_knows_this": 1})
