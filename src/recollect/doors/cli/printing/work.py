"""How tasks and projects look."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from recollect.doors.cli.printing.output import counted, on_terminal, one_line, put, put_done, put_json, put_row, say
from recollect.doors.cli.printing.times import ago, local
from recollect.doors.shapes import outcome_json, project_json, task_json
from recollect.text.ids import short_id

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from recollect.model.drafts import Outcome
    from recollect.model.tasks import Project, Task


def print_work_change(verb: str, document: dict[str, Any], *, as_json: bool) -> None:
    """That a task or project was begun, changed or put away."""
    if as_json:
        put_json(document)
    elif on_terminal():
        put_done(f"{verb} “{_first_line(document['title'])}”.", document["id"])
    else:
        put(f"{verb.lower()} {document['id']}")


def print_completed(task: Task, outcome: Outcome, *, as_json: bool) -> None:
    """That a task is completed, and where its state went."""
    if as_json:
        put_json({**task_json(task), "archived_as": outcome_json(outcome)["id"]})
    elif on_terminal():
        put_done(f"Completed “{_first_line(task.title)}”.", f"Its state is in the archive as {outcome.entry_id}.")
    else:
        put(f"completed {task.task_id} {outcome.entry_id}")


def print_tasks(tasks: Sequence[Task], *, active: Task | None, as_json: bool) -> None:
    """A list; in a pipe one task per line: id, status, updated, title."""
    if as_json:
        put_json([task_json(task) for task in tasks])
    elif not tasks:
        say("No tasks here. Start one with `recollect task add TITLE`.")
    elif on_terminal():
        _tasks_page(tasks, active)
    else:
        for task in tasks:
            put_row((task.task_id, task.status, local(task.updated), task.title))


def _tasks_page(tasks: Sequence[Task], active: Task | None) -> None:
    from recollect.doors.cli.printing.terminal import Page, join, status_look

    now = time.time()
    Page().items(
        [
            (
                "▸" if active and task.task_id == active.task_id else " ",
                task.title,
                join(
                    short_id(task.task_id),
                    ago(task.updated, now=now),
                    status_look(task.status),
                    _first_line(task.state),
                ),
                "",
            )
            for task in tasks
        ]
    )


def print_task(task: Task, *, as_json: bool) -> None:
    """A task with its state."""
    if as_json:
        put_json(task_json(task))
        return
    facts = [
        ("id", task.task_id),
        ("status", task.status),
        ("project", task.project),
        ("repository", task.repository),
        ("created", local(task.created)),
        ("updated", local(task.updated)),
        ("completed", local(task.completed) if task.completed else ""),
    ]
    _print_card(task.title, facts, task.state)


def print_projects(projects: Sequence[Project], *, as_json: bool) -> None:
    """A list; in a pipe one project per line: id, status, updated, title."""
    if as_json:
        put_json([project_json(project) for project in projects])
    elif not projects:
        say("No projects here. Start one with `recollect project add TITLE`.")
    elif on_terminal():
        from recollect.doors.cli.printing.terminal import Page, join, status_look

        now = time.time()
        rows = []
        for one in projects:
            below = join(
                short_id(one.project_id), ago(one.updated, now=now), status_look(one.status), _first_line(one.notes)
            )
            rows.append((" ", one.title, below, ""))
        Page().items(rows)
    else:
        for one in projects:
            put_row((one.project_id, one.status, local(one.updated), one.title))


def print_project(project: Project, tasks: Sequence[Task], *, entries: int, as_json: bool) -> None:
    """A project with its tasks."""
    if as_json:
        put_json({**project_json(project), "tasks": [task_json(task) for task in tasks], "entries": entries})
        return
    facts = [
        ("id", project.project_id),
        ("status", project.status),
        ("repository", project.repository),
        ("created", local(project.created)),
        ("updated", local(project.updated)),
        ("entries", counted(entries, "entry", "entries")),
        *(("task", f"{task.title} ({task.status})") for task in tasks),
    ]
    _print_card(project.title, facts, project.notes)


def _print_card(title: str, facts: Sequence[tuple[str, str]], text: str) -> None:
    if on_terminal():
        from recollect.doors.cli.printing.terminal import Page

        page = Page()
        page.line(title, "bold")
        page.line()
        page.fields(facts)
        if text:
            page.line(f"\n{text}")
        return
    put(f"title: {title}")
    for name, value in facts:
        if value:
            put(f"{name}: {value}")
    if text:
        put(f"text: {one_line(text)}")


def _first_line(text: str) -> str:
    line = text.strip().partition("\n")[0]
    return line if len(line) <= 60 else line[:59] + "…"
