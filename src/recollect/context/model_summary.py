"""A summary by a model: asked in pieces that fit its window, checked before it is believed."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from recollect.context.events import spent_on
from recollect.context.measuring import clip_middle
from recollect.errors import ReplyEmpty, ReplyInvalid, RequestCancelled
from recollect.model.messages import Media, Message, Other, Text, ToolCall, ToolResult
from recollect.ports import Prompt
from recollect.prompts import render
from recollect.text.replies import bare
from recollect.text.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recollect.context.compaction import SummaryRequest
    from recollect.ports import Provider, Reply

HEADERS = {"X-Interaction-Type": "conversation-compaction"}
HEADINGS = ("Goal", "Rules and decisions", "Done", "Open", "Errors", "Facts")
LEAST_HEADINGS = 4
PIECE_SHARE = 0.5  # of the model's window, for the transcript of one piece
SYSTEM_SHARE = 0.1
RESULT_TOKENS = 800  # of one tool result that the summariser is shown
CALL_TOKENS = 400
MOST_PIECES = 12
LENIENCY = 1.3  # how far beyond its limit a summary may be


class ModelSummariser:
    """Asks a provider for the summary. Raises ProviderError; what does not validate is never used."""

    def __init__(self, provider: Provider, *, role: str = "smol") -> None:
        self.provider = provider
        self.role = role
        self.replies: list[Reply] = []

    def __call__(self, request: SummaryRequest) -> str:
        """The summary of these messages, updated piece by piece."""
        pieces = self._pieces(request.messages)
        earlier = request.earlier
        for number, piece in enumerate(pieces, start=1):
            if request.cancelled():
                raise RequestCancelled("The compaction was cancelled.")
            earlier = self._ask(request, earlier, piece, number, len(pieces))
        return earlier

    @property
    def usage(self) -> dict[str, Any]:
        """What the summaries cost so far, as the session's events spell it."""
        spent = spent_on(self.replies)
        none = {"inputTokens": 0, "outputTokens": 0, "cachedTokens": 0, "costUsd": None}
        return {
            **spent.get("compactionTokensUsed", none),
            "requestId": spent.get("requestId", ""),
            "model": spent.get("model", ""),
        }

    def _ask(self, request: SummaryRequest, earlier: str, piece: str, number: int, total: int) -> str:
        asked = render(
            "compact",
            limit_tokens=str(request.limit_tokens),
            instructions=f"\nThe user asks in addition: {request.instructions}" if request.instructions else "",
            earlier=f"\nThe summary so far:\n\n<summary>\n{earlier}\n</summary>" if earlier else "",
        )
        transcript = render("compact_piece", number=str(number), total=str(total), transcript=piece)
        system = clip_middle(request.system, int(self.provider.window_tokens * SYSTEM_SHARE))
        reply = self.provider.complete(
            Prompt(
                role=self.role,
                system=render("compact_system", system=system or "nothing"),
                messages=(Message("user", (Text(f"{asked}\n\n{transcript}"),)),),
                headers=HEADERS,
                max_output_tokens=max(256, int(request.limit_tokens * LENIENCY)),
                cancelled=request.cancelled,
            )
        )
        self.replies.append(reply)
        return validated(reply.text, limit_tokens=request.limit_tokens, source_tokens=estimate_tokens(piece + earlier))

    def _pieces(self, messages: Sequence[Message]) -> list[str]:
        """The transcript in pieces that each fit the summariser's window; when there are too many, less of each."""
        room = max(500, int(self.provider.window_tokens * PIECE_SHARE))
        for result_tokens in (RESULT_TOKENS, RESULT_TOKENS // 4, 40):
            pieces = _packed([transcript_of(message, result_tokens) for message in messages], room)
            if len(pieces) <= MOST_PIECES:
                return pieces
        head = pieces[: MOST_PIECES // 2]
        return [*head, "[... left out: the summariser is given the beginning and the end ...]", *pieces[-len(head) :]]


def validated(text: str, *, limit_tokens: int, source_tokens: int) -> str:
    """The summary, cleaned; ReplyInvalid when it is empty, too large or lacks its sections."""
    text = bare(text)
    if not text:
        raise ReplyEmpty("The summary is empty.")
    tokens = estimate_tokens(text)
    if tokens > limit_tokens * LENIENCY:
        raise ReplyInvalid(f"The summary is too long: {tokens} tokens where {limit_tokens} were asked for.")
    if tokens >= max(source_tokens, 200):
        raise ReplyInvalid("The summary is not smaller than what it summarises.")
    found = sum(bool(re.search(rf"^#+ *{heading}\b", text, re.M | re.I)) for heading in HEADINGS)
    if found < LEAST_HEADINGS:
        raise ReplyInvalid(f"The summary has {found} of its {len(HEADINGS)} sections.")
    return text


def transcript_of(message: Message, result_tokens: int = RESULT_TOKENS) -> str:
    """A message as the summariser reads it."""
    lines = [line for part in message.parts for line in _lines(part, result_tokens)]
    return f"[{message.role}] " + "\n".join(lines) if lines else ""


def _lines(part: Any, result_tokens: int) -> Iterator[str]:
    match part:
        case Text(text=text) if text.strip():
            yield clip_middle(text, max(4 * result_tokens, 400))
        case ToolCall(name=name, arguments=arguments):
            yield f"calls {name} {clip_middle(arguments, CALL_TOKENS)}"
        case ToolResult(parts=parts, is_error=is_error):
            inner = "\n".join(one.text for one in parts if isinstance(one, Text))
            yield f"{'failed' if is_error else 'result'}: {clip_middle(inner, result_tokens)}"
        case Media(kind=kind):
            yield f"({kind})"
        case Other(value=value):
            yield clip_middle(json.dumps(value, ensure_ascii=False, default=str), 100)


def _packed(texts: Sequence[str], room_tokens: int) -> list[str]:
    pieces: list[list[str]] = [[]]
    left = room_tokens
    for text in filter(None, texts):
        text = clip_middle(text, room_tokens)
        cost = estimate_tokens(text) + 1
        if cost > left and pieces[-1]:
            pieces.append([])
            left = room_tokens
        pieces[-1].append(text)
        left -= cost
    return ["\n\n".join(piece) for piece in pieces if piece] or [""]
