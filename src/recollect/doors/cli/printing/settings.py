"""How settings look."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from recollect.doors.cli.printing.output import on_terminal, put, put_done, put_json, put_quiet, put_row
from recollect.settings import environment
from recollect.settings_table import ROWS

if TYPE_CHECKING:
    from typing import Any

    from recollect.files.home import Home
    from recollect.settings import Settings
    from recollect.settings_rows import Row, Value


VARIABLE = "environment variable "  # how an origin begins that is one


def print_settings(settings: Settings, home: Home, *, as_json: bool) -> None:
    """All of them; in a pipe one a line: name, value, default, origin."""
    if as_json:
        put_json([_setting_json(row, settings) for row in ROWS.values()])
    elif on_terminal():
        _settings_page(settings, home)
    else:
        for name, row in ROWS.items():
            put_row((name, literal(settings.get(name)), literal(row.default), settings.origin(name)))


def _settings_page(settings: Settings, home: Home) -> None:
    from rich.text import Text

    from recollect.doors.cli.printing.terminal import Page

    rows, stand_for, any_changed = [], {"config.toml": [home.config]}, False
    for name, row in ROWS.items():
        value = Text(literal(settings.get(name)))
        changed = settings.origin(name) != "default"
        if changed:
            any_changed = True
            value.stylize("cyan")
            place, line, whole = _origin(settings.origin(name))
            value.append(f"\nfrom {place}{line}", style="dim")
            stand_for.setdefault(place, []).append(whole)
        default = literal(row.default) if changed else ""  # else it is the value
        rows.append((Text(name, style="bold" if changed else ""), value, Text(default, style="dim")))
    page = Page()
    page.table(rows, wrap=1, header=("setting", "value", "default" if any_changed else ""))
    page.line()
    page.hint("See what a setting means with `recollect settings get NAME`.")
    for place, wholes in stand_for.items():
        page.line(f"{place}: {', '.join(_from_home(whole) for whole in dict.fromkeys(wholes))}", "dim")


def _origin(origin: str) -> tuple[str, str, str]:
    """Where a value comes from in a word or two, the line there, and what the word stands for."""
    if origin.startswith(VARIABLE):
        return "the environment", "", origin.removeprefix(VARIABLE)
    path, _, number = origin.rpartition(" line ")
    return os.path.basename(path), f" line {number}", path


def _from_home(path: str) -> str:
    """`~/...` for what is in the user's folder."""
    folder = environment().get("HOME", "").rstrip("/")
    return f"~{path[len(folder) :]}" if folder and path.startswith(folder + "/") else path


def print_setting(row: Row, settings: Settings, *, as_json: bool) -> None:
    """One value, as it would be written in config.toml, or with everything there is to know about it."""
    if as_json:
        put_json(_setting_json(row, settings))
    else:
        put(literal(settings.get(row.name)))
        if on_terminal():
            origin = settings.origin(row.name)
            default = f" Default: {literal(row.default) or 'empty'}. Set by {origin}." if origin != "default" else ""
            put_quiet(f"{row.meaning}{default}")


def print_setting_change(row: Row, settings: Settings, *, as_json: bool) -> None:
    """The value that holds now."""
    if on_terminal() and not as_json:
        put_done(f"{row.name} is {literal(settings.get(row.name)) or 'empty'}.")
    else:
        print_setting(row, settings, as_json=as_json)


def _setting_json(row: Row, settings: Settings) -> dict[str, Any]:
    return {
        "name": row.name,
        "value": settings.get(row.name),
        "default": row.default,
        "origin": settings.origin(row.name),
        "meaning": row.meaning,
        "allowed": row.allowed,
    }


def literal(value: Value) -> str:
    """A value as a person would type it: texts bare, lists as JSON."""
    if isinstance(value, str):
        return value
    return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)
