"""Who wrote an entry, or what it rests on, as one would say it to the person who reads it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.model.entries import Entry

AUTHORS = {"user": "you", "agent": "an agent", "system": "Recollect"}
RESTS_ON = {"tool": "tool output", "document": "a document"}


def author(entry: Entry) -> str:
    """What Recollect stored by itself is from where it found it."""
    found_in = {"typed": "what you typed", **RESTS_ON}.get(entry.origin, "")
    if entry.source == "system" and found_in:
        return f"from {found_in}"
    also = f", from {RESTS_ON[entry.origin]}" if entry.origin in RESTS_ON else ""
    return f"by {AUTHORS[entry.source]}{also}"
