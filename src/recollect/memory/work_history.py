"""Taking back what happened to tasks and projects."""

from __future__ import annotations

from recollect.errors import Refused
from recollect.model.tasks import Project, Task
from recollect.store.work_changes import WorkAudit
from recollect.text import ids
from recollect.text.ids import short_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.store.store import Store

Work = Task | Project
MOST_NAMED = 3  # of each kind, in a sentence that says what still belongs to a project


def account(before: Work | None, after: Work | None, *, store: Store, change_id: int) -> None:
    """Note what a change made of a task or project. Needs an open write()."""
    old = before._asdict() if before else {}
    new = after._asdict() if after else {}
    if old and new:
        touched = [name for name in new if old[name] != new[name]]
        old, new = {name: old[name] for name in touched}, {name: new[name] for name in touched}
    store.work_changes.add([WorkAudit(change_id, _id_of(before or after), old, new)])


def take_back(audits: Sequence[WorkAudit], *, store: Store, undo_id: int) -> list[Work]:
    """Make tasks and projects again what they were before a change; returns them, as far as they are still there."""
    left: list[Work] = []
    for audit in audits:
        now = store.tasks.find(audit.work_id)
        after = _before(audit, now)
        if after is None:
            _require_empty(now, store)
            store.tasks.remove(audit.work_id)
        else:
            _require_project(after, store)
            save(after, store)
            left.append(after)
        account(now, after, store=store, change_id=undo_id)
    return left


def save(work: Work, store: Store) -> None:
    """Add or replace a task or project."""
    if isinstance(work, Task):
        store.tasks.save_task(work)
    else:
        store.tasks.save_project(work)


def _require_empty(work: Work | None, store: Store) -> None:
    """Raise Refused, naming them, when tasks or entries belong to a project that would be gone."""
    if not isinstance(work, Project):
        return
    tasks = [task.title for task in store.tasks.tasks() if task.project == work.project_id]
    entries = store.entries.listed({"project": work.project_id, "status": "active"})
    named = _named("task", "tasks", [repr(title) for title in tasks])
    named += _named("entry", "entries", [short_id(stored.entry.entry_id) for stored in entries])
    if named:
        raise Refused(
            f"The project {work.title!r} still has {' and '.join(named)}; take those back first, or put it away with "
            f"`recollect project archive {work.project_id}`."
        )


def _named(one: str, several: str, names: Sequence[str]) -> list[str]:
    """`the task 'Refunds'`, `the entries a, b, c and 2 more`; nothing when there are none."""
    if not names:
        return []
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return [f"the {one if len(names) == 1 else several} {', '.join(names[:MOST_NAMED])}{more}"]


def _require_project(work: Work, store: Store) -> None:
    """Raise Refused when a task would belong to a project that was taken back meanwhile."""
    if isinstance(work, Task) and work.project and store.tasks.find(work.project) is None:
        raise Refused(
            f"The task {work.title!r} belonged to the project {work.project}, which was taken back; "
            f"bring that again first (`recollect undo {work.project}`)."
        )


def _before(audit: WorkAudit, now: Work | None) -> Work | None:
    kind = "task" if audit.work_id.startswith(ids.TASK) else "project"
    known = now._asdict() if now else {}
    if any(known.get(name) != value for name, value in audit.after.items() if name != "updated"):
        raise Refused(
            f"The {kind} {audit.work_id} has changed again since; undo that first (`recollect undo {audit.work_id}`)."
        )
    if not audit.before:
        return None
    fields = {**known, **audit.before}
    return Task(**fields) if kind == "task" else Project(**fields)


def _id_of(work: Work | None) -> str:
    assert work is not None
    return str(work[0])
