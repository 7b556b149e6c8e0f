"""Commands that take something out or back: forget, restore, undo."""

from __future__ import annotations

import click

from recollect.doors.cli.opening import opened, require_consent
from recollect.doors.cli.options import WORDS, Command, id_argument, json_option, yes_option
from recollect.doors.cli.printing.outcomes import (
    exit_if_refused,
    print_forgotten,
    print_remembered,
    print_restored,
    print_undone,
)
from recollect.doors.cli.printing.output import one_line, say
from recollect.doors.cli.printing.pending import print_reopened
from recollect.flows.writes.erase import damaged_copies
from recollect.text.ids import CANDIDATE, STAGED, short_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.app import Recollect


@click.command("forget", cls=Command, example="recollect forget e_x7k2m9qf")
@id_argument
@click.option(
    "--hard",
    is_flag=True,
    help="Erase it and what it replaced; this cannot be undone. Only you can do this, in your own terminal.",
)
@yes_option
@json_option
def forget(entry_id: str, hard: bool, yes: bool, as_json: bool) -> None:
    """Retire an entry, or erase every trace of it.

    A retired entry is never recalled and can be restored. It stays retired even if an agent or a session repeats it.
    """
    with opened(changes=True) as memory:
        if hard:
            _erase(entry_id, memory, yes=yes, as_json=as_json)
            return
        entry = memory.entries.get(entry_id)
        outcome = memory.writes().remove(entry.entry_id)
        if outcome.is_done:
            print_forgotten(entry, hard=False, as_json=as_json)
        else:
            print_remembered(outcome, memory, layer=entry.layer, as_json=as_json)
    exit_if_refused(outcome)


def _erase(entry_id: str, memory: Recollect, *, yes: bool, as_json: bool) -> None:
    memory = memory.for_person("Erasing an entry")
    entry = memory.entries.get(entry_id)
    say(f"This will be erased, with its history: “{one_line(entry.content)}”")
    require_consent(f"Erase {short_id(entry.entry_id)} for good?", yes=yes)
    memory.forget(entry.entry_id, hard=True)
    print_forgotten(entry, hard=True, as_json=as_json, damaged=damaged_copies(memory.home))


@click.command("restore", cls=Command, needs_person=True, example="recollect restore e_b3w8t5rc")
@id_argument
@json_option
def restore(entry_id: str, as_json: bool) -> None:
    """Bring back a retired, replaced or inactive entry."""
    with opened(changes=True) as memory:
        memory = memory.for_person("Restoring an entry")
        before = memory.entries.get(entry_id)
        print_restored(memory.restore(entry_id), memory, before=before.status, as_json=as_json)


@click.command("undo", cls=Command, needs_person=True, example="recollect undo")
@click.argument("name", metavar="[ID]", required=False, default="", type=WORDS)
@json_option
def undo(name: str, as_json: bool) -> None:
    """Undo a change.

    ID is an entry, task or project, to undo its last change, or the number of a change from `history`. Without an ID,
    it undoes the latest change of this repository, or of what holds everywhere; run it again to go further back. To
    undo an undo, give the number that it prints. A rejection changes nothing, so it is undone only by the ID of what
    you rejected, which then waits again. For a suggestion use `suggest undo`; the board and settings have no undo.
    """
    with opened(changes=True) as memory:
        memory = memory.for_person("Undoing a change")
        if name.startswith((CANDIDATE, STAGED)):
            print_reopened(memory.pending.reopen(name), as_json=as_json)
        else:
            print_undone(memory.undo(name), memory, as_json=as_json)
