"""The board at the start of a session: behind everything else, with as many rows as the ceilings leave room for."""

from __future__ import annotations

from recollect.board.rendering import FETCH_AS_MAIN, TAG, rendered
from recollect.errors import FileError, StoreDamaged, StoreError
from recollect.flows.board.board import ContextBoard
from recollect.memory.inject import Part, filled_block

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.flows.opened import Opened
    from recollect.model.board import BoardPlace


def with_board(
    parts: Sequence[Part], text: str, memory: Opened, limits: tuple[int, int]
) -> tuple[str, BoardPlace | None]:
    """The block with the board behind its parts, and which board that is; the block as it is when there is no room."""
    board = ContextBoard(memory)
    try:
        copied_from = board.begin()
    except StoreDamaged:
        raise
    except (StoreError, FileError):
        copied_from = ""  # somebody is writing: the next session begins it
    items = board.list()
    rows = len(items)
    while rows:
        table = rendered(items[:rows], fetch=FETCH_AS_MAIN, copied_from=copied_from)
        filled = filled_block([*parts, Part("", table, whole=True)], limit_characters=limits[0], limit_tokens=limits[1])
        if f"</{TAG}>" in filled:
            return filled, board.place
        rows = rows * 3 // 4
    return text, None
