"""`recollect chat`."""

from __future__ import annotations

import sys

import click

from recollect.doors.cli.opening import environ, from_stdin
from recollect.doors.cli.options import HOME, WORDS, Command
from recollect.doors.cli.printing.output import say
from recollect.errors import Refused, UsageError
from recollect.permissions import EVERY_KIND

KINDS = ", ".join(EVERY_KIND)
LONGEST_PROMPT = 1_000_000


@click.command("chat", cls=Command, example='recollect chat -p "What do you remember about this repository?"')
@click.option("-p", "--prompt", metavar="PROMPT", type=WORDS, help="Answer this and exit; - reads it from stdin.")
@click.option(
    "--output",
    type=click.Choice(["text", "json", "stream-json"]),
    default="text",
    help="With -p: the format of the answer.",
)
@click.option("--json", "as_json", is_flag=True, help="With -p: print one JSON document (the same as --output json).")
@click.option("--model", metavar="NAME", type=WORDS, help="Use this model instead of the one in the settings.")
@click.option("--resume", metavar="ID", type=WORDS, help="Continue this chat.")
@click.option("--continue", "go_on", is_flag=True, help="Continue the last chat in this repository.")
@click.option(
    "--agent",
    metavar="NAME",
    default="",
    type=WORDS,
    help="Work as the agent in agents/NAME.md, in the home or here in .claude, .github or .copilot.",
)
@click.option(
    "--allow-tool", metavar="NAME", multiple=True, type=WORDS, help=f"Never ask about this tool, or this kind: {KINDS}."
)
@click.option(
    "--deny-tool", metavar="NAME", multiple=True, type=WORDS, help=f"Do not offer this tool, or this kind: {KINDS}."
)
@click.option("--yolo", is_flag=True, help="Allow every tool without asking.")
@click.option("--away", is_flag=True, help="Ask nothing; whatever needs your permission waits.")
@click.option("--silent", is_flag=True, help="With -p: print only the answer.")
def chat(
    prompt: str | None,
    output: str,
    as_json: bool,
    model: str | None,
    resume: str | None,
    go_on: bool,
    agent: str,
    allow_tool: tuple[str, ...],
    deny_tool: tuple[str, ...],
    yolo: bool,
    away: bool,
    silent: bool,
) -> None:
    """Talk to an agent that has this memory, in the terminal or with -p in a pipe.

    It reads, searches, edits and runs, and asks before it changes anything. Esc cancels, /help lists the commands."""
    if resume and go_on:
        raise UsageError("Use either --resume or --continue, not both.")
    is_pipe = prompt is not None or not (sys.stdin.isatty() and sys.stdout.isatty())
    if not is_pipe and (output != "text" or as_json or silent):
        raise UsageError("--output, --json and --silent need -p.")
    from recollect.app import Recollect
    from recollect.flows.chat.agent import Options
    from recollect.flows.chat.models import require_conversing

    flags = {"models.default": str(require_conversing(model))} if model else None
    options = Options(agent=agent, allow_tools=allow_tool, deny_tools=deny_tool, yolo=yolo)
    home = click.get_current_context().meta.get(HOME, "")
    with Recollect.open(environ=environ(), flags=flags) as memory:
        for notice in memory.notices:
            say(f"recollect: {notice}")
        if agent == "rem-agent":
            from recollect.doors.cli.printing.boards import print_consolidated
            from recollect.flows.board.detached import consolidate_parent

            done = consolidate_parent(memory.opened)
            if not silent:
                print_consolidated(done, as_json=as_json)
            return
        session = resume or (memory.chats.last() if go_on else "")
        if is_pipe:
            from recollect.doors.chat.piped import answer_once

            text = from_stdin(limit_bytes=LONGEST_PROMPT) if prompt in (None, "-") else prompt
            if not (text or "").strip():
                raise UsageError("There is no prompt: give one with -p, or on stdin.")
            kind = "json" if as_json else output
            if not answer_once(memory, text or "", options, output=kind, silent=silent, session=session):
                click.get_current_context().exit(1)
            return
        if not memory.settings.enabled:
            raise Refused("Recollect is switched off (enabled = false). Run `recollect settings set enabled true`.")
        from recollect.doors.chat.terminal import Chat

        Chat(memory, options, home=home, away=away).run(session)
