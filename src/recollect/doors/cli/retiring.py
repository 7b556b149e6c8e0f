"""Commands that take something out or back: forget, restore, undo."""

from __future__ import annotations

import click

from recollect.doors.cli.opening import as_agent, opened, outcome_of, require_consent, require_person
from recollect.doors.cli.options import WORDS, Command, id_argument, json_option, yes_option
from recollect.doors.cli.printing.outcomes import print_forgotten, print_remembered, print_restored, print_undone
from recollect.flows.writes.erase import damaged_copies


@click.command("forget", cls=Command, example="recollect forget e_01k0pnpm")
@id_argument
@click.option("--hard", is_flag=True, help="Erase it and what it replaced; this cannot be undone.")
@yes_option
@json_option
def forget(entry_id: str, hard: bool, yes: bool, as_json: bool) -> None:
    """Retire an entry, or erase every trace of it.

    A retired entry is never recalled, stays dead when an agent or a session says it again, and can be restored.
    """
    if hard:
        require_person("Erasing an entry")
    with opened(changes=True) as memory:
        entry = memory.entries.get(entry_id)
        if hard:
            require_consent(f"Erase {entry.entry_id} and its history for good?", yes=yes)
        agent = as_agent(memory)
        outcome = outcome_of(agent.remove(entry.entry_id)) if agent else None
        if outcome is None:
            memory.forget(entry.entry_id, hard=hard)
        if outcome is None or outcome.status == "stored":
            damaged = damaged_copies(memory.home) if hard else []
            print_forgotten(entry, hard=hard, as_json=as_json, damaged=damaged)
        else:
            print_remembered(outcome, memory, layer=entry.layer, as_json=as_json)
    if outcome and outcome.status == "refused":
        click.get_current_context().exit(1)


@click.command("restore", cls=Command, example="recollect restore e_01k0dead")
@id_argument
@json_option
def restore(entry_id: str, as_json: bool) -> None:
    """Bring a retired, superseded or sleeping entry back."""
    require_person("Restoring an entry")
    with opened(changes=True) as memory:
        before = memory.entries.get(entry_id)
        print_restored(memory.restore(entry_id), memory, before=before.status, as_json=as_json)


@click.command("undo", cls=Command, example="recollect undo")
@click.argument("name", metavar="[ID]", required=False, default="", type=WORDS)
@json_option
def undo(name: str, as_json: bool) -> None:
    """Take a change back.

    ID is an entry, a task or a project, whose last change is taken back, or the number of a change as `history` shows
    it; without one it is the last change of all. An undo can be undone by its own number.
    """
    require_person("Undoing a change")
    with opened(changes=True) as memory:
        print_undone(memory.undo(name), as_json=as_json)
