"""`recollect permissions`: what agents may change without asking."""

from __future__ import annotations

import click

from recollect.doors.cli.opening import opened
from recollect.doors.cli.options import WORDS, Command, Group, json_option
from recollect.doors.cli.printing.permissions import print_allowed, print_permissions, print_revoked
from recollect.flows.views.name_repository import place_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.app import Recollect

WHAT = "Changing what agents may do"


@click.group("permissions", cls=Group, default="list", example="recollect permissions")
def permissions() -> None:
    """Show and change what agents may change without asking."""


@permissions.command("list", cls=Command, example="recollect permissions list")
@json_option
def list_permissions(as_json: bool) -> None:
    """List the rules that apply here and your standing approvals."""
    with opened() as memory:
        print_permissions(memory.settings, memory.permissions.listed(), _names(memory), as_json=as_json)


@permissions.command("allow", cls=Command, needs_person=True, example="recollect permissions allow")
@json_option
def allow(as_json: bool) -> None:
    """Let agents change memory in this repository without asking.

    This includes risky changes; deny rules still apply.
    """
    with opened(changes=True) as memory:
        print_allowed(memory.for_person(WHAT).permissions.allow_here(), _names(memory), as_json=as_json)


@permissions.command("revoke", cls=Command, needs_person=True, example="recollect permissions revoke a_k5d9z3mp")
@click.argument("approval_id", metavar="ID", type=WORDS)
@json_option
def revoke(approval_id: str, as_json: bool) -> None:
    """Revoke an approval for a session or a repository."""
    with opened(changes=True) as memory:
        print_revoked(memory.for_person(WHAT).permissions.revoke(approval_id), _names(memory), as_json=as_json)


def _names(memory: Recollect) -> Callable[[str], str]:
    return lambda repository: place_name(repository, memory.opened.store)
