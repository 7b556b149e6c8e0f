"""Keep what a model found in a session: typed words apply, its own sentences only where an agent's may."""

from __future__ import annotations

from recollect.errors import Refused
from recollect.flows.sessions.digest import LONGEST_QUOTE, Keeper, offer, store_said
from recollect.flows.writes.correct import correct_prepared, meant_by
from recollect.flows.writes.inherit import inherit
from recollect.flows.writes.wanted_changes import UpdateEntry, described, to_payload
from recollect.flows.writes.write import supersede
from recollect.memory.correcting.parts import changed_parts
from recollect.memory.correcting.reword import reworded
from recollect.memory.drafts import prepare
from recollect.memory.grounding import ground, is_faithful, is_part, keeps_values, may_apply, may_wait
from recollect.model.drafts import Draft
from recollect.model.entries import Citation
from recollect.model.permissions import Staged
from recollect.permissions import is_users_own, risk_of_text
from recollect.text import ids
from recollect.text.language.statements import statement_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.flows.opened import Opened
    from recollect.memory.grounding import Answer, Grounded
    from recollect.model.entries import Entry, Scope
    from recollect.model.sessions import Session, Turn
    from recollect.store.entries import Stored

DURABLE = ("rule", "fact", "preference")
WAIT_SECONDS = 14 * 86_400.0
REPHRASED = "a model put into its own words what the user typed."
MEANT = "a model sees this as a correction of it, but the rules do not."


class Extractor:
    """Takes the answers of one session, one by one. `passed`: the model has proved that it may do more than choose."""

    def __init__(self, session: Session, memory: Opened, *, passed: bool, client: str) -> None:
        self.stored: list[str] = []
        self.waiting = 0
        self._session = session
        self._memory = memory
        self._store = memory.store
        self._passed = passed
        self._client = client
        self._writer = memory.writer("system")
        self._keeper = Keeper(self._writer, lambda: memory.new_id(ids.CANDIDATE))

    def keep(self, answer: Answer, turn: Turn, before: str, old: Entry | None) -> None:
        """Store it, let it wait, or drop it. What was not typed word for word is dropped."""
        if answer.kind not in DURABLE:
            self._judge_again(turn)
            return
        grounded = ground(answer, turn.user, before=before)
        if grounded is None:
            return
        try:
            if not may_apply(grounded, answer, passed=self._passed):
                self._wait(grounded, answer, turn)
            elif old is not None and self._passed:
                self._correct(grounded, answer, turn, old)
            else:
                self._add(grounded, answer, turn)
        except Refused:
            return  # it cannot be an entry, or the profile is full

    # -- what becomes of it

    def _add(self, grounded: Grounded, answer: Answer, turn: Turn) -> None:
        draft = self._draft(grounded, answer, turn)
        if self._corrected_by_rules(grounded, draft, turn):
            # Once more, "3, not 1" would be said of the sentence that has the 3 already.
            self._settle(grounded)
            return
        phrased = answer.statement if self._passed and keeps_values(answer.statement, grounded.said) else ""
        known = self._kept_by_rules(draft, turn)
        if known is None and self._may_phrase(phrased, grounded, draft, turn):
            # Its phrasing is the agent's; the quote stays with it.
            draft = draft._replace(content=phrased, source="agent", origin="assistant")
            phrased = ""
        entry_id = "" if known else store_said(draft, self._writer, corrects=grounded.kind == "correction")
        if entry_id:
            self.stored.append(entry_id)
        self._settle(grounded)
        entry_id = entry_id or (known.entry_id if known else "")
        if phrased and entry_id:
            self._stage(self._store.entries.get(entry_id).entry, phrased, draft, REPHRASED)

    def _correct(self, grounded: Grounded, answer: Answer, turn: Turn, old: Entry) -> None:
        """Put what was typed in the place of the entry that the model names, if rules see that it may be meant."""
        draft = self._draft(grounded, answer, turn)
        text = reworded(grounded.said, old.content)
        phrased = answer.statement if keeps_values(answer.statement, grounded.said, old.content) else ""
        with self._store.write():
            now = self._store.entries.get(old.entry_id)
            if now.entry.status != "active" or (turn.at and now.entry.created > turn.at):
                return self._add(grounded, answer, turn)
            if not self._is_meant(draft, grounded, now.entry):
                self._stage(now.entry, phrased or text, draft, MEANT)
                return None
            known = self._kept_by_rules(draft, turn)
            if not is_users_own(now.entry) and is_faithful(phrased, grounded, turn.user, old.content):
                text, phrased = phrased, ""
                draft = draft._replace(source="agent", origin="assistant")
            ready = inherit(prepare(draft._replace(content=text)), [now])
            outcome = correct_prepared(prepare(ready), self._writer, entry_id=now.entry_id)
            if outcome.status == "stored":
                self._take_the_place_of(known, outcome.entry_id)
                self.stored.append(outcome.entry_id)
            self._settle(grounded)
            if phrased and outcome.entry_id:
                self._stage(self._store.entries.get(outcome.entry_id).entry, phrased, draft, REPHRASED)
        return None

    def _wait(self, grounded: Grounded, answer: Answer, turn: Turn) -> None:
        if not may_wait(grounded, answer, passed=self._passed):
            return
        sure = min(answer.confidence, 0.74) if self._passed else 0.5
        why = f"typed in {self._session.host}, turn {turn.number}; a model sees it as a {answer.kind}"
        draft = self._draft(grounded, answer, turn)
        self.waiting += offer(grounded.kind, draft, why, self._keeper, proof=1, confidence=sure)

    def _judge_again(self, turn: Turn) -> None:
        """What waits, and a model that has proved itself takes for passing, waits no longer."""
        if not self._passed:
            return
        with self._store.write(durable=False):
            for candidate in self._store.candidates.waiting():
                cited = [(one.session, one.turn) for one in candidate.draft.citations]
                if (self._session.session_id, turn.number) in cited and candidate.proof == 1:
                    self._store.candidates.settle(candidate.candidate_id, "expired")

    # -- the parts of it

    def _draft(self, grounded: Grounded, answer: Answer, turn: Turn) -> Draft:
        scope: Scope = grounded.scope
        if self._passed and answer.scope:
            scope = "user" if answer.scope == "user" else "repository"
        if not self._session.repository:
            scope = "user"
        quote = Citation(
            "turn", session=self._session.session_id, turn=turn.number, quote=grounded.said[:LONGEST_QUOTE]
        )
        sure = grounded.found.confidence if grounded.found else 0.0
        return Draft(
            grounded.statement,
            scope=scope,
            repository=self._session.repository if scope == "repository" else "",
            citations=(quote,),
            tags=(grounded.kind,) if grounded.kind != "fact" else (),
            source="system",
            origin="typed" if grounded.stated else "assistant",
            confidence=round(max(sure, answer.confidence if self._passed else 0.0, 0.5), 3),
            session=self._session.session_id,
            created=turn.at,
        )

    def _may_phrase(self, phrased: str, grounded: Grounded, draft: Draft, turn: Turn) -> bool:
        """May the model's sentence stand for the typed one? It says nothing else, and nobody's word is at stake."""
        if not phrased or not is_faithful(phrased, grounded, turn.user):
            return False
        about = meant_by(prepare(draft), self._store, asked=False)
        replaced = [self._store.entries.get(entry_id).entry for entry_id in about.replaced]
        risk = risk_of_text(phrased, origin="assistant", layer=draft.layer, scope=draft.scope, contradicts=replaced)
        return not risk.waits

    def _is_meant(self, draft: Draft, grounded: Grounded, old: Entry) -> bool:
        if changed_parts(grounded.said, old.content):
            return True
        meant = meant_by(prepare(draft._replace(content=grounded.said)), self._store)
        return old.entry_id in (*meant.replaced, *meant.likely)

    def _kept_by_rules(self, draft: Draft, turn: Turn) -> Stored | None:
        """What rules stored of this very turn already."""
        here = (self._session.session_id, turn.number)
        for stored in self._store.entries.saying(statement_key(prepare(draft).content)):
            cited = [(one.session, one.turn) for one in stored.entry.citations]
            if stored.entry.status == "active" and here in cited:
                return stored
        return None

    def _corrected_by_rules(self, grounded: Grounded, draft: Draft, turn: Turn) -> bool:
        """Did rules change an entry because of these very words? Then it says something else than they do."""
        key, here = statement_key(prepare(draft).content), (self._session.session_id, turn.number)
        mine = self._store.entries.listed({"session": self._session.session_id, "status": "active"})
        return any(
            (one.session, one.turn) == here and is_part(one.quote, grounded.said)
            for stored in mine
            if stored.entry.layer != "L2" and statement_key(stored.entry.content) != key
            for one in stored.entry.citations
        )

    def _take_the_place_of(self, known: Stored | None, entry_id: str) -> None:
        if known is None or known.entry_id == entry_id:
            return
        fresh = self._store.entries.get(known.entry_id)
        if fresh.entry.status == "active":
            change_id = self._store.changes.of_entry(entry_id)[-1].change.change_id
            supersede(fresh, entry_id, self._writer, change_id)

    def _settle(self, grounded: Grounded) -> None:
        """What is stored does not wait as well."""
        key = statement_key(grounded.statement)
        with self._store.write(durable=False):
            for candidate in self._store.candidates.waiting():
                if candidate.came_from == self._session.session_id and statement_key(candidate.draft.content) == key:
                    self._store.candidates.settle(candidate.candidate_id, "accepted")

    def _stage(self, target: Entry, text: str, draft: Draft, why: str) -> None:
        """Let a model's sentence wait for a person, in the place of an entry."""
        if not text or statement_key(text) == statement_key(target.content):
            return
        mine = draft._replace(content=text, source="agent", origin="assistant", layer=target.layer, scope=target.scope)
        mine = mine._replace(
            repository=target.repository, subject=target.subject, aliases=target.aliases, tags=target.tags
        )
        change = UpdateEntry(target, prepare(mine), (target,))
        about, now = described(change), self._writer.now
        staged = Staged(
            self._memory.new_id(ids.STAGED),
            about.action,
            about.target_id,
            to_payload(change),
            about.what,
            why,
            client=self._client,
            session=self._session.session_id,
            repository=target.repository,
            created=now,
            expires=now + WAIT_SECONDS,
        )
        with self._store.write():
            self._store.staged.add(staged)
        self.waiting += 1
