"""`recollect acp`."""

from __future__ import annotations

import click

from recollect.doors.cli.opening import environ
from recollect.doors.cli.options import Command


@click.command("acp", cls=Command, example="recollect acp -- gemini --experimental-acp")
@click.argument("agent", nargs=-1, type=click.UNPROCESSED)
def acp(agent: tuple[str, ...]) -> None:
    """Give an editor memory over the Agent Client Protocol, on stdin and stdout.

    With an agent behind `--` it stands in front of that one: prompts get their memory, sessions are remembered, and all
    else passes as it comes. Editors start it themselves, once they are told to."""
    from recollect.doors.acp.proxy import run_proxy

    click.get_current_context().exit(run_proxy(agent, environ()))
