"""Tool calls and their outputs as Codex writes them: arguments in strings, exit codes in prose, patches as text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recollect.hosts.reading import dict_of, parse_object, str_of, text_of
from recollect.hosts.tools import arguments_of, kind_in, patched_paths, target_text
from recollect.hosts.wrappers import tool_text
from recollect.model.record import Record
from recollect.model.sessions import Called, Returned

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recollect.hosts.reading import Json

TOOLS: dict[str, tuple[str, str]] = {
    "exec_command": ("command", "cmd"),
    "shell": ("command", "command"),
    "shell_command": ("command", "command"),
    "container.exec": ("command", "command"),
    "local_shell": ("command", "command"),
    "write_stdin": ("other", "chars"),
    "update_plan": ("other", "plan"),
    "apply_patch": ("change", "input"),
    "file_change": ("change", "input"),
    "read_file": ("read", "file_path"),
    "view_image": ("read", "path"),
    "list_dir": ("read", "dir_path"),
    "grep_files": ("search", "pattern"),
    "web_search": ("search", "query"),
    "tool_search": ("search", "query"),
    "spawn_agent": ("other", "message"),
}
_HEADER = re.compile(r"(?:Chunk ID: |Wall time: |Exit code: |Command: )")
_BODY = "\nOutput:\n"
_EXITED = "\nProcess exited with code "
_CODE = re.compile(r"-?\d{1,9}\b")
_EXIT_CODE = re.compile(r"(?:^|\n)(?:Process exited with code|Exit code:?) (-?\d{1,9})\b")
_FAILED = ("exec_command failed", "apply_patch verification failed", "failed to parse function arguments", "aborted")


class Output(Record):
    """What a call answered."""

    text: str
    ok: bool | None = None
    exit_code: int | None = None


def kind_of(name: str, arguments: Mapping[str, object]) -> tuple[str, str]:
    """What a call was about: command, read, change, search or other, and its target."""
    kind, target = kind_in(TOOLS, name, arguments)
    if kind == "command" and "*** Begin Patch" in target:
        kind = "change"
    if kind == "change":
        target = next(iter(patched_paths(target)), target.partition("\n")[0])
    return kind, target


def called(payload: Json, call_id: str, at: float) -> Called | None:
    """The call in a response item; None when the item is none."""
    match payload.get("type"):
        case "function_call":
            return Called(call_id, _full_name(payload), arguments_of(payload.get("arguments")), at)
        case "custom_tool_call":
            return Called(call_id, _full_name(payload), {"input": str_of(payload.get("input"))}, at)
        case "local_shell_call":
            action = dict_of(payload.get("action"))
            command = target_text(action.get("command"))
            workdir = str_of(action.get("working_directory"))
            return Called(call_id, "local_shell", {"command": command, "workdir": workdir}, at)
        case "web_search_call":
            action = dict_of(payload.get("action"))
            return Called(
                call_id, "web_search", {**action, "query": action.get("query") or action.get("url") or ""}, at
            )
        case "tool_search_call":
            return Called(call_id, "tool_search", arguments_of(payload.get("arguments")), at)
    return None


def called_item(item: Json, call_id: str, at: float) -> Called | None:
    """The call in a turn item of a paginated log; None when the item is none."""
    match item.get("type"):
        case "CommandExecution":
            return Called(
                call_id, "exec_command", {"cmd": target_text(item.get("command")), "workdir": item.get("cwd")}, at
            )
        case "FileChange":
            touched = "\n".join(f"*** Update File: {path}" for path in dict_of(item.get("changes")))
            return Called(call_id, "file_change", {"input": touched}, at)
        case "McpToolCall":
            name = f"mcp__{str_of(item.get('server'))}__{str_of(item.get('tool'))}"
            return Called(call_id, name, arguments_of(item.get("arguments")), at)
        case "DynamicToolCall":
            return Called(
                call_id, _full_name({**item, "name": item.get("tool")}), arguments_of(item.get("arguments")), at
            )
    return None


def returned_item(item: Json, call_id: str, at: float) -> Returned:
    """The outcome in a turn item."""
    texts = (item.get("aggregated_output"), item.get("stdout"), dict_of(item.get("result")).get("content"))
    output = next((text for text in map(text_of, texts) if text), "") or str_of(
        dict_of(item.get("error")).get("message")
    )
    code = item.get("exit_code", item.get("exitCode"))
    code = code if isinstance(code, int) and not isinstance(code, bool) else None
    ok = {"completed": True, "failed": False, "declined": False}.get(str_of(item.get("status")).lower())
    paths = tuple(dict_of(item.get("changes"))) if ok is not False else ()
    return Returned(call_id, tool_text(output), ok, code, at, paths)


def output_of(value: object) -> Output:
    """The text of an output, and its exit code where the text says one."""
    if isinstance(value, dict):
        success = value.get("success")
        inner = output_of(value.get("content"))
        return inner._replace(ok=success) if isinstance(success, bool) else inner
    text = text_of(value)
    if text.startswith('{"') and '"metadata"' in text and (stored := parse_object(text)) is not None:
        code = dict_of(stored.get("metadata")).get("exit_code")
        code = code if isinstance(code, int) and not isinstance(code, bool) else None
        return Output(tool_text(text_of(stored.get("output"))), None if code is None else code == 0, code)
    if _HEADER.match(text):
        return _with_header(text)
    return Output(tool_text(text), False if text.startswith(_FAILED) else None)


def _with_header(text: str) -> Output:
    end = text.find(_BODY, 0, 2000)
    stop = end if end >= 0 else 2000
    at = text.find(_EXITED, 0, stop)
    found = _CODE.match(text, at + len(_EXITED), stop) if at >= 0 else None
    found = found or _EXIT_CODE.search(text, 0, stop)
    code = int(found[found.lastindex or 0]) if found else None
    body = tool_text(text, end + len(_BODY) if end >= 0 else 0)
    return Output(body, None if code is None else code == 0, code)


def changed_by(call: Called) -> tuple[str, ...]:
    """The files a call will have changed if it succeeds."""
    name, field = call.name, TOOLS.get(call.name, ("", ""))[1]
    text = target_text(call.arguments.get(field)) if field else ""
    return patched_paths(text) if name == "apply_patch" or "*** Begin Patch" in text else ()


def _full_name(payload: Json) -> str:
    name, namespace = str_of(payload.get("name")), str_of(payload.get("namespace"))
    return f"{namespace.rstrip('_')}__{name.lstrip('_')}" if namespace else name
