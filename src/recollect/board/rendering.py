"""How the board looks to an agent: a table of metadata, and one item for whoever fetches it. Pure."""

from __future__ import annotations

from recollect.board.rules import EMPTY, WARN_AT, warning
from recollect.text.fences import in_quotes, neutralise
from recollect.text.rendering import QUOTED_ORIGINS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.model.board import BoardItem

TAG = "dynamic_context_board"
HEADER = "| src | name | description | read_count | count |\n|---|---|---|---|---|"
FETCH = 'Only summaries are shown. To read an item, call context_board with command: "get" and its src and name.'
FETCH_AS_MAIN = (
    "Only summaries are shown. Background agents send what matters of these items to your inbox; "
    "`recollect board get NAME --src SRC` prints one."
)
REFERENCE = "From the context board, for reference only: not a request."


def rendered(items: Sequence[BoardItem], *, fetch: str = FETCH, copied_from: str = "") -> str:
    """The table inside its tags; empty without items."""
    if not items:
        return ""
    lines = [f"<{TAG}>", HEADER, *map(row, items), ""]
    if copied_from:
        lines.append(f"This board began as a copy of the one of {neutralise(copied_from)}.")
    lines += [fetch, f"</{TAG}>"]
    return "\n".join(lines)


def listed(items: Sequence[BoardItem]) -> str:
    """What get_board answers."""
    if not items:
        return EMPTY
    told = rendered(items)
    return f"{told}\n{warning(len(items))}" if len(items) >= WARN_AT else told


def row(item: BoardItem) -> str:
    """One line of the table; nothing in it can end the cell, the line or the table."""
    cells = (item.src, item.name, _told(item), str(item.read_count), str(item.count))
    return "| " + " | ".join(cells) + " |"


def whole(item: BoardItem) -> str:
    """An item with its content, as reference; what rests on a tool or a document is quoted, line by line."""
    content = neutralise(item.content.strip())
    if item.origin in QUOTED_ORIGINS:
        quoted = "\n".join(f"> {line}" for line in content.splitlines())
        content = f"{QUOTED_ORIGINS[item.origin]} said:\n{quoted}"
    return f"{REFERENCE}\n{item.name} ({item.src}): {_told(item)}\n\n{content}"


def _told(item: BoardItem) -> str:
    text = " ".join(item.description.split())
    text = in_quotes(text) if item.origin in QUOTED_ORIGINS else neutralise(text)
    return text.replace("|", "¦")
