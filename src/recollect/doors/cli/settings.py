"""`recollect settings`: list, get, set, unset, path."""

from __future__ import annotations

import click

from recollect.doors.cli.opening import environ
from recollect.doors.cli.options import WORDS, Command, Group, json_option
from recollect.doors.cli.printing.output import put, put_json, say
from recollect.doors.cli.printing.settings import print_setting, print_setting_change, print_settings
from recollect.settings_table import ROWS


def _names(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """The settings that begin so, for shell completion."""
    return [name for name in ROWS if name.startswith(incomplete)]


name_argument = click.argument("name", type=WORDS, shell_complete=_names)


@click.group("settings", cls=Group, default="list", example="recollect settings list")
def settings() -> None:
    """Show and change settings, and where each value comes from."""


@settings.command("list", cls=Command, example="recollect settings list")
@json_option
def list_settings(as_json: bool) -> None:
    """List every setting: its value here, its default, where it comes from."""
    from recollect.flows.opened import read_settings

    home, values = read_settings(environ())
    _tell(values.warnings)
    print_settings(values, home, as_json=as_json)


@settings.command("get", cls=Command, example="recollect settings get recall.max_entries")
@name_argument
@json_option
def get(name: str, as_json: bool) -> None:
    """Print the value of one setting; on a terminal also what it means."""
    from recollect.flows.opened import read_settings
    from recollect.settings import require

    setting = require(name)
    _, values = read_settings(environ())
    _tell(values.warnings)
    print_setting(setting, values, as_json=as_json)


@settings.command("set", cls=Command, needs_person=True, example="recollect settings set recall.max_entries 5")
@name_argument
@click.argument("value", type=WORDS)
@json_option
def set_(name: str, value: str, as_json: bool) -> None:
    """Set one setting in your config.toml; nothing else in the file changes."""
    from recollect.flows.opened import read_settings
    from recollect.flows.writes.set_setting import set_setting
    from recollect.settings import require

    config = set_setting(name, value, environ=environ())
    setting = require(name)
    _, values = read_settings(environ())
    print_setting_change(setting, values, as_json=as_json)
    winner = values.origin(setting.name)
    if not winner.startswith(config):
        say(f"recollect: Saved, but {winner} still overrides it here.")


@settings.command("unset", cls=Command, needs_person=True, example="recollect settings unset recall.max_entries")
@name_argument
@json_option
def unset(name: str, as_json: bool) -> None:
    """Remove one setting from your config.toml, so that its default applies again."""
    from recollect.flows.opened import read_settings
    from recollect.flows.writes.set_setting import unset_setting
    from recollect.settings import require

    config, was_set = unset_setting(name, environ=environ())
    setting = require(name)
    _, values = read_settings(environ())
    print_setting_change(setting, values, as_json=as_json)
    if not was_set:
        say(f"recollect: {config} does not set {setting.name}.")


@settings.command("path", cls=Command, example="recollect settings path")
@json_option
def path(as_json: bool) -> None:
    """Print where your config.toml is."""
    from recollect.files.home import Home, home_directory

    config = Home(home_directory(environ())).config
    if as_json:
        put_json({"path": config})
    else:
        put(config)


def _tell(warnings: tuple[str, ...]) -> None:
    for warning in warnings:
        say(f"recollect: {warning}")
