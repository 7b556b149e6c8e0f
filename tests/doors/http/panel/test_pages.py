"""Every page: there for everybody, on a phone too, empty or full, and harmless whatever is stored."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.doors.http.panel.conftest import Panel, Started
from tests.doors.http.panel.lab import pages

SERIOUS = ("serious", "critical")
PAINT = '<script>window.hacked=1</script><img src=x onerror="window.hacked=1">\'"--><svg onload=window.hacked=1>'
RULES = {"resultTypes": ["violations"], "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}
NARROW = {"width": 400, "height": 800}
OUT_OF_THEIR_CARD = """[...document.querySelectorAll('.card input, .card textarea, .card select')]
    .filter((one) => one.getBoundingClientRect().right > one.closest('.card').getBoundingClientRect().right)
    .map((one) => one.outerHTML)"""


def serious_findings(page: Any) -> list[str]:
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page, options=RULES).response["violations"]
    return [
        f"{page.url}: {one['id']}: {one['help']}: {one['nodes'][0]['html'][:200]}"
        for one in found
        if one["impact"] in SERIOUS
    ]


@pytest.mark.parametrize("part", [0, 1])
def test_no_page_shuts_anybody_out(panel: Panel, part: int) -> None:
    page = panel.open("/", color_scheme="dark" if part else "light")
    found = []
    for path in pages(panel.ids)[part::2]:
        answer = page.goto(panel.served.address + path)
        assert answer.status == 200, path
        found += serious_findings(page)
    assert found == []
    assert page.problems == []


def test_every_page_fits_a_phone(panel: Panel) -> None:
    page = panel.open("/", viewport=NARROW)
    too_wide = []
    for path in pages(panel.ids):
        page.goto(panel.served.address + path)
        over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        too_wide += [f"{path}: {over} pixels"] if over > 0 else []
        too_wide += [f"{path}: {one}" for one in page.evaluate(OUT_OF_THEIR_CARD)]
    assert too_wide == []
    page.click("text=Menu")
    page.click("nav >> text=Insights")
    page.wait_for_selector("h1:has-text('Insights')")


def test_a_difference_is_as_wide_as_a_phone(panel: Panel) -> None:
    page = panel.open(f"/suggestions/{panel.ids['suggestion']}", viewport=NARROW)
    whole = page.locator(".diff").bounding_box()["width"]
    assert page.locator(".diff td.new").first.bounding_box()["width"] > whole * 0.9


def test_a_new_home_says_on_every_page_what_is_missing(started: Started) -> None:
    empty = started(full=False)
    page = empty.open("/")
    told = {
        "/": "Nothing remembered yet", "/memories": "Nothing remembered yet", "/review": "Nothing is waiting",
        "/memories?view=duplicates": "No duplicates", "/memories?view=stale": "Nothing is stale",
        "/suggestions": "All caught up", "/why": "No receipts yet", "/sessions": "No sessions yet",
        "/autonomous": "Nothing has been written up yet", "/conflicts": "No contradictions",
        "/insights": "Nothing happened in these days", "/permissions": "No standing approvals",
        "/transfer": "No copies yet", "/preview?prompt=hello+world": "Nothing would be given",
    }  # fmt: skip
    for path, words in told.items():
        page.goto(empty.served.address + path)
        assert words in page.inner_text("main"), path
    empty.close_pages()


def test_stored_text_is_never_markup_on_any_page(started: Started, outside_agents: None) -> None:
    """One home in which every field that somebody can fill holds a script."""
    hostile = started()
    memory, ids = hostile.memory, hostile.ids
    memory.remember(f"Hostile content {PAINT}", tags=[PAINT], reason=PAINT, subject=PAINT, aliases=[PAINT])
    wicked = memory.remember(f"Another {PAINT} statement", source="agent", origin="tool").entry_id
    memory.vote(wicked, "up", PAINT)
    memory.edit(wicked, text=f"Edited {PAINT} statement")
    memory.inject(f"what about {PAINT} hostile content", session=f"s_{PAINT}", host=PAINT)
    from recollect.flows.writes.actors import Agent

    writes = memory.writes(Agent(PAINT))
    writes.store(memory.entries.draft(f"Always obey {PAINT}.", reason=PAINT)._replace(source="agent"))
    writes.close()
    memory.board.add("wicked", PAINT, PAINT, src="agent", made_by=PAINT)
    memory.background.inbox().send(PAINT, PAINT, PAINT)
    session_log = hostile.repository.parent / "hostile.jsonl"
    lines = [
        {"role": "user", "content": f"please {PAINT}"},
        {"role": "assistant", "content": f"done {PAINT}"},
    ]
    session_log.write_text("\n".join(json.dumps(line) for line in lines))
    past = memory.sessions
    past.import_logs(past.logs([str(session_log)], hosts=["messages"])[0])
    sessions = [one.session_id for one, _ in past.listed()]
    page = hostile.open("/")
    receipts, _ = memory.browsing.receipts()
    addresses = [
        *pages(ids),
        f"/memories/{wicked}",
        f"/memories/{wicked}/edit",
        *(f"/sessions/{name}" for name in sessions),
        *(f"/why/{one.receipt_id}" for one in receipts),
        f"/memories?q={PAINT}&tag={PAINT}",
        f"/settings?q={PAINT}",
        f"/why?session={PAINT}",
    ]
    for path in addresses:
        page.goto(hostile.served.address + path)
        assert page.evaluate("window.hacked") is None, path
        assert page.locator("img[src=x], main svg[onload], main script").count() == 0, path
    page.goto(hostile.served.address + "/memories")
    assert "<script>window.hacked=1</script>" in page.inner_text("#results")
    kept = page.request.get(hostile.served.address + "/transfer/export.html").text()
    assert PAINT not in kept
    page.set_content(kept.replace("Content-Security-Policy", "X"))
    assert page.evaluate("window.hacked") is None
    assert "<script>window.hacked=1</script>" in page.inner_text("body")
    assert not [one for one in page.problems if "hacked" in one]
    hostile.close_pages()


def test_health_prints_commands_for_the_home_of_this_panel(panel: Panel) -> None:
    (Path(panel.memory.home.root).parent / "user" / ".codex").mkdir(exist_ok=True)
    text = panel.open("/health").inner_text("main")
    assert f"recollect --home {panel.memory.home.root} install codex" in text
    assert "needs your attention" in text
