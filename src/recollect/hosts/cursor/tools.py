"""Cursor's tools, as its editor, its transcripts and its command line name them, and what their results say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.hosts.documents import parse_value
from recollect.hosts.reading import clip, dict_of, str_of, text_of
from recollect.model.sessions import Returned

if TYPE_CHECKING:
    from recollect.hosts.reading import Json

HOST = "cursor"
TOOLS: dict[str, tuple[str, str]] = {
    "Shell": ("command", "command"),
    "run_terminal_cmd": ("command", "command"),
    "run_terminal_command": ("command", "command"),
    "run_terminal_command_v2": ("command", "command"),
    "Read": ("read", "path"),
    "ReadFile": ("read", "path"),
    "read_file": ("read", "target_file"),
    "read_file_v2": ("read", "targetFile"),
    "WebFetch": ("read", "url"),
    "ReadLints": ("read", "paths"),
    "Write": ("change", "path"),
    "StrReplace": ("change", "path"),
    "Delete": ("change", "path"),
    "EditNotebook": ("change", "target_notebook"),
    "ApplyPatch": ("change", "patch"),
    "write": ("change", "file_path"),
    "search_replace": ("change", "file_path"),
    "edit_file": ("change", "target_file"),
    "edit_file_v2": ("change", "relativeWorkspacePath"),
    "delete_file": ("change", "target_file"),
    "apply_patch": ("change", "patch"),
    "LS": ("search", "path"),
    "Glob": ("search", "glob_pattern"),
    "Grep": ("search", "pattern"),
    "SemanticSearch": ("search", "query"),
    "WebSearch": ("search", "search_term"),
    "list_dir": ("search", "relative_workspace_path"),
    "list_dir_v2": ("search", "targetDirectory"),
    "glob_file_search": ("search", "glob_pattern"),
    "file_search": ("search", "query"),
    "grep": ("search", "pattern"),
    "grep_search": ("search", "query"),
    "ripgrep": ("search", "pattern"),
    "codebase_search": ("search", "query"),
    "web_search": ("search", "search_term"),
    "Task": ("other", "description"),
    "TodoWrite": ("other", "todos"),
    "todo_write": ("other", "todos"),
}
_OUTPUTS = ("output", "stdout", "contents", "content", "result", "text", "message", "error", "stderr")


def arguments_in(*values: object) -> Json:
    """The first object among values that may be JSON in a string."""
    for value in values:
        if isinstance(parsed := parse_value(value), dict) and parsed:
            return parsed
    return {}


def returned(call_id: str, result: object, status: str, at: float) -> Returned:
    """What came back, from a result that may be text, blocks or an object with the output in one of many fields."""
    value = parse_value(result)
    fields = dict_of(value)
    code = next((fields[key] for key in ("exitCode", "exitCodeV2", "exit_code") if key in fields), None)
    exit_code = code if isinstance(code, int) and not isinstance(code, bool) else None
    ok: bool | None = None
    if status in ("error", "cancelled", "rejected"):
        ok = False
    elif exit_code is not None:
        ok = exit_code == 0
    elif status == "completed":
        ok = True
    return Returned(call_id, clip(_text(value)), ok=ok, exit_code=exit_code, at=at)


def _text(value: object) -> str:
    if isinstance(value, dict):
        texts = (text_of(value[key]) for key in _OUTPUTS if key in value)
        return next(filter(None, texts), "")
    return str_of(value) or text_of(value)
