"""The same server over streamable HTTP: on loopback for this machine alone, elsewhere for those with a token."""

from __future__ import annotations

import hmac
import secrets
import sys
from typing import TYPE_CHECKING

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import PlainTextResponse

from recollect.doors.http.guarding import host_in
from recollect.doors.http.listening import listen
from recollect.doors.mcp.server import make_server
from recollect.files.private_tokens import kept_token
from recollect.text.addresses import is_loopback

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.types import ASGIApp, Receive, Scope, Send

    from recollect.doors.mcp.server import Door
    from recollect.files.home import Home

PATH = "/mcp"
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
TOKEN_NAME = "http-token"  # noqa: S105 the name of a file
TOKEN_BYTES = 32
GRACE_SECONDS = 3


NEEDS_TOKEN = "A token is needed: Authorization: Bearer ..."  # noqa: S105


class RequireToken:
    """Lets through who knows the token, and no web page."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it before any of it is read."""
        refused = self._refused(dict(scope["headers"])) if scope["type"] == "http" else None
        await (refused or self._app)(scope, receive, send)

    def _refused(self, headers: dict[bytes, bytes]) -> PlainTextResponse | None:
        if not hmac.compare_digest(headers.get(b"authorization", b""), self._expected):
            is_there = b"authorization" in headers
            said = "That is not the token of this server.\n" if is_there else f"{NEEDS_TOKEN}\n"
            return PlainTextResponse(said, 401, {"WWW-Authenticate": "Bearer"})
        if b"origin" in headers:
            return PlainTextResponse("No web page may call this server.\n", 403)
        return None


class RequireOwnNames:
    """Lets through who calls this machine by its own name, and no web page but one of this machine."""

    def __init__(self, app: ASGIApp, names: Sequence[str]) -> None:
        self._app = app
        self._names = frozenset(name.strip("[]").lower() for name in names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it before any of it is read."""
        refused = self._refused(dict(scope["headers"])) if scope["type"] == "http" else None
        await (refused or self._app)(scope, receive, send)

    def _refused(self, headers: dict[bytes, bytes]) -> PlainTextResponse | None:
        if host_in(f"//{headers.get(b'host', b'').decode('latin-1')}") not in self._names:
            return PlainTextResponse("This server answers to its own names only.\n", 421)
        origin = headers.get(b"origin", b"").decode("latin-1")
        if b"origin" in headers and not (origin.startswith("http://") and host_in(origin) in self._names):
            return PlainTextResponse("No web page may call this server.\n", 403)
        return None


def make_app(door: Door, *, host: str, token: str = "") -> ASGIApp:
    """The application: with a token for any address but loopback, and Host and Origin checked."""
    server = make_server(door)
    # Host and Origin are parsed here: the library compares how they begin.
    unchecked = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    app: ASGIApp = server.streamable_http_app(streamable_http_path=PATH, host=host, transport_security=unchecked)
    # A token says more than a name.
    return RequireToken(app, token) if token else RequireOwnNames(app, (*LOOPBACK, host))


def run(door: Door, *, home: Home, host: str, port: int) -> None:
    """Listen until interrupted; says on stderr where."""
    token = ""
    if not is_loopback(host):
        token = kept_token(home.root, TOKEN_NAME, make=lambda: secrets.token_urlsafe(TOKEN_BYTES))
    listening = listen(host, port)
    told = listening.getsockname()[1]
    where = f"[{host}]" if ":" in host else host
    print(f"recollect: MCP on http://{where}:{told}{PATH}", file=sys.stderr, flush=True)  # noqa: T201
    if token:
        print(f"recollect: clients need the token in {home.root}/{TOKEN_NAME}", file=sys.stderr, flush=True)  # noqa: T201
    config = uvicorn.Config(
        make_app(door, host=host, token=token),
        log_config=None,
        access_log=False,
        lifespan="on",
        timeout_graceful_shutdown=GRACE_SECONDS,  # a client may keep its stream open for ever
    )
    uvicorn.Server(config).run(sockets=[listening])
