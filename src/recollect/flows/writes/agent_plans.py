"""What an agent wants to change, as one plan: applied now, or staged and later applied exactly as it was staged."""

from __future__ import annotations

from recollect.errors import Refused
from recollect.flows.shelves.change_texts import TextChange, change_texts, text_change_json, text_change_of
from recollect.flows.writes.correct import correct
from recollect.flows.writes.write import epitaph, write
from recollect.memory.drafts import prepare
from recollect.memory.neighbours import decide, find_neighbours
from recollect.memory.votes import vote
from recollect.model.drafts import Add, Draft, Outcome, Remove, Update
from recollect.model.entries import Citation
from recollect.model.permissions import Written
from recollect.model.record import Record
from recollect.ports import NewMemory
from recollect.text.language.statements import relation, statement_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from recollect.flows.writes.write import Writer
    from recollect.model.entries import Entry
    from recollect.model.permissions import Staged
    from recollect.store.store import Store

OWN = "own"
_TUPLES = ("aliases", "tags")


class Plan(Record):
    """One change: a draft to store or to put in a target's place, a target to retire, or a vote on it."""

    action: str  # store | update | remove | vote | write
    draft: Draft | None = None
    target: Entry | None = None
    replaces: tuple[Entry, ...] = ()  # what it contradicts and would supersede
    direction: str = ""
    reason: str = ""
    buried: str = ""  # why it may not come back: the same was retired before
    strategy: str = OWN
    memory: NewMemory | None = None  # for a strategy that is not our own store
    text_change: TextChange | None = None  # for texts under an address

    @property
    def what(self) -> str:
        """What it is about, as text."""
        if self.text_change:
            return self.text_change.what
        if self.draft:
            return self.draft.content
        if self.target:
            return self.target.content
        return self.memory.fact if self.memory else ""

    @property
    def scope(self) -> str:
        """Where it holds."""
        if self.text_change:
            return "repository" if self.text_change.place.repository else "user"
        about = self.draft or self.memory or self.target
        return about.scope if about else ""

    @property
    def layer(self) -> str:
        """Which layer it changes; empty for a memory that has none."""
        about = self.draft or self.target
        return about.layer if about else ""

    @property
    def origin(self) -> str:
        """What it rests on."""
        if self.text_change:
            return self.text_change.place.origin
        about = self.draft or self.memory or self.target
        return about.origin if about else "assistant"

    @property
    def repository(self) -> str:
        """The repository whose memory it changes; empty for the user's own."""
        if self.text_change:
            return self.text_change.place.repository
        about = self.draft or self.target
        return about.repository if about else ""

    @property
    def because(self) -> str:
        """Why it should be remembered."""
        about = self.draft or self.memory
        return about.reason if about else ""

    @property
    def citations(self) -> tuple[str, ...]:
        """What is cited for it, as text."""
        if self.memory:
            return self.memory.citations
        return tuple(one.path or one.quote for one in self.draft.citations) if self.draft else ()


def plan_store(draft: Draft, writer: Writer) -> Plan:
    """A statement to store, with what it contradicts anywhere; Refused when it cannot be an entry."""
    draft = prepare(draft)
    opposed, buried = _around(draft, writer)
    return Plan("store", draft, replaces=opposed, buried=buried)


def plan_update(target: Entry, draft: Draft, writer: Writer) -> Plan:
    """A statement to put in an entry's place."""
    draft = prepare(draft)
    opposed, _ = _around(draft, writer)
    others = tuple(entry for entry in opposed if entry.entry_id != target.entry_id)
    return Plan("update", draft, target, replaces=(target, *others))


def _around(draft: Draft, writer: Writer) -> tuple[tuple[Entry, ...], str]:
    neighbours = find_neighbours(draft, writer.store, anywhere=True)
    opposed = tuple(
        near.stored.entry for near in neighbours if near.relation == "opposite" and near.stored.entry.status == "active"
    )
    here = [
        near
        for near in neighbours
        if near.stored.entry.layer == draft.layer and near.stored.entry.repository == draft.repository
    ]
    verdict = decide(here, by_user=False, vote_out_downs=writer.vote_out_downs)
    return opposed, epitaph(verdict.buried) if verdict.buried else ""


def apply(plan: Plan, writer: Writer, *, session: str = "") -> Outcome:
    """Do it in our own store: stored, updated, removed, voted, duplicate. Refused when it cannot be done."""
    match plan.action:
        case "store":
            assert plan.draft
            return _store(plan, plan.draft, writer, session)
        case "update":
            assert plan.draft
            assert plan.target
            return _named(_update(plan.target, plan.draft, writer, session), "updated")
        case "remove":
            assert plan.target
            return _named(write([Remove(plan.target.entry_id)], writer, action="forget")[0], "removed")
        case "write":
            assert plan.text_change
            return Outcome(change_texts(plan.text_change, writer))
        case _:
            return _vote(plan, writer)


def _store(plan: Plan, draft: Draft, writer: Writer, session: str) -> Outcome:
    # What contradicts goes through the flow that leaves no wrong entry behind; so does what the user says again
    # after it was retired, for a plain write lets the dead lie.
    if plan.replaces or (plan.buried and draft.origin == "typed"):
        return correct(draft, writer, session=session)
    return write([Add(draft)], writer, action="remember")[0]


def _update(target: Entry, draft: Draft, writer: Writer, session: str) -> Outcome:
    if relation(target.content, draft.content) == "opposite" and target.layer == draft.layer:
        return correct(draft, writer, entry_id=target.entry_id, session=session)
    return write([Update(target.entry_id, draft)], writer, action="edit")[0]


def _vote(plan: Plan, writer: Writer) -> Outcome:
    assert plan.target
    store = writer.store
    with store.write():
        after = vote(
            store.entries.get(plan.target.entry_id),
            plan.direction,
            plan.reason,
            store=store,
            actor=writer.actor,
            vote_out_downs=writer.vote_out_downs,
            now=writer.now,
        )
    out = "" if after.status == "active" else f"It is {after.status} now and no longer recalled."
    return Outcome("voted", after.entry_id, out)


def _named(outcome: Outcome, done: str) -> Outcome:
    return outcome._replace(status=done) if outcome.status == "stored" else outcome


def written_of(outcome: Outcome) -> Written:
    """An outcome as the agent is told it."""
    why = outcome.why
    if outcome.superseded and outcome.status == "stored":
        why = f"It takes the place of {', '.join(outcome.superseded)}." + (f" {why}" if why else "")
    return Written(outcome.status, why, outcome.entry_id)


# -- staging


def require_unchanged(plan: Plan, store: Store) -> None:
    """Refused when what the plan would touch has changed while a person was thinking about it."""
    for entry in _touched(plan):
        _unchanged(entry.entry_id, statement_key(entry.content), store)


def _touched(plan: Plan) -> Sequence[Entry]:
    return plan.replaces if plan.action == "store" else [plan.target] if plan.target else []


def to_payload(plan: Plan) -> dict[str, Any]:
    """Exactly what would be done, and what the entries it would touch say now."""
    return {
        "strategy": plan.strategy,
        "draft": _draft_json(plan.draft) if plan.draft else None,
        "memory": plan.memory._asdict() if plan.memory else None,
        "direction": plan.direction,
        "reason": plan.reason,
        "buried": plan.buried,
        "shelving": text_change_json(plan.text_change) if plan.text_change else None,
        "touches": [{"id": entry.entry_id, "key": statement_key(entry.content)} for entry in _touched(plan)],
    }


def from_staged(staged: Staged, store: Store) -> Plan:
    """The plan as it was staged; Refused when what it would touch has changed since."""
    payload = staged.payload
    touched = [_unchanged(one["id"], one["key"], store) for one in payload["touches"]]
    memory, text_change = payload["memory"], payload.get("shelving")
    return Plan(
        staged.action,
        draft=_draft(payload["draft"]) if payload["draft"] else None,
        target=touched[0] if staged.action != "store" and touched else None,
        replaces=tuple(touched) if staged.action == "store" else (),
        direction=payload["direction"],
        reason=payload["reason"],
        buried=payload["buried"],
        strategy=payload["strategy"],
        memory=NewMemory(**{**memory, "citations": tuple(memory["citations"])}) if memory else None,
        text_change=text_change_of(text_change) if text_change else None,
    )


def staged_origin(staged: Staged) -> str:
    """What a staged write rests on."""
    text_change = staged.payload.get("shelving") or {}
    about = staged.payload.get("draft") or staged.payload.get("memory") or text_change.get("place") or {}
    return str(about.get("origin", "assistant"))


def _unchanged(entry_id: str, key: str, store: Store) -> Entry:
    entry = store.entries.get(entry_id).entry
    if entry.status != "active" or statement_key(entry.content) != key:
        raise Refused(
            f"{entry_id} has changed since this was asked for, so nothing was done; `recollect show {entry_id}` tells "
            "what it says now, `recollect reject` drops what waits."
        )
    return entry


def _draft_json(draft: Draft) -> dict[str, Any]:
    return {**draft._asdict(), "citations": [citation._asdict() for citation in draft.citations]}


def _draft(fields: dict[str, Any]) -> Draft:
    citations: Sequence[dict[str, Any]] = fields["citations"]
    tuples = {name: tuple(fields[name]) for name in _TUPLES}
    return Draft(**{**fields, **tuples, "citations": tuple(Citation(**one) for one in citations)})
