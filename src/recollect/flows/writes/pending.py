"""Pending: what waits for a person, found in sessions or wanted by an agent, is accepted, rejected, or expires."""

from __future__ import annotations

from recollect.errors import NotFound, Refused
from recollect.flows.writes.tasks import TASK, accept_words
from recollect.flows.writes.waiting import approvals
from recollect.flows.writes.wanted_changes import (
    SendToStrategy,
    StoreEntry,
    UpdateEntry,
    VoteInStrategy,
    apply,
    from_staged,
    send,
    store_entry,
)
from recollect.flows.writes.write import write
from recollect.memory.neighbours import find_neighbours
from recollect.model.candidates import Candidate
from recollect.model.drafts import Add, Outcome, Update
from recollect.model.receipts import PROFILE
from recollect.text.ids import STAGED
from recollect.text.language.statements import statement_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.flows.writes.wanted_changes import OwnChange, SentChange, WantedChange
    from recollect.flows.writes.write import Writer
    from recollect.model.drafts import Draft
    from recollect.model.entries import Scope
    from recollect.model.permissions import Staged
    from recollect.ports import Strategy
    from recollect.store.store import Store

    Waiting = Candidate | Staged


APPROVED = "approved by change "  # and the number of the change: the small fact that names what was approved


class Pending:
    """What waits for a person."""

    def __init__(self, writer: Writer, strategy: Callable[[str], Strategy | None] = lambda name: None) -> None:
        self._writer = writer
        self._strategy = strategy  # the strategy of this name, or None when it is not in use here
        self._candidates = writer.store.candidates
        self._staged = writer.store.staged

    def waiting(self) -> list[Candidate]:
        """What was found in sessions and waits, surest first."""
        return self._candidates.waiting()

    def staged(self) -> list[Staged]:
        """What agents wanted and waits, oldest first."""
        return self._staged.waiting(now=self._writer.now)

    def everything(self) -> list[Waiting]:
        """All that waits: what agents wanted first, for it expires unseen."""
        return [*self.staged(), *self.waiting()]

    def count(self) -> int:
        """How much waits."""
        return approvals(self._writer.store, now=self._writer.now)

    def get(self, name: str) -> Waiting:
        """What waits under this id, or a unique beginning or end of one."""
        if name.startswith(STAGED) or not name:
            return self._staged.get(name)
        try:
            return self._candidates.get(name)
        except NotFound:
            if name[1:2] == "_":
                raise
            return self._staged.get(name)  # the end of an id alone says nothing of its kind

    def approve(self, name: str, *, text: str = "", scope: Scope | None = None, repository: str = "") -> Outcome:
        """A person accepts it: what was found is stored, in their own words and scope where they give them; what an
        agent wanted is done exactly as it asked."""
        with self._writer.store.write():
            waiting = self.get(name)
            _require_waiting(_id(waiting), self._status(waiting))
            before = self._writer.store.changes.newest()
            if isinstance(waiting, Candidate):
                draft = _as_wished(waiting.draft, text=text, scope=scope, repository=repository)
                return self._linked(waiting, before, self._approve_candidate(waiting, draft))
            if text or scope:
                raise Refused("An agent's request is applied exactly as asked, or not at all.")
            if waiting.action == TASK:
                return self._linked(waiting, before, self._accept_words(waiting))
            change = self._as_it_was(waiting)
            match change:
                case SendToStrategy() | VoteInStrategy():
                    # Taken before it is sent: who accepts it at the same time finds it settled.
                    self._staged.settle(waiting.staged_id, "accepted")
                case _:
                    return self._linked(waiting, before, self._applied(waiting, change))
        # Not under the lock: somebody else's memory may take its time.
        return self._sent(waiting, change)

    def reopen(self, name: str) -> Waiting:
        """What a person rejected waits again."""
        with self._writer.store.write():
            waiting = self.get(name)
            if waiting.status != "rejected":
                raise Refused(f"{_id(waiting)} was not rejected.")
            settle(_id(waiting), "waiting", self._writer.store)
        return waiting

    def _linked(self, waiting: Waiting, before: int, outcome: Outcome) -> Outcome:
        """Note which change an approval made, so that taking it back makes it wait again."""
        change_id = self._writer.store.changes.newest()
        if change_id > before:
            self._writer.store.set_home_value(f"{APPROVED}{change_id}", _id(waiting))
        return outcome

    def reject(self, name: str) -> Waiting:
        """A person rejects it: it is not offered again."""
        with self._writer.store.write():
            waiting = self.get(name)
            _require_waiting(_id(waiting), waiting.status)
            if isinstance(waiting, Candidate):
                self._candidates.settle(waiting.candidate_id, "rejected")
            else:
                self._staged.settle(waiting.staged_id, "rejected")
        return waiting

    def _status(self, waiting: Waiting) -> str:
        if waiting.status == "waiting" and waiting.expires and waiting.expires < self._writer.now:
            return "expired"
        return waiting.status

    def _accept_words(self, staged: Staged) -> Outcome:
        outcome = accept_words(staged, self._writer)
        self._staged.settle(staged.staged_id, "accepted")
        return outcome

    def _approve_candidate(self, candidate: Candidate, draft: Draft) -> Outcome:
        draft = draft._replace(source="user")
        moved = self._preference(candidate) if candidate.kind == PROFILE else ""
        wanted = Update(moved, draft) if moved else Add(draft)
        outcome = write([wanted], self._writer, action="approve")[0]
        self._candidates.settle(candidate.candidate_id, "accepted")
        return outcome

    def _preference(self, candidate: Candidate) -> str:
        """The preference that goes into the profile, if it still stands."""
        said = self._writer.store.entries.saying(statement_key(candidate.draft.content))
        here = (one.entry for one in said if one.entry.status == "active")
        return next((entry.entry_id for entry in here if entry.layer == "L1" and entry.scope == "user"), "")

    def _as_it_was(self, staged: Staged) -> WantedChange:
        """What was staged, unless what it would touch is no longer there."""
        try:
            return from_staged(staged, self._writer.store)
        except NotFound as error:
            raise Refused(
                "What it would change is no longer there, so nothing was done. Drop it with `recollect reject`."
            ) from error

    def _applied(self, staged: Staged, change: OwnChange) -> Outcome:
        neighbours = None
        if isinstance(change, StoreEntry):
            neighbours = find_neighbours(change.draft, self._writer.store, anywhere=True)
            _require_nothing_new(change, store_entry(change.draft, neighbours, self._writer))
        if isinstance(change, (StoreEntry, UpdateEntry)):
            # Whoever accepts a text after reading it vouches for it; what it rests on stays as it was.
            change = change._replace(draft=change.draft._replace(source="user"))
        outcome = apply(change, self._writer, session=staged.session, neighbours=neighbours)
        if outcome.is_done:
            self._staged.settle(staged.staged_id, "accepted")
        return outcome

    def _sent(self, staged: Staged, change: SentChange) -> Outcome:
        strategy, done = None, False
        try:
            strategy = self._strategy(change.strategy)
            outcome = send(change, strategy)
            done = outcome.is_done
            return outcome
        finally:
            if strategy:
                strategy.close()
            if not done:  # it waits on
                with self._writer.store.write():
                    self._staged.settle(staged.staged_id, "waiting")


def settle(name: str, status: str, store: Store) -> None:
    """What becomes of something that waits, or waited."""
    if name.startswith(STAGED):
        store.staged.settle(name, status)
    else:
        store.candidates.settle(name, status)


def _as_wished(draft: Draft, *, text: str, scope: Scope | None, repository: str) -> Draft:
    if text and text != draft.content:
        # Who says it in their own words has typed it; a subject that was guessed from other words goes.
        draft = draft._replace(content=text, subject="", origin="typed")
    if scope:
        draft = draft._replace(scope=scope, repository=repository if scope == "repository" else "")
    return draft


def _require_nothing_new(staged: StoreEntry, now: StoreEntry) -> None:
    """Refused when the statement would by now replace more than the person was shown."""
    seen = {entry.entry_id for entry in staged.replaces}
    new = [entry for entry in now.replaces if entry.entry_id not in seen]
    if new and seen:
        raise Refused(
            f"It would now also replace {new[0].entry_id}, which was stored after the request; nothing was done."
        )


def _id(waiting: Waiting) -> str:
    return waiting.candidate_id if isinstance(waiting, Candidate) else waiting.staged_id


def _require_waiting(name: str, status: str) -> None:
    if status != "waiting":
        raise Refused(f"{name} was {status} already." if status != "expired" else f"{name} has expired.")
