"""From a host's events to turns: pieces joined, twins dropped, calls met by their results. Streaming and pure."""

from __future__ import annotations

from recollect.model.record import Record
from recollect.model.sessions import (
    Answered,
    Began,
    Called,
    Compacted,
    Moved,
    Returned,
    Said,
    Skipped,
    Spent,
    Titled,
    ToolUse,
    Turn,
    Voted,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from recollect.model.sessions import Event

    KindOf = Callable[[str, Mapping[str, object]], tuple[str, str]]  # a tool's name and arguments -> kind and target

MOST_TOOLS = 400  # in one turn
LONGEST_TARGET = 1_000
LONGEST_ASSISTANT = 40_000
MARGIN = 600  # characters more, until secrets are out: one that was cut in half would not be known as one


class _Open:
    """The turn that is being heard."""

    def __init__(self, number: int, said: Said, began: Began) -> None:
        self.number = number
        self.said = said
        self.began = began
        self.ended = said.at
        self.model = began.model
        self.answers: dict[str, list[str]] = {}
        self.calls: dict[str, tuple[Called, Returned | None]] = {}
        self.compactions: list[str] = []
        self.spent: dict[str, Spent] = {}
        self.vote = 0
        self.cwd = said.cwd or began.cwd
        self.branch = said.branch or began.branch

    def hear(self, event: Event) -> None:
        """Take in what happened after the user spoke."""
        if isinstance(event, Spent):
            self.spent[event.record_id or f"#{len(self.spent)}"] = event
            return
        at: float = getattr(event, "at", 0.0)
        if at > self.ended:
            self.ended = at
        # The frequent ones first: every record of a log comes through here.
        if isinstance(event, Called):
            if event.call_id not in self.calls and len(self.calls) < MOST_TOOLS:
                self.calls[event.call_id] = (event, None)
        elif isinstance(event, Returned):
            if event.call_id in self.calls:
                self.calls[event.call_id] = (self.calls[event.call_id][0], event)
        elif isinstance(event, Answered):
            pieces = self.answers.setdefault(event.record_id or f"#{len(self.answers)}", [])
            if event.text and event.text not in pieces:
                pieces.append(event.text)
            self.model = event.model or self.model
        elif isinstance(event, Compacted):
            self.compactions.append(event.summary)
        elif isinstance(event, Voted):
            self.vote = 1 if event.up else -1
        elif isinstance(event, Moved):
            self.cwd, self.branch = event.cwd or self.cwd, event.branch or self.branch

    @property
    def says_something(self) -> bool:
        """Is there anything in it worth keeping? A turn is, also when nothing but a picture was sent."""
        return bool(self.number or any(self.answers.values()) or self.calls or self.compactions)

    def close(self, kind_of: KindOf) -> Turn:
        """The turn as it will be kept."""
        text = "\n\n".join(
            "".join(pieces) if len(pieces) == 1 else "\n".join(pieces) for pieces in self.answers.values()
        )
        return Turn(
            number=self.number,
            user=self.said.text,
            assistant=text.strip(),
            tools=tuple(_use(called, returned, kind_of) for called, returned in self.calls.values()),
            at=self.said.at or self.began.at,
            ended=self.ended,
            record_id=self.said.record_id or f"#{self.number}",
            model=self.model,
            cwd=self.cwd,
            branch=self.branch,
            compactions=tuple(self.compactions),
            input_tokens=sum(one.input_tokens for one in self.spent.values()),
            output_tokens=sum(one.output_tokens for one in self.spent.values()),
            mark=self.said.mark,
            vote=self.vote,
        )


class Part(Record):
    """A finished turn, or a title, and the session it belongs to."""

    began: Began
    item: Turn | Titled


class _OpenSession:
    """What is known of a session while its log is read; logs may go back and forth between several."""

    def __init__(self, began: Began) -> None:
        self.began = began
        self.turn: _Open | None = None
        self.heard: set[str] = set()
        self.number = 0

    def say(self, said: Said, kind_of: KindOf) -> Turn | None:
        """The user speaks: the turn before is finished. A message that was heard before says nothing new."""
        if said.record_id and said.record_id in self.heard:
            return None
        self.heard.add(said.record_id)
        done, last = self.finish(kind_of), self.turn
        self.number += 1
        self.turn = _Open(self.number, said, self.began)
        if last is not None:
            # What the host does not repeat holds on.
            self.turn.model = last.model
            self.turn.cwd, self.turn.branch = said.cwd or last.cwd, said.branch or last.branch
        return done

    def finish(self, kind_of: KindOf) -> Turn | None:
        """The turn that is open, if there is anything in it."""
        return self.turn.close(kind_of) if self.turn is not None and self.turn.says_something else None


_HEARD = (Called, Returned, Answered, Spent, Voted, Compacted, Moved)


def assemble(events: Iterable[Event], kind_of: KindOf) -> Iterator[Part | Skipped]:
    """The turns of a log, each with its session, in the order in which they are finished."""
    sessions: dict[tuple[str, str], _OpenSession] = {}
    session = _OpenSession(Began("", ""))
    for event in events:
        if isinstance(event, _HEARD):
            if session.turn is None:
                session.turn = _Open(0, Said(""), session.began)
            session.turn.hear(event)
            continue
        done: Turn | None = None
        match event:
            case Skipped():
                yield event
            case Titled():
                yield Part(session.began, event)
            case Began():
                session = sessions.setdefault((event.native_id, event.agent), _OpenSession(event))
            case Said():
                done = session.say(event, kind_of)
        if done is not None:
            yield Part(session.began, done)
    for session in sessions.values():
        done = session.finish(kind_of)
        if done is not None:
            yield Part(session.began, done)


def _use(called: Called, returned: Returned | None, kind_of: KindOf) -> ToolUse:
    kind, target = kind_of(called.name, called.arguments)
    target = target[: LONGEST_TARGET + MARGIN]
    paths = returned.paths if returned else ()
    if kind == "change" and not paths and target and "\n" not in target:
        paths = (target,)
    if returned is None:
        return ToolUse(called.name, kind, target, "", None, None, paths)
    return ToolUse(called.name, kind, target, returned.output, returned.ok, returned.exit_code, paths)
