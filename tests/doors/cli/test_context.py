"""Compaction and truncation of message lists in files, and as a library."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recollect import Recollect
from tests.command_line import clean_environment, process


def long_talk(turns: int = 30) -> list[dict[str, object]]:
    """A conversation of an OpenAI agent with tools, longer than its window."""
    messages: list[dict[str, object]] = [{"role": "system", "content": "You are a careful engineer."}]
    for number in range(turns):
        messages += [
            {"role": "user", "content": f"Step {number}: change src/part_{number}.py, but never touch the lockfile."},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {
                        "id": f"c{number}",
                        "type": "function",
                        "function": {"name": "edit", "arguments": json.dumps({"path": f"src/part_{number}.py"})},
                    }
                ],
            },
            {"role": "tool", "tool_call_id": f"c{number}", "content": "written " * 120},
            {"role": "assistant", "content": f"Part {number} is changed."},
        ]
    return [*messages, {"role": "user", "content": "Now write the summary of the release."}]


def run(words: list[str], tmp_path: Path) -> tuple[int, str, str]:
    (tmp_path / "user").mkdir(exist_ok=True)
    done = process(["recollect", *words], tmp_path, clean_environment(tmp_path / "home", tmp_path / "user"))
    return done.code, done.out, done.err


def test_a_long_conversation_is_compacted_and_stays_whole(tmp_path: Path) -> None:
    (tmp_path / "talk.json").write_text(json.dumps(long_talk()))
    code, out, _ = run(["compact", "talk.json", "--window", "4000", "--json"], tmp_path)
    assert code == 0
    document = json.loads(out)
    assert document["status"] == "compacted"
    assert document["tokens_after"] < document["tokens_before"] / 2
    messages = document["messages"]
    assert messages[0] == long_talk()[0]
    assert messages[-1] == long_talk()[-1]
    calls = {call["id"] for message in messages for call in message.get("tool_calls") or []}
    assert calls == {message["tool_call_id"] for message in messages if message["role"] == "tool"}
    assert "never touch the lockfile" in json.dumps(messages)


def test_a_request_is_truncated_until_it_fits(tmp_path: Path) -> None:
    (tmp_path / "talk.json").write_text(json.dumps(long_talk()))
    code, out, _ = run(["truncate", "talk.json", "--window", "3000", "--json"], tmp_path)
    document = json.loads(out)
    assert code == 0
    assert document["tokens_after"] <= 3000 < document["tokens_before"]
    assert document["messages_removed"] > 0
    assert document["messages"][-1] == long_talk()[-1]


@pytest.mark.parametrize("text", ["", "hello", "{}", "[1, 2]", '"x"', '{"messages": 3}', '[{"role": 5}]'])
def test_what_is_no_conversation_is_refused_with_one_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "talk.json").write_text(text)
    for command in ("compact", "truncate"):
        code, out, err = run([command, "talk.json", "--window", "4000"], tmp_path)
        assert (code, out) == (2, ""), err
        assert len(err.strip().splitlines()) == 1
        assert "Traceback" not in err


def test_a_model_that_is_not_configured_is_refused(tmp_path: Path) -> None:
    (tmp_path / "talk.json").write_text(json.dumps(long_talk(2)))
    code, _, err = run(["compact", "talk.json", "--window", "4000", "--model", "smol"], tmp_path)
    assert code == 1
    assert "No model is configured" in err


def test_the_library_fits_messages_into_a_window(memory: Recollect) -> None:
    fitted = memory.context.fit(long_talk(), window=4000)
    assert fitted[0] == long_talk()[0]
    assert fitted[-1] == long_talk()[-1]
    assert len(json.dumps(fitted)) < len(json.dumps(long_talk())) / 2
    short = long_talk(1)
    assert memory.context.fit(short, window=100_000) == short


@pytest.mark.parametrize("command", ["compact", "truncate"])
def test_a_list_of_messages_needs_no_home_and_makes_none(command: str, tmp_path: Path) -> None:
    (tmp_path / "talk.json").write_text(json.dumps(long_talk()))
    assert run([command, "talk.json", "--window", "4000", "--json"], tmp_path)[0] == 0
    assert not (tmp_path / "home").exists()
    (tmp_path / "home").mkdir()
    assert run([command, "talk.json", "--window", "4000", "--json"], tmp_path)[0] == 0
    assert list((tmp_path / "home").iterdir()) == []


def test_the_settings_are_read_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "talk.json").write_text(json.dumps(long_talk()))
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "config.toml").write_text("[compaction\n")
    code, out, err = run(["compact", "talk.json", "--window", "4000"], tmp_path)
    assert (code, out) == (1, "")
    assert "config.toml" in err
    assert not (tmp_path / "home" / "recollect.db").exists()
