"""`recollect status`."""

from __future__ import annotations

import os

import click

from recollect.doors.cli.opening import environ, opened
from recollect.doors.cli.options import Command, json_option
from recollect.doors.cli.printing.status import print_overview, print_status, print_welcome
from recollect.doors.shapes import status_json
from recollect.files.home import Home, home_directory
from recollect.files.sample_folder import is_temporary


@click.command("status", cls=Command, example="recollect status")
@json_option
def status(as_json: bool) -> None:
    """Show the state of this home at a glance."""
    with opened() as memory:
        print_status(status_json(memory), as_json=as_json)


@click.command("overview", cls=Command, example="recollect")
@json_option
def overview(as_json: bool) -> None:
    """Show this home in ten lines, and the three commands you are likely to need."""
    if not (as_json or os.path.exists(Home(home_directory(environ())).database)):
        print_welcome()
        return
    with opened() as memory:
        document = status_json(memory)
        if as_json:
            print_status(document, as_json=True)
        else:
            empty_here = not memory.entries.list(limit=1)
            print_overview(document, empty_here=empty_here, passing=is_temporary(memory.home.root, environ()))
