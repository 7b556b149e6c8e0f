"""A session of our own inside its window: instructions, commands, state, cancelling, limits and signals."""

from __future__ import annotations

import asyncio
import gc
import json
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from recollect import Recollect
from recollect.context import ModelSummariser
from recollect.context.compaction import SummaryRequest
from recollect.errors import CompactionRefused
from recollect.flows.sessions.own_session import OwnSession
from recollect.model.messages import Message
from recollect.ports import Usage
from recollect.providers.scripted import GOOD_SUMMARY, Scripted, ScriptedProvider
from recollect.sessions.telemetry import telemetry
from tests.command_line import Run
from tests.histories import assistant, call, long_session, result, said, user

FACT = "The retry budget of billing_gateway is 7 attempts, because the bank drops every fifth call."
WINDOW = 8_000


def filled(memory: Recollect, messages: list[Message] | None = None, **about: Any) -> OwnSession:
    session = memory.own_sessions.create(cwd=memory.folder, **about)
    for message in messages or with_fact():
        session.add(message)
    return session


def with_fact() -> list[Message]:
    messages = long_session()
    at = next(at for at, message in enumerate(messages) if message.role == "assistant" and message.text)
    messages[at] = assistant(f"I looked around.\n{FACT}\nThat is all.")
    return messages


def opened(tmp_path: Path, config: str) -> Recollect:
    home = tmp_path / "configured"
    home.mkdir()
    (home / "config.toml").write_text(config)
    return Recollect.open(str(home), folder=str(tmp_path), environ={})


def noting(tmp_path: Path, printed: str = "") -> str:
    script = tmp_path / f"note{len(list(tmp_path.glob('note*')))}.py"
    script.write_text(
        f"import sys\nopen({str(tmp_path / 'told.jsonl')!r}, 'a').write(sys.stdin.read() + '\\n')\nprint({printed!r})\n"
    )
    return f"{sys.executable} {script}"


def told(tmp_path: Path) -> list[dict[str, Any]]:
    path = tmp_path / "told.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def of_kind(session: OwnSession, kind: str) -> list[dict[str, Any]]:
    return [event.data for event in session.events() if event.kind == kind]


# -- instructions


def test_a_session_keeps_what_it_is_asked_to_keep(memory) -> None:
    plain, asked = filled(memory), filled(memory)
    assert plain.compact(window=WINDOW).compacted
    assert asked.compact("the billing_gateway", window=WINDOW).compacted
    assert FACT not in said(plain.messages())
    assert FACT in said(asked.messages())


def test_the_command_line_compacts_a_session_and_says_so(cli: Run, tmp_path: Path) -> None:
    with Recollect.open(str(tmp_path / "home"), environ={}) as memory:
        session = filled(memory)
    done = cli("session", "compact", session.session_id, "--window", str(WINDOW), "--keep", "billing_gateway", "--json")
    assert done.code == 0, done.err
    assert done.json["status"] == "compacted"
    assert done.json["checkpoint"] == 1
    assert FACT in cli("session", "replay", session.session_id).out
    again = cli("session", "compact", session.session_id, "--window", str(WINDOW))
    assert (again.code, again.out.partition(" ")[0]) == (0, "Unchanged")


# -- commands and thresholds of the settings


def test_commands_of_the_settings_run_around_a_sessions_compaction(tmp_path: Path) -> None:
    config = f"[compaction]\npre_commands = ['{noting(tmp_path, 'billing_gateway')}']\npost_commands = ['{noting(tmp_path)}']\n"
    with opened(tmp_path, config) as memory:
        session = filled(memory)
        session.compact("be brief", window=WINDOW)
        assert FACT in said(session.messages())
        before, after = told(tmp_path)
        assert (before["sessionId"], before["trigger"], before["customInstructions"]) == (
            session.session_id,
            "manual",
            "be brief",
        )
        assert before["transcriptPath"] == session.workspace.log.path
        assert (after["hookEventName"], after["status"]) == ("postCompact", "compacted")


def test_commands_run_when_messages_are_fitted_and_only_then(tmp_path: Path) -> None:
    config = f"[compaction]\npre_commands = ['{noting(tmp_path, 'billing_gateway')}']\n"
    with opened(tmp_path, config) as memory:
        messages = [{"role": message.role, "content": message.text} for message in with_fact() if message.text]
        memory.context.fit(messages, window=1_000_000)
        assert told(tmp_path) == []
        assert FACT in json.dumps(memory.context.fit(messages, window=2_000))
        assert [one["trigger"] for one in told(tmp_path)] == ["auto"]


def test_a_command_that_fails_is_an_event_of_the_session(tmp_path: Path) -> None:
    with opened(tmp_path, "[compaction]\npre_commands = ['exit 3']\n") as memory:
        session = filled(memory)
        assert session.compact(window=WINDOW).compacted
        assert "ended with 3" in of_kind(session, "session.error")[0]["message"]


def test_thresholds_and_commands_reach_the_session_of_the_openai_agents(tmp_path: Path) -> None:
    pytest.importorskip("agents")
    from recollect.adapters.openai_agents import RecollectSession

    config = f"[compaction]\nbackground_threshold = 0.3\nbuffer_exhaustion_threshold = 0.3\npre_commands = ['{noting(tmp_path)}']\n"
    with opened(tmp_path, config) as memory:
        session = RecollectSession("customer 7", memory, window=4_000)
        items: list[Any] = [{"role": "user", "content": f"Message {number}: " + "word " * 60} for number in range(25)]
        asyncio.run(session.add_items(items))
        asyncio.run(session.get_items())
        assert told(tmp_path)[0]["trigger"] == "auto"
        assert session.kept.in_effect == (1,)
        short = RecollectSession("customer 8", memory, window=40_000)
        asyncio.run(short.add_items(items))
        assert len(asyncio.run(short.get_items())) == len(items)


def test_settings_reach_the_history_processor_of_pydantic_ai(tmp_path: Path) -> None:
    pytest.importorskip("pydantic_ai")
    from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, UserPromptPart

    from recollect.adapters.pydantic_ai import RecollectToolset

    config = f"[compaction]\nbackground_threshold = 0.3\npre_commands = ['{noting(tmp_path)}']\n"
    with opened(tmp_path, config) as memory:
        process = RecollectToolset(memory).history_processor(window=10_000)
        history: list[Any] = []
        for number in range(20):
            history.append(ModelRequest(parts=[UserPromptPart(content=f"Request {number} " + "word " * 100)]))
            history.append(ModelResponse(parts=[TextPart(content=f"Answer {number} " + "word " * 100)]))
        history.append(ModelRequest(parts=[UserPromptPart(content="Go on.")]))
        assert len(process(history)) < len(history)
        assert [one["trigger"] for one in told(tmp_path)] == ["auto"]


# -- state


def test_plan_todos_skills_and_agent_are_events_and_survive_a_compaction(memory) -> None:
    session = filled(memory)
    session.write_plan("1. Move the store")
    session.set_todos("- [ ] write the migration")
    session.invoke_skill("release", "Tag first, then publish.")
    session.select_agent("reviewer", "Looks at every change.")
    again = memory.own_sessions.open(session.session_id)
    again.compact(window=WINDOW)
    text = said(again.messages())
    for kept in ("1. Move the store", "write the migration", "Tag first, then publish.", "reviewer", "Looks at every"):
        assert kept in text
    shown = [one.what for one in memory.own_sessions.timeline(session.session_id)]
    assert {"plan", "todos", "skill", "agent"} <= set(shown)


def test_a_rewind_brings_back_the_todos_and_the_plan_of_that_time(memory) -> None:
    session = memory.own_sessions.create()
    session.add(user("one"))
    session.set_todos("first")
    session.write_plan("plan A")
    session.add(user("two"))
    session.set_todos("second")
    session.write_plan("plan B")
    session.rewind(turn=2)
    assert (session.kept.todos, session.kept.plan) == ("first", "plan A")
    assert session.workspace.plan() == "plan A"
    session.undo()
    assert (session.kept.todos, session.workspace.plan()) == ("second", "plan B")


def test_a_plan_that_a_person_changed_in_its_file_stays(memory) -> None:
    session = filled(memory)
    session.write_plan("plan A")
    session.workspace.write_plan("plan of a person")
    session.rename("A title")
    assert session.workspace.plan() == "plan of a person"
    session.compact(window=WINDOW)
    assert "plan of a person" in said(session.messages())


# -- failing and cancelling


def test_cancelling_a_compaction_that_waits_for_a_model_returns_at_once(memory) -> None:
    release = threading.Event()
    entered = threading.Event()

    def deaf(request: SummaryRequest) -> str:
        entered.set()
        release.wait(20)
        return GOOD_SUMMARY

    session = filled(memory)
    before = session.messages()
    compaction = session.compaction(window=WINDOW, summarise=deaf)
    threading.Thread(target=lambda: entered.wait(10) and compaction.cancel()).start()
    with pytest.raises(CompactionRefused, match="cancelled"):
        compaction.compact()
    entered.clear()
    threading.Thread(target=lambda: entered.wait(10) and compaction.cancel()).start()
    began = time.monotonic()
    compaction.request()  # waits: the window is more than full
    assert time.monotonic() - began < 10
    release.set()
    assert session.messages() == before
    assert [one["success"] for one in of_kind(session, "session.compaction_complete")] == [False, False]


@pytest.mark.parametrize("problem", [ValueError("odd"), KeyError("x"), RuntimeError("boom"), OSError("gone")])
def test_a_summariser_that_raises_anything_is_a_failure_that_is_told(memory, problem: Exception, capsys) -> None:
    def broken(request: SummaryRequest) -> str:
        raise problem

    with_rules = filled(memory).compact(window=WINDOW, summarise=broken)
    assert with_rules.compacted
    assert type(problem).__name__ in with_rules.model_error
    assert "Traceback" not in capsys.readouterr().err


def test_with_fallback_never_a_summariser_that_raises_fails_the_compaction(tmp_path: Path) -> None:
    def broken(request: SummaryRequest) -> str:
        raise ValueError("odd")

    with opened(tmp_path, "[compaction]\nfallback = 'never'\n") as memory:
        session = filled(memory)
        before = session.messages()
        outcome = session.compact(window=WINDOW, summarise=broken)
        assert outcome.status == "failed"
        assert "odd" in outcome.why
        assert session.messages() == before


@pytest.mark.parametrize("answer", ["", "  \n", "<think>hm</think>"])
def test_an_empty_answer_fails_unless_the_settings_let_rules_stand_in(memory, tmp_path: Path, answer: str) -> None:
    session = filled(memory)
    outcome = session.compact(window=WINDOW, summarise=ModelSummariser(ScriptedProvider([answer])))
    assert outcome.status == "failed"
    assert "empty" in outcome.why
    assert "empty" in of_kind(session, "session.compaction_complete")[0]["error"]["message"]
    with opened(tmp_path, "[compaction]\nfallback = 'always'\n") as other:
        outcome = filled(other).compact(window=WINDOW, summarise=ModelSummariser(ScriptedProvider([answer])))
        assert outcome.compacted
        assert "empty" in outcome.model_error


# -- memory pressure, another model


def test_memory_pressure_collects_garbage_looks_again_and_then_compacts(memory, monkeypatch) -> None:
    happened: list[str] = []
    collect = gc.collect

    def collected() -> int:
        happened.append("collected")
        return collect()

    monkeypatch.setattr(gc, "collect", collected)

    def pressed(answer: bool) -> bool:
        happened.append("looked")
        return answer

    session = filled(memory)
    compaction = session.compaction(window=WINDOW)
    assert compaction.on_memory_pressure(lambda: pressed(False)) is None
    assert happened == ["collected", "looked"]
    outcome = compaction.on_memory_pressure(lambda: pressed(True))
    assert outcome is not None
    assert outcome.compacted
    assert of_kind(session, "session.compaction_complete")[0]["trigger"] == "memory_pressure"


def test_memory_pressure_without_a_system_message_does_nothing(memory) -> None:
    session = filled(memory, long_session()[1:])
    compaction = session.compaction(window=WINDOW, summarise=ModelSummariser(ScriptedProvider()))
    assert compaction.on_memory_pressure() is None


def test_a_switch_to_a_smaller_window_says_what_would_happen_and_asks(memory) -> None:
    session = filled(memory, model="claude-sonnet-4")
    before = session.messages()
    asked: list[str] = []
    compaction = session.compaction()

    def answer(question: str, agreed: bool) -> bool:
        asked.append(question)
        return agreed

    with pytest.raises(CompactionRefused, match="declined"):
        compaction.switch_model("gpt-4", ask=lambda question: answer(question, False))
    assert session.messages() == before
    assert session.about["model"] == "claude-sonnet-4"
    assert "8,192" in asked[0]
    assert "summary" in asked[0]
    outcome = compaction.switch_model("gpt-4", ask=lambda question: answer(question, True))
    assert outcome is not None
    assert outcome.tokens_after < 8_192
    assert session.about["model"] == "gpt-4"
    assert compaction.switch_model("gpt-4.1", ask=pytest.fail) is None


# -- limits of models


def test_a_window_comes_from_what_is_known_of_the_model(memory, tmp_path: Path) -> None:
    assert memory.own_sessions.create(model="anthropic/claude-sonnet-4").compaction().window == 200_000
    assert memory.own_sessions.create(model="nobody-knows-it").compaction().window == 128_000
    with opened(tmp_path, "[compaction]\nlimit_tokens = ['gpt-4o=64000', '*=32000']\n") as other:
        assert other.own_sessions.create(model="gpt-4o").compaction().window == 64_000
        assert other.own_sessions.create(model="nobody-knows-it").compaction().window == 32_000


def test_a_limit_that_a_provider_named_wins_from_then_on(memory) -> None:
    compaction = memory.own_sessions.create(model="gpt-4o").compaction()
    refusal = "This model's maximum context length is 65536 tokens. However, your messages resulted in 90000 tokens."
    assert compaction.on_error(refusal)
    assert compaction.window == 65_536
    assert memory.own_sessions.create(model="gpt-4o").compaction().window == 65_536
    assert memory.context.learn("prompt is too long: 210000 tokens > 150000 maximum", model="claude-x") == 150_000
    assert memory.own_sessions.create(model="claude-x").compaction().window == 150_000


# -- signals, telemetry, candidates


def test_a_providers_signal_is_recorded_and_never_switches_compaction_off_for_good(memory) -> None:
    session = filled(memory)
    compaction = session.compaction(window=WINDOW)
    reply = {"context_management": {"applied_edits": [{"type": "clear_tool_uses", "cleared_input_tokens": 500}]}}
    compaction.on_success(reply)
    compaction.on_success(reply)
    assert [one["tokens"] for one in of_kind(session, "session.provider_compaction")] == [500]
    before = len(session.messages())
    for _ in range(6):
        compaction.request()
    assert len(session.messages()) < before


def test_a_signal_in_the_items_of_an_openai_session_is_recorded(memory) -> None:
    pytest.importorskip("agents")
    from recollect.adapters.openai_agents import RecollectSession

    session = RecollectSession("customer 9", memory)
    item: Any = {"type": "compaction", "id": "cmp_1", "encrypted_content": "gAAA"}
    asyncio.run(session.add_items([{"role": "user", "content": "Hello"}, item]))
    asyncio.run(session.get_items())
    assert [one["source"] for one in of_kind(session.kept, "session.provider_compaction")] == ["compaction"]


def test_a_compaction_by_a_model_is_measured_per_call_with_its_model_and_its_duration(memory) -> None:
    pytest.importorskip("opentelemetry.sdk")
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.export import InMemoryMetricReader
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    spans, numbers = InMemorySpanExporter(), InMemoryMetricReader()
    tracers = TracerProvider()
    tracers.add_span_processor(SimpleSpanProcessor(spans))
    session = filled(memory)
    session.subscribe(telemetry("s_1", tracer_provider=tracers, meter_provider=MeterProvider(metric_readers=[numbers])))
    provider = ScriptedProvider([Scripted((GOOD_SUMMARY,), usage=Usage(100, 10))])
    compaction = session.compaction(window=WINDOW, summarise=ModelSummariser(provider))
    for _ in range(2):
        assert compaction.compact().compacted
        for message in long_session()[1:]:
            session.add(message)
    done = [
        dict(span.attributes or {}) for span in spans.get_finished_spans() if span.name == "conversation-compaction"
    ]
    assert [one["gen_ai.request.model"] for one in done] == ["scripted", "scripted"]
    assert [one["gen_ai.response.id"] for one in done] == ["req-1", "req-2"]
    assert all("recollect.duration_ms" in one for one in done)
    data = numbers.get_metrics_data()
    assert data is not None
    points = [
        point
        for of in data.resource_metrics
        for scope in of.scope_metrics
        for metric in scope.metrics
        if metric.name == "gen_ai.client.token.usage"
        for point in metric.data.data_points
    ]
    sums = {point.attributes["gen_ai.token.type"]: (point.count, point.sum) for point in points}  # type: ignore[union-attr,index]
    assert sums == {"input": (2, 200), "output": (2, 20)}
    used = of_kind(session, "session.compaction_complete")
    assert [one["compactionTokensUsed"]["inputTokens"] for one in used] == [100, 100]


def test_a_compaction_that_was_asked_for_tells_how_full_the_window_is_now(memory) -> None:
    session = filled(memory)
    outcome = session.compact(window=WINDOW)
    [told_usage] = of_kind(session, "session.usage_info")
    assert told_usage["messagesLength"] == outcome.messages_after
    assert told_usage["tokenLimit"] == WINDOW


def test_what_an_automatic_compaction_finds_the_user_said_for_good_waits_for_a_person(memory) -> None:
    session = memory.own_sessions.create()
    session.add(user("We use pnpm in this repository, never npm."))
    for number in range(12):
        session.add(assistant(f"Part {number} is changed. " * 120))
        session.add(user(f"Please change part {number + 1} of the importer."))
    session.compaction(window=2_000).request()
    assert of_kind(session, "session.compaction_complete")[0]["success"]
    assert any("pnpm" in candidate.what for candidate in memory.pending.waiting())


# -- copilot#1688


def test_copilot_1688_a_compaction_waits_for_the_results_of_open_tool_calls(memory) -> None:
    session = filled(memory)
    compaction = session.compaction(window=WINDOW)
    session.add(call("open", "bash", command="make release"))
    before = session.messages()
    compaction.prepare()
    compaction.request()
    assert session.messages() == before
    assert of_kind(session, "session.compaction_start") == []
    session.add(result("open", "released"))
    compaction.request()
    assert len(session.messages()) < len(before)
    assert "make release" in said(session.messages())


# -- one place for checkpoints, counters, the profile


def test_the_latest_checkpoint_is_found_in_one_place_for_our_sessions_and_hosts(
    cli: Run, tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert cli("session", "checkpoints").out == ""
    log = tmp_path / "messages" / "host.jsonl"
    log.parent.mkdir()
    lines: list[dict[str, Any]] = [
        {"type": "user", "message": {"role": "user", "content": "Add a retry to the importer."}, "uuid": "u1"},
        {
            "type": "assistant",
            "message": {"role": "assistant", "content": [{"type": "text", "text": "Done."}]},
            "uuid": "a1",
        },
        {"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted", "uuid": "b1"},
        {
            "type": "user",
            "isCompactSummary": True,
            "message": {
                "role": "user",
                "content": "This session is being continued from a previous conversation. The importer retries.",
            },
            "uuid": "u2",
        },
        {"type": "user", "message": {"role": "user", "content": "Now the tests."}, "uuid": "u3"},
        {
            "type": "assistant",
            "message": {"role": "assistant", "content": [{"type": "text", "text": "Tested."}]},
            "uuid": "a2",
        },
    ]
    about = {"sessionId": "host-1", "cwd": str(repository), "version": "2.0.0", "timestamp": "2026-01-05T10:00:00Z"}
    log.write_text("".join(json.dumps({**about, **line}) + "\n" for line in lines))
    assert cli("import", str(log), "--host", "claude-code").code == 0
    [hosts] = cli("session", "checkpoints", "--json").json
    assert (hosts["host"], "The importer retries." in hosts["summary"]) == ("claude-code", True)
    with monkeypatch.context() as elsewhere:
        elsewhere.chdir(log.parent)
        assert "Add --all" in cli("session", "checkpoints").err
        assert cli("session", "checkpoints", "--all", "--json").json == [hosts]
    with Recollect.open(str(tmp_path / "home"), folder=str(repository), environ={}) as memory:
        session = filled(memory, repository=memory.repository.repository)
        session.compact(window=WINDOW)
        assert memory.sessions.latest_checkpoints()[0].session_id == session.session_id
        ours, theirs = cli("session", "checkpoints", "--json").json
        assert (ours["host"], theirs["host"]) == ("recollect", "claude-code")
        session.undo()
        assert [one.host for one in memory.sessions.latest_checkpoints(limit=9)] == ["claude-code"]


def test_status_counts_what_happened_here(cli: Run) -> None:
    assert set(cli("status", "--json").json["happened"].values()) == {0}
    entry = cli("remember", "The deploy target is Fly.io.", "--json").json["id"]
    cli("recall", "deploy target")
    cli("vote", entry, "up", "--reason", "right")
    counts = cli("status", "--json").json["happened"]
    assert (counts["recalls"], counts["stores"], counts["votes"]) == (1, 1, 1)
    assert "happened.recalls: 1" in cli("status").out


def test_a_compaction_and_a_refusal_are_counted(memory) -> None:
    from recollect.flows.views.status import happened
    from recollect.flows.writes.actors import Agent

    session = filled(memory)
    outcome = session.compact(window=WINDOW)
    with Recollect.open(memory.home.root, flags={"permissions.deny": ["memory"]}, environ={}) as denying:
        refused = denying.writes(Agent("claude", "s")).memory_write("add", "L1", "The port is 7443.", "", ())
        assert refused.status == "denied"
        counts = happened(denying.opened)
    assert (counts.compactions, counts.tokens_freed, counts.refusals) == (1, outcome.tokens_removed, 1)


def test_what_is_fitted_for_a_program_is_counted_too(cli: Run, tmp_path: Path) -> None:
    messages = [{"role": message.role, "content": message.text} for message in with_fact() if message.text]
    with Recollect.open(str(tmp_path / "home"), folder=str(tmp_path), environ={}) as memory:
        memory.context.fit(messages, window=1_000_000)  # fits as it is
        memory.context.fit(messages, window=2_000)
        removed = memory.context.compact(messages, window=2_000).result.tokens_removed
    counts = cli("status", "--json").json["happened"]
    assert counts["compactions"] == 2
    assert counts["tokens_freed"] == 2 * removed


def test_the_profile_cannot_be_raised_above_a_thousand_characters(cli: Run, tmp_path: Path) -> None:
    refused = cli("settings", "set", "profile.max_characters", "1001")
    assert refused.code != 0
    assert "from 100 to 1000" in refused.err
    (tmp_path / "home").mkdir(exist_ok=True)
    (tmp_path / "home" / "config.toml").write_text("[profile]\nmax_characters = 4000\n")
    done = cli("profile", "--json")
    assert done.json["limit"] == 1_000
    assert "at most 1000 now" in done.err
