"""Who makes a request: the person in the panel by their cookie, or a program by its token. A token is an agent.

Handlers take what they need as parameters: `visitor: Reader`, `visitor: Writer`, `visitor: PanelPerson`,
`memory: Memory`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

from fastapi import Depends, Request, Security
from fastapi.concurrency import run_in_threadpool
from fastapi.security import HTTPBearer

from recollect.app import Recollect
from recollect.doors.http.failures import Problem
from recollect.doors.http.panel_sessions import PanelSessions
from recollect.flows.writes.actors import Agent, Person
from recollect.model.access import ACCESS_SCOPES
from recollect.model.record import Record
from recollect.text.addresses import is_loopback

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from recollect.doors.http.limiting import Limits
    from recollect.doors.http.memories import Memories
    from recollect.flows.writes.actors import Actor
    from recollect.model.access import Token

SAFE = ("GET", "HEAD", "OPTIONS")
FORM_FIELD = "csrf"
FORM_HEADER = "x-csrf-token"
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
BEARER = "bearer "
PERSON = "user"
FORWARDED = ("x-forwarded-for", "forwarded")  # what a proxy adds
NEEDS_TOKEN = "A token is needed: Authorization: Bearer ...; create one with `recollect token add NAME`."  # noqa: S105
NO_SUCH_TOKEN = "That token is unknown or was revoked; create one with `recollect token add NAME`."  # noqa: S105
OTHER_FORM = "This form is not from a page of your session; load the page again."

bearer = HTTPBearer(auto_error=False, description="A token of `recollect token add NAME`.")


class NeedsLink(Exception):
    """Somebody without a session asked for a page of the panel."""


class Visitor(Record):
    """Whoever makes a request."""

    name: str  # of the token; the panel's person is the user
    scope: str = "read"
    is_person: bool = False
    token_id: str = ""
    form_token: str = ""  # of the panel's person: what every form carries, as the field `csrf`

    @property
    def actor(self) -> Actor:
        """In whose name it is written: pass it to `memory.writes(...)` and `memory.for_person(...)`."""
        return Person() if self.is_person else Agent(self.name, stays_here=True)

    @property
    def key(self) -> str:
        """What tells this visitor from others."""
        return PERSON if self.is_person else f"token {self.name}"


def cookie_name(request: Request) -> str:
    """Of the panel's cookie: browsers share cookies between ports, so the port is part of it."""
    return f"recollect_{request.url.port or 80}"


def panel_sessions(request: Request) -> PanelSessions:
    """The sessions of the panel."""
    return cast("PanelSessions", request.app.state.panel_sessions)


async def panel_person(request: Request) -> Visitor:
    """The person in the panel. What changes something has to come from a page of theirs: it carries the token of their
    session, in the field `csrf` or the header X-CSRF-Token."""
    sessions, cookie = panel_sessions(request), request.cookies.get(cookie_name(request), "")
    form_token = sessions.form_token(cookie)
    if not form_token or not _is_near(request):
        raise NeedsLink
    if request.method not in SAFE and not sessions.is_own_form(cookie, await _given_token(request)):
        raise Problem(403, OTHER_FORM)
    return _counted(request, Visitor(PERSON, ACCESS_SCOPES[-1], is_person=True, form_token=form_token))


async def visitor(request: Request, _: Annotated[object, Security(bearer)] = None) -> Visitor:
    """A program by its token, or the person in the panel. The parameter is for the document."""
    header = request.headers.get("authorization", "")
    if not header and cookie_name(request) in request.cookies:
        try:
            return await panel_person(request)
        except NeedsLink:
            raise unknown(request) from None
    return await bearer_visitor(request, header)


async def bearer_visitor(request: Request, header: str) -> Visitor:
    """The program that has this token."""
    secret = header[len(BEARER) :].strip() if header.lower().startswith(BEARER) else ""
    token = await run_in_threadpool(_holder, memories_of(request), secret) if secret else None
    if token is None:
        raise unknown(request, NO_SUCH_TOKEN if secret else NEEDS_TOKEN)
    return _counted(request, Visitor(token.name, token.scope, token_id=token.token_id))


def _holder(memories: Memories, secret: str) -> Token | None:
    return memories.at().tokens.holder(secret)


def unknown(request: Request, why: str = NEEDS_TOKEN) -> Problem:
    """The answer to somebody without a valid token, who may not ask for ever either."""
    _limit(request, f"unknown {request.client.host if request.client else ''}")
    return Problem(401, why, {"WWW-Authenticate": "Bearer"})


def needs(scope: str) -> Callable[[Visitor], Awaitable[Visitor]]:
    """A dependency that lets through whoever has this scope, or one that includes it."""
    enough = ACCESS_SCOPES[ACCESS_SCOPES.index(scope) :]

    async def checked(found: Annotated[Visitor, Depends(visitor)]) -> Visitor:
        if found.scope not in enough:
            raise Problem(403, f"This needs a token with the scope {scope}; {found.name} has {found.scope}.")
        return found

    return checked


def memories_of(request: Request) -> Memories:
    """The memories of this server: `.at()` is the one of its folder, `.at(repository)` that of a repository by name."""
    return cast("Memories", request.app.state.memories)


def memory_here(request: Request) -> Recollect:
    """The memory of the folder that the server was started in."""
    return memories_of(request).at()


def memory_of_user(request: Request) -> Recollect:
    """The memory of the user, in no repository."""
    return memories_of(request).at("")


def memory_of_repository(request: Request, repository: str) -> Recollect:
    """The memory of a repository by its identity, such as github.com/owner/name."""
    return memories_of(request).at(repository)


async def _given_token(request: Request) -> str:
    given = request.headers.get(FORM_HEADER, "")
    if not given and request.headers.get("content-type", "").startswith(FORMS):
        field = (await request.form()).get(FORM_FIELD, "")
        given = field if isinstance(field, str) else ""
    return given


def _is_near(request: Request) -> bool:
    """May this be a browser of this machine? Where the server listens on loopback alone, it is one, unless a proxy
    stands in between."""
    if any(name in request.headers for name in FORWARDED):
        return False
    return request.app.state.is_local or bool(request.client and is_loopback(request.client.host))


def _counted(request: Request, found: Visitor) -> Visitor:
    request.state.visitor = found.name
    _limit(request, found.key)
    return found


def _limit(request: Request, who: str) -> None:
    wait = cast("Limits", request.app.state.limits).wait_seconds(who)
    if wait:
        raise Problem(429, "Too many requests; try again in a moment.", {"Retry-After": str(int(wait) + 1)})


PanelPerson = Annotated[Visitor, Depends(panel_person)]
Reader = Annotated[Visitor, Depends(needs("read"))]
Writer = Annotated[Visitor, Depends(needs("write"))]
Admin = Annotated[Visitor, Depends(needs("admin"))]
Memory = Annotated[Recollect, Depends(memory_here)]
UserMemory = Annotated[Recollect, Depends(memory_of_user)]
RepositoryMemory = Annotated[Recollect, Depends(memory_of_repository)]
