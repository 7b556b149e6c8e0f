"""What a continuing agent needs of a session, by literal presence: nothing here is shared with what is measured."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recollect.model.messages import Message, Other, Text, ToolCall, ToolResult

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

KINDS = ("request", "rule", "path", "failing command", "error", "passing check", "reference")
RULE_SHARE = 0.8
LONGEST_COMMAND = 500

_RULE = re.compile(r"\b(must|never|always|don['’]?t|only|instead)\b", re.I)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n")
_REFERENCE = re.compile(r"https?://[^\s<>\"')\]`]+|(?<![\w#])#\d+\b|\b(?=\w*\d)(?=\w*[a-f])[0-9a-f]{7,40}\b")
_NOT_TYPED = re.compile(
    r"\s*(<|\[Request interrupted|Base directory for this skill|Caveat:|# AGENTS\.md|This session is being continued)"
)
_REMINDER = re.compile(r"<system-reminder>.*?</system-reminder>", re.S)
_EDITING = re.compile(r"^(edit|write|multiedit|notebookedit|create|str_replace\w*|write_file|apply_patch)$", re.I)
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.M)
_CODE = re.compile(r"(?:exit code:?|exited with code|exit status)\s*(-?\d+)", re.I)
_CHECK = re.compile(
    r"\b(pytest|go (test|build|vet)|cargo (test|build|check)|make( test| build)?|tsc|jest|vitest|mypy|ruff|ctest|eslint"
    r"|(npm|pnpm|yarn|bun)( run)? [\w:]*(test|build|lint|typecheck)|golangci-lint|gradlew?|mvn|dotnet (test|build))\b"
)
_HEADER = re.compile(r"^(Chunk ID|Wall time|Process exited|Original token|Output:|Exit code|Total output)", re.I)
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Need:
    """One thing that has to be there, and how much of its words."""

    kind: str
    text: str
    share: float = 1.0


def needs(messages: Sequence[Message]) -> list[Need]:
    """All that is needed of a session, each once."""
    typed = list(_typed(messages))
    found = [Need("request", typed[-1])] if typed else []
    for text in typed:
        rules = (sentence.strip() for sentence in _SENTENCE.split(text) if _RULE.search(sentence))
        found += (Need("rule", rule, RULE_SHARE) for rule in rules)
        found += (Need("reference", one.rstrip(".,;:")) for one in _REFERENCE.findall(text))
    calls = list(_calls(messages))
    found += (Need("path", path) for call, _ in calls for path in _paths(call))
    run = [(command, result) for call, result in calls if (command := command_of(call))]
    failing = [(command, result) for command, result in run if _failed(result)]
    passing = [command for command, result in run if not _failed(result) and _CHECK.search(command)]
    if failing:
        found.append(Need("failing command", _line(failing[-1][0])))
        lines = [line.strip() for line in _text(failing[-1][1]).splitlines()]
        found += [Need("error", line) for line in lines if line and not _HEADER.match(line)][:1]
    if passing:
        found.append(Need("passing check", _line(passing[-1])))
    return list(dict.fromkeys(found))


def kept(wanted: Iterable[Need], messages: Sequence[Message]) -> dict[Need, bool]:
    """Which needs a conversation meets."""
    text = said(messages)
    flat = " ".join(text.split())
    words = [word.lower() for word in _WORD.findall(text)]
    return {need: _flat(need.text) in flat or (need.share < 1 and _near(need, words)) for need in wanted}


def said(messages: Iterable[Message]) -> str:
    """All text of a conversation, the arguments of calls as the values they hold."""
    return "\n".join(piece for message in messages for part in message.parts for piece in _pieces(part))


def _pieces(part: Any) -> Iterator[str]:
    match part:
        case Text(text=text):
            yield text
        case ToolCall(name=name, arguments=arguments):
            yield name
            try:
                yield from _strings(json.loads(arguments))
            except ValueError:
                yield arguments
        case ToolResult(parts=parts):
            for inner in parts:
                yield from _pieces(inner)
        case Other(value=value):
            yield from _strings(value)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one)


def _flat(text: str) -> str:
    return " ".join(text.split())


def _near(need: Need, words: list[str]) -> bool:
    """Whether enough of the words stand within a stretch twice as long as the sentence."""
    wanted = Counter(word.lower() for word in _WORD.findall(need.text))
    total = sum(wanted.values())
    if not total:
        return True
    width = 2 * total
    here: Counter[str] = Counter()
    met = 0
    for at, word in enumerate(words):
        if word in wanted:
            here[word] += 1
            met += here[word] <= wanted[word]
        if at >= width and (gone := words[at - width]) in wanted:
            met -= here[gone] <= wanted[gone]
            here[gone] -= 1
        if met >= need.share * total:
            return True
    return False


def typed_text(message: Message) -> str:
    """What a person typed of a message; empty when a program wrote it."""
    text = _REMINDER.sub("", message.text).strip() if message.role == "user" else ""
    return "" if _NOT_TYPED.match(text) else text


def _typed(messages: Sequence[Message]) -> Iterator[str]:
    return filter(None, map(typed_text, messages))


def _calls(messages: Sequence[Message]) -> Iterator[tuple[ToolCall, ToolResult]]:
    waiting: dict[str, ToolCall] = {}
    for message in messages:
        for part in message.parts:
            if isinstance(part, ToolCall):
                waiting[part.call_id] = part
            elif isinstance(part, ToolResult) and part.call_id in waiting:
                yield waiting.pop(part.call_id), part


def _values(call: ToolCall) -> dict[str, Any]:
    try:
        value = json.loads(call.arguments)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _paths(call: ToolCall) -> Iterator[str]:
    values = _values(call)
    if _EDITING.match(call.name) and values.get("command") != "view":
        path = values.get("file_path") or values.get("path") or values.get("notebook_path")
        if isinstance(path, str):
            yield path
    for text in [call.arguments] if not values else _strings(values):
        if "*** Begin Patch" in text:
            yield from (path.strip() for path in _PATCHED.findall(text))


def command_of(call: ToolCall) -> str:
    """The command line of a call; empty when it runs none."""
    value = _values(call).get("command") or _values(call).get("cmd") or ""
    if isinstance(value, list):
        value = value[-1] if value else ""
    return "" if not isinstance(value, str) or _EDITING.match(call.name) else value.strip()


def _line(command: str) -> str:
    return command if len(command) <= LONGEST_COMMAND else command.splitlines()[0][:LONGEST_COMMAND]


def _text(result: ToolResult) -> str:
    return "\n".join(part.text for part in result.parts if isinstance(part, Text))


def _failed(result: ToolResult) -> bool:
    code = _CODE.search(_text(result)[:400])
    return result.is_error or (code is not None and code[1] != "0")
