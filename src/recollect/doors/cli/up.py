"""`recollect up`: the main job."""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import TYPE_CHECKING

import click

from recollect.doors.cli.asking import may_read
from recollect.doors.cli.models import ROLES
from recollect.doors.cli.opening import environ, opened
from recollect.doors.cli.options import Command, json_option
from recollect.doors.cli.printing.output import put_json, say
from recollect.doors.cli.printing.program import use_home
from recollect.doors.cli.printing.progress import progress_bar
from recollect.doors.cli.printing.ups import Place, print_found, print_up
from recollect.doors.cli.review import offer_review
from recollect.doors.cli.sessions import exclude_option
from recollect.doors.session_shapes import up_json
from recollect.errors import Refused, UsageError
from recollect.flows.views.name_repository import short_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recollect.app import Recollect
    from recollect.flows.sessions.extraction import Extraction
    from recollect.flows.sessions.past_sessions import HostFound
    from recollect.flows.setup.up import Reading


@click.command("up", cls=Command, example="recollect up")
@click.option("--sample", is_flag=True, help="Run on the sample sessions that come with Recollect, in a separate home.")
@click.option("--no-serve", is_flag=True, help="End after the summary, without the panel.")
@exclude_option
@click.option(
    "--model",
    "role",
    type=click.Choice(ROLES),
    help="Let the model in this role read the latest sessions; smol is the smaller, cheaper one.",
)
@click.option("--no-model", is_flag=True, help="Use no model, and do not offer one.")
@json_option
def up(sample: bool, no_serve: bool, exclude: tuple[str, ...], role: str | None, no_model: bool, as_json: bool) -> None:
    """Import past sessions of every agent, keep what matters, then summarise it.

    Needs no key, no model and no network. On a terminal, if a model or an agent's CLI is available, it asks once
    whether that may read the latest sessions, and says what it costs. If there are no sessions yet, it uses sample
    sessions. On a terminal it ends with the panel open, until Ctrl-C.
    """
    if role and no_model:
        raise UsageError("Give --model or --no-model, not both.")
    home = _brought_up(sample, no_serve, exclude, role, no_model, as_json)
    if not (no_serve or as_json):
        _show_panel(home)


def _brought_up(
    sample: bool, no_serve: bool, exclude: tuple[str, ...], role: str | None, no_model: bool, as_json: bool
) -> str:
    """Do it all, and tell; returns the home that it was done in."""
    if not sample:
        with opened(changes=True, creates=True) as memory:
            logs, skipped = memory.sessions.excluding(exclude).logs()
            for one in skipped:
                say(f"skipped {one.path}: {one.why}")
            if logs or memory.sessions.count():
                if role and not memory.models.is_on(role):
                    raise Refused(memory.models.why_none)
                ask = partial(_role_for, memory, role or "", quiet=no_model or as_json)
                _run(
                    memory, paths=(), exclude=exclude, sample=False, as_json=as_json, serves=not no_serve, role_for=ask
                )
                if not (as_json or no_serve):
                    offer_review(memory)
                return memory.home.root
        say("No coding-agent sessions on this machine yet; here is what it looks like with sample sessions.\n")
    from recollect.app import Recollect
    from recollect.files.sample_folder import emptied, sample_folder

    folder = sample_folder(environ())
    # Until the command is over, for the panel uses it too.
    click.get_current_context().with_resource(emptied(folder))
    with Recollect.open(os.path.join(folder, "home"), folder=folder, environ=environ()) as memory:
        use_home(memory.home.root)
        _run(memory, paths=(_samples(),), exclude=(), sample=True, as_json=as_json, serves=not no_serve)
        return memory.home.root


def _show_panel(home: str) -> None:
    """Serve the panel of this home and open it; without a terminal, say how."""
    if not _is_watched():
        say("Open the panel with `recollect serve`.")
        return
    from recollect.doors.cli.mcp import LOOPBACK, PORT
    from recollect.doors.cli.serve import run_server
    from recollect.doors.http.serving import Served

    found = {**environ(), "RECOLLECT_HOME": home}
    try:
        served = Served(found, folder=os.getcwd(), host=LOOPBACK, port=PORT)
    except Refused:  # another server has the port
        served = Served(found, folder=os.getcwd(), host=LOOPBACK, port=0)
    run_server(served, opens=True)


def _run(
    memory: Recollect,
    *,
    paths: tuple[str, ...],
    exclude: tuple[str, ...],
    sample: bool,
    as_json: bool,
    serves: bool,
    role_for: Callable[[Reading], str] = lambda reading: "",
) -> None:
    from recollect.flows.sessions.extraction import read as read_sessions
    from recollect.flows.setup.up import bring_in, to_read, told, write_up

    if not memory.settings.enabled:
        say(
            "recollect: Memory is switched off (enabled = false): sessions are imported, but nothing is kept from them."
        )
    found: list[HostFound] = []

    def say_found(hosts: list[HostFound]) -> None:
        found.extend(hosts)
        if not as_json:
            print_found(hosts, sample=sample)

    past = memory.sessions.excluding(exclude)
    with progress_bar(quiet=as_json) as progress:
        brought = bring_in(past, memory.opened, paths=paths, say_found=say_found, progress=progress)
    read: list[Extraction] = []
    reading = to_read(memory.opened)
    role = role_for(reading) if reading.sessions else ""
    if role:
        with progress_bar(quiet=as_json) as progress:
            read = read_sessions(reading.sessions, memory.opened, memory.models, role=role, progress=progress)
        for one in read:
            if one.why:
                say(f"recollect: The model stopped: {one.why}")
    with progress_bar(quiet=as_json) as progress:
        projects = write_up(memory.opened, progress=progress)
    done = told(brought, read, memory.opened, projects)
    if as_json:
        put_json(up_json(done, found, home=memory.home.root, sample=sample))
    else:
        samples = os.path.dirname(memory.home.root) if sample else ""
        may_connect = _is_unconnected(memory.repository.root, memory.settings.never_install)
        here = memory.repository.repository
        place = Place(samples, here, may_connect, keeps_terminal=serves and _is_watched())
        print_up(done, place, partial(short_name, store=memory.opened.store))


def _is_watched() -> bool:
    """Is a person at the terminal, who can look at the panel?"""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _is_unconnected(project: str, never: Sequence[str]) -> bool:
    """Is there an agent on this machine that has no memory yet, and that a person did not leave out?"""
    from recollect.files.home import Home, home_directory
    from recollect.flows.views.status import connections

    found = connections(Home(home_directory(environ())), environ(), project=project, never=never)
    return bool(found.missing)


def _role_for(memory: Recollect, role: str, reading: Reading, *, quiet: bool) -> str:
    """The role that may read this: the one that was named, or what a person at the terminal says."""
    from recollect.flows.models.offering import keep_answer, offered_model

    if role or quiet:
        return role
    name = offered_model(memory.opened)
    allowed = may_read(name, len(reading.sessions), reading.tokens) if name else None
    return "" if allowed is None else keep_answer(name, memory.opened, allowed=allowed)


def _samples() -> str:
    import recollect

    return os.path.join(os.path.dirname(os.path.abspath(recollect.__file__)), "sample")
