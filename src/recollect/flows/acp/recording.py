"""Record: prompts and what the agent answers -> the log of the session -> a note for the worker that learns from it."""

from __future__ import annotations

from recollect.files.logs.acp_log import add_record, log_path
from recollect.flows.acp.messages import UPDATE, content_text, dict_in, list_in, parsed, text_in
from recollect.flows.acp.passing import HOST, Answered, Closed, Heard, Prompted
from recollect.model.hooks import SESSION_END, STOP, HookCall
from recollect.text.clean import clean, clean_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.files.home import Home
    from recollect.flows.acp.messages import Json
    from recollect.flows.acp.passing import Note

SESSION, USER, AGENT, TOOL, TITLE = "acp.session", "user", "agent", "tool", "title"
LONGEST = 200_000  # characters of what an agent says in one go
LONGEST_OUTPUT, LONGEST_INPUT = 8_000, 4_000
OVER = ("completed", "failed")


class _Turn:
    """A prompt that is being answered."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.said: list[str] = []
        self.tools: dict[str, Json] = {}
        self.plan: list[Json] = []


class Recorder:
    """Writes down what passes, and leaves a note for the worker after each turn and at the end."""

    def __init__(self, home: Home, *, note: Callable[[HookCall], object]) -> None:
        self._folder = home.acp
        self._note = note
        self._turns: dict[str, _Turn] = {}  # by the agent's own id of the session
        self._known: dict[str, str] = {}  # the sessions that were begun here, and their folders

    def take(self, note: Note) -> None:
        """Write down what there is to it."""
        match note:
            case Prompted():
                self._begin(note)
            case Heard():
                self._hear(note)
            case Answered():
                self._finish(note.name, note.at)
                self._leave(note.name, STOP)
            case Closed():
                self._finish(note.name, note.at)
                self._leave(note.name, SESSION_END)
                self._known.pop(note.name, None)

    def end(self, at: float) -> None:
        """The connection is over, and with it every session."""
        for name in list(self._known):
            self.take(Closed(name, at))

    def _begin(self, note: Prompted) -> None:
        self._finish(note.name, note.at)
        if note.name not in self._known:
            self._known[note.name] = note.cwd
            agent, driven_by = clean(note.agent), clean(note.driven_by)
            began = {"session": note.name, "cwd": note.cwd, "agent": agent, "drivenBy": driven_by}
            self._add(note.name, SESSION, note.at, **began)
        self._turns[note.session] = _Turn(note.name)
        record_id = f"{note.name}@{note.at:.6f}"
        self._add(note.name, USER, note.at, id=record_id, text=clean(note.text), attachments=note.attachments)

    def _hear(self, note: Heard) -> None:
        message = parsed(note.line)
        params = dict_in(message, "params")
        turn = self._turns.get(text_in(params, "sessionId"))
        if turn is None or message.get("method") != UPDATE:
            return
        update = dict_in(params, "update")
        match update.get("sessionUpdate"):
            case "agent_message_chunk":
                turn.said.append(content_text(update.get("content")))
            case "tool_call" | "tool_call_update":
                self._say(turn, note.at)
                self._use(turn, update, note.at)
            case "plan":
                turn.plan = list_in(update, "entries")
            case "session_info_update" if title := text_in(update, "title"):
                self._add(turn.name, TITLE, note.at, title=clean(title))

    def _use(self, turn: _Turn, update: Json, at: float) -> None:
        """Take in what is said of a tool call; it is written down when it is over."""
        call_id = text_in(update, "toolCallId")
        known = turn.tools.setdefault(call_id, {"at": at})
        known.update({name: value for name, value in update.items() if value is not None})
        if known.get("status") in OVER:
            self._write_tool(turn, call_id)

    def _finish(self, name: str, at: float) -> None:
        """Write down what is still open of a session's turn."""
        for session, turn in list(self._turns.items()):
            if turn.name == name:
                self._say(turn, at)
                for call_id in list(turn.tools):
                    self._write_tool(turn, call_id)
                if turn.plan:
                    todos = clean_value(_shortened(turn.plan))
                    self._add(name, TOOL, at, id=f"{name}@{at:.6f}", kind="plan", input={"todos": todos}, ok=True)
                del self._turns[session]

    def _say(self, turn: _Turn, at: float) -> None:
        text = "".join(turn.said)
        turn.said.clear()
        if text.strip():
            self._add(turn.name, AGENT, at, text=clean(text[:LONGEST]))

    def _write_tool(self, turn: _Turn, call_id: str) -> None:
        call = turn.tools.pop(call_id)
        content = list_in(call, "content")
        paths = [text_in(one, "path") for one in content if one.get("type") == "diff"]
        status = call.get("status")
        self._add(
            turn.name,
            TOOL,
            float(str(call["at"])),
            id=f"{turn.name}:{call_id}",
            kind=text_in(call, "kind"),
            title=clean(text_in(call, "title")[:LONGEST_INPUT]),
            input=clean_value(_shortened(call.get("rawInput"))),
            output=clean(_output(call)),
            ok={"completed": True, "failed": False}.get(str(status)),
            places=[text_in(place, "path") for place in list_in(call, "locations")],
            changed=list(dict.fromkeys(filter(None, paths))),
        )

    def _add(self, name: str, record: str, at: float, **fields: object) -> None:
        add_record(self._folder, name, {"type": record, "at": round(at, 3), **fields})

    def _leave(self, name: str, event: str) -> None:
        transcript = log_path(self._folder, name)
        self._note(HookCall(HOST, event=event, session=name, cwd=self._known.get(name, ""), transcript=transcript))


def _output(call: Json) -> str:
    """What a tool printed: the texts that the client is shown, or else what the tool itself returned."""
    shown = [content_text(one.get("content")) for one in list_in(call, "content") if one.get("type") == "content"]
    text = "\n".join(filter(None, shown))
    if not text:
        raw = call.get("rawOutput")
        found = (
            [text_in(raw, name) for name in ("output", "stdout", "stderr", "content")] if isinstance(raw, dict) else []
        )
        text = raw if isinstance(raw, str) else "\n".join(filter(None, found))
    if len(text) <= LONGEST_OUTPUT:
        return text
    half = LONGEST_OUTPUT // 2
    return f"{text[:half]}\n[... {len(text) - 2 * half} characters ...]\n{text[-half:]}"


def _shortened(value: object) -> object:
    """What a tool was given, with long texts cut: a file that was written whole stands in the repository."""
    if isinstance(value, str):
        return value[:LONGEST_INPUT]
    if isinstance(value, dict):
        return {str(key): _shortened(item) for key, item in list(value.items())[:50]}
    return [_shortened(item) for item in value[:50]] if isinstance(value, list) else value
