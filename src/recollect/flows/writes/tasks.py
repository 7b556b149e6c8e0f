"""Work: tasks and projects, from their beginning to the archive."""

from __future__ import annotations

from recollect.errors import Refused
from recollect.flows.writes.permitted_changes import WAIT_SECONDS
from recollect.flows.writes.write import store_new
from recollect.memory.drafts import prepare
from recollect.memory.tasks import (
    AGENT,
    active_task,
    archive_draft,
    changed_project,
    changed_task,
    closed_already,
    last_words,
    require_open,
    title,
    told_task,
)
from recollect.memory.work_history import account, save
from recollect.model.drafts import Outcome
from recollect.model.permissions import Staged
from recollect.model.tasks import Project, Task
from recollect.store.work_changes import WorkAudit
from recollect.text import ids

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    from recollect.flows.opened import Opened
    from recollect.flows.writes.writers import Writer

    Kept = TypeVar("Kept", Task, Project)

COMPLETE = "complete task"
TASK = "task"  # what waits: an agent's words in a task


class TaskList:
    """What is being worked on, here and elsewhere. An agent keeps only the tasks of the repository it works in."""

    def __init__(self, memory: Opened, *, agent: str = "") -> None:
        self._writer = memory.writer(f"{AGENT}:{agent}" if agent else "user")
        self._agent = agent
        self._store = self._writer.store
        self._repository = memory.repository.repository
        self._new_id = memory.new_id

    def active_state(self) -> str:
        """The active task in words, as a session is told it; empty when there is none."""
        return told_task(self._store, self._repository)

    def add_task(self, name: str, *, state: str = "", project: str = "") -> Task:
        """Begin a task; it becomes the current one of this repository."""
        self._require_here(self._repository)
        now = self._writer.now
        task = Task(
            self._new_id(ids.TASK),
            title(name),
            project=self._store.tasks.project(project).project_id if project else "",
            repository=self._repository,
            created=now,
        )
        return self._save(None, changed_task(task, state=state, now=now), "add task")

    def update_task(self, name: str, **fields: str) -> Task:
        """Change a task's title, state, status or project; one that was completed is not reopened."""
        if fields.get("status") == "completed":
            task_id = self._store.tasks.task(name).task_id
            raise Refused(f"Complete a task with `recollect task complete {task_id}`, which archives its state.")
        action = "archive task" if fields.get("status") == "archived" else "update task"
        with self._store.write():
            task = self._store.tasks.task(name)
            self._require_here(task.repository)
            done = self._store.work_changes.last_of(task.task_id, action=COMPLETE)
            require_open(task, fields, change_id=done)
            if fields.get("project"):
                fields["project"] = self._store.tasks.project(fields["project"]).project_id
            return self._save(task, changed_task(task, now=self._writer.now, **fields), action)

    def complete_task(self, name: str, *, conclusion: str = "") -> Outcome:
        """Archive the task's state to L2 and clear it, in one change."""
        now = self._writer.now
        with self._store.write():
            task = self._store.tasks.task(name)
            self._require_here(task.repository)
            if task.status in ("completed", "archived"):
                raise closed_already(task)
            change_id = self._store.changes.begin(COMPLETE, self._writer.actor, now=now)
            outcome = store_new(prepare(archive_draft(task, conclusion)), self._writer, change_id)
            done = task._replace(status="completed", state="", updated=now, completed=now)
            self._store.tasks.save_task(done)
            account(task, done, store=self._store, change_id=change_id)
        return outcome

    def task(self, name: str) -> Task:
        """A task by id or title."""
        return self._store.tasks.task(name)

    def tasks(self, *, status: str = "", everywhere: bool = False) -> list[Task]:
        """Tasks of this repository and of none, most recently touched first."""
        return self._store.tasks.tasks(status=status, repository=None if everywhere else self._repository)

    def active_task(self) -> Task | None:
        """The task that is being worked on here."""
        return active_task(self._store, self._repository)

    def add_project(self, name: str, *, notes: str = "") -> Project:
        """Start a project; Refused where there is one of that name, as nobody could tell them apart."""
        self._require_free(name)
        now = self._writer.now
        project = Project(self._new_id(ids.PROJECT), title(name), repository=self._repository, created=now)
        return self._save(None, changed_project(project, notes=notes, now=now), "add project")

    def update_project(self, name: str, **fields: str) -> Project:
        """Change a project's title, notes or status."""
        action = "archive project" if fields.get("status") == "archived" else "update project"
        with self._store.write():
            project = self._store.tasks.project(name)
            self._require_free(fields.get("title", ""), besides=project.project_id)
            return self._save(project, changed_project(project, now=self._writer.now, **fields), action)

    def project(self, name: str) -> Project:
        """A project by id or title."""
        return self._store.tasks.project(name)

    def projects(self, *, status: str = "", everywhere: bool = False) -> list[Project]:
        """Projects, most recently touched first."""
        return self._store.tasks.projects(status=status, repository=None if everywhere else self._repository)

    def _require_free(self, name: str, *, besides: str = "") -> None:
        for one in self._store.tasks.projects():
            if one.title.casefold() == name.strip().casefold() and one.project_id != besides:
                kind = "an archived project" if one.status == "archived" else "a project"
                elsewhere = "" if one.repository in ("", self._repository) else ", in another repository"
                raise Refused(f"There is already {kind} {one.title!r} ({one.project_id}{elsewhere}).")

    def _require_here(self, repository: str) -> None:
        # A task of no repository is told everywhere.
        if self._agent and (not repository or repository != self._repository):
            raise Refused(f"{self._agent} may only change tasks of the repository it works in; others need a person.")

    def _save(self, before: Kept | None, after: Kept, action: str) -> Kept:
        with self._store.write():
            change_id = self._store.changes.begin(action, self._writer.actor, now=self._writer.now)
            save(after, self._store)
            account(before, after, store=self._store, change_id=change_id)
            if isinstance(after, Task) and (
                not isinstance(before, Task) or (before.title, before.state) != (after.title, after.state)
            ):
                self._wait_for_person(after, change_id)
        return after

    def _wait_for_person(self, task: Task, change_id: int) -> None:
        """Let an agent's words wait before sessions are told them; newer words take the place of those that wait."""
        self._store.staged.settle_target(TASK, task.task_id)
        if not self._agent:
            return
        now = self._writer.now
        self._store.staged.add(
            Staged(
                self._new_id(ids.STAGED),
                TASK,
                task.task_id,
                {"change": change_id},
                f"{task.title}: {task.state}" if task.state else task.title,
                "an agent wrote it, and every session would see it.",
                client=self._agent,
                repository=task.repository,
                created=now,
                expires=now + WAIT_SECONDS,
            )
        )


def accept_words(staged: Staged, writer: Writer) -> Outcome:
    """A person accepts what an agent wrote into a task; Refused when it says something else by now. Needs an open
    write()."""
    task = writer.store.tasks.task(staged.target_id)
    if last_words(task.task_id, writer.store) != staged.payload.get("change"):
        raise Refused(f"The task {task.task_id} has changed since this was asked for, so nothing was done.")
    words = {"title": task.title, "state": task.state}
    change_id = writer.store.changes.begin("accept task", writer.actor, now=writer.now)
    writer.store.work_changes.add([WorkAudit(change_id, task.task_id, words, words)])
    return Outcome("updated", task.task_id)
