"""`recollect token`: which programs may use the service."""

from __future__ import annotations

import click

from recollect.doors.cli.opening import opened
from recollect.doors.cli.options import WORDS, Command, Group, json_option
from recollect.doors.cli.printing.tokens import print_added, print_revoked, print_tokens
from recollect.model.access import ACCESS_SCOPES


@click.group("token", cls=Group, default="list", example="recollect token list")
def token() -> None:
    """Show and change which programs may use the service."""


@token.command("add", cls=Command, needs_person=True, example="recollect token add ci --scope write")
@click.argument("name", metavar="NAME", type=WORDS)
@click.option("--scope", type=click.Choice(ACCESS_SCOPES), default="read", help="Each scope includes those before it.")
@json_option
def add(name: str, scope: str, as_json: bool) -> None:
    """Create a token for a program; it is shown once.

    What a program writes with it counts as an agent's: risky changes wait for you.
    """
    with opened(changes=True, creates=True) as memory:
        print_added(*memory.for_person("Adding a token").tokens.add(name, scope), as_json=as_json)


@token.command("list", cls=Command, example="recollect token list")
@json_option
def list_tokens(as_json: bool) -> None:
    """List tokens with their scopes and when they were last used."""
    with opened() as memory:
        print_tokens(memory.tokens.listed(), as_json=as_json)


@token.command("revoke", cls=Command, example="recollect token revoke old")
@click.argument("name", metavar="NAME", type=WORDS)
@json_option
def revoke(name: str, as_json: bool) -> None:
    """Revoke a token, by its name or id.

    Agents cannot do this; a script of yours can.
    """
    with opened(changes=True) as memory:
        # It only takes power away, and you may be in a hurry somewhere without a terminal.
        print_revoked(memory.for_person("Revoking a token", away=True).tokens.revoke(name), as_json=as_json)
