"""What an agent wants changed: a small value for each kind of change, done now, or staged and done later as it was."""

from __future__ import annotations

from recollect.errors import Refused
from recollect.flows.shelves.change_texts import TextChange, change_texts, text_change_json, text_change_of
from recollect.flows.writes.correct import correct_prepared
from recollect.flows.writes.write import epitaph, write_prepared
from recollect.memory.drafts import prepare
from recollect.memory.neighbours import decide, find_neighbours
from recollect.memory.votes import vote
from recollect.model.drafts import Add, Draft, Outcome, Remove, Update
from recollect.model.entries import Citation
from recollect.model.permissions import Question
from recollect.model.record import Record
from recollect.ports import NewMemory
from recollect.text.language.statements import relation, statement_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from recollect.flows.writes.writers import Writer
    from recollect.memory.drafts import Prepared
    from recollect.memory.neighbours import Neighbour
    from recollect.model.entries import Entry
    from recollect.model.permissions import Staged
    from recollect.ports import Strategy
    from recollect.store.store import Store

OWN = "own"  # the strategy that is our own store
_TUPLES = ("aliases", "tags")


class StoreEntry(Record):
    """A statement to store, and what it contradicts anywhere."""

    draft: Prepared
    replaces: tuple[Entry, ...] = ()  # what it would supersede
    buried: str = ""  # why it may not come back: the same was retired before


class UpdateEntry(Record):
    """A statement to put in an entry's place."""

    target: Entry
    draft: Prepared
    replaces: tuple[Entry, ...] = ()  # the target, and what else it would supersede


class RemoveEntry(Record):
    """An entry to retire."""

    target: Entry


class VoteOnEntry(Record):
    """A vote on an entry."""

    target: Entry
    direction: str
    reason: str


class ChangeTexts(Record):
    """Texts to put under addresses."""

    change: TextChange


class SendToStrategy(Record):
    """A fact for a memory that is not our own store."""

    strategy: str
    memory: NewMemory


class VoteInStrategy(Record):
    """A vote on a fact of a memory that is not our own store."""

    strategy: str
    memory: NewMemory
    direction: str
    reason: str


if TYPE_CHECKING:
    OwnChange = StoreEntry | UpdateEntry | RemoveEntry | VoteOnEntry | ChangeTexts
    SentChange = SendToStrategy | VoteInStrategy
    WantedChange = OwnChange | SentChange


class Described(Record):
    """A change in words: what a person is asked about, what waits, and what is announced."""

    action: str  # store | update | remove | vote | write
    what: str
    scope: str
    origin: str
    layer: str = ""  # empty for a memory that has none
    repository: str = ""  # whose memory it changes; empty for the user's own
    target_id: str = ""
    reason: str = ""
    direction: str = ""
    citations: tuple[str, ...] = ()
    replaces: tuple[str, ...] = ()  # what the entries say that it would take the place of


# -- from a draft and what is stored to a change


def store_entry(draft: Prepared, neighbours: Sequence[Neighbour], writer: Writer) -> StoreEntry:
    """A statement to store among what was found anywhere."""
    here = [
        near
        for near in neighbours
        if near.stored.entry.layer == draft.layer and near.stored.entry.repository == draft.repository
    ]
    verdict = decide(here, by_user=False, vote_out_downs=writer.vote_out_downs)
    return StoreEntry(draft, _opposed(neighbours), epitaph(verdict.buried) if verdict.buried else "")


def update_entry(target: Entry, draft: Prepared, neighbours: Sequence[Neighbour]) -> UpdateEntry:
    """A statement to put in an entry's place, among what was found anywhere."""
    others = tuple(entry for entry in _opposed(neighbours) if entry.entry_id != target.entry_id)
    return UpdateEntry(target, draft, (target, *others))


def _opposed(neighbours: Sequence[Neighbour]) -> tuple[Entry, ...]:
    return tuple(
        near.stored.entry for near in neighbours if near.relation == "opposite" and near.stored.entry.status == "active"
    )


# -- doing it


def apply(
    change: OwnChange, writer: Writer, *, session: str = "", neighbours: Sequence[Neighbour] | None = None
) -> Outcome:
    """Do it in our own store: stored, updated, removed, voted, duplicate. Refused when it cannot be done.

    `neighbours` are those of its draft, found anywhere under this lock; without them they are looked for."""
    match change:
        case StoreEntry():
            return _store(change, writer, session, neighbours)
        case UpdateEntry(target=target, draft=draft):
            if relation(target.content, draft.content) == "opposite" and target.layer == draft.layer:
                outcome = correct_prepared(
                    draft, writer, entry_id=target.entry_id, session=session, neighbours=neighbours
                )
            else:
                update = Update(target.entry_id, draft)
                [outcome] = write_prepared([update], writer, action="edit", neighbours=neighbours)
            return outcome._replace(status="updated") if outcome.status == "stored" else outcome
        case RemoveEntry(target=target):
            [outcome] = write_prepared([Remove(target.entry_id)], writer, action="forget")
            return outcome._replace(status="removed")
        case VoteOnEntry(target=target, direction=direction, reason=reason):
            return vote_on(target.entry_id, direction, reason, writer)
        case ChangeTexts(change=texts):
            return Outcome(change_texts(texts, writer))


def _store(change: StoreEntry, writer: Writer, session: str, neighbours: Sequence[Neighbour] | None) -> Outcome:
    draft = change.draft
    with writer.store.write():
        if neighbours is None:
            neighbours = find_neighbours(draft, writer.store, anywhere=True)
        # What contradicts goes through the flow that leaves no wrong entry behind; so does what the user says again
        # after it was retired, for a plain write lets the dead lie.
        if change.replaces or (change.buried and draft.origin == "typed"):
            return correct_prepared(draft, writer, session=session, neighbours=neighbours)
        return write_prepared([Add(draft)], writer, action="remember", neighbours=neighbours)[0]


def send(change: SentChange, strategy: Strategy | None) -> Outcome:
    """Give it to the strategy it is meant for; Refused when that is not in use."""
    if strategy is None:
        raise Refused(f"The {change.strategy} memory that this was meant for is not in use here; nothing was done.")
    match change:
        case SendToStrategy(memory=memory):
            return strategy.store(memory)
        case VoteInStrategy(memory=memory, direction=direction, reason=reason):
            return strategy.vote(memory.fact, direction, reason)


def vote_on(entry_id: str, direction: str, reason: str, writer: Writer) -> Outcome:
    """Count a vote."""
    store = writer.store
    with store.write():
        after = vote(
            store.entries.get(entry_id),
            direction,
            reason,
            store=store,
            actor=writer.actor,
            vote_out_downs=writer.vote_out_downs,
            now=writer.now,
        )
    out = "" if after.status == "active" else f"It is {after.status} now and no longer recalled."
    return Outcome("voted", after.entry_id, out)


# -- in words


def described(change: WantedChange) -> Described:
    """The change in words."""
    match change:
        case StoreEntry(draft=draft, replaces=replaces):
            return _described_draft("store", draft, replaces)
        case UpdateEntry(target=target, draft=draft, replaces=replaces):
            return _described_draft("update", draft, replaces)._replace(target_id=target.entry_id)
        case RemoveEntry(target=target):
            return _described_entry("remove", target)
        case VoteOnEntry(target=target, direction=direction, reason=reason):
            return _described_entry("vote", target)._replace(direction=direction, reason=reason)
        case ChangeTexts(change=texts):
            scope = "repository" if texts.place.repository else "user"
            return Described("write", texts.what, scope, texts.place.origin, repository=texts.place.repository)
        case SendToStrategy(memory=memory):
            return _described_memory("store", memory)
        case VoteInStrategy(memory=memory, direction=direction, reason=reason):
            return _described_memory("vote", memory)._replace(direction=direction, reason=reason)


def _described_draft(action: str, draft: Draft, replaces: Sequence[Entry]) -> Described:
    return Described(
        action,
        draft.content,
        draft.scope,
        draft.origin,
        draft.layer,
        draft.repository,
        reason=draft.reason,
        citations=tuple(one.path or one.quote for one in draft.citations),
        replaces=tuple(entry.content for entry in replaces),
    )


def _described_entry(action: str, target: Entry) -> Described:
    return Described(
        action, target.content, target.scope, target.origin, target.layer, target.repository, target.entry_id
    )


def _described_memory(action: str, memory: NewMemory) -> Described:
    return Described(action, memory.fact, memory.scope, memory.origin, reason=memory.reason, citations=memory.citations)


def question(change: WantedChange, why: str, *, client: str, repository: str) -> Question:
    """What a person is asked about it; `why` says why it is not done without asking."""
    about = described(change)
    return Question(
        about.action,
        about.what,
        why,
        scope=about.scope,
        layer=about.layer,
        citations=about.citations,
        reason=about.reason,
        direction=about.direction,
        replaces=about.replaces,
        client=client,
        repository=repository,
    )


# -- staging


def require_unchanged(change: WantedChange, store: Store) -> None:
    """Refused when what the change would touch has changed while a person was thinking about it."""
    for entry in _touched(change):
        _unchanged(entry.entry_id, statement_key(entry.content), store)


def _touched(change: WantedChange) -> tuple[Entry, ...]:
    match change:
        case StoreEntry(replaces=replaces):
            return replaces
        case UpdateEntry(target=target) | RemoveEntry(target=target) | VoteOnEntry(target=target):
            return (target,)
        case ChangeTexts() | SendToStrategy() | VoteInStrategy():
            return ()


def to_payload(change: WantedChange) -> dict[str, Any]:
    """Exactly what would be done, and what the entries it would touch say now. Databases hold these keys."""
    return {
        "strategy": OWN,
        "draft": None,
        "memory": None,
        "direction": "",
        "reason": "",
        "buried": "",
        "shelving": None,
        **_particulars(change),
        "touches": [{"id": entry.entry_id, "key": statement_key(entry.content)} for entry in _touched(change)],
    }


def _particulars(change: WantedChange) -> dict[str, Any]:
    match change:
        case StoreEntry(draft=draft, buried=buried):
            return {"draft": _draft_json(draft), "buried": buried}
        case UpdateEntry(draft=draft):
            return {"draft": _draft_json(draft)}
        case RemoveEntry():
            return {}
        case VoteOnEntry(direction=direction, reason=reason):
            return {"direction": direction, "reason": reason}
        case ChangeTexts(change=texts):
            return {"shelving": text_change_json(texts)}
        case SendToStrategy(strategy=strategy, memory=memory):
            return {"strategy": strategy, "memory": memory._asdict()}
        case VoteInStrategy(strategy=strategy, memory=memory, direction=direction, reason=reason):
            return {"strategy": strategy, "memory": memory._asdict(), "direction": direction, "reason": reason}


def from_staged(staged: Staged, store: Store) -> WantedChange:
    """The change as it was staged; Refused when what it would touch has changed since."""
    payload = staged.payload
    touched = tuple(_unchanged(one["id"], one["key"], store, staged.staged_id) for one in payload["touches"])
    direction, reason = payload["direction"], payload["reason"]
    if payload["strategy"] != OWN:
        memory = NewMemory(**{**payload["memory"], "citations": tuple(payload["memory"]["citations"])})
        if staged.action == "vote":
            return VoteInStrategy(payload["strategy"], memory, direction, reason)
        return SendToStrategy(payload["strategy"], memory)
    match staged.action:
        case "store":
            return StoreEntry(_draft(payload["draft"]), touched, payload["buried"])
        case "update":
            return UpdateEntry(touched[0], _draft(payload["draft"]), touched)
        case "remove":
            return RemoveEntry(touched[0])
        case "vote":
            return VoteOnEntry(touched[0], direction, reason)
        case "write":
            return ChangeTexts(text_change_of(payload["shelving"]))
        case other:
            raise Refused(f"This version does not know how to {other} this; nothing was done.")


def _unchanged(entry_id: str, key: str, store: Store, staged_id: str = "") -> Entry:
    entry = store.entries.get(entry_id).entry
    if entry.status != "active" or statement_key(entry.content) != key:
        raise Refused(
            f"{entry_id} has changed since this was asked for, so nothing was done; `recollect show {entry_id}` tells "
            "what it says now" + (f", `recollect reject {staged_id}` drops the request." if staged_id else ".")
        )
    return entry


def _draft_json(draft: Draft) -> dict[str, Any]:
    return {**draft._asdict(), "citations": [citation._asdict() for citation in draft.citations]}


def _draft(fields: dict[str, Any]) -> Prepared:
    """Prepared again: what was staged by an older version is redacted by the rules of this one."""
    citations: Sequence[dict[str, Any]] = fields["citations"]
    tuples = {name: tuple(fields[name]) for name in _TUPLES}
    return prepare(Draft(**{**fields, **tuples, "citations": tuple(Citation(**one) for one in citations)}))
