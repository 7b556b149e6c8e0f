"""Going back in the panel, in a real browser: every decision of a review, a dismissal, a refused form."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.doors.http.panel.conftest import Panel, Started

NARROW = {"width": 400, "height": 800}


@pytest.fixture(scope="module")
def alone(started: Started) -> Panel:
    """A panel of its own: these tests decide things and undo them again."""
    return started()


@pytest.fixture
def own(alone: Panel) -> Any:
    yield alone
    alone.close_pages()


def waits(panel: Panel) -> list[str]:
    """What a review goes through, in its order."""
    return [one.what for one in panel.memory.pending.everything()]


def test_a_review_goes_back_step_by_step_also_to_what_was_left_for_later(own: Panel) -> None:
    first, second, third = waits(own)[:3]
    page = own.open("/review")
    says = page.locator("#review .says")
    expect(says).to_have_text(first)
    for key, then in (("n", second), ("l", third)):
        page.keyboard.press(key)
        expect(says).to_have_text(then)
    page.keyboard.press("y")
    expect(says).not_to_have_text(third)
    assert first not in waits(own)
    assert third not in waits(own)
    for back_at in (third, second, first):
        with page.expect_navigation():
            page.keyboard.press("b")
        expect(says).to_have_text(back_at)
    assert waits(own)[:3] == [first, second, third]
    assert page.locator("[data-key=b]").count() == 0, "this is the first one"
    assert page.problems == []


def test_the_last_decision_is_undone_after_the_message_about_it_has_gone(own: Panel) -> None:
    names = [one.suggestion_id for one in own.memory.suggestions.list()]
    page = own.open("/review")
    for _ in waits(own):
        number = page.inner_text("#review > .numbers")
        page.keyboard.press("l")
        expect(page.locator("#review > .numbers")).not_to_have_text(number)
    page.keyboard.press("n")
    expect(page.locator("#toasts .toast")).to_contain_text("Dismissed")
    page.evaluate("document.getElementById('toasts').replaceChildren()")
    with page.expect_navigation():
        page.keyboard.press("b")
    expect(page.locator("#toasts .toast")).to_contain_text("Undone")
    assert [one.suggestion_id for one in own.memory.suggestions.list()] == names
    assert page.problems == []


def test_a_dismissed_suggestion_is_brought_back_with_one_key_or_from_its_list(own: Panel) -> None:
    name = own.ids["suggestion"]
    page = own.open("/suggestions")
    for _ in range(2):
        page.click(f"#suggestion-{name} button:has-text('Dismiss')")
        expect(page.locator("#toasts button:has-text('Undo')")).to_be_visible()
        assert own.memory.suggestions.get(name).status == "dismissed"
        page.keyboard.press("b")
        page.wait_for_url("**said=undone*")
        assert own.memory.suggestions.get(name).status == "pending"
    page.click(f"#suggestion-{name} button:has-text('Dismiss')")
    page.wait_for_url("**said=dismissed*")
    page.goto(f"{own.served.address}/suggestions?status=dismissed")
    page.click(f"#suggestion-{name} button:has-text('Undo')")
    page.wait_for_url("**said=undone*")
    assert own.memory.suggestions.get(name).status == "pending"
    assert page.problems == []


def test_what_was_typed_is_still_there_behind_a_refusal(own: Panel) -> None:
    page = own.open("/board")
    page.fill("input[name=name]", "Not A Name")
    page.fill("input[name=description]", "How a release is made")
    page.fill("textarea[name=content]", "Tag, push, wait.")
    page.click("text=Add to the board")
    page.wait_for_selector("h1:has-text('Not done')")
    page.click("main >> text=Back")
    page.wait_for_url("**/board")
    assert page.input_value("textarea[name=content]") == "Tag, push, wait."
    page = own.open("/board", java_script_enabled=False)
    page.fill("input[name=name]", "Not A Name")
    page.fill("input[name=description]", "How a release is made")
    page.fill("textarea[name=content]", "Tag, push, wait.")
    page.click("text=Add to the board")
    page.click("main >> text=Back")
    assert page.url.endswith("/board")


def test_a_removal_offers_no_sentence_to_reword(own: Panel) -> None:
    (own.repository / "AGENTS.md").write_text(
        "# Agents\n\n## Conventions\n\n- Write small commits and keep every one of them green.\n"
        "- Deploys go out on Fridays from the old branch.\n- Write small commits, and keep every one of them green.\n"
    )
    own.memory.suggestions.reconcile()
    removal = next(one for one in own.memory.suggestions.list() if one.action == "remove")
    page = own.open(f"/suggestions/{removal.suggestion_id}")
    expect(page.locator("textarea[name=after]")).to_be_visible()
    assert page.locator("textarea[name=text]").count() == 0
    page.goto(f"{own.served.address}/suggestions/{own.ids['suggestion']}")
    assert page.locator("textarea[name=text]").count() == 1


def test_something_new_holds_where_the_panel_was_started(own: Panel) -> None:
    page = own.open("/memories/new")
    page.fill("textarea[name=text]", "The lint step takes four minutes.")
    page.click("main button:has-text('Save')")
    page.wait_for_url("**said=remembered*")
    [entry] = [one for one in own.memory.entries.list(status="active") if "lint step" in one.content]
    assert entry.scope == "repository"
    page.goto(f"{own.served.address}/correct")
    assert page.locator("select").count() == 0, "a correction stays in the layer of what it corrects"


def test_the_settings_fit_a_phone_however_long_the_path_of_the_file(own: Panel) -> None:
    page = own.open("/settings", viewport=NARROW)
    page.evaluate("document.querySelector('.head code').textContent = '/home/someone' + '/aLongFolder'.repeat(9)")
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
