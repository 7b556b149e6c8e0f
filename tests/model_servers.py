"""A model on loopback that speaks OpenAI's or Anthropic's real format, and breaks in all the ways that real ones do."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from tests.hosts_live.dialects import Event, Step, anthropic, chat

DIALECTS = {"openai": chat, "anthropic": anthropic}
PATIENCE_SECONDS = 120.0
PATHS = {"openai": "/v1/chat/completions", "anthropic": "/v1/messages"}


class Act(NamedTuple):
    """What the server does next."""

    text: str = "Fine."
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    tool: str = ""
    arguments: tuple[tuple[str, Any], ...] = ()
    cut: bool = False  # the connection ends in the middle of the stream
    drip_seconds: float = 0.0  # before every letter
    raw: bytes = b""  # this instead of a stream
    refusal: bool = False
    length: bool = False  # it stopped because it said too much
    compacted: bool = False  # it compacted the conversation on its side
    edits: tuple[dict[str, Any], ...] = ()  # what it says that it took out of the conversation


class Server:
    """What it was asked, and what it does."""

    def __init__(self, vendor: str) -> None:
        self.vendor = vendor
        self.asked: list[dict[str, Any]] = []
        self.sent: list[bytes] = []  # every request as it came, headers included
        self.acts: list[Act] = []
        self.connections = 0
        self.address = ""

    def will(self, *acts: Act) -> None:
        """Do these next, the last one for ever."""
        self.acts = list(acts)

    @property
    def spec(self) -> str:
        """The model as the settings name it."""
        return f"{self.vendor}:m@{self.address}"

    def until_asked(self, times: int) -> None:
        """Wait until it was asked so many times."""
        end = time.monotonic() + PATIENCE_SECONDS
        while len(self.asked) < times:
            assert time.monotonic() < end, f"asked {len(self.asked)} times"
            time.sleep(0.01)

    def next(self) -> Act:
        return self.acts.pop(0) if len(self.acts) > 1 else (self.acts or [Act()])[0]


@contextmanager
def serving(vendor: str, *acts: Act) -> Iterator[Server]:
    """A server that does this."""
    model = Server(vendor)
    model.will(*acts)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"model": model}))
    server.daemon_threads = True
    model.address = f"http://127.0.0.1:{server.server_port}" + ("/v1" if vendor == "openai" else "")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield model
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    model: Server
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        """Nobody reads it."""

    def setup(self) -> None:
        self.model.connections += 1
        super().setup()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.model.sent.append(f"{self.path}\n{self.headers}\n".encode() + body)
        self.model.asked.append(json.loads(body))
        assert self.path.partition("?")[0] == PATHS[self.model.vendor], self.path
        act = self.model.next()
        if act.status != 200:
            self._whole(act.status, json.dumps(_error(self.model.vendor, act.status)).encode(), act.headers)
        elif act.raw:
            self._whole(200, act.raw, (("content-type", "text/event-stream"),))
        else:
            self._stream(act)

    def _whole(self, status: int, data: bytes, headers: Sequence[tuple[str, str]]) -> None:
        self.send_response(status)
        kinds = {name for name, _ in headers}
        for name, value in headers:
            self.send_header(name, value)
        if "content-type" not in kinds:
            self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, act: Act) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        try:
            for name, data in _events(self.model.vendor, act):
                time.sleep(act.drip_seconds)
                text = data if isinstance(data, str) else json.dumps(data)
                self._chunk(f"event: {name}\n" * bool(name) + f"data: {text}\n\n")
            self.close_connection = act.cut
            if not act.cut:
                self._chunk("")
        except OSError:
            return  # whoever asked has gone

    def _chunk(self, text: str) -> None:
        data = text.encode()
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()


def _events(vendor: str, act: Act) -> Iterator[Event]:
    events = list(DIALECTS[vendor](Step(act.text, act.tool, dict(act.arguments))))
    if act.refusal or act.length:
        events = [_ended(event, vendor, act) for event in events]
    if act.edits:
        managed = {"context_management": {"applied_edits": list(act.edits)}}
        events = [(name, {**data, **managed} if name == "message_delta" and isinstance(data, dict) else data) for name, data in events]  # fmt: skip
    if act.compacted:
        events = _with_compaction(events)
    if act.drip_seconds:
        events = _dripping(events, act.text)
    if act.cut:
        events = events[:2] if vendor == "anthropic" else events[:1]
    yield from events


def _ended(event: Event, vendor: str, act: Act) -> Event:
    """How a vendor says that it refuses, or that it stopped in the middle."""
    name, data = event
    if not isinstance(data, dict):
        return event
    if vendor == "anthropic" and name == "message_delta":
        return name, {**data, "delta": {**data["delta"], "stop_reason": "refusal" if act.refusal else "max_tokens"}}
    choices = data.get("choices")
    if vendor == "openai" and choices and choices[0]["finish_reason"]:
        return name, {
            **data,
            "choices": [{**choices[0], "finish_reason": "content_filter" if act.refusal else "length"}],
        }
    return event


def _with_compaction(events: list[Event]) -> list[Event]:
    """Anthropic's own compaction, as the first block of its answer."""
    start = ("content_block_start", {"type": "content_block_start", "index": 0, "content_block": {"type": "compaction", "content": ""}})  # fmt: skip
    delta = ("content_block_delta", {"type": "content_block_delta", "index": 0, "delta": {"type": "compaction_delta", "content": "So far: nothing."}})  # fmt: skip
    stop = ("content_block_stop", {"type": "content_block_stop", "index": 0})
    later = [(name, {**data, "index": 1} if isinstance(data, dict) and "index" in data else data) for name, data in events[1:]]  # fmt: skip
    return [events[0], start, delta, stop, *later]


def _dripping(events: list[Event], text: str) -> list[Event]:
    """The text letter by letter."""
    whole = next(at for at, (_, data) in enumerate(events) if json.dumps(text)[1:-1] in json.dumps(data))
    name, data = events[whole]
    letters: list[Event] = [
        (name, json.loads(json.dumps(data).replace(json.dumps(text)[1:-1], json.dumps(letter)[1:-1])))
        for letter in text
    ]
    return [*events[:whole], *letters, *events[whole + 1 :]]


def _error(vendor: str, status: int) -> dict[str, Any]:
    if vendor == "anthropic":
        return {"type": "error", "error": {"type": "some_error", "message": f"status {status}"}}
    return {"error": {"message": f"status {status}", "type": "some_error", "code": None}}
