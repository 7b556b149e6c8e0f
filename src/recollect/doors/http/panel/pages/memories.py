"""Memories: everything that is stored, by layer, searched and filtered; the profile with its bar."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from fastapi import Request
from fastapi.responses import HTMLResponse
from starlette.responses import Response

from recollect.doors.http.panel.forms import Fields, Form, Query, page_number
from recollect.doors.http.panel.rendering import back, namer, page
from recollect.doors.http.panel.routing import pages
from recollect.doors.http.visitors import Memory, PanelPerson
from recollect.flows.views.browsing import MOST_COUNTED
from recollect.model.browsing import EntryFilter

if TYPE_CHECKING:
    from recollect.app import Recollect
    from recollect.doors.http.visitors import Visitor

router = pages()

CONFLICT = 409
MOST_PAIRS = 50
DAY_SECONDS = 86_400.0
EVERYWHERE = "-"  # in an address: what holds everywhere
KEPT = ("q", "layer", "status", "scope", "repository", "source", "origin", "check", "since", "tag", "unused", "view")
MORE = ("scope", "source", "origin", "check", "since", "tag", "unused")


@router.get("/memories")
def memories(request: Request, visitor: PanelPerson, memory: Memory, query: Query) -> HTMLResponse:
    """A page of entries."""
    return _listed(request, visitor, memory, query)


def _listed(
    request: Request, visitor: Visitor, memory: Recollect, query: Fields, *, mine: str = "", code: int = 200
) -> HTMLResponse:
    chosen = chosen_by(query)
    view = query["view"]
    kept = {name: query[name] for name in KEPT if query[name]}
    return page(
        request,
        visitor,
        memory,
        "memories.html",
        code=code,
        mine=mine,
        chosen=chosen,
        view=view,
        status=query["status"] or "active",
        since=query["since"],
        repository=query["repository"],
        places=_places(memory),
        is_filtered=any(query[name] for name in MORE),
        counts=memory.browsing.counts(),
        pairs=memory.browsing.duplicates()[:MOST_PAIRS] if view == "duplicates" else [],
        most_counted=MOST_COUNTED,
        page=memory.browsing.page(chosen, page_number(query)),
        profile=memory.profile.show(),
        address=f"/memories?{urlencode(kept)}&" if kept else "/memories?",
    )


@router.post("/profile")
def save_profile(request: Request, visitor: PanelPerson, memory: Memory, form: Form) -> Response:
    """The whole profile as it should be, unless it changed meanwhile: then both texts are shown."""
    profile = memory.for_person("Your profile", actor=visitor.actor).profile
    if profile.show().text.strip() != form.text("was"):
        return _listed(request, visitor, memory, Fields(layer="L0"), mine=form.text("text"), code=CONFLICT)
    profile.rewrite(form.text("text"))
    return back("/memories?layer=L0", "profile")


def chosen_by(query: Fields) -> EntryFilter:
    """The filter that an address asks for."""
    status = query["status"] or "active"
    days = query["since"]
    repository = query["repository"]
    view = query["view"]
    return EntryFilter(
        text=query.text("q")[:400],
        layer="L1" if view == "unused" else query["layer"],
        status="" if status == "any" else status,
        scope=query["scope"],
        repository=None if not repository else "" if repository == EVERYWHERE else repository,
        source=query["source"],
        origin=query["origin"],
        tag=query.text("tag"),
        since=time.time() - int(days) * DAY_SECONDS if days.isdecimal() and len(days) < 6 else 0.0,
        never_used=bool(query["unused"]) or view == "unused",
        check="stale" if view == "stale" else query["check"],
    )


def _places(memory: Recollect) -> list[tuple[str, str]]:
    name_of = namer(memory)
    known = [(name or EVERYWHERE, name_of(name)) for name, _ in memory.browsing.repositories()]
    return [("", "Anywhere"), *sorted(known, key=lambda one: one[1])]
