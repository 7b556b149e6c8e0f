"""The sessions behind a line of a file: blame."""

from __future__ import annotations

import click

from recollect.doors.cli.opening import opened
from recollect.doors.cli.options import WORDS, Command, json_option
from recollect.doors.cli.printing.blames import print_blame


@click.command("blame", cls=Command, example="recollect blame README.md:1")
@click.argument("target", metavar="FILE[:LINE]", type=WORDS)
@json_option
def blame(target: str, as_json: bool) -> None:
    """Show the sessions, turns, decisions and commits behind a line.

    Git says which commit a line is from. The sessions are those that the commit names, that made it, or
    that changed the file shortly before.
    """
    from recollect.flows.views.blame import blame as look

    with opened() as memory:
        print_blame(look(target, memory.opened), as_json=as_json)
