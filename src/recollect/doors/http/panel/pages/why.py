"""Why: what each turn was given, the parts of each score, and what was left out and why."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from fastapi import Request
from fastapi.responses import HTMLResponse

from recollect.doors.http.panel.forms import Query, page_number
from recollect.doors.http.panel.rendering import page
from recollect.doors.http.panel.routing import pages
from recollect.doors.http.visitors import Memory, PanelPerson
from recollect.doors.shapes import receipt_json

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from recollect.app import Recollect
    from recollect.model.receipts import Receipt

router = pages()

PARTS = {
    "text": "relevance",
    "trust": "trust",
    "recency": "recency",
    "votes": "votes",
    "check": "sources",
}


@router.get("/why")
def why(request: Request, visitor: PanelPerson, memory: Memory, query: Query) -> HTMLResponse:
    """Receipts, newest first, of a session or of all."""
    session, number = query["session"][:80], page_number(query)
    receipts, has_more = memory.browsing.receipts(session=session, number=number)
    return page(
        request,
        visitor,
        memory,
        "why.html",
        groups=_by_session(receipts, memory),
        session=session,
        told=memory.sessions.told_of(session) if session else "",
        number=number,
        has_more=has_more,
        address=f"/why?{urlencode({'session': session})}&" if session else "/why?",
    )


@router.get("/why/{receipt_id}")
def receipt(request: Request, visitor: PanelPerson, memory: Memory, receipt_id: str) -> HTMLResponse:
    """One turn."""
    found = memory.why(receipt_id=receipt_id)
    told = receipt_json(found, memory)
    largest = max([_number(one.get("parts", {}).get("text")) for one in told["entries"]] or [1.0]) or 1.0
    entries = [{**one, "bars": _bars(one.get("parts", {}), largest)} for one in told["entries"]]
    return page(
        request, visitor, memory, "receipt.html", receipt=found, entries=entries, left_out=_grouped(told["left_out"])
    )


def _by_session(receipts: Sequence[Receipt], memory: Recollect) -> list[tuple[str, str, list[Receipt]]]:
    """Receipts under their session, with what that was about; the session that asked last comes first."""
    groups: dict[str, list[Receipt]] = {}
    for one in receipts:
        groups.setdefault(one.session, []).append(one)
    return [(name, memory.sessions.told_of(name) if name else "", found) for name, found in groups.items()]


def _bars(parts: dict[str, Any], largest: float) -> list[tuple[str, float, float]]:
    """Each part of a score: its name, its value, and how long its bar is."""
    return [
        (label, value, value / largest if name == "text" else value / 1.5)
        for name, label in PARTS.items()
        if (value := _number(parts.get(name))) or name in parts
    ]


def _number(value: object) -> float:
    return float(value) if isinstance(value, (int, float)) else 0.0


def _grouped(left_out: Sequence[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    groups: dict[str, list[dict[str, Any]]] = {}
    for one in left_out:
        groups.setdefault(str(one.get("why", "")), []).append(one)
    return groups
