"""What tool calls did, whatever the agent calls its tools: commands with their outcome, files changed and read."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from recollect.context.pairs import pairs
from recollect.model.messages import Text, ToolCall, ToolResult
from recollect.model.record import Record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recollect.model.messages import Message

COMMAND, CHANGE, READ, OTHER = "command", "change", "read", "other"
LONGEST_SEARCHED = 20_000  # characters of a command in which files are looked for

_COMMAND_KEYS = ("command", "cmd", "script", "commandLine", "CommandLine", "commands")
_PATH_KEYS = (
    "file_path", "path", "filePath", "filename", "file", "target_file", "absolute_path", "notebook_path",
    "relative_workspace_path", "AbsolutePath", "TargetFile", "new_path", "destination",
)  # fmt: skip
_REMOVED_KEYS = (*_PATH_KEYS, "old_string", "old_str", "oldText", "old_text")
_EDITOR_VERBS = {"create": CHANGE, "str_replace": CHANGE, "insert": CHANGE, "undo_edit": CHANGE, "view": READ}
_CHANGING = re.compile(r"edit|write|create|patch|replace|insert|save|delete|remove|rename|move|diff|append", re.I)
_READING = re.compile(r"read|view|open|cat\b|get_?file|fetch_?file|list|ls\b", re.I)
_PATCHED = re.compile(r"^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+?)\s*$", re.M)
_HEADERS = re.compile(r"^(?:\+\+\+ b?/?|rename to )(?!/dev/null)(\S+)", re.M)
_WORD = r"(\"[^\"\n]+\"|'[^'\n]+'|[^\s;|&<>()\"'`]+)"
_REDIRECTED = re.compile(rf"(?<![0-9&>=-])>{{1,2}}\s*(?![&>(]){_WORD}")
_TEE = re.compile(rf"\|\s*tee\s+(?:-a\s+)?{_WORD}")
_IN_PLACE = re.compile(rf"\b(?:sed|perl)\s+(?:-\S+\s+)*-\S*i\S*\s[^\n;|&]*?\s{_WORD}\s*(?=$|[\n;|&])", re.M)
_CMDLET = re.compile(
    rf"\b(?:Set-Content|Add-Content|Out-File|New-Item)\s+(?:-(?:Literal)?(?:File)?Path\s+)?(?!-){_WORD}", re.I
)
_CODE = re.compile(r"[{};=<>]")  # in what stands behind a `>`: a comparison or a quoted program, not a path
_EXIT = re.compile(
    r"(?:Process exited with code|[Ee]xit(?:ed with exit)? (?:code|status):?|Command exited with code|\"exit_code\":)"
    r"\s*(-?\d+)"
)
_WRAPPED = re.compile(r"\A(?:(?:Chunk ID|Wall time|Process|Original token count|Exit code|Total output lines).*\n)+")
_RUNNING = re.compile(r"Process running with|running in (?:the )?background|still running|^<command is still", re.I)
_QUOTED = re.compile(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"")
_FOLLOWED = re.compile(r"[;\n]\s*\S")
_STOPS = re.compile(r"\bset -\w*e")
_LOOKS_FAILED = re.compile(
    r"^(?:Traceback \(most recent|\w*(?:Error|Exception)\b|error(?:\[\w+\])?:|fatal:|FAILED|FAIL\b|npm ERR!|panic:)"
    r"|command not found|No such file or directory",
    re.M,
)
_ERROR_LINE = re.compile(
    r"\b(?:\w*error|\w*exception|fail(?:ed|ure|s)?|fatal|panic|traceback|cannot|can't|not found|denied|unable|undefined"
    r"|unexpected|invalid|missing|refused|no such)\b",
    re.I,
)


class ToolAction(Record):
    """One tool call and what came of it."""

    position: int  # of the message with the call
    kind: str
    target: str  # the command line, or the path
    paths: tuple[str, ...]  # files that were changed, or read
    output: str
    failed: bool | None  # None: never answered
    sure: bool  # the outcome was told, not read out of the output
    given: str = ""  # the text that the tool was given beside its command or path
    tool: str = ""

    @property
    def body(self) -> str:
        """The output without what a host put in front of it."""
        return body_of(self.output)


def tool_actions(messages: Sequence[Message]) -> Iterator[ToolAction]:
    """What was done, in order."""
    matched = pairs(messages)
    for number, message in enumerate(messages):
        for at, part in enumerate(message.parts):
            if isinstance(part, ToolCall):
                place = matched.get((number, at))
                answer = messages[place[0]].parts[place[1]] if place else None
                flagged = not message.shape.startswith("openai")  # other shapes tell of every result whether it failed
                yield _action(number, part, answer if isinstance(answer, ToolResult) else None, flagged)


def output_of(result: ToolResult) -> str:
    """The text of a result."""
    text = "\n".join(part.text for part in result.parts if isinstance(part, Text))
    if text.startswith('{"output"'):
        value = _arguments(text)
        if isinstance(value.get("output"), str):
            code = (value.get("metadata") or {}).get("exit_code") if isinstance(value.get("metadata"), dict) else None
            return value["output"] if code is None else f"Exit code: {code}\n{value['output']}"
    return text


def body_of(output: str) -> str:
    """What a program printed, without the header of the host that ran it."""
    wrapped = _WRAPPED.match(output)
    if not wrapped:
        return output
    rest = output[wrapped.end() :]
    return rest.removeprefix("Output:\n")


def error_lines(output: str, most: int = 2) -> list[str]:
    """The first line a failed program printed, and the first that names an error."""
    lines = [line.strip() for line in body_of(output).splitlines() if line.strip()]
    named = [line for line in lines if _ERROR_LINE.search(line)]
    return list(dict.fromkeys([*lines[:1], *named[:1]]))[:most]


def _action(number: int, call: ToolCall, result: ToolResult | None, flagged: bool) -> ToolAction:
    arguments = _arguments(call.arguments)
    output = output_of(result) if result else ""
    kind, target, paths = _what(call, arguments)
    given = "" if kind in (COMMAND, READ) else "\n".join(_texts(arguments)) if arguments else call.arguments
    if result is None:
        return ToolAction(number, kind, target, paths, output, None, True, given, call.name)
    failed, sure = _outcome(result, output, kind, target, flagged)
    return ToolAction(number, kind, target, paths, output, failed, sure, given, call.name)


def _texts(value: Any) -> Iterator[str]:
    """What is new in the arguments of a call: all text but that which a change takes away."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, one in value.items():
            if key not in _REMOVED_KEYS:
                yield from _texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)


def _arguments(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _what(call: ToolCall, arguments: dict[str, Any]) -> tuple[str, str, tuple[str, ...]]:
    if "*** Begin Patch" in call.arguments:
        patch = next((one for one in arguments.values() if isinstance(one, str) and "*** Begin" in one), call.arguments)
        patched = tuple(dict.fromkeys(_PATCHED.findall(patch)))
        command = _command(arguments)
        return (CHANGE, command or " ".join(patched), patched)
    paths = tuple(_paths(arguments))
    verb = _EDITOR_VERBS.get(str(arguments.get("command", "")))
    if paths and verb:
        return verb, paths[0], paths
    command = _command(arguments)
    if command:
        return COMMAND, command, tuple(changed_by(command))
    if paths and _CHANGING.search(call.name):
        return CHANGE, paths[0], paths
    if paths and _READING.search(call.name):
        return READ, paths[0], paths
    return OTHER, call.name, ()


def _command(arguments: dict[str, Any]) -> str:
    for key in _COMMAND_KEYS:
        value = arguments.get(key)
        if isinstance(value, str) and value.strip():
            return value.strip()
        if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
            shell = len(value) == 3 and value[1] in ("-c", "-lc", "/c", "-Command")
            return str(value[2]) if shell else " ".join(value)
    return ""


def _paths(arguments: dict[str, Any]) -> Iterator[str]:
    for key in _PATH_KEYS:
        value = arguments.get(key)
        if isinstance(value, str) and value.strip() and "\n" not in value:
            yield value.strip()
    for key in ("paths", "files", "edits"):
        for one in arguments.get(key) or () if isinstance(arguments.get(key), list) else ():
            if isinstance(one, str) and "\n" not in one:
                yield one
            elif isinstance(one, dict):
                yield from _paths(one)


def changed_by(command: str) -> Iterator[str]:
    """Files that a command line writes to, as far as it shows."""
    command = command[:LONGEST_SEARCHED]
    seen = set()
    for pattern in (_PATCHED, _REDIRECTED, _TEE, _IN_PLACE, _CMDLET):
        for found in pattern.findall(command):
            path = found.strip("\"'")
            if _is_path(path) and path not in seen:
                seen.add(path)
                yield path


def _is_path(word: str) -> bool:
    return (
        len(word) > 2
        and not _CODE.search(word)
        and not word.startswith(("/dev/", "$(", "&", "-", "#"))
        and ("/" in word or "\\" in word or re.search(r"\w\.\w{1,8}$", word) is not None)
    )


def _outcome(result: ToolResult, output: str, kind: str, command: str, flagged: bool) -> tuple[bool, bool]:
    """Whether it failed, and whether that was told. A command is told to have passed only by its own exit status."""
    if result.is_error:
        return True, True
    if kind == COMMAND and _RUNNING.search(output[:400]):
        return False, False
    code = _EXIT.search(output[:400]) or _EXIT.search(output[-200:])
    if code and int(code[1]) != 0:
        return True, True
    if kind != COMMAND:
        return bool(not code and _LOOKS_FAILED.match(output.lstrip()[:200])), code is not None
    looks_failed = _LOOKS_FAILED.search(output[:600]) or _LOOKS_FAILED.search(output[-600:])
    told = (code is not None or (flagged and not looks_failed)) and not hides_status(command)
    return bool(looks_failed and not told), told


def hides_status(command: str) -> bool:
    """Whether the exit status of a command line may be that of another program: a pipe, `||`, `;`, the background."""
    bare = _QUOTED.sub("", command[:LONGEST_SEARCHED]).strip()
    if "|" in bare and ("||" in bare or "pipefail" not in bare):
        return True
    return bare.endswith("&") or (bool(_FOLLOWED.search(bare)) and not _STOPS.search(bare))
