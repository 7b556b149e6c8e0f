"""The same question through every door gets the same bytes and leaves the same receipt."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from recollect import Recollect
from recollect.adapters.pydantic_ai import RecollectToolset
from recollect.model.receipts import Receipt
from tests import hook_calls
from tests.adapters.test_pydantic_ai import Scripted, run
from tests.conftest import Clock
from tests.hook_calls import INJECTING_AT_PROMPT, INJECTING_AT_START, answered, taken
from tests.mcp_clients import environment_of, in_memory

PROMPT = "How do I install the dependencies, and where is it deployed?"
CEILINGS: dict[str, dict[str, int]] = {
    "as it comes": {},
    "no room for one entry": {"injection.max_characters": 250},
    "room for one entry": {"injection.max_characters": 420},
    "few tokens": {"injection.max_tokens": 130},
    "one entry": {"recall.max_entries": 1},
}


@pytest.fixture(params=CEILINGS, ids=lambda name: name.replace(" ", "-"))
def filled(request, memory: Recollect, repository: Path) -> Iterator[Recollect]:
    """A memory with a profile, a task and three entries, one of them with a citation that has been checked."""
    (repository / "fly.toml").write_text("app = 'harbour'\n")
    memory.profile.set_section("Preferences", "Answers in one sentence.")
    memory.remember("Dependencies are installed with pnpm, not npm.")
    memory.remember("The deploy target is Fly.io.", cite=["fly.toml"])
    memory.remember("Deployed builds are tagged with the date of the release.")
    memory.tasks.add_task("Write the importer", state="Half done.")
    memory.recall("deploy target")  # and so the file is checked, for a hook to look up
    assert memory.transfer.own_settings() == {}
    for name, value in CEILINGS[request.param].items():
        section, key = name.split(".")
        with open(memory.home.config, "a", encoding="utf-8") as file:
            file.write(f"[{section}]\n{key} = {value}\n")
    with Recollect.open(
        memory.home.root, folder=str(repository), environ=memory.opened.environ, clock=memory.opened.clock
    ) as again:
        yield again


def without_id(text: str) -> str:
    """A block without the id of its receipt, which is new each time."""
    return re.sub(r"r_[0-9a-z]{26}", "r_", text)


def compared(receipt: Receipt) -> dict[str, Any]:
    """A receipt without what must differ: its id and what that costs, its time, and whose session it was."""
    fields = receipt._asdict()
    for name in ("receipt_id", "tokens", "created", "session", "host"):
        del fields[name]
    return fields


def through_hook(host: str, said: dict[str, Any], memory: Recollect, tmp_path: Path) -> str:
    """What a host is given, in this process."""
    answer = answered(said, Path(memory.home.root), tmp_path, host=host, now=memory.opened.now)
    text = taken(host, answer)
    # Copilot's prompt is replaced, so its answer is the prompt with the block in front.
    return text.partition("\n\n<current_datetime>")[0] if "modifiedTransformedPrompt" in answer else text


def test_a_prompt_gets_the_same_bytes_and_the_same_receipt_by_every_door(filled, repository, tmp_path) -> None:
    texts, receipts = {}, {}
    for host in INJECTING_AT_PROMPT:
        said = hook_calls.prompt(host, repository, PROMPT, session=f"s-{host}")
        texts[host] = through_hook(host, said, filled, tmp_path)
        receipts[host] = filled.why(session=f"s-{host}")
    texts["library"] = filled.inject(PROMPT, session="s-library").text
    receipts["library"] = filled.why(session="s-library")
    script = Scripted()
    run(RecollectToolset(filled, session="s-pydantic-ai", typed=True), script, PROMPT)
    receipts["pydantic-ai"] = filled.why(session="s-pydantic-ai", turn=1)
    [given] = script.instructions
    assert without_id(texts["library"]) in without_id(given)

    assert {without_id(text) for text in texts.values()} == {without_id(texts["library"])}, texts
    expected = compared(receipts["library"])
    assert {name: compared(one) for name, one in receipts.items()} == dict.fromkeys(receipts, expected)
    assert len(texts["library"]) <= filled.settings.injection.max_characters


def test_a_session_starts_with_the_same_bytes_and_the_same_receipt_by_every_door(filled, repository, tmp_path) -> None:
    texts, receipts = {}, {}
    for host in INJECTING_AT_PROMPT:  # VS Code gets the newest words too, for it takes nothing later
        said = hook_calls.session_start(host, repository, session=f"s-{host}")
        texts[host] = through_hook(host, said, filled, tmp_path)
        receipts[host] = filled.receipts(f"s-{host}")
    texts["library"] = filled.start_session("s-library")
    receipts["library"] = filled.receipts("s-library")
    script = Scripted()
    run(RecollectToolset(filled, session="s-pydantic-ai"), script, "")
    texts["pydantic-ai"] = script.instructions[0]
    receipts["pydantic-ai"] = [one for one in filled.receipts("s-pydantic-ai") if not one.turn]

    assert set(texts.values()) == {texts["library"]}, texts
    expected = [compared(one) for one in receipts["library"]]
    assert {name: [compared(one) for one in some] for name, some in receipts.items()} == dict.fromkeys(
        receipts, expected
    )
    assert len(expected) == bool(texts["library"])
    assert len(texts["library"]) <= filled.settings.injection.max_characters


def test_a_question_brings_the_same_entries_by_every_door(filled, repository, tmp_path, cli, monkeypatch) -> None:
    answer = filled.recall(PROMPT)
    found, receipt_id = answer.found, answer.receipt
    asked = {"library": compared(filled.why(receipt_id=receipt_id))}
    assert [one.entry.entry_id for one in found.entries] == [one["id"] for one in asked["library"]["entries"]]
    printed = cli("recall", PROMPT, "--json").json
    asked["command line"] = compared(filled.why(receipt_id=printed["receipt"]))

    async def talk(connected: Any) -> Any:
        return await connected.call_tool("memory_recall", {"query": PROMPT})

    monkeypatch.chdir(repository)
    told = in_memory(repository, environment_of(tmp_path), "legacy", talk).structured_content
    asked["MCP"] = compared(filled.why(receipt_id=told["receipt"]))
    for door in ("command line", "MCP"):
        # The clock of these doors is the real one, so recency may differ in the last digit.
        assert [one["id"] for one in asked[door]["entries"]] == [one["id"] for one in asked["library"]["entries"]]
        assert [one["check"] for one in asked[door]["entries"]] == [one["check"] for one in asked["library"]["entries"]]
        assert asked[door]["left_out"] == asked["library"]["left_out"]
        assert asked[door]["query"] == asked["library"]["query"]


@pytest.mark.parametrize("host", INJECTING_AT_START)
def test_with_the_switch_off_no_door_gives_anything_or_keeps_a_receipt(
    host, memory, repository, tmp_path, open_memory, clock: Clock
) -> None:
    memory.remember("The deploy target is Fly.io.")
    memory.profile.set_section("Preferences", "Answers in one sentence.")
    Path(memory.home.config).write_text("enabled = false\n")
    off = open_memory(repository)
    assert off.inject("deploy target", session="s").text == ""
    assert off.start_session("s") == ""
    for said in (hook_calls.prompt(host, repository, "deploy target"), hook_calls.session_start(host, repository)):
        assert json.loads(json.dumps(answered(said, tmp_path / "home", tmp_path, host=host, now=clock.now))) in (
            {},
            {"cancel": False},
        )
    assert off.receipts("s") == off.receipts("S") == []
