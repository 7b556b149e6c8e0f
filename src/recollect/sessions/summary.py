"""What a session leaves in the archive: request, outcome, files, commands, decisions, errors, open ends; by rules."""

from __future__ import annotations

import os
import re

from recollect.model.record import Record
from recollect.text.language.decisions import is_decision, sentences_of
from recollect.text.tokens import estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recollect.model.sessions import Session, ToolUse, Turn

LIMIT_TOKENS = 380
LONGEST_LINE = 260
SHORTEST_OUTCOME = 40  # "You're welcome." is none
MOST_FILES = 8
MOST_COMMANDS = 4
MOST_REQUESTS = 3
MOST_DECISIONS = 2
SHORTEST_DECISION, LONGEST_DECISION = 20, 360  # characters
MOST_ERRORS = 2
FIXED = " (fixed)"

_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n+")
# Not what belongs to a name: `*.py`, `flush_worker`, `C#`, `#41`.
_MARKUP = re.compile(
    r"```.*?(?:```|\Z)|(?m:^[ \t]*(?:#{1,6}|>+)[ \t])|`+|[ \t]\|[ \t]"
    r"|(?<![\w*/])[*_]+(?=\w)|(?<=[\w.,:!?)])[*_]+(?![\w*/.])",
    re.DOTALL,
)
_ERROR = re.compile(
    r"\b(\w*error|\w*exception|failed|failure|fatal|panic|traceback|cannot|not found|denied)\b", re.IGNORECASE
)
_PREAMBLE = re.compile(r"^\s*(?:(?:cd|pushd) [^&;|]+(?:&&|;)\s*)+")
_CHATTER = re.compile(
    r"^(ok(ay)?|yes|no|thanks?|thank you|continue|go on|go ahead|proceed|sure|great|nice)\b.{0,20}$", re.I
)


class Summary(Record):
    """A session in a few lines."""

    title: str
    text: str
    files: tuple[str, ...]


def summarise(session: Session, turns: Sequence[Turn]) -> Summary:
    """The archive's view of a session, readable and under 400 tokens."""
    requests = list(_requests(turns))
    title = session.title or (requests[0][:80] if requests else f"{session.host} session")
    files = _files(turns, session.cwd)
    lines = [
        *_labelled("Request", requests[:MOST_REQUESTS]),
        *_labelled("Outcome", _outcome(turns)),
        *_labelled("Decided", _decisions(turns)),
        *_labelled("Changed", [_listed(files)] if files else []),
        *_labelled("Commands", _commands(turns)),
        *_labelled("Errors", _errors(turns)),
        *_labelled("Open", _open_ends(turns)),
    ]
    return Summary(title, _within(lines, LIMIT_TOKENS), tuple(files))


def plain(text: str, longest: int = LONGEST_LINE) -> str:
    """Text without markup on one line, cut at a word."""
    line = " ".join(_MARKUP.sub(" ", text).split()) if "\n" in text or "`" in text else " ".join(text.split())
    if len(line) <= longest:
        return line
    return line[:longest].rsplit(" ", 1)[0].rstrip(",;:") + " …"


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
    return "\n".join(kept)


def _requests(turns: Sequence[Turn]) -> Iterator[str]:
    """What was asked for: the first message, then the longest of the later ones, in order."""
    asked = [(turn.number, plain(turn.user)) for turn in turns if turn.user and not _CHATTER.match(turn.user.strip())]
    if not asked:
        return
    later = sorted(asked[1:], key=lambda one: -len(one[1]))[: MOST_REQUESTS - 1]
    yield asked[0][1]
    for _, text in sorted(later):
        yield text


def _outcome(turns: Sequence[Turn]) -> list[str]:
    for turn in reversed(turns):
        sentences = [plain(part) for part in _SENTENCE.split(_MARKUP.sub(" ", turn.assistant)) if part.strip()]
        said = plain(" ".join(sentences[:3]))
        if len(said) >= SHORTEST_OUTCOME:
            return [said]
    return []


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
    if cwd and path.startswith(cwd.rstrip("/\\") + os.sep):
        return path[len(cwd.rstrip("/\\")) + 1 :]
    return path


def _listed(names: Sequence[str]) -> str:
    more = len(names) - MOST_FILES
    return ", ".join(names[:MOST_FILES]) + (f" and {more} more" if more > 0 else "")


def _commands(turns: Sequence[Turn]) -> list[str]:
    """The commands that mattered with how they ended: those that were run more than once, or failed, first."""
    runs: dict[str, list[bool | None]] = {}
    for tool in _run(turns):
        runs.setdefault(shown(tool.target), []).append(passed(tool))
    ranked = sorted(runs, key=lambda command: (-len(runs[command]), False not in runs[command]))
    return [f"`{command}` {_how(runs[command])}" for command in ranked[:MOST_COMMANDS]]


def shown(command: str, longest: int = 90) -> str:
    """A command for reading: without the change of folder before it and what it is piped into."""
    return plain(_PREAMBLE.sub("", command).split(" | ")[0].split(" 2>&1")[0], longest)


def _how(outcomes: list[bool | None]) -> str:
    last = {True: "passed", False: "failed", None: "ran"}[outcomes[-1]]
    failures = sum(one is False for one in outcomes[:-1])
    return f"failed {failures}x, then {last}" if failures and last == "passed" else last


def _run(turns: Sequence[Turn]) -> Iterator[ToolUse]:
    return (tool for turn in turns for tool in turn.tools if tool.kind == "command" and tool.target)


def passed(tool: ToolUse) -> bool | None:
    """Did a command succeed? None when the log does not tell."""
    if tool.exit_code is not None:
        return tool.exit_code == 0
    return tool.ok


def _decisions(turns: Sequence[Turn]) -> list[str]:
    """What was decided, in its own words, the last word first: of what is too long to be kept whole nothing is."""
    found: dict[str, None] = {}
    for turn in turns:
        for text in (turn.user, turn.assistant):
            for sentence in sentences_of(_MARKUP.sub(" ", text)):
                line = " ".join(sentence.split())
                if SHORTEST_DECISION < len(line) < LONGEST_DECISION and is_decision(line):
                    found.pop(line, None)
                    found[line] = None
    return list(found)[-MOST_DECISIONS:][::-1]


def _errors(turns: Sequence[Turn]) -> list[str]:
    """Commands that failed, with the line that says why and what made them pass."""
    failed: dict[str, str] = {}
    for tool in _run(turns):
        command = shown(tool.target, 60)
        if passed(tool) is False:
            failed[command] = first_error(tool.output)
        elif passed(tool) and failed.get(command):
            failed[command] = failed[command].removesuffix(FIXED) + FIXED
    return [f"`{command}`: {why}" for command, why in failed.items() if why][-MOST_ERRORS:]


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
    commands = [tool for tool in last.tools if tool.kind == "command" and tool.target]
    if commands and passed(commands[-1]) is False:
        return [f"`{shown(commands[-1].target)}` was failing at the end"]
    if last.user and not last.assistant and not last.tools:
        return [f"no answer yet to: {plain(last.user, 140)}"]
    sentences = [part.strip() for part in _SENTENCE.split(last.assistant) if part.strip()]
    if sentences and sentences[-1].endswith(("?", "？")):
        return [f"asked: {plain(sentences[-1], 160)}"]
    return []
