"""Choosing the model of a role, which only a person does."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from recollect.flows.opened import open_home
from recollect.flows.writes.set_setting import set_setting, unset_setting
from recollect.providers.specs import RULES, SCRIPTED, spec_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recollect.flows.models.asking import Ready


def use_model(name: str, *, role: str | None, environ: Mapping[str, str]) -> Ready:
    """Write it down in config.toml; then say whether it can be asked. SettingsError for what names no model.

    Without a role it is for the default one; `rules` then is for all."""
    spec = spec_of(name)
    if role is None and spec.provider == RULES:
        unset_setting("models.smol", environ=environ)
    role = role or "default"
    if spec.provider == SCRIPTED:
        spec = spec._replace(model=os.path.abspath(spec.model))  # a worker asks from another folder
    set_setting(f"models.{role}", str(spec), environ=environ)
    memory = open_home(environ=environ)
    try:
        return memory.models.ready(role)
    finally:
        memory.close()
