"""Settings: every one with its help, its value, where that comes from, and a field to change it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import Request
from fastapi.responses import HTMLResponse
from starlette.responses import Response

from recollect.doors.cli.printing.settings import literal
from recollect.doors.http.panel.forms import Form, Query
from recollect.doors.http.panel.rendering import back, page
from recollect.doors.http.panel.routing import pages
from recollect.doors.http.visitors import Memory, PanelPerson
from recollect.flows.writes.own_settings import set_own
from recollect.settings_table import ROWS

if TYPE_CHECKING:
    from typing import Any

    from recollect.app import Recollect

router = pages()

FIRST = ("enabled", "suggestions.mode", "models.default", "models.smol", "memories.enabled", "recall.max_entries")


@router.get("/settings")
def settings(request: Request, visitor: PanelPerson, memory: Memory, query: Query) -> HTMLResponse:
    """All of them by section; the ones that most people want first."""
    wanted = query.text("q").casefold()
    rows = [_row(name, memory) for name in ROWS]
    if wanted:
        rows = [row for row in rows if wanted in row["name"].casefold() or wanted in row["meaning"].casefold()]
    first = [row for name in FIRST for row in rows if row["name"] == name]
    sections: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        sections.setdefault(row["name"].rpartition(".")[0] or "general", []).append(row)
    return page(
        request, visitor, memory, "settings.html",
        first=[] if wanted else first, sections=sections, wanted=query["q"], config=memory.home.config,
    )  # fmt: skip


@router.post("/settings")
def change(visitor: PanelPerson, memory: Memory, form: Form) -> Response:
    """Set one of them in the user's own file."""
    name, value = form["name"], form.text("value")
    if form["reset"]:
        value = literal(ROWS[name].default) if name in ROWS else value
    set_own(name, value, memory.for_person("Changing a setting", actor=visitor.actor).opened)
    return back("/settings", "set")


def _row(name: str, memory: Recollect) -> dict[str, Any]:
    row, value = ROWS[name], memory.settings.get(name)
    origin = memory.settings.origin(name)
    own = origin == "default" or origin.startswith(memory.home.config)
    return {
        "name": name,
        "meaning": row.meaning,
        "allowed": row.allowed,
        "value": literal(value),
        "default": literal(row.default),
        "choices": ("true", "false") if isinstance(row.default, bool) else row.choices,
        "is_number": isinstance(row.default, (int, float)) and not isinstance(row.default, bool),
        "is_default": origin == "default",
        "origin": "" if origin == "default" else origin,
        "is_decided_elsewhere": not own,
    }
