"""Setting a value in the user's own file, which only a person does. No home is opened for it."""

from __future__ import annotations

from recollect.files.config import set_value, unset_value
from recollect.files.home import Home, home_directory
from recollect.flows.writes.actors import caller, require_person

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def set_setting(name: str, value: str, *, environ: Mapping[str, str]) -> str:
    """Set one setting in config.toml, whose path is returned. Raises SettingsError, or Refused for an agent."""
    require_person(caller(environ), "Changing a setting")
    config = Home(home_directory(environ)).config
    set_value(config, name, value)
    return config


def unset_setting(name: str, *, environ: Mapping[str, str]) -> tuple[str, bool]:
    """Take one setting out of config.toml: its path, and whether it was there. Raises as set_setting does."""
    require_person(caller(environ), "Changing a setting")
    config = Home(home_directory(environ)).config
    return config, unset_value(config, name)
