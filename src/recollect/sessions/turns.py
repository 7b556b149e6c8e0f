"""From a host's events to turns: pieces joined, twins dropped, calls met by their results. Streaming and pure."""

from __future__ import annotations

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
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from recollect.model.sessions import Event

    Tools = Mapping[str, tuple[str, str]]  # tool name -> (kind, the argument that holds its target)

MOST_TOOLS = 400  # in one turn
LONGEST_TARGET = 1_000
LONGEST_ASSISTANT = 40_000


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
        self.cwd = said.cwd or began.cwd
        self.branch = said.branch or began.branch

    def hear(self, event: Event) -> None:
        """Take in what happened after the user spoke."""
        self.ended = max(self.ended, getattr(event, "at", 0.0))
        match event:
            case Answered(text=text, record_id=record_id, model=model):
                pieces = self.answers.setdefault(record_id or f"#{len(self.answers)}", [])
                if text and text not in pieces:
                    pieces.append(text)
                self.model = model or self.model
            case Called(call_id=call_id):
                if call_id not in self.calls and len(self.calls) < MOST_TOOLS:
                    self.calls[call_id] = (event, None)
            case Returned(call_id=call_id):
                if call_id in self.calls:
                    self.calls[call_id] = (self.calls[call_id][0], event)
            case Compacted(summary=summary):
                self.compactions.append(summary)
            case Spent(record_id=record_id):
                self.spent[record_id or f"#{len(self.spent)}"] = event
            case Moved(cwd=cwd, branch=branch):
                self.cwd, self.branch = cwd or self.cwd, branch or self.branch

    @property
    def says_something(self) -> bool:
        """Is there anything in it worth keeping?"""
        return bool(self.said.text or any(self.answers.values()) or self.calls or self.compactions)

    def close(self, tools: Tools) -> Turn:
        """The turn as it will be kept."""
        text = "\n\n".join(
            "".join(pieces) if len(pieces) == 1 else "\n".join(pieces) for pieces in self.answers.values()
        )
        return Turn(
            number=self.number,
            user=self.said.text,
            assistant=text.strip()[:LONGEST_ASSISTANT],
            tools=tuple(_use(called, returned, tools) for called, returned in self.calls.values()),
            at=self.said.at or self.began.at,
            ended=self.ended,
            record_id=self.said.record_id or f"#{self.number}",
            model=self.model,
            cwd=self.cwd,
            branch=self.branch,
            compactions=tuple(self.compactions),
            input_tokens=sum(one.input_tokens for one in self.spent.values()),
            output_tokens=sum(one.output_tokens for one in self.spent.values()),
        )


def assemble(events: Iterable[Event], tools: Tools) -> Iterator[Began | Turn | Titled | Skipped]:
    """Sessions and their turns, in order: each Began is followed by the turns that belong to it."""
    began = Began("", "")
    turn: _Open | None = None
    heard: set[str] = set()
    number = 0
    for event in events:
        match event:
            case Skipped() | Titled():
                yield event
            case Began():
                if turn is not None and turn.says_something:
                    yield turn.close(tools)
                began, turn, number = event, None, 0
                heard.clear()
                yield began
            case Said(record_id=record_id):
                if record_id and record_id in heard:
                    continue
                heard.add(record_id)
                if turn is not None and turn.says_something:
                    yield turn.close(tools)
                number += 1
                turn = _next(turn, number, event, began)
            case _:
                turn = turn or _Open(0, Said(""), began)
                turn.hear(event)
    if turn is not None and turn.says_something:
        yield turn.close(tools)


def _next(last: _Open | None, number: int, said: Said, began: Began) -> _Open:
    turn = _Open(number, said, began)
    if last is not None:
        # What the host does not repeat holds on.
        turn.model = last.model
        turn.cwd, turn.branch = said.cwd or last.cwd, said.branch or last.branch
    return turn


def _use(called: Called, returned: Returned | None, tools: Tools) -> ToolUse:
    kind, argument = tools.get(called.name, ("other", ""))
    target = called.arguments.get(argument, "") if argument else ""
    if isinstance(target, list):
        target = " ".join(map(str, target))
    paths = returned.paths if returned else ()
    if kind == "change" and not paths and target:
        paths = (str(target),)
    return ToolUse(
        name=called.name,
        kind=kind,
        target=str(target)[:LONGEST_TARGET],
        output=returned.output if returned else "",
        ok=returned.ok if returned else None,
        exit_code=returned.exit_code if returned else None,
        paths=paths,
    )
