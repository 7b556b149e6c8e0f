"""`recollect hook`, for its help and for `--home`; hosts come in without any of this, through the entry point."""

from __future__ import annotations

import click

from recollect.doors.cli.opening import environ
from recollect.doors.cli.options import Command, json_option
from recollect.files.home import home_directory
from recollect.model.hosts import HOOKED


@click.command("hook", cls=Command, example="recollect hook --host claude-code < /dev/null")
@click.option(
    "--host",
    metavar="HOST",
    type=click.Choice(HOOKED),
    help="The host that calls, such as codex; by default detected from the call.",
)
@json_option
def hook(host: str | None, as_json: bool) -> None:
    """Answer a host's hook call: JSON on stdin, JSON on stdout, always exit 0."""
    from recollect.doors.hook import run

    run(["--host", host] if host else [], home=home_directory(environ()))
