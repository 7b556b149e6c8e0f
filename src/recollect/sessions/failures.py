"""Failures that were resolved: the command, what it said, and the one thing that was done before it passed. Pure."""

from __future__ import annotations

import re

from recollect.model.record import Record
from recollect.sessions.commands import only_reads
from recollect.sessions.shell import passed, steps
from recollect.sessions.summary import first_error, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recollect.model.sessions import ToolUse, Turn

LONGEST_COMMAND = 90
SHORTEST_ERROR = 20  # characters; less says nothing
_MOST_WAITING = 20
# Says that something failed, not what: the tail of a build tool, a count of problems.
_ONLY_COUNTS = re.compile(
    r"^(?:Output: )?(?:make(?:\[\d+\])?: \*\*\*|.{0,12}\d+ (?:problems?|errors?|failed|tests?)\b|Found \d+ errors?"
    r"|npm (?:ERR!|error)|error: (?:command|script|recipe|process)|ELIFECYCLE|.{0,20}exit(?:ed)? (?:code|status|with)"
    r"|(?:Traceback|FAILED?|FAIL)\b)",
    re.IGNORECASE,
)
_NOT_FOUND = re.compile(
    r"(?:^|[\s:])([\w.+-]{2,40}): (?:command )?not found\b|^command not found: ([\w.+-]{2,40})$", re.M
)
_REFUSED = re.compile(r"(?:no|nope|don['’]t|do not|stop)\b", re.IGNORECASE)
# Rearranges the repository, and makes nothing work that did not.
# Names one thing of the day: `av-5-review`, `3f602d14`.
_ONE_OFF = re.compile(r"(?:^|\s)(?=\S*\d)(?=\S*[a-z])[\w.]*-[\w.-]+(?=\s|$)|\b[0-9a-f]{7,40}\b")
_NO_REMEDY = re.compile(r"^(?:git|gh|cd|mkdir|touch|echo|sleep|kill|pkill|true|set|export|source)\b")


class Resolved(Record):
    """A command that failed, why, and what was run before it passed."""

    command: str
    error: str
    remedy: str
    turn: int  # in which it passed
    at: float


class Missing(Record):
    """A program that is not installed where the work is done."""

    program: str
    turn: int
    at: float


class _Failed(Record):
    error: str
    ran: tuple[str, ...] = ()
    changed: bool = False


def resolved_failures(turns: Sequence[Turn]) -> list[Resolved]:
    """Failures after which exactly one other command was run, no file changed, and then it passed."""
    failed: dict[str, _Failed] = {}
    found: dict[tuple[str, str], Resolved] = {}
    for turn, tool in _tools(turns):
        if tool.kind == "change":
            failed = {command: one._replace(changed=True) for command, one in failed.items()}
        for command, is_passed, output in _ran(tool):
            before = failed.pop(command, None)
            if before and is_passed and len(before.ran) == 1 and not (before.changed or _ONE_OFF.search(command)):
                found[command, before.ran[0]] = Resolved(command, before.error, before.ran[0], turn.number, turn.ended)
            error = first_error(output) if is_passed is False else ""
            if not only_reads(command):
                ran = command if is_passed is not False and not _NO_REMEDY.match(command) else ""
                failed = {name: _after(one, ran, changed=is_passed is None) for name, one in failed.items()}
            if is_telling(error) and len(failed) < _MOST_WAITING:
                failed[command] = _Failed(error)
    return list(found.values())


def missing_programs(turns: Sequence[Turn]) -> list[Missing]:
    """Programs that the shell did not find, unless one ran afterwards, or the answer to it was no."""
    found: dict[str, Missing] = {}
    for turn, tool in _tools(turns):
        for command, is_passed, output in _ran(tool):
            program = command.split()[0].rpartition("/")[2]
            if is_passed:
                found.pop(program, None)
            elif is_passed is False:
                named = {one or other for one, other in _NOT_FOUND.findall(output[:2_000])}
                if program in named:
                    found[program] = Missing(program, turn.number, turn.ended)
    refused = {turn.number - 1 for turn in turns if _REFUSED.match(turn.user)}
    return [one for one in found.values() if one.turn not in refused]


def is_telling(error: str) -> bool:
    """Does the line say what went wrong, and not only that something did?"""
    return len(error) >= SHORTEST_ERROR and not _ONLY_COUNTS.match(error)


def _after(one: _Failed, ran: str, *, changed: bool) -> _Failed:
    more = (ran,) if ran and ran not in one.ran else ()
    return one._replace(ran=(*one.ran, *more), changed=one.changed or changed)


def _tools(turns: Sequence[Turn]) -> Iterator[tuple[Turn, ToolUse]]:
    return ((turn, tool) for turn in turns for tool in turn.tools)


def _ran(tool: ToolUse) -> Iterator[tuple[str, bool | None, str]]:
    """The steps of a call: the command, how it ended, and its output where it is its own."""
    if tool.kind != "command" or not tool.target:
        return
    known = steps(tool.target, passed(tool))
    for step in known:
        command = " ".join(step.command.split())
        if len(command) <= LONGEST_COMMAND:
            yield shown(command), step.passed, tool.output if len(known) == 1 else ""
    if not known:
        yield shown(" ".join(tool.target.split())), None, ""
