"""The MCP inspector's own command line, from npm, against a real server: a client that we did not write."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.mcp_clients import environment_of, http_server
from tests.paths import NODE

INSPECTOR = NODE / "node_modules" / ".bin" / "mcp-inspector-cli"
SERVER = (sys.executable, "-m", "recollect", "mcp")


def inspect(folder: Path, environ: dict[str, str], *words: str) -> Any:
    """Run the inspector; its one JSON document."""
    done = subprocess.run(
        [str(INSPECTOR), "--cli", *words], cwd=folder, env=environ, capture_output=True, text=True, timeout=60, check=False
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def environ(tmp_path):
    return environment_of(tmp_path)


def test_the_inspector_lists_and_calls_over_stdio(repository, environ) -> None:
    listed = inspect(repository, environ, *SERVER, "--method", "tools/list")
    assert [tool["name"] for tool in listed["tools"]] == [
        "memory_recall",
        "memory_write",
        "store_memory",
        "vote_memory",
        "memory_read",
    ]
    assert all("outputSchema" in tool for tool in listed["tools"])
    stored = inspect(
        repository, environ, *SERVER, "--method", "tools/call", "--tool-name", "memory_write",
        "--tool-arg", "action=add", "--tool-arg", "layer=L1", "--tool-arg", "content=The deploy target is Fly.io.",
    )  # fmt: skip
    assert stored["structuredContent"]["status"] == "stored"
    found = inspect(
        repository, environ, *SERVER, "--method", "tools/call", "--tool-name", "memory_recall",
        "--tool-arg", "query=what is the deploy target?", "--tool-arg", "k=3",
    )  # fmt: skip
    assert [entry["id"] for entry in found["structuredContent"]["entries"]] == [stored["structuredContent"]["id"]]
    templates = inspect(repository, environ, *SERVER, "--method", "resources/templates/list")
    assert "memory://entries/{id}" in [template["uriTemplate"] for template in templates["resourceTemplates"]]
    read = inspect(repository, environ, *SERVER, "--method", "resources/read", "--uri", "memory://receipts/last")
    assert "Fly.io" in read["contents"][0]["text"]


def test_the_inspector_lists_and_reads_prompts_over_http(repository, environ) -> None:
    with http_server(repository, environ) as address:
        listed = inspect(repository, environ, address, "--transport", "http", "--method", "prompts/list")
        assert [prompt["name"] for prompt in listed["prompts"]] == ["recollect_compact", "recollect_review"]
        prompt = inspect(
            repository,
            environ,
            address,
            "--transport",
            "http",
            "--method",
            "prompts/get",
            "--prompt-name",
            "recollect_review",
        )
        assert "Review what memory did" in prompt["messages"][0]["content"]["text"]
