"""`recollect memory` and `recollect read`: what past sessions of a project left, and how it is made."""

from __future__ import annotations

import click

from recollect.doors.cli.opening import opened, require_consent
from recollect.doors.cli.options import WORDS, Command, Group, json_option
from recollect.doors.cli.printing.memories import (
    print_built,
    print_cleared,
    print_enqueued,
    print_standing,
    print_undone,
    print_view,
)
from recollect.doors.cli.printing.output import put_json, put_text, say
from recollect.doors.cli.printing.progress import progress_bar
from recollect.doors.mcp.addresses import parse
from recollect.flows.views.name_repository import place_name

WHAT = "Changing the memory of a project"


@click.group("memory", cls=Group, default="status", example="recollect memory status")
def memory() -> None:
    """Show, rebuild and clear this project's memory of past sessions."""


@memory.command("view", cls=Command, example="recollect memory view")
@json_option
def view(as_json: bool) -> None:
    """Show exactly what a session here receives at its start."""
    with opened() as recollect:
        print_view(recollect.artifacts.view(), is_on=recollect.settings.memories.enabled, as_json=as_json)


@memory.command("status", cls=Command, example="recollect memory status")
@json_option
def status(as_json: bool) -> None:
    """Show the files, the jobs, the last run and what it cost."""
    with opened() as recollect:
        found = recollect.artifacts.status()
        print_standing(found, place=place_name(found.repository, recollect.opened.store), as_json=as_json)


@memory.command("rebuild", cls=Command, example="recollect memory rebuild --now")
@click.option("--now", "at_once", is_flag=True, help="Do it now instead of leaving it to the background worker.")
@json_option
def rebuild(at_once: bool, as_json: bool) -> None:
    """Consolidate again, including what was cleared, even if nothing changed.

    It uses rules, or the models in the roles default and smol; you see the expected cost first.
    """
    _rebuild(at_once=at_once, as_json=as_json)


@memory.command("enqueue", cls=Command, example="recollect memory enqueue")
@json_option
def enqueue(as_json: bool) -> None:
    """Same as `rebuild` without --now: the background worker consolidates."""
    _rebuild(at_once=False, as_json=as_json)


def _rebuild(*, at_once: bool, as_json: bool) -> None:
    with opened(changes=True) as recollect:
        artifacts = recollect.artifacts
        if not at_once:
            print_enqueued(artifacts.enqueue(), as_json=as_json)
            return
        tokens = artifacts.expected_tokens()
        if tokens:
            say(f"recollect: This will use about {tokens:,} tokens of {recollect.models.spec()}.")
        with progress_bar(quiet=as_json) as progress:
            built = artifacts.rebuild(progress=progress)
        print_built(built, as_json=as_json)


def _clear(*, everywhere: bool, yes: bool, as_json: bool) -> None:
    with opened(changes=True) as recollect:
        chosen = recollect.for_person(WHAT).artifacts
        whose = "every project" if everywhere else chosen.repository or "this folder"
        require_consent(f"Delete the memory of past sessions of {whose}, and its files?", yes=yes)
        print_cleared(chosen.clear(everywhere=everywhere), as_json=as_json)


everywhere_option = click.option("--all", "everywhere", is_flag=True, help="All projects, not only this one.")
yes_option = click.option("--yes", is_flag=True, help="Do not ask.")


@memory.command("clear", cls=Command, needs_person=True, example="recollect memory clear --yes")
@everywhere_option
@yes_option
@json_option
def clear(everywhere: bool, yes: bool, as_json: bool) -> None:
    """Delete this project's memory of past sessions, and its files.

    Entries and sessions stay. `recollect memory undo` brings it back until the next run; cleared sessions are read
    again only after `recollect memory rebuild`.
    """
    _clear(everywhere=everywhere, yes=yes, as_json=as_json)


@memory.command("reset", cls=Command, needs_person=True, example="recollect memory reset --all --yes")
@everywhere_option
@yes_option
@json_option
def reset(everywhere: bool, yes: bool, as_json: bool) -> None:
    """Same as `clear`."""
    _clear(everywhere=everywhere, yes=yes, as_json=as_json)


@memory.command("undo", cls=Command, needs_person=True, example="recollect memory undo")
@json_option
def undo(as_json: bool) -> None:
    """Undo the last clear, or go back to the previous version."""
    with opened(changes=True) as recollect:
        print_undone(recollect.for_person(WHAT).artifacts.undo(), as_json=as_json)


@click.command("read", cls=Command, example="recollect read memory://root/MEMORY.md")
@click.argument("address", type=WORDS)
@json_option
def read(address: str, as_json: bool) -> None:
    """Read a memory:// address.

    memory://root is the summary, memory://root/MEMORY.md everything with its evidence, and
    memory://root/skills/NAME/SKILL.md a skill. Entries, sessions, turns and receipts have addresses too.
    """
    wanted = parse(address)
    with opened() as recollect:
        if wanted.kind == "root":
            text = recollect.artifacts.summary()
        elif wanted.kind == "artifact":
            text = recollect.artifacts.read(wanted.name, wanted.block)
        else:
            from recollect.doors.mcp.reading import answer_read

            found = answer_read(address, "", recollect)
            put_json(found.data) if as_json else put_text(found.text)
            return
    if as_json:
        put_json({"address": wanted.address, "kind": wanted.kind, "text": text})
    else:
        put_text(text.rstrip("\n"))
