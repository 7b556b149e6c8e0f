"""The log of a session of our own, and what follows from it: the conversation, the files beside it, who hears of it."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from recollect.errors import FileError, StoreError, UsageError
from recollect.flows.compaction.records import Unfinished, begun_here
from recollect.flows.sessions.terminal import Terminal
from recollect.sessions import checkpoints as checkpoint_files
from recollect.sessions import events
from recollect.sessions.encodings import redacted
from recollect.sessions.events import Event, event_of, line_of
from recollect.sessions.observing import Observers
from recollect.sessions.replay import Replay

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.files.workspaces import Workspace
    from recollect.model.messages import Json
    from recollect.sessions.checkpoints import Checkpoint
    from recollect.sessions.events import NewEvent

    KeepCheckpoints = Callable[[str, Json, tuple[Checkpoint, ...], tuple[int, ...]], None]

EVENT = "v_"
TEXTS = ("title", "cwd", "repository", "branch", "model", "parent", "agent")  # of what is known about a session


def nobody_keeps(session_id: str, about: Json, checkpoints: tuple[Checkpoint, ...], in_effect: tuple[int, ...]) -> None:
    """Nobody else wants to know of checkpoints."""


class KeptLog:
    """An append-only log that several processes may write to; each takes in what the others wrote before it adds."""

    def __init__(
        self,
        workspace: Workspace,
        *,
        clock: Callable[[], float],
        new_id: Callable[[str], str],
        keep: KeepCheckpoints = nobody_keeps,
    ) -> None:
        self.workspace = workspace
        self._keep = keep
        self._known_elsewhere: tuple[object, ...] = ()
        self.skipped = 0  # lines that could not be read
        self.problem = ""  # why a file beside the log could not be written; the log has everything
        self.replay = Replay()
        self.observers = Observers()
        self.checkpoints: dict[int, Checkpoint] = {}
        self.about: Json = {}
        self.event_count = 0
        self._clock = clock
        self._new_id = new_id
        self._lock = threading.RLock()
        self._offset = 0
        self._unfinished = Unfinished()
        self._plans = {""}  # every plan that the log wrote: any other is a person's own

    def load(self) -> None:
        """Read the log, mend what a crash left, and make again what is missing beside it."""
        with self._lock, self.workspace.log.writing() as writing:
            self._take(*writing.read(self._offset))
            ended = self._unfinished.given_up(self._clock())
            if ended is not None:
                writing.append(line_of(self._event(ended)))
                self._take(*writing.read(self._offset))
            self._align()

    def refresh(self) -> None:
        """Take in what other processes wrote since."""
        with self._lock:
            self.observers.tell(self._take(*self.workspace.log.read(self._offset)))

    def write(self, decide: Callable[[], NewEvent], *, align: bool = False, typed_at: Terminal | None = None) -> Event:
        """Record what `decide` says, which sees the log as it is; with `align` the files beside it follow.

        Every event goes through here: the mark of words that were typed is given to whoever shows a terminal, and
        refused to all others.
        """
        heard: list[Event] = []
        with self._lock:
            try:
                with self.workspace.log.writing() as writing:
                    heard += self._take(*writing.read(self._offset))
                    writing.append(line_of(self._event(_marked(decide(), typed_at))))
                    heard += self._take(*writing.read(self._offset))
                    if align:
                        self._align()
            finally:
                self.observers.tell(heard)
        return heard[-1]

    def checkpoint_files(self) -> list[Checkpoint]:
        """The checkpoints there are as files, in order."""
        files = self.workspace.checkpoints().items()
        found = [checkpoint_files.parse(name, text) for name, text in files if checkpoint_files.number_of(name)]
        return sorted(found, key=lambda one: (one.number, one.name))

    def _event(self, new: NewEvent) -> Event:
        last = self.replay.last
        at = max(self._clock(), last.at) if last else self._clock()
        data = begun_here(new.data) if new.kind == events.COMPACTION_START else new.data
        return Event(self._new_id(EVENT), new.kind, redacted(data), at, last.event_id if last else "")

    def _take(self, lines: list[bytes], offset: int) -> list[Event]:
        self._offset = offset
        taken = []
        for line in lines:
            event = event_of(line)
            if event is None:
                self.skipped += bool(line.strip())
            elif not self.replay.knows(event.event_id):
                self._hear(event)
                taken.append(event)
        return taken

    def _hear(self, event: Event) -> None:
        self.event_count += 1
        self.replay.apply(event)
        self._unfinished.hear(event)
        match event:
            case Event(kind=events.START, data=data):
                context = data.get("context")
                self.about.update(context if isinstance(context, dict) else {})
                self.about.update(started=event.at, model=data.get("selectedModel", ""))
                self.about.update(parent=data.get("parentSessionId", ""), agent=data.get("agent", ""))
                self.about.update(detached=data.get("detached") is True)
            case Event(kind=events.TITLE, data={"title": str(title)}):
                self.about["title"] = title
            case Event(kind=events.MODEL, data={"newModel": str(model)}):
                self.about["model"] = model
        self.about["ended"] = event.at
        self._plans.add(self.replay.head.kept.plan)
        made = checkpoint_files.of_event(event)
        if made is not None:
            self.checkpoints.setdefault(made.number, made)

    def _align(self) -> None:
        """Let the files beside the log say what it says."""
        try:
            there = {checkpoint_files.number_of(name) for name in self.workspace.checkpoints()}
            for number, made in self.checkpoints.items():
                if number not in there:
                    name = checkpoint_files.file_name(number, made.title)
                    self.workspace.write_checkpoint(name, checkpoint_files.render(made))
            self.workspace.write_index(checkpoint_files.render_index(self.checkpoint_files(), self.replay.checkpoints))
            self.workspace.set_fields(self._fields())
            self._keep_checkpoints()
            plan = self.workspace.plan()
            if plan in self._plans and plan != self.replay.head.kept.plan:
                self.workspace.write_plan(self.replay.head.kept.plan)
        except (FileError, StoreError) as error:
            # What is derived will be made when the session is opened again; the event itself is safe.
            self.problem = str(error)

    def _keep_checkpoints(self) -> None:
        """Let the checkpoints be found where those of all sessions are, when they are others than before."""
        now = (tuple(self.checkpoints), self.replay.checkpoints)
        if now != self._known_elsewhere and self.checkpoints:
            self._keep(self.workspace.session_id, self.about, tuple(self.checkpoints.values()), self.replay.checkpoints)
            self._known_elsewhere = now

    def _fields(self) -> dict[str, str | int | bool]:
        known = {name: str(self.about.get(name) or "") for name in TEXTS}
        started = self.about.get("started") or self.about.get("ended")
        created = {"created_at": events.timestamp(started)} if started else {}
        detached = {"detached": bool(self.about.get("detached"))}
        return {
            "id": self.workspace.session_id,
            **known,
            **detached,
            "summary_count": len(self.replay.checkpoints),
            **created,
        }


def _marked(new: NewEvent, typed_at: Terminal | None) -> NewEvent:
    """The event as it may be written."""
    if typed_at is None:
        if events.is_marked_typed(new):
            raise UsageError("Only what a person types at Recollect's own terminal is recorded as typed there.")
        return new
    if not isinstance(typed_at, Terminal):
        raise UsageError("Words count as typed only where a terminal of ours read them.")
    return events.marked_typed(new)
