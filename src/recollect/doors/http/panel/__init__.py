"""The Memory panel: pages for a person in a browser. They work without JavaScript; htmx makes them smooth."""

from __future__ import annotations

from fastapi import APIRouter

from recollect.doors.http.panel.pages import (
    autonomous,
    board,
    conflicts,
    health,
    home,
    insights,
    memories,
    memory,
    permissions,
    preview,
    review,
    sessions,
    settings,
    suggestions,
    transfer,
    why,
)

router = APIRouter(include_in_schema=False)
for _page in (
    home, memories, memory, review, suggestions, why, preview, sessions, board, autonomous, conflicts, insights,
    permissions, settings, health, transfer,
):  # fmt: skip
    router.include_router(_page.router)
