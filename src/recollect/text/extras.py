"""How to install an extra: from the source folder, because on PyPI `recollect` is somebody else's package."""

from __future__ import annotations

import os
import sys

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def install_line(*extras: str) -> str:
    """A sentence without its full stop: where to go, and what to run there."""
    wanted = f"'.[{','.join(extras)}]'"
    return f"in the folder of Recollect, run {' or '.join(f'`{one} {wanted}`' for one in installers())}"


def installers(*, environment: str = sys.prefix, package: str = PACKAGE) -> tuple[str, ...]:
    """What installed this Recollect, as far as its place says; else what most people use."""
    folders = environment.replace("\\", "/").lower().split("/")
    source = os.path.dirname(os.path.dirname(package))
    if environment == os.path.join(source, ".venv"):  # as `make run` does it
        return (".venv\\Scripts\\pip install -e" if os.name == "nt" else ".venv/bin/pip install -e",)
    if "uv" in folders and "tools" in folders:
        return ("uv tool install",)
    if "pipx" in folders:
        return ("pipx install --force",)
    return "uv tool install", "pip install"


def install_remedy(*extras: str) -> str:
    """The same as a sentence of its own."""
    line = install_line(*extras)
    return f"{line[0].upper()}{line[1:]}."
