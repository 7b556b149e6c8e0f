"""The tool context_board: get_board, get, add and prune, for rem and sidekicks; each failure has its own sentence."""

from __future__ import annotations

from recollect.board.rendering import listed, whole
from recollect.board.rules import ADD_NEEDS, GET_NEEDS, OFF, PRUNE_NEEDS, unknown_command, warning
from recollect.errors import NotFound, RecollectError
from recollect.model.board import AGENT, SOURCES
from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from recollect.flows.board.board import ContextBoard


class ToolAnswer(Record):
    """What a tool says to the agent that called it."""

    text: str
    failed: bool = False


def context_board(
    board: ContextBoard,
    arguments: Mapping[str, object],
    *,
    made_by: str = AGENT,
    session: str = "",
    writes: bool = True,
) -> ToolAnswer:
    """Do what the tool is asked. A sidekick only reads."""
    if not board.is_on:
        return ToolAnswer(OFF, failed=True)
    given = {
        name: str(arguments.get(name) or "").strip() for name in ("command", "src", "name", "description", "context")
    }
    try:
        match given["command"]:
            case "get_board":
                return ToolAnswer(listed(board.list()))
            case "get":
                return _get(board, given)
            case "add" | "prune" as command if not writes:
                return ToolAnswer(f"{command} is not for you: this agent only reads the board.", failed=True)
            case "add":
                return _add(board, given, made_by, session)
            case "prune":
                return _prune(board, given)
            case other:
                return ToolAnswer(unknown_command(other), failed=True)
    except NotFound as error:
        return ToolAnswer(f"{error} get_board lists the items.", failed=True)
    except RecollectError as error:
        return ToolAnswer(str(error), failed=True)


def _get(board: ContextBoard, given: Mapping[str, str]) -> ToolAnswer:
    if given["src"] not in SOURCES or not given["name"]:
        return ToolAnswer(GET_NEEDS, failed=True)
    return ToolAnswer(whole(board.get(given["name"], given["src"])))


def _add(board: ContextBoard, given: Mapping[str, str], made_by: str, session: str) -> ToolAnswer:
    if not all(given[name] for name in ("name", "description", "context")):
        return ToolAnswer(ADD_NEEDS, failed=True)
    done = board.add(given["name"], given["description"], given["context"], src=AGENT, made_by=made_by, session=session)
    told = f"{'Added' if done.is_new else 'Updated'} {done.item.name!r}."
    return ToolAnswer(" ".join(filter(None, (told, warning(done.items)))))


def _prune(board: ContextBoard, given: Mapping[str, str]) -> ToolAnswer:
    if not given["name"]:
        return ToolAnswer(PRUNE_NEEDS, failed=True)
    return ToolAnswer(f"Pruned {board.prune(given['name'], by=AGENT).name!r}.")
