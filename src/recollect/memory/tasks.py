"""Tasks and projects: completing a task archives its state to L2 and clears it."""

from __future__ import annotations

from recollect.errors import Refused, TextMissing, require_text
from recollect.model.drafts import Draft
from recollect.model.tasks import PROJECT_STATUSES, TASK_STATUSES, Project, Task
from recollect.text.clean import clean
from recollect.text.fences import neutralise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from recollect.store.store import Store

LONGEST_STATE = 20_000
LONGEST_SHOWN = 2_000  # of a state in a prompt: what waits for the user must still fit
LONGEST_TITLE = 200
WORDS = frozenset(("title", "state"))  # of a task, which sessions are told
AGENT = "agent"  # how an actor begins in the trail when it is one


def cleaned(value: str, *, what: str, longest: int) -> str:
    """A field of a task without secrets, or Refused when it is too long."""
    require_text(value, f"The {what}")
    value = clean(value).strip()
    if len(value) > longest:
        raise Refused(f"The {what} may have at most {longest:,} characters; this has {len(value):,}. Shorten it.")
    return value


def title(value: str) -> str:
    """A title, or Refused."""
    value = " ".join(cleaned(value, what="title", longest=LONGEST_TITLE).split())
    if not value:
        raise TextMissing("A title is needed: say in a few words what it is.")
    return value


def changed_task(task: Task, *, now: float, **fields: str) -> Task:
    """The task with these fields changed; Refused for a status that does not exist, and to archive it twice."""
    if fields.get("status", task.status) not in TASK_STATUSES:
        raise Refused(f"A task is {', '.join(TASK_STATUSES)}, not {fields['status']!r}.")
    if task.status == fields.get("status") == "archived":
        raise closed_already(task)
    if "title" in fields:
        fields["title"] = title(fields["title"])
    if "state" in fields:
        fields["state"] = cleaned(fields["state"], what="working state", longest=LONGEST_STATE)
    return task._replace(updated=now)._replace(**fields)  # type: ignore[arg-type]


def changed_project(project: Project, *, now: float, **fields: str) -> Project:
    """The project with these fields changed; Refused for a status that does not exist, and to archive it twice."""
    if fields.get("status", project.status) not in PROJECT_STATUSES:
        raise Refused(f"A project is {', '.join(PROJECT_STATUSES)}, not {fields['status']!r}.")
    if project.status == fields.get("status") == "archived":
        raise closed_already(project)
    if "title" in fields:
        fields["title"] = title(fields["title"])
    if "notes" in fields:
        fields["notes"] = cleaned(fields["notes"], what="notes", longest=LONGEST_STATE)
    return project._replace(updated=now)._replace(**fields)  # type: ignore[arg-type]


def require_open(task: Task, fields: Mapping[str, str], *, change_id: int | None) -> None:
    """Raise Refused when these fields would reopen a completed task, whose state is in the archive; `change_id` is the
    change that completed it."""
    reopens = "state" in fields or fields.get("status", "archived") != "archived"
    if not reopens or not task.completed or task.status not in ("completed", "archived"):
        return
    way = f"`recollect undo {change_id}` reopens it" if change_id else "start another one"
    raise Refused(f"{task.title!r} was completed and its state is in the archive; {way}.")


def closed_already(work: Task | Project) -> Refused:
    """Why what is completed or archived cannot be so again."""
    return Refused(f"{work.title!r} is {work.status} already; undo that with `recollect undo {work[0]}`.")


def archive_draft(task: Task, conclusion: str) -> Draft:
    """What the archive keeps of a task: its title, its last state and how it ended."""
    lines = [f"Task completed: {task.title}."]
    lines += [part for part in (task.state, f"Conclusion: {conclusion}" if conclusion else "") if part]
    return Draft(
        content="\n".join(lines),
        layer="L2",
        scope="repository" if task.repository else "user",
        repository=task.repository,
        subject=task.title,
        tags=("task",),
        source="system",
        origin="assistant",
        project=task.project,
        task=task.task_id,
    )


def active_task(store: Store, repository: str) -> Task | None:
    """The task that is being worked on here: the one touched last."""
    for task in store.tasks.tasks(status="active", repository=repository):
        return task
    return None


def unaccepted(task: Task, store: Store) -> frozenset[str]:
    """Which of title and state an agent wrote last, and no person has accepted."""
    known: dict[str, str] = {}
    for _, actor, fields in store.work_changes.authors(task.task_id):
        for name in WORDS & fields:
            known.setdefault(name, actor)
    return frozenset(name for name, actor in known.items() if is_agent(actor))


def last_words(task_id: str, store: Store) -> int:
    """The number of the last change of a task's title or state."""
    return next((number for number, _, fields in store.work_changes.authors(task_id) if WORDS & fields), 0)


def is_agent(actor: str) -> bool:
    """Does the trail name an agent?"""
    return actor == AGENT or actor.startswith(f"{AGENT}:")


def told_task(store: Store, repository: str) -> str:
    """The active task as a session is told it: without the words that an agent wrote and no person accepted."""
    task = active_task(store, repository)
    return render_task(task, without=unaccepted(task, store)) if task else ""


def render_task(task: Task, *, without: frozenset[str] = frozenset()) -> str:
    """The active task for the start of a session."""
    name = "(an agent named it)" if "title" in without else neutralise(task.title)
    lines = [f"Active task: {name} [{task.task_id}]"]
    if without:
        lines.append(f"An agent wrote its {' and '.join(sorted(without))}; the user has not accepted that yet.")
    if task.state and "state" not in without:
        # An agent may have written it: quoted line by line, so that it cannot pass for a part of its own.
        state = task.state if len(task.state) <= LONGEST_SHOWN else task.state[:LONGEST_SHOWN] + "…"
        lines += [f"> {line}".rstrip() for line in neutralise(state).splitlines()]
        if len(task.state) > LONGEST_SHOWN:
            lines.append(f"> (`recollect task show {task.task_id}` shows the rest)")
    return "\n".join(lines)
