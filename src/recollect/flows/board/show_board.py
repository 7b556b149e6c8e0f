"""The board at the start of a session: behind everything else, with as many rows as the ceilings leave room for."""

from __future__ import annotations

from recollect.board.rendering import FETCH_AS_MAIN, rendered
from recollect.errors import FileError, StoreDamaged, StoreError
from recollect.flows.board.board import ContextBoard
from recollect.memory.inject import Part, fitting_pieces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.flows.opened import Opened
    from recollect.model.board import BoardPlace

WHY = "the context board of this branch"


def board_part(
    parts: Sequence[Part], memory: Opened, limits: tuple[int, int], *, begins: bool
) -> tuple[Part, BoardPlace | None]:
    """The board as the last part, and which board that is; an empty part when there is no room. A session that begins
    initialises it; who only looks ahead changes nothing."""
    board = ContextBoard(memory)
    if begins:
        begin(board)
    items, copied_from = board.as_begun()
    rows = len(items)
    while rows:
        table = Part("", rendered(items[:rows], fetch=FETCH_AS_MAIN, copied_from=copied_from), whole=True, why=WHY)
        if fitting_pieces([*parts, table], limit_characters=limits[0], limit_tokens=limits[1])[-1]:
            return table, board.place
        rows = rows * 3 // 4
    return Part("", ""), None


def begin(board: ContextBoard) -> None:
    """Initialise the board of a session that is created or resumed, if nobody is writing just now."""
    try:
        board.begin()
    except StoreDamaged:
        raise
    except (StoreError, FileError):
        return  # somebody is writing: the next session begins it
