"""Cline's messages: the user's words stand in tags between tool results, the calls as tags in the assistant's text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recollect.hosts.reading import clip, dict_of, list_of, parse_time, str_of, text_of
from recollect.hosts.wrappers import typed_text
from recollect.model.record import Record
from recollect.model.sessions import Answered, Called, Compacted, Returned, Said

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from recollect.hosts.reading import Json
    from recollect.model.sessions import Event

TOOLS: dict[str, tuple[str, str]] = {
    "execute_command": ("command", "command"),
    "read_file": ("read", "path"),
    "fetch_instructions": ("read", "task"),
    "web_fetch": ("read", "url"),
    "access_mcp_resource": ("read", "uri"),
    "write_to_file": ("change", "path"),
    "replace_in_file": ("change", "path"),
    "apply_diff": ("change", "path"),
    "insert_content": ("change", "path"),
    "search_and_replace": ("change", "path"),
    "apply_patch": ("change", "patch"),
    "new_rule": ("change", "path"),
    "search_files": ("search", "regex"),
    "list_files": ("search", "path"),
    "list_code_definition_names": ("search", "path"),
    "codebase_search": ("search", "query"),
    "web_search": ("search", "query"),
    "browser_action": ("other", "action"),
    "use_mcp_tool": ("other", "tool_name"),
    "ask_followup_question": ("other", "question"),
    "attempt_completion": ("other", "command"),
    "plan_mode_respond": ("other", "response"),
    "new_task": ("other", "message"),
    "switch_mode": ("other", "mode_slug"),
    "update_todo_list": ("other", "todos"),
    "condense": ("other", "context"),
}
# What these say is meant for the user.
_SPOKEN = {"attempt_completion": "result", "plan_mode_respond": "response", "ask_followup_question": "question"}
_TYPED = re.compile(r"<(task|user_message|feedback|answer)>(.*?)(?:</\1>|\Z)", re.DOTALL)
_FEEDBACK = re.compile(r"user provided the following feedback:\s*<feedback>(.*?)(?:</feedback>|\Z)", re.DOTALL)
_ENVIRONMENT = re.compile(r"<environment_details>.*?(?:</environment_details>|\Z)", re.DOTALL)
_THINKING = re.compile(r"<thinking>.*?(?:</thinking>|\Z)", re.DOTALL)
_RESULT = re.compile(r"\A\[(\w+)(?: for '.*?')?\] Result:\s*", re.DOTALL)
_CALL = re.compile(rf"<({'|'.join(TOOLS)})>(.*?)(?:</\1>|\Z)", re.DOTALL)
_ARGUMENT = re.compile(r"<(\w+)>(.*?)</\1>", re.DOTALL)
_PANEL_TYPED = frozenset(("task", "user_feedback"))


class Panel(Record):
    """What the panel shows: when it began, and what the user typed with its time."""

    started: float
    typed: dict[str, float]

    @classmethod
    def of(cls, items: Iterable[Json]) -> Panel:
        typed: dict[str, float] = {}
        started = 0.0
        for place, item in enumerate(items):
            at = parse_time(item.get("ts"))
            started = started or at
            first = place == 0 and item.get("say") == "text"
            if item.get("type") == "say" and (str_of(item.get("say")) in _PANEL_TYPED or first):
                typed.setdefault(str_of(item.get("text")).strip(), at)
        return cls(started, typed)


class _Section(Record):
    """A text of a user's message, and the call whose result it is, if it is one."""

    text: str
    call_id: str = ""
    tool: str = ""
    ok: bool | None = None


def message_events(message: Json, number: int, panel: Panel, calls: dict[str, str], *, typed: bool) -> Iterator[Event]:
    """The events of one message; `calls` names the tools of the calls that wait for their result."""
    content = message.get("content")
    record_id = str_of(message.get("id")) or f"message-{number}"
    at = parse_time(message.get("ts"))
    blocks: list[object] = [{"type": "text", "text": content}] if isinstance(content, str) else list_of(content)
    if message.get("isSummary") is True:
        yield Compacted(text_of(content), at=at, record_id=record_id)
    elif message.get("role") == "assistant":
        for place, block in enumerate(map(dict_of, blocks)):
            yield from _assistant_events(block, f"{record_id}-{place}", at, record_id, calls)
    elif message.get("role") == "user":
        said: list[str] = []
        for section in _sections(blocks, calls):
            if section.call_id:
                yield Returned(section.call_id, clip(section.text), ok=section.ok, at=at)
            said += _typed_in(section, panel, first=number == 0)
        images = sum(1 for block in blocks if dict_of(block).get("type") == "image")
        # The same words may stand in a tool's result and again below it.
        text = "\n".join(dict.fromkeys(said))
        if typed and text:
            yield Said(text, panel.typed.get(text, at), record_id, attachments=images)


def _sections(blocks: list[object], calls: dict[str, str]) -> Iterator[_Section]:
    """The blocks as sections: the heading of a result and its body may be one block or several."""
    current = _Section("")
    for block in map(dict_of, blocks):
        if block.get("type") == "tool_result":
            yield current
            current = _Section("")
            call_id = str_of(block.get("tool_use_id"))
            failed = block.get("is_error")
            ok = None if failed is None else not failed
            yield _Section(_clean(text_of(block.get("content"))), call_id, calls.pop(call_id, "unknown"), ok)
            continue
        text = _clean(text_of(block))
        heading = _RESULT.match(text)
        if heading is not None:
            yield current
            call_id = next((name for name, tool in calls.items() if tool == heading[1]), next(iter(calls), ""))
            calls.pop(call_id, None)
            current = _Section(text[heading.end() :], call_id, heading[1])
        elif current.tool and text and not _is_typed_whole(text, current.tool):
            current = current._replace(text=f"{current.text}\n{text}".strip())
        elif text:
            yield current
            current = _Section(text)
    yield current


def _clean(text: str) -> str:
    return _ENVIRONMENT.sub("", text).strip()


def _is_typed_whole(text: str, tool: str) -> bool:
    """Whether a block below a result is the user's own; a file or a search result may look like it."""
    found = _TYPED.match(text)
    return found is not None and found.end() == len(text) and TOOLS.get(tool, ("other",))[0] not in ("read", "search")


def _typed_in(section: _Section, panel: Panel, *, first: bool) -> list[str]:
    """The user's words in a section: those in tags, and a text of its own that is the task or that the panel knows."""
    if section.tool and section.tool not in _SPOKEN:
        found = [match[1] for match in _FEEDBACK.finditer(section.text)]
    else:
        found = [match[2] for match in _TYPED.finditer(section.text)]
        if not found and not section.tool and (first or section.text in panel.typed):
            found = [section.text]
    return [typed for text in found if (typed := typed_text(text))]


def _assistant_events(block: Json, call_id: str, at: float, record_id: str, calls: dict[str, str]) -> Iterator[Event]:
    if block.get("type") == "tool_use":
        call_id = str_of(block.get("id")) or call_id
        yield from _call(str_of(block.get("name")), dict_of(block.get("input")), call_id, at, record_id)
        calls[call_id] = str_of(block.get("name"))
        return
    text = _THINKING.sub("", text_of(block))
    position = 0
    for place, found in enumerate(_CALL.finditer(text)):
        yield from _answer(text[position : found.start()], at, record_id)
        arguments: Json = {match[1]: match[2].strip("\n") for match in _ARGUMENT.finditer(found[2])}
        yield from _call(found[1], arguments, f"{call_id}-{place}", at, record_id)
        calls[f"{call_id}-{place}"] = found[1]
        position = found.end()
    yield from _answer(text[position:], at, record_id)


def _call(name: str, arguments: Json, call_id: str, at: float, record_id: str) -> Iterator[Event]:
    yield from _answer(str_of(arguments.get(_SPOKEN.get(name, ""))), at, record_id)
    yield Called(call_id, name, arguments, at)


def _answer(text: str, at: float, record_id: str) -> Iterator[Event]:
    if text.strip():
        yield Answered(text.strip(), at, record_id)
