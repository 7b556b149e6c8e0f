"""How the context board looks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.doors.board_shapes import item_json
from recollect.doors.cli.printing.output import on_terminal, one_line, put, put_done, put_json, put_row, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.flows.board.board import Added, ContextBoard
    from recollect.flows.board.rem import Consolidated
    from recollect.flows.sidekicks.definitions import FoundAgent
    from recollect.model.board import BoardItem

OFF = "Agents do not see the board yet; show it to them with `recollect settings set subconscious.enabled true`."


def print_board(items: Sequence[BoardItem], board: ContextBoard, *, as_json: bool) -> None:
    """One line an item."""
    if as_json:
        put_json([item_json(item) for item in items])
        return
    if on_terminal() and items:
        _board_page(items, board)
    else:
        for item in items:
            put_row(item_json(item).values())
    if not items:
        say(f"The board {_of(board)} is empty. `recollect board add --help` shows how to add an item.")
    if not board.is_on:
        say(OFF)


def _of(board: ContextBoard) -> str:
    return f"of {board.place.branch}" if board.has_branches else "of this folder"


def _board_page(items: Sequence[BoardItem], board: ContextBoard) -> None:
    from recollect.doors.cli.printing.terminal import Page
    from recollect.model.board import CAPACITY

    page = Page()
    page.line(f"Context board {_of(board)}: {len(items)} of {CAPACITY} items", "bold")
    rows = [[one.src, one.name, one.description, str(one.read_count), str(one.count)] for one in items]
    page.table(rows, wrap=2, header=("src", "name", "description", "read", "seen"))


def print_item(item: BoardItem, *, as_json: bool) -> None:
    """What an item says."""
    if as_json:
        put_json(item_json(item, whole=True))
        return
    put(item.content)
    say(f"{item.name} ({item.src}): {item.description}")


def told_loss(item: BoardItem) -> str:
    """What would be gone."""
    return f"{item.name} ({item.src}) says now: “{one_line(item.content)}” ({one_line(item.description)})"


def print_added(done: Added, board: ContextBoard, *, as_json: bool) -> None:
    """What became of an item."""
    from recollect.board.rules import warning
    from recollect.model.board import CAPACITY

    status = "added" if done.is_new else "updated"
    if as_json:
        put_json({**item_json(done.item, whole=True), "status": status, "items": done.items})
    else:
        put_done(
            f"{status.capitalize()} {done.item.name}", f"{done.items} of {CAPACITY} items on the board {_of(board)}"
        )
        if told := warning(done.items):
            say(told)
    if not board.is_on:
        say(OFF)


def print_pruned(item: BoardItem, *, as_json: bool) -> None:
    """What was taken off."""
    if as_json:
        put_json({**item_json(item, whole=True), "status": "pruned"})
    else:
        put_done(f"Pruned {item.name}", item.description)


def print_consolidated(done: Consolidated, *, as_json: bool) -> None:
    """What rem changed, or would change."""
    if as_json:
        put_json({**done._asdict(), "added": list(done.added), "pruned": list(done.pruned)})
        return
    for name in done.added:
        put(f"+ {name}")
    for name in done.pruned:
        put(f"- {name}")
    if done.why or not (done.added or done.pruned):
        say(done.why or "The board is up to date.")


def print_agents(found: Sequence[tuple[FoundAgent, bool]], *, as_json: bool) -> None:
    """One line per definition."""
    rows = [
        {
            "name": one.agent.name if one.agent else "",
            "kind": one.agent.kind if one.agent else "",
            "source": one.agent.source if one.agent else "",
            "tools": list(one.agent.tools) if one.agent else [],
            "on": is_on,
            "path": one.path,
            "why": one.why or ("" if is_on else f"{one.agent.feature_flag} is off" if one.agent else ""),
        }
        for one, is_on in found
    ]
    if as_json:
        put_json(rows)
        return
    lines = [
        [
            str(part)
            for part in (row["name"] or row["path"], row["kind"], row["source"], "on" if row["on"] else row["why"])
        ]
        for row in rows
    ]
    if on_terminal():
        from recollect.doors.cli.printing.terminal import Page

        Page().table(lines)
        return
    for line in lines:
        put_row(line)
