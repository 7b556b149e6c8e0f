"""A model on loopback, in place of the vendors': it does what it was told to, and keeps what it was asked."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.hosts_live.dialects import DIALECTS, Json, Step, offered


class ModelServer:
    """Requests that offer tools are the agent's own and get the next step; titles and side questions get a plain text."""

    def __init__(self) -> None:
        self._steps: list[Step] = []
        self._lock = threading.Lock()
        self.asked: list[Json] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def expect(self, *steps: Step) -> None:
        """From now on do this; forget what was asked before."""
        with self._lock:
            self._steps = list(steps)
            self.asked = []

    def answer(self, body: Json) -> Step:
        """The step for a request. A tool that is not offered is said so, where the host's output shows it."""
        tools = offered(body)
        with self._lock:
            self.asked.append(body)
            step = self._steps.pop(0) if tools and self._steps else Step()
        if not step.tool:
            return step
        named = [tool for tool in tools if tool.name.endswith(step.tool)]
        # Claude Code loads tools when the model looks for them, and takes calls of those it does not list.
        if not named and "__" not in step.tool:
            return Step(f"{step.tool} is not offered, only {[tool.name for tool in tools]}")
        return step._replace(tool=named[0].name, namespace=named[0].namespace) if named else step

    def saw(self, text: str) -> bool:
        """Did any request hold this text?"""
        return any(text in json.dumps(body, ensure_ascii=False) for body in self.asked)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def _handler(model: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: Any) -> None:
            """Nobody reads it."""

        def do_HEAD(self) -> None:
            self._send(200, b"")

        def do_GET(self) -> None:
            if self.path.partition("?")[0].endswith("/models"):
                self._json(
                    {"object": "list", "data": [{"id": "m", "object": "model", "created": 1, "owned_by": "nobody"}]}
                )
            else:
                self._json({"error": {"message": "not here"}}, 404)

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
            path = self.path.partition("?")[0]
            dialect = next((one for end, one in DIALECTS.items() if path.endswith(end)), None)
            if path.endswith(("count_tokens", ":countTokens")):
                self._json({"input_tokens": 10, "totalTokens": 10})
            elif dialect is None:
                self._json({"error": {"message": "not here"}}, 404)
            elif path.endswith(":generateContent"):
                self._json(dict(next(iter(dialect(model.answer(body))))[1]))  # type: ignore[arg-type]
            else:
                lines = (
                    f"event: {name}\n" * bool(name) + f"data: {_text(data)}\n\n"
                    for name, data in dialect(model.answer(body))
                )
                self._send(200, "".join(lines).encode(), "text/event-stream")

        def _json(self, value: object, status: int = 200) -> None:
            self._send(status, json.dumps(value).encode())

        def _send(self, status: int, data: bytes, kind: str = "application/json") -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    return Handler


def _text(data: Json | str) -> str:
    return data if isinstance(data, str) else json.dumps(data)
