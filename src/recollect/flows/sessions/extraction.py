"""Extraction: what the answer about a finished session leaves in memory, of what was typed and of how the session went.

Rules come first and stay as they are: without a whole answer nothing changes, and `recollect doctor` says why."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from recollect.errors import ProviderError
from recollect.flows.sessions import answer, judging
from recollect.flows.sessions.answer import PURPOSE, ask_about, kept_answer
from recollect.flows.sessions.digest import Digest
from recollect.flows.sessions.keep_extracted import Extractor
from recollect.flows.sessions.question import new_messages
from recollect.flows.sessions.session_end import announce
from recollect.memory.grounding import Answer
from recollect.model.hosts import TITLES
from recollect.model.record import Record
from recollect.sessions.eligible import kept_out
from recollect.sessions.judged import Judged

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from recollect.flows.models.asking import AskedModels
    from recollect.flows.opened import Opened
    from recollect.model.sessions import Session
    from recollect.store.store import Store

INPUT_TOKENS = 8_000  # of a session, where nobody writes up its project
MOST_AT_ONCE = 3  # sessions, while somebody waits
QUIET_SECONDS = 3_600.0  # a session that was quiet for so long is over
MOST_READ = 20  # sessions at a time, when a person lets a model read the past


class Extraction(Record):
    """What came of asking about a session."""

    stored: tuple[str, ...] = ()  # entry ids
    waiting: int = 0
    why: str = ""  # why nothing was asked or used


def extract(
    session: Session,
    memory: Opened,
    models: AskedModels,
    *,
    role: str = "default",
    require_ours: Callable[[], None] = lambda: None,
) -> Extraction:
    """Keep what the answer about a session is good for, of what is new in it. Never raises ProviderError."""
    store = memory.store
    if not models.is_on(role):
        return Extraction(why="no model is asked")
    if why := kept_out(session, memory.settings.exclude):
        return Extraction(why=why)
    turns = store.sessions.turns(session.session_id)
    new = {turn.number: turn for turn in new_messages(session, turns, store)}
    if not new:
        return Extraction(why="nothing new was typed")
    limit = _limit_tokens(memory)
    try:
        answered = kept_answer(session, turns, store) or ask_about(
            session, turns, store, models, role=role, limit_tokens=limit, require_ours=require_ours
        )
    except ProviderError as error:
        return Extraction(why=str(error))
    require_ours()
    passed = models.ledger.has_passed(answered.made_by)
    extractor = Extractor(session, memory, passed=passed, client=f"model {answered.made_by}")
    before = {turn.number: earlier.assistant for earlier, turn in pairwise(turns)}
    known = store.entries.by_ids(answered.entries)
    shown = {number: known[name].entry for number, name in enumerate(answered.entries, start=1) if name in known}
    for one in answers_of(answered.said):
        if one.turn in new:
            extractor.keep(one, new[one.turn], before.get(one.turn, ""), shown.get(one.replaces))
    found = judging.judged(answered.said, {turn.number: turn for turn in turns}) if passed else Judged()
    judging.keep_judged(session, found, memory, until=max(new))
    return Extraction(tuple(extractor.stored), extractor.waiting)


def expected_tokens(session: Session, memory: Opened, models: AskedModels) -> int:
    """What reading a session will cost, about; 0 when there is nothing to ask."""
    turns = memory.store.sessions.turns(session.session_id)
    if kept_out(session, memory.settings.exclude) or not new_messages(session, turns, memory.store):
        return 0
    return answer.expected_tokens(session, turns, memory.store, models, limit_tokens=_limit_tokens(memory))


def read(
    sessions: Sequence[Session],
    memory: Opened,
    models: AskedModels,
    *,
    role: str = "default",
    progress: Callable[[str, int, int], None] = lambda *_: None,
    require_ours: Callable[[], None] = lambda: None,
) -> list[Extraction]:
    """Let the model of a role read them, one question each, as one pass. The first failure ends it."""
    expected = sum(expected_tokens(session, memory, models) for session in sessions)
    begun = models.begin(PURPOSE, expected_tokens=expected, role=role)
    done: list[Extraction] = []
    for number, session in enumerate(sessions, 1):
        done.append(extract(session, memory, begun, role=role, require_ours=require_ours))
        progress(session.title or TITLES.get(session.host, session.host), number, len(sessions))
        if done[-1].why:
            break
    return done


def read_here(memory: Opened, models: AskedModels) -> None:
    """Let a model read the last sessions of this repository that none was asked about."""
    here, exclude = memory.repository.repository, memory.settings.exclude
    found = unread(memory.store, limit=MOST_AT_ONCE, until=memory.now - QUIET_SECONDS, repository=here, exclude=exclude)
    for session, done in zip(found, read(found, memory, models), strict=False):
        announce(session, Digest(stored=done.stored), store=memory.store, now=memory.now)


def unread(
    store: Store,
    *,
    limit: int,
    since: float = 0.0,
    until: float = 0.0,
    repository: str | None = None,
    exclude: Sequence[str] = (),
) -> list[Session]:
    """The newest sessions, here or everywhere, in which a person typed what a model may be asked about and was not;
    oldest first."""
    found: list[Session] = []
    for session, _ in store.sessions.listed(repository=repository, since=since):
        if len(found) == limit:
            break
        if kept_out(session, exclude) or (until and session.ended > until):
            continue
        if store.sessions.judged(session.session_id)[0]:
            continue
        if new_messages(session, store.sessions.turns(session.session_id), store):
            found.append(session)
    return found[::-1]


def answers_of(said: Any) -> list[Answer]:
    """What a model said of each message."""
    return [
        Answer(
            one["message"],
            one["kind"],
            one["quote"],
            " ".join(one["statement"].split()),
            one["scope"],
            one["replaces"],
            one["confidence"],
        )
        for one in said["answers"]
    ]


def _limit_tokens(memory: Opened) -> int:
    """How much of a session is shown: less where nobody writes up its project."""
    settings = memory.settings.memories
    return settings.max_input_tokens if settings.enabled else min(INPUT_TOKENS, settings.max_input_tokens)
