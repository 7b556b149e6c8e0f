"""Who wrote an entry, or what it rests on, as one would say it to the person who reads it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.model.entries import Entry

AUTHORS = {"user": "you", "agent": "an agent", "system": "Recollect"}
RESTS_ON = {"tool": "tool output", "document": "a document"}
SAID = {"typed": "what you typed", "assistant": "what an agent said"}


def author(entry: Entry) -> str:
    """What Recollect stored by itself is from where it found it."""
    found_in = {"typed": SAID["typed"], **RESTS_ON}.get(entry.origin, "")
    if entry.source == "system" and found_in:
        return f"from {found_in}"
    also = f", from {RESTS_ON[entry.origin]}" if entry.origin in RESTS_ON else ""
    return f"by {AUTHORS[entry.source]}{also}"


def rests_on(entry: Entry) -> str:
    """What an entry rests on; one that logs prove was never said by anybody."""
    from recollect.flows.sessions.prove import is_proven  # a list asks nobody about logs

    if is_proven(entry):
        return "what the logs of your sessions show"
    return (SAID | RESTS_ON)[entry.origin]
