"""`recollect status`."""

from __future__ import annotations

import click

from recollect.doors.cli.opening import opened
from recollect.doors.cli.options import Command, json_option
from recollect.doors.cli.printing.status import print_overview, print_status
from recollect.doors.shapes import status_json


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
    with opened() as memory:
        document = status_json(memory)
        if as_json:
            print_status(document, as_json=True)
        else:
            print_overview(document, empty_here=not memory.entries.list(limit=1))
