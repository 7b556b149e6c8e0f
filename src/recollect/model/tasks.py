"""Tasks and projects."""

from __future__ import annotations

from recollect.model.record import Record

TASK_STATUSES = ("active", "paused", "completed", "archived")
PROJECT_STATUSES = ("active", "archived")


class Task(Record):
    """A piece of work with its working state; completing it archives the state to L2 and clears it."""

    task_id: str
    title: str
    status: str = "active"
    state: str = ""
    project: str = ""
    repository: str = ""
    created: float = 0.0
    updated: float = 0.0
    completed: float = 0.0


class Project(Record):
    """What tasks and entries can belong to."""

    project_id: str
    title: str
    status: str = "active"
    repository: str = ""
    notes: str = ""
    created: float = 0.0
    updated: float = 0.0
