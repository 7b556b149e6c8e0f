"""What waits for a person, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.doors.cli.printing.output import on_terminal, put_json, put_row, say
from recollect.doors.session_shapes import candidate_json
from recollect.memory.rendering import short_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.model.candidates import Candidate


def print_pending(waiting: Sequence[Candidate], *, as_json: bool) -> None:
    """The waiting ones, surest first."""
    if as_json:
        put_json([candidate_json(candidate) for candidate in waiting])
    elif not waiting:
        say("Nothing waits for you.")
    elif on_terminal():
        _page(waiting)
    else:
        for one in waiting:
            put_row((one.candidate_id, one.kind, f"{one.confidence:.2f}", one.what, one.why))


def _page(waiting: Sequence[Candidate]) -> None:
    from recollect.doors.cli.printing.terminal import Page

    page = Page()
    page.items([(short_id(one.candidate_id), one.what, f"{one.kind}: {one.why}", "") for one in waiting])
    page.line(
        f"\nAccept with `recollect approve {short_id(waiting[0].candidate_id)}`, drop with `recollect reject`.", "dim"
    )
