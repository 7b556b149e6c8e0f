"""What waits for a person: pending, approve, reject."""

from __future__ import annotations

import sys

import click

from recollect.doors.cli.opening import opened
from recollect.doors.cli.options import WORDS, Command, json_option
from recollect.doors.cli.printing.output import asked, one_line
from recollect.doors.cli.printing.pending import (
    print_approved,
    print_pending,
    print_reason,
    print_rejected,
    waiting_id,
    would_do,
)
from recollect.errors import NotFound, UsageError
from recollect.text.ids import short_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.app import Recollect

WHAT = "Deciding what is waiting"

waiting_argument = click.argument("name", metavar="[ID]", type=WORDS, required=False)


@click.command("pending", cls=Command, example="recollect pending")
@json_option
def pending(as_json: bool) -> None:
    """Show what is waiting for your review.

    These are changes that an agent may not make alone, and things found in your sessions that are not certain enough
    to be stored.
    """
    with opened() as memory:
        suggested = memory.pending.suggestions(memory.repository.repository)
        print_pending(memory, memory.pending.everything(), suggested, as_json=as_json)


@click.command("approve", cls=Command, needs_person=True, example="recollect approve c_t4w8n2hv")
@waiting_argument
@json_option
def approve(name: str | None, as_json: bool) -> None:
    """Approve something that is waiting; it is applied exactly as proposed.

    Without an ID it asks about the first one in `recollect pending`.
    """
    with opened(changes=True) as memory:
        pending = memory.for_person(WHAT).pending
        waiting = pending.get(name or _first(memory))
        outcome = pending.approve(waiting_id(waiting))
        print_approved(outcome, waiting.what, memory, as_json=as_json)
    if not outcome.is_done:
        click.get_current_context().exit(1)


@click.command("reject", cls=Command, needs_person=True, example="recollect reject c_t4w8n2hv")
@waiting_argument
@json_option
def reject(name: str | None, as_json: bool) -> None:
    """Reject something that is waiting; it is not proposed again.

    Without an ID it asks about the first one in `recollect pending`.
    """
    with opened(changes=True) as memory:
        pending = memory.for_person(WHAT).pending
        print_rejected(pending.reject(name or _first(memory, rejects=True)), as_json=as_json)


def _first(memory: Recollect, *, rejects: bool = False) -> str:
    """The first of what waits, once a person at the terminal has read what would be done, and says so."""
    verb = "Reject" if rejects else "Approve"
    waiting = memory.pending.everything()
    if not waiting:
        raise NotFound("Nothing is waiting for you.")
    if not sys.stdin.isatty():
        raise UsageError(f"{verb} which one? Give its ID; `recollect pending` shows what is waiting.")
    one = waiting[0]
    does = would_do(one)
    print_reason(one, memory)
    question = f"Reject the proposal to {does[0].lower()}{does[1:]}" if rejects else does
    click.confirm(asked(f"{question} “{one_line(one.what)}” ({short_id(waiting_id(one))})?"), abort=True, err=True)
    return waiting_id(one)
