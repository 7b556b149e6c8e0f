"""Cline's tasks, and those of Roo: a folder each, with the messages of the model, those of the panel, and metadata."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from recollect.hosts.cline.messages import TOOLS, Panel, message_events
from recollect.hosts.documents import read_document
from recollect.hosts.events import unfenced
from recollect.hosts.reading import dict_of, files_below, home_in, list_of, parse_time, read_whole, str_of, text_of
from recollect.hosts.workspaces import server_folders, user_folders
from recollect.model.sessions import Began, Skipped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from recollect.hosts.reading import Json
    from recollect.model.sessions import Event

__all__ = ["HOST", "TOOLS", "find", "places", "read", "recognises"]

HOST = "cline"
FILE_NAME = "api_conversation_history.json"
EDITORS = ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf")
SERVERS = (".vscode-server", ".vscode-server-insiders", ".vscode-remote", ".cursor-server")
EXTENSIONS = ("saoudrizwan.claude-dev", "rooveterinaryinc.roo-cline", "kilocode.kilo-code")
_MARKS = (b"<environment_details>", b"<task>", b"<user_message>", b"# Current Working Directory")
_FOLDER = re.compile(r"# Current (?:Working|Workspace) Directory \(([^\n]+)\)")


def places(environ: Mapping[str, str], platform: str) -> list[str]:
    """The folders of tasks of each extension in each editor, and the command line's."""
    users = user_folders(EDITORS, environ, platform) + server_folders(SERVERS, environ, platform)
    found = [os.path.join(user, "globalStorage", name, "tasks") for user in users for name in EXTENSIONS]
    root = environ.get("CLINE_DIR", "")
    home = home_in(environ, platform)
    if root or home:
        found.append(os.path.join(root or os.path.join(home, ".cline"), "data", "tasks"))
    return found


def find(places: Iterable[str]) -> Iterator[str]:
    """The messages of each task."""
    return files_below(places, FILE_NAME)


def recognises(path: str, head: bytes) -> bool:
    """Whether a list of messages begins the file, with Cline's wrappers in it or the panel's messages beside it."""
    if not re.match(rb'\s*\[\s*\{[^\[\]]{0,400}?"role"', head.lstrip(b"\xef\xbb\xbf")):
        return False
    beside = os.path.join(os.path.dirname(path), "ui_messages.json")
    return any(mark in head for mark in _MARKS) or (os.path.basename(path) == FILE_NAME and os.path.isfile(beside))


def read(path: str) -> Iterator[Event]:
    """The one task of a folder."""
    return unfenced(_events(path))


def _events(path: str) -> Iterator[Event]:
    document = read_document(path, "messages")
    folder = os.path.dirname(os.path.abspath(path))
    panel = Panel.of(read_document(os.path.join(folder, "ui_messages.json"), "messages").items)
    if document.items:
        began = _began(folder, document.items, panel)
        yield began
        calls: dict[str, str] = {}
        for number, message in enumerate(document.items):
            yield from message_events(message, number, panel, calls, typed=not began.agent)
    if document.broken:
        yield Skipped(path, document.broken)


def _began(folder: str, messages: tuple[Json, ...], panel: Panel) -> Began:
    task_id = os.path.basename(folder)
    item = _object(folder, "history_item.json")
    parent = str_of(item.get("parentTaskId"))
    first = text_of(messages[0].get("content"))
    described = _FOLDER.search(first)
    cwd = str_of(item.get("workspace")) or (described[1] if described else "")
    return Began(
        HOST,
        task_id,
        at=panel.started or parse_time(item.get("ts")) or parse_time(task_id),
        cwd=cwd,
        title=str_of(item.get("task"))[:200] if parent else "",
        model=_model(folder),
        parent=parent,
        agent=(str_of(item.get("mode")) or "subtask") if parent else "",
    )


def _object(folder: str, name: str) -> Json:
    found = read_whole(os.path.join(folder, name))
    return {} if isinstance(found, Skipped) else found


def _model(folder: str) -> str:
    uses = map(dict_of, list_of(_object(folder, "task_metadata.json").get("model_usage")))
    return next(filter(None, (str_of(use.get("model_id")) for use in uses)), "")
