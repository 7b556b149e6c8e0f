"""What a session leaves in the archive: request, outcome, files, commands, decisions, errors, open ends; by rules."""

from __future__ import annotations

import re

from recollect.model.record import Record
from recollect.sessions.commands import only_reads, purpose_of
from recollect.sessions.decided import MARKUP, decided
from recollect.sessions.judged import Judged
from recollect.sessions.outcomes import outcome
from recollect.sessions.plans import last_plan
from recollect.sessions.shell import passed, steps
from recollect.text.cutting import cut_short
from recollect.text.tokens import estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recollect.model.sessions import Session, Turn

LIMIT_TOKENS = 380
LONGEST_LINE = 260
MOST_FILES = 8
MOST_COMMANDS = 4
MOST_REQUESTS = 3
MOST_JUDGED = 4  # decisions, as a model tells them
MOST_ERRORS = 2
FIXED = " (fixed)"
RULES_ALONE = Judged()

_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n+")
_ERROR = re.compile(
    r"\b(\w*error|\w*exception|failed|failure|fatal|panic|traceback|cannot|not found|denied)\b", re.IGNORECASE
)
_CHATTER = re.compile(
    r"^(ok(ay)?|yes|no|thanks?|thank you|continue|go on|go ahead|proceed|sure|great|nice)\b.{0,20}$", re.I
)


class Summary(Record):
    """A session in a few lines."""

    title: str
    text: str
    files: tuple[str, ...]
    cited: tuple[int, ...] = ()  # the turns that a model's sentences rest on


def summarise(session: Session, turns: Sequence[Turn], judged: Judged = RULES_ALONE) -> Summary:
    """The archive's view of a session, readable and under 400 tokens. What a model said of it stands in the place of
    the same from rules; files, commands, errors and open ends come from the log."""
    requests = list(_requests(turns))
    title = session.title or (requests[0][:80] if requests else f"{session.host} session")
    files = _files(turns, session.cwd)
    lines = [
        *_labelled("Summary", [str(judged.summary)] if judged.summary else []),
        *_labelled("Request", requests[: 1 if judged.summary else MOST_REQUESTS]),
        *_labelled("Outcome", [str(judged.outcome)] if judged.outcome else outcome(turns, session.cwd).lines()),
        *_labelled("Decided", [str(one) for one in judged.decisions[-MOST_JUDGED:]] or decided(turns)),
        *_labelled("Tasks", last_plan(turns)),
        *_labelled("Changed", [_listed(files)] if files else []),
        *_labelled("Commands", _commands(turns)),
        *_labelled("Errors", _errors(turns)),
        *_labelled("Open", _open_ends(turns)),
    ]
    return Summary(title, _within(lines, LIMIT_TOKENS), tuple(files), judged.turns)


def plain(text: str, longest: int = LONGEST_LINE) -> str:
    """Text without markup on one line, cut at a word."""
    line = " ".join(MARKUP.sub(" ", text).split()) if "\n" in text or "`" in text else " ".join(text.split())
    return cut_short(line, longest)


def _labelled(label: str, items: Sequence[str]) -> list[str]:
    if not items:
        return []
    return [f"{label}: {items[0]}"] if len(items) == 1 else [f"{label}:", *(f"- {item}" for item in items)]


def _within(lines: list[str], limit_tokens: int) -> str:
    kept: list[str] = []
    for line in lines:
        if estimate_tokens("\n".join([*kept, line])) > limit_tokens:
            break
        kept.append(line)
    if kept and kept[-1].endswith(":") and kept[-1][:-1].isalpha():
        kept.pop()  # a label whose lines had no room
    return "\n".join(kept)


def _requests(turns: Sequence[Turn]) -> Iterator[str]:
    """What was asked for: the first message, then the longest of the later ones, in order."""
    typed = {plain(turn.user): turn.number for turn in reversed(turns) if not _CHATTER.match(turn.user.strip())}
    asked = sorted((number, text) for text, number in typed.items() if text)
    if not asked:
        return
    later = sorted(asked[1:], key=lambda one: -len(one[1]))[: MOST_REQUESTS - 1]
    yield asked[0][1]
    for _, text in sorted(later):
        yield text


def _files(turns: Sequence[Turn], cwd: str) -> list[str]:
    changed: dict[str, int] = {}
    for turn in turns:
        for tool in turn.tools:
            if tool.kind == "change" and tool.ok is not False:
                for path in tool.paths:
                    name = _relative(path, turn.cwd or cwd)
                    changed[name] = changed.get(name, 0) + 1
    return sorted(changed, key=lambda name: -changed[name])


def _relative(path: str, cwd: str) -> str:
    root = cwd.rstrip("/\\")
    return path[len(root) + 1 :] if root and path.startswith((f"{root}/", f"{root}\\")) else path


def _listed(names: Sequence[str]) -> str:
    more = len(names) - MOST_FILES
    return ", ".join(names[:MOST_FILES]) + (f" and {more} more" if more > 0 else "")


class _Ran(Record):
    """A step of a command line, as it is told."""

    command: str
    passed: bool | None
    output: str


def _run(turns: Sequence[Turn]) -> Iterator[_Ran]:
    """What was run, step by step; a line that cannot be taken apart is one step."""
    for turn in turns:
        for tool in turn.tools:
            if tool.kind != "command" or not tool.target:
                continue
            known = steps(tool.target, passed(tool))
            for step in known:
                yield _Ran(step.command, step.passed, tool.output if len(known) == 1 else "")
            if not known:
                yield _Ran(tool.target, passed(tool), tool.output)


def _commands(turns: Sequence[Turn]) -> list[str]:
    """The commands that mattered with how they ended: tests, builds and the like first, then what was run most."""
    runs: dict[str, list[bool | None]] = {}
    for ran in _run(turns):
        if not only_reads(ran.command):
            runs.setdefault(ran.command, []).append(ran.passed)
    ranked = sorted(runs, key=lambda command: (not purpose_of(command), -len(runs[command])))
    return [f"`{shown(command)}` {_how(runs[command])}" for command in ranked[:MOST_COMMANDS]]


def shown(command: str, longest: int = 90) -> str:
    """A command for reading, on one line."""
    return plain(command, longest)


def _how(outcomes: list[bool | None]) -> str:
    last = {True: "passed", False: "failed", None: "ran"}[outcomes[-1]]
    failures = sum(one is False for one in outcomes[:-1])
    return f"failed {failures}x, then {last}" if failures and last == "passed" else last


def _errors(turns: Sequence[Turn]) -> list[str]:
    """Commands that failed, with the line that says why and whether they passed later; the same failure once."""
    failed: dict[str, str] = {}
    for ran in _run(turns):
        command = shown(ran.command, 60)
        if only_reads(ran.command):
            continue
        if ran.passed is False:
            failed[command] = first_error(ran.output)
        elif ran.passed and failed.get(command):
            failed[command] = failed[command].removesuffix(FIXED) + FIXED
    open_ends = _open_ends(turns)
    told: dict[str, str] = {}
    for command, why in failed.items():
        cause = why.removesuffix(FIXED)
        if cause and not any(cause in one for one in open_ends):
            told[cause] = f"`{command}`: {why}"
    return list(told.values())[-MOST_ERRORS:]


def first_error(output: str) -> str:
    """The first line of an output that names an error."""
    for line in output.splitlines():
        if _ERROR.search(line):
            return plain(line, 140)
    return ""


def _open_ends(turns: Sequence[Turn]) -> list[str]:
    """What was still to be done: a last command that failed, a last question, a request without an answer."""
    if not turns:
        return []
    last = turns[-1]
    ran = [one for one in _run([last]) if not only_reads(one.command)]
    if ran and ran[-1].passed is False:
        why = first_error(ran[-1].output)
        return [f"`{shown(ran[-1].command, 60)}` was failing at the end" + (f": {why}" if why else "")]
    if last.user and not last.assistant and not last.tools:
        return [f"no answer yet to: {plain(last.user, 140)}"]
    sentences = [part.strip() for part in _SENTENCE.split(last.assistant) if part.strip()]
    if sentences and sentences[-1].endswith(("?", "？")):
        return [plain(sentences[-1], 160)]
    return []
