"""`recollect board`: list, get, add, prune, consolidate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from recollect.doors.cli.answers import confirmed
from recollect.doors.cli.asking import can_ask
from recollect.doors.cli.opening import opened
from recollect.doors.cli.options import WORDS, Command, Group, json_option, yes_option
from recollect.doors.cli.printing.boards import (
    print_added,
    print_board,
    print_consolidated,
    print_item,
    print_pruned,
    told_loss,
)
from recollect.doors.cli.printing.output import asked, say
from recollect.flows.writes.actors import Agent
from recollect.model.board import AGENT, SOURCES, USER

if TYPE_CHECKING:
    from recollect.model.board import BoardItem

src_option = click.option("--src", type=click.Choice(SOURCES), help="Whose item.  [default: yours, or else an agent's]")
name_argument = click.argument("name", type=WORDS)


@click.group("board", cls=Group, default="list", example="recollect board")
def board() -> None:
    """Show and change the context board of this repository and branch.

    The board holds at most 25 short items. Agents see it only if subconscious.enabled is true.
    """


@board.command("list", cls=Command, example="recollect board list")
@json_option
def list_items(as_json: bool) -> None:
    """List the items of the board."""
    with opened() as memory:
        print_board(memory.board.list(), memory.board, as_json=as_json)


@board.command("get", cls=Command, example="recollect board get run-tests")
@name_argument
@src_option
@json_option
def get(name: str, src: str | None, as_json: bool) -> None:
    """Print one item; the read is counted."""
    with opened() as memory:
        print_item(memory.board.get(name, src or ""), as_json=as_json)


@board.command(
    "add",
    cls=Command,
    example='recollect board add run-tests --description "How to test" --content "make test"',
)
@name_argument
@click.option("--description", required=True, type=WORDS, help="One line for the table.")
@click.option("--content", required=True, type=WORDS, help="What the item says.")
@yes_option
@json_option
def add(name: str, description: str, content: str, yes: bool, as_json: bool) -> None:
    """Add an item, or overwrite your item with that name.

    On a terminal you are asked before it is overwritten. In an agent's shell, the item counts as the agent's.
    """
    with opened(changes=True, creates=True) as memory:
        actor = memory.caller
        src, made_by = (AGENT, actor.client) if isinstance(actor, Agent) else (USER, USER)
        known = memory.board.known(name, src)
        if known is not None and (known.description, known.content) != (description.strip(), content.strip()):
            _require_consent("Overwrite", known, yes=yes)
        done = memory.board.add(name, description, content, src=src, made_by=made_by)
        print_added(done, memory.board, as_json=as_json)


@board.command("prune", cls=Command, example="recollect board prune run-tests")
@name_argument
@src_option
@yes_option
@json_option
def prune(name: str, src: str | None, yes: bool, as_json: bool) -> None:
    """Take an item off the board; agents do not add it again.

    On a terminal you are asked first. In an agent's shell, only agents' items can be taken off.
    """
    with opened(changes=True) as memory:
        by = AGENT if isinstance(memory.caller, Agent) else USER
        if by == USER:
            _require_consent("Take off", memory.board.look(name, src or ""), yes=yes)
        print_pruned(memory.board.prune(name, src or "", by=by), as_json=as_json)


@board.command("consolidate", cls=Command, example="recollect board consolidate --dry-run")
@click.option("--dry-run", is_flag=True, help="Show the changes without making them.")
@json_option
def consolidate(dry_run: bool, as_json: bool) -> None:
    """Update the board with what past sessions on this branch prove."""
    with opened(changes=not dry_run) as memory:
        print_consolidated(memory.rem.consolidate_here(dry_run=dry_run), as_json=as_json)


def _require_consent(deed: str, item: BoardItem, *, yes: bool) -> None:
    """Ask whoever sits at a terminal before the text of an item is gone; a script meant what it says."""
    if yes or not can_ask():
        return
    say(told_loss(item))
    if not confirmed(asked(f"{deed} {item.name}?")):
        raise click.Abort
