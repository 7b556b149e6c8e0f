"""Tokens that this home keeps for its own doors: files for their owner's eyes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from recollect.errors import FileError
from recollect.files.writing import write_atomic

if TYPE_CHECKING:
    from collections.abc import Callable


def kept_token(root: str, name: str, *, make: Callable[[], str]) -> str:
    """The token of this name; made and kept when there is none yet."""
    path = os.path.join(root, name)
    try:
        with open(path, encoding="ascii") as file:
            found = file.read().strip()
    except FileNotFoundError:
        found = ""
    except (OSError, ValueError) as error:
        raise FileError(f"{path} could not be read: {error}.") from error
    if not found:
        found = make()
        write_atomic(root, name, found + "\n", mode=0o600)
    return found
