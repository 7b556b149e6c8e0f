"""`recollect compact` as a person uses it: what it is asked to keep, commands around it, short and odd input."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.command_line import Done, clean_environment, process
from tests.doors.cli.test_context import long_talk

FACT = "The retry budget of billing_gateway is 7 attempts, because the bank drops every fifth call."


def talk_with(fact: str = FACT, turns: int = 60) -> list[dict[str, object]]:
    """A long conversation in which the agent once said something that no rule finds worth keeping."""
    messages = long_talk(turns)
    messages[8] = {"role": "assistant", "content": f"I looked around.\n{fact}\nThat is all there is."}
    return messages


def compact(tmp_path: Path, messages: object, *words: str, config: str = "", **environ: str) -> Done:
    (tmp_path / "user").mkdir(exist_ok=True)
    (tmp_path / "home").mkdir(exist_ok=True)
    if config:
        (tmp_path / "home" / "config.toml").write_text(config)
    text = messages if isinstance(messages, str) else json.dumps(messages)
    (tmp_path / "talk.json").write_text(text)
    variables = clean_environment(tmp_path / "home", tmp_path / "user", **environ)
    return process(["recollect", "compact", "talk.json", *words], tmp_path, variables)


def small(tmp_path: Path, *words: str, config: str = "") -> str:
    done = compact(tmp_path, talk_with(), "--window", "6000", "--json", *words, config=config)
    assert done.code == 0, done.err
    assert done.json["status"] == "compacted"
    assert done.json["tokens_after"] < done.json["tokens_before"] / 2
    return json.dumps(done.json["messages"])


# -- what a summary holds


def called(number: int, name: str, answer: str, **arguments: object) -> list[dict[str, object]]:
    """A call of a tool and its answer, as OpenAI's chat messages."""
    call = {"id": f"c{number}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": f"c{number}", "content": answer},
    ]


def test_somebody_who_was_not_there_finds_tasks_changes_and_how_commands_ended(tmp_path: Path) -> None:
    messages = [
        {"role": "user", "content": "Mend the queue."},
        *called(1, "update_plan", "ok", plan=[{"step": "Drain first", "status": "in_progress"}]),
        *called(2, "write", "ok", file_path="src/queue.py", content="def drain():\n    return 1\n"),
        *called(3, "bash", "Exit code: 0\nok", command="make test"),
        *called(4, "bash", "ok", command="make build | tail"),
        *long_talk(60),
    ]
    done = compact(tmp_path, messages, "--window", "16000", "--json")
    assert done.code == 0, done.err
    assert done.json["tokens_after"] <= 4_000
    summary = done.json["summary"]
    assert "- in progress: Drain first" in summary
    assert "- src/queue.py (written, 2 lines: drain)" in summary
    assert "- passed: make test" in summary
    assert "- ended, exit status not known: make build | tail" in summary


# -- instructions without a model


@pytest.mark.parametrize("wish", ["the billing_gateway", "everything about retry budgets", "what the bank does"])
def test_what_a_person_asks_to_keep_is_kept_without_a_model(tmp_path: Path, wish: str) -> None:
    assert FACT not in small(tmp_path)
    assert FACT in small(tmp_path, "--keep", wish)


def test_a_wish_that_names_nothing_of_the_conversation_changes_nothing(tmp_path: Path) -> None:
    assert small(tmp_path, "--keep", "kubernetes") == small(tmp_path)


def test_what_was_asked_for_is_kept_by_the_next_compaction_too(tmp_path: Path) -> None:
    first = compact(tmp_path, talk_with(), "--window", "6000", "--json", "--keep", "billing_gateway").json["messages"]
    again = compact(tmp_path, [*first[:-1], *long_talk(60)[1:]], "--window", "6000", "--json")
    assert again.json["status"] == "compacted"
    assert FACT in json.dumps(again.json["messages"])


# -- short and odd input


def test_a_short_conversation_is_unchanged_and_no_failure(tmp_path: Path) -> None:
    short = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hello."}]
    done = compact(tmp_path, short, "--window", "8000", "--json")
    assert (done.code, done.json["status"]) == (0, "unchanged")
    assert done.json["messages"] == short
    said = compact(tmp_path, short, "--window", "8000")
    assert said.code == 0
    assert said.err.startswith("Unchanged at ")


@pytest.mark.parametrize("depth", [300, 900, 100_000])
@pytest.mark.parametrize("words", [(), ("--json",)])
def test_deeply_nested_input_is_refused_in_one_clear_sentence(tmp_path: Path, depth: int, words: tuple[str]) -> None:
    nested = '[{"role": "user", "content": "Hello", "extra": ' + "[" * depth + "]" * depth + "}]"
    done = compact(tmp_path, nested, "--window", "8000", *words)
    assert (done.code, done.out) == (2, "")
    assert len(done.err.strip().splitlines()) == 1
    assert "nested too deeply" in done.err
    assert "RecursionError" not in done.err


# -- commands around it


def noting(tmp_path: Path, printed: str = "", code: int = 0) -> str:
    """A command that notes what it is told and prints something."""
    script = tmp_path / f"note_{abs(hash((printed, code)))}.py"
    script.write_text(
        f"import sys\nopen({str(tmp_path / 'told.jsonl')!r}, 'a').write(sys.stdin.read() + '\\n')\n"
        f"print({printed!r})\nsys.exit({code})\n"
    )
    return f"{sys.executable} {script}"


def told(tmp_path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (tmp_path / "told.jsonl").read_text().splitlines()]


def test_commands_of_the_settings_run_around_a_compaction_and_steer_it(tmp_path: Path) -> None:
    before, after = noting(tmp_path, "keep what billing_gateway does"), noting(tmp_path)
    config = f"[compaction]\npre_commands = ['{before}']\npost_commands = ['{after}']\n"
    assert FACT in small(tmp_path, "--keep", "the lockfile", config=config)
    first, second = told(tmp_path)
    assert (first["hookEventName"], first["trigger"], first["customInstructions"]) == (
        "preCompact",
        "manual",
        "the lockfile",
    )
    assert (second["hookEventName"], second["trigger"], second["status"]) == ("postCompact", "manual", "compacted")


def test_a_command_that_fails_is_told_and_changes_nothing(tmp_path: Path) -> None:
    config = f"[compaction]\npre_commands = ['{noting(tmp_path, 'keep billing_gateway', 3)}']\n"
    done = compact(tmp_path, talk_with(), "--window", "6000", config=config)
    assert done.code == 0
    assert "ended with 3" in done.err
    assert FACT not in done.out


def test_a_command_that_hangs_is_ended_after_its_time(tmp_path: Path) -> None:
    slow = f'{sys.executable} -c "import time; time.sleep(40)"'
    config = f"[compaction]\nhook_seconds = 1\npre_commands = ['{slow}']\n"
    done = compact(tmp_path, talk_with(), "--window", "6000", config=config)
    assert done.code == 0
    assert "took longer than 1 s" in done.err
