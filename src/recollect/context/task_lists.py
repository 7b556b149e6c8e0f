"""The list of tasks that an agent keeps with a tool of its host, as it stood last."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from recollect.context.pairs import pairs
from recollect.context.tool_actions import output_of
from recollect.model.messages import ToolCall, ToolResult
from recollect.model.record import Record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recollect.model.messages import Message

DONE, IN_PROGRESS, OPEN, DELETED = "done", "in progress", "open", "deleted"
MOST_TASKS = 60
LONGEST_TASK = 200

KEEPS_TASKS = re.compile(r"todo|task_?(?:create|update)|(?:update|write)_?plan", re.I)
_LIST_KEYS = ("todos", "plan", "tasks", "items")
_TEXT_KEYS = ("content", "step", "subject", "title", "text", "description")
_STATES = {
    **dict.fromkeys(("completed", "complete", "done", "x"), DONE),
    **dict.fromkeys(("in_progress", "in-progress", "active", "~", "-", ">"), IN_PROGRESS),
    **dict.fromkeys(("deleted", "cancelled"), ""),
}
_CHECKBOX = re.compile(r"^\s*(?:[-*]|\d+\.)\s+\[([ xX~>-])\]\s+(.+?)\s*$", re.M)
_NUMBERED = re.compile(r"(?:task )?#(\d+)", re.I)
_SHOWN = re.compile(rf"#(\w+) ({DONE}|{IN_PROGRESS}|{OPEN}|{DELETED}):(?: (.*))?\Z", re.DOTALL)


class Task(Record):
    """One task, with its number where the host gives one."""

    number: str
    text: str  # "" when it was said before
    state: str  # "" when it was taken off the list
    position: int

    @property
    def shown(self) -> str:
        """The task as a line of a summary."""
        return f"{f'#{self.number} ' if self.number else ''}{self.state or DELETED}: {self.text}".rstrip()


def find_tasks(messages: Sequence[Message]) -> list[Task]:
    """The list as it stood last; one that was only told of by its number has no words."""
    matched = pairs(messages)
    listed: list[Task] = []
    for at, message in enumerate(messages):
        for place, part in enumerate(message.parts):
            if isinstance(part, ToolCall) and KEEPS_TASKS.search(part.name):
                answer = matched.get((at, place))
                result = messages[answer[0]].parts[answer[1]] if answer else None
                listed = _changed(listed, part, result if isinstance(result, ToolResult) else None, at)
    return listed[-MOST_TASKS:]


def read_task(line: str) -> Task | None:
    """The numbered task that a line of a summary shows; None for one without a number."""
    found = _SHOWN.match(line)
    return Task(found[1], found[3] or "", found[2].replace(DELETED, ""), -1) if found else None


def _changed(listed: list[Task], call: ToolCall, result: ToolResult | None, at: int) -> list[Task]:
    """The list after one call."""
    if result is None or result.is_error:
        return listed
    try:
        given = json.loads(call.arguments)
    except (ValueError, RecursionError):
        return listed
    if not isinstance(given, dict):
        return listed
    whole = [*_whole(given, at)]
    if whole:
        return whole
    number = str(given.get("taskId") or given.get("task_id") or given.get("id") or "")
    if number:
        return _updated(listed, number, given, at)
    text = _text(given)
    told = _NUMBERED.search(output_of(result))
    return [*listed, Task(told[1] if told else "", text, OPEN, at)] if text else listed


def _whole(given: dict[str, Any], at: int) -> Iterator[Task]:
    """The tasks of a call that writes the whole list."""
    value = next((given[key] for key in _LIST_KEYS if given.get(key)), None)
    if isinstance(value, str):
        for mark, text in _CHECKBOX.findall(value):
            yield Task("", text[:LONGEST_TASK], _STATES.get(mark.lower(), OPEN), at)
    elif isinstance(value, list):
        for one in value:
            if isinstance(one, dict) and _text(one):
                yield Task("", _text(one), _STATES.get(str(one.get("status")), OPEN), at)


def _updated(listed: list[Task], number: str, given: dict[str, Any], at: int) -> list[Task]:
    state = _STATES.get(str(given.get("status")), OPEN) if given.get("status") else None
    before = next((task for task in listed if task.number == number), None)
    if before is None:
        return listed if state is None else [*listed, Task(number, _text(given), state, at)]
    after = before._replace(text=_text(given) or before.text, state=before.state if state is None else state)
    return [after if task is before else task for task in listed]


def _text(given: dict[str, Any]) -> str:
    text = next((given[key] for key in _TEXT_KEYS if isinstance(given.get(key), str) and given[key].strip()), "")
    return " ".join(text.split())[:LONGEST_TASK]
