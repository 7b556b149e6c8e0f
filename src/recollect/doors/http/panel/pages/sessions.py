"""Sessions: all of them on one time line, and one of them turn by turn."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from fastapi import Request
from fastapi.responses import HTMLResponse
from starlette.responses import Response

from recollect.doors.cli.own_sessions import is_own
from recollect.doors.http.panel.forms import Form, Query, page_number
from recollect.doors.http.panel.pages.listed_sessions import listed_sessions
from recollect.doors.http.panel.rendering import back, page
from recollect.doors.http.panel.routing import pages
from recollect.doors.http.visitors import Memory, PanelPerson
from recollect.model.hosts import TITLES

if TYPE_CHECKING:
    from typing import Any

    from recollect.app import Recollect
    from recollect.flows.sessions.past_sessions import SessionShown
    from recollect.model.sessions import Session

router = pages()

PAGE = 50
DAY_SECONDS = 86_400.0
SHORTEST = 0.4  # of a hundred: a session of a minute is still seen


@router.get("/sessions")
def sessions(request: Request, visitor: PanelPerson, memory: Memory, query: Query) -> HTMLResponse:
    """By day, newest first; or those about something, the best first."""
    host, about, number = query["host"] if query["host"] in TITLES else "", query.text("q"), page_number(query)
    if about:
        found = memory.sessions.about(about, host=host, limit=PAGE)
    else:
        found = listed_sessions(memory, host=host, limit=number * PAGE + 1)[(number - 1) * PAGE :]
    kept = {name: value for name, value in (("host", host), ("q", about)) if value}
    return page(
        request,
        visitor,
        memory,
        "sessions.html",
        days=_by_day(found[:PAGE]) if not about else [],
        found=found[:PAGE],
        hosts=[("", "Every agent"), *((name, TITLES.get(name, name)) for name in memory.browsing.session_hosts())],
        host=host,
        about=about,
        number=number,
        has_more=len(found) > PAGE,
        address=f"/sessions?{urlencode(kept)}&" if kept else "/sessions?",
    )


def _by_day(found: list[tuple[Session, int]]) -> list[dict[str, Any]]:
    days: dict[str, dict[str, Any]] = {}
    for session, turns in found:
        moment = time.localtime(session.started)
        this_year = moment.tm_year == time.localtime().tm_year
        title = "Unknown day"
        if session.started:
            title = time.strftime(f"%a {moment.tm_mday} %b" if this_year else f"{moment.tm_mday} %b %Y", moment)
        day = days.setdefault(title, {"title": title, "sessions": [], "spans": []})
        day["sessions"].append((session, turns))
        midnight = time.mktime((*moment[:3], 0, 0, 0, 0, 0, -1))
        start = (session.started - midnight) / DAY_SECONDS * 100
        end = min((max(session.ended, session.started) - midnight) / DAY_SECONDS * 100, 100.0)
        day["spans"].append((round(start, 2), round(max(end - start, SHORTEST), 2)))
    return list(days.values())


@router.get("/sessions/{name}")
def session(request: Request, visitor: PanelPerson, memory: Memory, name: str) -> HTMLResponse:
    """One of them: turns, tools, compactions, tokens, checkpoints, commits."""
    shown = _shown(name, memory)
    filled = memory.browsing.window(shown)
    return page(
        request,
        visitor,
        memory,
        "session.html",
        session=shown.session,
        turns=shown.turns,
        subagents=shown.subagents,
        kept_out=shown.kept_out,
        is_private=memory.sessions.is_private(shown.session.session_id),
        filled=filled,
        chart=_chart(filled),
        commits=filled.commits,
        commits_at=_commits_at(shown.session.repository),
        receipts=memory.browsing.receipts(session=shown.session.native_id)[0]
        or memory.browsing.receipts(session=shown.session.session_id)[0],
        learned=memory.browsing.learned_from(shown.session.session_id),
    )


@router.post("/sessions/{name}/private")
def set_private(visitor: PanelPerson, memory: Memory, name: str, form: Form) -> Response:
    """Let nothing be learned from it, or let it again."""
    private = form["private"] == "yes"
    memory.for_person("A private session", actor=visitor.actor).sessions.set_private(name, private=private)
    return back(f"/sessions/{name}", "private" if private else "public")


def _commits_at(repository: str) -> str:
    """Where commits of a repository can be looked at; empty where nobody knows."""
    is_known = repository.partition("/")[0] in ("github.com", "gitlab.com", "codeberg.org")
    return f"https://{quote(repository)}/commit/" if is_known else ""


def _shown(name: str, memory: Recollect) -> SessionShown:
    return memory.own_sessions.show(name) if is_own(memory, name) else memory.sessions.show(name)


def _chart(filled: Any) -> dict[str, object]:
    numbers = [one.turn for one in filled.turns]
    lines: list[tuple[dict[str, object], list[float]]] = [
        ({"label": "Tokens in the window", "colour": "accent", "dots": True}, [one.tokens for one in filled.turns])
    ]
    if filled.limit_tokens:
        for share, colour in ((0.8, "warn"), (0.95, "bad")):
            line: dict[str, object] = {"label": f"{share:.0%} of the window", "colour": colour, "dashed": True}
            lines.append((line, [share * filled.limit_tokens] * len(numbers)))
    return {"time": False, "x": "Turn", "data": [numbers, *(v for _, v in lines)], "series": [one for one, _ in lines]}
