"""How to install an extra: from the source folder, because on PyPI `recollect` is somebody else's package."""

from __future__ import annotations


def install_line(*extras: str) -> str:
    """A sentence without its full stop: where to go, and what to run there."""
    wanted = f"'.[{','.join(extras)}]'"
    return f"in the folder of Recollect, run `uv tool install {wanted}` or `pip install {wanted}`"


def install_remedy(*extras: str) -> str:
    """The same as a sentence of its own."""
    line = install_line(*extras)
    return f"{line[0].upper()}{line[1:]}."
