"""What may be asked of a memory."""

from __future__ import annotations

from recollect.errors import UsageError
from recollect.model.entries import LAYERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def require_question(query: object, k: int | None, tokens: int | None, layers: Sequence[str]) -> None:
    """Before every recall, so it may cost next to nothing."""
    if not isinstance(query, str):
        raise UsageError(f"The query must be text, not {query!r:.60}.")
    for name, limit in (("k", k), ("tokens", tokens)):
        if limit is not None and not (isinstance(limit, int) and limit >= 0):
            raise UsageError(f"`{name}` must be a whole number, 0 or more, not {limit!r:.60}.")
    for layer in layers:
        if layer not in LAYERS:
            raise UsageError(f"{layer!r:.60} is not a layer; give a list of {', '.join(LAYERS)}.")
