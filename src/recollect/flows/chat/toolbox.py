"""The tools of the agent: a table by name, each with its kind in the permissions. Rooms that come later add theirs."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from recollect.errors import UsageError
from recollect.flows.chat.happenings import FileDiff
from recollect.model.record import Record
from recollect.ports import OfferedTool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from recollect.flows.chat.happenings import Tell
    from recollect.flows.opened import Opened
    from recollect.flows.sessions.own_session import OwnSession
    from recollect.model.messages import Json, ToolCall
    from recollect.model.permissions import Question

READ, EDIT, RUN, PLAN, SKILL, TASK, INBOX = "read", "edit", "run", "plan", "skill", "task", "inbox"
LONGEST_TITLE = 200


class Work(Record):
    """What a tool works with."""

    memory: Opened
    session: OwnSession
    folder: str  # where the work is; paths are relative to it
    cancelled: Callable[[], bool]
    tell: Tell
    call_id: str = ""


class ToolAnswer(Record):
    """What a tool tells the model."""

    text: str
    failed: bool = False
    diff: FileDiff | None = None
    exit_code: int | None = None


class Planned(Record):
    """What a call would do, before it does it: how it is shown, and what a person is asked; None asks nobody."""

    title: str = ""
    question: Question | None = None
    diff: FileDiff | None = None
    paths: tuple[str, ...] = ()


def nothing_special(arguments: Json, work: Work) -> Planned:
    """A call that nobody has to be asked about."""
    return Planned()


def always() -> bool:
    """A tool that is always offered."""
    return True


class Tool(Record):
    """One tool. `plan` looks and changes nothing; `run` does it. A RecollectError of either is told to the model."""

    name: str
    kind: str
    description: str
    takes: Json  # JSON Schema of its arguments
    run: Callable[[Json, Work], ToolAnswer]
    plan: Callable[[Json, Work], Planned] = nothing_special
    is_on: Callable[[], bool] = always  # is it offered now?

    @property
    def offered(self) -> OfferedTool:
        """As the model sees it."""
        return OfferedTool(self.name, self.description, self.takes)


class Toolbox:
    """Tools by name, in the order in which the model sees them."""

    def __init__(self, tools: Iterable[Tool] = ()) -> None:
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            self.add(tool)

    def add(self, tool: Tool) -> None:
        """Offer one more. UsageError when there is one of this name."""
        if tool.name in self._tools:
            raise UsageError(f"There are two tools named {tool.name!r}.")
        self._tools[tool.name] = tool

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def get(self, name: str) -> Tool | None:
        """The tool of this name."""
        return self._tools.get(name)


def arguments_of(call: ToolCall, takes: Mapping[str, object]) -> Json:
    """The arguments of a call. UsageError, in words that a model can act on, when they do not fit."""
    from jsonschema import Draft202012Validator
    from referencing import Registry
    from referencing.exceptions import Unresolvable

    try:
        given = json.loads(call.arguments or "{}")
    except ValueError as error:
        raise UsageError(f"The arguments of {call.name} are not valid JSON: {error}") from error
    try:
        # A schema may be a stranger's: with a registry of its own, nothing that it refers to is fetched.
        problem = next(Draft202012Validator(dict(takes), registry=Registry()).iter_errors(given), None)
    except (Unresolvable, re.error) as error:
        raise UsageError(f"{call.name} cannot be used: its schema is broken.") from error
    if problem is not None:
        raise UsageError(f"The arguments of {call.name} do not fit: {problem.json_path}: {problem.message[:200]}")
    return dict(given)


def an_object(required: tuple[str, ...] = (), **properties: Json) -> Json:
    """A schema of an object with these fields and no others."""
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


def text(description: str = "", *, choices: tuple[str, ...] = ()) -> Json:
    """A schema of a text."""
    return {"type": "string", **({"description": description} if description else {}), **_enum(choices)}


def number(low: int, high: int, description: str = "") -> Json:
    """A schema of a whole number."""
    told = {"description": description} if description else {}
    return {"type": "integer", "minimum": low, "maximum": high, **told}


def _enum(choices: tuple[str, ...]) -> Json:
    return {"enum": list(choices)} if choices else {}
