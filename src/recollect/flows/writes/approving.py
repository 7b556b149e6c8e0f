"""A person approves what waits: statements are stored, perhaps reworded; any other change is made exactly as asked."""

from __future__ import annotations

from recollect.errors import NotFound, Refused
from recollect.flows.writes.pending import id_of, may_reword, note_approved, require_waiting
from recollect.flows.writes.require_statement import require_more_than_secret, require_statement
from recollect.flows.writes.tasks import TASK, accept_words
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
from recollect.memory.drafts import prepare
from recollect.memory.neighbours import find_neighbours
from recollect.model.candidates import Candidate
from recollect.model.drafts import Add, Outcome, Update
from recollect.model.receipts import PROFILE
from recollect.text.language.statements import statement_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recollect.flows.writes.pending import Waiting
    from recollect.flows.writes.wanted_changes import OwnChange, SentChange, WantedChange
    from recollect.flows.writes.writers import Writer
    from recollect.memory.neighbours import Neighbour
    from recollect.model.drafts import Draft
    from recollect.model.entries import Scope
    from recollect.model.permissions import Staged
    from recollect.ports import Strategy


class Approving:
    """Applies what a person approved."""

    def __init__(self, writer: Writer, strategy: Callable[[str], Strategy | None]) -> None:
        self._writer = writer
        self._strategy = strategy  # the strategy of this name, or None when it is not in use here
        self._candidates = writer.store.candidates
        self._staged = writer.store.staged

    def approve(self, find: Callable[[], Waiting], *, text: str, scope: Scope | None, repository: str) -> Outcome:
        """Apply what is found to wait, under the lock under which it is found."""
        with self._writer.store.write():
            waiting = find()
            require_waiting(id_of(waiting), self._status(waiting))
            before = self._writer.store.changes.newest()
            if isinstance(waiting, Candidate):
                draft = _as_wished(waiting.draft, text=text, scope=scope, repository=repository)
                return self._linked(waiting, before, self._approve_candidate(waiting, draft))
            if (text or scope) and not may_reword(waiting):
                raise Refused("This change is made exactly as asked, or not at all.")
            if waiting.action == TASK:
                return self._linked(waiting, before, self._accept_words(waiting))
            change = self._as_it_was(waiting)
            match change:
                case SendToStrategy() | VoteInStrategy():
                    # Taken before it is sent: who accepts it at the same time finds it settled.
                    self._staged.settle(waiting.staged_id, "accepted")
                case StoreEntry(draft=asked):
                    draft = _as_wished(asked, text=text, scope=scope, repository=repository)
                    return self._linked(waiting, before, self._stored(waiting, change, draft))
                case _:
                    return self._linked(waiting, before, self._applied(waiting, change))
        # Not under the lock: somebody else's memory may take its time.
        return self._sent(waiting, change)

    def _linked(self, waiting: Waiting, before: int, outcome: Outcome) -> Outcome:
        """Note which change an approval made, so that taking it back makes it wait again."""
        note_approved([id_of(waiting)], self._writer.store, since=before)
        return outcome

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
                "What it would change is no longer there, so nothing was done. "
                f"Drop it with `recollect reject {staged.staged_id}`."
            ) from error

    def _stored(self, staged: Staged, asked: StoreEntry, draft: Draft) -> Outcome:
        """Store a statement as the person leaves it."""
        # Whoever accepts a text after reading it vouches for it; what it rests on stays as it was.
        ready = prepare(draft._replace(source="user"))
        neighbours = find_neighbours(ready, self._writer.store, anywhere=True)
        now = store_entry(ready, neighbours, self._writer)
        _require_nothing_new(asked, now)
        # Other words need not contradict what the old ones did.
        change = now if ready.content != asked.draft.content else asked._replace(draft=ready)
        return self._applied(staged, change, neighbours)

    def _applied(self, staged: Staged, change: OwnChange, neighbours: Sequence[Neighbour] | None = None) -> Outcome:
        if isinstance(change, UpdateEntry):
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


def _as_wished(draft: Draft, *, text: str, scope: Scope | None, repository: str) -> Draft:
    if text and text != draft.content:
        require_statement(text)
        require_more_than_secret(text)
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
