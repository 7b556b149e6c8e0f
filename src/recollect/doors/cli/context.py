"""Message lists in files: compact, truncate."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import click

from recollect.doors.cli.opening import environ, from_file, opened
from recollect.doors.cli.options import SHAPES, WORDS, Command, json_option
from recollect.doors.cli.printing.output import counted, put_json, say
from recollect.errors import UsageError

if TYPE_CHECKING:
    from recollect.flows.compaction.conversation import Conversation

shape_option = click.option(
    "--shape", type=SHAPES, default=None, help="The format of the messages.  [default: detected]"
)
window_option = click.option(
    "--window", metavar="N", type=click.IntRange(min=1), required=True, help="The model's window, in tokens."
)
file_argument = click.argument("path", metavar="FILE", type=WORDS)


@click.command("compact", cls=Command, example="recollect compact messages.json --window 8000 --json")
@file_argument
@window_option
@shape_option
@click.option("--model", "role", metavar="ROLE", default="", help="Let the model in this role write the summary.")
@click.option(
    "--keep", metavar="TEXT", default="", type=WORDS, help="What the summary must keep, such as 'API decisions'."
)
@json_option
def compact(path: str, window: int, shape: str | None, role: str, keep: str, as_json: bool) -> None:
    """Replace the older part of a conversation with a summary.

    FILE is a list of OpenAI or Anthropic messages (- reads stdin); the compacted list is printed on stdout.
    """
    messages = _messages(path)
    if role:
        # What a model takes is counted in the home.
        with opened() as memory:
            done = memory.context.compact(messages, window=window, shape=shape or "", instructions=keep, role=role)
    else:
        done = _conversation().compact(messages, window=window, shape=shape or "", instructions=keep)
    result = done.result
    if as_json:
        names = ("status", "why", "tokens_before", "tokens_after", "messages_before", "messages_after", "summary")
        _put({**{name: getattr(result, name) for name in names}, "messages": done.messages})
    else:
        _put(done.messages)
        from recollect.doors.cli.printing.own_sessions import compaction_line

        say(compaction_line(result))
    if result.status == "failed":
        click.get_current_context().exit(1)


@click.command("truncate", cls=Command, example="recollect truncate messages.json --window 8000")
@file_argument
@window_option
@shape_option
@json_option
def truncate(path: str, window: int, shape: str | None, as_json: bool) -> None:
    """Drop older material from a request until it fits.

    System messages and the last request stay, and no tool call loses its result.
    """
    messages = _messages(path)
    done = _conversation().truncate(messages, window=window, shape=shape or "")
    if as_json:
        _put(done._asdict())
    else:
        _put(done.messages)
        removed = counted(done.messages_removed, "message")
        say(f"{done.tokens_before} tokens -> {done.tokens_after}; removed {removed}.")
    if done.tokens_after > window:
        say(f"The system messages and the last request alone do not fit a window of {window} tokens.")
        click.get_current_context().exit(1)


def _put(document: Any) -> None:
    from recollect.flows.compaction.conversation import shown

    put_json(shown(document))


def _conversation() -> Conversation:
    """What the settings here say about conversations. Neither needs a memory, so no home is made or opened."""
    from recollect.flows.compaction.conversation import Conversation
    from recollect.flows.opened import read_settings

    _, settings = read_settings(environ())
    for warning in settings.warnings:
        say(f"recollect: {warning}")
    return Conversation(settings, folder=os.getcwd(), report=lambda problem: say(f"recollect: {problem}"))


def _messages(path: str) -> Any:
    name = "The input" if path == "-" else path
    try:
        document = json.loads(from_file(path))
    except ValueError as error:
        raise UsageError(f"{name} is not valid JSON: {error}.") from error
    except RecursionError:
        document = None
    from recollect.flows.compaction.conversation import TOO_DEEP, is_too_deep

    if document is None or is_too_deep(document):
        raise UsageError(f"{name} {TOO_DEEP}.")
    listed = document.get("messages", document.get("input")) if isinstance(document, dict) else document
    if not isinstance(listed, list) or not all(map(_is_message, listed)):
        raise UsageError(f"{name} is not a list of messages: each needs a role, or a type.")
    return document


def _is_message(value: object) -> bool:
    return isinstance(value, dict) and (isinstance(value.get("role"), str) or isinstance(value.get("type"), str))
