"""The suggestions of a memory, for every door: listed, shown, made, edited, dismissed, applied, taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.errors import Refused
from recollect.flows.suggestions.applying import (
    OUTDATED,
    apply_suggestion,
    lost_fact,
    require_open,
    require_undecided,
    undo_suggestion,
)
from recollect.flows.suggestions.facts import FactList
from recollect.flows.suggestions.listening import Listeners
from recollect.flows.suggestions.mode import current_mode
from recollect.flows.suggestions.models import chooser
from recollect.flows.suggestions.reconcile import Reconciled, last_run, reconcile, suggestions_lock
from recollect.flows.suggestions.refreshing import refreshed
from recollect.flows.suggestions.rewording import reworded, to_be_edited
from recollect.flows.writes.actors import caller, require_person
from recollect.model.record import Record
from recollect.model.suggestions import DISMISSED, OPEN, PENDING, Suggestion
from recollect.suggestions.diffs import unified
from recollect.suggestions.proposing import is_sound

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from recollect.flows.opened import Opened
    from recollect.flows.suggestions.applying import ApplyOutcome, Written
    from recollect.flows.suggestions.checking import Finding

    Several = list[Suggestion]
    Findings = list[Finding]

COUNT_DISMISSED = "suggestions dismissed"
OFF = "Memory suggestions are disabled. Enable them with `recollect settings set suggestions.mode occasional`."


class Header(Record):
    """What stands above a list: the mode, the last run, how many wait."""

    mode: str
    last_run: float  # 0: never
    pending: int


class SuggestionList:
    """Suggestions of this repository and its user."""

    def __init__(self, memory: Opened) -> None:
        self._memory = memory
        self._store = memory.store.suggestions
        self._listeners = Listeners(memory, "suggestions")

    @property
    def header(self) -> Header:
        """The mode, the last run, how many wait."""
        return Header(self.mode, last_run(self._memory), self.pending_count())

    @property
    def mode(self) -> str:
        """When suggestions are made and told."""
        return current_mode(self._memory)

    def list(self, status: str = "", *, everywhere: bool = False, as_shown: bool = False) -> Several:
        """Suggestions of a status, by default all that wait, surest first: on their files as these are now, or as they
        were shown last."""
        place = None if everywhere else self._memory.repository.repository
        found = [
            one for wanted in ((status,) if status else OPEN) for one in self._store.listed(wanted, repository=place)
        ]
        return found if as_shown else refreshed(found, self._memory)

    def get(self, name: str, *, as_shown: bool = False) -> Suggestion:
        """The suggestion with this id, or a unique beginning or end of one, on its file as that is now, or as it was
        shown last; with a note where it is outdated."""
        one = self._store.get(name)
        if not as_shown:
            [one] = refreshed([one], self._memory)
        lost = lost_fact(one, self._memory) if one.status in OPEN else ""
        return one._replace(note=OUTDATED.format(lost=lost)) if lost else one

    def is_open(self, one: Suggestion) -> bool:
        """Does it wait for a person, and does what it was made from still hold?"""
        return one.status in OPEN and not lost_fact(one, self._memory)

    def pending_count(self, *, everywhere: bool = False) -> int:
        """How many wait for a person, here or in every repository: what a badge shows."""
        return self._store.count(repository=None if everywhere else self._memory.repository.repository)

    def diff(self, one: Suggestion) -> str:
        """The change as a unified diff."""
        return unified(one.target, one.before, one.after)

    def similar(self, one: Suggestion) -> Several:
        """Others that wait for the same place of the same file; one that removes a line is decided by itself."""
        place = (one.repository, one.root, one.target, one.place)
        return [
            other
            for other in self.list(PENDING, everywhere=True)
            if other.suggestion_id != one.suggestion_id
            and (other.repository, other.root, other.target, other.place) == place
            and is_plain(other)
            and other.action != "remove"
        ]

    def check(self) -> Findings:
        """What customization files and shared facts name, against the working tree."""
        from recollect.flows.suggestions.checking import check_customizations

        return check_customizations(self._memory)

    def reconcile(self) -> Reconciled:
        """Make suggestions from what was learned, after a look through new sessions. A model reads those only in the
        mode manual: in the others it was asked when they ended."""
        if self.mode == "off":
            raise Refused(OFF)
        FactList(self._memory).extract(ask=self.mode == "manual")
        done = reconcile(self._memory, choose=chooser(self._memory))
        self._listeners.tell_added(done.added)
        return done

    def generate(self, fact_id: str) -> Sequence[Suggestion]:
        """Make suggestions from one fact."""
        if self.mode == "off":
            raise Refused(OFF)
        fact = FactList(self._memory).get(fact_id)
        done = reconcile(self._memory, facts=[fact])
        self._listeners.tell_added(done.added)
        return done.added

    def apply(self, name: str) -> ApplyOutcome:
        """Write what it proposes; only a person asks for that."""
        self._refuse_agents()
        done = apply_suggestion(name, self._memory)
        self._listeners.tell_changed()
        return done

    def undo(self, name: str) -> Written:
        """Bring back the file from before, or a dismissed suggestion; it waits again."""
        self._refuse_agents()
        done = undo_suggestion(name, self._memory)
        self._listeners.tell_changed()
        return done

    def undo_each(self, names: Sequence[str]) -> Iterator[Written]:
        """Undo several, the last applied first. What another one of them stands in the way of comes after that one."""
        found = {one.suggestion_id: one for one in map(self._store.get, names)}
        left = sorted(found, key=lambda name: found[name].updated, reverse=True)
        while left:
            refused: Refused | None = None
            for name in tuple(left):
                try:
                    done = self.undo(name)
                except Refused as error:
                    refused = refused or error
                else:
                    left.remove(name)
                    yield done
                    break
            else:
                assert refused is not None
                raise refused

    def dismiss(self, name: str) -> Suggestion:
        """Drop it: it is known by its fingerprint and not suggested again, unless this is undone."""
        self._refuse_agents()
        with suggestions_lock(self._memory), self._memory.store.write():
            one = self._store.get(name)
            require_undecided(one)
            one = one._replace(status=DISMISSED, updated=self._memory.now)
            self._store.save(one)
            self._memory.store.count(COUNT_DISMISSED)
        self._listeners.tell_changed()
        return one

    def to_be_edited(self, name: str) -> Suggestion:
        """The suggestion on its file as it is now, for an editor; nothing is stored yet."""
        return to_be_edited(self._require_open(name), self._memory)

    def edit(self, name: str, *, text: str = "", after: str | None = None, before: str | None = None) -> Suggestion:
        """Put it into a person's own words: another sentence, placed again, or the whole file as it should be, edited
        from the text `before`."""
        self._refuse_agents()
        with suggestions_lock(self._memory), self._memory.store.write():
            one = self._require_open(name)
            if after is None:
                fresh = reworded(one, text, self._memory)
            else:
                fresh = one._replace(
                    after=after, before=one.before if before is None else before, fact=text or one.fact
                )
            fresh = fresh._replace(edited=True, status=PENDING, note="")
            if fresh.after == fresh.before or not is_sound(fresh.proposal):
                raise Refused("With this text the host could not read the file; nothing was changed.")
            self._store.save(fresh._replace(updated=self._memory.now))
        self._listeners.tell_changed()
        return fresh

    def subscribe(
        self,
        *,
        added: Callable[[Suggestion], None] | None = None,
        changed: Callable[[], None] | None = None,
    ) -> Callable[[], None]:
        """Be called when a suggestion is made in this process, or decided; returns what ends that."""
        return self._listeners.subscribe(added, changed)

    def _refuse_agents(self) -> None:
        """Whatever the door: an agent decides nothing here. Where a person sits is for the door to ask."""
        require_person(caller(self._memory.environ), "A suggestion", away=True)

    def _require_open(self, name: str) -> Suggestion:
        one = self._store.get(name)
        require_open(one, self._memory)
        return one


def is_plain(one: Suggestion) -> bool:
    """May it be applied together with others? What contradicts a line, or needs a look, is decided by itself."""
    return one.status == PENDING and one.action != "conflict"
