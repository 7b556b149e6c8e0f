"""Who makes a request: the person in the panel by their cookie, or a program by its token. A token is an agent.

Handlers take what they need as parameters: `visitor: Reader`, `visitor: Writer`, `visitor: PanelPerson`,
`memory: Memory`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

from fastapi import Depends, Request

from recollect.app import Recollect
from recollect.doors.http.panel_sessions import PanelSessions
from recollect.flows.writes.actors import Agent, Person
from recollect.model.record import Record

if TYPE_CHECKING:
    from recollect.doors.http.memories import Memories
    from recollect.flows.writes.actors import Actor

SAFE = ("GET", "HEAD", "OPTIONS")
FORM_FIELD = "csrf"
FORM_HEADER = "x-csrf-token"
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


class NeedsLink(Exception):
    """Somebody without a session asked for a page of the panel."""


class OtherForm(Exception):
    """A change came from something else than a page of the panel."""


class Visitor(Record):
    """Whoever makes a request."""

    name: str  # of the token; the panel's person is the user
    scopes: tuple[str, ...] = ()
    is_person: bool = False
    form_token: str = ""  # of the panel's person: what every form carries, as the field `csrf`

    @property
    def actor(self) -> Actor:
        """In whose name it is written: pass it to `memory.writes(...)` and `memory.for_person(...)`."""
        return Person() if self.is_person else Agent(self.name, stays_here=True)


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
    if not form_token:
        raise NeedsLink
    if request.method not in SAFE and not sessions.is_own_form(cookie, await _given_token(request)):
        raise OtherForm
    return Visitor("user", ("read", "write", "admin"), is_person=True, form_token=form_token)


async def _given_token(request: Request) -> str:
    given = request.headers.get(FORM_HEADER, "")
    if not given and request.headers.get("content-type", "").startswith(FORMS):
        field = (await request.form()).get(FORM_FIELD, "")
        given = field if isinstance(field, str) else ""
    return given


def memories_of(request: Request) -> Memories:
    """The memories of this server: `.at()` is the one of its folder, `.at(repository)` that of a repository by name."""
    return cast("Memories", request.app.state.memories)


def memory_here(request: Request) -> Recollect:
    """The memory of the folder that the server was started in."""
    return memories_of(request).at()


PanelPerson = Annotated[Visitor, Depends(panel_person)]
Memory = Annotated[Recollect, Depends(memory_here)]
