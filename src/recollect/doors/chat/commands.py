"""Slash commands: a table by name. What a command of `recollect` does already is that command; rooms that come later
add rows with `add`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.doors.chat.screen import bar
from recollect.doors.cli.printing.output import one_line
from recollect.errors import NotFound, RecollectError, UsageError
from recollect.flows.chat.models import require_conversing, spec_in_use, take_settings
from recollect.flows.chat.subconscious import consolidate_now, run_prompt
from recollect.model.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.doors.chat.terminal import Chat

CONTEXT_CELLS = 40
HELP_COLUMN = 26


class SlashCommand(Record):
    """One command: what it takes, what help says of it, and what it does with the words behind its name."""

    name: str
    takes: str
    help: str
    run: Callable[[Chat, str], None]
    in_turn: bool = False  # may it be used while a turn runs?


COMMANDS: dict[str, SlashCommand] = {}
ALSO = {"/exit": "/quit"}  # what other chats call them


def add(command: SlashCommand) -> None:
    """Offer one more."""
    COMMANDS[command.name] = command


def is_command(typed: str) -> bool:
    """A command begins with a slash; a path, which has another one in its first word, is a message."""
    return typed.startswith("/") and "/" not in typed.split(maxsplit=1)[0][1:]


def run_command(chat: Chat, typed: str) -> None:
    """Run what was typed, or say what is wrong with it."""
    name, _, rest = typed.strip().partition(" ")
    command = COMMANDS.get(ALSO.get(name, name))
    if command is None:
        chat.say(f"There is no command {one_line(name)}; /help lists them.")
        return
    if chat.agent.is_busy and not command.in_turn:
        chat.say(f"{name} cannot be used during a turn; Esc cancels the turn.")
        return
    try:
        command.run(chat, rest.strip())
    except RecollectError as error:
        chat.say(str(error))


def _help(chat: Chat, rest: str) -> None:
    for one in COMMANDS.values():
        left = f"{one.name} {one.takes}".strip()
        gap = "\n" + " " * HELP_COLUMN if len(left) >= HELP_COLUMN else " " * (HELP_COLUMN - len(left))
        chat.say(left + gap + one.help)
    chat.say("Enter sends, Alt-Enter starts a new line, Esc or Ctrl-C cancels, Ctrl-D leaves. Tab completes.")


def _compact(chat: Chat, rest: str) -> None:
    chat.in_background(lambda: chat.compact(rest))


def _context(chat: Chat, rest: str) -> None:
    used = chat.agent.usage()
    free = max(0, used.limit - used.total)
    rows = (("system", used.system), ("tools", used.tools), ("conversation", used.conversation), ("free", free))
    lines = [f"{used.total:,} of {used.limit:,} tokens ({used.total / used.limit:.0%})"]
    lines += [f"{name.ljust(12)} {bar(count / used.limit, CONTEXT_CELLS)} {count:>9,}" for name, count in rows]
    chat.say("\n".join(lines))


def _memory(chat: Chat, rest: str) -> None:
    words = rest.split() or ["view"]
    if words[0] not in ("view", "clear", "reset", "enqueue", "rebuild", "status", "undo"):
        raise UsageError("/memory takes view, clear, reset, undo, enqueue, rebuild or status.")
    chat.recollect("memory", *words)


def _session(chat: Chat, rest: str) -> None:
    words = rest.split() or ["timeline"]
    if words[0] not in ("checkpoints", "timeline"):
        raise UsageError("/session takes checkpoints or timeline.")
    chat.recollect("session", words[0], chat.agent.session.session_id, *words[1:])


def _why(chat: Chat, rest: str) -> None:
    chat.recollect("why", "--session", chat.agent.session.session_id, *(("--turn", rest) if rest else ()))


def _model(chat: Chat, rest: str) -> None:
    if not rest:
        chat.say(f"{spec_in_use(chat.agent.memory)}, a window of {chat.agent.usage().limit:,} tokens")
        return
    spec = require_conversing(rest)
    chat.in_background(lambda: chat.switch_model(spec))


def _settings(chat: Chat, rest: str) -> None:
    chat.recollect("settings", *rest.split())
    take_settings(chat.agent.memory)


def _undo(chat: Chat, rest: str) -> None:
    done = chat.agent.take_back()
    chat.say(f"Undone: {done.messages_before} → {done.messages_after} messages. /undo again redoes it.")


def _rewind(chat: Chat, rest: str) -> None:
    if rest and not rest.isdecimal():
        raise UsageError("/rewind needs the number of a turn; see /session timeline.")
    done = chat.agent.rewind(int(rest or 0))
    chat.say(
        f"Now before turn {done.turn + 1}: {done.messages_before} → {done.messages_after} messages. /undo undoes it."
    )


def _resume(chat: Chat, rest: str) -> None:
    if rest:
        chat.use(rest)
        return
    listed = chat.memory.own_sessions.listed(repository=chat.memory.repository.repository)
    shown = [(one, turns) for one, turns in listed if turns and one.session_id != chat.agent.session.session_id][:10]
    if not shown:
        raise NotFound("There is no other chat to continue here.")
    rows = [f"{one.session_id}  {turns} turns  {one_line(one.title)}".rstrip() for one, turns in shown]
    chat.say("\n".join([*rows, "Continue one with /resume ID."]))


def _new(chat: Chat, rest: str) -> None:
    chat.use("")


def _subconscious(chat: Chat, rest: str) -> None:
    if rest != "run":
        raise UsageError("/subconscious takes run.")
    if not chat.memory.board.is_on:
        raise UsageError("Switch it on first: /settings set subconscious.enabled true")
    if chat.agent.why_silent():
        chat.say("No model is configured: rules update the board.")
        chat.in_background(lambda: consolidate_now(chat.agent.session, chat.agent.memory, chat.tell))
    else:
        chat.in_background(lambda: chat.agent.instruct(run_prompt(), chat.tell))


def _leave(chat: Chat, rest: str) -> None:
    chat.leaving = True


for _row in (
    SlashCommand("/help", "", "List these commands.", _help, in_turn=True),
    SlashCommand("/compact", "[INSTRUCTIONS]", "Replace the older part with a summary.", _compact),
    SlashCommand("/context", "", "Show what fills the window.", _context, in_turn=True),
    SlashCommand("/memory", "view|clear|reset|undo|enqueue|rebuild|status", "The memory of this project.", _memory),
    SlashCommand("/session", "checkpoints|timeline", "What happened in this session.", _session, in_turn=True),
    SlashCommand("/why", "[TURN]", "Show which memories a prompt got, and why.", _why, in_turn=True),
    SlashCommand("/profile", "", "Show the profile (L0).", lambda chat, rest: chat.recollect("profile"), in_turn=True),
    SlashCommand("/review", "", "Decide what is waiting for you.", lambda chat, rest: chat.recollect("review")),
    SlashCommand("/board", "", "Show the context board.", lambda chat, rest: chat.recollect("board"), in_turn=True),
    SlashCommand("/subconscious", "run", "Consolidate what this session taught (rem).", _subconscious),
    SlashCommand("/model", "[NAME]", "Show the model, or switch to another.", _model),
    SlashCommand("/settings", "[get|set|list ...]", "Show and change settings.", _settings),
    SlashCommand("/undo", "", "Undo the last turn, rewind or compaction.", _undo),
    SlashCommand("/rewind", "[TURN]", "Go back to before a turn; by default the last one.", _rewind),
    SlashCommand("/resume", "[ID]", "Continue another chat.", _resume),
    SlashCommand("/new", "", "Start a new chat.", _new),
    SlashCommand("/quit", "", "Quit; continue with `recollect chat --continue`.", _leave, in_turn=True),
):
    add(_row)
