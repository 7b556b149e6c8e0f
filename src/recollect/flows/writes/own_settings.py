"""Setting a value in the user's own file for an opened memory; whoever calls it knows that a person asked."""

from __future__ import annotations

from recollect.files.config import set_value
from recollect.flows.writes.other_deeds import note_setting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.flows.opened import Opened


def set_own(name: str, value: str, memory: Opened) -> None:
    """Set one setting in config.toml. Raises SettingsError with nothing written."""
    set_value(memory.home.config, name, value)
    note_setting(name, memory.store, now=memory.now)
