"""What a session's log says of a compaction: its figures, its title, what it cost, and which messages it was of."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from recollect.context.requests import last_requests, typed
from recollect.sessions import checkpoints as checkpoint_files
from recollect.sessions.encodings import message_json, redacted
from recollect.text.secrets import redact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.context.compaction import CompactionResult
    from recollect.model.messages import Json, Message
    from recollect.ports import Reply


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


def spent_on(reply: Reply | None, seconds: float) -> Json:
    """What a model's summary cost."""
    spent: Json = {"durationMs": round(seconds * 1000)} if seconds else {}
    if reply is not None:
        spent["requestId"] = reply.request_id
        spent["model"] = reply.model
        spent["compactionTokensUsed"] = {"input": reply.input_tokens, "output": reply.output_tokens}
    return spent
