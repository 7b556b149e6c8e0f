"""The tables of tasks and projects."""

from __future__ import annotations

from recollect.errors import Ambiguous, NotFound
from recollect.model.tasks import Project, Task
from recollect.store.rows import LAST_CHARACTER, storable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.store.database import Database


class Tasks:
    """Tasks and projects, by id or title."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save_task(self, task: Task) -> None:
        """Add a task, or replace the one with its id."""
        self._save("tasks", "task_id", Task._fields, task)

    def save_project(self, project: Project) -> None:
        """Add a project, or replace the one with its id."""
        self._save("projects", "project_id", Project._fields, project)

    def task(self, name: str) -> Task:
        """The task with this id, id prefix or title."""
        return Task._make(self._find("tasks", "task_id", Task._fields, name))

    def project(self, name: str) -> Project:
        """The project with this id, id prefix or title."""
        return Project._make(self._find("projects", "project_id", Project._fields, name))

    def tasks(self, *, status: str = "", repository: str | None = None) -> list[Task]:
        """Tasks, most recently touched first."""
        return [Task._make(row) for row in self._list("tasks", Task._fields, status, repository)]

    def projects(self, *, status: str = "", repository: str | None = None) -> list[Project]:
        """Projects, most recently touched first."""
        return [Project._make(row) for row in self._list("projects", Project._fields, status, repository)]

    def _save(self, table: str, key: str, fields: tuple[str, ...], value: tuple[object, ...]) -> None:
        changes = ", ".join(f"{name} = excluded.{name}" for name in fields if name != key)
        self._database.run(
            f"INSERT INTO {table} ({', '.join(fields)}) VALUES ({', '.join('?' * len(fields))}) "
            f"ON CONFLICT ({key}) DO UPDATE SET {changes}",
            storable(value),
        )

    def _find(self, table: str, key: str, fields: tuple[str, ...], name: str) -> tuple[object, ...]:
        select = f"SELECT {', '.join(fields)} FROM {table}"
        rows = self._database.rows(f"{select} WHERE {key} = ? OR lower(title) = lower(?)", (name, name))
        if not rows and name:
            rows = self._database.rows(f"{select} WHERE {key} >= ? AND {key} < ?", (name, name + LAST_CHARACTER))
        kind = table[:-1]
        if not rows:
            raise NotFound(f"There is no {kind} {name!r}; `recollect {kind} list` shows what there is.")
        if len(rows) > 1:
            raise Ambiguous(f"More than one {kind} matches {name!r}; use its id.")
        return rows[0]

    def _list(
        self, table: str, fields: tuple[str, ...], status: str, repository: str | None
    ) -> list[tuple[object, ...]]:
        conditions, values = ["1 = 1"], []
        if status:
            conditions.append("status = ?")
            values.append(status)
        if repository is not None:
            conditions.append("repository IN (?, '')")
            values.append(repository)
        return self._database.rows(
            f"SELECT {', '.join(fields)} FROM {table} WHERE {' AND '.join(conditions)} ORDER BY updated DESC",
            values,
        )
