"""Every host is understood by what it really sends, and gets its own keys back, and not one more."""

from __future__ import annotations

from typing import Any

import pytest

from recollect.hosts.abilities import ABILITIES, ability
from recollect.hosts.callers import FOLDERS, calling_host, named_host
from recollect.model.hooks import OTHER, PRE_COMPACT, PROMPT, SESSION_END, SESSION_START, STOP, HookCall
from recollect.model.hosts import NAMES
from tests.hook_calls import ALL, AT, SURROUNDINGS, leaving, pre_compact, prompt, session_start

CLAUDE = session_start("claude-code", "/w/app")


def parse(host: str, said: dict[str, Any], **environ: str) -> HookCall:
    module = __import__(f"recollect.hosts.{FOLDERS[host]}.wire", fromlist=["parse"])
    call: HookCall = module.parse(said, environ)
    return call


def answer(host: str, call: HookCall, text: str) -> dict[str, Any] | str:
    module = __import__(f"recollect.hosts.{FOLDERS[host]}.wire", fromlist=["answer"])
    given: dict[str, Any] | str = module.answer(call, text)
    return given


@pytest.mark.parametrize("host", ALL)
@pytest.mark.parametrize("said", [session_start, leaving, pre_compact])
def test_a_host_is_known_by_what_it_sends(host: str, said) -> None:
    assert calling_host([], said(host, "/w/app"), SURROUNDINGS.get(host, {})) == host


@pytest.mark.parametrize(
    ("host", "said", "environ"),
    [
        ("cursor", CLAUDE, {"CURSOR_VERSION": "2"}),
        ("gemini-cli", CLAUDE, {"GEMINI_SESSION_ID": "G"}),
        ("copilot-cli", CLAUDE, {"COPILOT_PLUGIN_ROOT": "/p"}),
        ("copilot-cli", {"sessionId": "C", "prompt": "x"}, {}),
        ("vscode", {"sessionId": "V", "hookEventName": "Stop"}, {}),
        ("goose", {"event": "Stop", "matcher_context": {}}, {}),
        ("cline", {"clineVersion": "3", "hookName": "TaskStart"}, {}),
        ("codex", {**CLAUDE, "transcript_path": "/u/.codex/sessions/2026/11/01/rollout-2026-11-01T09-00-00-u.jsonl"}, {}),
        ("codex", {**CLAUDE, "transcript_path": None, "model": "m", "permission_mode": "default"}, {}),
        ("cursor", {**CLAUDE, "transcript_path": "/u/.cursor/projects/a/agent-transcripts/u/u.jsonl"}, {}),
        ("copilot-cli", {**CLAUDE, "transcript_path": "/u/.copilot/session-state/u/events.jsonl"}, {}),
        ("claude-code", CLAUDE, {"CLAUDE_PROJECT_DIR": "/w/app"}),
        ("claude-code", {**CLAUDE, "transcript_path": "C:\\Users\\a\\.claude\\projects\\w\\u.jsonl"}, {}),
        ("copilot-cli", {"session_id": "C", "hook_event_name": "SessionStart", "timestamp": AT}, {}),
        ("claude-code", {"session_id": "C", "hook_event_name": "SessionStart"}, {}),
        ("claude-code", {}, {}),
    ],
)  # fmt: skip
def test_in_a_file_that_several_hosts_read_the_call_tells_who_calls(
    host: str, said: dict[str, Any], environ: dict[str, Any]
) -> None:
    assert calling_host([], said, environ) == host


def test_what_the_command_says_comes_before_all_signs() -> None:
    assert calling_host(["--host", "codex"], {"clineVersion": "3"}, {"CURSOR_VERSION": "2"}) == "codex"
    assert named_host(["--host=claude_code"]) == "claude-code"
    assert named_host(["--host"]) == named_host(["--host", "emacs"]) == ""


@pytest.mark.parametrize("host", ALL)
def test_the_same_four_events_come_out_of_every_host(host: str) -> None:
    start = parse(host, session_start(host, "/w/app"))
    assert (start.host, start.event, start.session, start.cwd) == (host, SESSION_START, "S", "/w/app")
    asked = parse(host, prompt(host, "/w/app", "Fix the test"))
    assert (asked.event, asked.prompt, asked.session, asked.typed) == (PROMPT, "Fix the test", "S", True)
    assert parse(host, leaving(host, "/w/app")).event == STOP
    assert parse(host, pre_compact(host, "/w/app")).event == PRE_COMPACT


@pytest.mark.parametrize(
    ("host", "said", "event"),
    [
        ("claude-code", {"hook_event_name": "SessionEnd", "reason": "clear"}, SESSION_END),
        ("claude-code", {"hook_event_name": "SubagentStart"}, OTHER),
        ("claude-code", {"hook_event_name": "SubagentStop", "agent_id": "a"}, OTHER),
        ("claude-code", {"hook_event_name": "UserPromptSubmit", "agent_id": "a", "prompt": "x"}, OTHER),
        ("claude-code", {"hook_event_name": "PostCompact"}, OTHER),
        ("codex", {"hook_event_name": "SessionEnd", "reason": "other"}, SESSION_END),
        ("copilot-cli", {"sessionId": "C", "reason": "complete"}, SESSION_END),
        ("copilot-cli", {"sessionId": "C", "agentName": "explore", "transcriptPath": "/t"}, OTHER),
        ("copilot-cli", {"sessionId": "C", "toolName": "bash", "toolArgs": "{}"}, OTHER),
        ("copilot-cli", {"sessionId": "C", "error": {"message": "m"}}, OTHER),
        ("copilot-cli", {"session_id": "C", "hook_event_name": "UserPromptSubmit", "prompt": "x"}, PROMPT),
        ("copilot-cli", {"session_id": "C", "hook_event_name": "Stop", "timestamp": AT}, STOP),
        ("gemini-cli", {"hook_event_name": "BeforeModel"}, OTHER),
        ("gemini-cli", {"hook_event_name": "SessionEnd"}, SESSION_END),
        ("cursor", {"hook_event_name": "sessionEnd"}, SESSION_END),
        ("cursor", {"hook_event_name": "UserPromptSubmit", "prompt": "x"}, PROMPT),
        ("cursor", {"hook_event_name": "afterAgentThought"}, OTHER),
        ("cline", {"hookName": "TaskResume"}, SESSION_START),
        ("cline", {"hookName": "TaskCancel"}, SESSION_END),
        ("opencode", {"event": "prompt", "prompt": "x", "subagent": True}, OTHER),
        ("pi", {"event": "session_end"}, SESSION_END),
        ("goose", {"event": "PreToolUse"}, OTHER),
    ],
)
def test_other_spellings_and_other_events(host: str, said: dict[str, Any], event: str) -> None:
    assert parse(host, said).event == event


@pytest.mark.parametrize("source", ["sdk", "system", "loop_wakeup", "schedule_wakeup", "poll_event"])
def test_a_prompt_that_no_person_typed_is_marked(source: str) -> None:
    said = prompt("claude-code", "/w/app", "go on")
    assert not parse("claude-code", {**said, "source": source}).typed
    assert parse("claude-code", {**said, "source": "user"}).typed
    assert not parse("pi", {"event": "prompt", "typed": False}).typed


def test_cursor_says_where_it_is_in_three_ways() -> None:
    said = {"hook_event_name": "stop"}
    assert parse("cursor", {**said, "workspace_roots": ["/w/a", "/w/b"]}).cwd == "/w/a"
    assert parse("cursor", said, CURSOR_PROJECT_DIR="/w/c", CLAUDE_PROJECT_DIR="/w/d").cwd == "/w/c"
    assert parse("cursor", {**said, "workspace_roots": "nonsense"}, CLAUDE_PROJECT_DIR="/w/d").cwd == "/w/d"


@pytest.mark.parametrize(
    ("host", "at_start", "at_prompt", "at_compaction"),
    [
        (
            "claude-code",
            {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "M"}},
            {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": "M"}},
            "M",
        ),
        (
            "codex",
            {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "M"}},
            {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": "M"}},
            {},
        ),
        (
            "copilot-cli",
            {"additionalContext": "M"},
            {"modifiedTransformedPrompt": "M\n\n<current_datetime>now</current_datetime>\n\nhi"},
            {},
        ),
        (
            "gemini-cli",
            {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "M"}},
            {"hookSpecificOutput": {"hookEventName": "BeforeAgent", "additionalContext": "M"}},
            {},
        ),
        ("vscode", {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "M"}}, {}, {}),
        ("cursor", {"additional_context": "M"}, {"additional_context": "M"}, {}),
        ("opencode", {"context": "M"}, {"context": "M"}, {"context": "M"}),
        ("pi", {"context": "M"}, {"context": "M"}, {"context": "M"}),
        ("goose", {}, {}, {}),
        (
            "cline",
            {"cancel": False, "contextModification": "M"},
            {"cancel": False, "contextModification": "M"},
            {},
        ),
    ],
)
def test_an_answer_has_the_hosts_own_keys_and_no_others(
    host: str, at_start: dict[str, Any], at_prompt: dict[str, Any], at_compaction: dict[str, Any]
) -> None:
    calls = [session_start(host, "/w"), prompt(host, "/w", "hi"), pre_compact(host, "/w"), leaving(host, "/w")]
    for said, wanted in zip(calls, (at_start, at_prompt, at_compaction, {}), strict=True):
        call = parse(host, said)
        assert answer(host, call, "M") == wanted
        assert not answer(host, call, "")


def test_copilot_gets_nothing_where_it_would_drop_it() -> None:
    submitted = {"sessionId": "C", "timestamp": 1, "cwd": "/w", "prompt": "hi"}
    call = parse("copilot-cli", submitted)
    assert not call.takes_text
    assert answer("copilot-cli", call, "M") == {}


def test_the_table_of_abilities_names_the_hosts_there_are() -> None:
    assert set(ABILITIES) == set(FOLDERS) <= set(NAMES)
    assert not ability("emacs").injects_at_start
    for row in ABILITIES.values():
        assert 0 < row.max_characters <= 10_000
        assert row.note or (row.injects_at_start and row.injects_at_prompt), f"{row.name}: say what a user misses"


@pytest.mark.parametrize("host", ALL)
@pytest.mark.parametrize("wrong", [None, 7, True, [], {}, ["x", 1], "", "\ud800", "x" * 5000])
def test_fields_of_the_wrong_type_are_as_if_they_were_missing(host: str, wrong: object) -> None:
    said = prompt(host, "/w/app", "hi")
    for name in said:
        call = parse(host, {**said, name: wrong})
        assert all(isinstance(field, (str, bool)) for field in call)
