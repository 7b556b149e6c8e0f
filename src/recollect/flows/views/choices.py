"""What a list may be narrowed to: one value or several, by the names that people use as well."""

from __future__ import annotations

from recollect.errors import UsageError
from recollect.model.entries import LAYERS, ORIGINS, SCOPES, SOURCES, STATUSES, status_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeVar

    from recollect.model.drafts import Draft
    from recollect.model.entries import Citation

    Item = TypeVar("Item", str, "str | Citation", "str | Draft")

# name: what it may be, and what else that is called.
CHOICES: Mapping[str, tuple[tuple[str, ...], Mapping[str, str]]] = {
    "layer": (LAYERS, {}),
    "status": (STATUSES, {status_word(status): status for status in STATUSES}),
    "scope": (SCOPES, {"here": "repository", "everywhere": "user"}),
    "source": (SOURCES, {}),
    "origin": (ORIGINS, {}),
}


def several(given: Sequence[Item]) -> tuple[Item, ...]:
    """What was given where several may stand; a string there is one of them."""
    return (given,) if isinstance(given, str) else tuple(given)


def chosen(name: str, given: str | Sequence[str] | None) -> str | list[str]:
    """The value or the values that are meant, "" for any; UsageError for one that there is not."""
    if not given or given == "any":
        return ""
    if not isinstance(given, str):
        return [str(chosen(name, one)) for one in given]
    allowed, also = CHOICES[name]
    meant = also.get(given, given)
    if meant not in allowed:
        every = ", ".join(dict.fromkeys((*allowed, *also)))
        raise UsageError(f"{given!r:.60} is not a valid {name}; give one of {every}, or a list of them.")
    return meant
