"""A client of the Agent Client Protocol by a script: what it sends, and the bytes that come back."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Mapping
from threading import Thread
from typing import Any, BinaryIO, NamedTuple

from benchmarks.acp_agent import ScriptedAgent
from recollect.doors.acp.proxy import Proxy
from recollect.files.home import Home

WORDS = ("tool", "plan", "file", "permission", "dependencies", "deploy", "Größe", '\u2028 quoted "prompt": [', "\\")


class Passed(NamedTuple):
    """Every line that each end got."""

    by_agent: list[bytes]
    by_client: list[bytes]


def pipe() -> tuple[BinaryIO, BinaryIO]:
    """The two ends of a pipe: what to read, what to write."""
    reading, writing = os.pipe()
    return os.fdopen(reading, "rb"), os.fdopen(writing, "wb")


def connected(
    environ: Mapping[str, str] | None, *, kind: type[Proxy] = Proxy, **options: Any
) -> tuple[BinaryIO, BinaryIO, ScriptedAgent, Any]:
    """A scripted agent, with or without a proxy: where to write, where to read, the agent, and how to end it."""
    to_agent, from_client = pipe()
    to_client, from_agent = pipe()
    if environ is None:
        agent = ScriptedAgent(to_agent, from_agent)
        serving = Thread(target=agent.run, daemon=True)
        serving.start()
        return from_client, to_client, agent, lambda: serving.join(10)
    inner_in, inner_out = pipe()
    outer_in, outer_out = pipe()
    agent = ScriptedAgent(inner_in, outer_out)
    serving = Thread(target=agent.run, daemon=True)
    serving.start()
    proxy = kind(Home(environ["RECOLLECT_HOME"]), environ, **options)
    answering = proxy.run(to_agent, from_agent, inner_out, outer_in)

    def end() -> None:
        serving.join(10)
        answering.join(10)
        proxy.finish(60)

    return from_client, to_client, agent, end


class Client:
    """Sends requests one after the other and answers what it is asked."""

    def __init__(self, target: BinaryIO, source: BinaryIO) -> None:
        self.target = target
        self.source = source
        self.received: list[bytes] = []
        self.requests = 0
        self.outcome: dict[str, Any] = {"outcome": "selected", "optionId": "yes"}

    def ask(self, method: str, params: dict[str, Any], **style: Any) -> dict[str, Any]:
        """Send a request and wait for its answer."""
        self.requests += 1
        number = self.requests
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params}, **style)
        while line := self.source.readline():
            self.received.append(line)
            message: dict[str, Any] = json.loads(line)
            if "method" in message and "id" in message:
                is_file = message["method"].startswith("fs/")
                result = {"content": "print(1)"} if is_file else {"outcome": self.outcome}
                self.send({"jsonrpc": "2.0", "id": message["id"], "result": result})
            elif message.get("id") == number and "method" not in message:
                return message
        raise EOFError("the agent has gone")

    def send(self, message: dict[str, Any], **style: Any) -> None:
        """Send one line."""
        self.target.write(json.dumps(message, **style).encode() + b"\n")
        self.target.flush()

    def prompt(self, session: str, *texts: str) -> dict[str, Any]:
        """Send a prompt of texts."""
        return self.ask(
            "session/prompt", {"sessionId": session, "prompt": [{"type": "text", "text": t} for t in texts]}
        )

    def new(self, folder: object, **params: Any) -> str:
        """Open a session in a folder."""
        asked = {"cwd": str(folder), "mcpServers": [], **params}
        return str(self.ask("session/new", asked)["result"]["sessionId"])


def talk(environ: Mapping[str, str] | None, *, sessions: int, folder: str, seed: int, **options: Any) -> Passed:
    """Hold scripted sessions, spelled in many ways; the same seed says the same."""
    chance = random.Random(seed)
    target, source, agent, end = connected(environ, **options)
    client = Client(target, source)
    client.ask("initialize", {"protocolVersion": 1, "clientCapabilities": {"fs": {"readTextFile": True}}})
    for number in range(sessions):
        style = {
            "ensure_ascii": chance.random() < 0.5,
            "separators": chance.choice([(",", ":"), (", ", ": "), (" ,\t", " : ")]),
            "sort_keys": chance.random() < 0.3,
        }
        servers = chance.choice([[], [{"name": "other", "command": "/bin/other", "args": ["["], "env": []}]])
        params = {"cwd": folder, "mcpServers": servers, "_meta": {"named": f"s{seed}.{number}", "n": 1.0, "big": 2**70}}
        session = client.ask("session/new", params, **style)["result"]["sessionId"]
        if chance.random() < 0.1:
            client.ask("session/load", {"sessionId": session, "cwd": folder, "mcpServers": []}, **style)
        for _ in range(chance.choice([1, 1, 1, 2])):
            words = " ".join(chance.sample(WORDS, 3))
            blocks: list[dict[str, Any]] = [{"type": "text", "text": f"How do I see to {words} {number}?"}]
            if chance.random() < 0.2:
                blocks.insert(0, {"type": "resource_link", "uri": "file:///w/prompt.md", "name": "prompt.md"})
            if chance.random() < 0.1:
                client.send({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": session}})
            client.ask("session/prompt", {"_meta": {"prompt": [1]}, "prompt": blocks, "sessionId": session}, **style)
        client.ask(chance.choice(["session/close", "_extension/any"]), {"sessionId": session}, **style)
    target.close()
    while line := source.readline():
        client.received.append(line)
    end()
    return Passed(agent.received, client.received)
