"""An agent that speaks the Agent Client Protocol by a script: its prompts say what it does. It runs alone, too."""

from __future__ import annotations

import json
import sys
from typing import Any, BinaryIO

HISTORY = [("user_message_chunk", "How do I build it?"), ("agent_message_chunk", "With make.")]


def parsed(line: bytes) -> dict[str, Any]:
    """The message of a line; empty for anything else."""
    try:
        message = json.loads(line)
    except ValueError:
        return {}
    return message if isinstance(message, dict) else {}


class ScriptedAgent:
    """Answers every request in the order in which it comes. A word in a prompt makes it do more than talk."""

    def __init__(self, source: BinaryIO, target: BinaryIO) -> None:
        self.source = source
        self.target = target
        self.received: list[bytes] = []
        self.sessions: list[str] = []
        self.questions = 0

    def run(self) -> None:
        """Until the client closes its end."""
        try:
            while line := self._next():
                message = parsed(line)
                if "id" in message and "method" in message:
                    self._answer(message)
        finally:
            self.target.close()

    def _next(self) -> bytes:
        line = self.source.readline()
        if line:
            self.received.append(line)
        return line

    def _answer(self, message: dict[str, Any]) -> None:
        params = message.get("params", {})
        match message["method"]:
            case "initialize":
                info = {"name": "scripted", "title": "Scripted", "version": "1.0"}
                self._result(
                    message, {"protocolVersion": 1, "agentCapabilities": {"loadSession": True}, "agentInfo": info}
                )
            case "session/new":
                self.sessions.append(f"{params.get('_meta', {}).get('named', 'session')}-{len(self.sessions) + 1}")
                self._result(message, {"sessionId": self.sessions[-1]})
            case "session/load":
                for kind, text in HISTORY:
                    self._update(params["sessionId"], kind, content={"type": "text", "text": text})
                self._result(message, {})
            case "session/prompt":
                self._result(message, {"stopReason": self._turn(params)})
            case "session/close":
                self._result(message, {})
            case method:
                error = {"code": -32601, "message": "Method not found", "data": {"method": method}}
                self._send({"jsonrpc": "2.0", "id": message["id"], "error": error})

    def _turn(self, params: dict[str, Any]) -> str:
        session, typed = params["sessionId"], str(params["prompt"][-1].get("text", ""))
        for word in ("I ", "do ", "that: ", typed[:40]):
            self._update(session, "agent_message_chunk", content={"type": "text", "text": word})
        if "tool" in typed:
            self._use_tools(session)
        if "plan" in typed:
            entries = [{"content": "Add a test", "priority": "high", "status": "in_progress"}]
            self._update(session, "plan", entries=entries)
        if "file" in typed:
            self._ask("fs/read_text_file", {"sessionId": session, "path": "/w/a.py"})
        if "permission" in typed:
            options = [{"optionId": "yes", "name": "Allow", "kind": "allow_once"}]
            asked = {"sessionId": session, "toolCall": {"toolCallId": "p1"}, "options": options}
            outcome = self._ask("session/request_permission", asked).get("outcome", {})
            if outcome.get("outcome") == "cancelled":
                return "cancelled"
        return "end_turn"

    def _use_tools(self, session: str) -> None:
        call = {"toolCallId": "t1", "title": "Run the tests", "kind": "execute", "rawInput": {"command": "make test"}}
        self._update(session, "tool_call", **call, status="pending")
        shown = [{"type": "content", "content": {"type": "text", "text": "2 passed"}}]
        self._update(session, "tool_call_update", toolCallId="t1", status="completed", content=shown)
        diff = [{"type": "diff", "path": "/w/a.py", "oldText": "a", "newText": "b"}]
        self._update(session, "tool_call", toolCallId="t2", title="Edit", kind="edit", status="completed", content=diff)

    def _ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Ask the client, and wait for its answer; what else it says meanwhile is only noted."""
        self.questions += 1
        self._send({"jsonrpc": "2.0", "id": self.questions, "method": method, "params": params})
        while line := self._next():
            message = json.loads(line)
            if message.get("id") == self.questions and "method" not in message:
                result = message.get("result")
                return result if isinstance(result, dict) else {}
        return {}

    def _update(self, session: str, update: str, /, **fields: Any) -> None:
        params = {"sessionId": session, "update": {"sessionUpdate": update, **fields}}
        self._send({"jsonrpc": "2.0", "method": "session/update", "params": params})

    def _result(self, message: dict[str, Any], result: dict[str, Any]) -> None:
        self._send({"jsonrpc": "2.0", "id": message["id"], "result": result})

    def _send(self, message: dict[str, Any]) -> None:
        self.target.write(json.dumps(message).encode() + b"\n")
        self.target.flush()


if __name__ == "__main__":
    ScriptedAgent(sys.stdin.buffer, sys.stdout.buffer).run()
