"""Browsing: pages of entries and receipts, and what happened over time, for somebody who looks around."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

from recollect.flows.writes.waiting import what_waits
from recollect.model.browsing import Day, EntryFilter, EntryPage, Insights
from recollect.model.record import Record
from recollect.store.browsing import MOST_COUNTED
from recollect.store.search import quoted
from recollect.text.terms import terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.flows.opened import Opened
    from recollect.flows.sessions.past_sessions import SessionShown
    from recollect.flows.upkeep.compare_entries import Pair
    from recollect.flows.views.cited_lines import CitedLines
    from recollect.flows.views.session_window import Window
    from recollect.flows.views.status import LastInjection
    from recollect.model.entries import Entry
    from recollect.model.receipts import Receipt

PAGE = 50
MOST_CHECKED = 400  # entries that are looked at for one page of a certain check
MOST_WORDS = 12
DAY_SECONDS = 86_400
MOST_LISTED = 10
MOST_REPOSITORIES = 200
STALE = "stale"  # what was cited changed or is gone


class Waiting(Record):
    """How much waits for a person."""

    pending: int
    suggestions: int
    conflicts: int


class Browsing:
    """What is stored, page by page. Nothing here changes it."""

    def __init__(self, memory: Opened) -> None:
        self._memory = memory
        self._store = memory.store.browsing
        memory.take_in()

    # -- entries

    def page(self, chosen: EntryFilter, number: int = 1) -> EntryPage:
        """One page of the entries that a filter lets through, newest first, each with its check."""
        match = _match(chosen.text)
        if chosen.text and not match:
            chosen = chosen._replace(contains=chosen.text)
        if chosen.check:
            return self._checked_page(chosen, match, number)
        with self._memory.store.read():
            found = self._store.entries(chosen, match, limit=PAGE + 1, offset=(number - 1) * PAGE)
            if not found and match and number == 1:
                # A half-typed word is no word of the index: then its letters count.
                chosen, match = chosen._replace(contains=chosen.text), ""
                found = self._store.entries(chosen, match, limit=PAGE + 1, offset=0)
            total = self._total(chosen, match)
        shown = found[:PAGE]
        return EntryPage(shown, self._checks(shown), total, number, len(found) > PAGE)

    def _total(self, chosen: EntryFilter, match: str) -> int:
        """How many there are: exactly where the index knows it, else up to MOST_COUNTED."""
        if match or chosen._replace(layer="", repository=None) != EntryFilter(status="active"):
            return self._store.count(chosen, match)
        return sum(
            number
            for layer, repository, number in self._store.places()
            if chosen.layer in ("", layer) and chosen.repository in (None, repository)
        )

    def counts(self) -> dict[str, int]:
        """Active entries by layer."""
        found = {"L0": 0, "L1": 0, "L2": 0}
        for layer, _, number in self._store.places():
            found[layer] += number
        return found

    def _checked_page(self, chosen: EntryFilter, match: str, number: int) -> EntryPage:
        """A page of entries of which the check says something: the newest that cite something are checked for it."""
        wanted = ("changed", "gone") if chosen.check == STALE else (chosen.check,)
        cited = self._store.entries(chosen._replace(cites=True), match, limit=MOST_CHECKED, offset=0)
        verdicts = self._checks(cited)
        found = [pair for pair in zip(cited, verdicts, strict=True) if pair[1] in wanted]
        start = (number - 1) * PAGE
        shown = found[start : start + PAGE]
        entries, checks = [one for one, _ in shown], [one for _, one in shown]
        return EntryPage(entries, checks, len(found), number, len(found) > start + PAGE)

    def _checks(self, entries: Sequence[Entry]) -> list[str]:
        checker = self._memory.checker(patient=True)
        return [verdict.check for verdict in checker.check(entries, now=self._memory.now)]

    def cited(self, entry: Entry) -> list[CitedLines]:
        """What an entry cites, one by one: what the check says, the lines now, and the lines when it was cited."""
        from recollect.flows.views.cited_lines import cited_lines_of

        return cited_lines_of(entry, self._memory)

    def duplicates(self) -> list[Pair]:
        """Pairs of entries that say the same in the same place, among the newest."""
        from recollect.flows.upkeep.compare_entries import SAME, pairs_among

        return [pair for pair in pairs_among(self._memory.store) if pair.relation == SAME]

    def contents(self, entry_ids: Sequence[str]) -> dict[str, tuple[str, str, str]]:
        """What entries say now, their status and layer, by id."""
        return self._store.contents(entry_ids)

    def repositories(self) -> list[tuple[str, int]]:
        """Where active entries hold, '' for everywhere, with how many; those with most first."""
        found: dict[str, int] = {}
        for _, repository, number in self._store.places():
            found[repository] = found.get(repository, 0) + number
        return sorted(found.items(), key=lambda one: (-one[1], one[0]))[:MOST_REPOSITORIES]

    def everything(self, *, limit: int) -> list[Entry]:
        """Active entries, newest first, for a page to keep."""
        return self._store.entries(EntryFilter(status="active"), "", limit=limit, offset=0)

    def learned_from(self, session_id: str) -> list[Entry]:
        """The newest entries that came of a session."""
        return self._store.entries(EntryFilter(session=session_id), "", limit=PAGE, offset=0)

    def window(self, shown: SessionShown) -> Window:
        """How full the window of a session was, turn by turn, and the commits that were made in it."""
        from recollect.flows.views.session_window import window_of

        return window_of(shown, self._memory)

    def waiting(self) -> Waiting:
        """How much waits for a person, of every repository."""
        store = self._memory.store
        waiting = what_waits(store, now=self._memory.now, repository=None)
        return Waiting(
            waiting.approvals,
            waiting.suggestions,
            len(store.conflicts.open()),
        )

    # -- receipts

    def receipts(self, *, session: str = "", number: int = 1) -> tuple[list[Receipt], bool]:
        """A page of what turns were given, newest first, and whether there are more."""
        found = self._store.receipts(session, limit=PAGE + 1, offset=(number - 1) * PAGE)
        return found[:PAGE], len(found) > PAGE

    def last_given(self) -> LastInjection | None:
        """The last time that a turn was given something, or asked."""
        from recollect.flows.views.status import last_injection

        return last_injection(self._memory.store, home=self._memory.home)

    def session_hosts(self, *, days: int = 0) -> dict[str, int]:
        """How many sessions there are of each host, ever or in the last days."""
        since = self._memory.now - days * DAY_SECONDS if days else 0.0
        return self._memory.store.sessions.hosts(since)

    # -- over time

    def insights(self, *, days: int = 90) -> Insights:
        """What was remembered and recalled in the last days, what is used most and what never."""
        now, store = self._memory.now, self._store
        since = now - days * DAY_SECONDS
        with self._memory.store.read():
            stored, given = store.stored_by_day(since), store.given_by_day(since)
            return Insights(
                days=[Day(day, stored.get(day, 0), *given.get(day, (0, 0))) for day in _days(since, now)],
                most_used=store.most_used(limit=MOST_LISTED),
                never_used=store.never_used(),
                statuses=store.statuses(),
                repositories=store.stored_by_repository(since, limit=MOST_LISTED),
                hosts=store.hosts(since),
            )


def _match(text: str) -> str:
    """Words as the index takes them: each may go on."""
    wanted = list(dict.fromkeys(terms(text)))[:MOST_WORDS]
    return " AND ".join(f"{quoted(term)} *" for term in wanted)


def _days(since: float, now: float) -> list[str]:
    first, last = datetime.date.fromtimestamp(since), datetime.date.fromtimestamp(now)
    return [(first + datetime.timedelta(days=n)).isoformat() for n in range((last - first).days + 1)]


__all__ = ["MOST_COUNTED", "PAGE", "STALE", "Browsing"]
