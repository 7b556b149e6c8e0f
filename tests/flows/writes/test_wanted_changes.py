"""What an agent wants changed: applied once prepared and once looked around, or staged and later done as it was."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from recollect import Agent, Recollect
from recollect.errors import Refused
from recollect.flows.shelves.change_texts import ShelfOwner, text_at
from recollect.flows.writes.strategies import Strategies
from recollect.flows.writes.wanted_changes import from_staged, to_payload
from recollect.memory.drafts import prepare
from recollect.memory.neighbours import find_neighbours
from recollect.model.permissions import Staged
from recollect.strategies.injected import InjectedMemory
from recollect.text.language.statements import statement_key
from tests.conftest import Clock

RUFF = "The linter is ruff."

# Rows of the table `staged` as they were written when every wish was one plan with ten fields.
STORE = """{"buried": "", "direction": "", "draft": {"aliases": [], "citations": [{"commit": "", "end": 0, "kind": "file",
"path": "setup.cfg", "quote": "", "session": "", "sha256": "", "start": 0, "symbol": "", "turn": 0}], "confidence": 0.7,
"content": "The linter is pylint.", "created": 0.0, "layer": "L1", "origin": "assistant", "project": "", "reason": "asked",
"repository": "github.com/owner/app", "scope": "repository", "session": "s1", "source": "agent", "subject": "linter",
"tags": ["tools"], "task": ""}, "memory": null, "reason": "", "shelving": null, "strategy": "own", "touches": [TOUCHED]}"""
UPDATE = STORE.replace('"asked"', '""')
REMOVE = """{"buried": "", "direction": "", "draft": null, "memory": null, "reason": "", "shelving": null,
"strategy": "own", "touches": [TOUCHED]}"""
VOTE = REMOVE.replace('"direction": ""', '"direction": "down"').replace('"reason": ""', '"reason": "wrong here"')
WRITE = """{"buried": "", "direction": "", "draft": null, "memory": null, "reason": "", "shelving": {"before":
[["/memories/a.md", ""]], "moves": [], "place": {"origin": "assistant", "repository": "github.com/owner/app",
"session": "s1"}, "sheets": [{"address": "/memories/a.md", "lasts_seconds": null, "passages": ["A note.\\n"],
"reason": ""}], "status": "stored", "what": "/memories/a.md: A note."}, "strategy": "own", "touches": []}"""
SEND = """{"buried": "", "direction": "", "draft": null, "memory": {"citations": ["package.json"], "fact":
"Deploys go to Render.", "origin": "document", "reason": "asked", "scope": "repository", "source": "Codex", "subject":
"deploys"}, "reason": "", "shelving": null, "strategy": "injected", "touches": []}"""
SEND_VOTE = SEND.replace('"direction": ""', '"direction": "up"').replace('"reason": "",', '"reason": "helped",')


def known(memory: Recollect) -> list[str]:
    """What is active, in order."""
    return sorted(entry.content for entry in memory.entries.list(status="active"))


@pytest.fixture
def stage(memory: Recollect, clock: Clock) -> Callable[[str, str], Staged]:
    """Let a payload wait as it was written; TOUCHED stands for what a person said before."""
    mine = memory.remember(RUFF).entry_id

    def add(action: str, payload: str) -> Staged:
        touched = json.dumps({"id": mine, "key": statement_key(RUFF)})
        values = json.loads(payload.replace("TOUCHED", touched))
        target = mine if action in ("update", "remove", "vote") and values["touches"] else ""
        staged = Staged(f"w_01{action}", action, target, values, "x", "y", created=clock(), expires=clock() + 60)
        with memory.opened.store.write():
            memory.opened.store.staged.add(staged)
        return staged

    return add


def as_json(payload: dict[str, Any]) -> Any:
    """A payload as it comes back from the database."""
    return json.loads(json.dumps(payload))


@pytest.mark.parametrize(
    ("action", "payload", "status", "left"),
    [
        ("store", STORE, "stored", ["The linter is pylint."]),
        ("update", UPDATE, "updated", ["The linter is pylint."]),
        ("remove", REMOVE, "removed", []),
        ("vote", VOTE, "voted", [RUFF]),
        ("write", WRITE, "stored", ["A note.\n", RUFF]),
    ],
)
def test_what_an_earlier_version_staged_is_done_as_it_was_asked_for(
    memory: Recollect, stage, action: str, payload: str, status: str, left: list[str]
) -> None:
    staged = stage(action, payload)
    assert as_json(to_payload(from_staged(staged, memory.opened.store))) == staged.payload
    assert memory.pending.approve(staged.staged_id).status == status
    assert known(memory) == sorted(left)
    if action == "write":
        owner = ShelfOwner("github.com/owner/app", "assistant")
        assert text_at(memory.opened.writer("user"), owner, "/memories/a.md") == "A note.\n"


@pytest.mark.parametrize(("action", "payload"), [("store", SEND), ("vote", SEND_VOTE)])
def test_what_an_earlier_version_staged_for_a_strategy_is_sent_there(
    memory: Recollect, stage, action: str, payload: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    staged = stage(action, payload)
    injected = InjectedMemory("", can_vote=True)
    monkeypatch.setattr(Strategies, "named", lambda self, name: injected)
    assert as_json(to_payload(from_staged(staged, memory.opened.store))) == staged.payload
    assert memory.pending.approve(staged.staged_id).is_done
    assert [one.fact for one in injected.stored] == (["Deploys go to Render."] if action == "store" else [])
    assert injected.votes == ([("Deploys go to Render.", "up", "helped")] if action == "vote" else [])


def test_what_a_newer_version_staged_is_left_alone(memory: Recollect, stage) -> None:
    staged = stage("translate", REMOVE)
    with pytest.raises(Refused, match="does not know"):
        memory.pending.approve(staged.staged_id)
    assert known(memory) == [RUFF]


# -- once


def counted(call: Callable[[], Any]) -> Counter[str]:
    """How often a call prepares a draft and looks for neighbours."""
    calls: Counter[str] = Counter()
    watched = {prepare.__code__: "prepare", find_neighbours.__code__: "find_neighbours"}

    def watch(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code in watched:
            calls[watched[frame.f_code]] += 1

    sys.setprofile(watch)
    try:
        call()
    finally:
        sys.setprofile(None)
    return calls


def test_every_write_prepares_its_draft_once_and_looks_for_neighbours_once(memory: Recollect) -> None:
    once = {"prepare": 1, "find_neighbours": 1}
    agent = memory.writes(Agent("Codex"))
    mine = memory.remember("CI takes four minutes.").entry_id
    for call in (
        lambda: memory.remember(RUFF),
        lambda: memory.correct("The linter is pylint."),
        lambda: memory.edit(mine, text="CI takes five minutes."),
        lambda: agent.store_memory("tests", "Tests run with pytest.", ["chat"], "asked"),
        lambda: agent.memory_write("add", "L1", "Logs go to Loki."),
        lambda: agent.store_memory("x", "The user likes tea.", ["chat"], "asked", "user"),
    ):
        assert counted(call) == once


def test_who_was_asked_is_looked_for_again_because_others_may_have_written(memory: Recollect) -> None:
    def ask(question: object) -> str:
        memory.remember("The user likes tea.", scope="user")
        return "once"

    agent = memory.writes(Agent("Codex", ask=ask))  # type: ignore[arg-type]
    outcome = agent.store_memory("x", "The user likes tea.", ["chat"], "asked", "user")
    assert outcome.status == "duplicate"
    assert known(memory) == ["The user likes tea."]
