"""Offering a person the model that is on this machine anyway: asked once, and never again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.flows.models.found import find_clis
from recollect.flows.models.use_model import use_model
from recollect.flows.opened import settings_at

if TYPE_CHECKING:
    from recollect.flows.opened import Opened

ASKED = "models.asked"


def offered_model(memory: Opened) -> str:
    """The model to ask a person about: that of the role default, or a CLI that is here; empty once they were asked."""
    if memory.store.home_value(ASKED) or not memory.settings.enabled:
        return ""
    models = memory.models
    if models.is_on():
        return str(models.spec()) if models.is_there() and models.ready().ok else ""
    return next(iter(find_clis(memory.environ)), "")


def keep_answer(name: str, memory: Opened, *, allowed: bool) -> str:
    """Keep what the person said; returns the role that may be asked now, or an empty text."""
    with memory.store.write(durable=False):
        memory.store.set_home_value(ASKED, f"{memory.now:.0f}")
    if not allowed:
        return ""
    if not memory.models.is_on():
        use_model(name, role="default", environ=memory.environ)
        memory.settings = settings_at(memory.folder, memory.home, memory.environ)
    return "default"
