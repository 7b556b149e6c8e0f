"""The conversations of Cursor's editor: composers and their bubbles, as JSON under keys of one SQLite table."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from recollect.hosts.cursor.tools import HOST, arguments_in, returned
from recollect.hosts.cursor.transcripts import typed_query
from recollect.hosts.databases import Database, object_in, rows_in
from recollect.hosts.documents import parse_value
from recollect.hosts.reading import dict_of, int_of, list_of, parse_time, str_of
from recollect.hosts.workspaces import folder_of_window, path_in_uri
from recollect.model.sessions import Answered, Began, Called, Compacted, Said, Skipped, Spent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recollect.hosts.reading import Json
    from recollect.model.sessions import Event

USER, ASSISTANT = 1, 2
_KEYS = "SELECT key FROM cursorDiskKV WHERE key >= ? AND key < ? ORDER BY rowid"
_VALUES = "SELECT key, value FROM cursorDiskKV WHERE key >= ? AND key < ? ORDER BY rowid"
_VALUE = "SELECT value FROM cursorDiskKV WHERE key = ?"
_REFERENCES = "SELECT value FROM ItemTable WHERE key = 'composer.composerData'"
_PREFIX = "composerData:"


def read_composers(database: Database, only: str = "") -> Iterator[Event]:
    """Every conversation of the editor, in the order in which they were stored; or only the one named."""
    windows: dict[str, str] | None = None
    prefix = _PREFIX + only
    for row in database.rows(_KEYS, prefix, _after(prefix)):
        composer_id = str(row["key"])[len(_PREFIX) :]
        stored = next(iter(database.rows(_VALUE, row["key"])), {}).get("value")
        composer = object_in(stored)
        if not composer:
            if stored is not None:
                yield Skipped(database.path, f"the conversation {composer_id} is not a JSON object")
            continue
        bubbles = _bubbles(database, composer, composer_id)
        if not bubbles:
            continue
        cwd = _own_folder(composer)
        if not cwd:
            windows = _windows_of(database.path) if windows is None else windows
            cwd = windows.get(composer_id, "")
        began = _began(composer, composer_id, cwd)
        yield began
        for bubble in bubbles:
            yield from _bubble_events(bubble, composer, typed=not began.agent)


def _after(prefix: str) -> str:
    """The first key behind all that begin so."""
    return prefix[:-1] + chr(ord(prefix[-1]) + 1)


def _bubbles(database: Database, composer: Json, composer_id: str) -> list[Json]:
    """The bubbles in the order of the composer's list; older composers hold them themselves."""
    held = {str_of(bubble.get("bubbleId")): bubble for bubble in map(dict_of, list_of(composer.get("conversation")))}
    prefix = f"bubbleId:{composer_id}:"
    for row in database.rows(_VALUES, prefix, _after(prefix)):
        if bubble := object_in(row.get("value")):
            held[str(row["key"])[len(prefix) :]] = bubble
    headers = [dict_of(header) for header in list_of(composer.get("fullConversationHeadersOnly"))]
    if not headers:
        return [{**bubble, "bubbleId": name} for name, bubble in sorted(held.items(), key=lambda item: _time(item[1]))]
    shown = [header for header in headers if dict_of(header.get("grouping")).get("isRenderable") is not False]
    names = dict.fromkeys(str_of(header.get("bubbleId")) for header in shown)
    return [{**held[name], "bubbleId": name} for name in names if name in held]


def _time(bubble: Json) -> float:
    timing = dict_of(bubble.get("timingInfo"))
    times = (bubble.get("createdAt"), timing.get("clientStartTime"), timing.get("clientRpcSendTime"))
    return next(filter(None, map(parse_time, times)), 0.0)


def _began(composer: Json, composer_id: str, cwd: str) -> Began:
    info = dict_of(composer.get("subagentInfo"))
    parent = str_of(info.get("parentComposerId")) or str_of(composer.get("parentComposerId"))
    return Began(
        HOST,
        composer_id,
        at=parse_time(composer.get("createdAt")),
        cwd=cwd,
        title=str_of(composer.get("name")),
        model=str_of(dict_of(composer.get("modelConfig")).get("modelName")),
        parent=parent,
        agent=(str_of(info.get("subagentTypeName")) or "subagent") if parent else "",
    )


def _own_folder(composer: Json) -> str:
    """Newer composers name the folder of their window."""
    uri = dict_of(dict_of(composer.get("workspaceIdentifier")).get("uri"))
    return str_of(uri.get("fsPath")) or path_in_uri(str_of(uri.get("external"))) or str_of(uri.get("path"))


def _windows_of(path: str) -> dict[str, str]:
    """The folder of each composer that exactly one folder's windows list."""
    storage = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(path))), "workspaceStorage")
    folders: dict[str, set[str]] = {}
    for window in _names(storage):
        folder = folder_of_window(os.path.join(storage, window))
        for composer_id in _listed(os.path.join(storage, window, "state.vscdb")) if folder else ():
            folders.setdefault(composer_id, set()).add(folder)
    return {composer_id: found.pop() for composer_id, found in folders.items() if len(found) == 1}


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except (OSError, ValueError):
        return []


def _listed(path: str) -> list[str]:
    listed: list[str] = []
    for data in (object_in(row.get("value")) for row in rows_in(path, _REFERENCES)):
        listed += [str_of(dict_of(item).get("composerId")) for item in list_of(data.get("allComposers"))]
        listed += [str_of(item) for item in list_of(data.get("selectedComposerIds"))]
    return [composer_id for composer_id in listed if composer_id]


def _bubble_events(bubble: Json, composer: Json, *, typed: bool) -> Iterator[Event]:
    record_id, at, text = str_of(bubble.get("bubbleId")), _time(bubble), str_of(bubble.get("text"))
    if bubble.get("type") == USER:
        if typed and (query := typed_query(text)):
            images = list_of(bubble.get("images")) or list_of(dict_of(bubble.get("context")).get("selectedImages"))
            yield Said(query, at, record_id, attachments=len(images))
        return
    summary = dict_of(bubble.get("conversationSummary"))
    if written := str_of(summary.get("summary")):
        yield Compacted(written, at=at, record_id=record_id)
    if text.strip():
        yield Answered(text, at, record_id, str_of(dict_of(bubble.get("modelInfo")).get("modelName")))
    yield from _tool_events(_tool_of(bubble, composer), at, record_id)
    tokens = dict_of(bubble.get("tokenCount"))
    spent = int_of(tokens.get("inputTokens")), int_of(tokens.get("outputTokens"))
    if any(spent):
        yield Spent(*spent, record_id=record_id)


def _tool_of(bubble: Json, composer: Json) -> Json:
    """A bubble's tool call; the first version keeps them all in the composer."""
    if tool := dict_of(bubble.get("toolFormerData")):
        return tool
    for capability in map(dict_of, list_of(composer.get("capabilities"))):
        known = dict_of(parse_value(dict_of(capability.get("data")).get("bubbleDataMap")))
        if tool := dict_of(known.get(str_of(bubble.get("bubbleId")))):
            return tool
    return {}


def _tool_events(tool: Json, at: float, record_id: str) -> Iterator[Event]:
    if not tool.get("name"):
        return
    call_id = str_of(tool.get("toolCallId")) or record_id
    yield Called(call_id, str_of(tool.get("name")), arguments_in(tool.get("rawArgs"), tool.get("params")), at)
    status = str_of(tool.get("status"))
    result = tool.get("result") or tool.get("error")
    if result or status in ("completed", "error", "cancelled"):
        yield returned(call_id, result, status, at)
