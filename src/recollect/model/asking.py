"""How a question of ours to a coding agent is told from a session of the user's: it is never imported as one."""

from __future__ import annotations

FOLDER = "recollect-asks-a-model"  # the empty folder that it is asked in
MARK = "[Recollect asks this by itself; nobody typed it.]"  # the first line of the question


def is_asking_folder(path: str) -> bool:
    """Is this such a folder, or a log that is named after one?"""
    return FOLDER in path


def is_own_question(typed: str) -> bool:
    """Is this such a question?"""
    return MARK in typed[:1_000]
