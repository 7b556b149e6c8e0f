"""Permission, then the change: what an agent wants is done, asked about, or staged for a person."""

from __future__ import annotations

from recollect.flows.turns.announcements import announce_applied
from recollect.flows.writes.gate import Gate, rules_for
from recollect.flows.writes.tool_counts import ALLOWED, APPROVED, DENIED, REJECTED
from recollect.flows.writes.tool_counts import STAGED as STAGES
from recollect.flows.writes.wanted_changes import (
    SendToStrategy,
    UpdateEntry,
    VoteInStrategy,
    apply,
    described,
    question,
    require_unchanged,
    send,
    store_entry,
    to_payload,
    update_entry,
)
from recollect.memory.drafts import prepare
from recollect.memory.neighbours import find_neighbours
from recollect.memory.origins import LONGEST_QUOTE
from recollect.model.drafts import STAGED, Outcome
from recollect.model.entries import Citation
from recollect.model.permissions import MEMORY, Staged
from recollect.permissions import RELABELS, is_users_own, risk_of_text
from recollect.strategies.gates import OWN
from recollect.text import ids
from recollect.text.language.statements import statement_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    from recollect.flows.opened import Opened
    from recollect.flows.writes.actors import Agent
    from recollect.flows.writes.evidence import Evidence
    from recollect.flows.writes.tool_counts import ToolCounts
    from recollect.flows.writes.wanted_changes import OwnChange, StoreEntry, WantedChange
    from recollect.flows.writes.writers import Writer
    from recollect.memory.drafts import Prepared
    from recollect.memory.neighbours import Neighbour
    from recollect.model.drafts import Draft
    from recollect.model.entries import Entry
    from recollect.model.permissions import Decision
    from recollect.permissions import Risk
    from recollect.ports import Strategy

    Change = TypeVar("Change", StoreEntry, UpdateEntry)

WAIT_SECONDS = 14 * 86_400.0
NAME_WORDS = 4  # of a subject, another name or a tag


class PermittedChanges:
    """The changes of one agent: each is permitted, or does not happen."""

    def __init__(
        self,
        agent: Agent,
        memory: Opened,
        strategy: Callable[[], Strategy | None],
        evidence: Evidence,
        counts: ToolCounts,
    ) -> None:
        self._agent = agent
        self._counts = counts
        self._evidence = evidence
        self._memory = memory
        self._strategy = strategy  # the one chosen for this agent
        self._store = memory.store
        self._repository = memory.repository.repository
        rules = rules_for(memory.settings, agent.allow_tools, agent.deny_tools)
        self._gate = Gate(agent, self._repository, rules, new_id=memory.new_id, clock=memory.clock)

    def write_draft(self, draft: Draft, *, instead_of: Entry | None = None) -> Outcome:
        """Store a draft, or put it in an entry's place, as far as that is permitted."""
        ready, writer = prepare(draft), self._writer()
        # Locked from the look to the write: nobody else writes in between, so one look is enough.
        with self._store.write():
            near = find_neighbours(ready, self._store, anywhere=True)
            change: StoreEntry | UpdateEntry
            if instead_of:
                change = self._corrected(update_entry(instead_of, ready, near))
                require_unchanged(change, self._store)
            else:
                change = self._corrected(store_entry(ready, near, writer))
                if change.buried and change.draft.origin != "typed":
                    return Outcome("refused", why=change.buried)
            risk = _risk_of(change)
            decision = self._ruling(risk)
            if decision == "allow":
                self._counts.permission(OWN, ALLOWED)
                return self._done(change, writer, near)
        return self._decided(change, risk, decision)

    def permitted(self, change: WantedChange, risk: Risk) -> Outcome:
        """Do it, or say why not: denied by a rule or a person, or staged because nobody could be asked."""
        return self._decided(change, risk, self._ruling(risk))

    def _corrected(self, change: Change) -> Change:
        """The change as the user's word, where they typed the new value of the one entry that it replaces."""
        draft: Prepared = change.draft
        if draft.origin != "assistant" or len(change.replaces) != 1:
            return change
        [old] = change.replaces
        same_place = (old.layer, old.scope, old.repository) == ("L1", draft.scope, draft.repository)
        if draft.layer != "L1" or not same_place or not is_users_own(old):
            return change
        sentence = self._evidence.correction(old, draft.content)
        if not sentence:
            return change
        quote = Citation("turn", session=self._agent.session, quote=sentence[:LONGEST_QUOTE])
        return change._replace(draft=draft._replace(origin="typed", citations=(*draft.citations, quote)))

    def _ruling(self, risk: Risk) -> Decision:
        decision = self._gate.decide(MEMORY, self._store)
        return "allow" if decision == "ask" and not risk.waits else decision

    def _decided(self, change: WantedChange, risk: Risk, decision: Decision) -> Outcome:
        strategy = change.strategy if isinstance(change, SendToStrategy | VoteInStrategy) else OWN
        if decision == "deny":
            self._counts.permission(strategy, DENIED)
            return Outcome("denied", why="A rule forbids agents from changing memory (permissions.deny).")
        if decision == "allow":
            self._counts.permission(strategy, ALLOWED)
            return self._applied(change)
        asked = question(change, risk.why, client=self._agent.client, repository=self._repository)
        answer = self._gate.ask(asked, self._store)  # not under the lock: a person takes their time
        self._counts.permission(strategy, {"deny": REJECTED, "allow": APPROVED}.get(answer, STAGES))
        if answer == "deny":
            return Outcome("denied", why="The user said no.")
        return self._applied(change) if answer == "allow" else self._stage(change, risk)

    def _applied(self, change: WantedChange) -> Outcome:
        match change:
            case SendToStrategy() | VoteInStrategy():
                return send(change, self._strategy())
            case _:
                writer = self._writer()
                with self._store.write():
                    # Others may have written since this was asked for, so what is stored is looked at again.
                    require_unchanged(change, self._store)
                    return self._done(change, writer)

    def _done(self, change: OwnChange, writer: Writer, neighbours: Sequence[Neighbour] | None = None) -> Outcome:
        """Do it in our own store. Needs an open write(), under which the neighbours were found."""
        outcome = apply(change, writer, session=self._agent.session, neighbours=neighbours)
        about = described(change)
        self._store.staged.settle_same(about.action, about.what, about.repository, target_id=about.target_id)
        announce_applied(about, outcome, writer, client=self._agent.client)
        return _in_words(outcome)

    def _stage(self, change: WantedChange, risk: Risk) -> Outcome:
        about, now = described(change), self._memory.now
        staged = Staged(
            self._memory.new_id(ids.STAGED),
            about.action,
            about.target_id,
            to_payload(change),
            about.what,
            risk.why,
            client=self._agent.client,
            session=self._agent.session,
            repository=self._repository if about.scope == "repository" else "",
            created=now,
            expires=now + WAIT_SECONDS,
        )
        with self._store.write():
            staged_id = self._store.staged.add(staged)
        return Outcome(STAGED, staged_id, f"It is waiting for the user, because {risk.why}")

    def _writer(self) -> Writer:
        return self._memory.writer(f"agent:{self._agent.client}" if self._agent.client else "agent")


def _risk_of(change: StoreEntry | UpdateEntry) -> Risk:
    draft = change.draft
    old = change.target if isinstance(change, UpdateEntry) else None
    if old and is_users_own(old) and statement_key(draft.content) == statement_key(old.content):
        return RELABELS
    # A name of many words is a sentence, which comes back with the entry.
    sentences = [name for name in (draft.subject, *draft.aliases, *draft.tags) if len(name.split()) > NAME_WORDS]
    text = "\n".join((draft.content, *sentences))
    return risk_of_text(text, origin=draft.origin, layer=draft.layer, scope=draft.scope, contradicts=change.replaces)


def _in_words(outcome: Outcome) -> Outcome:
    """An outcome as an agent is told it: what it took the place of stands in the sentence, and in no list."""
    why = outcome.why
    if outcome.superseded and outcome.status == "stored":
        why = f"It replaces {', '.join(outcome.superseded)}." + (f" {why}" if why else "")
    return Outcome(outcome.status, outcome.entry_id, why)
