"""The facts of a memory: entries of the core, as an editor works with them, and where they are looked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.errors import NotFound, Refused
from recollect.flows.suggestions.ground import as_fact, entries_of, facts_here, proven_commands
from recollect.flows.suggestions.listening import Listeners
from recollect.flows.suggestions.mode import current_mode
from recollect.flows.writes.write import write
from recollect.memory.drafts import edited
from recollect.model.drafts import Add, Remove, Update
from recollect.model.suggestions import CATEGORIES, Fact
from recollect.suggestions.facts import category_of, rejected, scope_of, with_answer_votes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recollect.flows.opened import Opened
    from recollect.model.drafts import Outcome
    from recollect.model.entries import Citation, Entry, Scope
    from recollect.model.suggestions import Suggestion

    Facts = list[Fact]

MOST_ASKED = 20  # sessions that a model is asked about at once
LAST_EXTRACTION = "facts.extracted."  # and the repository, or nothing for the user
OFF = "Facts are not kept while suggestions.mode is off. Run `recollect settings set suggestions.mode occasional`."


class FactList:
    """Facts of this repository and its user."""

    def __init__(self, memory: Opened) -> None:
        self._memory = memory
        self._listeners = Listeners(memory, "facts")

    def list(self, scope: Scope | None = None, *, inactive: bool = False) -> Facts:
        """The facts that suggestions are made from; with `inactive`, also those beyond the limit of their pool."""
        found = self._every() if inactive else facts_here(self._memory)
        return [fact for fact in found if scope is None or fact.scope == scope]

    def get(self, fact_id: str) -> Fact:
        """The fact with this id, or a unique beginning or end of one."""
        store = self._memory.store
        entry = with_answer_votes(store.entries.get(fact_id).entry, store.sessions.votes())
        fact = as_fact(entry, proven_commands(self._memory), self._memory)
        if fact is None:
            raise NotFound(f"{entry.entry_id} is not a fact that suggestions are made from.")
        return fact

    def add(
        self,
        content: str,
        *,
        reason: str = "",
        citations: Sequence[str | Citation] = (),
        scope: Scope | None = None,
        category: str = "",
        session: str = "",
        confidence: float = 0.0,
    ) -> Fact:
        """Store a fact. Without a scope: in the repository if it names a file or a tool of it, else for the user."""
        from recollect.flows.views.entries import EntryList

        self._require_on()
        _require_fit(content, category)
        draft = EntryList(self._memory).draft(content, reason=reason, cite=citations, scope="user")
        place = scope or scope_of(content, draft.citations)
        here = self._memory.repository.repository
        draft = draft._replace(
            scope=place if here else "user",
            repository=here if place == "repository" else "",
            tags=(category,) if category else (),
            session=session,
            confidence=confidence,
        )
        outcome = self._done(write([Add(draft)], self._memory.writer("user"), action="fact")[0])
        fact = self.get(outcome.entry_id)
        self._listeners.tell_added([fact])
        self._share()
        return fact

    def update(
        self, fact_id: str, *, content: str | None = None, reason: str | None = None, category: str = ""
    ) -> Fact:
        """Change what a fact says; the old version stays in the trail."""
        self._require_on()
        entry = self._memory.store.entries.get(fact_id).entry
        _require_fit(entry.content if content is None else content, category)
        tags = (*(tag for tag in entry.tags if tag not in CATEGORIES), category) if category else None
        draft = edited(entry, text=content, reason=reason, tags=tags)
        outcome = self._done(write([Update(entry.entry_id, draft)], self._memory.writer("user"), action="fact")[0])
        self._changed()
        return self.get(outcome.entry_id or entry.entry_id)

    def remove(self, fact_id: str) -> None:
        """Retire a fact; what is left keeps it from coming back."""
        entry = self._memory.store.entries.get(fact_id).entry
        self._done(write([Remove(entry.entry_id)], self._memory.writer("user"), action="fact")[0])
        self._changed()

    def last_extraction(self, scope: Scope = "repository") -> float:
        """When sessions were last looked through for facts of this scope; 0 for never."""
        return float(self._memory.store.home_value(self._mark(scope)) or 0.0)

    def extract(self, *, ask: bool = True) -> int:
        """Look through the sessions that were not looked through yet; returns how many facts are new. With `ask`, a
        model reads those that it was not asked about when they ended."""
        from recollect.flows.sessions.extraction import read, unread
        from recollect.flows.sessions.past_sessions import PastSessions

        self._require_on()
        memory, since = self._memory, self.last_extraction()
        stored = [one.stored for one in PastSessions(memory).digest()]
        if ask and memory.models.is_there():
            found = unread(memory.store, limit=MOST_ASKED, since=since, exclude=memory.settings.exclude)
            stored += [one.stored for one in read(found, memory, memory.models)]
        self.note_extraction()
        if stored:
            self._changed()
        return sum(map(len, stored))

    def note_extraction(self) -> None:
        """Sessions were looked through now."""
        with self._memory.store.write(durable=False):
            for scope in ("repository", "user"):
                self._memory.store.set_home_value(self._mark(scope), str(self._memory.now))

    def worded(self, one: Suggestion, text: str) -> Fact:
        """The fact of a suggestion in a person's own words."""
        known = [fact for fact in self._every() if fact.fact_id in one.fact_ids]
        base = known[0] if known else Fact("", text, confidence=one.confidence)
        return base._replace(content=text, category=category_of(text))

    def subscribe(
        self, *, added: Callable[[Fact], None] | None = None, changed: Callable[[], None] | None = None
    ) -> Callable[[], None]:
        """Be called when a fact is added in this process, or facts change; returns what ends that."""
        return self._listeners.subscribe(added, changed)

    def _every(self) -> Facts:
        commands = proven_commands(self._memory)
        places = dict.fromkeys((self._memory.repository.repository, ""))
        found = [as_fact(entry, commands, self._memory) for place in places for entry in self._entries(place)]
        return [fact for fact in found if fact is not None]

    def _entries(self, place: str) -> Sequence[Entry]:
        return entries_of(self._memory, place)

    def _changed(self) -> None:
        self._listeners.tell_changed()
        self._share()

    def _share(self) -> None:
        from recollect.flows.suggestions.sharing import share_facts

        share_facts(self._memory)

    def _done(self, outcome: Outcome) -> Outcome:
        if not outcome.is_done:
            raise Refused(outcome.why or "The fact was not stored.")
        return outcome

    def _require_on(self) -> None:
        if current_mode(self._memory) == "off":
            raise Refused(OFF)

    def _mark(self, scope: str) -> str:
        return LAST_EXTRACTION + (self._memory.repository.repository if scope == "repository" else "")


def _require_fit(content: str, category: str) -> None:
    why = rejected(content)
    if why:
        raise Refused(f"That cannot be kept as a fact: {why}.")
    if category and category not in CATEGORIES:
        raise Refused(f"{category!r} is not a category; categories are {', '.join(CATEGORIES)}.")
