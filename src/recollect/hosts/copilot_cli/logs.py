"""Session logs of Copilot CLI: events in JSONL, one folder or (older) one file per session.

Sub-agents write into the same file; each is a session of its own, `<session>/<agent>`. Where two sessions alternate,
`Began` comes again with the same id: what follows belongs to it.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from recollect.hosts.copilot_cli.older import read_older
from recollect.hosts.reading import (
    Seen,
    dict_of,
    files_below,
    home_in,
    int_of,
    list_of,
    parse_time,
    read_head,
    read_records,
    squeezed,
    str_of,
    text_of,
)
from recollect.hosts.tools import kind_in
from recollect.hosts.wrappers import tool_text, typed_text
from recollect.model.sessions import Answered, Began, Called, Compacted, Moved, Returned, Said, Skipped, Spent, Titled
from recollect.text.fences import strip_fences

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from recollect.hosts.reading import Json
    from recollect.model.sessions import Event

HOST = "copilot-cli"
TOOLS: dict[str, tuple[str, str]] = {
    "bash": ("command", "command"),
    "powershell": ("command", "command"),
    "shell": ("command", "command"),
    "view": ("read", "path"),
    "edit": ("change", "path"),
    "create": ("change", "path"),
    "str_replace_editor": ("change", "path"),
    "apply_patch": ("change", "path"),
    "grep": ("search", "pattern"),
    "rg": ("search", "pattern"),
    "glob": ("search", "pattern"),
    "web_search": ("search", "query"),
    "web_fetch": ("other", "url"),
    "task": ("other", "description"),
    "skill": ("other", "skill"),
    "ask_user": ("other", "question"),
    "update_todo": ("other", "todos"),
}
_PARSED = frozenset(
    b"session.start session.resume session.title_changed session.context_changed session.compaction_complete "
    b"user.message assistant.message tool.execution_start tool.execution_complete subagent.started".split()
)
_TYPE = re.compile(rb'\{"type":"([\w.]+)"')
_FIRST = re.compile(rb'\{"type":"(?:session|user|assistant|tool|hook|system|subagent)\.\w+","data":\{')
_EXIT_CODE = re.compile(r"<[^<>\n]*exit(?:ed with exit)? code:? (-?\d{1,9})>\s*\Z")
_STILL_RUNNING = re.compile(r"<command [^<>\n]*is still running after [^<>]*>\s*\Z")
_FIELD = re.compile(r"^(\w+): *(.*?) *$", re.M)
_ID = re.compile(r"[\w-]{1,100}")  # of a session, which names its folder


def places(environ: Mapping[str, str], platform: str) -> list[str]:
    """The folders of sessions, today's and the older one."""
    home = home_in(environ, platform)
    root = environ.get("COPILOT_HOME") or (os.path.join(home, ".copilot") if home else "")
    return [os.path.join(root, "session-state"), os.path.join(root, "history-session-state")] if root else []


def find(places: Iterable[str]) -> Iterator[str]:
    """The log files below the places, without what a session keeps beside its events."""
    for place in places:
        for path in files_below([place], ".jsonl", ".json"):
            depth = os.path.relpath(path, place).count(os.sep)
            if depth == 0 or (depth == 1 and os.path.basename(path) == "events.jsonl"):
                yield path


def recognises(path: str, head: bytes) -> bool:
    """Whether the content is a log of Copilot CLI."""
    head = squeezed(head)
    if _FIRST.match(head):
        return True
    return head.startswith(b"{") and b'"sessionId":"' in head and b'"chatMessages":[' in head


def kind_of(name: str, arguments: Mapping[str, object]) -> tuple[str, str]:
    """What a call was about: command, read, change, search or other, and its target."""
    if name == "str_replace_editor" and arguments.get("command") == "view":
        return "read", str_of(arguments.get("path"))
    return kind_in(TOOLS, name, arguments)


def read(path: str) -> Iterator[Event]:
    """The events of a log in order. It never raises for what the file holds."""
    if path.endswith(".json"):
        yield from read_older(path, HOST)
        return
    log = _Log(path)
    for record in read_records(path, _unwanted):
        if isinstance(record, Skipped):
            yield record
        else:
            yield from log.take(record)


def _unwanted(line: bytes) -> bool:
    kind = _TYPE.match(line)
    return kind is not None and kind[1] not in _PARSED


class _Log:
    def __init__(self, path: str) -> None:
        self.path = path
        self.seen = Seen()
        self.main: Began | None = None
        self.current = ""
        self.cwd = ""
        self.branch = ""
        self.title = ""
        self.agents: dict[str, Began] = {}
        self.names: dict[str, str] = {}
        self.changing: dict[str, str] = {}

    def take(self, record: Json) -> list[Event]:
        event_id = record.get("id")
        if isinstance(event_id, str) and not self.seen.first(event_id):
            return []
        data = dict_of(record.get("data"))
        at = parse_time(record.get("timestamp"))
        agent = str_of(record.get("agentId")) or str_of(data.get("parentToolCallId"))
        match record.get("type"):
            case "user.message":
                return self._enter(agent, data, at) + self._said(data, at, str_of(event_id), agent)
            case "assistant.message":
                return self._enter(agent, data, at) + self._answered(data, at)
            case "tool.execution_start":
                return self._enter(agent, data, at) + self._called(data, str_of(data.get("toolName")), at)
            case "tool.execution_complete":
                return self._enter(agent, data, at) + self._returned(data, at)
            case "subagent.started":
                name = str_of(data.get("agentDisplayName")) or str_of(data.get("agentName"))
                self.names[str_of(record.get("agentId")) or str_of(data.get("toolCallId"))] = name
                return []
        return self._session(str_of(record.get("type")), data, at, str_of(event_id))

    def _session(self, kind: str, data: Json, at: float, event_id: str) -> list[Event]:
        """What happens to the session as a whole."""
        events = self._enter("", data, at)
        match kind:
            case "session.resume" | "session.context_changed":
                return events + self._moved(dict_of(data.get("context")) or data, at)
            case "session.title_changed":
                return events + self._titled(str_of(data.get("title")))
            case "session.compaction_complete" if data.get("success") is not False:
                summary = strip_fences(str_of(data.get("summaryContent"))).strip()
                return [*events, Compacted(summary, at, str_of(data.get("trigger")), event_id)]
        return events

    def _enter(self, agent: str, data: Json, at: float) -> list[Event]:
        """The events that lead into the session, or the sub-agent's part of it, that a record belongs to."""
        events: list[Event] = []
        if self.main is None:
            self.main = self._began(data, at)
            self.cwd, self.branch = self.main.cwd, self.main.branch
            self.title = self.main.title
            if agent:
                events.append(self.main)
        began = self.main
        if agent:
            began = self.agents.get(agent) or self._began_agent(agent, self.main, at)
        if began.native_id != self.current:
            self.current = began.native_id
            events.append(began)
        return events

    def _began(self, data: Json, at: float) -> Began:
        context = dict_of(data.get("context"))
        beside = _workspace(self.path)
        folder, name = os.path.split(self.path)
        named = os.path.basename(folder) if name == "events.jsonl" else name.partition(".")[0]
        return Began(
            host=HOST,
            native_id=str_of(data.get("sessionId")) or named,
            at=parse_time(data.get("startTime")) or at,
            cwd=str_of(context.get("cwd")) or beside.get("cwd", ""),
            branch=str_of(context.get("branch")) or beside.get("branch", ""),
            remote=str_of(context.get("repository")) or beside.get("repository", ""),
            title=beside.get("name", "") or beside.get("summary", ""),
            version=str_of(data.get("copilotVersion")),
            model=str_of(data.get("selectedModel")),
        )

    def _began_agent(self, agent: str, main: Began, at: float) -> Began:
        began = main._replace(
            native_id=f"{main.native_id}/{agent}",
            at=at,
            cwd=self.cwd,
            branch=self.branch,
            title=self.names.get(agent, ""),
            model="",
            parent=main.native_id,
            agent=agent,
        )
        self.agents[agent] = began
        return began

    def _said(self, data: Json, at: float, event_id: str, agent: str) -> list[Event]:
        # A source names what put the message there in the user's stead: a skill, the autopilot, a hook.
        if agent or data.get("isAutopilotContinuation") is True or data.get("source") not in (None, "", "user"):
            return []
        text = typed_text(text_of(data.get("content")))
        attachments = len(list_of(data.get("attachments")))
        return [Said(text, at, event_id, self.cwd, self.branch, attachments)] if text else []

    def _answered(self, data: Json, at: float) -> list[Event]:
        message_id = str_of(data.get("messageId"))
        text = text_of(data.get("content"))
        events: list[Event] = []
        if text.strip() and self.seen.first((message_id, text)):
            events.append(Answered(text, at, message_id, str_of(data.get("model"))))
        for request in map(dict_of, list_of(data.get("toolRequests"))):
            events += self._called(request, str_of(request.get("name")), at)
        if (tokens := int_of(data.get("outputTokens"))) and self.seen.first(("spent", message_id)):
            events.append(Spent(0, tokens, message_id))
        return events

    def _called(self, request: Json, name: str, at: float) -> list[Event]:
        call_id = str_of(request.get("toolCallId"))
        if not name or not self.seen.first(("call", call_id)):
            return []
        arguments = request.get("arguments")
        known = arguments if isinstance(arguments, dict) else {"input": arguments} if arguments else {}
        kind, target = kind_of(name, known)
        if kind == "change" and target:
            self.changing[call_id] = target
        return [Called(call_id, name, known, at)]

    def _returned(self, data: Json, at: float) -> list[Event]:
        call_id = str_of(data.get("toolCallId"))
        if not self.seen.first(("result", call_id)):
            return []
        result, error = dict_of(data.get("result")), dict_of(data.get("error"))
        output = text_of(result.get("content")) or str_of(result.get("detailedContent")) or str_of(error.get("message"))
        found = _EXIT_CODE.search(output, max(len(output) - 200, 0))
        code = int(found[1]) if found else None
        success = data.get("success")
        ok = (success and not code) if isinstance(success, bool) else None
        if ok and code is None and _STILL_RUNNING.search(output, max(len(output) - 400, 0)):
            ok = None
        changed = self.changing.pop(call_id, "")
        return [Returned(call_id, tool_text(output), ok, code, at, (changed,) if ok and changed else ())]

    def _moved(self, context: Json, at: float) -> list[Event]:
        cwd, branch = str_of(context.get("cwd")) or self.cwd, str_of(context.get("branch")) or self.branch
        if (cwd, branch) == (self.cwd, self.branch):
            return []
        self.cwd, self.branch = cwd, branch
        return [Moved(cwd, branch, at)]

    def _titled(self, title: str) -> list[Event]:
        if not title or title == self.title:
            return []
        self.title = title
        return [Titled(title)]


def session_folder(native_id: str, environ: Mapping[str, str], platform: str) -> str:
    """The folder that a session works in, as the file beside its events says; empty when there is none."""
    if not _ID.fullmatch(native_id):
        return ""
    for place in places(environ, platform):
        folder = _workspace(os.path.join(place, native_id, "events.jsonl")).get("cwd", "")
        if os.path.isabs(folder) and os.path.isdir(folder):
            return folder
    return ""


def _workspace(path: str) -> dict[str, str]:
    """What the file beside a session's events says of it: plain fields only."""
    if os.path.basename(path) != "events.jsonl":
        return {}
    text = read_head(os.path.join(os.path.dirname(path), "workspace.yaml")).decode("utf-8", "replace")
    fields = {name: value.strip("'\"") for name, value in _FIELD.findall(text)}
    return {name: value for name, value in fields.items() if value not in ("", "null", "|", "|-", ">", ">-")}
