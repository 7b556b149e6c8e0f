"""What export and load say when they are done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.doors.cli.printing.output import counted, on_terminal, put, put_done, put_json, say

if TYPE_CHECKING:
    from typing import Any

    from recollect.flows.views.exporting import Loaded


def print_exported(document: dict[str, Any], path: str, *, kind: str, as_json: bool) -> None:
    """Where everything was written."""
    entries = len(document["entries"])
    if as_json:
        put_json({"path": path, "format": kind, "entries": entries, "tasks": len(document["tasks"])})
    elif on_terminal():
        put_done(f"Wrote {counted(entries, 'entry', 'entries')} to {path}.")
    else:
        put(f"exported {entries} {path}")


def print_loaded(loaded: Loaded, *, as_json: bool) -> None:
    """What came, and what was here already."""
    set_here = f"Set as in the export: {', '.join(sorted(loaded.settings))}." if loaded.settings else ""
    if as_json:
        put_json({**loaded._asdict(), "settings": sorted(loaded.settings)})
    elif on_terminal():
        more = [
            counted(number, noun) for number, noun in ((loaded.tasks, "task"), (loaded.projects, "project")) if number
        ]
        came = ", ".join([counted(loaded.entries, "entry", "entries"), *more])
        known = f"{loaded.skipped:,} were here already." if loaded.skipped else ""
        put_done(f"Loaded {came}.", "\n".join(part for part in (known, set_here) if part))
    else:
        put(f"loaded {loaded.entries} skipped {loaded.skipped}")
        if set_here:
            say(set_here)
