"""`recollect project`: add, list, show, update, archive."""

from __future__ import annotations

import click

from recollect.doors.cli.opening import opened
from recollect.doors.cli.options import WORDS, Command, Group, json_option
from recollect.doors.cli.printing.work import print_project, print_projects, print_work_change
from recollect.doors.shapes import project_json
from recollect.errors import UsageError
from recollect.flows.views.name_repository import place_name
from recollect.model.tasks import PROJECT_STATUSES

project_argument = click.argument("name", metavar="PROJECT", type=WORDS)
notes_option = click.option("--notes", metavar="N", type=WORDS, help="What it is about.")


@click.group("project", cls=Group, default="list", example='recollect project add "Release 2"')
def project() -> None:
    """Manage projects, which group tasks and entries.

    PROJECT is an id or a title.
    """


@project.command("add", cls=Command, example='recollect project add "Release 2" --notes "what has to be done before"')
@click.argument("title", nargs=-1, required=True, type=WORDS)
@notes_option
@json_option
def add(title: tuple[str, ...], notes: str | None, as_json: bool) -> None:
    """Start a project."""
    with opened(changes=True, creates=True) as memory:
        made = memory.writes().tasks.add_project(" ".join(title), notes=notes or "")
        print_work_change("Started", project_json(made), as_json=as_json)


@project.command("list", cls=Command, example="recollect project list")
@click.option("--status", type=click.Choice([*PROJECT_STATUSES, "any"]), default="active", help="[default: active]")
@click.option("--all", "everywhere", is_flag=True, help="In every repository.")
@json_option
def list_projects(status: str, everywhere: bool, as_json: bool) -> None:
    """List projects, most recently changed first."""
    with opened() as memory:
        found = memory.tasks.projects(status="" if status == "any" else status, everywhere=everywhere)
        print_projects(found, as_json=as_json)


@project.command("show", cls=Command, example='recollect project show "Build tools"')
@project_argument
@json_option
def show(name: str, as_json: bool) -> None:
    """Show a project with its tasks and the number of its entries."""
    with opened() as memory:
        found = memory.tasks.project(name)
        tasks = [task for task in memory.tasks.tasks(everywhere=True) if task.project == found.project_id]
        entries = memory.entries.list(project=found.project_id, status="active", everywhere=True)
        if not as_json:
            found = found._replace(repository=place_name(found.repository, memory.opened.store))
        print_project(found, tasks, entries=len(entries), as_json=as_json)


@project.command("update", cls=Command, example='recollect project update "Build tools" --notes "faster builds too"')
@project_argument
@click.option("--title", metavar="T", type=WORDS, help="Its title.")
@notes_option
@json_option
def update(name: str, title: str | None, notes: str | None, as_json: bool) -> None:
    """Change a project's title or notes."""
    given = {"title": title, "notes": notes}
    fields = {field: value for field, value in given.items() if value is not None}
    if not fields:
        raise UsageError("Say what to change: --title or --notes.")
    with opened(changes=True) as memory:
        print_work_change(
            "Updated", project_json(memory.writes().tasks.update_project(name, **fields)), as_json=as_json
        )


@project.command("archive", cls=Command, example='recollect project archive "Build tools"')
@project_argument
@json_option
def archive(name: str, as_json: bool) -> None:
    """Archive a project."""
    with opened(changes=True) as memory:
        changed = memory.writes().tasks.update_project(name, status="archived")
        print_work_change("Archived", project_json(changed), as_json=as_json)
