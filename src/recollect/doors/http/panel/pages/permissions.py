"""Permissions: what agents may change without asking, and which programs may use the service."""

from __future__ import annotations

from fastapi import Request
from fastapi.responses import HTMLResponse
from starlette.responses import Response

from recollect.doors.http.panel.forms import Form
from recollect.doors.http.panel.rendering import back, page
from recollect.doors.http.panel.routing import pages
from recollect.doors.http.visitors import Memory, PanelPerson, Visitor
from recollect.model.access import ACCESS_SCOPES

router = pages()

WHAT = "Changing what agents may do"


@router.get("/permissions")
def permissions(request: Request, visitor: PanelPerson, memory: Memory) -> HTMLResponse:
    """Rules, approvals, tokens."""
    return _shown(request, visitor, memory)


def _shown(
    request: Request, visitor: Visitor, memory: Memory, *, secret: str = "", token_name: str = ""
) -> HTMLResponse:
    rules = {name: memory.settings.get(f"permissions.{name}") for name in ("deny", "allow", "allow_all")}
    return page(
        request,
        visitor,
        memory,
        "permissions.html",
        rules={
            name: ", ".join(value) if isinstance(value, tuple) else str(value).lower() for name, value in rules.items()
        },
        approvals=memory.permissions.listed(),
        tokens=memory.tokens.listed(),
        scopes=ACCESS_SCOPES,
        secret=secret,
        token_name=token_name,
    )


@router.post("/permissions/allow")
def allow(visitor: PanelPerson, memory: Memory) -> Response:
    """Let agents change the memory of this repository."""
    memory.for_person(WHAT, actor=visitor.actor).permissions.allow_here()
    return back("/permissions", "allowed")


@router.post("/permissions/{name}/revoke")
def revoke(visitor: PanelPerson, memory: Memory, name: str) -> Response:
    """Take an approval back."""
    memory.for_person(WHAT, actor=visitor.actor).permissions.revoke(name)
    return back("/permissions", "revoked")


@router.post("/tokens")
def add_token(request: Request, visitor: PanelPerson, memory: Memory, form: Form) -> Response:
    """A new token, which is shown this once."""
    token, secret = memory.for_person("A token", actor=visitor.actor).tokens.add(form.text("name"), form["scope"])
    return _shown(request, visitor, memory, secret=secret, token_name=token.name)


@router.post("/tokens/{name}/revoke")
def revoke_token(visitor: PanelPerson, memory: Memory, name: str) -> Response:
    """Take a token back."""
    memory.for_person("A token", actor=visitor.actor).tokens.revoke(name)
    return back("/permissions", "revoked")
