"""The mode of suggestions as it is now: it may be switched while a program runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.flows.opened import settings_at
from recollect.suggestions.modes import OFF

if TYPE_CHECKING:
    from recollect.flows.opened import Opened
    from recollect.settings import Settings

NAME = "suggestions.mode"


def current_settings(memory: Opened) -> Settings:
    """The settings as the files say now; what the program itself was given stays."""
    if memory.settings.origin(NAME) == "flag":
        return memory.settings
    return settings_at(memory.folder, memory.home, memory.environ)


def current_mode(memory: Opened) -> str:
    """The mode that holds now; the master switch stops suggestions too."""
    settings = current_settings(memory)
    return settings.suggestions.mode if settings.enabled else OFF
