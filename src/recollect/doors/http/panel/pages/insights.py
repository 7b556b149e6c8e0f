"""Insights: what is remembered and recalled over time, what is used most, and what never."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from fastapi import Request
from fastapi.responses import HTMLResponse

from recollect.doors.http.panel.forms import Query
from recollect.doors.http.panel.rendering import page
from recollect.doors.http.panel.routing import pages
from recollect.doors.http.visitors import Memory, PanelPerson
from recollect.flows.views.browsing import STALE
from recollect.model.browsing import EntryFilter, HostUse
from recollect.model.hosts import TITLES

if TYPE_CHECKING:
    from collections.abc import Sequence

router = pages()

SPANS = (7, 30, 90, 365)


@router.get("/insights")
def insights(request: Request, visitor: PanelPerson, memory: Memory, query: Query) -> HTMLResponse:
    """The last days in figures."""
    wanted = query["days"]
    days = int(wanted) if wanted in map(str, SPANS) else 90
    found = memory.browsing.insights(days=days)
    moments = [time.mktime(time.strptime(one.day, "%Y-%m-%d")) for one in found.days]
    return page(
        request,
        visitor,
        memory,
        "insights.html",
        found=found,
        days=days,
        spans=SPANS,
        host_rows=_hosts(found.hosts, memory.browsing.session_hosts(days=days)),
        stale=memory.browsing.page(EntryFilter(status="active", check=STALE)).total,
        stored_rows=[(one.day, one.stored) for one in found.days],
        recalled_rows=[(one.day, one.recalls) for one in found.days],
        is_busy=any(one.stored or one.recalls for one in found.days),
        remembered=_chart(moments, [("Remembered", "accent", [one.stored for one in found.days])]),
        recalled=_chart(moments, [("Turns that were given memory", "accent", [one.recalls for one in found.days])]),
    )


def _hosts(asked: Sequence[HostUse], sessions: dict[str, int]) -> list[dict[str, object]]:
    by_host = {one.host: one for one in asked}
    names = sorted({*by_host, *sessions}, key=lambda name: -sessions.get(name, 0))
    rows: list[dict[str, object]] = []
    for name in names:
        used = by_host.get(name, HostUse(name, 0, 0, 0))
        title = TITLES.get(name, name) or "programs and the terminal"
        rows.append({"title": title, "sessions": sessions.get(name, 0), **used._asdict()})
    return rows


def _chart(moments: list[float], lines: list[tuple[str, str, list[int]]]) -> dict[str, object]:
    return {
        "time": True,
        "x": "Day",
        "data": [moments, *(values for _, _, values in lines)],
        "series": [{"label": label, "colour": colour, "bars": True} for label, colour, _ in lines],
    }
