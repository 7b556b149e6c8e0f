"""The tables of tasks and projects."""

from __future__ import annotations

from recollect.errors import Ambiguous, NotFound
from recollect.model.tasks import Project, Task
from recollect.store.rows import LAST_CHARACTER, storable
from recollect.text.ids import PROJECT

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

    def find(self, work_id: str) -> Task | Project | None:
        """The task or project with exactly this id."""
        if work_id.startswith(PROJECT):
            rows = self._database.rows(
                f"SELECT {', '.join(Project._fields)} FROM projects WHERE project_id = ?", (work_id,)
            )
            return Project._make(rows[0]) if rows else None
        rows = self._database.rows(f"SELECT {', '.join(Task._fields)} FROM tasks WHERE task_id = ?", (work_id,))
        return Task._make(rows[0]) if rows else None

    def known(self, name: str) -> str:
        """The id of a task or project that is here, or was before it was taken back, by its id or a prefix of that."""
        rows = self._database.rows(
            "SELECT DISTINCT work_id FROM work_audits WHERE work_id >= ? AND work_id < ? LIMIT 2",
            (name, name + LAST_CHARACTER),
        )
        if len(rows) > 1:
            raise Ambiguous(f"More than one task or project starts with {name!r}; give more characters.")
        if not rows:
            raise NotFound(f"Nothing is known of a change to {name!r}; `recollect task list` shows what there is.")
        return str(rows[0][0])

    def remove(self, work_id: str) -> None:
        """Take away a task or project whose addition was taken back. Needs an open write()."""
        self._database.run("DELETE FROM tasks WHERE task_id = ?", (work_id,))
        self._database.run("DELETE FROM projects WHERE project_id = ?", (work_id,))

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
        rows = self._database.rows(f"{select} WHERE {key} = ?", (name,))
        if not rows:
            # In Python: SQLite's lower() knows no letters but ours.
            titles = self._database.rows(f"SELECT {key}, title FROM {table}")
            titled = [number for number, title in titles if title.casefold() == name.casefold()]
            rows = self._database.rows(f"{select} WHERE {key} IN ({', '.join('?' * len(titled))})", titled)
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
