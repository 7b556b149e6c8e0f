"""A server on this machine that speaks as Anthropic's does: scripted blocks one by one, then a word."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@contextmanager
def serving(calls: Sequence[dict[str, Any]]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Its address, and the requests it got; `calls` are what the model wants of the memory tool."""
    requests: list[dict[str, Any]] = []

    class Scripted(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            requests.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            body = json.dumps(_message(len(requests) - 1, calls)).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Scripted)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", requests
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _message(step: int, calls: Sequence[dict[str, Any]]) -> dict[str, Any]:
    wants = step < len(calls)
    call = {"type": "tool_use", "id": f"toolu_{step}", "name": "memory", "input": calls[step] if wants else {}}
    return {
        "id": f"msg_{step}",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": [call if wants else {"type": "text", "text": "Noted."}],
        "stop_reason": "tool_use" if wants else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }
