"""What export and load say when they are done."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from recollect.doors.cli.printing.output import counted, on_terminal, one_line, put, put_done, put_json, say
from recollect.doors.cli.printing.program import command
from recollect.doors.cli.printing.settings import literal

if TYPE_CHECKING:
    from typing import Any

    from recollect.flows.views.exporting import Loaded
    from recollect.settings_rows import Value


def print_exported(document: dict[str, Any], path: str, *, kind: str, as_json: bool) -> None:
    """Where everything was written."""
    entries = len(document["entries"])
    if as_json:
        put_json({"path": path, "format": kind, "entries": entries, "tasks": len(document["tasks"])})
    elif on_terminal():
        active = sum(one["status"] == "active" for one in document["entries"])
        put_done(f"Wrote {_entries(entries, active)} to {path}.")
    else:
        put(f"exported {entries} {path}")


def _entries(number: int, active: int) -> str:
    return counted(number, "entry", "entries") + ("" if active == number else f" ({active:,} active)")


def print_loaded(loaded: Loaded, *, as_json: bool) -> None:
    """What came, what was here already, and what was left out."""
    left_out = [(name, value, set_with(name, value)) for name, value in loaded.left_out.items()]
    if as_json:
        listed = [{"name": name, "value": value, "set_with": line} for name, value, line in left_out]
        put_json({**loaded._asdict(), "settings": sorted(loaded.settings), "left_out": listed})
        return
    notes = [*_notes(loaded), *(_left_out(name, value, line) for name, value, line in left_out)]
    if on_terminal():
        more = [
            counted(number, noun)
            for number, noun in ((loaded.tasks, "task"), (loaded.projects, "project"), (loaded.sessions, "session"))
            if number
        ]
        came = ", ".join([_entries(loaded.entries, loaded.active), *more])
        if loaded.skipped and not (loaded.entries or more):
            put_done("No new entries: all of them are already here.", "\n".join(notes))
            return
        known = [f"{loaded.skipped:,} were already here."] if loaded.skipped else []
        put_done(f"Loaded {came}.", "\n".join([*known, *notes]))
    else:
        put(f"loaded {loaded.entries} skipped {loaded.skipped}")
        for note in notes:
            say(note)


def _notes(loaded: Loaded) -> list[str]:
    notes = []
    if loaded.entries:
        notes.append("Undo the entries with `recollect undo`.")
    if loaded.entries and not loaded.mine:
        notes.append("They count as statements from a document.")
    if loaded.moved:
        that = "entry that comes" if loaded.moved == 1 else "entries that come"
        is_ = "is" if loaded.moved == 1 else "are"
        notes.append(f"{loaded.moved:,} {that} from a tool or a document {is_} in L1, not in the profile.")
    if loaded.settings:
        notes.append(f"Settings taken from the export: {', '.join(sorted(loaded.settings))}.")
    return notes


def _left_out(name: str, value: Value, line: str) -> str:
    how = f"To set it: {line}" if line else "Its value has characters that cannot be typed."
    return f"Left out: {name} = {one_line(literal(value))}. {how}"


def set_with(name: str, value: Value) -> str:
    """The command that sets this by hand; empty where the value cannot be typed."""
    text = literal(value)
    return command(f"settings set {name} {shlex.quote(text)}") if text.isprintable() else ""
