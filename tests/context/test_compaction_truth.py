"""A summary says only what is known: how commands ended, what failed, and what stands where."""

from __future__ import annotations

import json

import pytest

from recollect.context import Counter, compact
from recollect.context.shapes import parse
from recollect.model.messages import Message
from tests.histories import assistant, call, edited, ran, result, system, user


def summary_of(messages) -> str:
    rest = [*messages, *(assistant(f"Step {n}. " + "word " * 120) for n in range(60)), user("go on")]
    outcome = compact([system(), user("Fix the build."), *rest], counter=Counter(), window=8_000)
    assert outcome.compacted
    return outcome.summary


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("go test ./... | tail -5", "ok"),
        ("go test ./... || true", "ok"),
        ("go test ./...; echo done", "done"),
        ("make test &", "[1] 4711"),
        ("make test", "Process running with session ID 7"),
        ("make test", "Command running in background with ID: b1"),
    ],
)
def test_a_command_whose_exit_status_is_not_known_did_not_pass(command: str, output: str) -> None:
    summary = summary_of(ran(1, command, output))
    assert "passed" not in summary
    assert f"ended, exit status not known: {command}" in summary


def test_a_pipe_that_fails_with_its_first_program_can_pass() -> None:
    assert "passed: set -o pipefail; go test" not in summary_of(ran(1, "set -o pipefail; go test | tail", "ok"))
    assert "passed: set -eo pipefail; go test" in summary_of(ran(1, "set -eo pipefail; go test | tail", "ok"))
    assert "passed: git commit -m 'a | b; c' && make test" in summary_of(
        ran(1, "git commit -m 'a | b; c' && make test", "ok")
    )


def test_a_shape_that_does_not_tell_of_failures_needs_an_exit_code() -> None:
    def chat(output: str) -> list[Message]:
        function = {"name": "bash", "arguments": json.dumps({"command": "make test"})}
        calls = [{"id": "c1", "type": "function", "function": function}]
        return list(
            parse(
                [
                    {"role": "assistant", "content": None, "tool_calls": calls},
                    {"role": "tool", "tool_call_id": "c1", "content": output},
                ],
                "openai_chat",
            )
        )

    assert "ended, exit status not known: make test" in summary_of(chat("12 tests"))
    assert "passed: make test" in summary_of(chat("Exit code: 0\n12 tests"))


def test_the_same_failure_is_told_once() -> None:
    messages = [
        m
        for n in range(6)
        for m in ran(n, f"pytest tests/test_{n}.py", f"ImportError: no jinja2 ({n}.2s)", failed=True)
    ]
    summary = summary_of([*messages, *ran(9, "make lint", "E501 line too long", failed=True)])
    notes = summary.partition("## Details")[0]
    assert notes.count("ImportError: no jinja2") <= 2
    assert notes.count("pytest tests/test_5.py") == 1


def test_what_failed_and_passed_later_is_not_where_things_stand() -> None:
    messages = [*ran(1, "make test", "E   ValueError: no port", failed=True), *ran(2, "make test", "ok")]
    summary = summary_of(messages)
    assert "failed (and passed later): make test" in summary
    standing = summary.partition("## Where things stand")[2].partition("\n## ")[0]
    assert "failed" not in standing


def test_a_command_that_failed_again_after_it_passed_is_open() -> None:
    failed = ran(1, "make test", "E   ValueError: no port", failed=True)
    again = ran(3, "make test", "E   KeyError: host", failed=True)
    summary = summary_of([*failed, *ran(2, "make test", "ok"), *again])
    standing = summary.partition("## Where things stand")[2].partition("\n## ")[0]
    assert "failed: make test" in standing
    assert "KeyError: host" in standing


def test_a_search_that_found_nothing_is_not_where_things_stand_once_the_agent_has_answered() -> None:
    searched = ran(1, "git ls-tree main docs | grep plan", "Exit code: 1", failed=True)
    tested = ran(2, "make test", "E   KeyError: host", failed=True)
    summary = summary_of([*tested, *searched, assistant("The tests fail, the rest is done."), user("And now?")])
    standing = summary.partition("## Where things stand")[2].partition("\n## ")[0]
    assert "grep plan" not in standing
    assert "failed: make test" in standing
    assert "failed: git ls-tree" in summary


def test_a_test_that_failed_stays_open_over_an_unrelated_answer() -> None:
    chatter = [assistant(f"Step {n}. " + "word " * 120) for n in range(60)]
    failed = ran(1, "make test", "E   ValueError: no port", failed=True)
    first = compact([system(), user("Fix it."), *failed, *chatter, user("on")], counter=Counter(), window=8_000)
    turn = [user("What is the port?"), assistant("It is 7443.")]
    second = compact([*first.messages, *chatter, *turn], counter=Counter(), window=8_000)
    assert "failed: make test" in second.summary


def test_a_file_whose_last_change_failed_says_so() -> None:
    again = [
        call("x1", "edit", file_path="src/a.py", old_string="q", new_string="r"),
        result("x1", "no match", failed=True),
    ]
    assert "src/a.py (the last change failed)" in summary_of([*edited(1, "src/a.py"), *again])
    assert "(the last change failed)" not in summary_of([*again, *edited(1, "src/a.py")])


def test_a_failure_of_an_earlier_compaction_that_is_mended_since_is_gone() -> None:
    chatter = [assistant(f"Step {n}. " + "word " * 120) for n in range(60)]
    messages = [
        system(),
        user("Fix it."),
        *ran(1, "make test", "E   ValueError: no port", failed=True),
        *chatter,
        user("on"),
    ]
    first = compact(messages, counter=Counter(), window=8_000)
    assert "failed: make test" in first.summary
    second = compact(
        [*first.messages, *ran(2, "make test", "ok"), *chatter, user("next")], counter=Counter(), window=8_000
    )
    assert second.compacted
    assert "failed: make test" not in second.summary
