"""Lists are in the order of the dates that they show, also where something came in long after it was said."""

from __future__ import annotations

from recollect import Recollect
from recollect.model.browsing import EntryFilter
from recollect.model.drafts import Draft

DAY = 86_400.0
DAYS_AGO = (3, 40, 1, 7, 400, 1, 12, 90)


def filled(memory: Recollect) -> list[float]:
    """What was said on these days, read in this order."""
    now = memory.opened.now
    said = [
        Draft(f"Service {at} listens on port {9000 + at}.", scope="user", created=now - days * DAY)
        for at, days in enumerate(DAYS_AGO)
    ]
    assert all(one.status == "stored" for one in memory.remember_many(said))
    memory.remember("The newest of them all is the gateway.", scope="user")
    return [now - days * DAY for days in sorted((0, *DAYS_AGO))]


def test_the_newest_entry_by_its_date_is_first_wherever_it_is_listed(memory: Recollect) -> None:
    dates = filled(memory)
    assert [one.created for one in memory.entries.list()] == dates
    for chosen in (EntryFilter(), EntryFilter(status="active"), EntryFilter(status="active", layer="L1")):
        assert [one.created for one in memory.browsing.page(chosen).entries] == dates
    found = memory.browsing.page(EntryFilter(text="service")).entries
    assert [one.created for one in found] == dates[1:]
    assert [one.created for one in memory.browsing.everything(limit=4)] == dates[:4]


def test_pages_that_begin_after_an_entry_leave_out_nothing_and_repeat_nothing(memory: Recollect) -> None:
    filled(memory)
    whole = [one.entry_id for one in memory.entries.list()]
    found: list[str] = []
    while page := memory.entries.list(limit=2, before=found[-1] if found else ""):
        found += [one.entry_id for one in page]
    assert found == whole
