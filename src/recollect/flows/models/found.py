"""Which models there are on this machine: CLIs, keys in the environment, local servers that answer their port."""

from __future__ import annotations

import shutil
import socket
from typing import TYPE_CHECKING

from recollect.model.record import Record
from recollect.providers.specs import ANTHROPIC, CLIS, OPENAI

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from recollect.settings import Settings

LOCAL = {"Ollama": 11434, "LM Studio": 1234}
WAIT_SECONDS = 0.2


class Found(Record):
    """One model that could be used, and the words after `recollect models use`."""

    name: str
    where: str
    use: str


def find_models(environ: Mapping[str, str], settings: Settings) -> Iterator[Found]:
    """What could be used here. No model is asked anything."""
    for name, program in find_clis(environ).items():
        yield Found(name, program, name)
    keys = {OPENAI: settings.models.openai_key, ANTHROPIC: settings.models.anthropic_key}
    for vendor, variable in keys.items():
        if environ.get(variable):
            yield Found(vendor, variable, f"{vendor}:MODEL")
    for name, port in LOCAL.items():
        if _listens(port):
            yield Found(name, f"127.0.0.1:{port}", f"{OPENAI}:MODEL@http://127.0.0.1:{port}/v1")


def find_clis(environ: Mapping[str, str]) -> dict[str, str]:
    """The coding agents' CLIs that are here, with where."""
    programs = {name: shutil.which(name, path=environ.get("PATH", "")) for name in CLIS}
    return {name: program for name, program in programs.items() if program}


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=WAIT_SECONDS).close()
    except OSError:
        return False
    return True
