"""todo and plan: kept as events of the session, so that a compaction, a rewind and a resume know them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recollect.flows.chat.happenings import PlanChanged, Todo, TodosChanged
from recollect.flows.chat.toolbox import PLAN, Tool, ToolAnswer, an_object, text

if TYPE_CHECKING:
    from recollect.flows.chat.toolbox import Work
    from recollect.model.messages import Json

MARKS = {"pending": " ", "in_progress": "~", "completed": "x"}
STATUSES = {mark: status for status, mark in MARKS.items()}
_LINE = re.compile(r"- \[([ ~x])\] (.*)")


def set_todos(arguments: Json, work: Work) -> ToolAnswer:
    """Replace the list."""
    todos = tuple(Todo(" ".join(one["text"].split()), one["status"]) for one in arguments["todos"])
    work.session.set_todos("\n".join(f"- [{MARKS[one.status]}] {one.text}" for one in todos))
    work.tell(TodosChanged(todos))
    left = sum(one.status != "completed" for one in todos)
    return ToolAnswer(f"The list has {len(todos)} items, {left} left to do.")


def todos_of(content: str) -> tuple[Todo, ...]:
    """The list as the session keeps it."""
    found = (_LINE.match(line) for line in content.splitlines())
    return tuple(Todo(one[2], STATUSES[one[1]]) for one in found if one)


def write_plan(arguments: Json, work: Work) -> ToolAnswer:
    """Replace the plan."""
    work.session.write_plan(arguments["text"])
    work.tell(PlanChanged(arguments["text"]))
    return ToolAnswer("The plan is kept.")


_TODO = an_object(("text", "status"), text=text(), status=text(choices=tuple(MARKS)))
TOOLS = (
    Tool(
        "todo",
        PLAN,
        "Replace the to-do list of this session; it survives compaction. The user sees it.",
        an_object(("todos",), todos={"type": "array", "items": _TODO, "maxItems": 100}),
        set_todos,
    ),
    Tool(
        "plan",
        PLAN,
        "Replace the plan of this session, as Markdown; it survives compaction. The user can edit it.",
        an_object(("text",), text=text()),
        write_plan,
    ),
)
