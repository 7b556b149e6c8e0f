"""Session logs of Codex: one rollout file a thread, plain or .zst.

Every message stands there twice, for the model (`response_item`) and for the screen (`event_msg`, in paginated logs
`item_completed`); it is read once. What a fork or a sub-agent copied from its parent is left to the parent's own log.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from recollect.hosts.codex import lines
from recollect.hosts.codex.calls import (
    TOOLS,
    called,
    called_item,
    changed_by,
    kind_of,
    output_of,
    returned_item,
)
from recollect.hosts.codex.compactions import summary_in, without_summaries
from recollect.hosts.codex.running import Running, in_its_folder
from recollect.hosts.codex.threads import Copied, began_from, turn_of
from recollect.hosts.reading import (
    NO_OBJECT,
    Seen,
    attachments_of,
    dict_of,
    files_below,
    home_in,
    int_of,
    list_of,
    parse_halves,
    parse_object,
    parse_time,
    raw_lines,
    read_head,
    squeezed,
    str_of,
    text_of,
    whole,
)
from recollect.hosts.wrappers import inside, typed_text
from recollect.model.sessions import Answered, Compacted, Moved, Returned, Said, Skipped, Spent, Titled
from recollect.text.fences import strip_fences

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from recollect.hosts.reading import Json
    from recollect.model.sessions import Began, Called, Event

__all__ = ["HOST", "TOOLS", "find", "kind_of", "places", "read", "recognises"]

HOST = "codex"
_BARE = re.compile(rb'\{(?=[^\n]*?"id":")(?=[^\n]*?"timestamp":")(?=[^\n]*?"instructions":)')
_IMAGE = re.compile(r"</?image\b[^<>]*>")
_ZSTD = b"\x28\xb5\x2f\xfd"


def places(environ: Mapping[str, str], platform: str) -> list[str]:
    """The folders of live and of archived sessions."""
    home = home_in(environ, platform)
    root = environ.get("CODEX_HOME") or (os.path.join(home, ".codex") if home else "")
    return [os.path.join(root, "sessions"), os.path.join(root, "archived_sessions")] if root else []


def find(places: Iterable[str]) -> Iterator[str]:
    """The rollout files below the places; where a compressed one has its plain twin, the plain one."""
    for path in files_below(places, ".jsonl", ".jsonl.zst"):
        if not (path.endswith(".zst") and os.path.isfile(path.removesuffix(".zst"))):
            yield path


def recognises(path: str, head: bytes) -> bool:
    """Whether the content is a log of Codex."""
    head = squeezed(read_head(path) if head.startswith(_ZSTD) else head)
    types = lines.TYPES.match(head)
    if types is not None:
        return types[1] in lines.KINDS
    return head.startswith(b'{"type":"session_meta"') or (_BARE.match(head) is not None and b'"type":' not in head[:40])


def read(path: str) -> Iterator[Event]:
    """The events of a log in order. It never raises for what the file holds."""
    return without_summaries(_events(path))


def _events(path: str) -> Iterator[Event]:
    log = _Log(path)
    for line in raw_lines(path):
        if isinstance(line, Skipped):
            yield line
            continue
        number, data, ended = line
        types = lines.TYPES.match(data)
        way = (lines.WAYS.get(types.groups()) or lines.way_of(types[1])) if types is not None else lines.PARSED
        if way is lines.IGNORED:
            continue
        if way in lines.SPARED and types is not None and ended and log.is_open:
            spared = log.spare(way, data, types.end())
            if spared is not None:
                yield from spared
                continue
        # Of an output only a piece is kept: to look for half characters in all of it would take as long as parsing.
        record = parse_halves(data) if way is lines.OUTPUT else parse_object(data)
        if record is not None:
            yield from log.take(record)
        elif ended:
            yield Skipped(path, NO_OBJECT, number)
    yield from log.flush()


class _Log:
    def __init__(self, path: str) -> None:
        self.path = path
        self.seen = Seen()
        self.began: Began | None = None
        self.copied = Copied()
        self.cwd = ""
        self.model = ""
        self.turn = ""
        self.count = 0  # of what was said in the turn, by anyone
        self.spent = -1
        self.has_events = False
        self.shown = b""  # of the last message as the screen had it, still encoded
        self.answer = ""
        self.pending: list[tuple[str, int, float]] = []
        self.twins: dict[int, dict[str, int]] = {}
        self.running = Running()
        self.typed: set[int] = set()
        self.changes: dict[str, tuple[str, ...]] = {}

    def take(self, record: Json) -> list[Event]:
        payload = record.get("payload")
        if not isinstance(payload, dict):
            return self._bare(record)
        kind = record.get("type")
        at = parse_time(record.get("timestamp"))
        if kind == "session_meta":
            return self._begin(payload, at) if self.began is None else []
        events = self._begin({}, at) if self.began is None else []
        if self.copied.is_open and self.copied.covers(record, payload, at):
            return events
        if kind == "response_item":
            events += self._item(payload, at)
        elif kind == "event_msg":
            events += self._event(payload, at)
        elif kind == "turn_context":
            events += self._context(payload, at)
        elif kind == "compacted":
            events += self._compacted(payload, at)
        return events

    def spare(self, way: str, line: bytes, at: int) -> list[Event] | None:
        """What a line of the thread's own holds without being parsed, its types ending `at`; None when it must be."""
        if way is lines.COUNT and (counts := lines.counts_in(line, at)):
            return self.counted(*counts)
        if way is lines.SHOWN:
            self.shown = line[at:]
        if way is not lines.MESSAGE:
            return None
        if lines.is_for_developers(line, at):
            return []
        if lines.is_shown(line, at, self.shown):
            return self._answered("item", self.answer, parse_time(lines.time_of(line)))
        return None

    def flush(self) -> list[Event]:
        """User messages of which only the model's copy is there: what came after shows that no other will follow."""
        if not self.pending:
            return []
        held, self.pending = self.pending, []
        return [event for text, attachments, at in held for event in self._said("item", text, attachments, at)]

    def _begin(self, payload: Json, at: float) -> list[Event]:
        self.began = began_from(payload, HOST, self.path, at)
        self.copied = Copied.after(payload, at)
        self.cwd = self.began.cwd
        return [self.began]

    def _bare(self, record: Json) -> list[Event]:
        """A line of the oldest versions: the session's head, or an item without an envelope."""
        if "type" not in record:
            is_head = self.began is None and "id" in record
            return self._begin(record, parse_time(record.get("timestamp"))) if is_head else []
        events = self._begin({}, 0.0) if self.began is None else []
        start = self.began.at if self.began else 0.0
        return events + self._item(record, parse_time(record.get("timestamp")) or start)

    def _item(self, payload: Json, at: float) -> list[Event]:
        kind = payload.get("type")
        if kind == "message":
            return self._message(payload, at)
        if kind in ("function_call_output", "custom_tool_call_output"):
            return self._returned(payload, at)
        call_id = str_of(payload.get("call_id")) or str_of(payload.get("id")) or f"{kind}:{at}"
        call = called(payload, call_id, at)
        if call is None:
            return []
        return self.flush() + self._called(call) if self.pending else self._called(call)

    def _message(self, payload: Json, at: float) -> list[Event]:
        text = text_of(payload.get("content"))
        if payload.get("role") == "assistant":
            return self._answered("item", text, at)
        if payload.get("role") != "user":
            return []
        moved = self._moved(inside(text, "cwd") or "", at) if "<environment_context>" in text else []
        if not self.has_events:
            self.pending.append((_IMAGE.sub("", text), attachments_of(payload.get("content")), at))
        return moved

    def _event(self, payload: Json, at: float) -> list[Event]:
        match payload.get("type"):
            case "user_message":
                images = len(list_of(payload.get("images"))) + len(list_of(payload.get("local_images")))
                return self._shown("event", str_of(payload.get("message")), images, at)
            case "agent_message":
                self.answer = str_of(payload.get("message"))
                return self._answered("event", self.answer, at)
            case "item_completed":
                return self._completed(dict_of(payload.get("item")), at)
            case "token_count":
                return self._spent(dict_of(payload.get("info")))
            case "patch_apply_end" if payload.get("success") is True:
                self.changes[str_of(payload.get("call_id"))] = tuple(dict_of(payload.get("changes")))
            case "task_started" | "turn_started":
                self._turn(turn_of(payload))
            case "thread_name_updated" if title := str_of(payload.get("thread_name")):
                return [Titled(title)]
        return []

    def _completed(self, item: Json, at: float) -> list[Event]:
        """A turn item of a paginated log."""
        text = text_of(item.get("content"))
        if item.get("type") == "UserMessage":
            return self._shown("turn", text, attachments_of(item.get("content")), at)
        if item.get("type") == "AgentMessage":
            return self._answered("turn", text, at)
        call_id = str_of(item.get("id"))
        call = called_item(item, call_id, at)
        if call is None:
            return []
        events = self.flush() + self._called(call)
        if self.seen.first(("result", call_id)):
            returned = returned_item(item, call_id, at)
            events.append(returned._replace(paths=returned.paths or self._changed(call_id, returned.ok)))
        return events

    def _context(self, payload: Json, at: float) -> list[Event]:
        self._turn(turn_of(payload))
        self.model = str_of(payload.get("model")) or self.model
        return self._moved(str_of(payload.get("cwd")), at)

    def _turn(self, turn: str) -> None:
        if turn and self.seen.first(("turn", turn)):
            self.turn = turn
            self.count = 0
            self.twins.clear()

    def _moved(self, cwd: str, at: float) -> list[Event]:
        if not cwd or cwd == self.cwd:
            return []
        self.cwd = cwd
        return [Moved(cwd, "", at)]

    def _shown(self, source: str, text: str, attachments: int, at: float) -> list[Event]:
        """A user message as the screen showed it: from now on the model's copies count for nothing."""
        if not text:  # a line that was spoilt, or a picture alone
            return []
        self.has_events = True
        self.pending.clear()
        return self._said(source, text, attachments, at)

    def _said(self, source: str, text: str, attachments: int, at: float) -> list[Event]:
        text = typed_text(text)
        if not text or self.began is None or self.began.agent or self._is_twin("user", source, text, at):
            return []
        self.typed.add(hash(text))
        return [Said(text, at, self._record_id(), self.cwd, self.began.branch, attachments)]

    def _answered(self, source: str, text: str, at: float) -> list[Event]:
        if not text.strip() or self._is_twin("assistant", source, text, at):
            return []
        return [*self.flush(), Answered(text, at, self._record_id(), self.model)]

    def _is_twin(self, role: str, source: str, text: str, at: float) -> bool:
        """Whether the other record of this message was read before, or this very line."""
        if at and not self.seen.first((role, source, text, at)):
            return True
        counts = self.twins.setdefault(hash((role, text.strip())), {})
        counts[source] = counts.get(source, 0) + 1
        return any(count >= counts[source] for other, count in counts.items() if other != source)

    def _record_id(self) -> str:
        self.count += 1
        return f"{self.turn or (self.began.native_id if self.began else '')}:{self.count}"

    def _called(self, call: Called) -> list[Event]:
        if not self.seen.first(("call", call.call_id)):
            return []
        if changed := changed_by(call):
            self.changes.setdefault(call.call_id, changed)
        self.running.call(call)
        return [in_its_folder(call, self.cwd)]

    def _returned(self, payload: Json, at: float) -> list[Event]:
        call_id = str_of(payload.get("call_id"))
        if not self.seen.first(("result", call_id)):
            return []
        output = output_of(payload.get("output"))
        paths = self._changed(call_id, output.ok)
        returned = Returned(call_id, whole(output.text), output.ok, output.exit_code, at, paths)
        return [returned, *self.running.end(returned, text_of(payload.get("output")))]

    def _changed(self, call_id: str, ok: bool | None) -> tuple[str, ...]:
        paths = self.changes.pop(call_id, ())
        return paths if ok is not False else ()

    def _spent(self, info: Json) -> list[Event]:
        total = int_of(dict_of(info.get("total_token_usage")).get("total_tokens"))
        last = dict_of(info.get("last_token_usage"))
        return self.counted(total, int_of(last.get("input_tokens")), int_of(last.get("output_tokens"))) if last else []

    @property
    def is_open(self) -> bool:
        """Whether lines are this thread's own from here on."""
        return self.began is not None and not self.copied.is_open

    def counted(self, total: int, read_tokens: int, written: int) -> list[Event]:
        """The tokens of one request; the total tells it from the last."""
        if not self.seen.first(("spent", self.turn, total)):
            return []
        return [Spent(read_tokens, written, f"{self.turn}:{total}")]

    def _compacted(self, payload: Json, at: float) -> list[Event]:
        if at and not self.seen.first(("compacted", at)):
            return []
        summary = summary_in(payload, lambda text: hash(text) in self.typed)
        return [*self.flush(), Compacted(strip_fences(summary).strip(), at, "", f"{self.turn}:compacted:{at}")]
