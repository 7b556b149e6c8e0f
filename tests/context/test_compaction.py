"""Compaction: what a continuing agent still has afterwards, and every failure that users of other agents report."""

from __future__ import annotations

import pytest

from recollect.context import Counter, compact, fit
from recollect.context.pinned import pinned_lines
from recollect.context.replacement import TAG
from recollect.model.messages import Message, Other, Text, ToolCall
from tests.histories import assistant, call, edited, is_whole, long_session, ran, result, said, system, user

WINDOW = 8_000


def squeeze(messages, window: int = WINDOW, **more):
    return compact(messages, counter=Counter(), window=window, **more)


def chatter(count: int, words: int = 120) -> list[Message]:
    return [assistant(f"Step {n}. " + "word " * words) for n in range(count)]


def test_a_long_session_gives_way_to_a_summary_that_can_be_worked_from() -> None:
    messages = long_session()
    outcome = squeeze(messages)
    assert outcome.compacted
    assert outcome.tokens_after <= WINDOW * 0.25 + 1
    text = said(outcome.messages)
    assert outcome.messages[0] == messages[0]
    assert "Now write the changelog." in text
    assert "src/app/module_39.py" in text
    assert "pytest -q tests/test_39.py" in text
    assert outcome.tokens_removed > 0
    assert outcome.messages_removed == len(messages) - len(outcome.messages)


def test_the_summary_lists_rules_files_commands_errors_decisions_and_references() -> None:
    messages = [
        system(),
        user("Fix https://example.com/issues/7 (see #41, commit 9f3c2ab1). Never edit generated files."),
        *edited(1, "src/server/app.py"),
        *ran(2, "pytest tests/server", "tests/server/test_a.py:3: in test_a\nE   ValueError: no port", failed=True),
        *ran(3, "make build", "ok"),
        assistant("We decided to use a pool instead of threads."),
        *chatter(60),
        user("go on"),
    ]
    summary = squeeze(messages).summary
    for wanted in (
        "https://example.com/issues/7", "#41", "9f3c2ab1", "Never edit generated files.", "src/server/app.py",
        "failed: pytest tests/server", "ValueError: no port", "passed: make build", "use a pool instead of threads",
    ):  # fmt: skip
        assert wanted in summary, wanted


def test_the_users_messages_are_kept_capped_and_omissions_are_counted() -> None:
    messages = [
        system(),
        *(user(f"Message {n}: " + "tell me more " * 400) for n in range(30)),
        *chatter(4),
        user("end"),
    ]
    summary = squeeze(messages).summary
    assert "...<truncated>..." in summary
    assert "messages of the user omitted)" in summary
    assert "Message 29: tell me more" in summary


def test_plan_and_todos_are_read_when_it_happens_and_skills_and_agent_summary_stay() -> None:
    reads = []

    def plan() -> str:
        reads.append("plan")
        return "1. do\n2. check"

    outcome = squeeze(
        long_session(),
        plan=plan,
        todos="- [ ] changelog",
        skills=[("tdd", "Write the test first.")],
        agent_summary="rev",
    )
    for wanted in ("1. do\n2. check", "- [ ] changelog", "tdd\nWrite the test first.", "rev"):
        assert wanted in outcome.summary
    assert reads == ["plan"]


def test_lines_that_the_user_pins_in_a_message_survive_later_compactions_too() -> None:
    messages = [system(), user("pin: the API stays on v2\nplease start"), *chatter(80), user("next")]
    first = squeeze(messages)
    second = squeeze([*first.messages, *chatter(80), user("and next")])
    assert second.compacted
    assert "\nthe API stays on v2\n" in second.summary


def test_an_instruction_file_can_pin_lines() -> None:
    text = "# Rules\nUse tabs. <!-- pin -->\n<!-- pin -->\nNo force push.\n<!-- /pin -->\n- pin: Ask first.\nother"
    assert pinned_lines(text) == ("Use tabs.", "No force push.", "Ask first.")


def test_facts_found_on_the_way_are_handed_to_the_caller() -> None:
    messages = [system(), user("Always use pnpm here, never npm."), *chatter(80), user("go")]
    assert squeeze(messages).candidates == ("Always use pnpm here, never npm.",)


def test_a_prompt_that_programs_wrote_does_not_hide_what_the_user_asked_for() -> None:
    asked = "Rename the table and keep the view."
    note = user("<task-notification>done</task-notification>")
    outcome = squeeze([system(), user("hello"), user(asked), *chatter(80), note, *chatter(80)])
    assert user(asked) in outcome.messages
    assert note in outcome.messages


def test_instruction_files_in_the_conversation_stay_whole() -> None:
    rules = user("# AGENTS.md instructions for /app\n\nAlways run make check.")
    outcome = squeeze([system(), rules, user("go"), *chatter(80), user("on")])
    assert outcome.messages[1] == rules


def test_a_tail_of_the_latest_messages_stays_word_for_word() -> None:
    messages = [system(), user("go"), *chatter(80), *ran(9, "ls", "a b c")]
    outcome = squeeze(messages)
    assert list(outcome.messages[-2:]) == messages[-2:]


# What users of other agents report, one test each.


def test_copilot_888_the_last_request_survives_although_it_is_far_back() -> None:
    asked = "Port the parser to Rust, and keep the Python one as a fallback.\n" + "detail " * 300
    messages = [system(), user(asked), *(m for n in range(60) for m in ran(n, f"cargo test {n}", "ok " * 200))]
    outcome = squeeze(messages)
    assert user(asked) in outcome.messages


def test_copilot_1735_critical_sections_of_a_system_prompt_are_untouched() -> None:
    prompt = system("<critical>\nNever deploy on Friday.\n</critical>\n" + "rules " * 800)
    assert squeeze([prompt, user("go"), *chatter(120), user("on")]).messages[0] == prompt


def test_copilot_3703_a_rule_is_kept_word_for_word_and_cannot_be_inverted() -> None:
    rule = "Don't use the staging database; only the local one."
    inverted = "## Goal\nx\n## Rules and decisions\nUse the staging database.\n## Done\n-\n## Open\n-\n## Errors\n-\n## Facts\n-"
    outcome = squeeze([system(), user(rule), *chatter(80), user("go")], summarise=lambda request: inverted)
    assert rule in outcome.summary


def test_copilot_4441_facts_do_not_fade_over_many_compactions() -> None:
    messages = [system(), user("The port must be 7443 and never 8080."), *edited(1, "deploy/ports.yaml")]
    for turn in range(12):
        messages = [*messages, *chatter(40), user(f"turn {turn}")]
        messages = list(squeeze(messages, 6_000).messages)
    text = said(messages)
    assert "The port must be 7443 and never 8080." in text
    assert "deploy/ports.yaml" in text


def test_claude_code_9796_and_22376_instructions_are_not_forgotten_after_compaction() -> None:
    messages = [system("Project rules: use tabs."), user("You must answer in French."), *chatter(80), user("go")]
    outcome = squeeze(messages, pinned=["Project rule 2: no new dependencies."])
    text = said(outcome.messages)
    for wanted in ("use tabs", "You must answer in French.", "Project rule 2: no new dependencies."):
        assert wanted in text


def test_codex_14120_a_compaction_frees_far_more_than_five_percent() -> None:
    outcome = squeeze(long_session())
    assert outcome.tokens_removed / outcome.tokens_before > 0.5


def test_codex_29319_a_conversation_far_beyond_its_window_can_still_be_compacted() -> None:
    messages = long_session(200)
    assert Counter().count(messages).total > 5 * WINDOW
    outcome = squeeze(messages)
    assert outcome.compacted
    assert outcome.tokens_after < WINDOW


def test_codex_36665_files_that_were_read_are_named_so_that_they_are_not_searched_again() -> None:
    reads = [
        m for n in range(5) for m in (call(f"r{n}", "read_file", path=f"docs/{n}.md"), result(f"r{n}", "x " * 900))
    ]
    assert "docs/3.md" in squeeze([system(), user("go"), *reads, *chatter(30), user("on")], 16_000).summary


def test_gemini_4442_and_4717_nothing_changes_when_the_result_would_be_larger() -> None:
    messages = [system(), user("a"), assistant("b"), user("c")]
    outcome = squeeze(messages, skills=[("huge", "word " * 3_000)])
    assert outcome.status == "failed"
    assert "larger" in outcome.why
    assert list(outcome.messages) == messages


def test_gemini_14766_over_the_limit_compaction_is_not_refused() -> None:
    assert squeeze(long_session(100), 2_000).compacted


def test_openharness_191_openclaw_7527_and_8525_no_result_loses_its_call() -> None:
    parallel = Message("assistant", tuple(ToolCall(f"p{n}", "bash", '{"command": "ls"}') for n in range(4)))
    results = [result(f"p{n}", "out " * 400) for n in range(4)]
    for cut in range(1, 12):
        messages = [system(), user("go"), *chatter(cut * 4), parallel, *results, assistant("done")]
        assert is_whole(squeeze(messages, 4_000).messages)


def test_pi_4570_pairs_stay_whole_over_chained_compactions() -> None:
    messages = [system(), user("go")]
    for turn in range(10):
        messages += [m for n in range(30) for m in ran(turn * 100 + n, "make test", "ok " * 80)]
        messages = list(squeeze(messages, 5_000).messages)
        assert is_whole(messages)


def test_opencode_17065_and_27594_aborted_calls_and_orphans_are_mended() -> None:
    messages = [
        system(),
        user("go"),
        call("gone", "bash", command="sleep 9"),
        result("nobody", "x"),
        *chatter(80),
        user("on"),
    ]
    outcome = squeeze(messages)
    assert is_whole(outcome.messages)
    assert is_whole(squeeze(messages[:5], 100_000).messages)


def test_claude_code_24670_and_56515_a_call_before_the_boundary_does_not_leave_its_result_behind() -> None:
    messages = [
        system(),
        *chatter(60),
        call("x", "bash", command="ls"),
        user("wait"),
        result("x", "out"),
        assistant("ok"),
    ]
    outcome = squeeze(messages, 3_000)
    assert is_whole(outcome.messages)
    assert user("wait") in outcome.messages


def test_openclaw_99843_the_same_counter_counts_before_and_after() -> None:
    counter = Counter(ratio=1.4)
    outcome = compact(long_session(), counter=counter, window=WINDOW)
    assert outcome.tokens_before == counter.count(long_session()).total
    assert outcome.tokens_after == counter.count(outcome.messages).total


def test_kit_80_the_system_prompt_and_the_tools_count_after_compaction_too() -> None:
    tools = [{"name": f"tool{n}", "description": "does things " * 40} for n in range(10)]
    messages = [system("rules " * 500), *long_session()[1:]]
    outcome = compact(messages, counter=Counter(), window=WINDOW, tools=tools)
    assert outcome.tokens_after == Counter().count(outcome.messages, tools).total


def test_cherry_studio_18351_a_result_of_many_scripts_is_not_undercounted() -> None:
    outcome = squeeze([system(), user("始めて"), *(assistant("長い文章です。" * 400) for _ in range(20)), user("次")])
    assert outcome.tokens_after == Counter().count(outcome.messages).total <= WINDOW


def test_atomic_2052_a_reduction_is_never_negative() -> None:
    for window in (100, 1_000, 10_000, 100_000):
        for messages in ([], [user("a")], [system(), user("a"), assistant("b")], long_session(3)):
            assert squeeze(messages, window).tokens_removed >= 0


def test_copilot_3621_instructions_larger_than_the_window_do_not_make_it_worse() -> None:
    messages = [system("rule " * 9_000), user("go"), *chatter(30), user("on")]
    first = squeeze(messages)
    assert first.compacted
    assert squeeze(first.messages).status == "unchanged"


def test_copilot_3147_finished_work_is_told_as_done_and_the_record_is_not_a_request() -> None:
    summary = squeeze(long_session()).summary
    assert summary.startswith(f"<{TAG}")
    assert "It is a record, not a request" in summary
    assert "your tools work as before" in summary


def test_vscode_311422_a_second_compact_in_a_row_is_no_error() -> None:
    first = squeeze(long_session())
    second = squeeze(first.messages)
    assert second.status == "unchanged"
    assert second.messages == first.messages
    assert second.summary == first.summary


def test_copilot_1688_the_original_is_kept_by_whoever_holds_it() -> None:
    messages = long_session()
    before = list(messages)
    squeeze(messages)
    assert messages == before


def test_a_smaller_window_compacts_again_although_little_is_new() -> None:
    first = squeeze(long_session(), 20_000)
    again = squeeze(first.messages, 4_000)
    assert again.compacted
    assert again.tokens_after < first.tokens_after


def test_a_providers_own_compaction_is_never_summarised_away() -> None:
    item = Message("assistant", (Other({"type": "compaction", "encrypted_content": "abc"}),))
    outcome = squeeze([system(), item, user("go"), *chatter(80), user("on")])
    assert outcome.compacted
    assert item in outcome.messages


def test_a_shape_that_joins_the_summary_to_the_next_message_does_not_hide_it() -> None:
    first = squeeze([system(), user("go"), *chatter(80), user("Keep this request.")])
    at = next(n for n, message in enumerate(first.messages) if message.text.startswith(f"<{TAG}"))
    joined = Message("user", (*first.messages[at].parts, Text("And this, typed later.")))
    second = squeeze([*first.messages[:at], joined, *first.messages[at + 1 :], *chatter(80), user("next")])
    assert second.compacted
    assert said(second.messages).count(f"<{TAG} goal") == 1
    assert "And this, typed later." in second.summary


def test_fitting_tells_what_it_did() -> None:
    fitted = fit(long_session(), window=WINDOW)
    assert fitted.fits
    assert fitted.compaction is not None
    assert fitted.compaction.compacted
    roomy = fit(long_session(3), window=1_000_000)
    assert roomy.compaction is None
    assert list(roomy.messages) == long_session(3)


@pytest.mark.parametrize("count", [0, 1])
def test_with_nothing_to_compact_nothing_changes(count: int) -> None:
    assert squeeze([user("a")][:count]).status == "unchanged"
