"""What rem may answer: add and prune calls of context_board and nothing else. Checked as a whole before any is done.
Pure."""

from __future__ import annotations

from recollect.board.rules import not_found, require_fit, require_wanted, users_item
from recollect.errors import RecollectError
from recollect.model.board import AGENT, CAPACITY, USER
from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from recollect.model.board import BoardItem, Pruned

ADD, PRUNE = "add", "prune"
MOST_CALLS = 40
# The command is any text here, so that what is not add or prune is refused by us, with its name.
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "calls": {
            "type": "array",
            "maxItems": MOST_CALLS,
            "items": {
                "type": "object",
                "properties": {
                    "command": {"type": "string"},
                    "name": {"type": "string"},
                    "description": {"type": "string"},
                    "context": {"type": "string"},
                },
                "required": ["command", "name"],
            },
        }
    },
    "required": ["calls"],
    "additionalProperties": False,
}


class Call(Record):
    """One call of context_board."""

    command: str
    name: str
    description: str = ""
    context: str = ""
    origin: str = "assistant"
    session: str = ""  # in which it was learned
    why: str = ""  # for whoever looks on


def calls_of(value: Mapping[str, Any], *, session: str = "") -> list[Call]:
    """The calls of a reply that fits the schema."""
    return [
        Call(
            one["command"].strip(),
            one["name"].strip(),
            " ".join(str(one.get("description") or "").split()),
            str(one.get("context") or "").strip(),
            session=session,
        )
        for one in value["calls"]
    ]


def problems(calls: Sequence[Call], items: Sequence[BoardItem], pruned: Sequence[Pruned]) -> list[str]:
    """What is wrong with these calls, as they would be done one after the other; nothing when all can be done."""
    found: list[str] = []
    mine = {one.name for one in items if one.src == AGENT}
    users = {one.name for one in items if one.src == USER}
    for call in calls:
        if call.command == ADD:
            try:
                require_fit(call.name, call.description, call.context)
                require_wanted(call.name, pruned)
            except RecollectError as error:
                found.append(str(error))
            mine.add(call.name)
        elif call.command == PRUNE and call.name in mine:
            mine.discard(call.name)
        elif call.command == PRUNE:
            found.append(users_item(call.name) if call.name in users else not_found(AGENT, call.name))
        else:
            found.append(f"{call.command[:40]!r} is not allowed here: answer with add and prune calls only.")
    if len(mine) + len(users) > CAPACITY:
        found.append(f"That would leave {len(mine) + len(users)} items; the board holds {CAPACITY}.")
    return found
