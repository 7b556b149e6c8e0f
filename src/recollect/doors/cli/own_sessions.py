"""Sessions that Recollect keeps itself: session checkpoints|compact|replay|rewind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from recollect.doors.cli.opening import opened
from recollect.doors.cli.options import SHAPES, WORDS, Command, json_option
from recollect.doors.cli.printing.own_sessions import (
    print_checkpoint,
    print_checkpoints,
    print_compacted,
    print_compactions,
    print_latest_checkpoints,
    print_replay,
    print_rewound,
)
from recollect.errors import Ambiguous, NotFound, Refused, UsageError

if TYPE_CHECKING:
    from recollect.app import Recollect
    from recollect.flows.sessions.own_session import OwnSession

name_argument = click.argument("name", metavar="ID", type=WORDS)
turn_option = click.option("--turn", metavar="N", type=click.IntRange(min=1), default=None, help="Just before turn N.")
to_option = click.option("--to", "event", metavar="EVENT", type=WORDS, default="", help="Right after this event.")


def is_own(memory: Recollect, name: str) -> bool:
    """Does the name mean a session of our own, and no other?"""
    try:
        session_id = memory.own_sessions.find(name)
    except NotFound:
        return False
    if session_id != name:
        try:
            other = memory.sessions.get(name)
        except NotFound:
            return True
        if other.native_id == session_id:  # the same one, imported
            return True
        raise Ambiguous(f"More than one session matches {name}; give more characters.")
    return True


def _own(memory: Recollect, name: str) -> OwnSession:
    if is_own(memory, name):
        return memory.own_sessions.open(name)
    session = memory.sessions.get(name)
    raise Refused(
        f"The conversation of {session.session_id} is kept by its host, {session.host}, not here; "
        f"`recollect session show {session.session_id}` shows its turns."
    )


@click.command("checkpoints", cls=Command, example="recollect session checkpoints s_w6j3y8fk")
@click.argument("name", metavar="[ID]", type=WORDS, default="")
@click.option("--number", metavar="N", type=click.IntRange(min=1), default=None, help="Print this checkpoint in full.")
@click.option(
    "--limit", metavar="N", type=click.IntRange(min=1), default=20, show_default=True, help="Without an ID: at most N."
)
@click.option("--all", "everywhere", is_flag=True, help="Without an ID: in every repository.")
@json_option
def checkpoints(name: str, number: int | None, limit: int, everywhere: bool, as_json: bool) -> None:
    """List the checkpoints of a session.

    A checkpoint is made each time the conversation is compacted; it keeps the summary that replaced older messages.
    Without an ID, it lists the latest ones of this repository, from Recollect's own sessions and from other agents.
    """
    if number and not name:
        raise UsageError("--number needs the ID of a session.")
    with opened() as memory:
        if not name:
            found = memory.sessions.latest_checkpoints(everywhere=everywhere, limit=limit)
            print_latest_checkpoints(found, everywhere=everywhere, as_json=as_json)
            return
        if not is_own(memory, name):
            print_compactions(memory.sessions.show(name), as_json=as_json)
            return
        session = memory.own_sessions.open(name)
        if number is None:
            print_checkpoints(session, as_json=as_json)
        else:
            print_checkpoint(session, number, as_json=as_json)


@click.command("compact", cls=Command, example="recollect session compact s_w6j3y8fk --keep 'the API decisions'")
@name_argument
@click.option(
    "--window",
    metavar="N",
    type=click.IntRange(min=1),
    default=None,
    help="Tokens that fit.  [default: as the session's model]",
)
@click.option(
    "--keep", metavar="TEXT", default="", type=WORDS, help="What the summary must keep, such as 'API decisions'."
)
@json_option
def compact(name: str, window: int | None, keep: str, as_json: bool) -> None:
    """Replace the older part of a session with a summary.

    A checkpoint keeps the summary, and `session rewind --undo` undoes it. It works only for sessions that
    Recollect keeps.
    """
    with opened() as memory:
        session = _own(memory, name)
        result = session.compact(keep, window=window or 0)
        print_compacted(session, result, as_json=as_json)
    if result.status == "failed":
        click.get_current_context().exit(1)


@click.command("replay", cls=Command, example="recollect session replay s_w6j3y8fk --shape anthropic --json")
@name_argument
@turn_option
@to_option
@click.option("--shape", type=SHAPES, default=None, help="Print messages in this provider's format.")
@json_option
def replay(name: str, turn: int | None, event: str, shape: str | None, as_json: bool) -> None:
    """Rebuild a conversation from its log.

    As it is now, or as it was at a turn or an event, with compactions reapplied. Nothing is changed.
    """
    if shape and not as_json:
        raise UsageError("--shape needs --json.")
    with opened() as memory:
        session = _own(memory, name)
        messages = session.messages_at(turn=turn or 0, to=event) if turn or event else session.messages()
        print_replay(session, messages, shape=shape or "", as_json=as_json)


@click.command("rewind", cls=Command, example="recollect session rewind s_w6j3y8fk --turn 2")
@name_argument
@turn_option
@to_option
@click.option("--undo", is_flag=True, help="Undo the last rewind, compaction or turn instead.")
@json_option
def rewind(name: str, turn: int | None, event: str, undo: bool, as_json: bool) -> None:
    """Rewind a conversation to an earlier point.

    By default to just before its last turn. The log keeps everything, so a rewind can be undone.
    """
    if undo and (turn or event):
        raise UsageError("--undo cannot be combined with --turn or --to.")
    with opened() as memory:
        session = _own(memory, name)
        rewound = session.undo() if undo else session.rewind(turn=turn or 0, to=event)
        print_rewound(session, rewound, as_json=as_json)
