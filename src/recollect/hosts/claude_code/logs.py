"""Session logs of Claude Code: one JSONL file a session, sub-agents beside it or, in older versions, inside it.

A sub-agent is a session of its own, `<session>/<agent>`. Where two sessions alternate in a file, `Began` comes again
with the same id: what follows belongs to it.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from recollect.hosts.claude_code.queues import Queue
from recollect.hosts.claude_code.results import (
    FOREIGN,
    QUESTION_TOOL,
    RUNS_OTHERS,
    answers_in,
    exit_code,
    reason_in,
    was_refused,
)
from recollect.hosts.claude_code.threads import Thread, compacted, larger, may_be_typed, said_in, settled
from recollect.hosts.reading import (
    Seen,
    dict_of,
    files_below,
    home_in,
    list_of,
    parse_time,
    read_records,
    read_whole,
    squeezed,
    str_of,
    text_of,
)
from recollect.hosts.tools import kind_in, task_line, task_mark
from recollect.hosts.wrappers import is_command, is_summary, tool_text
from recollect.model.sessions import Answered, Began, Called, Compacted, Moved, Returned, Said, Skipped, Titled
from recollect.text.fences import strip_fences

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from recollect.hosts.reading import Json
    from recollect.model.sessions import Event

HOST = "claude-code"
TOOLS: dict[str, tuple[str, str]] = {
    "Bash": ("command", "command"),
    "PowerShell": ("command", "command"),
    "Monitor": ("command", "command"),
    "Read": ("read", "file_path"),
    "NotebookRead": ("read", "notebook_path"),
    "LS": ("read", "path"),
    "Edit": ("change", "file_path"),
    "MultiEdit": ("change", "file_path"),
    "Write": ("change", "file_path"),
    "NotebookEdit": ("change", "notebook_path"),
    "Grep": ("search", "pattern"),
    "Glob": ("search", "pattern"),
    "WebSearch": ("search", "query"),
    "web_search": ("search", "query"),
    "ToolSearch": ("search", "query"),
    "WebFetch": ("other", "url"),
    "Agent": ("other", "description"),
    "Task": ("other", "description"),
    "Skill": ("other", "skill"),
    "TodoWrite": ("other", "todos"),
}
_PARSED = frozenset(b"user assistant system attachment progress summary custom-title ai-title queue-operation".split())
_FIRST_KEY = re.compile(rb'\{"type":"([a-z_-]+)"')
_FIRST_LINES = re.compile(rb'\{"type":"(?:summary|file-history-snapshot)",|\{"type":"[a-z-]+",[^\n]*"sessionId":"')
_ATTACHMENT = b'"attachment":{"type":"'
_PROGRESS = b'"type":"progress","data":{"type":"'
_REMEMBERED = 50_000


def places(environ: Mapping[str, str], platform: str) -> list[str]:
    """The folders with a folder a project."""
    if root := environ.get("CLAUDE_CONFIG_DIR"):
        return [os.path.join(root, "projects")]
    home = home_in(environ, platform)
    roots = (os.path.join(home, ".claude"), os.path.join(home, ".config", "claude"))
    return [os.path.join(root, "projects") for root in roots] if home else []


def find(places: Iterable[str]) -> Iterator[str]:
    """The log files below the places, sub-agents' included."""
    return files_below(places, ".jsonl")


def recognises(path: str, head: bytes) -> bool:
    """Whether the content is a log of Claude Code."""
    head = squeezed(head)
    if b'"parentUuid":' in head and b'"sessionId":"' in head:
        return True
    return b'"projectHash"' not in head and _FIRST_LINES.match(head) is not None


def kind_of(name: str, arguments: Mapping[str, object]) -> tuple[str, str]:
    """What a call was about: command, read, change, search or other, and its target."""
    if name == "TaskCreate":
        return "other", f"+ {task_line({**arguments, 'status': 'pending'})}"
    if name == "TaskUpdate" and "status" in arguments:
        return "other", f"#{arguments.get('taskId')} {task_mark(arguments['status'])}"
    return kind_in(TOOLS, name, arguments)


def read(path: str) -> Iterator[Event]:
    """The events of a log in order. It never raises for what the file holds."""
    log = _Log(path)
    for record in read_records(path, _unwanted):
        if isinstance(record, Skipped):
            yield record
        else:
            yield from log.take(record)
    yield from log.finish()


def _unwanted(line: bytes) -> bool:
    first = _FIRST_KEY.match(line)
    if first is not None:
        return first[1] not in _PARSED
    start = line.find(_ATTACHMENT, 0, 512)
    if start >= 0:
        return not line.startswith(b"queued_command", start + len(_ATTACHMENT))
    start = line.find(_PROGRESS, 0, 1024)
    return start >= 0 and not line.startswith(b"agent_progress", start + len(_PROGRESS))


class _Log:
    def __init__(self, path: str) -> None:
        self.path = path
        self.seen = Seen()
        self.threads: dict[str, Thread] = {}
        self.current: Thread | None = None
        self.session = ""
        self.sidechains: dict[str, str] = {}
        self.titles: dict[str, Json] = {}
        self.queues: dict[str, Queue] = {}

    def take(self, record: Json) -> list[Event]:
        match record.get("type"):
            case "assistant":
                return self._assistant(record)
            case "user":
                return self._user(record)
            case "system" if record.get("subtype") == "compact_boundary":
                return self._boundary(record)
            case "attachment":
                return self._queued(record)
            case "queue-operation":
                self._queue(record)
            case "progress":
                return self._nested(record)
            case "custom-title" | "ai-title" | "summary":
                return self._title(record)
        return []

    def finish(self) -> list[Event]:
        """What was held back at the end, each in its own session."""
        events: list[Event] = []
        for thread in list(self.threads.values()):
            held = settled(thread)
            if held:
                if thread is not self.current:
                    events.append(thread.began)
                    self.current = thread
                events.extend(held)
        return events

    def _enter(self, record: Json) -> tuple[Thread, list[Event]]:
        """The session a record belongs to, and the events that lead there."""
        session = str_of(record.get("sessionId")) or self.session or os.path.basename(self.path).partition(".")[0]
        self.session = session
        agent = self._agent(record) if record.get("isSidechain") is True else ""
        key = f"{session}/{agent}" if agent else session
        thread = self.threads.get(key)
        events: list[Event] = []
        if thread is None:
            thread = self.threads[key] = Thread(self._began(record, key, session, agent))
        if thread is not self.current:
            self.current = thread
            events.append(thread.began)
            if key in self.titles:
                events.extend(self._title(self.titles.pop(key)))
        cwd, branch = str_of(record.get("cwd")) or thread.cwd, str_of(record.get("gitBranch")) or thread.branch
        if cwd != thread.cwd or branch != thread.branch:
            thread.cwd, thread.branch = cwd, branch
            events.append(Moved(thread.cwd, thread.branch, parse_time(record.get("timestamp"))))
        return thread, events

    def _began(self, record: Json, key: str, session: str, agent: str) -> Began:
        about = self._about_agent() if agent else {}
        return Began(
            host=HOST,
            native_id=key,
            at=parse_time(record.get("timestamp")),
            cwd=str_of(record.get("cwd")),
            branch=str_of(record.get("gitBranch")),
            title=str_of(about.get("description")) or str_of(about.get("agentType")),
            version=str_of(record.get("version")),
            parent=session if agent else str_of(dict_of(record.get("forkedFrom")).get("sessionId")),
            agent=agent,
        )

    def _about_agent(self) -> Json:
        described = f"{self.path.removesuffix('.jsonl')}.meta.json"
        about = read_whole(described) if os.path.isfile(described) else {}
        return about if isinstance(about, dict) else {}

    def _agent(self, record: Json) -> str:
        """The sub-agent's id; where the log has none, the id of the record its conversation began with."""
        if agent := str_of(record.get("agentId")):
            return agent
        uuid = str_of(record.get("uuid"))
        root = self.sidechains.get(str_of(record.get("parentUuid")), uuid)
        self.sidechains[uuid] = root
        if len(self.sidechains) > 2 * _REMEMBERED:
            self.sidechains = dict(list(self.sidechains.items())[-_REMEMBERED:])
        return root

    def _is_twin(self, record: Json) -> bool:
        uuid = record.get("uuid")
        return isinstance(uuid, str) and not self.seen.first(uuid)

    def _assistant(self, record: Json) -> list[Event]:
        message = dict_of(record.get("message"))
        model = str_of(message.get("model"))
        if self._is_twin(record) or model == "<synthetic>":
            return []
        thread, events = self._enter(record)
        events += self._taken_up(thread)
        at = parse_time(record.get("timestamp"))
        message_id = str_of(message.get("id")) or str_of(record.get("uuid"))
        if thread.boundary or (thread.spent and thread.spent.record_id != message_id):
            events += settled(thread)
        content = message.get("content")
        for block in [{"type": "text", "text": content}] if isinstance(content, str) else list_of(content):
            if isinstance(block, dict):
                events += self._block(block, at, message_id, model)
        if "usage" in message and (thread.spent or self.seen.first(("spent", message_id))):
            thread.spent = larger(thread.spent, dict_of(message["usage"]), message_id)
        return events

    def _block(self, block: Json, at: float, message_id: str, model: str) -> list[Event]:
        kind = str_of(block.get("type"))
        if kind == "text":
            text = str_of(block.get("text"))
            if text.strip() and self.seen.first((message_id, text)):
                return [Answered(text, at, message_id, model)]
        elif kind in ("tool_use", "server_tool_use"):
            call_id = str_of(block.get("id"))
            name = str_of(block.get("name"))
            if self.seen.first(("call", call_id)):
                if not name.startswith(FOREIGN) and name not in RUNS_OTHERS:
                    self.seen.first((QUESTION_TOOL if name == QUESTION_TOOL else "own", call_id))
                return [Called(call_id, name, dict_of(block.get("input")), at)]
        elif kind.endswith("_tool_result"):
            return self._returned(block, {}, at)
        return []

    def _user(self, record: Json) -> list[Event]:
        if self._is_twin(record):
            return []
        thread, events = self._enter(record)
        at = parse_time(record.get("timestamp"))
        content = dict_of(record.get("message")).get("content")
        results = [block for block in list_of(content) if isinstance(block, dict) and "tool_use_id" in block]
        if results or "toolUseResult" in record:
            for block in results:
                events += self._returned(block, record, at)
                events += [] if thread.is_agent else self._replied(thread, block, record, at)
            return events + (self._beside(thread, record, content, events, at) if results else [])
        text = text_of(content)
        if record.get("isCompactSummary") is True or is_summary(text):
            return events + compacted(thread, text, at, str_of(record.get("uuid")))
        told = not thread.is_agent and self._is_told(
            thread, record, text, as_queued=record.get("promptSource") == "queued"
        )
        if thread.is_agent or told or self._is_template(record, text) or not may_be_typed(record):
            return events
        return events + said_in(thread, record, content, at)

    def _is_template(self, record: Json, text: str) -> bool:
        """Is this what a slash command hands the model? It follows the command's own record."""
        uuid, parent, prompt = (str_of(record.get(name)) for name in ("uuid", "parentUuid", "promptId"))
        if is_command(text):
            self.seen.first(("command", uuid))
            self.seen.first(("command", prompt or uuid))
            return False
        return any(name and ("command", name) in self.seen for name in (parent, prompt))

    def _beside(self, thread: Thread, record: Json, content: object, events: list[Event], at: float) -> list[Event]:
        """What was typed while a tool ran and came with its result, unless the result says the same."""
        if thread.is_agent or not may_be_typed(record):
            return []
        said = said_in(thread, record, content, at)
        known = {event.text for event in events if isinstance(event, Said)}
        return said if not any(isinstance(event, Said) and event.text in known for event in said) else []

    def _queue(self, record: Json) -> None:
        session = str_of(record.get("sessionId")) or self.session
        line = tuple(str_of(record.get(name)) for name in ("operation", "timestamp", "content"))
        if self.seen.first(("queue", session, line)):
            self.queues.setdefault(session, Queue()).take(record)

    def _is_told(self, thread: Thread, record: Json, text: str, *, as_queued: bool) -> bool:
        """Was this message told already, as a queued prompt without a record? This is that record then."""
        queue = self.queues.get(thread.began.native_id)
        return queue is not None and queue.recorded(text, as_queued=as_queued, may_be_typed=may_be_typed(record))

    def _taken_up(self, thread: Thread) -> list[Event]:
        """Queued prompts that have no record of their own, where the agent goes on with them."""
        queue = self.queues.get(thread.began.native_id)
        prompts = queue.unrecorded() if queue else []
        said = [Said(one.text, one.at, one.record_id, thread.cwd, thread.branch) for one in prompts]
        return [*settled(thread), *said] if said else []

    def _returned(self, block: Json, record: Json, at: float) -> list[Event]:
        call_id = str_of(block.get("tool_use_id"))
        if not self.seen.first(("result", call_id)):
            return []
        output = text_of(block.get("content"))
        result = dict_of(record.get("toolUseResult"))
        ok = block.get("is_error") is not True and result.get("interrupted") is not True
        path = str_of(result.get("filePath")) or str_of(result.get("notebook_path"))
        changed = (path,) if ok and path and ("structuredPatch" in result or "new_source" in result) else ()
        code = exit_code(output, result, ok)
        # A command that goes on in the background has not ended, well or otherwise.
        known = None if ok and code is None and "backgroundTaskId" in result else ok
        return [Returned(call_id, tool_text(output), known, code, at, changed)]

    def _replied(self, thread: Thread, block: Json, record: Json, at: float) -> list[Event]:
        """What the user typed into a dialog of the host: it stands in the result of the call."""
        call_id, uuid = str_of(block.get("tool_use_id")), str_of(record.get("uuid"))
        events: list[Event] = []
        if (QUESTION_TOOL, call_id) in self.seen:
            for question, text in answers_in(dict_of(record.get("toolUseResult"))):
                asked = Answered(strip_fences(question), at, f"{uuid}:{question}")
                events += [asked, Said(text, at, f"{uuid}:{text}", thread.cwd, thread.branch)]
        elif (("own", call_id) in self.seen or was_refused(record)) and block.get("is_error") is True:
            reason = reason_in(text_of(block.get("content")))
            # Calls that were made at once are refused at once, each with the same words.
            if reason and self.seen.first(("reason", reason, at // 10)):
                events.append(Said(reason, at, uuid, thread.cwd, thread.branch))
        return [*settled(thread), *events] if events else []

    def _boundary(self, record: Json) -> list[Event]:
        if self._is_twin(record):
            return []
        thread, events = self._enter(record)
        events += settled(thread)
        trigger = str_of(dict_of(record.get("compactMetadata")).get("trigger"))
        thread.boundary = Compacted("", parse_time(record.get("timestamp")), trigger, str_of(record.get("uuid")))
        return events

    def _queued(self, record: Json) -> list[Event]:
        """A message typed while the agent was at work is kept as an attachment."""
        attachment = dict_of(record.get("attachment"))
        if attachment.get("type") != "queued_command" or self._is_twin(record):
            return []
        thread, events = self._enter(record)
        told = not thread.is_agent and self._is_told(thread, record, text_of(attachment.get("prompt")), as_queued=True)
        is_typed = attachment.get("commandMode", "prompt") == "prompt" and all(map(may_be_typed, (record, attachment)))
        if thread.is_agent or told or not is_typed:
            return events
        return events + said_in(thread, record, attachment.get("prompt"), parse_time(record.get("timestamp")))

    def _nested(self, record: Json) -> list[Event]:
        """A sub-agent's record inside a progress line of the session that started it."""
        data = dict_of(record.get("data"))
        message = data.get("message")
        if data.get("type") != "agent_progress" or not isinstance(message, dict):
            return []
        outer = {key: record[key] for key in ("sessionId", "cwd", "gitBranch", "version", "timestamp") if key in record}
        agent = str_of(data.get("agentId")) or str_of(record.get("parentToolUseID")) or str_of(record.get("toolUseID"))
        inner = {**outer, **message, "isSidechain": True, "agentId": agent}
        return self.take(inner) if inner.get("type") in ("assistant", "user") else []

    def _title(self, record: Json) -> list[Event]:
        title = str_of(record.get("customTitle") or record.get("aiTitle") or record.get("summary"))
        session = str_of(record.get("sessionId")) or self.session
        if not title or (record.get("type") == "summary" and str_of(record.get("leafUuid")) not in self.seen):
            return []
        thread = self.threads.get(session)
        if thread is None:
            self.titles[session] = record
            return []
        is_custom = record.get("type") == "custom-title"
        if thread.title == title or (thread.custom and not is_custom):
            return []
        thread.title, thread.custom = title, is_custom
        back: list[Event] = [] if thread is self.current else [thread.began]
        self.current = thread
        return [*back, Titled(title)]
