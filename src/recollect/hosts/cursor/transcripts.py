"""Cursor's agent transcripts: `<uuid>/<uuid>.jsonl`, its sub-agents beside it, and flat text files before those.

They hold no times, no folder and no ids: the file's own time, its folder's name and the order of lines stand in.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from recollect.hosts.cursor.slugs import folder_of_slug
from recollect.hosts.cursor.tools import HOST, arguments_in, returned
from recollect.hosts.reading import attachments_of, clip, dict_of, list_of, read_records, str_of, text_of
from recollect.hosts.wrappers import inside, typed_text
from recollect.model.sessions import Answered, Began, Called, Returned, Said, Skipped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recollect.hosts.reading import Json
    from recollect.model.sessions import Event

_CONTEXT = re.compile(
    r"\A\s*<(user_info|timestamp|rules|agent_transcripts|agent_skills|mcp_file_system)\b", re.IGNORECASE
)
_MARK = re.compile(r"^(?:(user|assistant):|\[(Thinking|Tool call|Tool result)\])[ \t]*(.*)$", re.IGNORECASE)
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)$")
_MAX_TEXT = 64 * 1024 * 1024


def typed_query(text: str) -> str:
    """What the user typed: the queries in a message that has any, else the message without Cursor's own blocks."""
    if "<user_query" in text:
        blocks = text.split("<user_query")[1:]
        queries = (inside(f"<user_query{block}", "user_query") or "" for block in blocks)
        return typed_text("\n".join(query for query in queries if query))
    while opening := _CONTEXT.match(text):
        _, ended, text = text.partition(f"</{opening[1]}>")
        if not ended:
            return ""
    return typed_text(text)


def read_transcript(path: str) -> Iterator[Event]:
    """One session from its lines; a sub-agent's is part of the session whose folder it lies in."""
    began = _began(path)
    yield began
    calls = _Calls()
    for record in read_records(path):
        if isinstance(record, Skipped):
            yield record
            continue
        content = dict_of(record.get("message")).get("content")
        if record.get("role") == "user":
            yield from calls.results(content)
            if not began.agent and (typed := typed_query(text_of(content))):
                yield Said(typed, attachments=attachments_of(content))
        elif record.get("role") == "assistant":
            yield from calls.answers(content)


class _Calls:
    """Pairs calls with results: by id where there is one, else in order."""

    def __init__(self) -> None:
        self._open: list[str] = []
        self._count = 0

    def answers(self, content: object) -> Iterator[Event]:
        for block in [content] if isinstance(content, str) else list_of(content):
            kind = dict_of(block).get("type")
            if isinstance(block, dict) and kind == "tool_use":
                yield self.called(str_of(block.get("id")), str_of(block.get("name")), arguments_in(block.get("input")))
            elif isinstance(block, dict) and kind == "tool_result":
                yield self._result(block)
            elif text := text_of(block).strip():
                yield Answered(text)

    def results(self, content: object) -> Iterator[Event]:
        for block in map(dict_of, list_of(content)):
            if block.get("type") == "tool_result":
                yield self._result(block)

    def called(self, call_id: str, name: str, arguments: Json) -> Called:
        self._count += 1
        call_id = call_id or f"call-{self._count}"
        self._open.append(call_id)
        return Called(call_id, name, arguments)

    def _result(self, block: Json) -> Returned:
        status = "error" if block.get("is_error") is True else ""
        return returned(self.close(str_of(block.get("tool_use_id"))), block.get("content"), status, 0.0)

    def close(self, call_id: str = "") -> str:
        call_id = call_id or (self._open[0] if self._open else "")
        if call_id in self._open:
            self._open.remove(call_id)
        return call_id


def _began(path: str) -> Began:
    folder, name = os.path.split(os.path.abspath(path))
    stem = os.path.splitext(name)[0]
    parent = ""
    if os.path.basename(folder) == "subagents":
        folder = os.path.dirname(folder)
        parent = os.path.basename(folder)
    return Began(
        HOST,
        stem,
        at=_changed_at(path),
        cwd=_project_folder(folder),
        parent=parent,
        agent=stem if parent else "",
    )


def _changed_at(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except (OSError, ValueError):
        return 0.0


def _project_folder(folder: str) -> str:
    """The project's path from the folder's name above `agent-transcripts`."""
    above, found, _ = folder.rpartition(f"{os.sep}agent-transcripts")
    return folder_of_slug(os.path.basename(above)) if found else ""


def read_text_transcript(path: str) -> Iterator[Event]:
    """One session from a text file, in which marks at line starts say who speaks."""
    began = _began(path)
    yield began
    calls = _Calls()
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            text = stream.read(_MAX_TEXT)
    except (OSError, ValueError) as error:
        yield Skipped(path, f"it cannot be read: {error}")
        return
    before = ""
    for mark, argument, body in _sections(text):
        # Below a tool's result stands whatever the tool printed, a user's mark too.
        is_typed = mark == "user" and before != "tool result" and not argument and body.startswith("<user_query>")
        before = mark
        if is_typed and (typed := typed_query(body)):
            yield Said(typed)
        elif mark == "assistant" and (said := f"{argument}\n{body}".strip()):
            yield Answered(said)
        elif mark == "tool call":
            yield calls.called("", argument, _listed(body))
        elif mark == "tool result":
            yield Returned(calls.close(), clip(body))


def _sections(text: str) -> Iterator[tuple[str, str, str]]:
    """Mark, the rest of its line, and the lines below; after a result the assistant speaks on only when marked."""
    mark, argument = "", ""
    lines: list[str] = []
    open_query, fence = False, ""
    for line in text.split("\n"):
        found = None if open_query or fence else _MARK.match(line)
        if found is None:
            lines.append(line)
        else:
            yield mark, argument, "\n".join(lines).strip()
            mark, argument, lines = (found[1] or found[2]).lower(), found[3].strip(), []
        if mark == "user" and ("<user_query>" in line or "</user_query>" in line):
            open_query = line.rfind("<user_query>") > line.rfind("</user_query>")
        if mark == "assistant":
            fence = _fence_after(line, fence)
    yield mark, argument, "\n".join(lines).strip()


def _fence_after(line: str, fence: str) -> str:
    """The fence of the code that is open after this line, if any: in code, nobody's mark counts."""
    found = _FENCE.match(line)
    if found is None:
        return fence
    if not fence:
        return found[1]
    return "" if found[1].startswith(fence) and not found[2].strip() else fence


def _listed(body: str) -> Json:
    """Arguments as lines of `name: value`; a line that begins no argument belongs to the one before."""
    arguments: dict[str, object] = {}
    name = ""
    for line in body.split("\n"):
        found = re.match(r"\s*([A-Za-z_]\w*):\s?(.*)$", line)
        if found:
            name = found[1]
            arguments[name] = found[2]
        elif name:
            arguments[name] = f"{arguments[name]}\n{line}"
    return arguments
