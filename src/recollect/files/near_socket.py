"""Asking a process that is there anyway how near in meaning entries are, over a socket in the home.

Who asks waits a little, and does without an answer. `near_listener.py` is the other side."""

from __future__ import annotations

import time

from recollect.model.recall import Nearness
from recollect.text.quick_json import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket
    from collections.abc import Sequence

HOOK_SECONDS = 0.03  # what a hook waits at most
PATIENT_SECONDS = 0.3
MOST_BYTES = 200_000
LONGEST_TEXT = 4_000  # characters of a prompt
END = b"\n"


def ask_near(
    path: str, text: str, repositories: Sequence[str], entry_ids: Sequence[str], *, wait_seconds: float
) -> Nearness | None:
    """How near these entries are to a text, or None when nobody answers sensibly in time."""
    from _socket import AF_UNIX, SOCK_STREAM, socket

    until = time.monotonic() + wait_seconds
    said = {"text": text[:LONGEST_TEXT], "repositories": list(repositories), "entries": list(entry_ids)}
    asking = socket(AF_UNIX, SOCK_STREAM)
    try:
        asking.settimeout(wait_seconds)
        asking.connect(path)
        asking.sendall(dumps(said).encode() + END)
        return _understood(read_line(asking, until), entry_ids)
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    finally:
        asking.close()


def read_line(connection: socket, until: float) -> bytes:
    """What the other side says, up to the end of the line; a TimeoutError when that takes too long."""
    said = b""
    while not said.endswith(END):
        left = until - time.monotonic()
        if left <= 0 or len(said) > MOST_BYTES:
            raise TimeoutError
        connection.settimeout(left)
        part = connection.recv(1 << 16)
        if not part:
            raise ConnectionError
        said += part
    return said


def _understood(said: bytes, entry_ids: Sequence[str]) -> Nearness | None:
    """An answer, if it is one: cosines of what was asked for, and plain numbers."""
    answer = loads(said)
    if not answer:
        return None
    cosines, numbers = answer["cosines"], [answer[name] for name in ("mean", "spread", "best", "second")]
    every = [*cosines.values(), *numbers]
    if not all(type(number) in (int, float) and -2.0 < number < 2.0 for number in every):
        raise ValueError(said)
    return Nearness({name: cosines[name] for name in entry_ids if name in cosines}, *numbers)
