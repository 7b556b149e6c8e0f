"""Setting a value in the user's own file, which only a person does. It works whatever the state of the database."""

from __future__ import annotations

import os
import time

from recollect.errors import RecollectError
from recollect.files.config import set_value, unset_value
from recollect.files.home import Home, home_directory
from recollect.flows.opened import settings_at, store_for_hook
from recollect.flows.writes.actors import caller, require_person
from recollect.flows.writes.other_deeds import note_setting
from recollect.settings import require

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def set_setting(name: str, value: str, *, environ: Mapping[str, str]) -> str:
    """Set one setting in config.toml, whose path is returned. Raises SettingsError, or Refused for an agent."""
    require_person(caller(environ), "Changing a setting")
    home = Home(home_directory(environ))
    set_value(home.config, name, value)
    _note(name, home, environ)
    return home.config


def unset_setting(name: str, *, environ: Mapping[str, str]) -> tuple[str, bool]:
    """Take one setting out of config.toml: its path, and whether it was there. Raises as set_setting does."""
    require_person(caller(environ), "Changing a setting")
    home = Home(home_directory(environ))
    was_set = unset_value(home.config, name)
    if was_set:
        _note(name, home, environ)
    return home.config, was_set


def _note(name: str, home: Home, environ: Mapping[str, str]) -> None:
    """Let `undo` know, where there is a database that can be written to as it is."""
    try:
        store = store_for_hook(home, settings_at(os.getcwd(), home, environ), lambda: False)
        note_setting(require(name).name, store, now=time.time())
        store.close()
    except RecollectError:
        return  # the setting is changed, which is what was asked for
