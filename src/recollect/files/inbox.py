"""The inbox of a session: one file per entry, in the session's folder; its name says whether it was told and read.

A hook looks here at every prompt, so nothing is opened where there is nothing new."""

from __future__ import annotations

import os

from recollect.errors import Refused
from recollect.text.quick_json import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FOLDER = "inbox"
NEW, TOLD, READ = ".new", ".told", ".read"
STATES = (NEW, TOLD, READ)
LONGEST_NAME = 60
MOST_BYTES = 100_000


def session_folder(host: str, session: str) -> str:
    """A folder below sessions/ for what we keep of a session; our own sessions have one by their id."""
    if host in ("", "recollect") and session.startswith("s_"):
        name = session.lower()[2:]
    else:
        name = f"{host}_{session}".lower()
    return "s_" + "".join(c if c.isascii() and c.isalnum() else "_" for c in name)[:LONGEST_NAME]


def new_entries(sessions: str, folder: str) -> list[dict[str, Any]]:
    """What was not told yet, oldest first."""
    return _entries(sessions, folder, (NEW,))


def all_entries(sessions: str, folder: str) -> list[dict[str, Any]]:
    """Every entry, oldest first."""
    return _entries(sessions, folder, STATES)


def add_entry(sessions: str, folder: str, entry_id: str, entry: dict[str, Any], *, most: int) -> None:
    """Keep an entry; Refused when the inbox is full."""
    from recollect.files.writing import write_atomic

    if len(_names(os.path.join(sessions, folder, FOLDER))) >= most:
        raise Refused(f"The inbox of this session is full ({most} entries).")
    write_atomic(sessions, os.path.join(folder, FOLDER, entry_id + NEW), dumps(entry, ensure_ascii=False))


def mark(sessions: str, folder: str, entry_id: str, state: str) -> bool:
    """Let an entry be new, told or read; False when it is not there."""
    place = os.path.join(sessions, folder, FOLDER)
    for other in STATES:
        if other == state and os.path.exists(os.path.join(place, entry_id + state)):
            return True
        try:
            os.rename(os.path.join(place, entry_id + other), os.path.join(place, entry_id + state))
        except OSError:
            continue
        return True
    return False


def folder_of(sessions: str, entry_id: str) -> str:
    """The folder of the session whose inbox holds this entry; empty when none does."""
    if not (entry_id.startswith("i_") and entry_id[2:].isalnum()):
        return ""
    try:
        folders = os.listdir(sessions)
    except OSError:
        return ""
    for folder in folders:
        if any(os.path.exists(os.path.join(sessions, folder, FOLDER, entry_id + state)) for state in STATES):
            return folder
    return ""


def _entries(sessions: str, folder: str, states: tuple[str, ...]) -> list[dict[str, Any]]:
    place = os.path.join(sessions, folder, FOLDER)
    found = []
    for name in _names(place):
        entry_id, state = name.rsplit(".", 1)
        if f".{state}" not in states:
            continue
        try:
            with open(os.path.join(place, name), encoding="utf-8", errors="replace") as file:
                entry = loads(file.read(MOST_BYTES))
        except (OSError, ValueError):
            continue
        if isinstance(entry, dict):
            found.append({**entry, "entry_id": entry_id, "state": state})
    return found


def _names(place: str) -> list[str]:
    try:
        return sorted(name for name in os.listdir(place) if name.endswith(STATES) and name.startswith("i_"))
    except OSError:
        return []
