"""What every request passes before any of it is read, and what every answer carries.

Host and Origin are parsed, so that no page of another site reaches the server under a name of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse

from recollect.text.addresses import is_loopback

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "::1")
BODY_BYTES = 10_000_000
STATIC = "/static/"
# No script, style or picture from elsewhere, and none inside a page.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    # Not no-referrer: then a browser says of the panel's own forms that they come from nowhere.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Guard:
    """Refuses what comes under another name, from another site's page or is too long."""

    def __init__(self, app: ASGIApp, *, names: Sequence[str] | None, body_bytes: int = BODY_BYTES) -> None:
        self._app = app
        # None: the server listens elsewhere than on loopback, and a token says more than a name.
        self._names = None if names is None else frozenset(name.strip("[]").lower() for name in names)
        self._body_bytes = body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        send = _with_headers(send, is_static=scope["path"].startswith(STATIC))
        refused = self._refused(headers)
        if refused is None and (headers.get("content-length", "0") != "0" or "transfer-encoding" in headers):
            try:
                receive = _Again(await _read(receive, self._body_bytes), receive)
            except _TooLong:
                refused = _too_long(self._body_bytes)
            except _CutOff:
                return  # nobody waits for an answer, and half a request is not one
        await (refused or self._app)(scope, receive, send)

    def _refused(self, headers: Headers) -> JSONResponse | None:
        host = headers.get("host", "").lower()
        if self._names is not None and host_in(f"//{host}") not in self._names:
            return _problem(421, "This server answers to its own names only.")
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in (f"http://{host}", f"https://{host}"):
            return _problem(403, "No page of another site may call this server.")
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()) or int(length) > self._body_bytes:
            return _too_long(self._body_bytes)
        return None


class _TooLong(Exception):
    """A body has more bytes than a request may have."""


class _CutOff(Exception):
    """The client went away before its body was complete."""


class _Again:
    """The body that was read, given again; then whatever else the client says."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self._body: bytes | None = body
        self._receive = receive

    async def __call__(self) -> Message:
        if self._body is None:
            return await self._receive()
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}


def names_for(host: str) -> tuple[str, ...] | None:
    """The names that a server listening there answers to; None where any name will do."""
    return (*LOOPBACK_NAMES, host) if is_loopback(host) else None


def host_in(address: str) -> str:
    """The host that an address names; empty when anything but a port stands beside it."""
    try:
        parts = urlsplit(address)
        name, port = parts.hostname or "", parts.port
    except ValueError:  # a port that is not a number, a bracket too many
        return ""
    # The parser passes over what stands behind a bracket, so the parts have to make up the whole again.
    told = (f"[{name}]" if ":" in name else name) + ("" if port is None else f":{port}")
    return name if told == address.lower().partition("//")[2] else ""


async def _read(receive: Receive, limit_bytes: int) -> bytes:
    """The body. Raises _TooLong or _CutOff."""
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _CutOff
        part = message.get("body", b"")
        size += len(part)
        if size > limit_bytes:
            raise _TooLong
        parts.append(part)
        if not message.get("more_body"):
            return b"".join(parts)


def _with_headers(send: Send, *, is_static: bool) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "max-age=3600" if is_static else "no-store")
        await send(message)

    return sending


def _too_long(limit_bytes: int) -> JSONResponse:
    return _problem(413, f"A request may have {limit_bytes:,} bytes at most.")


def _problem(status: int, detail: str) -> JSONResponse:
    return JSONResponse({"detail": detail}, status)
