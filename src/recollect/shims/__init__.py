"""The small plugins that opencode and pi load: data files, with the path of the launcher filled in at install."""

from __future__ import annotations

import json
import os

LAUNCHER = '"__RECOLLECT_LAUNCHER__"'


def shim(name: str, launcher: str) -> str:
    """The text of a plugin that starts this launcher."""
    with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8", newline="") as file:
        return file.read().replace(LAUNCHER, json.dumps(launcher))
