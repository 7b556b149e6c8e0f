"""What a command line ran, step by step, and what its one exit status says about each step. Unknown is not passed."""

from __future__ import annotations

import re
from functools import lru_cache

from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from recollect.model.sessions import ToolUse

LONGEST_LINE = 1_000  # as long as a log keeps a command whole; a longer one was cut
_SHELLS = ("bash", "sh", "zsh", "dash")
_OPERATORS = ("&&", "||", "|&", "&>", ";", "|", "&", "\n")
_TELLING = frozenset("\"'\\`$<>&|;#\n")  # any other letter is part of a command
_KEYWORDS = frozenset("for while until if then else elif fi do done case esac function select".split())
# Said in passing: they decide nothing about how the steps after them end.
_PASSING = ("cd", "pushd", "popd", "export", "unset", "set", "source", ".", "echo", "printf", "true", ":")
_LIMIT = re.compile(r"^(?:time\s+|nice\s+|timeout\s+(?:-\S+\s+)*\d+(?:\.\d+)?[smhd]?\s+)+")


class Step(Record):
    """One command of a line: what it was, in which folder, and whether it passed."""

    command: str  # without redirections, what it was piped into, and a limit of time before it
    folder: str  # as the last `cd` before it said; empty: where the line began
    passed: bool | None


def passed(tool: ToolUse) -> bool | None:
    """Did a call of a command end well? None when the log does not tell."""
    if tool.exit_code is not None:
        return tool.exit_code == 0
    return tool.ok


def steps(line: str, status: bool | None) -> list[Step]:
    """The steps of a command line that ended with this status; none when the line is more than a list of commands."""
    return list(_steps(line, status))


# A session is read for its commands, its failures and its workflows: each time the same lines.
@lru_cache(maxsize=8_192)
def _steps(line: str, status: bool | None) -> tuple[Step, ...]:
    chains = _chains(line.replace("\\\n", " ")) if len(line) < LONGEST_LINE else None
    if not chains:
        return ()
    inner = _inside_shell(chains)
    if inner is not None:
        return _steps(inner, status)
    stops = _option(chains, "e", "errexit")
    piped = _option(chains, "", "pipefail")
    found: list[Step] = []
    folder = ""
    for number, chain in enumerate(chains):
        is_last = number == len(chains) - 1
        known = status if is_last or (stops and status) else None
        acting = sum(not _is_passing(pipeline[0]) for _, pipeline in chain)
        for joint, pipeline in chain:
            words = pipeline[0].split()
            if words[0] in ("cd", "pushd") and len(words) == 2:
                folder = _joined(folder, words[1].strip("\"'"))
            elif not _is_passing(pipeline[0]):
                sure = known if all(one != "||" for one, _ in chain) and (known or acting == 1) else None
                hidden = len(pipeline) > 1 and not (piped and known)
                in_background = joint == "&"
                command = _LIMIT.sub("", pipeline[0])
                found.append(Step(command, folder, None if hidden or in_background else sure))
    return tuple(found)


def _inside_shell(chains: list[list[tuple[str, list[str]]]]) -> str | None:
    """The line that a shell was given with -c, where that is all there is."""
    if len(chains) != 1 or len(chains[0]) != 1 or len(chains[0][0][1]) != 1:
        return None
    words = chains[0][0][1][0].split(None, 2)
    if len(words) < 3 or words[0].rpartition("/")[2] not in _SHELLS or words[1] not in ("-c", "-lc", "-ic"):
        return None
    text = words[2].strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else None


def _option(chains: list[list[tuple[str, list[str]]]], letter: str, name: str) -> bool:
    """Does the line begin by setting this option of the shell?"""
    words = chains[0][0][1][0].split()
    if words[0] != "set":
        return False
    return name in words[1:] or any(letter and word[0] == "-" and letter in word[1:] for word in words[1:])


def _is_passing(command: str) -> bool:
    return command.split()[0] in _PASSING


def _joined(folder: str, into: str) -> str:
    if into.startswith(("/", "~", "$")) or re.match(r"[A-Za-z]:", into) or not folder:
        return into
    return f"{folder.rstrip('/')}/{into}"


def _chains(line: str) -> list[list[tuple[str, list[str]]]] | None:
    """Lists of pipelines, each with the operator before it; None for what is more than that, or cannot be read."""
    chains: list[list[tuple[str, list[str]]]] = [[]]
    pipeline: list[str] = []
    before = ""
    for text, operator in _pieces(line):
        if text is None:
            return None
        command = text.strip()
        if command:
            if command.split()[0] in _KEYWORDS or command[0] in "({":
                return None
            pipeline.append(command)
        elif operator not in ("\n", ";", "", "&"):
            return None
        if operator in ("|", "|&"):
            continue
        if pipeline:
            chains[-1].append((before if operator != "&" else "&", pipeline))
            pipeline = []
        before = operator if operator in ("&&", "||") else ""
        if operator in (";", "\n", "&") and chains[-1]:
            chains.append([])
    return [chain for chain in chains if chain] if not before else None


def _pieces(line: str) -> Iterator[tuple[str | None, str]]:
    """Each command without its redirections, and the operator after it; None where the line cannot be read."""
    kept: list[str] = []
    at = 0
    while at < len(line):
        letter = line[at]
        if letter not in _TELLING:
            kept.append(letter)
            at += 1
        elif letter in "\"'":
            end = _closing(line, at)
            if end < 0:
                yield None, ""
                return
            kept.append(line[at : end + 1])
            at = end + 1
        elif letter == "\\":
            kept.append(line[at : at + 2])
            at += 2
        elif letter == "`" or line.startswith(("$(", "<(", ">(", "<<"), at):
            yield None, ""
            return
        elif letter == "#" and (at == 0 or line[at - 1] in " \t\n;"):
            at = line.find("\n", at) if "\n" in line[at:] else len(line)
        elif letter in "<>" or line.startswith("&>", at):
            while kept and kept[-1].isdigit():
                kept.pop()
            at = _after_redirection(line, at)
        elif operator := next((one for one in _OPERATORS if line.startswith(one, at)), ""):
            yield "".join(kept), operator
            kept = []
            at += len(operator)
        else:
            kept.append(letter)
            at += 1
    yield "".join(kept), ""


def _closing(line: str, at: int) -> int:
    """Where a quotation ends; -1 when it does not, or runs something of its own."""
    quote, at = line[at], at + 1
    while at < len(line):
        if line[at] == quote:
            return at
        if quote == '"' and (line[at] == "`" or line.startswith("$(", at)):
            return -1
        at += 2 if quote == '"' and line[at] == "\\" else 1
    return -1


def _after_redirection(line: str, at: int) -> int:
    """The place behind an operator such as `2>&1` or `> file` and the word it takes."""
    while at < len(line) and line[at] in "<>&|":
        at += 1
    while at < len(line) and line[at] in " \t":
        at += 1
    while at < len(line) and line[at] not in " \t\n;|&<>":
        at = (_closing(line, at) if line[at] in "\"'" and _closing(line, at) > 0 else at) + 1
    return at
