"""`recollect serve`: API, panel and MCP on one port."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from recollect.doors.cli.mcp import LOOPBACK, PORT
from recollect.doors.cli.opening import environ
from recollect.doors.cli.options import WORDS, Command
from recollect.doors.cli.printing.output import put, say
from recollect.errors import Refused

if TYPE_CHECKING:
    from recollect.doors.http.serving import Served


@click.command("serve", cls=Command, example="recollect serve --port 0")
@click.option("--port", metavar="N", type=click.IntRange(0, 65_535), help=f"Default {PORT}; 0 picks a free port.")
@click.option("--host", metavar="ADDRESS", type=WORDS, help="A non-loopback address (requires a token).")
@click.option("--open", "opens", is_flag=True, help="Open the panel in your browser.")
def serve(port: int | None, host: str | None, opens: bool) -> None:
    """Serve the panel, the HTTP API and MCP on one port, and do background work.

    It prints a link that opens the panel once; press Enter for another one. Programs need a token:
    `recollect token add NAME`.
    """
    from recollect.doors.http.serving import Served

    served = Served(environ(), folder=os.getcwd(), host=host or LOOPBACK, port=PORT if port is None else port)
    run_server(served, opens=opens)


def run_server(served: Served, *, opens: bool) -> None:
    """Say where it listens and how the panel is opened, then serve until Ctrl-C."""
    from recollect.doors.http.serving import end_at_sigterm

    with suppress(KeyboardInterrupt, SystemExit):
        end_at_sigterm()
        _announce(served, opens=opens)
        served.run()
    say("recollect: stopped.")
    sys.stdout.flush()
    # All is closed. Threads that were left in the middle of something must not meet an interpreter that is going.
    os._exit(0)


def _announce(served: Served, *, opens: bool) -> None:
    """Where it listens, what a person should know, and the link."""
    from recollect.doors.http.serving import give_links, has_terminal

    say(f"recollect: listening on {served.address}; press Ctrl-C to stop.")
    memory = served.memories.at()
    for notice in memory.notices:
        say(f"recollect: {notice}")
    memory.opened.mark_told(memory.caller)
    try:
        link = served.link()
    except Refused as error:
        say(f"recollect: {error}")
    else:
        more = "; Enter gives another" if has_terminal() else ""
        say(f"recollect: open the panel with this link (it works once{more}):")
        put(link)
        sys.stdout.flush()
        give_links(served, put)
        if opens:
            _open(link)


def _open(link: str) -> None:
    """Open a browser with windows; one inside the terminal would take it over."""
    found = environ()
    if sys.platform in ("darwin", "win32") or found.get("DISPLAY") or found.get("WAYLAND_DISPLAY"):
        import webbrowser

        webbrowser.open(link)
