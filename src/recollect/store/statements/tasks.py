"""Statements on tasks and projects."""

from __future__ import annotations

from recollect.model.record import Record
from recollect.model.tasks import Project, Task
from recollect.store.statements import all_of, listed, marks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class WorkTable(Record):
    """One of the two tables, which are asked alike."""

    name: str
    key: str
    columns: tuple[str, ...]

    def save(self) -> str:
        """Add a row, or replace the one with its id."""
        changes = ", ".join(f"{name} = excluded.{name}" for name in self.columns if name != self.key)
        values = f"({listed(self.columns)}) VALUES ({marks(len(self.columns))})"
        return f"INSERT INTO {self.name} {values} ON CONFLICT ({self.key}) DO UPDATE SET {changes}"

    def get(self) -> str:
        """A row by its id."""
        return f"{self._select()} WHERE {self.key} = ?"

    def titles(self) -> str:
        """Every id with its title."""
        return f"SELECT {self.key}, title FROM {self.name}"

    def among(self, ids: Sequence[object]) -> str:
        """The rows with these ids."""
        return f"{self._select()} WHERE {self.key} IN ({marks(len(ids))})"

    def by_prefix(self) -> str:
        """The rows whose id lies between two texts."""
        return f"{self._select()} WHERE {self.key} >= ? AND {self.key} < ?"

    def by_end(self) -> str:
        """The rows whose id ends like this."""
        return f"{self._select()} WHERE {self.key} LIKE ?"

    def remove(self) -> str:
        """Take a row away."""
        return f"DELETE FROM {self.name} WHERE {self.key} = ?"

    def listed(self, *, status: bool, repository: bool) -> str:
        """The rows of a status, and of a repository or none, where those are bound; most recently touched first."""
        conditions = (["status = ?"] if status else []) + (["repository IN (?, '')"] if repository else [])
        return f"{self._select()} WHERE {all_of(conditions)} ORDER BY updated DESC"

    def _select(self) -> str:
        return f"SELECT {listed(self.columns)} FROM {self.name}"


TASKS = WorkTable("tasks", "task_id", Task._fields)
PROJECTS = WorkTable("projects", "project_id", Project._fields)
