"""`recollect task`: add, list, show, update, complete, archive."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from recollect.doors.cli.opening import opened
from recollect.doors.cli.options import A_PROJECT, WORDS, Command, Group, json_option
from recollect.doors.cli.printing.work import print_completed, print_task, print_tasks, print_work_change
from recollect.doors.shapes import task_json
from recollect.errors import NotFound, UsageError
from recollect.flows.views.name_repository import place_name
from recollect.model.tasks import TASK_STATUSES

if TYPE_CHECKING:
    from recollect.flows.writes.tasks import TaskList

OPEN = ("active", "paused")

task_argument = click.argument("name", metavar="[TASK]", required=False, default="", type=WORDS)
state_option = click.option("--state", metavar="S", type=WORDS, help="The state of the work, for the next session.")
project_option = click.option("--project", metavar="P", type=WORDS, help=f"The project it belongs to: {A_PROJECT}.")


@click.group("task", cls=Group, default="list", example='recollect task add "Move to pnpm"')
def task() -> None:
    """Manage tasks and their working state.

    Every session starts with the state of the current task: the active one that was changed last. TASK is an id or a
    title; without it, the current task of this repository is used.
    """


@task.command("add", cls=Command, example='recollect task add "Move to pnpm" --state "lock file is done"')
@click.argument("title", nargs=-1, required=True, type=WORDS)
@state_option
@project_option
@json_option
def add(title: tuple[str, ...], state: str | None, project: str | None, as_json: bool) -> None:
    """Start a task; it becomes the current one here, and others stay active."""
    with opened(changes=True, creates=True) as memory:
        made = memory.writes().tasks.add_task(" ".join(title), state=state or "", project=project or "")
        print_work_change("Started", task_json(made), as_json=as_json)


@task.command("list", cls=Command, example="recollect task list --status any")
@click.option("--status", type=click.Choice([*TASK_STATUSES, "any"]), help="[default: active and paused]")
@click.option("--all", "everywhere", is_flag=True, help="In every repository.")
@json_option
def list_tasks(status: str | None, everywhere: bool, as_json: bool) -> None:
    """List tasks, most recently changed first."""
    wanted = TASK_STATUSES if status == "any" else (status,) if status else OPEN
    with opened() as memory:
        found = [one for one in memory.tasks.tasks(everywhere=everywhere) if one.status in wanted]
        print_tasks(found, active=memory.tasks.active_task(), as_json=as_json)


@task.command("show", cls=Command, example='recollect task show "Move to pnpm"')
@task_argument
@json_option
def show(name: str, as_json: bool) -> None:
    """Show a task and its working state."""
    with opened() as memory:
        found = memory.tasks.task(_named(name, memory.tasks))
        if not as_json:
            found = found._replace(repository=place_name(found.repository, memory.opened.store))
        print_task(found, as_json=as_json)


@task.command("update", cls=Command, example='recollect task update --state "tests pass, docs are next"')
@task_argument
@click.option("--title", metavar="T", type=WORDS, help="Its title.")
@state_option
@click.option(
    "--status",
    metavar="active|paused",
    type=click.Choice(TASK_STATUSES),
    help="Whether it is being worked on. To complete it, use `recollect task complete`.",
)
@project_option
@json_option
def update(
    name: str, title: str | None, state: str | None, status: str | None, project: str | None, as_json: bool
) -> None:
    """Change a task's title, state, status or project."""
    given = {"title": title, "state": state, "status": status, "project": project}
    fields = {field: value for field, value in given.items() if value is not None}
    if not fields:
        raise UsageError("Say what to change: --title, --state, --status or --project.")
    with opened(changes=True) as memory:
        work = memory.writes().tasks
        changed = work.update_task(_named(name, work), **fields)
        print_work_change("Updated", task_json(changed), as_json=as_json)


@task.command("complete", cls=Command, example='recollect task complete --conclusion "pnpm everywhere"')
@task_argument
@click.option("--conclusion", metavar="C", default="", type=WORDS, help="How it ended.")
@json_option
def complete(name: str, conclusion: str, as_json: bool) -> None:
    """Complete a task: its state moves to the archive (L2)."""
    with opened(changes=True) as memory:
        work = memory.writes().tasks
        found = work.task(_named(name, work))
        outcome = work.complete_task(found.task_id, conclusion=conclusion)
        print_completed(work.task(found.task_id), outcome, as_json=as_json)


@task.command("archive", cls=Command, example='recollect task archive "Move to pnpm"')
@click.argument("name", metavar="TASK", type=WORDS)
@json_option
def archive(name: str, as_json: bool) -> None:
    """Archive a task without completing it."""
    with opened(changes=True) as memory:
        archived = memory.writes().tasks.update_task(name, status="archived")
        print_work_change("Archived", task_json(archived), as_json=as_json)


def _named(name: str, work: TaskList) -> str:
    """The task that was named, or the active one."""
    if name:
        return name
    active = work.active_task()
    if active is None:
        raise NotFound("No task is active here; name one, or start one with `recollect task add TITLE`.")
    return active.task_id
