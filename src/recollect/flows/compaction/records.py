"""What a session's log says of a compaction: its figures, its title, what it cost, and which messages it was of."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from recollect.context.requests import last_requests, typed
from recollect.files.process_marks import is_gone, this_process
from recollect.sessions import checkpoints as checkpoint_files
from recollect.sessions import events
from recollect.sessions.encodings import message_json, redacted
from recollect.text.secrets.redacting import redact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.context.compaction import CompactionResult
    from recollect.model.messages import Json, Message
    from recollect.ports import Reply
    from recollect.sessions.events import Event, NewEvent

LONGEST_SECONDS = 3600.0
ENDED = "the process that began it ended before it was done"


def measured(result: CompactionResult) -> Json:
    """The figures of a compaction."""
    return {
        "preCompactionTokens": result.tokens_before,
        "postCompactionTokens": result.tokens_after,
        "tokensRemoved": result.tokens_removed,
        "summaryContent": result.summary if result.compacted else "",
        "boundary": result.boundary,
        "keptIndexes": list(result.kept),
        "note": result.why if result.compacted else "",
    }


def is_written_as(message: Message, kept: Message) -> bool:
    """Is `kept` what the log made of the message?"""
    if message is kept:
        return True
    written = redacted(message_json(message))
    return json.dumps(written, sort_keys=True) == json.dumps(message_json(kept), sort_keys=True)


def title_of(summary: str, messages: Sequence[Message]) -> str:
    """The name of its checkpoint."""
    asked = last_requests(messages)
    return redact(checkpoint_files.title_of(summary, otherwise=typed(messages[asked[-1]].text) if asked else ""))


class Unfinished:
    """The compaction that a log says has begun and not yet that it ended."""

    def __init__(self) -> None:
        self._begun: Event | None = None

    def hear(self, event: Event) -> None:
        """Follow the log."""
        if event.kind == events.COMPACTION_START:
            self._begun = event
        elif event.kind == events.COMPACTION_COMPLETE:
            self._begun = None

    def given_up(self, now: float) -> NewEvent | None:
        """Its end, when nobody is left to write one: its process is gone, or it has been silent for LONGEST_SECONDS."""
        begun = self._begun
        if begun is None:
            return None
        process = begun.data.get("process")
        if now - begun.at < LONGEST_SECONDS and not (isinstance(process, str) and is_gone(process)):
            return None
        return events.compaction_failed(ENDED, {"trigger": begun.data.get("trigger", "")})


def begun_here(data: Json) -> Json:
    """What a compaction's beginning says, with the process that is at it."""
    return {**data, "process": this_process()}


def spent_on(reply: Reply | None, seconds: float) -> Json:
    """What a model's summary cost."""
    spent: Json = {"durationMs": round(seconds * 1000)} if seconds else {}
    if reply is not None:
        spent["requestId"] = reply.request_id
        spent["model"] = reply.model
        usage = reply.usage
        cached = {"cached": usage.cached_tokens} if usage.cached_tokens else {}
        spent["compactionTokensUsed"] = {"input": usage.input_tokens, "output": usage.output_tokens, **cached}
        if usage.cost_usd is not None:
            spent["compactionCostUsd"] = usage.cost_usd
    return spent
