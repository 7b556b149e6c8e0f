"""No secret and no unseen letter comes in through any door: what is on disk, sent, printed and injected is looked at."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from recollect import Recollect
from recollect.context import Counter, ModelSummariser, compact
from recollect.flows.writes.actors import Agent
from recollect.model.messages import Message, Text
from recollect.providers.scripted import GOOD_SUMMARY, ScriptedProvider
from tests.command_line import Run
from tests.histories import long_session, user
from tests.mcp_clients import ERAS, environment_of, in_memory, said

BODY = [f"MIIEowIBAAKCAQEAx7Yk3Vq0m2Zt{number}Rs8uLw1Pq5Nd4Jh6Gf0Tb" for number in range(8)]
KEY = "\n".join(["-----BEGIN RSA PRIVATE KEY-----", *BODY, "-----END RSA PRIVATE KEY-----"])
TOKEN = "ghp_" + "k3J4h5G6f7D8s9A0z1X2c3V4b5N6m7Q8w9E0"
UNSEEN = "\U000e0149\U000e0150\u3164\u115f\u2800\u034f\ufe0f\ufe01\u202e\u2066\U000e0041\u200d"


def on_disk(tmp_path: Path) -> bytes:
    """Everything below the home: database, its log, backups, spool, logs, sessions."""
    return b"".join(path.read_bytes() for path in sorted((tmp_path / "home").rglob("*")) if path.is_file())


def assert_clean(tmp_path: Path, *secrets: str) -> None:
    content = on_disk(tmp_path)
    assert len(content) > 1_000
    assert [secret for secret in secrets if secret.encode() in content] == []


@pytest.mark.parametrize("words", [("set", "About", "-"), ("set", "About", f"My key is\n{KEY}\nok."), ("edit",)])
def test_a_private_key_in_the_profile_reaches_nothing_on_disk(cli: Run, tmp_path: Path, words: tuple[str, ...]) -> None:
    cli("remember", "The linter is ruff.")
    done = cli("profile", *words, stdin=f"## About\n- The user likes tea.\n- {KEY}\n- Uses vim.\n")
    assert done.code == 0, done.err
    cli("backup")
    assert "MIIE" not in done.out + done.err + cli("profile").out + cli("list", "--json").out
    assert_clean(tmp_path, *BODY, "MIIEowIBAAKCAQEA")


def test_a_private_key_reaches_nothing_through_other_doors(cli: Run, tmp_path: Path) -> None:
    entry_id = cli("remember", "The linter is ruff.", "--json").json["id"]
    cli("remember", f"Deploys use\n{KEY}", "--reason", KEY)
    cli("correct", entry_id, f"The linter is flake8.\n{KEY}")
    cli("vote", cli("list", "--json").json[0]["id"], "up", "--reason", f"it helped {TOKEN}\n{KEY}")
    cli("task", "add", f"Move house {TOKEN}", "--state", f"next:\n{KEY}")
    assert_clean(tmp_path, TOKEN, *BODY)


def line(number: int, kind: str, content: Any, **more: Any) -> dict[str, Any]:
    return {
        "type": kind,
        "message": {"role": kind, "id": f"m{number}", "content": content},
        "uuid": f"u{number}",
        "timestamp": f"2026-10-05T09:00:{number:02}.000Z",
        "cwd": "/w/shop",
        "sessionId": "5d0c1b7e-7777-4a6b-9c3d-000000000007",
        "version": "2.1.300",
        "gitBranch": f"fix-{TOKEN}",
        "isSidechain": False,
        "userType": "external",
        **more,
    }


def test_paths_branches_and_tool_names_of_an_imported_session_carry_no_secret(cli: Run, tmp_path: Path) -> None:
    change = {"type": "tool_use", "id": "t1", "name": "Edit", "input": {"file_path": f"/w/shop/{TOKEN}.py"}}
    named = {"type": "tool_use", "id": "t2", "name": f"mcp__{TOKEN}", "input": {"path": "a.py"}}
    ran = {"type": "tool_use", "id": "t3", "name": "Bash", "input": {"command": "x" * 980 + f" {TOKEN}"}}
    results = [
        {"type": "tool_result", "tool_use_id": "t1", "content": "ok"},
        {"type": "tool_result", "tool_use_id": "t2", "content": "ok"},
        {"type": "tool_result", "tool_use_id": "t3", "content": "y" * 735 + f" {TOKEN} " + "z" * 5_000},
    ]
    log = tmp_path / "log.jsonl"
    lines = [
        line(1, "user", f"Change it{UNSEEN}, please"),
        line(2, "assistant", [change, named, ran]),
        line(3, "user", results),
        line(4, "assistant", [{"type": "text", "text": "Done."}]),
    ]
    log.write_text("".join(json.dumps(one) + "\n" for one in lines))
    done = cli("import", str(log), "--json")
    assert done.code == 0, done.err
    assert b"Change it, please" in on_disk(tmp_path)
    assert TOKEN not in done.out
    assert_clean(tmp_path, TOKEN, TOKEN[:20], *(letter for letter in UNSEEN))


def talk() -> list[Message]:
    """A history with a token in everything that a compaction looks at."""
    told = user(f"Never print the token {TOKEN}; use it to deploy.")
    session = long_session()
    return [*session[:1], told, *session[1:-1], user(f"The token is {TOKEN}."), *session[-1:]]


def test_a_compaction_sends_no_secret_to_a_model_and_keeps_none_in_its_summary() -> None:
    leaking = GOOD_SUMMARY.replace("none", f"the token is {TOKEN}", 1)
    provider = ScriptedProvider([leaking] * 12)
    result = compact(
        talk(),
        counter=Counter(),
        window=8_000,
        summarise=ModelSummariser(provider),
        instructions=f"keep {TOKEN}",
        plan=f"1. deploy with {TOKEN}",
        pinned=[f"token {TOKEN}"],
    )
    assert result.compacted
    assert provider.prompts
    for prompt in provider.prompts:
        assert TOKEN not in prompt.system + "".join(message.text for message in prompt.messages)
    assert TOKEN not in result.summary
    assert TOKEN not in "".join(result.candidates)


def test_a_summary_by_rules_carries_no_secret_and_what_stays_stays_word_for_word() -> None:
    messages = [*talk()[:-1], Message("user", (Text(f"Now log in with {TOKEN}."),))]
    result = compact(messages, counter=Counter(), window=8_000)
    assert result.compacted
    assert TOKEN not in result.summary
    assert messages[-1] in result.messages


@pytest.mark.parametrize("command", ["compact", "truncate"])
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_what_compact_and_truncate_print_carries_no_secret(
    cli: Run, tmp_path: Path, command: str, form: tuple[str, ...]
) -> None:
    messages: list[dict[str, Any]] = [{"role": "system", "content": f"Deploy with {TOKEN}."}]
    for number in range(30):
        arguments = json.dumps({"password": "Vb7!kq2Lmx", "path": f"src/{number}.py"})
        call = {"id": f"c{number}", "type": "function", "function": {"name": "edit", "arguments": arguments}}
        messages += [
            {"role": "user", "content": f"Step {number}: always use the token {TOKEN}."},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": f"c{number}", "content": f"key {TOKEN}\n" + "written " * 120},
        ]
    messages.append({"role": "user", "content": f"Log in with {TOKEN}."})
    (tmp_path / "talk.json").write_text(json.dumps(messages))
    done = cli(command, str(tmp_path / "talk.json"), "--window", "4000", *form)
    assert done.code == 0, done.err
    assert "Step" in done.out
    assert TOKEN not in done.out + done.err
    assert "Vb7!kq2Lmx" not in done.out
    listed = done.json["messages"] if form else done.json
    assert {call["id"] for one in listed for call in one.get("tool_calls") or []} == {
        one["tool_call_id"] for one in listed if one["role"] == "tool"
    }


@pytest.mark.parametrize("era", ERAS)
def test_unseen_letters_that_an_agent_stores_are_neither_kept_nor_shown(tmp_path, repository, era) -> None:
    environ = environment_of(tmp_path)
    fact = {
        "subject": f"tests{UNSEEN}",
        "fact": f"The tests{UNSEEN} run in Docker.",
        "citations": [f"README.md{UNSEEN}"],
        "reason": f"they need{UNSEEN} a database",
    }

    async def talk(client):
        return [
            await client.call_tool("store_memory", fact),
            await client.call_tool("vote_memory", {**fact, "direction": "up"}),
            await client.call_tool("memory_recall", {"query": "how do the tests run?"}),
        ]

    answers = in_memory(repository, environ, era, talk)
    assert "The tests run in Docker." in said(answers[-1])
    assert [letter for letter in UNSEEN for answer in answers if letter in said(answer)] == []
    assert_clean(tmp_path, *UNSEEN)


def test_unseen_letters_are_gone_from_what_a_person_is_shown_to_approve(cli: Run, tmp_path, monkeypatch) -> None:
    mine = cli("remember", "The linter is ruff.", "--json").json["id"]
    monkeypatch.setenv("CLAUDECODE", "1")
    cli("edit", mine, "--text", f"The linter{UNSEEN} is flake8.", "--reason", f"new{UNSEEN}")
    cli("task", "add", f"Move{UNSEEN} house", "--state", f"next{UNSEEN}: pack")
    monkeypatch.delenv("CLAUDECODE")
    shown = cli("pending").out + cli("pending", "--json").out + cli("task", "list", "--json").out
    assert "The linter is flake8." in shown
    assert [letter for letter in UNSEEN if letter in shown or json.dumps(letter)[1:-1] in shown] == []
    assert_clean(tmp_path, *UNSEEN)


@pytest.mark.parametrize("word", ["рnpm", "pnρm", "ｐｎｐｍ", "pn\u3164pm", "𝘱𝘯𝘱𝘮"])
def test_a_letter_that_looks_like_another_does_not_hide_a_contradiction(memory: Recollect, word: str) -> None:
    memory.remember("We use pnpm in this repository.")
    [told] = [
        memory.writes(Agent(session="s1")).store_memory(
            "packages", f"We do not use {word} in this repository.", ["README.md"], "x"
        )
    ]
    assert told.status in ("staged", "refused", "waiting") or told.conflicts
    same = memory.writes(Agent(session="s1")).store_memory(
        "packages", f"We use {word} in this repository.", ["README.md"], "x"
    )
    assert len([entry for entry in memory.entries.list() if entry.content.startswith("We use")]) == 1, same
