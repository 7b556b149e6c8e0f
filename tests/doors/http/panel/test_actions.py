"""What a person does in the panel, in a real browser: with the mouse, with keys, and without JavaScript."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from tests.doors.http.panel.conftest import Panel


def text_of(panel: Panel, name: str) -> str:
    return panel.memory.entries.get(panel.ids[name]).content


def said(page: Any) -> str:
    """What the last toast says."""
    return str(page.locator("#toasts .toast").last.text_content())


def test_searching_narrows_the_list_while_one_types(panel: Panel) -> None:
    page = panel.open("/memories")
    page.keyboard.press("/")
    page.keyboard.type("staging dat")
    expect(page.locator("#results .entry")).to_have_count(1)
    assert "staging database" in page.inner_text("#results")
    page.select_option("select[name=status]", "tombstone")
    page.wait_for_selector("#results .empty")
    assert page.problems == []


def test_an_entry_is_edited_in_its_row_and_undone(panel: Panel) -> None:
    for _ in range(3):  # a list that is refreshed at this moment opens the page of the entry instead, which edits too
        page = panel.open("/memories?q=staging")
        page.keyboard.press("j")
        page.keyboard.press("e")
        page.wait_for_selector("textarea[name=text]")
        if page.query_selector("#results"):
            break
    page.fill("textarea[name=text]", "The staging database is refreshed every night at 03:00 UTC.")
    page.click("button:has-text('Save')")
    page.wait_for_selector("#toasts .toast")
    assert "Saved" in said(page)
    assert "03:00" in page.inner_text("#results")
    old = panel.memory.entries.get(panel.ids["staging"])
    assert panel.memory.entries.get(old.superseded_by).content.endswith("03:00 UTC.")
    page.click("#toasts button:has-text('Undo')")
    page.wait_for_url("**/memories/**said=undone*")
    assert text_of(panel, "staging").endswith("02:00 UTC.")
    assert page.problems == []


def test_two_browsers_that_edit_one_entry_lose_nothing(panel: Panel) -> None:
    first, second = (panel.open(f"/memories/{panel.ids['tests']}/edit") for _ in range(2))
    first.fill("textarea[name=text]", "Run the tests with `pnpm test`; they need Docker.")
    first.click("button:has-text('Save')")
    first.wait_for_selector("#toasts .toast")
    second.fill("textarea[name=text]", "Run the tests with `pnpm vitest`.")
    second.click("button:has-text('Save')")
    second.wait_for_selector("text=Somebody else changed this entry")
    assert "Docker" in second.inner_text(".words")
    assert second.input_value("textarea[name=text]") == "Run the tests with `pnpm vitest`."
    active = [one.content for one in panel.memory.entries.list(status="active")]
    assert "Run the tests with `pnpm test`; they need Docker." in active
    assert "Run the tests with `pnpm vitest`." not in active


def test_an_entry_is_voted_on_corrected_retired_and_restored(panel: Panel) -> None:
    entry_id = panel.memory.remember("The office printer is called Gutenberg.").entry_id
    page = panel.open(f"/memories/{entry_id}")
    page.fill("input[name=reason]", "found it at once")
    page.click("button:has-text('Useful')")
    page.wait_for_url("**said=voted*")
    assert panel.memory.entries.get(entry_id).votes_up == 1
    page.click("button:has-text('Retire')")
    page.wait_for_url("**said=retired*")
    assert panel.memory.entries.get(entry_id).status == "tombstone"
    page.click("main button:has-text('Restore')")
    page.wait_for_url("**said=restored*")
    assert panel.memory.entries.get(entry_id).status == "active"
    page.click("text=Correct")
    page.fill("textarea[name=text]", "The office printer is called Marinoni.")
    page.click("main button:has-text('Save')")
    page.wait_for_url("**said=corrected*")
    old = panel.memory.entries.get(entry_id)
    assert old.status == "superseded"
    assert panel.memory.entries.get(old.superseded_by).content == "The office printer is called Marinoni."
    assert "Marinoni" in page.inner_text("main")
    assert "Gutenberg" in page.inner_text("main")


def test_a_correction_asks_which_entry_is_meant_where_several_could_be(panel: Panel) -> None:
    panel.memory.remember("The dev server listens on port 8080.")
    admin = panel.memory.remember("The admin console listens on port 9090.").entry_id
    page = panel.open("/correct")
    page.fill("textarea[name=text]", "actually the port is 9091")
    page.click("main button:has-text('Save')")
    page.check(f"input[value='{admin}']")
    page.click("main button:has-text('Save')")
    page.wait_for_url("**said=corrected*")
    assert "9091" in page.inner_text("article")
    assert panel.memory.entries.get(admin).status == "superseded"


def test_a_conflict_is_settled_by_keeping_one_side(panel: Panel) -> None:
    panel.memory.remember("The cache lives in Redis.")
    panel.memory.remember("The cache does not live in Redis.")
    page = panel.open("/conflicts")
    before = page.locator("section.card").count()
    assert before
    page.locator("button.main:has-text('Keep this one')").first.click()
    page.wait_for_url("**said=retired*")
    assert page.locator("section.card").count() == before - 1


def test_what_waits_is_decided_with_one_key_each(panel: Panel) -> None:
    page = panel.open("/review")
    waiting = panel.memory.pending.staged()
    assert len(waiting) >= 3
    assert waiting[0].what in page.inner_text("#review")
    page.keyboard.press("y")
    expect(page.locator("#review")).to_contain_text(waiting[1].what)
    assert waiting[0].what in [one.content for one in panel.memory.entries.list(status="active")]
    page.keyboard.press("n")
    expect(page.locator("#review")).to_contain_text(waiting[2].what)
    page.keyboard.press("l")
    expect(page.locator("#review")).not_to_contain_text(waiting[2].what)
    left = [one.what for one in panel.memory.pending.staged()]
    assert waiting[2].what in left
    assert waiting[0].what not in left
    assert waiting[1].what not in left
    assert page.problems == []


def test_a_suggestion_is_edited_applied_taken_back_and_another_dismissed(panel: Panel) -> None:
    target = panel.repository / "AGENTS.md"
    before = target.read_text()
    name = panel.ids["suggestion"]
    page = panel.open(f"/suggestions/{name}")
    page.locator("textarea[name=text]").fill("Use pnpm and never npm in this repository.")
    page.click("text=Change the sentence")
    page.wait_for_url("**said=edited*")
    assert "Use pnpm and never npm" in page.inner_text(".diff")
    page.click("main button:has-text('Apply')")
    page.wait_for_url("**said=applied*")
    assert "Use pnpm and never npm" in target.read_text()
    page.click("#toasts button:has-text('Undo')")
    page.wait_for_url("**said=undone*")
    assert target.read_text() == before
    page.keyboard.press("j")
    page.keyboard.press("n")
    page.wait_for_url("**said=dismissed*")
    assert panel.memory.suggestions.list("dismissed")


def test_a_setting_is_saved_and_holds_from_the_next_page_on(panel: Panel) -> None:
    page = panel.open("/settings?q=suggestions.mode")
    page.select_option("select[name=value]", "off")
    page.click("main button:has-text('Save')")
    page.wait_for_url("**said=set*")
    page.goto(panel.served.address + "/suggestions?status=applied")
    assert "Mode: Off" in page.inner_text("main")
    page.goto(panel.served.address + "/settings?q=suggestions.mode")
    page.click("button:has-text('Reset')")
    page.wait_for_url("**said=set*")
    page.goto(panel.served.address + "/settings?q=recall.max_entries")
    page.fill("input[name=value]", "many")
    page.click("main button:has-text('Save')")
    page.wait_for_selector(".notice.problem")
    assert "recall.max_entries" in page.inner_text(".notice.problem")


def test_a_token_is_shown_once_and_revoked(panel: Panel) -> None:
    page = panel.open("/permissions")
    page.fill("input[name=name]", "ci")
    page.select_option("select[name=scope]", "write")
    page.click("text=Add token")
    secret = page.inner_text("#secret").strip()
    assert panel.memory.tokens.holder(secret) is not None
    page.goto(panel.served.address + "/permissions")
    assert secret not in page.content()
    page.click("button:has-text('Revoke')")
    page.wait_for_url("**said=revoked*")
    assert panel.memory.tokens.holder(secret) is None


def test_what_an_agent_asks_for_elsewhere_appears_without_a_reload(panel: Panel) -> None:
    from recollect.flows.writes.actors import Agent

    page = panel.open("/why")
    page.wait_for_selector("body[data-listening]")  # the stream has told how things stand
    writes = panel.memory.writes(Agent("codex"))
    writes.store(panel.memory.entries.draft("Always rebase feature branches.")._replace(source="agent"))
    writes.close()
    page.wait_for_selector("#toasts .toast")
    assert "is waiting for your review" in said(page)


def test_the_theme_is_switched_and_remembered(panel: Panel) -> None:
    page = panel.open("/", color_scheme="light")
    background = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(background)
    page.click("text=Theme")
    dark = page.evaluate(background)
    assert dark != light
    page.goto(panel.served.address + "/memories")
    assert page.evaluate(background) == dark


def test_everything_works_without_javascript(panel: Panel) -> None:
    entry_id = panel.memory.remember("The wiki is at wiki.example.com.").entry_id
    page = panel.open("/memories", java_script_enabled=False)
    page.fill("input[type=search]", "wiki")
    page.click("#filters button")
    page.click("text=The wiki is at wiki.example.com.")
    assert page.url.endswith(entry_id)
    page.click("main >> text=Edit")
    page.fill("textarea[name=text]", "The wiki is at docs.example.com.")
    page.click("button:has-text('Save')")
    assert "docs.example.com" in page.inner_text("article")
    assert "Saved" in said(page)
    page.click("#toasts button:has-text('Undo')")
    assert panel.memory.entries.get(entry_id).content == "The wiki is at wiki.example.com."
