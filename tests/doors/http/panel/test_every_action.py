"""The rest of what can be done in the panel, each in a real browser: whole pages, forms, files and keys."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from recollect.flows.suggestions.after_turn import tell
from recollect.flows.writes.actors import Agent
from tests.doors.http.panel.conftest import Panel, Started
from tests.doors.http.panel.lab import SAMPLE
from tests.doors.http.panel.test_actions import said
from tests.histories import long_session


@pytest.fixture(scope="module")
def alone(started: Started) -> Panel:
    """A panel of its own, with every sample session, for what touches everything."""
    made = started()
    past = made.memory.sessions
    past.import_logs(past.logs([str(SAMPLE.parent)])[0])
    past.digest()
    return made


@pytest.fixture
def own(alone: Panel) -> Iterator[Panel]:
    yield alone
    alone.close_pages()


def done(page: Any, word: str) -> None:
    page.wait_for_url(f"**said={word}*")
    assert page.problems == []


# -- memories


def test_something_is_remembered_with_its_place_and_tags_and_found_by_its_tag(panel: Panel) -> None:
    page = panel.open("/memories")
    page.click("text=Remember something")
    page.fill("textarea[name=text]", "The intranet wiki runs on `port 4000`.")
    page.select_option("select[name=scope]", "repository")
    page.fill("input[name=tags]", "wiki, ports")
    page.click("main button:has-text('Save')")
    done(page, "remembered")
    assert page.inner_text("article code") == "port 4000"
    page.click("article .tag:has-text('ports')")
    expect(page.locator("#results .entry")).to_have_count(1)
    page.click("nav >> text=Memories")
    page.click("text=Remember something")
    page.fill("textarea[name=text]", "The intranet wiki runs on `port 4000`.")
    page.select_option("select[name=scope]", "repository")
    page.click("main button:has-text('Save')")
    done(page, "known")


def test_a_search_is_still_there_when_one_comes_back_to_it(panel: Panel) -> None:
    page = panel.open("/memories")
    page.fill("#search", "staging database")
    expect(page.locator("#results .entry")).to_have_count(1)
    page.locator("#results .says").click()
    page.wait_for_url("**/memories/e_*")
    page.go_back()
    expect(page.locator("#results .entry")).to_have_count(1)
    assert page.input_value("#search") == "staging database"


def test_every_filter_narrows_the_list(panel: Panel) -> None:
    page = panel.open("/memories")
    everything = page.locator("#results .entry").count()
    page.click("summary:has-text('More filters')")
    for name, value in (
        ("layer", "L0"), ("scope", "user"), ("source", "system"), ("origin", "assistant"), ("check", "changed"),
    ):  # fmt: skip
        page.select_option(f"select[name={name}]", value)
        page.wait_for_url(f"**{name}={value}*")
        expect(page.locator("#results .entry")).not_to_have_count(everything)
        page.select_option(f"select[name={name}]", "")
        expect(page.locator("#results .entry")).to_have_count(everything)
    page.select_option("select[name=since]", "1")
    page.wait_for_url("**since=1*")
    page.check("input[name=unused]")
    page.wait_for_url("**unused=1*")
    expect(page.locator("#results")).not_to_contain_text("used 1 time")
    assert page.problems == []


def test_an_entry_is_edited_on_its_own_page_and_the_change_undone_there(panel: Panel) -> None:
    entry_id = panel.memory.remember("The canteen opens at noon.").entry_id
    page = panel.open(f"/memories/{entry_id}")
    page.click("article >> text=Edit")
    page.fill("textarea[name=text]", "The canteen opens at one.")
    page.click("button:has-text('Save')")
    expect(page.locator("#toasts .toast")).to_contain_text("Saved")
    page.goto(f"{panel.served.address}/memories/{panel.memory.entries.get(entry_id).superseded_by}")
    steps = page.locator(".steps .words").first
    assert steps.locator("del").inner_text() == "noon"
    assert steps.locator("ins").inner_text() == "one"
    page.click("text=Undo the last change")
    done(page, "undone")
    assert panel.memory.entries.get(entry_id).status == "active"


def test_an_entry_says_what_its_source_said_then_and_says_now(panel: Panel) -> None:
    page = panel.open(f"/memories/{panel.ids['pnpm']}")
    row = page.locator(".diff .pair")
    assert "pnpm@9.1.0" in row.locator("td.old").inner_text()
    assert "pnpm@10.2.0" in row.locator("td.new").inner_text()


def test_of_two_duplicates_one_is_retired(panel: Panel) -> None:
    panel.memory.remember_many(
        ["The build host is called Forge and runs Linux.", "The build host, called Forge, runs Linux."]
    )
    page = panel.open("/memories?view=duplicates")
    before = page.locator("#results .card").count()
    assert before
    page.locator("button:has-text('Retire this one')").first.click()
    done(page, "retired")
    assert page.locator("#results .card").count() < before


def test_the_profile_is_written_in_the_panel(panel: Panel) -> None:
    page = panel.open("/memories?layer=L0")
    text = page.input_value("textarea[name=text]")
    page.fill("textarea[name=text]", f"{text}\n- Prefers short answers.")
    page.click("text=Save profile")
    done(page, "profile")
    assert "short answers" in panel.memory.profile.show().text


def test_two_browsers_that_edit_the_profile_lose_nothing(panel: Panel) -> None:
    first, second = (panel.open("/memories?layer=L0") for _ in range(2))
    text = first.input_value("textarea[name=text]")
    for page, line in ((first, "- Works in the mornings."), (second, "- Works in the evenings.")):
        page.fill("textarea[name=text]", f"{text}\n{line}")
        page.click("text=Save profile")
    second.wait_for_selector("text=Your profile was changed while you were editing")
    assert "mornings" in second.inner_text(".words del")
    assert second.input_value("textarea[name=text]").endswith("- Works in the evenings.")
    assert "mornings" in panel.memory.profile.show().text
    second.click("text=Save profile")
    second.wait_for_url("**said=profile*")
    assert "evenings" in panel.memory.profile.show().text


# -- review and suggestions


def test_a_decision_is_undone_with_one_key_and_all_of_a_kind_are_kept_with_two(own: Panel) -> None:
    waiting = own.memory.pending.staged()
    page = own.open("/review")
    page.keyboard.press("y")
    expect(page.locator("#review")).to_contain_text(waiting[1].what)
    expect(page.locator("#toasts .toast")).to_contain_text("Kept")
    with page.expect_navigation():
        page.keyboard.press("b")
    done(page, "undone")
    assert waiting[0].what in [one.what for one in own.memory.pending.staged()]
    page.keyboard.press("n")
    expect(page.locator("#toasts .toast")).to_contain_text("Dropped")
    with page.expect_navigation():
        page.keyboard.press("b")
    done(page, "undone")
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    expect(page.locator("#review")).not_to_contain_text("An agent wants to remember")
    assert own.memory.pending.staged() == []
    assert page.problems == []


def test_a_change_that_waits_is_shown_with_the_text_it_replaces(own: Panel) -> None:
    old = own.memory.remember("The rate in tax.py must stay 19 percent.").entry_id
    waits = own.memory.writes(Agent("A")).memory_write("update", "L1", content="The rate is 21 percent.", target_id=old)
    page = own.open(f"/review?at={waits.entry_id}")
    expect(page.locator("#review dl.facts")).to_contain_text("Instead of")
    expect(page.locator("#review dl.facts")).to_contain_text("The rate in tax.py must stay 19 percent.")
    own.memory.pending.reject(waits.entry_id)
    own.memory.forget(old)


def test_what_was_found_is_edited_and_placed_before_it_is_kept(own: Panel) -> None:
    found = [one for one in own.memory.pending.everything() if hasattr(one, "draft")]
    assert found
    page = own.open("/review")
    for _ in own.memory.pending.staged():
        number = page.inner_text("#review > .numbers")
        page.keyboard.press("l")
        expect(page.locator("#review > .numbers")).not_to_have_text(number)
    what = page.inner_text("#review .says")
    scope = page.input_value("select[name=scope]")
    page.keyboard.press("s")
    if page.locator("select[name=scope] option").count() > 1:
        assert page.input_value("select[name=scope]") != scope
    page.keyboard.press("e")
    page.keyboard.press("End")
    page.keyboard.type(" Always, on every branch.")
    page.click("#review button:has-text('Keep')")
    expect(page.locator("#toasts .toast")).to_contain_text("Kept")
    kept = [one.content for one in own.memory.entries.list(status="active", everywhere=True)]
    assert any("Always, on every branch." in one for one in kept), what
    assert page.problems == []


def test_reconcile_makes_suggestions_and_similar_ones_are_applied_together(own: Panel) -> None:
    own.memory.remember("Error messages in `src/api` start with a verb.")
    page = own.open("/suggestions")
    before = page.locator("article.card").count()
    page.click("text=Reconcile")
    done(page, "reconciled")
    assert page.locator("article.card").count() == before + 1
    page.locator("summary:has-text('Show the change')").first.click()
    assert page.locator(".diff td.new").first.is_visible()
    page.locator("article.card button:has-text('Apply')").first.click()
    done(page, "applied")
    page.click("button:has-text('more')")
    page.wait_for_url("**/suggestions?said=applied")
    assert "All caught up" in page.inner_text("main") or page.locator("article.card").count() < before
    page.click("nav[aria-label=Status] >> text=Applied")
    page.locator("main button:has-text('Undo')").first.click()
    done(page, "undone")
    page.locator("article.card >> text=Edit").first.click()
    whole = page.input_value("textarea[name=after]")
    page.fill("textarea[name=after]", f"{whole}\n- Written by hand.\n")
    page.click("text=Change the file")
    done(page, "edited")
    assert "Written by hand." in page.inner_text(".diff")
    page.click("main button:has-text('Dismiss')")
    done(page, "dismissed")
    page.click("nav[aria-label=Status] >> text=Dismissed")
    assert page.locator("article.card").count()


@pytest.mark.parametrize(("mode", "told"), [("eager", "Recollect learned: 'CI runs on every push.'."), ("manual", "")])
def test_new_suggestions_are_announced_as_the_mode_says(started: Started, mode: str, told: str) -> None:
    desk = started(full=False)
    Path(desk.memory.home.config).write_text(f'[suggestions]\nmode = "{mode}"\n')
    page = desk.open("/")
    page.wait_for_selector("body[data-listening]")
    (desk.repository / "AGENTS.md").write_text("# Agents\n\n## Conventions\n\n- Write small commits.\n")
    desk.memory.remember("CI runs on every push.")
    desk.memory.suggestions.reconcile()
    tell(desk.memory.opened, host="codex", ended=True)
    expect(page.locator("nav a:has-text('Suggestions') .count")).to_be_visible()
    if told:
        expect(page.locator("#toasts .toast")).to_contain_text(told)
        page.click("#toasts button:has-text('Dismiss')")
        expect(page.locator("#toasts .toast")).to_be_hidden()
        assert desk.memory.suggestions.pending_count() == 1
    else:
        assert page.locator("#toasts .toast").count() == 0
    assert page.problems == []
    desk.close_pages()


def test_the_empty_states_of_suggestions_follow_the_mode(started: Started) -> None:
    desk = started(full=False)
    page = desk.open("/")
    for mode, words, label in (
        ("off", "Memory suggestions are disabled", "Enable in Settings"),
        ("manual", "No suggestions yet", "Run Reconcile"),
        ("occasional", "All caught up ✓", ""),
    ):
        Path(desk.memory.home.config).write_text(f'[suggestions]\nmode = "{mode}"\n')
        page.goto(desk.served.address + "/suggestions")
        assert f"Mode: {mode.capitalize()}" in page.inner_text("main")
        assert words in page.inner_text("main")
        assert page.locator(f".empty >> text={label}").count() if label else True
    desk.close_pages()


# -- what agents get


def test_a_receipt_shows_its_parts_as_bars_and_exactly_on_demand(panel: Panel) -> None:
    page = panel.open("/why")
    page.click("text=how do I run the tests?")
    page.wait_for_url("**/why/r_*")
    assert page.locator(".parts svg.bar").count() >= 4
    page.click("text=Exact values")
    score = panel.memory.why(receipt_id=panel.ids["receipt"]).entries[0]["score"]
    assert f"score = {score}" in page.inner_text("details pre")
    page.click("text=this session")
    page.wait_for_url("**/why?session=*")
    assert "Start of a session" in page.inner_text("main")


def test_a_preview_is_byte_for_byte_what_the_command_prints(panel: Panel) -> None:
    from recollect.flows.views.preview import preview

    page = panel.open("/preview")
    page.select_option("select[name=host]", "codex")
    page.fill("input[name=prompt]", "how do I run the tests?")
    page.click("main button:has-text('Show')")
    page.wait_for_url("**prompt=how*")
    found = preview(panel.memory.opened, "how do I run the tests?", host="codex")
    assert found.turn is not None
    shown = re.sub("r_[0-9a-z]{26}", "ID", str(page.text_content("#bytes-with-this-prompt")))
    assert shown == re.sub("r_[0-9a-z]{26}", "ID", found.turn.text)
    assert page.text_content("#bytes-at-the-start-of-a-session") == found.start.text
    tokens = [int(one.split()[0].replace(",", "")) for one in page.locator("a.figure strong").all_inner_texts()]
    assert tokens[-len(found.start.parts) :] == [part.tokens for part in found.start.parts]


def test_an_item_is_put_on_the_board_and_taken_off(panel: Panel) -> None:
    page = panel.open("/board")
    page.fill("input[name=name]", "release-steps")
    page.fill("input[name=description]", "How a release is made")
    page.fill("textarea[name=content]", "Tag, push, wait.")
    page.click("text=Add to the board")
    done(page, "added")
    page.click("summary:has-text('Show the content')")
    assert "Tag, push, wait." in page.inner_text("main")
    page.click("main button:has-text('Take off')")
    expect(page.locator("#toasts .toast")).to_contain_text("Taken off the board.")
    assert panel.memory.board.list() == []
    page.keyboard.press("b")
    done(page, "undone")
    [item] = panel.memory.board.list()
    assert (item.name, item.src, item.content) == ("release-steps", "user", "Tag, push, wait.")
    page.click("main button:has-text('Take off')")
    expect(page.locator("#toasts .toast")).to_contain_text("Taken off the board.")
    assert panel.memory.board.list() == []


# -- the past


def test_sessions_are_found_opened_and_made_private(panel: Panel) -> None:
    page = panel.open("/sessions")
    title = page.locator("#results .row").first.inner_text().split("\n")[0]
    page.select_option("select[name=host]", "claude-code")
    page.wait_for_url("**host=claude-code*")
    page.fill("input[name=q]", title)
    expect(page.locator("#results .day")).to_have_count(0)
    page.locator("#results .row").first.click()
    page.wait_for_url("**/sessions/s_*")
    assert page.locator(".chart canvas").count() == 1
    labels = page.inner_text(".u-legend")
    assert "80% of the window" in labels
    assert "95% of the window" in labels
    page.click("text=Make private")
    done(page, "private")
    page.click("text=Learn from it again")
    done(page, "public")


def test_a_session_of_our_own_shows_its_checkpoint(own: Panel) -> None:
    session = own.memory.own_sessions.create(cwd=own.memory.folder)
    for message in long_session():
        session.add(message)
    assert session.compact(window=8_000).compacted
    page = own.open(f"/sessions/{session.session_id}")
    page.click("h2:has-text('Checkpoints') + .card a")
    assert page.evaluate("location.hash").startswith("#turn-")
    page.click("summary:has-text('compacted here')")
    assert page.inner_text("details.notice pre").strip()


def test_project_memory_is_rebuilt_and_taken_back(own: Panel) -> None:
    place = own.memory.sessions.listed(limit=1)[0][0].repository
    page = own.open("/autonomous")
    page.select_option("select[name=repository]", place)
    page.click("main button:has-text('Show')")
    page.click("main button:has-text('Rebuild')")
    done(page, "rebuilt")
    page.click("nav[aria-label=Artifacts] a >> nth=0")
    assert page.locator("article.prose a[href*='#turn-']").count()
    if page.locator("text=Go back one version").count():
        page.click("text=Go back one version")
        done(page, "undone")


def test_insights_are_drawn_for_the_time_that_was_chosen(panel: Panel) -> None:
    page = panel.open("/insights")
    assert page.locator(".chart canvas").count() == 2
    page.click("nav[aria-label=Time] >> text=365 days")
    page.wait_for_url("**days=365")
    page.locator("summary:has-text('As a table')").first.click()
    assert page.locator("details tbody tr").first.is_visible()
    agents, places = (page.locator(f".card:has(h3:has-text('{title}'))") for title in ("By agent", "By repository"))
    assert "Claude Code" in agents.inner_text()
    in_a_year = places.locator("dd.numbers").all_inner_texts()
    page.click("nav[aria-label=Time] >> text=7 days")
    page.wait_for_url("**days=7")
    sessions = [row.split("\t")[1] for row in agents.locator("tbody tr").all_inner_texts()]
    assert sum(map(int, sessions)) < panel.memory.sessions.count(), "the sample sessions are older"
    assert places.locator("dd.numbers").all_inner_texts() != in_a_year
    page.click("text=never used")
    page.wait_for_url("**view=unused")
    assert page.problems == []


# -- management


def test_agents_are_allowed_to_write_here_and_then_no_longer(own: Panel) -> None:
    page = own.open("/permissions")
    page.click("button:has-text('without asking')")
    done(page, "allowed")
    writes = own.memory.writes(Agent("codex"))
    draft = own.memory.entries.draft("Always sign commits.")._replace(source="agent", origin="assistant")
    assert writes.store(draft).status == "stored"
    writes.close()
    page.click("section:has-text('Standing approvals') >> button:has-text('Revoke')")
    done(page, "revoked")
    assert "No standing approvals" in page.inner_text("main")


def test_everything_is_taken_out_and_loaded_and_sessions_are_imported(own: Panel, tmp_path: Path) -> None:
    page = own.open("/transfer")
    files = {}
    for label, ending in (("JSON", "json"), ("Markdown", "md"), ("One HTML page", "html")):
        with page.expect_download() as waiting:
            page.click(f"main >> text='{label}'")
        files[ending] = tmp_path / f"export.{ending}"
        waiting.value.save_as(files[ending])
    entries = json.loads(files["json"].read_text())["entries"]
    assert entries[0]["content"] in files["md"].read_text()
    outside = own.contexts[0].new_page()
    outside.goto(files["html"].as_uri())
    assert "Deploys go out on Thursdays" in outside.inner_text("body")
    page.set_input_files("input[type=file]", str(files["json"]))
    page.check("input[name=mine]")
    page.click("main button:has-text('Load')")
    done(page, "loaded")
    page.goto(own.served.address + "/transfer")
    page.click("text=Import now")
    done(page, "imported")


def test_a_copy_is_made_in_the_panel_and_put_back(own: Panel) -> None:
    page = own.open("/transfer")
    page.click("text=Make a copy now")
    done(page, "backed-up")
    own.memory.remember("The lobby has a ping-pong table.")
    page.click("main button:has-text('Put back')")
    done(page, "restored")
    page.goto(own.served.address + "/memories?q=ping-pong")
    assert "No match" in page.inner_text("#results")


# -- getting around


def test_keys_lead_to_every_page_and_the_help_lists_them(panel: Panel) -> None:
    page = panel.open("/")
    for key, path in {
        "m": "/memories", "r": "/review", "s": "/suggestions", "c": "/conflicts", "w": "/why", "p": "/preview",
        "b": "/board", "e": "/sessions", "a": "/autonomous", "i": "/insights", "k": "/permissions", "t": "/settings",
        "d": "/health", "x": "/transfer", "h": "/",
    }.items():  # fmt: skip
        page.keyboard.press("g")
        page.keyboard.press(key)
        page.wait_for_url(panel.served.address + path)
    page.keyboard.press("?")
    assert page.locator("#help").is_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("k")
    page.keyboard.press("Enter")
    page.wait_for_url("**/memories/**")
    assert page.problems == []


def test_a_wrong_address_is_told_on_a_page(panel: Panel) -> None:
    page = panel.open("/nowhere")
    assert page.inner_text("h1") == "Not found"
    page.click("text=Home")
    page.wait_for_url(panel.served.address + "/")
    page.goto(panel.served.address + "/memories/e_nothing")
    assert page.inner_text("h1") == "Not found"
    assert page.locator("#toasts .toast").count() == 0
    stranger = panel.contexts[0].browser.new_context().new_page()
    stranger.goto(panel.served.address + "/memories")
    assert stranger.inner_text("h1") == "Open the panel from your terminal"
    stranger.context.close()


def test_a_search_of_settings_and_a_switched_off_memory_is_told_everywhere(started: Started) -> None:
    desk = started(full=False)
    page = desk.open("/settings")
    page.fill("input[name=q]", "master switch")
    page.click("main button:has-text('Search')")
    page.wait_for_url("**q=master*")
    page.select_option("select[name=value]", "false")
    page.click("main button:has-text('Save')")
    done(page, "set")
    page.goto(desk.served.address + "/why")
    assert "Memory is switched off" in page.inner_text("main")
    page.click("text=Turn it on in Settings")
    page.wait_for_url("**/settings#enabled")
    page.locator("#enabled button:has-text('Reset')").click()
    done(page, "set")
    assert said(page).strip() == "Setting saved."
    desk.close_pages()
