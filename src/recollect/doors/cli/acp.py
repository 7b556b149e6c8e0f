"""`recollect acp`."""

from __future__ import annotations

import sys

import click

from recollect.doors.cli.opening import environ
from recollect.doors.cli.options import Command
from recollect.doors.cli.printing.output import say
from recollect.errors import UsageError
from recollect.text.extras import install_line


@click.command("acp", cls=Command, example="recollect acp -- goose acp < /dev/null")
@click.argument("agent", nargs=-1, type=click.UNPROCESSED)
def acp(agent: tuple[str, ...]) -> None:
    """Give an editor memory over the Agent Client Protocol, on stdin and stdout.

    With an agent's command after `--` it adds memory to that agent: prompts get their memory, sessions are remembered,
    and everything else is passed on unchanged. Without one it is Recollect's own agent. Editors start it themselves."""
    if agent:
        from recollect.doors.acp.proxy import run_proxy

        click.get_current_context().exit(run_proxy(agent, environ()))
    try:
        from recollect.doors.acp.agent import serve
    except ModuleNotFoundError as error:
        if error.name != "acp":
            raise
        raise UsageError(
            f"Recollect's own agent is an optional part: {install_line('acp', 'models')}. "
            "To add memory to another agent you don't need it: `recollect acp -- AGENT`."
        ) from None
    if sys.stdin.isatty():
        say("recollect: Waiting for an editor on stdin. Editors start this themselves; press Ctrl-C to stop.")
    serve(environ())
