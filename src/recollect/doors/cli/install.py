"""Connect Recollect to the agents on this machine, and take it out again: install, uninstall."""

from __future__ import annotations

import os
from contextlib import contextmanager
from functools import partial

import click

from recollect.doors.cli.opening import environ, opened, require_consent
from recollect.doors.cli.options import WORDS, Command, json_option, yes_option
from recollect.doors.cli.printing.installs import block_notes, listed, notes_for, print_done, print_edits, question
from recollect.doors.cli.printing.output import say
from recollect.errors import Refused, UsageError
from recollect.files.home import Home, home_directory
from recollect.files.repositories import identify

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

ALL = "all"
hosts_argument = click.argument("hosts", metavar="HOST...|all", nargs=-1, required=True, type=WORDS)
some_hosts = click.argument("hosts", metavar="[HOST...|all]", nargs=-1, type=WORDS)
project_option = click.option("--project", is_flag=True, help="Only in the repository or folder you are in.")
full_option = click.option("--full", is_flag=True, help="Show every line, also of long files that are all ours.")
dry_run_option = click.option("--dry-run", is_flag=True, help="Show the changes without making them.")


@click.command("install", cls=Command, example="recollect install claude-code codex --dry-run")
@some_hosts
@project_option
@click.option(
    "--never", metavar="HOST", multiple=True, type=WORDS, help="Leave this host out from now on (needs a person)."
)
@click.option("--agents-md", is_flag=True, help="Also add a block of memory to AGENTS.md here.")
@dry_run_option
@full_option
@yes_option
@json_option
def install(
    hosts: tuple[str, ...],
    project: bool,
    never: tuple[str, ...],
    agents_md: bool,
    dry_run: bool,
    full: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Connect coding agents: hooks and the MCP server.

    HOST is claude-code, codex, copilot-cli, gemini-cli, cursor, vscode, opencode or pi; `all` means those on this
    machine. You see the changes before anything is written. goose, aider and others read a block in AGENTS.md.
    `all` skips hosts whose files are broken, and those you left out with --never; to connect one of these again,
    name it.
    """
    from recollect.flows.setup.install import apply, plan, without_broken
    from recollect.flows.setup.installed import joined_block
    from recollect.flows.setup.never_install import leave_out, take_in

    here, home = environ(), Home(home_directory(environ()))
    if never:
        left = leave_out(never, environ=here)
        say(f"Left out from now on: {', '.join(left)}. Connect one again with `recollect install HOST`.")
        for told in _still_connected(never, home, here):
            say(told)
    if not hosts:
        if not never:
            raise UsageError("Name a host, or `all`.")
        return
    take_in(hosts, environ=here)
    folder = _folder(here)
    if project:
        _require_project(folder, here)
    names = _names(hosts, here, home, agents_md=agents_md)
    broken: dict[str, str] = {}
    if ALL in hosts:
        planned = partial(plan, home=home, environ=here, project=folder if project else "")
        names, broken = without_broken(names, planned)
        if not names:
            raise Refused("\n".join(_told(broken, "connected", "install")))
    block = (folder, _block()) if agents_md else ("", "")
    with _offering_the_others(names):
        edits = plan(names, home=home, environ=here, project=folder if project else "", block=block)
    needed, joined = [edit for edit in edits if edit.is_needed], joined_block(edits, home=home)
    if needed and not as_json:
        print_edits(needed, full=full)
    if not dry_run:
        if needed:
            require_consent(question(needed), yes=yes)
        with opened(creates=True):
            pass  # a hook has no time to make a database: it is made here, and where it cannot be, nothing is written
        apply(edits, home=home)
    notes = [
        *_told(broken, "connected", "install"),
        *_not_here(names, here, home),
        *notes_for(names, edits, project=project),
        *block_notes(names, edits, installing=True, wrote=not dry_run),
    ]
    print_done(
        names, needed, home=home, wrote=not dry_run, installing=True, joined=joined, notes=notes, as_json=as_json
    )
    _exit_if(broken)


@click.command("uninstall", cls=Command, example="recollect uninstall all --dry-run")
@hosts_argument
@project_option
@dry_run_option
@full_option
@yes_option
@json_option
def uninstall(hosts: tuple[str, ...], project: bool, dry_run: bool, full: bool, yes: bool, as_json: bool) -> None:
    """Remove Recollect from coding agents.

    It removes exactly what install wrote; a file that nobody else edited is restored byte for byte. Your memory stays.
    `all` skips hosts whose files are broken.
    """
    from recollect.flows.setup.install import INSTALLABLE, plan_removal, recorded_hosts, remove, without_broken

    here, home = environ(), Home(home_directory(environ()))
    folder = _folder(here)
    everything = dict.fromkeys([*INSTALLABLE, *recorded_hosts(home)])
    names = list(everything) if ALL in hosts else _names(hosts, here, home, agents_md=True)
    where = folder if project else ""
    planned = partial(plan_removal, home=home, environ=here, project=where, folder=folder)
    broken: dict[str, str] = {}
    if ALL in hosts:
        names, broken = without_broken(names, planned)
    with _offering_the_others(names):
        edits = planned(names)
    needed = [edit for edit in edits if edit.is_needed]
    if needed and not as_json:
        print_edits(needed, full=full)
    if not dry_run:
        if needed:
            require_consent(question(needed), yes=yes)
        remove(names, home=home, environ=here, project=where, folder=folder)
        _tell_guests(here, home, where)
    told = _told(broken, "disconnected", "uninstall")
    notes = [*told, *_left_in_project(names, home, here, folder if not project else "")]
    notes += [*block_notes(names, edits, installing=False)]
    notes += [] if dry_run else _still_lent(names, home, here, folder)
    left = any(edit.kept_for for edit in edits)
    print_done(names, needed, home=home, wrote=not dry_run, installing=False, left=left, notes=notes, as_json=as_json)
    _exit_if(broken)


@contextmanager
def _offering_the_others(hosts: Sequence[str]) -> Iterator[None]:
    """Where one of several files is broken, the other hosts can do without it."""
    from recollect.flows.setup.install import FileBroken

    try:
        yield
    except FileBroken as error:
        if len(hosts) == 1:
            raise
        raise Refused(f"{str(error).rstrip('.')}, or name only the other hosts.") from error


def _told(broken: Mapping[str, str], what: str, command: str) -> list[str]:
    """What became of each host whose file is broken, and what to do."""
    from recollect.model.hosts import TITLES

    return [
        f"{TITLES[host]} was not {what}: {why}. Fix the file, then run `recollect {command} {host}`."
        for host, why in broken.items()
    ]


def _exit_if(broken: Mapping[str, str]) -> None:
    if broken:
        click.get_current_context().exit(1)


def _still_connected(hosts: Sequence[str], home: Home, here: Mapping[str, str]) -> list[str]:
    from recollect.flows.setup.installed import inspect

    folder = _folder(here)
    seen = [inspect(host, home=home, environ=here, project=folder) for host in dict.fromkeys(hosts)]
    return [
        f"{one.host} is still connected. Remove it with {one.removed_with}."
        for one in seen
        if one.installed and not one.is_guest
    ]


def _not_here(hosts: Sequence[str], here: Mapping[str, str], home: Home) -> list[str]:
    """That agents are connected that nobody has on this machine."""
    from recollect.flows.setup.install import INSTALLABLE, found_hosts
    from recollect.model.hosts import TITLES

    present = found_hosts(here, home)
    missing = [TITLES[host] for host in hosts if host in INSTALLABLE and host not in present]
    if not missing:
        return []
    if len(missing) == 1:
        return [f"{missing[0]} was not found on this machine; these files are used once you install it."]
    return [f"{listed(missing)} were not found on this machine; these files are used once you install them."]


def _left_in_project(hosts: Sequence[str], home: Home, here: Mapping[str, str], folder: str) -> list[str]:
    """What is still connected in this project alone, by files of its own; what it only reads is another host's."""
    from recollect.flows.setup.install import INSTALLABLE
    from recollect.flows.setup.installed import command_for, inspect

    found = [inspect(host, home=home, environ=here, project=folder) for host in hosts if folder and host in INSTALLABLE]
    own = [
        (one, [source for source in one.sources if source.where == "project" and not source.lender]) for one in found
    ]
    left = [one.title for one, sources in own if sources]
    if not left:
        return []
    command = command_for("uninstall", [source for _, sources in own for source in sources])
    return [f"Still connected in this project: {', '.join(left)}. Remove with {command}."]


def _still_lent(hosts: Sequence[str], home: Home, here: Mapping[str, str], folder: str) -> list[str]:
    """What still runs our hooks because it reads the settings of another host."""
    from recollect.flows.setup.install import INSTALLABLE
    from recollect.flows.setup.installed import command_for, inspect
    from recollect.model.hosts import TITLES

    found = [inspect(host, home=home, environ=here, project=folder) for host in hosts if host in INSTALLABLE]
    lent = [(one.title, source) for one in found if one.is_guest for source in one.sources if source.commands]
    return [
        f"{title} still runs Recollect: it also reads {source.path}, which was written for "
        f"{listed([TITLES[owner] for owner in source.owners])}. "
        f"Remove that with {command_for('uninstall', [source])}."
        for title, source in lent
    ]


def _tell_guests(here: Mapping[str, str], home: Home, project: str) -> None:
    """VS Code may have run the hooks that are gone now."""
    from recollect.flows.setup.installed import inspect

    vscode = inspect("vscode", home=home, environ=here, project=project)
    if vscode.servers and not vscode.installed:
        say("VS Code ran these hooks too. Give it its own with `recollect install vscode`.")


def _folder(here: Mapping[str, str]) -> str:
    """The root of the working tree, or the folder itself where there is none."""
    return identify(os.getcwd(), home=here.get("HOME")).root or os.getcwd()


def _require_project(folder: str, here: Mapping[str, str]) -> None:
    """In the home folder a project's files would be the user's own."""
    if not identify(folder, home=here.get("HOME")).repository:
        raise Refused(f"{folder} is not a project. Change to one, or leave out --project to connect everywhere.")


def _block() -> str:
    from recollect.flows.setup.agents_block import agents_block

    with opened(creates=True) as memory:
        return agents_block(memory.opened)


def _names(hosts: Sequence[str], here: Mapping[str, str], home: Home, *, agents_md: bool) -> list[str]:
    from recollect.flows.setup.install import INSTALLABLE, found_hosts, installer
    from recollect.flows.setup.never_install import never_installed
    from recollect.model.hosts import TITLES, did_you_mean

    if ALL in hosts:
        out = never_installed(here)
        found = [host for host in found_hosts(here, home) if host not in out]
        if not found:
            raise Refused(f"No coding agent was found on this machine; name one: {', '.join(INSTALLABLE)}.")
        return found
    for host in hosts:
        if host not in TITLES:
            meant = did_you_mean(host)
            raise UsageError(f'"{host}" is not a supported host.{meant} Hosts: {", ".join(INSTALLABLE)}, or all.')
        if not agents_md:
            installer(host)
    return [host for host in TITLES if host in hosts]
