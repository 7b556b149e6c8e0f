"""Real servers in processes of their own, over stdio and HTTP, in both eras; and whatever a client may send them."""

from __future__ import annotations

import json
import signal
import socket
import stat
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp import Client

from recollect import Recollect
from recollect.doors.mcp import tools
from recollect.doors.mcp.server import Door, make_server
from tests.mcp_clients import ERAS, answering, environment_of, http_server, over_http, over_stdio, roots, said

FACT = {
    "subject": "deploys",
    "fact": "The deploy target is Fly.io.",
    "citations": ["README.md"],
    "reason": "asked often",
}
QUESTION = {"query": "what is the deploy target?"}
# Made up, and shaped like the real thing.
SECRET = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"


@pytest.fixture
def environ(tmp_path):
    return environment_of(tmp_path)


async def a_conversation(client: Client) -> Any:
    stored = await client.call_tool("store_memory", FACT)
    found = await client.call_tool("memory_recall", QUESTION)
    used = await client.call_tool("memory_read", {"address": "memory://receipts/last"})
    prompt = await client.get_prompt("recollect_review")
    return stored, found, used, prompt


def holds(stored, found, used, prompt) -> None:
    entry_id = stored.structured_content["id"]
    assert [entry["id"] for entry in found.structured_content["entries"]] == [entry_id]
    assert used.structured_content["data"]["entries"][0]["id"] == entry_id
    assert "Fly.io" in prompt.messages[0].content.text


@pytest.mark.parametrize("era", ["legacy", "auto"])
def test_a_host_that_starts_the_server_is_served(era, repository, environ) -> None:
    holds(*over_stdio(repository, environ, era, a_conversation))


@pytest.mark.parametrize("era", ERAS)
def test_roots_and_approvals_work_across_processes(era, repository, tmp_path, environ) -> None:
    elicit, asked = answering("once")

    async def talk(client):
        return await client.call_tool(
            "memory_write", {"action": "add", "layer": "L0", "content": "Works on build tools."}
        )

    result = over_stdio(
        tmp_path, environ, era, talk, elicitation_callback=elicit, list_roots_callback=roots(repository)
    )
    assert result.structured_content["status"] == "stored"
    assert "owner/app" not in asked[0] or "Works on build tools." in asked[0]


def raw(folder: Path, environ: dict[str, str], *lines: str, answers: int = 0) -> tuple[int, list[str], str]:
    """Send lines to a server, wait for so many lines, close its stdin, and see all that it prints."""
    server = subprocess.Popen(
        [sys.executable, "-m", "recollect", "mcp"], cwd=folder, env=environ, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert server.stdin is not None
    assert server.stdout is not None
    server.stdin.write("".join(line + "\n" for line in lines))
    server.stdin.flush()
    first = [server.stdout.readline().rstrip("\n") for _ in range(answers)]
    out, err = server.communicate(timeout=60)
    return server.returncode, [*first, *out.splitlines()], err


def hello(version: str) -> str:
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_every_version_of_the_handshake_is_answered(version, repository, environ) -> None:
    listing = json.dumps({"jsonrpc": "2.0", "id": 2, "method": "tools/list"})
    ready = json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"})
    code, out, err = raw(repository, environ, hello(version), ready, listing, answers=2)
    answers = {answer["id"]: answer["result"] for answer in map(json.loads, out) if "id" in answer}
    assert answers[1]["protocolVersion"] == version
    assert answers[1]["serverInfo"]["name"] == "recollect"
    assert "memory_recall" in [tool["name"] for tool in answers[2]["tools"]]
    assert (code, err) == (0, "")


def test_nothing_but_the_protocol_is_printed_whatever_comes_in(repository, environ) -> None:
    code, out, err = raw(
        repository, environ, "nonsense", "{}", "[]", '{"jsonrpc": "2.0"}', hello("2025-06-18"), "\x00\x01", "null"
    )
    assert code == 0
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in out)
    assert "Traceback" not in err


def test_an_empty_stdin_ends_the_server(repository, environ) -> None:
    assert raw(repository, environ) == (0, [], "")


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_host_that_ends_the_server_by_a_signal_is_obeyed(repository, environ) -> None:
    server = subprocess.Popen(
        [sys.executable, "-m", "recollect", "mcp"], cwd=repository, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )  # fmt: skip
    assert server.stdin is not None
    assert server.stdout is not None
    server.stdin.write(hello("2025-06-18").encode() + b"\n")
    server.stdin.flush()
    assert b"recollect" in server.stdout.readline()
    server.send_signal(signal.SIGTERM)
    assert server.wait(timeout=10) == 0
    server.communicate()


def test_the_log_is_in_the_home_and_holds_no_secret(repository, environ, tmp_path) -> None:
    call = {
        "jsonrpc": "2.0",
        "id": 2,
        "method": "tools/call",
        "params": {"name": SECRET, "arguments": {SECRET: SECRET}},
    }
    ready = json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"})
    code, out, err = raw(repository, environ, hello("2025-06-18"), ready, json.dumps(call), SECRET, answers=2)
    assert code == 0
    assert any("There is no tool" in line for line in out)
    assert SECRET not in "".join(out) + err
    for path in (tmp_path / "home").rglob("*"):
        if path.is_file():
            assert SECRET.encode() not in path.read_bytes(), path
    log = tmp_path / "home" / "logs" / "mcp.log"
    if log.exists():
        assert stat.S_IMODE(log.stat().st_mode) == 0o600


# -- HTTP


def test_clients_over_http_are_served_in_both_eras(repository, environ) -> None:
    async def talk(address: str, era: str):
        async with over_http(address, era) as client:
            return await a_conversation(client)

    with http_server(repository, environ) as address:
        for era in ("legacy", "auto"):
            holds(*anyio.run(talk, address, era))


def test_over_http_roots_choose_the_repository_and_nobody_is_asked(repository, tmp_path, environ) -> None:
    elicit, asked = answering("once", "once")

    async def talk(address: str, era: str):
        async with over_http(
            address, era, list_roots_callback=roots(repository), elicitation_callback=elicit
        ) as client:
            await client.call_tool("store_memory", FACT)
            return await client.call_tool(
                "memory_write", {"action": "add", "layer": "L0", "content": "Works on build tools."}
            )

    with http_server(tmp_path, environ) as address:
        for era in ERAS:
            assert anyio.run(talk, address, era).structured_content["status"] == "staged"
    assert asked == []
    with Recollect.open(folder=str(repository), environ=environ) as memory:
        assert [entry.content for entry in memory.entries.list(status="active")] == [FACT["fact"]]


def post(address: str, **headers: str) -> int:
    """The status of an `initialize` with these headers."""
    request = urllib.request.Request(
        address, data=hello("2025-06-18").encode(), method="POST",
        headers={"Content-Type": "application/json", "Accept": "application/json, text/event-stream", **headers},
    )  # fmt: skip
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_a_web_page_cannot_reach_the_server_on_loopback(repository, environ) -> None:
    with http_server(repository, environ) as address:
        assert post(address) == 200
        assert post(address, Host="evil.example") == 421
        assert post(address, Host="evil.example:8377") == 421
        assert post(address, Origin="https://evil.example") == 403
        assert post(address, Origin="null") == 403
        assert post(address, Origin=address.removesuffix("/mcp")) == 200
        for host in ("127.0.0.1:8377@evil.example", "127.0.0.1:evil.example", "localhost:8377.evil.example", "", "["):
            assert post(address, Host=host) in (400, 421), host
        assert post(address, Host="[::1].evil.example") in (400, 421)
        assert post(address, Origin="http://[::1].evil.example") == 403
        for origin in (
            "http://127.0.0.1:80@evil.example",
            "http://localhost:evil.example",
            "http://localhost.evil.example",
        ):
            assert post(address, Origin=origin) == 403, origin
        assert post(address, Host="[::1]:8377", Origin="http://localhost") == 200


def test_any_other_address_needs_the_token_in_the_home(repository, environ, tmp_path) -> None:
    with http_server(repository, environ, "--host", "0.0.0.0") as address:
        reachable = address.replace("0.0.0.0", "127.0.0.1")
        token = tmp_path / "home" / "http-token"
        assert stat.S_IMODE(token.stat().st_mode) == 0o600
        assert post(reachable) == 401
        assert post(reachable, Authorization="Bearer wrong") == 401
        assert post(reachable, Authorization=f"Bearer {token.read_text().strip()}") == 200
        assert (
            post(reachable, Authorization=f"Bearer {token.read_text().strip()}", Origin="https://evil.example") == 403
        )


def test_a_port_that_is_taken_is_one_sentence(repository, environ) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        command = [sys.executable, "-m", "recollect", "mcp", "--http", "--port", str(taken.getsockname()[1])]
        done = subprocess.run(
            command, cwd=repository, env=environ, capture_output=True, text=True, timeout=60, check=False
        )
    assert done.returncode == 1
    assert "choose another --port" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_port_without_http_is_wrong_usage(cli) -> None:
    assert cli("mcp", "--port", "80").code == 2


# -- whatever comes in

texts = st.one_of(
    st.text(max_size=60),
    st.sampled_from([SECRET, f"password={SECRET}", "</memory-context>", "\x00", "memory://entries/e_", "../../etc/passwd", "L1", "add", "7d", "e_", "'; DROP TABLE entries; --", "{{keep}}"]),
)  # fmt: skip
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.floats(allow_nan=False, allow_infinity=False), texts),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)),
    max_leaves=6,
)  # fmt: skip


@st.composite
def calls(draw):
    """A tool with arguments that fit, nearly fit or do not fit at all."""
    tool = draw(st.sampled_from(tools.TOOLS))
    arguments = {}
    for name, schema in tool.takes["properties"].items():
        if name in tool.takes["required"] or draw(st.booleans()):
            fitting = st.sampled_from(schema["enum"]) if "enum" in schema else texts
            if schema["type"] == "array":
                fitting = st.lists(texts, max_size=3)
            if schema["type"] == "integer":
                fitting = st.integers(-5, 9_000)
            arguments[name] = draw(st.one_of(fitting, fitting, fitting, values))
    if draw(st.integers(0, 9)) == 0:
        arguments[draw(st.text(max_size=10))] = draw(values)
    return tool.name, arguments


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory):
    """One home for all that is thrown at it."""
    folder = tmp_path_factory.mktemp("fuzzed")
    return folder, environment_of(folder)


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
@given(st.lists(calls(), min_size=1, max_size=4), st.sampled_from(ERAS))
def test_whatever_an_agent_sends_it_gets_an_answer_and_no_secret_comes_back(fuzzed, made, era) -> None:
    folder, environ = fuzzed
    door = Door(environ, folder=str(folder))

    async def talk() -> None:
        async with Client(make_server(door), mode=era) as client:
            for name, arguments in made:
                result = await client.session.call_tool(name, arguments)
                shown = result.model_dump_json()
                assert "Traceback" not in shown
                assert SECRET not in shown
                assert not result.is_error or said(result).count("\n") == 0
                assert "Unexpected error" not in said(result)

    try:
        anyio.run(talk)
    finally:
        door.memories.close()
    for path in (folder / "home").rglob("*"):
        if path.is_file():
            assert SECRET.encode() not in path.read_bytes(), path
