"""One request of a VS Code chat: the prompt, the parts of the response as they are shown, and the tool calls.

The calls stand twice, under different ids: as parts of the response, and with arguments and results in the metadata of
the outcome. The metadata is read where it is there; a cancelled request has none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.hosts.documents import parse_value
from recollect.hosts.reading import clip, dict_of, list_of, parse_time, str_of
from recollect.hosts.wrappers import typed_text
from recollect.model.record import Record
from recollect.model.sessions import Answered, Called, Compacted, Returned, Said, Spent, Voted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recollect.hosts.reading import Json
    from recollect.model.sessions import Event

TOOLS: dict[str, tuple[str, str]] = {
    "run_in_terminal": ("command", "command"),
    "copilot_runInTerminal": ("command", "command"),
    "run_task": ("command", "id"),
    "runTests": ("command", "files"),
    "read_file": ("read", "filePath"),
    "copilot_readFile": ("read", "filePath"),
    "view_image": ("read", "filePath"),
    "fetch_webpage": ("read", "urls"),
    "get_errors": ("read", "filePaths"),
    "create_file": ("change", "filePath"),
    "copilot_createFile": ("change", "filePath"),
    "replace_string_in_file": ("change", "filePath"),
    "copilot_replaceString": ("change", "filePath"),
    "multi_replace_string_in_file": ("change", "explanation"),
    "insert_edit_into_file": ("change", "filePath"),
    "copilot_insertEdit": ("change", "filePath"),
    "apply_patch": ("change", "input"),
    "copilot_applyPatch": ("change", "input"),
    "edit_notebook_file": ("change", "filePath"),
    "grep_search": ("search", "query"),
    "copilot_findTextInFiles": ("search", "query"),
    "file_search": ("search", "query"),
    "copilot_findFiles": ("search", "query"),
    "semantic_search": ("search", "query"),
    "copilot_searchCodebase": ("search", "query"),
    "list_dir": ("search", "path"),
    "list_code_usages": ("search", "symbolName"),
    "runSubagent": ("other", "description"),
    "manage_todo_list": ("other", "operation"),
}
# VS Code replaces a string over one mebibyte in its log with a note that begins so.
_CUT = "[JustRide: value truncated"
_MAX_DEPTH = 40
_DOWN, _UP = 0, 1  # its votes on a response


class _Call(Record):
    call_id: str
    name: str
    arguments: Json
    output: str | None = None
    exit_code: int | None = None


def request_events(request: Json) -> Iterator[Event]:
    """The events of one request and its response, also when the user cancelled it."""
    record_id, at = str_of(request.get("requestId")), parse_time(request.get("timestamp"))
    metadata = dict_of(dict_of(request.get("result")).get("metadata"))
    message = request.get("message")
    text = _whole(message) or _whole(dict_of(message).get("text"))
    # A click on a button of the response comes as a request with its label.
    if "confirmation" not in request and (typed := typed_text(text)):
        yield Said(typed, at, record_id, attachments=_attached(request))
    yield from _summaries(metadata, at, record_id)
    yield from _response_events(request, metadata, at, record_id)
    if request.get("vote") in (_DOWN, _UP):
        yield Voted(up=request["vote"] == _UP)
    usage = dict_of(metadata.get("usage"))
    spent = [usage.get(name) for name in ("promptTokens", "completionTokens")]
    if not any(spent):
        spent = [metadata.get(name) for name in ("promptTokens", "outputTokens")]
    counts = [value if isinstance(value, int) and not isinstance(value, bool) else 0 for value in spent]
    if any(counts):
        yield Spent(counts[0], counts[1], record_id)


def _whole(value: object) -> str:
    text = str_of(value)
    return "" if text.startswith(_CUT) else text


def _attached(request: Json) -> int:
    """The files and images that were added by hand; what the editor adds by itself does not count."""
    variables = map(dict_of, list_of(dict_of(request.get("variableData")).get("variables")))
    return sum(1 for variable in variables if variable.get("kind") in ("file", "image", "directory"))


def _summaries(metadata: Json, at: float, record_id: str) -> Iterator[Event]:
    for summary in (metadata.get("summary"), *list_of(metadata.get("summaries"))):
        if text := _whole(dict_of(summary).get("text")):
            yield Compacted(text, at=at, trigger="auto", record_id=record_id)


def _response_events(request: Json, metadata: Json, at: float, record_id: str) -> Iterator[Event]:
    model = str_of(request.get("modelId"))
    parts = _once(list_of(request.get("response")))
    recorded = _recorded_calls(metadata)
    waiting = recorded or [_shown_call(part) for part in parts if part.get("kind") == "toolInvocationSerialized"]
    spoken: list[str] = []
    for part in parts:
        if part.get("kind") != "toolInvocationSerialized":
            spoken.append(_shown_text(part))
            continue
        if recorded and part.get("subAgentInvocationId"):
            continue
        yield from _answer(spoken, at, record_id, model)
        if waiting:
            yield from _call_events(waiting.pop(0), at)
    for call in waiting:
        yield from _call_events(call, at)
    yield from _answer(spoken, at, record_id, model)


def _once(response: list[object]) -> list[Json]:
    """A call is written again whenever its state changes: its first place counts, and its last state."""
    parts: dict[str, Json] = {}
    for place, part in enumerate(map(dict_of, response)):
        call_id = str_of(part.get("toolCallId")) if part.get("kind") == "toolInvocationSerialized" else ""
        parts[call_id or f"#{place}"] = part
    return list(parts.values())


def _answer(spoken: list[str], at: float, record_id: str, model: str) -> Iterator[Event]:
    text = "".join(spoken).strip()
    spoken.clear()
    if text and text.strip("`\n "):
        yield Answered(text, at, record_id, model)


def _shown_text(part: Json) -> str:
    """What a part of the response says; edits, progress, thoughts and buttons say nothing."""
    kind = part.get("kind")
    if kind is None or kind in ("markdownContent", "markdownVuln"):
        value = part.get("value", part.get("content"))
        return _whole(value) or _whole(dict_of(value).get("value"))
    if kind == "inlineReference":
        reference = dict_of(part.get("inlineReference"))
        named = str_of(part.get("name")) or str_of(reference.get("name"))
        path = str_of(reference.get("path")) or str_of(dict_of(reference.get("uri")).get("path"))
        return named or path.rpartition("/")[2]
    return ""


def _recorded_calls(metadata: Json) -> list[_Call]:
    results = dict_of(metadata.get("toolCallResults"))
    calls = []
    for turn in map(dict_of, list_of(metadata.get("toolCallRounds"))):
        for call in map(dict_of, list_of(turn.get("toolCalls"))):
            call_id = str_of(call.get("id"))
            arguments = dict_of(parse_value(call.get("arguments")))
            result = dict_of(results.get(call_id))
            output = _texts(result.get("content")) if result else None
            calls.append(_Call(call_id, str_of(call.get("name")), arguments, output))
    return calls


def _shown_call(part: Json) -> _Call:
    """A call from the part that shows it: its arguments are kept for some tools only."""
    details = dict_of(part.get("resultDetails"))
    special = dict_of(part.get("toolSpecificData"))
    arguments = dict_of(parse_value(details.get("input")))
    exit_code: object = None
    output = _texts(details.get("output")) or None
    if special.get("kind") == "terminal":
        line = dict_of(special.get("commandLine"))
        command = str_of(line.get("original")) or str_of(special.get("command"))
        arguments = {"command": str_of(line.get("userEdited")) or command}
        exit_code = dict_of(special.get("terminalCommandState")).get("exitCode")
        output = str_of(dict_of(special.get("terminalCommandOutput")).get("text")) or output
    return _Call(
        str_of(part.get("toolCallId")),
        str_of(part.get("toolId")) or "unknown",
        arguments,
        output if output is not None or not part.get("isComplete") else "",
        exit_code if isinstance(exit_code, int) and not isinstance(exit_code, bool) else None,
    )


def _call_events(call: _Call, at: float) -> Iterator[Event]:
    yield Called(call.call_id, call.name, call.arguments, at)
    if call.output is not None:
        ok = None if call.exit_code is None else call.exit_code == 0
        yield Returned(call.call_id, clip(call.output), ok=ok, exit_code=call.exit_code, at=at)


def _texts(value: object, depth: int = 0) -> str:
    """All text in a result, which may be a tree of nodes."""
    if isinstance(value, str):
        return _whole(value)
    if depth > _MAX_DEPTH:
        return ""
    if isinstance(value, list):
        return "\n".join(filter(None, (_texts(item, depth + 1) for item in value)))
    if isinstance(value, dict):
        kept = [value[key] for key in ("text", "value", "node", "children") if key in value]
        return "\n".join(filter(None, (_texts(item, depth + 1) for item in kept)))
    return ""
