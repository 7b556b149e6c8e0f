"""A session of our own: its log is the truth, and the conversation, the checkpoints and their index follow from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.context.replacement import replay_compaction
from recollect.errors import Ambiguous, NotFound, Refused, UsageError
from recollect.flows.compaction.model_windows import ModelWindows
from recollect.flows.compaction.records import is_written_as, measured, spent_on, title_of
from recollect.flows.sessions.kept_log import KeptLog, nobody_keeps
from recollect.flows.sessions.session_compaction import SessionCompaction
from recollect.model.message_sources import INBOX
from recollect.model.record import Record
from recollect.sessions import checkpoints as checkpoint_files
from recollect.sessions import events
from recollect.sessions.events import Event, NewEvent, event_of
from recollect.sessions.replay import MESSAGE, messages_of
from recollect.settings import Settings
from recollect.text.clean import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from recollect.context import events as context_events
    from recollect.context.compaction import CompactionResult, SummaryRequest
    from recollect.files.workspaces import Workspace
    from recollect.flows.sessions.kept_log import KeepCheckpoints
    from recollect.flows.sessions.terminal import Terminal
    from recollect.model.messages import Json, Message
    from recollect.ports import Reply
    from recollect.sessions.checkpoints import Checkpoint
    from recollect.sessions.kept_state import KeptState
    from recollect.sessions.observing import Observer
    from recollect.sessions.replay import State

    Offer = Callable[[Sequence[str], str], None]  # what the user said for good, and the session it was said in

CHANGED = "the conversation has changed in the meantime"


class Rewound(Record):
    """What going back did."""

    event: Event
    to_event: str
    messages_before: int
    messages_after: int
    turn: int  # turns that are left
    checkpoints: tuple[int, ...]  # in effect now


def nobody_asks(sentences: Sequence[str], session_id: str) -> None:
    """Nobody wants to know what the user said for good."""


class OwnSession:
    """A conversation that is kept: every message and all that happens to it is an event in an append-only log.

    Several processes may write to one session; each sees what the others wrote. `messages` is what the log tells, that
    is, without the secrets that were taken out before they were written.
    """

    def __init__(
        self,
        workspace: Workspace,
        *,
        clock: Callable[[], float],
        new_id: Callable[[str], str],
        offer: Offer = nobody_asks,
        settings: Settings | None = None,
        windows: ModelWindows | None = None,
        keep: KeepCheckpoints = nobody_keeps,
    ) -> None:
        self.workspace = workspace
        self._settings = settings or Settings.default()
        self._windows = windows or ModelWindows(self._settings)
        self._clock = clock
        self._offer = offer
        self._log = KeptLog(workspace, clock=clock, new_id=new_id, keep=keep)

    @property
    def session_id(self) -> str:
        """Its id."""
        return self.workspace.session_id

    @property
    def skipped(self) -> int:
        """How many lines of the log could not be read."""
        return self._log.skipped

    @property
    def problem(self) -> str:
        """Why a file beside the log could not be written; the log has everything."""
        return self._log.problem

    def load(self) -> None:
        """Read the log, mend what a crash left, and make again what is missing beside it."""
        self._log.load()

    # -- recording

    def add(self, message: Message, *, typed_at: Terminal | None = None, **more: Any) -> Event:
        """Record a message; `more` is told beside it: model, inputTokens, outputTokens, source ...

        Words count as the user's own where `typed_at` says that a door of ours read them from a person.
        """
        return self._log.write(lambda: events.of_message(message, **more), typed_at=typed_at)

    def notify(self, text: str, *, source: str = INBOX) -> Event:
        """Tell the model something that the user did not type: it begins no turn."""
        return self.record(events.notice(text, source=source))

    def record(self, new: NewEvent) -> Event:
        """Record anything that happened. When this returns, it will still be there after a crash."""
        if new.kind in (events.REWIND, events.COMPACTION_COMPLETE):
            raise UsageError("Rewinds and compactions are recorded by `rewind`, `undo` and `apply_compaction`.")
        return self._log.write(lambda: new)

    def rename(self, title: str) -> Event:
        """Give the session a name."""
        return self._log.write(lambda: events.title_changed(title), align=True)

    def write_plan(self, text: str) -> Event:
        """Replace the plan, which every compaction reads again from its file: a person may have changed it there."""
        return self._log.write(lambda: events.plan_changed(clean(text)), align=True)

    def set_todos(self, text: str) -> Event:
        """Replace the list of what is to do; a compaction keeps it word for word."""
        return self.record(events.todos_changed(text))

    def invoke_skill(self, name: str, instructions: str) -> Event:
        """Note that a skill is used; a compaction keeps its instructions."""
        return self.record(events.skill_invoked(name, instructions))

    def select_agent(self, name: str, summary: str = "") -> Event:
        """Note which agent works from now on, and what it is about; an empty name is the main one."""
        return self.record(events.agent_selected(name, summary))

    def use_model(self, name: str) -> None:
        """Note which model answers from now on; its window is the session's."""
        before = str(self.about.get("model") or "")
        if name != before:
            self.record(events.model_change(before, name))

    def subscribe(self, observer: Observer, kinds: Iterable[str] = ()) -> Callable[[], None]:
        """Hear of every event once it is written, also of other processes' when this one notices them."""
        return self._log.observers.subscribe(observer, kinds)

    # -- reading

    def refresh(self) -> None:
        """Take in what other processes wrote since."""
        self._log.refresh()

    def messages(self) -> tuple[Message, ...]:
        """The conversation as it stands."""
        self.refresh()
        return self._log.replay.messages

    def messages_at(self, *, turn: int = 0, to: str = "") -> tuple[Message, ...]:
        """The conversation as a rewind to there would leave it."""
        self.refresh()
        return tuple(messages_of(self._target(turn, to)))

    def events(self) -> list[Event]:
        """All that happened, also what was rewound."""
        lines, _ = self.workspace.log.read()
        return [event for event in map(event_of, lines) if event is not None]

    def checkpoints(self) -> list[Checkpoint]:
        """The checkpoints there are, in order; those in `in_effect` are what the conversation rests on."""
        return self._log.checkpoint_files()

    @property
    def in_effect(self) -> tuple[int, ...]:
        """Numbers of the checkpoints that the conversation rests on."""
        return self._log.replay.checkpoints

    @property
    def turn(self) -> int:
        """The number of the turn that is going on."""
        return self._log.replay.turn

    @property
    def kept(self) -> KeptState:
        """Plan, todos, skills and agent as the log tells them at this point of the conversation."""
        return self._log.replay.head.kept

    @property
    def about(self) -> Json:
        """Where and when it began, who started it, its title and its model, as far as the log says."""
        return dict(self._log.about)

    @property
    def event_count(self) -> int:
        """How many events there are."""
        return self._log.event_count

    # -- changing the conversation

    def compaction(
        self, *, window: int = 0, summarise: Callable[[SummaryRequest], str] | None = None
    ) -> SessionCompaction:
        """What keeps this conversation inside its window: the one given, or that of the session's model."""
        return SessionCompaction(
            self, self._settings, windows=self._windows, clock=self._clock, window=window, summarise=summarise
        )

    def compact(
        self, instructions: str = "", *, window: int = 0, summarise: Callable[[SummaryRequest], str] | None = None
    ) -> CompactionResult:
        """Compact the conversation now, keeping first what the instructions name. Raises CompactionRefused."""
        return self.compaction(window=window, summarise=summarise).compact(instructions)

    def apply_compaction(
        self,
        result: CompactionResult,
        *,
        of: Sequence[Message],
        trigger: str = "manual",
        title: str = "",
        reply: Reply | None = None,
        seconds: float = 0.0,
    ) -> Event:
        """Apply a compaction of these messages and keep its summary as a checkpoint.

        Messages that came meanwhile stay behind it. A compaction that failed, or whose messages are no longer those of
        the conversation, is recorded as failed and changes nothing.
        """
        data = {**measured(result), **spent_on(reply, seconds), "trigger": trigger}

        def decide() -> NewEvent:
            now = self._log.replay.messages
            if not result.compacted:
                return events.compaction_failed(result.why, data)
            if len(of) > len(now) or not all(map(is_written_as, of, now)):
                return events.compaction_failed(CHANGED, data)
            return self._compacted((*result.messages, *now[len(of) :]), data, title or title_of(result.summary, of))

        event = self._log.write(decide, align=True)
        if result.compacted:
            self._offer(result.candidates, self.session_id)
        return event

    def emit(self, event: context_events.Event) -> None:
        """Record what compaction and truncation tell of a conversation that is this session's `messages`.

        `CompactionProcessor(..., emit=session.emit)` is all it takes: a compaction that succeeds takes effect here too.
        """
        if event.type == events.COMPACTION_COMPLETE and event.data.get("success"):
            written = self._log.write(lambda: self._applied(event.data), align=True)
            if written.data.get("success"):
                self._offer(event.data.get("candidates", ()), self.session_id)
        else:
            self._log.write(lambda: NewEvent(event.type, event.data))

    def _applied(self, data: Json) -> NewEvent:
        now, size = self._log.replay.messages, int(data["preCompactionMessagesLength"])
        try:
            replacement = replay_compaction(now[:size], data)
        except IndexError:
            return events.compaction_failed(CHANGED, data)
        if size > len(now) or len(replacement) != data["postCompactionMessagesLength"]:
            return events.compaction_failed(CHANGED, data)
        return self._compacted((*replacement, *now[size:]), data, title_of(data["summaryContent"], now[:size]))

    def _compacted(self, replacement: Sequence[Message], data: Json, title: str) -> NewEvent:
        names = self.workspace.checkpoints()
        number = 1 + max([0, *self._log.checkpoints, *(checkpoint_files.number_of(name) for name in names)])
        before = len(self._log.replay.messages)
        kept = {
            "preCompactionMessagesLength": before,
            "postCompactionMessagesLength": len(replacement),
            "messagesRemoved": before - len(replacement),
            "checkpointNumber": number,
            "checkpointTitle": title,
            "checkpointPath": f"checkpoints/{checkpoint_files.file_name(number, title)}",
        }
        return events.compaction_complete(replacement, {**data, **kept})

    def rewind(self, *, turn: int = 0, to: str = "") -> Rewound:
        """Go back to before a turn, or to right after an event; to before the last turn unless told otherwise.

        Nothing is lost: the log keeps all of it, and a later rewind can name any event.
        """
        return self._go_back(lambda: self._target(turn, to), "rewind")

    def undo(self) -> Rewound:
        """Take back the last change of the conversation: a rewind, a compaction or a turn. An undo is a change too."""
        return self._go_back(self._before_last_change, "undo")

    def take_back(self) -> Message | None:
        """Take back the last message and return it; a compaction that came after it goes too. None without one."""
        taken: list[Message] = []

        def decide() -> NewEvent:
            state = next((one for one in self._log.replay.chain() if one.message is not None), None)
            if state is None or state.before is None or state.message is None:
                raise Refused("There is no message to undo.")
            taken[:] = [state.message]
            sizes = len(self._log.replay.messages), len(messages_of(state.before))
            return events.rewind(
                state.before.event_id, reason="take back", messages_before=sizes[0], messages_after=sizes[1]
            )

        try:
            self._log.write(decide, align=True)
        except Refused:
            return None
        return taken[0]

    def clear(self) -> None:
        """Begin the conversation anew; the log keeps what was."""

        def decide() -> NewEvent:
            return events.rewind("", reason="clear", messages_before=len(self._log.replay.messages), messages_after=0)

        if self.messages():
            self._log.write(decide, align=True)

    def _go_back(self, choose: Callable[[], State], reason: str) -> Rewound:
        sizes: list[int] = []

        def decide() -> NewEvent:
            state = choose()
            if state is self._log.replay.head:
                raise Refused("The conversation is already at that point; nothing was changed.")
            sizes[:] = len(self._log.replay.messages), len(messages_of(state))
            return events.rewind(state.event_id, reason=reason, messages_before=sizes[0], messages_after=sizes[1])

        event = self._log.write(decide, align=True)
        return Rewound(event, event.data["toEventId"], sizes[0], sizes[1], self.turn, self.in_effect)

    def _target(self, turn: int, to: str) -> State:
        if turn and to:
            raise UsageError("Name a turn or an event, not both.")
        if to:
            state = self._log.replay.state(self._event_id(to))
            assert state is not None
            return state
        if not self.turn:
            raise Refused("The conversation has no turn to go back to.")
        before = self._log.replay.before_turn(turn or self.turn)
        if before is None:
            raise NotFound(f"The conversation has no turn {turn}; its turns are 1 to {self.turn}.")
        return before

    def _event_id(self, name: str) -> str:
        if self._log.replay.knows(name):
            return name
        found = self._log.replay.starting_with(name)
        if len(found) > 1:
            raise Ambiguous(f"{len(found)} events start with {name}; give more characters.")
        if not found:
            raise NotFound(f"No event starts with {name!r}; `session timeline {self.session_id} --json` lists them.")
        return found[0]

    def _before_last_change(self) -> State:
        change = self._log.replay.last_change
        if change is None or (change.kind == MESSAGE and not self.turn):
            raise Refused("There is nothing to undo.")
        return self._target(self.turn, "") if change.kind == MESSAGE else change.before
