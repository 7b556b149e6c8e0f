"""Logs of sessions that passed through `recollect acp`: one file per session in the home, one JSON line per record."""

from __future__ import annotations

import json
import os
import re

from recollect.files.writing import BINARY, NO_LINKS, append_line, make_private_directory, translated

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

ENDING = ".jsonl"
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")


def claim_name(folder: str, session: str) -> str:
    """A name that no other session has, for a new one and its log: the agent's own, with a number if it is taken."""
    make_private_directory(folder)
    name = _safe(session)
    number = 1
    while True:
        claimed = name if number == 1 else f"{name}~{number}"
        try:
            os.close(
                os.open(log_path(folder, claimed), os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY | NO_LINKS, 0o600)
            )
        except FileExistsError:
            number += 1
        except OSError as error:
            raise translated(error, folder) from error
        else:
            return claimed


def last_name(folder: str, session: str) -> str:
    """The name of the session that goes on: the last that was made of the agent's own."""
    name = _safe(session)
    number = 1
    while os.path.exists(log_path(folder, f"{name}~{number + 1}")):
        number += 1
    return name if number == 1 else f"{name}~{number}"


def log_path(folder: str, name: str) -> str:
    """Where the log of a session is."""
    return os.path.join(folder, name + ENDING)


def add_record(folder: str, name: str, record: Mapping[str, object]) -> None:
    """Append one record."""
    if not os.path.isdir(folder):
        make_private_directory(folder)
    append_line(log_path(folder, name), json.dumps(record, ensure_ascii=False))


def _safe(session: str) -> str:
    if _PLAIN.fullmatch(session):
        return session
    import hashlib

    return hashlib.sha256(session.encode("utf-8", "replace")).hexdigest()[:32]
