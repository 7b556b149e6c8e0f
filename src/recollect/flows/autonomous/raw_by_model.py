"""Phase 1 with a model: the whole session, piece by piece where it is longer than the window, strictly checked."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from recollect.autonomous import raw
from recollect.autonomous.dates import absolute
from recollect.autonomous.raw import SCHEMA, RawMemory, from_reply, slug_of
from recollect.context.fitting import fit
from recollect.flows.writes.find_typed import is_typed
from recollect.model.messages import Message, Text
from recollect.prompts import render
from recollect.text.fences import strip_fences
from recollect.text.secrets.redacting import redact
from recollect.text.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from recollect.flows.models.asking import AskedModels
    from recollect.model.sessions import Session, Turn

PURPOSE = "extraction of raw memory"
ROLE = "default"
OUTPUT_TOKENS = 4_096
LONGEST_OUTPUT = 1_500  # characters of what a tool printed: its beginning and its end
_NEVER = 10.0  # share of a window: one turn is cut where it is too long, not summarised


def raw_by_model(
    session: Session,
    turns: Sequence[Turn],
    models: AskedModels,
    *,
    input_tokens: int,
    require_ours: Callable[[], None] = lambda: None,
) -> RawMemory:
    """What a model finds in a session. ProviderError when one of its answers does not hold; then nothing is kept."""
    synopses, lines, tasks = [], [], []
    slug = ""
    times = {one.number: one.at for one in turns}
    typed = {one.number: redact(strip_fences(one.user)) for one in turns if is_typed(session, one)}
    system = render("memories/stage_one_system")
    for piece in pieces(turns, limit_tokens=input_tokens):
        said = json.dumps(piece, ensure_ascii=False)
        prompt = render("memories/stage_one_input", thread_id=session.session_id, response_items_json=said)
        reply = models.ask(prompt, SCHEMA, ROLE, system=system, max_output_tokens=OUTPUT_TOKENS)
        require_ours()
        found_lines, found_tasks = from_reply(reply.value, turns=times, said=said, typed=typed)
        lines += [one._replace(text=absolute(one.text, one.at)) for one in found_lines]
        tasks += found_tasks
        synopses.append(" ".join(reply.value["rollout_summary"].split()))
        slug = slug or slug_of(reply.value["rollout_slug"])
    return RawMemory(
        session.session_id,
        session.repository,
        " ".join(filter(None, synopses))[: raw.LONGEST_SYNOPSIS],
        slug or slug_of(session.title),
        tuple(lines[: raw.MOST_LINES]),
        tuple(tasks[: raw.MOST_TASKS]),
        session.ended or session.started,
        str(models.spec(ROLE)),
    )


def expected_tokens(turns: Sequence[Turn], models: AskedModels, *, input_tokens: int) -> int:
    """What asking about a session will take, about."""
    system = render("memories/stage_one_system")
    return sum(
        models.expected_tokens(json.dumps(piece, ensure_ascii=False), SCHEMA, system=system, answer=OUTPUT_TOKENS // 4)
        for piece in pieces(turns, limit_tokens=input_tokens)
    )


def pieces(turns: Sequence[Turn], *, limit_tokens: int) -> Iterator[list[dict[str, object]]]:
    """The whole session in pieces of whole turns that fit: nothing in its middle goes unseen."""
    piece: list[dict[str, object]] = []
    spent = 0
    for turn in turns:
        items = list(_items(turn, limit_tokens))
        cost = estimate_tokens(json.dumps(items, ensure_ascii=False))
        if piece and spent + cost > limit_tokens:
            yield piece
            piece, spent = [], 0
        piece += items
        spent += cost
    if piece:
        yield piece


def _items(turn: Turn, limit_tokens: int) -> Iterator[dict[str, object]]:
    """A turn without scaffolding: our own fences, and all but the ends of what tools printed; redacted."""
    for role, text in (("user", turn.user), ("assistant", turn.assistant)):
        kept = _fitted(strip_fences(text).strip(), limit_tokens // 3)
        if kept:
            yield {"turn": turn.number, "role": role, "text": redact(kept)}
        if role == "user":
            for tool in turn.tools:
                ended = {True: "passed", False: "failed", None: "ended"}[tool.ok]
                what = redact(f"{tool.target[:LONGEST_OUTPUT]}\n{_ends(tool.output)}".strip())
                yield {"turn": turn.number, "role": "tool", "name": tool.name, "outcome": ended, "text": what}


def _ends(output: str) -> str:
    if len(output) <= LONGEST_OUTPUT:
        return output
    half = LONGEST_OUTPUT // 2
    return f"{output[:half]}\n…\n{output[-half:]}"


def _fitted(text: str, limit_tokens: int) -> str:
    """A message that is too long for a window of its own, cut as Context cuts one."""
    if estimate_tokens(text) <= limit_tokens:
        return text
    fitted = fit([Message("user", (Text(text),))], window=limit_tokens, threshold=_NEVER)
    return fitted.messages[-1].text if fitted.fits else text[: 3 * limit_tokens]
