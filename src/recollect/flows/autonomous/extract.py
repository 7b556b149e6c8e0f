"""Extract: what one session leaves for the memory of its project; by a model where there is one, else by rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.autonomous.blocks import ID
from recollect.autonomous.dates import absolute
from recollect.autonomous.raw import RawMemory, from_reply, slug_of, to_text
from recollect.errors import ProviderError
from recollect.flows.autonomous.raw_by_rules import raw_by_rules
from recollect.flows.sessions import answer
from recollect.flows.sessions.question import items
from recollect.flows.writes.find_typed import is_typed
from recollect.model.record import Record
from recollect.sessions.eligible import kept_out
from recollect.store.extractions import Extraction
from recollect.text.fences import strip_fences
from recollect.text.secrets.redacting import redact, redact_value

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recollect.flows.opened import Opened
    from recollect.flows.sessions.answer import Answered
    from recollect.model.sessions import Session, Turn
    from recollect.store.store import Store

ROLE = "default"


class Extracted(Record):
    """What came of a session."""

    lines: int = 0
    tasks: int = 0
    made_by: str = "rules"
    was_cleared: bool = False  # a person cleared it; it stays so until a person asks for it

    @property
    def has_output(self) -> bool:
        """Was anything worth keeping?"""
        return bool(self.lines or self.tasks)


def extract(
    session: Session, memory: Opened, *, by_rules: bool = False, require_ours: Callable[[], None] = lambda: None
) -> Extracted:
    """Read one session and keep what it leaves, or that it leaves nothing. As often as one likes; nothing comes of one
    that a person cleared, also when that happens meanwhile.

    ProviderError when the model fails, and rules may not take its place: then what was there before stays."""
    store = memory.store
    if session.session_id in store.extractions.cleared():
        return Extracted(was_cleared=True)
    turns = store.sessions.turns(session.session_id)
    if kept_out(session, memory.settings.exclude):
        made = RawMemory(session.session_id, session.repository)
    else:
        answered = None if by_rules else _answer(session, turns, memory, require_ours)
        made = raw_by_model(session, turns, answered) if answered else raw_by_rules(session, turns)
    made = cleaned(made)
    with store.write():
        require_ours()
        if session.session_id in store.extractions.cleared():
            return Extracted(was_cleared=True)
        note_citations(session, turns, store, now=memory.now)
        keep(made, store, now=memory.now)
    return Extracted(len(made.lines), len(made.tasks), made.made_by)


def expected_tokens(session: Session, memory: Opened) -> int:
    """What a model will take for this session, about; 0 when none has to be asked."""
    turns = memory.store.sessions.turns(session.session_id)
    if not turns or not memory.models.is_there(ROLE) or kept_out(session, memory.settings.exclude):
        return 0
    limit = memory.settings.memories.max_input_tokens
    return answer.expected_tokens(session, turns, memory.store, memory.models, limit_tokens=limit)


def _answer(
    session: Session, turns: Sequence[Turn], memory: Opened, require_ours: Callable[[], None]
) -> Answered | None:
    """The answer about this session, kept or asked for; None where rules take its place."""
    kept = answer.kept_answer(session, turns, memory.store)
    if kept or not turns or not memory.models.is_there(ROLE):
        return kept
    limit = memory.settings.memories.max_input_tokens
    begun = memory.models.begin(answer.PURPOSE, expected_tokens=expected_tokens(session, memory), role=ROLE)
    try:
        return answer.ask_about(
            session, turns, memory.store, begun, role=ROLE, limit_tokens=limit, require_ours=require_ours
        )
    except ProviderError:
        if not memory.settings.memories.fallback:
            raise
        return None


def raw_by_model(session: Session, turns: Sequence[Turn], answered: Answered) -> RawMemory:
    """What holds of a model's answer; what nobody said is left out."""
    said = answered.said
    lines, tasks = from_reply(
        said,
        turns={one.number: one.at for one in turns},
        said="\n".join(item["text"] for turn in turns for item in items(turn)),
        typed={one.number: redact(strip_fences(one.user)) for one in turns if is_typed(session, one)},
    )
    synopsis = " ".join(f"{said['summary']['text']} {said['outcome']['text']}".split())
    return RawMemory(
        session.session_id,
        session.repository,
        synopsis,
        slug_of(said["rollout_slug"]) or slug_of(session.title),
        tuple(one._replace(text=absolute(one.text, one.at)) for one in lines),
        tuple(tasks),
        session.ended or session.started,
        answered.made_by,
    )


def cleaned(made: RawMemory) -> RawMemory:
    """Redacted once more, whoever wrote it."""
    lines = tuple(one._replace(text=_redacted(one.text)) for one in made.lines)
    tasks = tuple(
        one._replace(title=_redacted(one.title), says=_redacted(one.says), left=_redacted(one.left))
        for one in made.tasks
    )
    return made._replace(lines=lines, tasks=tasks, synopsis=_redacted(made.synopsis))


def _redacted(text: str) -> str:
    return str(redact_value(text))


def keep(made: RawMemory, store: Store, *, now: float) -> None:
    """Store what a session leaves; of one that leaves nothing any more, what it left before goes. Needs a write()."""
    if made.is_empty:
        store.extractions.remove(made.session_id)
        return
    store.extractions.save(
        Extraction(
            made.session_id, made.repository, made.synopsis, made.slug, to_text(made), made.at, made.made_by, now
        )
    )


def note_citations(session: Session, turns: Sequence[Turn], store: Store, *, now: float) -> None:
    """Count the blocks that an agent cited in its answers since the last time. Needs a write()."""
    known = store.extractions.get(session.session_id)
    fresh = [turn for turn in turns if known is None or turn.ended > known.ended]
    cited = {name for turn in fresh for name in ID.findall(turn.assistant)}
    for name in sorted(cited):
        store.extractions.note_use(session.repository, name, now=now)
