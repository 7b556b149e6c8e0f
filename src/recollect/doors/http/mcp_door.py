"""/mcp: the MCP server over streamable HTTP, for programs with a token that may write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import Request
from fastapi.responses import JSONResponse
from mcp.server.transport_security import TransportSecuritySettings

from recollect.doors.http.failures import Problem
from recollect.doors.http.visitors import bearer_visitor, needs
from recollect.doors.mcp.calling import TOKEN_NAME
from recollect.doors.mcp.server import make_server

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.types import Receive, Scope, Send

    from recollect.doors.mcp.server import Door

PATH = "/mcp"


class McpDoor:
    """Lets through whoever has a token that may write: tools do both."""

    def __init__(self, app: Starlette) -> None:
        self._app = app
        self._needs_write = needs("write")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on under the name of its token, or refuse it."""
        request = Request(scope, receive)
        try:
            found = await bearer_visitor(request, request.headers.get("authorization", ""))
            await self._needs_write(found)
        except Problem as problem:
            refused = JSONResponse({"detail": problem.detail}, problem.status_code, problem.headers)
            await refused(scope, receive, send)
            return
        scope[TOKEN_NAME] = found.name
        await self._app(scope, receive, send)


def mcp_application(door: Door) -> Starlette:
    """The SDK's application. Host and Origin are checked by the guard in front of it."""
    unchecked = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    return make_server(door).streamable_http_app(streamable_http_path=PATH, transport_security=unchecked)
