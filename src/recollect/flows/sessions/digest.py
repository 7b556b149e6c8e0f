"""Digest sessions: fill the gaps, archive what was done; over several, what recurs and which commands work."""

from __future__ import annotations

from recollect.flows.sessions.waiting import say_again, take_back
from recollect.flows.writes.correct import changed_by, correct_said, meant_by
from recollect.flows.writes.find_typed import OWN, is_typed
from recollect.flows.writes.write import store_new, write_prepared
from recollect.memory.drafts import prepare
from recollect.memory.gapfill.changes import find_changes
from recollect.memory.gapfill.finding import SAID_AGAIN, find_durable
from recollect.memory.gapfill.sessions import recurring, reversals
from recollect.memory.gapfill.statements import often_asked
from recollect.memory.neighbours import DEAD, find_neighbours
from recollect.memory.rank import CORRECTION_TAG
from recollect.memory.tasks import active_task
from recollect.model.candidates import Candidate
from recollect.model.drafts import Add, Draft
from recollect.model.entries import Citation
from recollect.model.message_sources import HEARD
from recollect.model.record import Record
from recollect.sessions.judged import from_json
from recollect.sessions.summary import summarise
from recollect.text import ids
from recollect.text.language.statements import statement_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recollect.flows.opened import Opened
    from recollect.flows.writes.writers import Writer
    from recollect.memory.drafts import Prepared
    from recollect.memory.gapfill.finding import Found
    from recollect.memory.neighbours import Neighbour
    from recollect.model.sessions import Session, Turn
    from recollect.sessions.summary import Summary
    from recollect.store.entries import Stored

MOST_WAITING = 200
WAIT_SECONDS = 14 * 86_400.0
SESSION_TAG = "session"
ARCHIVE = "archive session"
LONGEST_BEFORE = 2_000  # of what the assistant had just said
LONGEST_QUOTE = 300
MOST_SAID = 16  # turns that an entry names as its source


class Digest(Record):
    """What a session left behind."""

    stored: tuple[str, ...] = ()  # entry ids
    waiting: int = 0
    archived: str = ""  # the entry of the archive
    title: str = ""
    summary: str = ""


class Keeper(Record):
    """What a digest needs beside the writer."""

    writer: Writer
    new_candidate_id: Callable[[], str]


class Said(Record):
    """A part of what was typed, with the place of its turn."""

    place: int
    found: Found | None  # something durable
    changes: tuple[Found, ...]  # what counts only where it changes something that is stored


def digest(session: Session, keeper: Keeper) -> Digest:
    """Keep what this session leaves behind; of one that has grown since, what its new turns add."""
    store = keeper.writer.store
    turns = store.sessions.turns(session.session_id)
    seen, until = store.sessions.digested(session.session_id)
    fresh = [number >= seen or turn.ended > until for number, turn in enumerate(turns)]
    stored, waiting = fill_gaps(session, turns, keeper, fresh=fresh)
    asked_until, judged = store.sessions.judged(session.session_id)
    told = from_json(judged)
    if any(turn.number > asked_until for turn in turns):
        told = told._replace(outcome=None)  # it went on: how it ended is not known yet
    summary = summarise(session, turns, told)
    archived = archive(session, turns, summary, keeper.writer)
    with store.write(durable=False):
        store.sessions.mark_digested(session.session_id)
    return Digest(tuple(stored), waiting, archived, summary.title, summary.text)


def fill_gaps(
    session: Session, turns: Sequence[Turn], keeper: Keeper, *, fresh: Sequence[bool]
) -> tuple[list[str], int]:
    """Store what the user said for good and nobody wrote down; what is less sure waits for a person.

    Only fresh turns speak: what older ones said may have been corrected or erased since."""
    said = _durable(turns)
    durable = [index for index, one in enumerate(said) if one.found]
    taken_back = reversals([one.found for one in said if one.found])
    gone = {durable[one.earlier] for one in taken_back}
    corrects = {durable[one.later] for one in taken_back if not fresh[said[durable[one.earlier]].place]}
    stored: list[str] = []
    waiting = 0
    for index, one in enumerate(said):
        turn = turns[one.place]
        if index in gone or not fresh[one.place] or turn.mark == HEARD:
            continue
        changed = [_keep_change(change, session, turn, keeper) for change in one.changes]
        stored += filter(None, changed)
        if any(changed) or one.found is None:
            continue
        entry_id, waits = _keep(one.found, session, turn, keeper, corrects=index in corrects)
        stored += [entry_id] if entry_id else []
        waiting += waits
    return stored, waiting


def _keep(found: Found, session: Session, turn: Turn, keeper: Keeper, *, corrects: bool) -> tuple[str, bool]:
    """The entry that was written for something said for good, or whether it is something new that waits."""
    store = keeper.writer.store
    draft = prepare(_draft(found, session, turn))
    with store.write(durable=False):
        denied = take_back(draft, store)
        again = say_again(draft, store)
    elsewhere = again is not None and again.proof > 1 and again.confidence >= SAID_AGAIN
    sure = found.sure or (found.whole and elsewhere)
    # In a session that a program keeps here, anybody may speak as the user: what has no mark waits.
    if sure and is_typed(session, turn):
        draft = prepare(again.draft) if again else draft
        entry_id = store_said(draft, keeper.writer, corrects=corrects or found.kind == "correction")
        if again is not None:
            with store.write(durable=False):
                store.candidates.settle(again.candidate_id, "accepted")
        return entry_id, False
    if again is not None or denied:
        return "", False
    why = f"typed in {session.host}, turn {turn.number}"
    return "", offer(found.kind, draft, why, keeper, proof=1, confidence=found.confidence)


def _keep_change(found: Found, session: Session, turn: Turn, keeper: Keeper) -> str:
    """The entry that took the place of what is no longer so; empty where nothing that is stored is changed by it."""
    if not is_typed(session, turn):
        return ""
    draft = prepare(_draft(found, session, turn))
    # In one step, as everything that is said.
    with keeper.writer.store.write():
        if _is_old_news(draft, keeper.writer):
            return ""
        meant = changed_by(draft, keeper.writer.store)
        if not (meant.replaced or meant.likely):
            return ""
        outcome = correct_said(draft, keeper.writer, meant, tells=True)
    return outcome.entry_id if outcome.status == "stored" else ""


def _durable(turns: Sequence[Turn]) -> list[Said]:
    """What was said for good, and what tells of a change, in order."""
    said: list[Said] = []
    before = ""
    for place, turn in enumerate(turns):
        if turn.user:
            heard = before[-LONGEST_BEFORE:]
            durable = find_durable(turn.user, before=heard, at=turn.at)
            changes = find_changes(turn.user, before=heard, at=turn.at)
            said += _together(durable, changes, place)
        before = turn.assistant
    return said


def _together(durable: Sequence[Found], changes: Sequence[Found], place: int) -> list[Said]:
    """Each with the change that it tells of; where that is one of several sentences that are sure, these are kept."""
    said = []
    for found in durable:
        told = tuple(one for one in changes if one.start < found.end and found.start < one.end)
        changes = [one for one in changes if one not in told]
        whole = all(one.start <= found.start and found.end <= one.end for one in told)
        said.append(Said(place, found, told if whole or not found.sure else ()))
    return [*said, *(Said(place, None, (one,)) for one in changes)]


def offer_said(sentences: Sequence[str], keeper: Keeper, *, repository: str, session_id: str) -> int:
    """What a compaction found the user to have said for good waits for a person; returns how much is new."""
    offered = 0
    for found in (one for sentence in sentences for one in find_durable(sentence)):
        scope = found.scope if repository else "user"
        draft = Draft(
            found.statement,
            scope=scope,
            repository=repository if scope == "repository" else "",
            source="system",
            session=session_id,
        )
        offered += offer(found.kind, draft, "found while compacting", keeper, proof=1, confidence=found.confidence)
    return offered


def offer_from_session(sentences: Sequence[str], session_id: str, memory: Opened) -> None:
    """As offer_said, for a session that this home keeps itself; nothing of a private one."""
    if any(one.privacy for one in memory.store.sessions.of_log("", OWN, session_id)):
        return
    keeper = Keeper(memory.writer("system"), lambda: memory.new_id(ids.CANDIDATE))
    offer_said(sentences, keeper, repository=memory.repository.repository, session_id=session_id)


def keep_recurring(orders: Sequence[tuple[Session, str]], keeper: Keeper) -> int:
    """An order that recurs over sessions of one repository is a preference; it waits for a person with its proof."""
    places: dict[str, list[Session]] = {}
    for session, _ in orders:
        places.setdefault(session.repository, []).append(session)
    offered = 0
    for repository in places:
        here = [(session.session_id, text) for session, text in orders if session.repository == repository]
        for one in recurring(here):
            scope = "repository" if repository else "user"
            draft = Draft(
                often_asked(one.text),
                scope=scope,  # type: ignore[arg-type]
                repository=repository,
                tags=("preference",),
                source="system",
                session=one.sessions[-1],
            )
            why = f"asked for in {len(one.sessions)} sessions"
            sure = min(0.4 + 0.05 * len(one.sessions), 0.74)
            offered += offer("preference", draft, why, keeper, proof=len(one.sessions), confidence=sure)
    return offered


def _draft(found: Found, session: Session, turn: Turn) -> Draft:
    quote = turn.user[found.start : found.end][:LONGEST_QUOTE]
    scope = found.scope if session.repository else "user"
    return Draft(
        found.statement,
        scope=scope,
        repository=session.repository if scope == "repository" else "",
        citations=(Citation("turn", session=session.session_id, turn=turn.number, quote=quote),),
        tags=(found.kind,) if found.kind != "fact" else (),
        source="system",
        origin="typed" if is_typed(session, turn) else "assistant",
        confidence=round(found.confidence, 3),
        session=session.session_id,
        created=turn.at,
    )


def store_said(draft: Draft, writer: Writer, *, corrects: bool) -> str:
    """The id of the entry that was written, or an empty text when it was known or refused."""
    ready = prepare(draft)
    # In one step: another worker may be keeping a later word on the same thing.
    with writer.store.write():
        if _is_old_news(ready, writer):
            return ""
        meant = meant_by(ready, writer.store, asked=False)
        if corrects or meant.replaced:
            outcome = correct_said(ready, writer, meant)
        else:
            outcome = write_prepared([Add(ready)], writer, action="gap-fill")[0]
        if outcome.status != "stored":
            _say_again(ready, writer)
    return outcome.entry_id if outcome.status == "stored" else ""


def _say_again(draft: Prepared, writer: Writer) -> None:
    """Note on an entry that it was said once more, and where; part of its first change, for it says nothing new."""
    store = writer.store
    for stored in store.entries.saying(statement_key(draft.content)):
        entry = stored.entry
        known = {(one.session, one.turn) for one in entry.citations}
        more = tuple(one for one in draft.citations if (one.session, one.turn) not in known)
        if entry.status == "active" and entry.repository == draft.repository and more and len(known) < MOST_SAID:
            change_id = store.changes.of_entry(stored.entry_id)[0].change.change_id
            after = entry._replace(citations=(*entry.citations, *more))
            store.entries.update(stored, after, statement_key(after.content), change_id=change_id)


def _is_old_news(draft: Prepared, writer: Writer) -> bool:
    """Did this very turn say it before, or has somebody said otherwise since? Logs come late, and again and again."""
    said = [one.entry for one in writer.store.entries.saying(statement_key(draft.content))]
    cited = {(citation.session, citation.turn) for entry in said for citation in entry.citations}
    if any((citation.session, citation.turn) in cited for citation in draft.citations):
        return True
    if not draft.created:
        return False
    if any(entry.status in DEAD and entry.updated > draft.created for entry in said):
        return True
    return any(_says_otherwise(one, draft) for one in find_neighbours(draft, writer.store))


def _says_otherwise(neighbour: Neighbour, draft: Draft) -> bool:
    """Is this a later correction on the same thing? Without one, both stand and a person settles it."""
    entry = neighbour.stored.entry
    if entry.status != "active" or entry.created <= draft.created or CORRECTION_TAG not in entry.tags:
        return False
    return neighbour.relation in ("opposite", "near") or (neighbour.same_subject and neighbour.relation != "same")


def offer(kind: str, draft: Draft, why: str, keeper: Keeper, *, proof: int, confidence: float) -> bool:
    """Let a draft wait for a person; was it new?"""
    draft = prepare(draft)
    now = keeper.writer.now
    candidate = Candidate(
        candidate_id=keeper.new_candidate_id(),
        kind=kind,
        draft=draft,
        what=draft.content,
        why=why,
        came_from=draft.session,
        proof=proof,
        confidence=confidence,
        created=now,
        expires=now + WAIT_SECONDS,
    )
    key = statement_key(draft.content)
    store = keeper.writer.store
    with store.write(durable=False):
        known = (draft.layer, draft.repository) in {
            (stored.entry.layer, stored.entry.repository) for stored in store.entries.saying(key)
        }
        return not known and store.candidates.offer(candidate, key, most_waiting=MOST_WAITING)


def archive(session: Session, turns: Sequence[Turn], summary: Summary, writer: Writer, *, action: str = "") -> str:
    """One L2 entry a session, bound to the active task when there is one; it grows with the session.

    One that a person retired stays so. What has an `action` of its own can be undone by itself."""
    if not summary.text:
        return ""
    ended = session.ended or session.started
    cited = dict.fromkeys((*summary.cited, max(turns[-1].number, 1)))
    task = active_task(writer.store, session.repository)
    mine = task if task and task.created <= ended else None
    draft = prepare(
        Draft(
            summary.text,
            layer="L2",
            scope="repository" if session.repository else "user",
            repository=session.repository,
            subject=summary.title,
            tags=(SESSION_TAG, session.host),
            source="system",
            origin="assistant",
            citations=tuple(Citation("turn", session=session.session_id, turn=number) for number in cited),
            task=mine.task_id if mine else "",
            project=mine.project if mine else "",
            session=session.session_id,
            created=ended,
        )
    )
    store = writer.store
    with store.write(durable=False):
        known = [
            stored
            for stored in store.entries.listed({"layer": "L2", "session": session.session_id})
            if SESSION_TAG in stored.entry.tags and stored.entry.status != "superseded"
        ]
        if not known:
            change_id = store.changes.begin(ARCHIVE, "system", now=writer.now)
            return store_new(draft, writer, change_id).entry_id
        if known[0].entry.status == "active" and known[0].entry.content != draft.content:
            _renew(known[0], draft, writer, action=action)
        return known[0].entry.entry_id


def _renew(stored: Stored, draft: Draft, writer: Writer, *, action: str) -> None:
    """The archive's view of a session that went on. Part of the change that made it: each turn would be one more."""
    store = writer.store
    fields = draft._asdict()
    names = ("content", "subject", "aliases", "citations", "repository", "scope")
    after = stored.entry._replace(updated=writer.now, **{name: fields[name] for name in names})
    if draft.task:
        after = after._replace(task=draft.task, project=draft.project)
    if action:
        change_id = store.changes.begin(action, "system", now=writer.now)
    else:
        change_id = store.changes.of_entry(stored.entry_id)[0].change.change_id
    store.entries.update(stored, after, statement_key(after.content), change_id=change_id)
