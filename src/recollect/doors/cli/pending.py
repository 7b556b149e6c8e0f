"""What waits for a person: pending, approve, reject."""

from __future__ import annotations

import click

from recollect.doors.cli.opening import opened
from recollect.doors.cli.options import WORDS, Command, json_option
from recollect.doors.cli.printing.pending import print_approved, print_pending, print_rejected, waiting_id
from recollect.errors import NotFound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.flows.writes.pending import Waiting

WHAT = "Deciding what is waiting"

waiting_argument = click.argument("name", metavar="[ID]", type=WORDS, required=False)


@click.command("pending", cls=Command, example="recollect pending")
@json_option
def pending(as_json: bool) -> None:
    """Show what is waiting for your review.

    Changes that an agent may not make alone, and things found in your sessions that are not sure enough to store.
    """
    with opened() as memory:
        print_pending(memory.pending.everything(), as_json=as_json)


@click.command("approve", cls=Command, example="recollect approve c_01k0lint")
@waiting_argument
@json_option
def approve(name: str | None, as_json: bool) -> None:
    """Approve something that is waiting; it is applied exactly as proposed.

    Without an ID: the first one in `recollect pending`.
    """
    with opened(changes=True) as memory:
        pending = memory.for_person(WHAT).pending
        waiting = pending.get(name or _first(pending.everything()))
        outcome = pending.approve(waiting_id(waiting))
        print_approved(outcome, waiting.what, as_json=as_json)
    if not outcome.is_done:
        click.get_current_context().exit(1)


@click.command("reject", cls=Command, example="recollect reject c_01k0lint")
@waiting_argument
@json_option
def reject(name: str | None, as_json: bool) -> None:
    """Reject something that is waiting; it is not proposed again.

    Without an ID: the first one in `recollect pending`.
    """
    with opened(changes=True) as memory:
        pending = memory.for_person(WHAT).pending
        print_rejected(pending.reject(name or _first(pending.everything())), as_json=as_json)


def _first(waiting: list[Waiting]) -> str:
    if not waiting:
        raise NotFound("Nothing is waiting for you.")
    return waiting_id(waiting[0])
