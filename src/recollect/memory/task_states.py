"""A task's working state: what a person wrote, and below it the sessions that were spent on the task."""

from __future__ import annotations

import re

from recollect.memory.tasks import LONGEST_STATE

MOST_EARLIER = 4  # sessions that a task's state names beside the last one
_SESSION = re.compile(r"^(?:Last|Earlier) session (s_\w+) \((.*?)\): ?(.*)$", re.MULTILINE)


def with_session(state: str, session_id: str, *, when: str, title: str, summary: str) -> str:
    """A task's working state after a session on it: what a person wrote, this session in full, the last few by name.

    The same session again takes its own place; `when` tells a reader the day and the host."""
    found = list(_SESSION.finditer(state))
    own = state[: found[0].start()].rstrip() if found else state.rstrip()
    earlier = [f"Earlier session {one[1]} ({one[2]}): {one[3]}" for one in found if one[1] != session_id][:MOST_EARLIER]
    last = f"Last session {session_id} ({when}): {title}\n{summary}"
    room = LONGEST_STATE - len(own) - 2
    parts = [last, *earlier]
    while parts and len("\n".join(parts)) > room:
        parts.pop()
    return "\n\n".join(part for part in (own, "\n".join(parts)) if part)
