"""Start a command of ours as a process that outlives whoever starts it: no terminal, no streams, its own session."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

from recollect.settings import environment

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recollect.files.home import Home


def start_detached(python: str, words: Sequence[str], home: Home, *, folder: str, variables: Mapping[str, str]) -> None:
    """Start it and return at once. Raises OSError when it cannot be started."""
    environ = {**environment(), "RECOLLECT_HOME": home.root, **variables}
    # -P: the folder the work is in does not decide what is imported.
    subprocess.Popen(  # noqa: S603 our own interpreter and words
        [python, "-P", "-m", "recollect", *words],
        cwd=folder,
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=os.name == "posix",
    )
