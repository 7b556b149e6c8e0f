"""`recollect mcp`."""

from __future__ import annotations

import os
import sys

import click

from recollect.doors.cli.opening import environ
from recollect.doors.cli.options import WORDS, Command
from recollect.doors.cli.printing.output import say
from recollect.errors import UsageError

PORT = 8_377
LOOPBACK = "127.0.0.1"


@click.command("mcp", cls=Command, example="recollect mcp < /dev/null")
@click.option("--http", "over_http", is_flag=True, help="Serve over HTTP instead of stdin and stdout.")
@click.option(
    "--port", metavar="N", type=click.IntRange(0, 65_535), help=f"With --http: default {PORT}; 0 picks a free port."
)
@click.option("--host", metavar="ADDRESS", type=WORDS, help="With --http: a non-loopback address (requires a token).")
@click.option(
    "--agent", metavar="NAME", default="", type=WORDS, help="The agent this serves; its writes carry the name."
)
def mcp(over_http: bool, port: int | None, host: str | None, agent: str) -> None:
    """Serve this memory to an MCP client, on stdin and stdout or over HTTP.

    Connected hosts start it themselves; it exits when stdin is closed."""
    if not over_http and (port is not None or host):
        raise UsageError("--port and --host need --http.")
    from recollect.doors.mcp.serving import serve_http, serve_stdio

    folder = os.getcwd()
    if over_http:
        serve_http(environ(), folder=folder, host=host or LOOPBACK, port=PORT if port is None else port, agent=agent)
    else:
        if sys.stdin.isatty():
            say("recollect: Waiting for an MCP client on stdin. Hosts start this themselves; press Ctrl-C to stop.")
        serve_stdio(environ(), folder=folder, agent=agent)
