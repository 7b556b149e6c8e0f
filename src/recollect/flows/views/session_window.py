"""How full the window of a session was turn by turn, by our own estimate, and which commits were made in it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recollect.flows.compaction.model_windows import windows_of
from recollect.model.record import Record
from recollect.sessions.checkpoints import title_of
from recollect.text.tokens import estimate_tokens

if TYPE_CHECKING:
    from recollect.flows.opened import Opened
    from recollect.flows.sessions.past_sessions import SessionShown
    from recollect.model.sessions import Turn

# What git prints after a commit: `[main 1a2b3c4] subject`.
_COMMITTED = re.compile(
    r"^\[(?P<branch>[^\s\]]+)(?: \([^)]*\))? (?P<name>[0-9a-f]{7,40})\] (?P<subject>.+)$", re.MULTILINE
)


class FilledTurn(Record):
    """How many tokens the conversation had when a turn ended."""

    turn: int
    tokens: int
    is_compacted: bool


class MadeCommit(Record):
    """A commit that a turn made, as git told it."""

    turn: int
    name: str
    subject: str


class MadeCheckpoint(Record):
    """What a compaction left, and the turn before which it was made."""

    turn: int
    title: str


class Window(Record):
    """A session and its model's window."""

    turns: list[FilledTurn]
    limit_tokens: int
    commits: list[MadeCommit]
    checkpoints: list[MadeCheckpoint]


def window_of(shown: SessionShown, memory: Opened) -> Window:
    """After each compaction only its summary is left of what was before."""
    filled, held = [], 0
    for turn in shown.turns:
        for summary in turn.compactions:
            held = estimate_tokens(summary)
        held += _tokens(turn)
        filled.append(FilledTurn(turn.number, held, bool(turn.compactions)))
    commits = [
        MadeCommit(turn.number, found["name"], found["subject"])
        for turn in shown.turns
        for tool in turn.tools
        if tool.kind == "command" and "commit" in tool.target
        for found in _COMMITTED.finditer(tool.output)
    ]
    checkpoints = [
        MadeCheckpoint(turn.number, title_of(summary, otherwise="Compaction"))
        for turn in shown.turns
        for summary in turn.compactions
    ]
    return Window(filled, windows_of(memory).of(shown.session.model), commits, checkpoints)


def _tokens(turn: Turn) -> int:
    texts = (turn.user, turn.assistant, *(part for tool in turn.tools for part in (tool.target, tool.output)))
    return sum(map(estimate_tokens, filter(None, texts)))
