"""memory_recall: what a turn with this text would get, page by page."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from recollect.doors.mcp.answers import NOTICE, Answered, cursor, harmless, opened_cursor
from recollect.doors.shapes import recall_json
from recollect.errors import UsageError
from recollect.flows.turns.answer_question import turn_block
from recollect.text.rendering import as_reference

if TYPE_CHECKING:
    from recollect.app import Recollect
    from recollect.doors.mcp.arguments import Arguments
    from recollect.doors.mcp.callers import Caller
    from recollect.model.receipts import Recall

MOST_GIVEN = 200  # ids that a cursor carries: who has read so many asks for something else


def answer_recall(arguments: Arguments, memory: Recollect, caller: Caller) -> Answered:
    """Search, and keep a receipt of what was given."""
    query = arguments.text("query")
    if not query.strip():
        raise UsageError("memory_recall needs a query that says what you want to know.")
    since, layers, tags = arguments.text("since"), arguments.texts("layers"), arguments.texts("tags")
    asked = hashlib.sha256(repr((query, since, layers, tags)).encode()).hexdigest()[:12]
    given = _given(arguments.text("cursor"), asked)
    answer = memory.recall(
        query,
        k=arguments.number("k"),
        tokens=arguments.number("tokens"),
        layers=layers,
        since=since or 0.0,
        tags=tags,
        without=given,
        host=caller.host,
    )
    found, receipt_id = answer.found, answer.receipt
    data = {"notice": NOTICE, **recall_json(found, receipt_id)}
    for shown, one in zip(data["entries"], found.entries, strict=True):
        shown["content"] = as_reference(one.entry)
        shown["origin"] = one.entry.origin
    following = _next(found, given, asked)
    if following:
        data["next_cursor"] = following
    return Answered(_text(found, receipt_id, more=bool(following)), harmless(data))


def _text(found: Recall, receipt_id: str, *, more: bool) -> str:
    """What the model reads: the same block that a turn gets."""
    block = turn_block(found, receipt_id)
    if not block:
        return "Nothing in memory answers that."
    return block + ("\nThere is more; call again with cursor = next_cursor." if more else "")


def _given(text: str, asked: str) -> list[str]:
    """The ids that earlier pages gave."""
    held = opened_cursor(text)
    if not held:
        return []
    given = held.get("given")
    if held.get("asked") != asked or not isinstance(given, list) or not all(isinstance(one, str) for one in given):
        raise UsageError("That cursor belongs to another question; start again without one.")
    return given[:MOST_GIVEN]


def _next(found: Recall, given: list[str], asked: str) -> str:
    """Where to go on when something was left out for want of room; empty when there is nothing more."""
    if not found.entries or not any(out.by_limit for out in found.left_out):
        return ""
    # What repeats or is contradicted by something on this page must not come on the next.
    settled = [out.entry_id for out in found.left_out if not out.by_limit]
    seen = [*given, *(one.entry.entry_id for one in found.entries), *settled]
    return cursor(asked=asked, given=seen) if len(seen) <= MOST_GIVEN else ""
