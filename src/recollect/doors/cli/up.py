"""`recollect up`: the main job."""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING

import click

from recollect.doors.cli.opening import environ, opened
from recollect.doors.cli.options import Command, json_option
from recollect.doors.cli.printing.output import put_json, say
from recollect.doors.cli.printing.progress import progress_bar
from recollect.doors.cli.printing.ups import print_found, print_up
from recollect.doors.cli.review import offer_review
from recollect.doors.cli.sessions import exclude_option
from recollect.doors.session_shapes import up_json

if TYPE_CHECKING:
    from recollect.app import Recollect
    from recollect.flows.sessions.past_sessions import HostFound


@click.command("up", cls=Command, example="recollect up")
@click.option(
    "--sample", is_flag=True, help="Run on the sample sessions that come with Recollect, in a home of their own."
)
@click.option("--no-serve", is_flag=True, help="End after the summary.")
@exclude_option
@json_option
def up(sample: bool, no_serve: bool, exclude: tuple[str, ...], as_json: bool) -> None:
    """Import past sessions of every agent, keep what matters, then summarise it.

    Needs no key, no model and no network. Where there are no sessions it shows the same on sample sessions.
    """
    if not sample:
        with opened(changes=True) as memory:
            logs, skipped = memory.sessions.excluding(exclude).logs()
            for one in skipped:
                say(f"skipped {one.path}: {one.why}")
            if logs or memory.sessions.count():
                _run(memory, paths=(), exclude=exclude, sample=False, as_json=as_json)
                if not (as_json or no_serve):
                    offer_review(memory)
                return
        say("There are no sessions of coding agents on this machine yet; here is what it looks like on samples.\n")
    from recollect.app import Recollect

    folder = tempfile.mkdtemp(prefix="recollect-sample-")
    with Recollect.open(os.path.join(folder, "home"), folder=folder, environ=environ()) as memory:
        _run(memory, paths=(_samples(),), exclude=(), sample=True, as_json=as_json)


def _run(memory: Recollect, *, paths: tuple[str, ...], exclude: tuple[str, ...], sample: bool, as_json: bool) -> None:
    from recollect.flows.setup.up import up as run

    if not memory.settings.enabled:
        say("recollect: Memory is switched off (enabled = false): sessions are imported, nothing is kept from them.")
    found: list[HostFound] = []

    def say_found(hosts: list[HostFound]) -> None:
        found.extend(hosts)
        if not as_json:
            print_found(hosts, sample=sample)

    with progress_bar(quiet=as_json) as progress:
        done = run(
            memory.sessions.excluding(exclude),
            memory.opened,
            paths=paths,
            say_found=say_found,
            progress=progress,
        )
    if as_json:
        put_json(up_json(done, found, home=memory.home.root, sample=sample))
    else:
        print_up(done, home=memory.home.root, sample=sample)


def _samples() -> str:
    import recollect

    return os.path.join(os.path.dirname(os.path.abspath(recollect.__file__)), "sample")
