"""The Memory panel: pages for a person in a browser."""

from __future__ import annotations

from html import escape

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from recollect.doors.http.visitors import Memory, PanelPerson

router = APIRouter(include_in_schema=False)


@router.get("/")
def home(visitor: PanelPerson, memory: Memory) -> HTMLResponse:
    """What it knows."""
    counts = ", ".join(f"{number} {layer}" for layer, number in memory.entries.counts().items())
    return HTMLResponse(
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Recollect</title>'
        f"<h1>Recollect</h1><p>{escape(counts)}</p></html>"
    )
