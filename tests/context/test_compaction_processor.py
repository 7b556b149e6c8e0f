"""When a conversation is compacted: thresholds, the background, errors, thrashing, cancelling, hooks."""

from __future__ import annotations

import json
import sys
import threading
from typing import Any

import pytest

from recollect.context import CompactionProcessor, Counter, Hooks, ModelSummariser, Sources, Thresholds
from recollect.context.events import Event
from recollect.context.replacement import TAG
from recollect.errors import CompactionRefused, ProviderError
from recollect.files.config import load_settings
from recollect.files.home import Home
from recollect.flows.compaction.hook_commands import (
    HookCommand,
    HookSession,
    compaction_hooks,
    configured_hooks,
    configured_thresholds,
)
from recollect.model.messages import Message
from recollect.providers.scripted import ScriptedProvider
from tests.histories import assistant, call, is_whole, long_session, ran, result, said, system, user

TOKENS = Counter().count(long_session()).total


class Heard(list[Event]):
    """Events, by their type."""

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [event.data for event in self if event.type == f"session.{kind}"]


def processor(share: float, **more) -> tuple[CompactionProcessor, Heard]:
    """A processor whose window makes a long session this full."""
    heard = Heard()
    return CompactionProcessor(counter=Counter(), window=int(TOKENS / share), emit=heard.append, **more), heard


def held(**more) -> tuple[ScriptedProvider, threading.Event, ModelSummariser]:
    provider = ScriptedProvider(**more)
    return provider, provider.hold(), ModelSummariser(provider)


def test_below_the_threshold_nothing_happens() -> None:
    one, heard = processor(0.79)
    messages = long_session()
    assert one.process(messages) is messages
    assert one.state == "none"
    assert heard == []


def test_from_four_fifths_on_a_summary_is_prepared_while_the_request_goes_out() -> None:
    provider, gate, summarise = held()
    one, heard = processor(0.85, summarise=summarise)
    messages = long_session()
    assert one.process(messages) is messages
    assert one.state == "running"
    assert provider.entered.wait(5)
    gate.set()
    assert one._running is not None
    one._running.wait(5)
    grown = [*messages, *ran(1, "ls", "a"), assistant("ok")]
    applied = one.process(grown)
    assert one.state == "completed"
    assert list(applied[-3:]) == grown[-3:]
    assert len(applied) < len(messages)
    assert is_whole(applied)
    assert [event.type.split(".")[1] for event in heard] == ["compaction_start", "compaction_complete", "usage_info"]
    assert heard.of("compaction_start")[0]["conversationTokens"] > 0
    complete = heard.of("compaction_complete")[0]
    assert complete["success"]
    assert complete["tokensRemoved"] > 0
    assert complete["trigger"] == "threshold"
    assert complete["compactionTokensUsed"]["outputTokens"] > 0


def test_at_the_end_of_the_buffer_the_summary_is_waited_for() -> None:
    _, gate, summarise = held()
    one, _ = processor(0.97, summarise=summarise)
    threading.Timer(0.1, gate.set).start()
    applied = one.process(long_session())
    assert any(TAG in message.text for message in applied)
    assert one.state == "completed"


def test_the_thousandth_request_takes_hardly_more_steps_than_the_tenth() -> None:
    processor = CompactionProcessor(counter=Counter(), window=10_000_000)
    messages: list[Message] = []
    steps: list[int] = []
    for number in range(1_002):
        one = [user("and now?"), call(f"c{number}", "bash", command="make"), result(f"c{number - 1}", "ok")]
        messages.append(one[number % 3])
        taken = [0]
        sys.setprofile(lambda *_, taken=taken: taken.__setitem__(0, taken[0] + 1))
        try:
            processor.process(messages)
        finally:
            sys.setprofile(None)
        steps.append(taken[0])
    assert max(steps[-3:]) <= 2 * max(steps[9:12])


def test_few_messages_are_left_alone_however_large_they_are() -> None:
    one, heard = processor(0.9)
    messages = [system(), user("x " * TOKENS), assistant("y " * TOKENS), user("z")]
    assert one.process(messages) is messages
    assert heard == []


def test_a_caller_that_keeps_its_whole_history_is_compacted_once() -> None:
    one, heard = processor(0.97)
    messages = long_session()
    first = one.process(messages)
    again = one.process([*messages, assistant("more")])
    assert list(again) == [*first, assistant("more")]
    assert len(heard.of("compaction_complete")) == 1


def test_a_caller_that_takes_over_the_result_is_compacted_once() -> None:
    one, heard = processor(0.97)
    first = list(one.process(long_session()))
    assert list(one.process([*first, assistant("more")])) == [*first, assistant("more")]
    assert len(heard.of("compaction_complete")) == 1


def test_a_result_for_a_history_that_was_rewound_meanwhile_is_discarded() -> None:
    _, gate, summarise = held()
    one, heard = processor(0.85, summarise=summarise)
    messages = long_session()
    one.process(messages)
    gate.set()
    assert one._running is not None
    one._running.wait(5)
    rewound = messages[:-6]
    assert one.process(rewound) is rewound
    assert heard.of("compaction_complete")[0]["error"]["message"] == "the conversation has changed in the meantime"


def test_a_model_that_fails_leaves_the_work_to_rules_and_is_reported() -> None:
    one, heard = processor(0.97, summarise=ModelSummariser(ScriptedProvider([ProviderError("overloaded")])))
    applied = one.process(long_session())
    assert any(TAG in message.text for message in applied)
    assert "overloaded" in heard.of("compaction_complete")[0]["error"]["message"]


def test_a_summariser_that_never_answers_is_given_up_and_the_session_goes_on() -> None:
    _, gate, summarise = held()
    one, heard = processor(0.97, summarise=summarise, thresholds=Thresholds(wait_seconds=0.05))
    messages = long_session()
    assert one.process(messages) is messages
    assert one.state == "failed"
    assert not heard.of("compaction_complete")[0]["success"]
    gate.set()


def test_a_cancelled_background_result_is_discarded() -> None:
    _, gate, summarise = held()
    one, heard = processor(0.85, summarise=summarise)
    messages = long_session()
    one.process(messages)
    assert one.cancel()
    gate.set()
    assert one.state == "cancelled"
    assert not one.cancel()
    assert heard.of("compaction_complete")[0]["status"] == "cancelled"


def test_a_refusal_for_length_forces_compaction_on_the_retry() -> None:
    one, heard = processor(0.5)
    messages = long_session()
    assert one.process(messages) is messages
    assert one.on_error("prompt is too long: 210000 tokens > 200000 maximum")
    assert len(one.process(messages)) < len(messages)
    assert heard.of("compaction_complete")[0]["trigger"] == "context_limit"
    assert not one.on_error("rate limit reached for tokens per min")


def test_repeated_refusals_end_and_do_not_loop() -> None:
    one, _ = processor(0.5)
    error = {"status": 413}
    assert one.on_error(error)
    assert one.on_error(error)
    assert not one.on_error(error)
    one.on_success()
    assert one.on_error(error)


def thrash() -> tuple[CompactionProcessor, Heard, list[Message]]:
    """A conversation of which next to nothing can be removed: its instructions fill the window."""
    heard = Heard()
    messages = [system("rule " * 7_000), user("go"), *(assistant("ok") for _ in range(9))]
    window = int(Counter().count(messages).total / 0.97)
    return CompactionProcessor(counter=Counter(), window=window, emit=heard.append), heard, messages


def test_codex_13279_31351_36665_and_gemini_6563_two_fruitless_compactions_stop_automatic_ones() -> None:
    one, heard, messages = thrash()
    for turn in range(20):
        messages = [*one.process(messages), assistant(f"step {turn}")]
    assert one.stopped
    assert len(heard.of("compaction_start")) == 2


def test_a_new_request_of_the_user_lets_it_try_again() -> None:
    one, heard, messages = thrash()
    for turn in range(6):
        messages = [*one.process(messages), assistant(f"step {turn}")]
    one.process([*messages, user("something else")])
    assert len(heard.of("compaction_start")) == 3
    one.user_acted()
    assert not one.stopped


def test_vscode_307860_a_failing_summariser_is_not_retried_without_end() -> None:
    def broken(trigger: str, instructions: str) -> str:
        raise ProviderError("no")

    one, heard = processor(0.97, hooks=Hooks(before=broken))
    messages = long_session()
    for _ in range(10):
        assert one.process(messages) is messages
    assert len(heard.of("compaction_start")) == 2
    assert all(not data["success"] for data in heard.of("compaction_complete"))


def test_copilot_1688_thresholds_can_be_moved_and_automatic_compaction_switched_off() -> None:
    one, heard = processor(0.9, thresholds=Thresholds(background=9.0, exhaustion=9.0))
    messages = long_session()
    assert one.process(messages) is messages
    assert heard == []
    assert one.compact_history(messages).compacted


def test_compact_history_tells_what_it_removed_and_follows_instructions() -> None:
    provider = ScriptedProvider()
    one, heard = processor(0.3, summarise=ModelSummariser(provider))
    outcome = one.compact_history(long_session(), instructions="keep the API decisions")
    assert outcome.tokens_removed > 0
    assert outcome.messages_removed > 0
    assert "keep the API decisions" in provider.prompts[0].messages[0].text
    assert heard.of("compaction_complete")[0]["trigger"] == "manual"


def test_compact_history_refuses_while_one_runs() -> None:
    _, gate, summarise = held()
    one, _ = processor(0.85, summarise=summarise)
    one.process(long_session())
    with pytest.raises(CompactionRefused, match="running already"):
        one.compact_history(long_session())
    gate.set()


def test_compact_history_refuses_without_messages_and_without_a_system_context_for_a_model() -> None:
    one, _ = processor(0.3)
    with pytest.raises(CompactionRefused, match="fewer than two"):
        one.compact_history([system(), user("a")])
    with_model, _ = processor(0.3, summarise=ModelSummariser(ScriptedProvider()))
    with pytest.raises(CompactionRefused, match="system context"):
        with_model.compact_history(long_session()[1:])


def test_a_manual_compaction_can_be_cancelled() -> None:
    provider, gate, summarise = held()
    one, heard = processor(0.3, summarise=summarise)

    def stop() -> None:
        provider.entered.wait(5)
        one.cancel()

    threading.Thread(target=stop).start()
    with pytest.raises(CompactionRefused, match="cancelled"):
        one.compact_history(long_session())
    assert one.state == "cancelled"
    assert heard.of("compaction_complete")[0]["status"] == "cancelled"
    gate.set()


def test_a_call_that_still_waits_for_its_result_is_not_cut_off() -> None:
    one, _ = processor(0.3)
    open_call = call("waiting", "bash", command="make")
    outcome = one.compact_history([*long_session(), open_call])
    assert outcome.messages[-1] == open_call
    assert is_whole([*outcome.messages, result("waiting", "ok")])


def test_a_remote_session_says_that_it_cannot_be_compacted_here() -> None:
    one, _ = processor(0.99, remote=True)
    messages = long_session()
    assert one.process(messages) is messages
    with pytest.raises(CompactionRefused, match="runs elsewhere"):
        one.compact_history(messages)


def test_a_smaller_window_is_compacted_for_before_the_switch() -> None:
    one, heard = processor(0.3)
    messages = long_session()
    assert one.before_switch(messages, TOKENS * 2) is None
    outcome = one.before_switch(messages, TOKENS // 3)
    assert outcome is not None
    assert outcome.tokens_after < TOKENS // 3
    assert one.window == TOKENS // 3
    assert heard.of("compaction_complete")[0]["trigger"] == "smaller_window"


def test_memory_pressure_compacts_only_when_there_is_something_to_gain() -> None:
    one, heard = processor(0.3)
    assert one.on_memory_pressure([system(), user("a")]) is None
    outcome = one.on_memory_pressure(long_session())
    assert outcome is not None
    assert outcome.compacted
    assert heard.of("compaction_complete")[0]["trigger"] == "memory_pressure"


def test_a_provider_that_compacts_itself_is_left_to_do_so() -> None:
    one, _ = processor(0.97, provider_compacts=lambda: True)
    messages = long_session()
    assert one.process(messages) is messages
    assert one.on_error({"status": 413})
    assert len(one.process(messages)) < len(messages)


def test_sources_are_read_at_every_compaction() -> None:
    plans = iter(["first plan", "second plan"])
    one, _ = processor(0.3, sources=lambda: Sources(plan=next(plans)))
    assert "first plan" in one.compact_history(long_session()).summary
    assert "second plan" in one.compact_history(long_session()).summary


def test_hooks_run_around_a_compaction_and_add_to_the_instructions(tmp_path) -> None:
    provider = ScriptedProvider()
    script = tmp_path / "hook.py"
    script.write_text(
        "import json, sys\n"
        "value = json.load(sys.stdin)\n"
        "open(sys.argv[1], 'a').write(json.dumps(value) + '\\n')\n"
        "print('keep ' + value['trigger'])\n"
    )
    log = tmp_path / "log.jsonl"
    command = HookCommand(f"{sys.executable} {script} {log}")
    hooks = compaction_hooks([command], [command], place=HookSession("s_1", str(tmp_path)), now=lambda: 2.0)
    one, _ = processor(0.3, summarise=ModelSummariser(provider), hooks=hooks)
    one.compact_history(long_session(), instructions="be brief")
    before, after = [json.loads(line) for line in log.read_text().splitlines()]
    assert (before["hookEventName"], before["trigger"], before["customInstructions"]) == (
        "preCompact",
        "manual",
        "be brief",
    )
    assert before["sessionId"] == "s_1"
    assert (after["hookEventName"], after["status"]) == ("postCompact", "compacted")
    assert "be brief\nkeep manual" in provider.prompts[0].messages[0].text


def test_a_hook_is_told_whether_a_person_asked_for_the_compaction_or_it_came_by_itself(tmp_path) -> None:
    script, log = tmp_path / "hook.py", tmp_path / "log.jsonl"
    script.write_text("import sys\nopen(sys.argv[1], 'a').write(sys.stdin.read() + '\\n')\n")
    (tmp_path / "config.toml").write_text(
        f"[compaction]\npre_commands = ['{sys.executable} {script} {log}']\n"
        f"post_commands = ['{sys.executable} {script} {log}']\n"
    )
    settings = load_settings({}, Home(str(tmp_path)))
    hooks = configured_hooks(settings, place=HookSession("s_1", str(tmp_path)), now=lambda: 1.0, report=pytest.fail)

    def full() -> None:
        assert len(processor(0.97, hooks=hooks)[0].process(long_session())) < len(long_session())

    def refused() -> None:
        one, _ = processor(0.3, hooks=hooks)
        assert one.on_error({"status": 413})
        one.process(long_session())

    def smaller_window() -> None:
        assert processor(0.3, hooks=hooks)[0].before_switch(long_session(), TOKENS // 3)

    def asked_for() -> None:
        processor(0.3, hooks=hooks)[0].compact_history(long_session())

    for compact, trigger in ((full, "auto"), (refused, "auto"), (smaller_window, "auto"), (asked_for, "manual")):
        log.unlink(missing_ok=True)
        compact()
        told = [json.loads(line) for line in log.read_text().splitlines()]
        assert [(one["hookEventName"], one["trigger"]) for one in told] == [
            ("preCompact", trigger),
            ("postCompact", trigger),
        ], compact


def test_a_hook_that_fails_or_hangs_is_reported_and_changes_nothing(tmp_path) -> None:
    problems: list[str] = []
    slow = HookCommand(f'{sys.executable} -c "import time; time.sleep(5)"', timeout_seconds=0.2)
    broken = HookCommand(f'{sys.executable} -c "import sys; sys.exit(3)"')
    hooks = compaction_hooks(
        [slow, broken], [], place=HookSession(cwd=str(tmp_path)), now=lambda: 1.0, report=problems.append
    )
    one, _ = processor(0.3, hooks=hooks)
    assert one.compact_history(long_session()).compacted
    assert "longer than" in problems[0]
    assert "ended with 3" in problems[1]


def test_a_compacted_conversation_still_says_what_was_asked_last() -> None:
    one, _ = processor(0.97)
    assert "Now write the changelog." in said(one.process(long_session()))


def test_thresholds_and_hooks_come_from_the_settings_and_the_environment(tmp_path) -> None:
    environ = {
        "COPILOT_BACKGROUND_COMPACTION_THRESHOLD": "0.5",
        "RECOLLECT_COMPACTION__BUFFER_EXHAUSTION_THRESHOLD": "0.6",
    }
    held = load_settings(environ, Home(str(tmp_path)))
    assert configured_thresholds(held) == Thresholds(
        background=0.5, exhaustion=0.6, minimum_messages=4, wait_seconds=120
    )
    hooks = configured_hooks(held, place=HookSession(), now=lambda: 1.0, report=print)
    assert hooks.before("auto", "") == ""
