"""What a file may claim. Whoever wrote it can have written anything, so it is the person who loads it that decides.

Pure: over documents that were checked before, which are changed nowhere else."""

from __future__ import annotations

from recollect.memory.drafts import CONFIDENCE, own_tags
from recollect.memory.origins import quoted_origin
from recollect.model.record import Record
from recollect.store.rows import load_list

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from recollect.model.entries import Origin
    from recollect.settings_rows import Row, Value

    Document = dict[str, Any]

UNTRUSTED = ("tool", "document")  # origins of what is never part of the profile
_TIMES = ("created", "updated")
_KEPT = ("id", "layer", "scope", "repository", "content", "subject", "aliases", "reason", "created", "updated")
_NOT_ENTRIES = ("audit", "tasks", "projects", "conflicts", "repositories", "sessions", "board", "suggestions")


class Claims(Record):
    """What in a file would count as the person's own, if they said that it is theirs."""

    profile: tuple[str, ...] = ()  # lines for L0
    words: int = 0  # entries that say the user wrote them
    others: int = 0  # tasks, sessions and changes

    def __bool__(self) -> bool:
        return bool(self.profile or self.words or self.others)


def claims(document: Document) -> Claims:
    """What this file says of itself; in a checked document."""
    entries = document["entries"]
    return Claims(
        tuple(one["content"] for one in entries if one["layer"] == "L0" and one.get("status", "active") == "active"),
        sum(one.get("source", "user") == "user" or one.get("origin", "typed") == "typed" for one in entries),
        sum(len(document[name]) for name in _NOT_ENTRIES),
    )


def taken_as_document(document: Document, *, now: float) -> Document:
    """Somebody else's file: what its active entries say, as a document says it, and nothing more."""
    entries = [one for one in document["entries"] if one.get("status", "active") == "active"]
    return {
        **document,
        **{name: [] for name in _NOT_ENTRIES},
        "entries": [_not_in_future(_as_document(one), now) for one in entries],
    }


def _as_document(entry: dict[str, Any]) -> dict[str, Any]:
    tags = entry.get("tags", [])
    ours = own_tags(tuple(tags))
    return {
        **{name: entry[name] for name in _KEPT if name in entry},
        "layer": "L1" if entry["layer"] == "L0" else entry["layer"],
        "tags": [tag for tag in tags if tag not in ours],
        "citations": [one for one in entry.get("citations", []) if one["kind"] == "file"],
        "source": "system",
        "origin": "document",
        "confidence": CONFIDENCE["system"],
    }


def taken_as_own(document: Document, *, now: float) -> Document:
    """An export of the person's own, whole; but what rests on tools or documents stays out of the profile, no change of
    it is later than those that the person makes next, and only what the file holds can be in conflict."""
    held = {one["id"] for one in document["entries"]}
    resting = _resting(document)
    return {
        **document,
        "entries": [_out_of_profile(one, resting.get(one["id"])) for one in document["entries"]],
        "audit": [
            {
                **change,
                "created": min(change["created"], now),
                "entries": [
                    {
                        **one,
                        "before": _out_of_profile(one["before"], resting.get(one["id"])),
                        "after": _out_of_profile(one["after"], resting.get(one["id"])),
                    }
                    for one in change["entries"]
                ],
            }
            for change in document["audit"]
        ],
        "conflicts": [one for one in document["conflicts"] if {one["newer"], one["older"]} <= held],
    }


def out_of_profile(before: Document, after: Document) -> int:
    """How many entries would have been in the profile and are not."""
    pairs = zip(before["entries"], after["entries"], strict=True)
    return sum(one["layer"] == "L0" and other["layer"] != "L0" for one, other in pairs)


def _resting(document: Document) -> dict[str, Origin]:
    """The entries that rest on a tool or a document, now or in a change, and on which of both."""
    states = [(one["id"], one) for one in document["entries"]]
    for change in document["audit"]:
        states += [(one["id"], state) for one in change["entries"] for state in (one["before"], one["after"])]
    return {entry_id: others for entry_id, state in states if (others := _rests_on(state))}


def _rests_on(state: dict[str, Any]) -> Origin | None:
    """What an entry says that it rests on, or what it cites, which may be more."""
    if state.get("origin") in UNTRUSTED:
        return state["origin"]  # type: ignore[no-any-return]
    citations = state.get("citations", [])
    citations = load_list(citations) if isinstance(citations, str) else citations
    return next(filter(None, (quoted_origin(one.get("quote", "")) for one in citations)), None)


def _out_of_profile(fields: dict[str, Any], rests_on: Origin | None) -> dict[str, Any]:
    return {**fields, "layer": "L1", "origin": rests_on} if rests_on and fields.get("layer") == "L0" else fields


def _not_in_future(entry: dict[str, Any], now: float) -> dict[str, Any]:
    return {**entry, **{name: min(entry[name], now) for name in _TIMES if name in entry}}


def comes_unasked(row: Row, value: Value, now: Value, *, mine: bool) -> bool:
    """May a file set this without the person being asked? Only numbers, and of somebody else's file only those that a
    repository could have set as well. All else permits, names, runs or says something."""
    if isinstance(row.default, bool) or not isinstance(value, (int, float)) or not isinstance(now, (int, float)):
        return False
    harmless = (row.repository == "lower" and value <= now) or (row.repository == "raise" and value >= now)
    return mine or harmless
