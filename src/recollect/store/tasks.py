"""The tables of tasks and projects."""

from __future__ import annotations

from recollect.errors import Ambiguous, NotFound, require_text
from recollect.model.tasks import Project, Task
from recollect.store.rows import find_named, storable
from recollect.store.statements.changes import KNOWN_WORK, KNOWN_WORK_BY_END
from recollect.store.statements.tasks import PROJECTS, TASKS
from recollect.text.ids import PROJECT

MOST_NAMED = 5  # of those that a name may mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.store.database import Database
    from recollect.store.statements.tasks import WorkTable


class Tasks:
    """Tasks and projects, by id or title."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save_task(self, task: Task) -> None:
        """Add a task, or replace the one with its id."""
        self._database.run(TASKS.save(), storable(task))

    def save_project(self, project: Project) -> None:
        """Add a project, or replace the one with its id."""
        self._database.run(PROJECTS.save(), storable(project))

    def task(self, name: str) -> Task:
        """The task with this id, a beginning or end of one, or title."""
        return Task._make(self._find(TASKS, name))

    def project(self, name: str) -> Project:
        """The project with this id, a beginning or end of one, or title."""
        return Project._make(self._find(PROJECTS, name))

    def find(self, work_id: str) -> Task | Project | None:
        """The task or project with exactly this id."""
        if work_id.startswith(PROJECT):
            rows = self._database.rows(PROJECTS.get(), (work_id,))
            return Project._make(rows[0]) if rows else None
        rows = self._database.rows(TASKS.get(), (work_id,))
        return Task._make(rows[0]) if rows else None

    def known(self, name: str) -> str:
        """The id of a task or project that is here, or was before it was taken back; the name may be a part of it."""
        rows = find_named(self._database.rows, KNOWN_WORK, KNOWN_WORK_BY_END, name)
        if len(rows) > 1:
            raise Ambiguous(f"More than one task or project matches {name!r}; give more characters.")
        if not rows:
            raise NotFound(
                f"Nothing is known of a change to {name!r}; `recollect task list --all --status any` shows all tasks."
            )
        return str(rows[0][0])

    def remove(self, work_id: str) -> None:
        """Take away a task or project whose addition was taken back. Needs an open write()."""
        self._database.run(TASKS.remove(), (work_id,))
        self._database.run(PROJECTS.remove(), (work_id,))

    def tasks(self, *, status: str = "", repository: str | None = None) -> list[Task]:
        """Tasks, most recently touched first."""
        return [Task._make(row) for row in self._list(TASKS, status, repository)]

    def projects(self, *, status: str = "", repository: str | None = None) -> list[Project]:
        """Projects, most recently touched first."""
        return [Project._make(row) for row in self._list(PROJECTS, status, repository)]

    def _find(self, table: WorkTable, name: str) -> tuple[object, ...]:
        require_text(name, "An id or title")
        rows = self._database.rows(table.get(), (name,))
        if not rows:
            # In Python: SQLite's lower() knows no letters but ours.
            titles = self._database.rows(table.titles())
            titled = [number for number, title in titles if title.casefold() == name.casefold()]
            rows = self._database.rows(table.among(titled), titled)
        if not rows and name:
            rows = find_named(self._database.rows, table.by_prefix(), table.by_end(), name)
        kind = table.name[:-1]
        if not rows:
            raise NotFound(f"There is no {kind} {name!r}; `recollect {kind} list --all --status any` shows them all.")
        if len(rows) > 1:
            named = ", ".join(str(row[0]) for row in rows[:MOST_NAMED])
            more = f" and {len(rows) - MOST_NAMED} more" if len(rows) > MOST_NAMED else ""
            raise Ambiguous(f"More than one {kind} matches {name!r}: {named}{more}. Use one of these ids.")
        return rows[0]

    def _list(self, table: WorkTable, status: str, repository: str | None) -> list[tuple[object, ...]]:
        statement = table.listed(status=bool(status), repository=repository is not None)
        return self._database.rows(statement, [value for value in (status or None, repository) if value is not None])
