"""What waits for a person: pending, approve, reject."""

from __future__ import annotations

import click

from recollect.doors.cli.opening import opened, require_person
from recollect.doors.cli.options import WORDS, Command, json_option
from recollect.doors.cli.printing.outcomes import print_remembered
from recollect.doors.cli.printing.output import one_line, put_json, say
from recollect.doors.cli.printing.pending import print_pending
from recollect.doors.session_shapes import candidate_json
from recollect.errors import NotFound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.model.candidates import Candidate

candidate_argument = click.argument("candidate_id", metavar="[ID]", type=WORDS, required=False)


@click.command("pending", cls=Command, example="recollect pending")
@json_option
def pending(as_json: bool) -> None:
    """Show what waits for you.

    It was found in your sessions and is not sure enough to be stored.
    """
    with opened() as memory:
        print_pending(memory.pending.waiting(), as_json=as_json)


@click.command("approve", cls=Command, example="recollect approve c_01k0lint")
@candidate_argument
@json_option
def approve(candidate_id: str | None, as_json: bool) -> None:
    """Accept what waits; it is stored.

    Without an ID: the first of `recollect pending`.
    """
    require_person("What waits")
    with opened(changes=True) as memory:
        outcome = memory.pending.approve(candidate_id or _first(memory.pending.waiting()))
        print_remembered(outcome, memory, layer="L1", as_json=as_json)


@click.command("reject", cls=Command, example="recollect reject c_01k0lint")
@candidate_argument
@json_option
def reject(candidate_id: str | None, as_json: bool) -> None:
    """Reject what waits; it is not offered again.

    Without an ID: the first of `recollect pending`.
    """
    require_person("What waits")
    with opened(changes=True) as memory:
        rejected = memory.pending.reject(candidate_id or _first(memory.pending.waiting()))
        if as_json:
            put_json(candidate_json(rejected))
        else:
            say(f"Rejected: {one_line(rejected.what)}")


def _first(waiting: list[Candidate]) -> str:
    if not waiting:
        raise NotFound("Nothing waits for you.")
    return waiting[0].candidate_id
