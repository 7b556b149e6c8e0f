"""Up: find the hosts, import their sessions, keep what is worth keeping, and say what is known now."""

from __future__ import annotations

from itertools import accumulate

from recollect.flows.sessions.prove import is_proven
from recollect.flows.setup.questions import answered_question
from recollect.flows.setup.told_lines import best_told, line_of
from recollect.flows.turns.recall import recall
from recollect.flows.upkeep.compare_entries import compare_by_rules
from recollect.flows.writes.waiting import approvals
from recollect.memory.conflicts import open_conflicts
from recollect.memory.rank import CORRECTION_TAG
from recollect.model.entries import Entry
from recollect.model.record import Record
from recollect.sessions.edits import edited_most

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recollect.flows.opened import Opened
    from recollect.flows.sessions.digest import Digest
    from recollect.flows.sessions.extraction import Extraction
    from recollect.flows.sessions.past_sessions import HostFound, Imported, PastSessions, Progress
    from recollect.flows.setup.questions import Question
    from recollect.model.candidates import Candidate
    from recollect.model.sessions import Session
    from recollect.sessions.edits import Edited
    from recollect.store.store import Store

MOST_SHOWN = 8
MOST_REPOSITORIES = 3
MOST_PROMPTS = 60  # newest ones that are tried, to find one that memory would have helped
SHORTEST_PROMPT, LONGEST_PROMPT = 20, 300
RECENT_TURNS = 2_000
LAST_UP = "up.last"  # when it was run
ASKED_FOR = ("test", "check", "build", "lint", "types", "format", "install", "run")


class Work(Record):
    """How the work is done in a repository: what logs prove, and the files edited most."""

    proven: list[Entry]
    edited: list[Edited]


class Corrections(Record):
    """How often the user corrected agents, and how many of the corrections came more than once."""

    times: int = 0
    repeated: int = 0


class Example(Record):
    """A prompt that was typed, and what memory would have brought to it."""

    question: str
    answers: tuple[str, ...]
    day: float = 0.0  # when its session started


class Up(Record):
    """What `up` did, and what is known now."""

    imported: Imported
    stored: int  # entries that are active now and were not before
    archived: int
    waiting: list[Candidate]  # what was found and is not sure
    conflicts: list[tuple[Entry, Entry]]
    about_user: list[Entry]
    about_repositories: dict[str, list[Entry]]
    examples: list[Example]
    work: dict[str, Work]
    corrections: Corrections
    read: int = 0  # sessions that a model was asked about
    projects: int = 0  # whose artifacts are up to date
    since: float = 0.0  # when `up` was run before; 0 the first time
    new: tuple[Entry, ...] = ()  # what was kept this time, newest last
    question: Question | None = None  # one that memory answers
    suggestions: int = 0  # that wait for a person
    approvals: int = 0  # all that waits to be approved, agents' wishes included


class Reading(Record):
    """What a model would read, and about how many tokens that takes."""

    sessions: tuple[Session, ...]
    tokens: int


class BroughtIn(Record):
    """What was imported, and what rules kept of it."""

    imported: Imported
    digests: list[Digest]
    before: frozenset[str]  # the entries that were active before


def bring_in(
    past: PastSessions,
    memory: Opened,
    *,
    paths: Sequence[str] = (),
    hosts: Sequence[str] = (),
    say_found: Callable[[list[HostFound]], None],
    progress: Progress,
) -> BroughtIn:
    """The main job, from nothing to a memory that is already full."""
    before = frozenset(known_entries(memory.store))
    logs, skipped = past.logs(paths, hosts=hosts)
    say_found(past.survey(logs))
    imported = past.import_logs(logs, skipped=skipped, progress=progress)
    return BroughtIn(imported, past.digest(progress=progress), before)


def known_entries(store: Store) -> list[str]:
    """The ids of all active entries but the archive, as `recollect list --all` shows them."""
    return [one.entry_id for one in store.entries.listed({"layer": ["L0", "L1"], "status": "active"})]


def write_up(memory: Opened, *, progress: Progress) -> int:
    """Bring the artifacts of every project up to date; returns how many projects have some.

    A person asked for it, so neither the age of sessions nor `memories.enabled` counts. By rules: what `up` asks a
    model was named with its price before."""
    from recollect.flows.autonomous.artifacts import build

    if not memory.settings.enabled:
        return 0
    written = 0
    for repository in _all_repositories(memory.store):
        written += bool(build(repository, memory, by_rules=True, progress=progress).consolidated.version)
    return written


def _all_repositories(store: Store) -> list[str]:
    return list(dict.fromkeys(session.repository for session, _ in store.sessions.listed() if session.repository))


def told(brought: BroughtIn, read: Sequence[Extraction], memory: Opened, projects: int = 0) -> Up:
    """What was done, and what is known now."""
    store, here = memory.store, memory.repository.repository
    if memory.settings.enabled:
        compare_by_rules(memory)  # before anybody counts: a worker would find the same a moment later
    repositories = _busiest(store, here)
    about = {name: said for name in repositories if (said := known_about(store, name))}
    work = {name: done for name in repositories if any(done := _work(store, name))}
    stored = [*(one.stored for one in brought.digests), *(one.stored for one in read)]
    told_by = dict.fromkeys(entry_id for ids in stored for entry_id in ids)
    new = dict.fromkeys(name for name in known_entries(store) if name not in brought.before)
    # What somebody said comes last, after what logs prove.
    kept = [*(name for name in new if name not in told_by), *(name for name in told_by if name in new)]
    since = float(store.home_value(LAST_UP) or 0)
    with store.write():
        store.set_home_value(LAST_UP, f"{memory.now:.0f}")
    return Up(
        imported=brought.imported,
        stored=len(kept),
        archived=sum(bool(one.archived) for one in brought.digests),
        waiting=store.candidates.waiting(),
        conflicts=open_conflicts(store),
        about_user=known_about(store, ""),
        about_repositories=dict(list(about.items())[:MOST_REPOSITORIES]),
        examples=_examples(memory),
        work=dict(list(work.items())[:MOST_REPOSITORIES]),
        corrections=_corrections(store),
        read=sum(not one.why for one in read),
        projects=projects,
        since=since,
        new=tuple(store.entries.active(kept[-MOST_SHOWN:])),
        question=answered_question(repositories[:MOST_REPOSITORIES], memory),
        suggestions=_suggested(memory),
        approvals=approvals(store, now=memory.now),
    )


def _suggested(memory: Opened) -> int:
    """Suggest edits of this repository's customization files, and say how many wait; none where that is off."""
    from recollect.flows.suggestions.mode import current_mode
    from recollect.flows.suggestions.reconcile import reconcile

    if current_mode(memory) == "off" or not memory.settings.enabled:
        return 0
    if memory.repository.repository:
        reconcile(memory)
    return memory.store.suggestions.count(repository=memory.repository.repository)


def to_read(memory: Opened) -> Reading:
    """What a model could read: the last sessions that none was asked about, as many as one pass may take. Nobody is
    asked anything."""
    from recollect.flows.sessions.extraction import MOST_READ, expected_tokens, unread

    if not memory.settings.enabled:
        return Reading((), 0)
    newest = unread(memory.store, limit=MOST_READ, exclude=memory.settings.exclude)[::-1]
    totals = [0, *accumulate(expected_tokens(one, memory, memory.models) for one in newest)]
    most = sum(total <= memory.settings.models.pass_tokens for total in totals) - 1
    return Reading(tuple(newest[:most][::-1]), totals[most])


def known_about(store: Store, repository: str) -> list[Entry]:
    """What somebody said of a repository, or of themselves, that reads by itself, the best first; what is contradicted
    and what logs prove are told apart."""
    contradicted = {entry_id for pair in store.conflicts.open() for entry_id in pair}
    found = store.entries.listed({"layer": ["L0", "L1"], "status": "active", "repository": repository})
    entries = [one.entry for one in found if one.entry_id not in contradicted and not is_proven(one.entry)]
    return best_told(entries)[:MOST_SHOWN]


def _busiest(store: Store, here: str) -> list[str]:
    """This repository first, then those with most turns."""
    counted: dict[str, int] = {}
    for session, turns in store.sessions.listed():
        if session.repository:
            counted[session.repository] = counted.get(session.repository, 0) + turns
    ranked = sorted(counted, key=lambda name: -counted[name])
    return list(dict.fromkeys([name for name in (here,) if name in counted] + ranked))


def _work(store: Store, repository: str) -> Work:
    found = store.entries.listed({"layer": "L1", "status": "active", "repository": repository})
    turns = store.sessions.recent_turns(repository, limit=RECENT_TURNS)
    roots = list(dict.fromkeys(session.cwd for session, _ in turns if session.cwd))
    proven = [one.entry for one in found if is_proven(one.entry)]
    return Work(sorted(proven, key=_by_purpose), edited_most(turns, roots))


def _by_purpose(entry: Entry) -> int:
    """What one asks for first comes first: how to test, then how to build, and so on."""
    purpose = entry.subject.split(" ")[0]
    return ASKED_FOR.index(purpose) if purpose in ASKED_FOR else len(ASKED_FOR)


def _corrections(store: Store) -> Corrections:
    """From what was kept and what waits; each turn counts once."""
    found = [one.entry for one in store.entries.listed({"layer": ["L0", "L1"]}) if CORRECTION_TAG in one.entry.tags]
    turns = [{(one.session, one.turn) for one in entry.citations if one.kind == "turn"} for entry in found]
    offered = [one.proof for one in store.candidates.waiting() if one.kind == CORRECTION_TAG]
    times = len(set().union(*turns)) + sum(offered)
    return Corrections(times, sum(len(said) > 1 for said in turns) + sum(proof > 1 for proof in offered))


def _examples(memory: Opened) -> list[Example]:
    """A prompt of late that memory would have helped, with what it would have got from other sessions."""
    best: tuple[float, Example] | None = None
    quoted = _quotes(memory.store)
    for session, prompt in reversed(memory.store.sessions.typed(limit=MOST_PROMPTS)):
        # Who says in a prompt what is remembered needs no memory for it.
        if not SHORTEST_PROMPT <= len(prompt) <= LONGEST_PROMPT or any(quote in prompt for quote in quoted):
            continue
        found = _recalled(prompt, session, memory)
        if found and (best is None or found[0] > best[0]):
            best = found
    return [best[1]] if best else []


def _was_told(entry: Entry) -> bool:
    """Did somebody say it for good? Turns of past sessions have a mark in their ids."""
    return "#" not in entry.entry_id and not is_proven(entry)


def _quotes(store: Store) -> set[str]:
    """What was typed and kept, or waits."""
    kept = [one.entry.citations for one in store.entries.listed({"layer": ["L0", "L1"]})]
    offered = [one.draft.citations for one in store.candidates.waiting()]
    return {citation.quote for citations in (*kept, *offered) for citation in citations if citation.quote}


def _recalled(prompt: str, session: Session, memory: Opened) -> tuple[float, Example] | None:
    """What a prompt would have got, and how well that fits: of what other sessions had said by then."""
    filters = memory.filters(session.repository)._replace(layers=("L0", "L1"))
    found = recall(
        prompt, store=memory.store, filters=filters, limits=memory.limits(), checker=memory.checker(), now=memory.now
    )
    others = [
        one
        for one in found.entries
        if _was_told(one.entry) and one.entry.session != session.session_id and one.entry.created < session.started
    ]
    if not others:
        return None
    answers = tuple(line_of(one.entry) or one.entry.content for one in others[:2])
    return others[0].score, Example(prompt, answers, session.started)
