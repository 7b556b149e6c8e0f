"""How much an export may hold: as much as a memory can, and no more. Pure, and before anything else is done with it."""

from __future__ import annotations

from recollect.errors import UsageError
from recollect.memory.drafts import LONGEST, LONGEST_NAME, LONGEST_REASON, MOST_CITATIONS, MOST_LABELS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

LARGEST_FILE_BYTES = 256_000_000
MOST_ITEMS = {
    "entries": 100_000,
    "audit": 1_000_000,
    "sessions": 100_000,
    "suggestions": 10_000,
    "tasks": 10_000,
    "projects": 10_000,
    "conflicts": 100_000,
    "repositories": 10_000,
    "settings": 200,
}
MOST_OF_A_SETTING = 100
LONGEST_SETTING = 2_000
LONGEST_TEXT = 1_000_000  # of a task or a project
_OF_AN_ENTRY = {
    "subject": LONGEST_NAME,
    "reason": LONGEST_REASON,
    "aliases": MOST_LABELS,
    "tags": MOST_LABELS,
    "citations": MOST_CITATIONS,
    "votes": 10_000,
}


def require_bounds(document: object) -> None:
    """Raise UsageError, in one sentence, for more than a memory holds; what is no export at all is not looked at."""
    if not isinstance(document, dict):
        return
    for where, value, most in _bounded(document):
        if isinstance(value, (str, list, dict)) and len(value) > most:
            unit = "characters" if isinstance(value, str) else "items"
            raise UsageError(
                f"That export is too large: {where} has {len(value):,} {unit}, and at most {most:,} are allowed; "
                "nothing was loaded."
            )


def _bounded(document: dict[str, object]) -> Iterator[tuple[str, object, int]]:
    """Where something stands, what, and how long it may be; lists before what is in them."""
    yield from ((name, document.get(name), most) for name, most in MOST_ITEMS.items())
    for where, entry in _items(document, "entries"):
        layer = entry.get("layer")
        yield f"{where}.content", entry.get("content"), LONGEST.get(layer if isinstance(layer, str) else "", 0) or 4_000
        yield from ((f"{where}.{name}", entry.get(name), most) for name, most in _OF_AN_ENTRY.items())
        for name in ("aliases", "tags"):
            labels = entry.get(name)
            yield from ((f"{where}.{name}", one, LONGEST_NAME) for one in (labels if isinstance(labels, list) else ()))
    for name in ("tasks", "projects"):
        for where, item in _items(document, name):
            yield from ((f"{where}.{field}", value, LONGEST_TEXT) for field, value in item.items())
    settings = document.get("settings")
    for name, value in settings.items() if isinstance(settings, dict) else ():
        where = f"settings.{name[:LONGEST_NAME]}"
        yield where, value, MOST_OF_A_SETTING if isinstance(value, list) else LONGEST_SETTING
        yield from ((where, one, LONGEST_SETTING) for one in (value if isinstance(value, list) else ()))


def _items(document: dict[str, object], name: str) -> Iterator[tuple[str, dict[str, object]]]:
    found = document.get(name)
    for number, item in enumerate(found if isinstance(found, list) else ()):
        if isinstance(item, dict):
            yield f"{name}[{number}]", item
