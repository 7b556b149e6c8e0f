"""How settings look."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from recollect.doors.cli.printing.output import on_terminal, put, put_done, put_json, put_row
from recollect.settings_table import ROWS

if TYPE_CHECKING:
    from typing import Any

    from recollect.files.home import Home
    from recollect.settings import Settings
    from recollect.settings_table import Row, Value


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

    rows = []
    for name, row in ROWS.items():
        origin = settings.origin(name)
        changed = origin != "default"
        rows.append(
            (
                Text(name, style="bold" if changed else ""),
                Text(literal(settings.get(name)), style="cyan" if changed else ""),
                Text(literal(row.default), style="dim"),
                Text(origin.replace(home.config, "config.toml") if changed else "", style="dim"),
            )
        )
    page = Page()
    page.table(rows, header=("setting", "value", "default", "from"))
    page.line(f"\nconfig.toml is {home.config}", "dim")


def print_setting(row: Row, settings: Settings, *, as_json: bool) -> None:
    """One value, as it would be written in config.toml, or with everything there is to know about it."""
    if as_json:
        put_json(_setting_json(row, settings))
    else:
        put(literal(settings.get(row.name)))


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
