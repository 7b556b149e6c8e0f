"""What compaction and truncation tell the session: events with the fields that hosts use, in their spelling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recollect.model.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recollect.context.compaction import CompactionResult
    from recollect.context.measuring import Counted
    from recollect.ports import Reply

COMPACTION_START = "session.compaction_start"
COMPACTION_COMPLETE = "session.compaction_complete"
TRUNCATION = "session.truncation"
USAGE_INFO = "session.usage_info"
PROVIDER_COMPACTION = "session.provider_compaction"


class Event(Record):
    """Something that happened to the conversation, ready for a log."""

    type: str
    data: dict[str, Any]


if TYPE_CHECKING:
    Emit = Callable[[Event], None]


def nobody(event: Event) -> None:
    """Hears events and does nothing."""


def compaction_start(count: Counted, *, trigger: str) -> Event:
    """A compaction begins on a request of this size."""
    return Event(COMPACTION_START, {**_breakdown(count), "trigger": trigger})


def compaction_complete(
    result: CompactionResult, *, trigger: str, status: str = "", calls: Sequence[Reply] = (), seconds: float = 0.0
) -> Event:
    """A compaction ended. What it holds is enough to apply it again to the same messages; `calls` are the model's."""
    data: dict[str, Any] = {
        "success": result.compacted and not status,
        "status": status or result.status,
        "trigger": trigger,
        "preCompactionTokens": result.tokens_before,
        "postCompactionTokens": result.tokens_after,
        "preCompactionMessagesLength": result.messages_before,
        "postCompactionMessagesLength": result.messages_after,
        "tokensRemoved": result.tokens_removed,
        "messagesRemoved": result.messages_removed,
    }
    if result.compacted and not status:
        data |= {
            "summaryContent": result.summary,
            "boundary": result.boundary,
            "keptIndexes": list(result.kept),
            "candidates": list(result.candidates),
        }
    if not data["success"] or result.model_error:
        data["error"] = {"message": status or result.why}
    if seconds:
        data["durationMs"] = round(seconds * 1000)
    return Event(COMPACTION_COMPLETE, {**data, **spent_on(calls)})


def spent_on(calls: Sequence[Reply]) -> dict[str, Any]:
    """What a compaction's calls of a model cost, together and each."""
    if not calls:
        return {}
    each: list[dict[str, Any]] = [
        {
            "inputTokens": one.usage.input_tokens,
            "outputTokens": one.usage.output_tokens,
            "cachedTokens": one.usage.cached_tokens,
            "costUsd": one.usage.cost_usd,
            "requestId": one.request_id,
            "model": one.model,
        }
        for one in calls
    ]
    costs = [one["costUsd"] for one in each if one["costUsd"] is not None]
    total = {name: sum(one[name] for one in each) for name in ("inputTokens", "outputTokens", "cachedTokens")}
    last = {"requestId": calls[-1].request_id, "model": calls[-1].model}
    used = {**total, "costUsd": sum(costs) if costs else None}
    return {"compactionTokensUsed": used, "compactionCalls": each, **last}


def usage_info(count: Counted, *, limit_tokens: int, messages: int, initial: bool) -> Event:
    """How full the window is."""
    return Event(
        USAGE_INFO,
        {
            "tokenLimit": limit_tokens,
            "currentTokens": count.total,
            "messagesLength": messages,
            **_breakdown(count),
            "isInitial": initial,
        },
    )


def truncation(*, limit_tokens: int, before: Counted, after: Counted, messages: tuple[int, int], clipped: int) -> Event:
    """A request was cut; the log was not."""
    return Event(
        TRUNCATION,
        {
            "tokenLimit": limit_tokens,
            "preTruncationTokensInMessages": before.total - before.tools,
            "postTruncationTokensInMessages": after.total - after.tools,
            "preTruncationMessagesLength": messages[0],
            "postTruncationMessagesLength": messages[1],
            "tokensRemovedDuringTruncation": before.total - after.total,
            "messagesRemovedDuringTruncation": messages[0] - messages[1],
            "resultsClipped": clipped,
            "performedBy": "BasicTruncator",
        },
    )


def _breakdown(count: Counted) -> dict[str, int]:
    return {
        "systemTokens": count.system,
        "conversationTokens": count.conversation,
        "toolDefinitionsTokens": count.tools,
    }
