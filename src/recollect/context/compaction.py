"""Compaction: the older part of a conversation gives way to a summary that a continuing agent can work from.

`compact` reads top to bottom: mend, measure, find what matters, choose the boundary, summarise, replace, compare.
It keeps the laws of this room: pairs stay whole, system messages and the last request stay word for word, the result
is never larger, and a second compaction straight away does nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recollect.context import rules_summary
from recollect.context.drafting import Drafter, Material, gather
from recollect.context.notes import RULES, USEFUL
from recollect.context.pairs import mend
from recollect.context.replacement import Earlier, Extras, read, unfold
from recollect.context.requests import is_system
from recollect.context.told import without_secrets
from recollect.errors import ProviderError, ReplyEmpty
from recollect.model.record import Record
from recollect.text.secrets.redacting import redact

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recollect.context.drafting import SummaryDraft
    from recollect.context.measuring import Counting
    from recollect.model.messages import Message

    Source = str | Callable[[], str] | None

COMPACTED, UNCHANGED, FAILED = "compacted", "unchanged", "failed"
GOAL_SHARE = 0.25  # of the window, what is left after a compaction
LEAST_NEW_SHARE = 0.10  # what must be new since the last compaction
PROSE_SHARE = 0.40  # of what can be divided, for a model's summary


class SummaryRequest(Record):
    """What a summariser is given. It answers with Markdown, or raises ProviderError."""

    messages: tuple[Message, ...]
    earlier: str  # the summary of an earlier compaction
    system: str  # what the agent is told, passed apart
    instructions: str  # what the user or a hook asked to keep
    limit_tokens: int
    cancelled: Callable[[], bool] = bool  # asked while the model works; `bool()` is False


class CompactionResult(Record):
    """What came of it. `messages` is the input, mended, unless the status is compacted."""

    status: str
    why: str
    messages: tuple[Message, ...]
    summary: str = ""
    tokens_before: int = 0
    tokens_after: int = 0
    messages_before: int = 0
    messages_after: int = 0
    boundary: int = 0  # in the input without an earlier summary, as `replay_compaction` counts
    kept: tuple[int, ...] = ()
    candidates: tuple[str, ...] = ()  # sentences of the user that rule something: facts for whoever collects them
    model_error: str = ""  # why rules wrote the summary although a model was asked

    @property
    def compacted(self) -> bool:
        """Whether the messages were replaced."""
        return self.status == COMPACTED

    @property
    def tokens_removed(self) -> int:
        """How much smaller the request became."""
        return self.tokens_before - self.tokens_after

    @property
    def messages_removed(self) -> int:
        """How many messages fewer there are."""
        return self.messages_before - self.messages_after


def compact(
    messages: Sequence[Message],
    *,
    counter: Counting,
    window: int,
    tools: Sequence[Any] = (),
    target_tokens: int = 0,
    instructions: str = "",
    pinned: Sequence[str] = (),
    plan: Source = None,
    todos: Source = None,
    skills: Sequence[tuple[str, str]] = (),
    agent_summary: str = "",
    summarise: Callable[[SummaryRequest], str] | None = None,
    fallback: bool | None = None,
    cancelled: Callable[[], bool] = bool,
) -> CompactionResult:
    """Replace what is old by a summary. `target_tokens` is what should be left; a quarter of the window unless given.

    Plan and todos may be functions: they are read now, not remembered. When a summariser fails, rules write the
    summary, and it is told; when it answers with nothing, the compaction fails and nothing changes. `fallback` says
    otherwise: rules in both cases, or in none.
    """
    rest, summary = unfold(messages)
    rest = mend(rest)
    before = counter.count(messages, tools).total
    earlier = read(without_secrets(summary)) if summary is not None else Earlier()
    extras = _extras(pinned, _text(plan), _text(todos), skills, agent_summary)
    goal = target_tokens or int(window * GOAL_SHARE)
    instructions = redact(instructions)
    material = gather(rest, earlier, extras, counter, goal_tokens=goal, tokens_before=before, instructions=instructions)
    why = _nothing_to_do(material)
    if why:
        return _unchanged(messages, summary, before, UNCHANGED, why)
    asked = _Asked(summarise, instructions, cancelled)
    try:
        draft, model_error = _draft(Drafter(material, counter, tools), asked, fallback)
    except ProviderError as problem:
        return _unchanged(messages, summary, before, FAILED, f"the summary failed: {problem}")
    if draft is None:
        return _unchanged(messages, summary, before, UNCHANGED, "everything is recent or has to stay")
    if draft.tokens >= before and before <= goal and extras == Extras():
        return _unchanged(messages, summary, before, UNCHANGED, "the conversation is too short to compact")
    if draft.tokens >= before:
        return _unchanged(messages, summary, before, FAILED, "the replacement would be larger than the conversation")
    return CompactionResult(
        status=COMPACTED,
        why=model_error and f"by rules, because the model failed: {model_error}",
        messages=tuple(draft.messages),
        summary=draft.summary,
        tokens_before=before,
        tokens_after=draft.tokens,
        messages_before=len(messages),
        messages_after=len(draft.messages),
        boundary=draft.boundary,
        kept=draft.kept,
        candidates=_candidates(material, draft.boundary),
        model_error=model_error,
    )


def _text(source: Source) -> str:
    return (source() if callable(source) else source or "").strip()


def _extras(
    pinned: Sequence[str], plan: str, todos: str, skills: Sequence[tuple[str, str]], agent_summary: str
) -> Extras:
    told = tuple((redact(name), redact(body)) for name, body in skills)
    return Extras(tuple(map(redact, pinned)), redact(plan), redact(todos), told, redact(agent_summary))


def _nothing_to_do(material: Material) -> str:
    """Why a compaction would be a waste, if it would."""
    fixed = {*material.heads, *material.requests}
    if all(at in fixed for at in range(len(material.rest))):
        return "there is nothing to compact"
    if not material.earlier.goal_tokens or material.goal_tokens < material.earlier.goal_tokens:
        return ""
    behind = sum(size for at, size in enumerate(material.sizes) if at not in material.heads)
    if behind - material.earlier.after_tokens < LEAST_NEW_SHARE * material.tokens_before:
        return "hardly anything is new since the last compaction"
    return ""


class _Asked(Record):
    summarise: Callable[[SummaryRequest], str] | None
    instructions: str
    cancelled: Callable[[], bool]


def _draft(drafter: Drafter, asked: _Asked, fallback: bool | None) -> tuple[SummaryDraft | None, str]:
    """The replacement, and why a model that was asked did not write its summary."""
    if asked.summarise is None:
        return drafter.fitted(drafter.material.earlier.prose), ""
    limit = int(drafter.flexible_tokens * PROSE_SHARE)
    boundary = drafter.boundary(drafter.flexible_tokens - limit)
    try:
        return drafter.fitted(_summary(asked, _request(drafter.material, boundary, asked, limit))), ""
    except ProviderError as problem:
        if fallback is False or (fallback is None and isinstance(problem, ReplyEmpty)):
            raise
        return drafter.fitted(drafter.material.earlier.prose), redact(str(problem))


def _summary(asked: _Asked, request: SummaryRequest) -> str:
    """What the summariser says, without secrets. Whatever it raises is a ProviderError from here on."""
    assert asked.summarise is not None
    try:
        summary = asked.summarise(request)
    except ProviderError:
        raise
    except Exception as problem:
        raise ProviderError(f"{type(problem).__name__}: {problem}") from problem
    if not isinstance(summary, str) or not summary.strip():
        raise ReplyEmpty("The summary is empty.")
    return redact(summary)


def _request(material: Material, boundary: int, asked: _Asked, limit_tokens: int) -> SummaryRequest:
    old = tuple(message for message in material.told[:boundary] if not is_system(message))
    earlier = "\n\n".join(filter(None, (material.earlier.prose, rules_summary.render(material.earlier.notes))))
    system = "\n\n".join(message.text for message in material.told if is_system(message))
    return SummaryRequest(old, earlier, system, asked.instructions, limit_tokens, asked.cancelled)


def _candidates(material: Material, boundary: int) -> tuple[str, ...]:
    found = (note for note in material.notes if note.section == RULES and note.tier < USEFUL)
    return tuple(dict.fromkeys(note.text for note in found if 0 <= note.position < boundary))


def _unchanged(
    messages: Sequence[Message], summary: Message | None, before: int, status: str, why: str
) -> CompactionResult:
    mended = tuple(mend(messages))
    return CompactionResult(
        status, redact(why), mended, redact(summary.text) if summary else "", before, before, len(messages), len(mended)
    )
