"""What rem is shown: the board, the turns of a session and its latest checkpoint, as history, never as a task. Pure."""

from __future__ import annotations

from recollect.board.rules import warning
from recollect.text.clean import clean
from recollect.text.fences import neutralise, strip_fences
from recollect.text.tokens import estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.model.board import BoardItem
    from recollect.model.sessions import Turn

LIMIT_TOKENS = 12_000  # of turns; the newest stay
LONGEST_SAID, LONGEST_PRINTED, LONGEST_CHECKPOINT, LONGEST_ITEM = 1_500, 300, 6_000, 800
MOST_TOOLS = 12  # of a turn
NONE = "none"


def board_text(items: Sequence[BoardItem]) -> str:
    """The items with their content, and a warning where there are too many."""
    lines = [
        f"## {one.name} (src {one.src}, read_count {one.read_count}, count {one.count})\n"
        f"{_shown(one.description, LONGEST_SAID)}\n{_shown(one.content, LONGEST_ITEM)}"
        for one in items
    ]
    return "\n\n".join([*lines, *filter(None, [warning(len(items))])]) or NONE


def turns_text(turns: Sequence[Turn], *, limit_tokens: int = LIMIT_TOKENS) -> str:
    """The newest turns that fit, oldest first; every line of theirs is indented, so that none looks like ours."""
    kept: list[str] = []
    spent = 0
    for turn in reversed(turns):
        text = _turn_text(turn)
        spent += estimate_tokens(text)
        if kept and spent > limit_tokens:
            break
        kept.append(text)
    return "\n\n".join(reversed(kept)) or NONE


def checkpoint_text(summary: str) -> str:
    """The latest checkpoint."""
    return _shown(summary, LONGEST_CHECKPOINT) or NONE


def _turn_text(turn: Turn) -> str:
    lines = [f"## Turn {turn.number}", f"user: {_shown(turn.user, LONGEST_SAID)}"]
    for tool in turn.tools[:MOST_TOOLS]:
        ended = {True: "passed", False: "failed", None: "ended"}[tool.ok]
        lines.append(f"tool {tool.name} {ended}: {_shown(tool.target, LONGEST_PRINTED)}")
        if tool.ok is False and tool.output:
            lines.append(f"  printed: {_shown(tool.output, LONGEST_PRINTED)}")
    lines.append(f"assistant: {_shown(turn.assistant, LONGEST_SAID)}")
    return "\n".join(lines)


def _shown(text: str, longest: int) -> str:
    text = neutralise(clean(strip_fences(text)).strip())
    text = text if len(text) <= longest else text[:longest] + "…"
    return text.replace("\n", "\n    ")
