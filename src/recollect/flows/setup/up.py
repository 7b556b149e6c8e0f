"""Up: find the hosts, import their sessions, keep what is worth keeping, and say what is known now."""

from __future__ import annotations

from recollect.flows.turns.answer_question import answer_question
from recollect.memory.conflicts import open_conflicts
from recollect.model.entries import Entry
from recollect.model.record import Record
from recollect.model.turns import Recipient

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recollect.flows.opened import Opened
    from recollect.flows.sessions.digest import Digest
    from recollect.flows.sessions.extraction import Extraction
    from recollect.flows.sessions.past_sessions import HostFound, Imported, PastSessions, Progress
    from recollect.model.candidates import Candidate
    from recollect.model.receipts import Recall
    from recollect.model.sessions import Session
    from recollect.store.store import Store

MOST_SHOWN = 8
MOST_EXAMPLES = 3


class Example(Record):
    """A question, and what recall brings for it."""

    question: str
    answers: tuple[str, ...]


class Up(Record):
    """What `up` did, and what is known now."""

    imported: Imported
    stored: int
    archived: int
    waiting: list[Candidate]
    conflicts: list[tuple[Entry, Entry]]
    about_user: list[Entry]
    about_repositories: dict[str, list[Entry]]
    examples: list[Example]
    read: int = 0  # sessions that a model was asked about


class Reading(Record):
    """What a model would read, and about how many tokens that takes."""

    sessions: tuple[Session, ...]
    tokens: int


class BroughtIn(Record):
    """What was imported, and what rules kept of it."""

    imported: Imported
    digests: list[Digest]


def bring_in(
    past: PastSessions,
    *,
    paths: Sequence[str] = (),
    hosts: Sequence[str] = (),
    say_found: Callable[[list[HostFound]], None],
    progress: Progress,
) -> BroughtIn:
    """The main job, from nothing to a memory that is already full."""
    logs, skipped = past.logs(paths, hosts=hosts)
    say_found(past.survey(logs))
    imported = past.import_logs(logs, skipped=skipped, progress=progress)
    return BroughtIn(imported, past.digest(progress=progress))


def told(brought: BroughtIn, read: Sequence[Extraction], memory: Opened) -> Up:
    """What was done, and what is known now."""
    store, here = memory.store, memory.repository.repository
    about_user = known_about(store, "")
    about_repositories = {name: known_about(store, name) for name in _busiest(store, here)}
    return Up(
        imported=brought.imported,
        stored=sum(len(one.stored) for one in brought.digests) + sum(len(one.stored) for one in read),
        archived=sum(bool(one.archived) for one in brought.digests),
        waiting=store.candidates.waiting(),
        conflicts=open_conflicts(store),
        about_user=about_user,
        about_repositories={name: entries for name, entries in about_repositories.items() if entries},
        examples=_examples(about_user, about_repositories, memory),
        read=sum(not one.why for one in read),
    )


def to_read(memory: Opened) -> Reading:
    """What a model could read: the last sessions that none was asked about. Nobody is asked anything."""
    from recollect.flows.sessions.extraction import MOST_READ, expected_tokens, unread

    if not memory.settings.enabled:
        return Reading((), 0)
    models = memory.models
    costs = [(one, expected_tokens(one, memory, models)) for one in unread(memory.store, limit=MOST_READ)]
    return Reading(tuple(one for one, tokens in costs if tokens), sum(tokens for _, tokens in costs))


def read_sessions(reading: Reading, memory: Opened, role: str, *, progress: Progress) -> list[Extraction]:
    """Let the model of a role read them, one question each, as one pass. The first failure ends it."""
    from recollect.flows.sessions.extraction import PURPOSE, extract

    begun = memory.models.begin(PURPOSE, expected_tokens=reading.tokens, role=role)
    done: list[Extraction] = []
    for number, session in enumerate(reading.sessions, 1):
        done.append(extract(session, memory, begun, role=role))
        progress(session.title or session.session_id, number, len(reading.sessions))
        if done[-1].why:
            break
    return done


def known_about(store: Store, repository: str) -> list[Entry]:
    """The surest and newest entries of a repository, or of the user; what is contradicted is told apart."""
    older = {pair[1] for pair in store.conflicts.open()}
    found = store.entries.listed({"layer": ["L0", "L1"], "status": "active", "repository": repository})
    entries = [stored.entry for stored in found if stored.entry_id not in older]
    return sorted(entries, key=lambda entry: (-entry.confidence, -entry.created))[:MOST_SHOWN]


def _busiest(store: Store, here: str) -> list[str]:
    """This repository first, then those with most entries."""
    counted: dict[str, int] = {}
    for stored in store.entries.listed({"layer": "L1", "status": "active"}):
        if stored.entry.repository:
            counted[stored.entry.repository] = counted.get(stored.entry.repository, 0) + 1
    ranked = sorted(counted, key=lambda name: -counted[name])
    return list(dict.fromkeys([name for name in (here,) if name in counted] + ranked))[:4]


def _examples(about_user: list[Entry], about_repositories: dict[str, list[Entry]], memory: Opened) -> list[Example]:
    """Questions that a person could ask next, with what recall really brings."""
    examples: list[Example] = []
    sources = [*about_repositories.values(), about_user]
    for entries in sources:
        for entry in entries:
            question = f"What should I know about {entry.subject}?"
            if len(examples) == MOST_EXAMPLES:
                return examples
            found = _recalled(question, entry.repository, memory) if entry.subject else None
            if found and found.entries and question not in [one.question for one in examples]:
                examples.append(Example(question, tuple(one.entry.content for one in found.entries[:3])))
                if len(sources) > 1:
                    break
    return examples


def _recalled(question: str, repository: str, memory: Opened) -> Recall:
    filters, limits = memory.filters(repository), memory.limits()
    return answer_question(question, memory, Recipient("up"), filters=filters, limits=limits)[0]
