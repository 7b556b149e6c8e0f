"""How the work of a session ended, as far as its log proves it, and the last word about it. Pure."""

from __future__ import annotations

import re

from recollect.sessions.commands import checkout_of, inside, purpose_of
from recollect.sessions.committed import COMMITS, committed, is_here
from recollect.sessions.outcomes import finished, last_sentences
from recollect.sessions.shell import passed, steps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recollect.model.sessions import ToolUse, Turn

DONE, FAILED, UNKNOWN = "done", "failed", ""
MOST_LEFT = 2
_MERGES = re.compile(r"^gh pr merge\b")
_PUBLISHES = re.compile(
    r"^(?:git push|gh pr create|(?:npm|pnpm|yarn|bun|cargo|uv|poetry) publish|terraform (?:apply|destroy))\b"
)
_ASIDE = ("run", "install", "format")
_CHECKS = ("test", "build", "types", "lint", "check")
# Says what is not finished.
_LEFT = re.compile(
    r"\b(?:not|nothing|never|isn['’]t|aren['’]t|wasn['’]t|haven['’]t|hasn['’]t)\b[^.]{0,30}"
    r"\b(?:commit|push|merg|publish|deploy|releas)\w*|\b(?:uncommitted|unpushed|unmerged|blocked)\b"
    r"|\bstill (?:needs?|fails?|failing|open|waits?|missing|to be)\b|\bdraft (?:pr|pull request)\b",
    re.IGNORECASE,
)


def proven_end(turns: Sequence[Turn], cwd: str) -> str:
    """Done: a commit with nothing failing after it, or checks that passed after the last edit. Failed: the last run
    that is known failed, or the session broke off in an error. Everything else is unknown."""
    is_committed, last = False, None
    ran: dict[str, bool] = {}  # since the last edit or commit
    for turn in turns:
        for tool in turn.tools:
            if _is_edit(tool, turn, cwd):
                is_committed, ran = False, {}
            for command, ended in _runs(tool, turn, cwd):
                if ended and (COMMITS.match(command) or _MERGES.match(command)):
                    is_committed, ran = True, {}
                else:
                    ran[command] = ended
                last = ended
    if last is False or _breaks_off(turns):
        return FAILED
    is_checked = any(purpose_of(command) in _CHECKS for command in ran)
    return DONE if all(ran.values()) and (is_committed or is_checked) else UNKNOWN


def last_word(turns: Sequence[Turn]) -> str:
    """What was said last about the work, with what is not finished; empty when the work was still going on."""
    for turn in reversed(turns):
        left = " ".join([one for one in last_sentences(turn.assistant) if _LEFT.search(one)][-MOST_LEFT:])
        if any(tool.kind in ("change", "command") for tool in turn.tools):
            says = finished(turn.assistant)
            return says if left in says else f"{says} {left}".strip()
        if left:
            return left
    return ""


def _is_edit(tool: ToolUse, turn: Turn, cwd: str) -> bool:
    """Did the call change a file of this repository?"""
    if tool.kind != "change" or tool.ok is False:
        return False
    roots = [checkout_of(cwd)]
    return not cwd or not tool.paths or any(inside(path, turn.cwd or cwd, roots) is not None for path in tool.paths)


def _runs(tool: ToolUse, turn: Turn, cwd: str) -> Iterator[tuple[str, bool]]:
    """Checks, commits and what publishes, of a line in this repository, as far as it is known how they ended."""
    if tool.kind != "command" or not is_here(tool, turn, cwd):
        return
    known = [one for one in steps(tool.target, passed(tool)) if _counts(one.command)]
    yield from ((one.command, one.passed) for one in known if one.passed is not None)
    if known and passed(tool) is False and "|" not in tool.target and all(one.passed is None for one in known):
        yield tool.target, False  # one of the steps failed
    if not known and committed([turn._replace(tools=(tool,))], cwd):
        yield "git commit", True


def _counts(command: str) -> bool:
    purpose = purpose_of(command)
    return bool(purpose and purpose not in _ASIDE) or any(one.match(command) for one in (COMMITS, _MERGES, _PUBLISHES))


def _breaks_off(turns: Sequence[Turn]) -> bool:
    """Is the last thing in the log a call that failed, without a word about what came of it?"""
    last = turns[-1] if turns else None
    return bool(last and last.tools and last.tools[-1].ok is False and not finished(last.assistant))
