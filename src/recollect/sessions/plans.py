"""The agent's list of tasks, as it stood when a session ended.

Hosts' readers write a list as lines: `[x]` done, `[~]` begun, `[ ]` open, `[-]` dropped; a task that is added to it
alone as `+ [ ] ...`, and a later state of one by its number as `#2 [x]`.
"""

from __future__ import annotations

import re

from recollect.model.record import Record
from recollect.text.cutting import cut_short

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from recollect.model.sessions import Turn

MOST_OPEN = 4
LONGEST_TASK = 90
_LINE = re.compile(r"^(?P<add>\+ )?\s*(?:[-*] )?\[(?P<mark>[ xX~-])\] (?P<text>\S.*)$")
_STATE = re.compile(r"^#(?P<number>\d{1,4}) \[(?P<mark>[ x~-])\]$")


class Task(Record):
    """One line of the list."""

    text: str
    mark: str


def last_plan(turns: Iterable[Turn]) -> list[str]:
    """How much of the last list was done, and what was still open."""
    tasks = _tasks(turns)
    kept = [task for task in tasks if task.mark != "-"]
    if not kept:
        return []
    left = [task for task in kept if task.mark != "x"]
    names = "; ".join(cut_short(task.text, LONGEST_TASK) for task in left[:MOST_OPEN])
    more = f" and {len(left) - MOST_OPEN} more" if len(left) > MOST_OPEN else ""
    return [f"{len(kept) - len(left)} of {len(kept)} done" + (f"; open: {names}{more}" if left else "")]


def _tasks(turns: Iterable[Turn]) -> list[Task]:
    tasks: list[Task] = []
    for turn in turns:
        for tool in turn.tools:
            if tool.kind != "other" or tool.ok is False or "[" not in tool.target[:12]:
                continue
            state = _STATE.match(tool.target)
            lines = [found for found in map(_LINE.match, tool.target.splitlines()) if found]
            told = [Task(found["text"].strip(), found["mark"].lower()) for found in lines]
            if state and 0 < int(state["number"]) <= len(tasks):
                at = int(state["number"]) - 1
                tasks[at] = tasks[at]._replace(mark=state["mark"])
            elif lines and lines[0]["add"]:
                tasks += told
            elif lines:
                tasks = told
    return tasks
