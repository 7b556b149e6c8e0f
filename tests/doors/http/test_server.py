"""A real server on loopback: the client of a memory service, events, MCP, and stopping in the middle of anything."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import anyio
import httpx2 as httpx
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from recollect import Recollect
from recollect.doors.http.serving import Served
from recollect.errors import Refused
from recollect.flows.writes.actors import Agent
from recollect.strategies.requests import Service as Remote
from recollect.strategies.requests import ServiceError
from tests.command_line import Run, clean_environment
from tests.conftest import make_repository
from tests.mcp_clients import said
from tests.services import FACT, REPOSITORY, running


class Live:
    """A running server, its memory as another process sees it, and tokens."""

    def __init__(self, served: Served, memory: Recollect) -> None:
        self.served = served
        self.memory = memory
        self.secrets = {scope: memory.tokens.add(scope, scope)[1] for scope in ("read", "write")}
        self.writer = Remote(served.address, self.secrets["write"], 10.0)
        self.reader = Remote(served.address, self.secrets["read"], 10.0)


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    folder = tmp_path_factory.mktemp("live")
    (folder / "user").mkdir()
    repository = make_repository(folder / "app")
    environ = clean_environment(folder / "home", folder / "user")
    with running(repository, environ) as served:
        memory = Recollect.open(folder=str(repository), environ=environ)
        yield Live(served, memory)
        memory.close()


# -- the client of a memory service, as agents use it


@pytest.fixture
def elsewhere(live: Live, tmp_path: Path) -> Iterator[Recollect]:
    """A machine whose agents keep their memory in this service."""
    folder = make_repository(tmp_path / "clone")
    environ = {
        "HOME": str(tmp_path),
        "RECOLLECT_AGENTIC_MEMORY__ENABLED": "on",
        "RECOLLECT_AGENTIC_MEMORY__USER_SCOPE": "on",
        "RECOLLECT_AGENTIC_MEMORY__URL": live.served.address,
        "RECOLLECT_AGENTIC_MEMORY__TIMEOUT_SECONDS": "10",
        "RECOLLECT_TOKEN": live.secrets["write"],
    }
    memory = Recollect.open(str(tmp_path / "home"), folder=str(folder), environ=environ)
    yield memory
    memory.close()


def test_an_agent_elsewhere_stores_votes_and_is_told_what_is_known(live: Live, elsewhere: Recollect) -> None:
    agent = elsewhere.writes(Agent("Codex"))
    stored = agent.store_memory("port", "The dev server listens on port 5173.", ["vite.config.ts"], "asked twice")
    assert stored.status == "stored", stored
    kept = live.memory.entries.get(stored.entry_id)
    assert (kept.content, kept.repository) == ("The dev server listens on port 5173.", REPOSITORY)
    assert elsewhere.entries.list() == []
    assert agent.can_vote
    assert "declarative" in agent.store_instructions
    assert agent.vote_memory("The dev server listens on port 5173.", "upvote", "it did").status == "voted"
    assert live.memory.entries.get(stored.entry_id).votes_up == 1
    live.memory.remember("The staging host is Fly.")
    assert agent.vote_memory("The staging host is Fly.", "downvote", "it moved").status == "staged"
    live.memory.pending.reject(live.memory.pending.staged()[0].staged_id)
    again = elsewhere.writes(Agent("Codex"))
    assert "port 5173" in again.prompt_context
    assert set(again.tool_words) == {"store_memory", "vote_memory"}
    assert again.tool_words["store_memory"].version == "1"
    assert elsewhere.opened.service_prompts is not None


def test_a_token_that_may_only_read_stores_nothing(live: Live) -> None:
    assert live.reader.request("GET", "/v1/prompt")["counts"]["repository"] >= 0
    with pytest.raises(ServiceError, match="403"):
        live.reader.request("POST", "/v1/user/memories", FACT)


# -- many at once


def test_of_many_who_write_at_once_one_wins_and_a_key_counts_once(live: Live) -> None:
    memory_id = live.memory.remember("The canary runs in Oslo.").entry_id
    address = f"{live.served.address}/v1/memories/{memory_id}"
    cookies, form = _opened_panel(live)
    seen = httpx.get(address, cookies=cookies).headers["etag"]
    vote = {"direction": "up", "reason": "right"}

    def patch(number: int) -> int:
        headers = {**form, "If-Match": seen}
        return httpx.patch(address, json={"tags": [str(number)]}, cookies=cookies, headers=headers).status_code

    def upvote(_: int) -> int:
        headers = {"Authorization": f"Bearer {live.secrets['write']}", "Idempotency-Key": "canary"}
        return httpx.post(f"{address}/votes", json=vote, headers=headers).status_code

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(upvote, range(4))) == {200}
        assert sorted(pool.map(patch, range(4))) == [200, 412, 412, 412]
    assert live.memory.entries.get(memory_id).votes_up == 1


def _opened_panel(live: Live) -> tuple[dict[str, str], dict[str, str]]:
    """The cookie of a person in the panel, and the header that their changes carry."""
    cookie = live.served.sessions.open(live.served.sessions.new_link())
    form = live.served.sessions.form_token(cookie)
    return {f"recollect_{live.served.port}": cookie}, {"X-CSRF-Token": form}


# -- events


def lines_of(live: Live, **headers: str) -> Iterator[str]:
    with httpx.stream(
        "GET",
        f"{live.served.address}/v1/events",
        headers={"Authorization": f"Bearer {live.secrets['read']}", **headers},
        timeout=10,
    ) as stream:
        yield from stream.iter_lines()


def events(lines: Iterator[str]) -> Generator[tuple[str, Any]]:
    name = ""
    for line in lines:
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        if line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


def test_what_another_process_writes_and_what_waits_is_told_live(live: Live) -> None:
    stream = events(lines_of(live))
    assert [next(stream)[0], next(stream)[0]] == ["pending", "suggestions"]
    entry_id = live.memory.remember("The linter is ruff.").entry_id
    name, change = next(stream)
    assert (name, change["actor"], change["entries"]) == ("change", "user", [entry_id])
    live.memory.writes(Agent("Codex")).memory_write("add", "L0", "The user's name is Ada.")
    assert next(stream) == ("pending", {"count": 1})
    stream.close()
    missed = events(lines_of(live, **{"Last-Event-ID": str(change["id"] - 1)}))
    assert [one for one in (next(missed) for _ in range(3)) if one[0] == "change"] == [("change", change)]
    missed.close()


def test_a_stream_ends_when_its_token_is_taken_back(live: Live) -> None:
    _, secret = live.memory.tokens.add("listener", "read")
    stream = events(lines_of(live, Authorization=f"Bearer {secret}"))
    assert [next(stream)[0], next(stream)[0]] == ["pending", "suggestions"]
    live.memory.tokens.revoke("listener")
    assert list(stream) == []


# -- MCP


def test_mcp_over_the_same_port_writes_under_the_name_of_the_token(live: Live) -> None:
    async def talk() -> str:
        headers = {"Authorization": f"Bearer {live.secrets['write']}"}
        async with httpx.AsyncClient(headers=headers) as browser:
            transport = streamable_http_client(f"{live.served.address}/mcp", http_client=browser)
            async with Client(transport, mode="legacy") as client:
                assert {tool.name for tool in (await client.list_tools()).tools} >= {"memory_recall", "store_memory"}
                return said(await client.call_tool("store_memory", FACT))

    assert "stored" in anyio.run(talk).lower()
    [found] = live.memory.entries.saying(str(FACT["fact"]))
    assert live.memory.entries.show(found.entry_id).history[0].change.actor.startswith("agent:write")


@pytest.mark.parametrize(("scope", "status"), [("", 401), ("read", 403)])
def test_mcp_needs_a_token_that_may_write(live: Live, scope: str, status: int) -> None:
    headers = {"Authorization": f"Bearer {live.secrets[scope]}"} if scope else {}
    assert httpx.post(f"{live.served.address}/mcp", json={}, headers=headers).status_code == status


# -- binding and links


def test_listening_elsewhere_without_a_token_is_refused(cli: Run) -> None:
    done = cli("serve", "--host", "0.0.0.0", "--port", "0")
    assert (done.code, "recollect token add" in done.err) == (1, True)


def test_an_agents_shell_gets_no_link_to_the_panel(tmp_path: Path, repository: Path) -> None:
    environ = clean_environment(tmp_path / "home", tmp_path, CLAUDECODE="1")
    served = Served(environ, folder=str(repository), host="127.0.0.1", port=0)
    with pytest.raises(Refused, match="needs a person"):
        served.link()
    served.close()


def test_another_account_that_reaches_the_port_gets_nothing(live: Live) -> None:
    """It has neither the link nor the cookie nor a token."""
    for path in ("/", "/v1/memories", "/metrics", "/open?token=guessed", "/mcp"):
        assert httpx.get(live.served.address + path).status_code == 401, path


# -- stopping


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_server_stopped_in_the_middle_of_writes_loses_nothing_it_acknowledged(
    how: int, tmp_path: Path, repository: Path
) -> None:
    environ = clean_environment(tmp_path / "home", tmp_path, RECOLLECT_SERVE__REQUESTS_PER_MINUTE="1000000")
    with Recollect.open(folder=str(repository), environ=environ) as memory:
        _, secret = memory.tokens.add("w", "write")
    command = [sys.executable, "-m", "recollect", "serve", "--port", "0"]
    server = subprocess.Popen(
        command, cwd=repository, env=environ, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stderr is not None
        found = re.search(r"http://\S+?(?=;)", server.stderr.readline())
        assert found
        acknowledged: list[str] = []
        enough = threading.Event()

        def write(number: int) -> None:
            address = urlsplit(found[0])
            connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=20)
            for count in range(1_000):
                body = json.dumps({"fact": f"Writer{number} stored item{count} under name{number * 1000 + count}."})
                headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
                try:
                    connection.request("POST", "/v1/user/memories", body, headers)
                    answer = connection.getresponse()
                    told = json.loads(answer.read())
                except (OSError, http.client.HTTPException, ValueError):
                    return
                assert answer.status in (201, 202), told
                acknowledged.append(told["id"])
                if len(acknowledged) > 20:
                    enough.set()

        with ThreadPoolExecutor(4) as pool:
            writers = [pool.submit(write, number) for number in range(4)]
            assert enough.wait(30)
            os.kill(server.pid, how)
            for one in writers:
                one.result(30)
        told = server.communicate(timeout=30)
    finally:
        server.kill()
        server.wait()
    assert server.returncode == (0 if how == signal.SIGTERM else -signal.SIGKILL), told
    with Recollect.open(folder=str(repository), environ=environ) as memory:
        kept = {one.entry_id for one in memory.entries.list(everywhere=True)}
        kept |= {one.staged_id for one in memory.pending.staged()}
        assert set(acknowledged) <= kept
        assert memory.notices == ()
