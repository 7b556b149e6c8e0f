"""What people type every day, from the hook at a session's end to memory, with a model that answers rightly.

A few cases are invented here. RECOLLECT_TEST_EVERYDAY may name a folder with an everyday set, and
RECOLLECT_TEST_EVERYDAY_CASES how many of each kind are tried."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

from recollect.flows.sessions.question import question_about
from tests.conftest import Clock
from tests.flows.sessions.test_extraction import Judged
from tests.session_answers import answer

STORES = [
    {
        "store": "s01",
        "facts": [
            {"key": "f1", "text": "The admin panel runs on port 3100 locally.", "scope": "repository"},
            {"key": "f2", "text": "Ingrid owns checkout and payments.", "scope": "repository"},
            {"key": "f4", "text": "Redis db 1 holds sessions, Redis db 2 holds the cart cache.", "scope": "repository"},
            {"key": "f3", "text": "The product page must stay within 180 kB gzipped.", "scope": "repository"},
        ],
    }
]
TYPED = [
    {"text": "our limit for the landing page is 90 kB gzipped so we're ok", "durable": True},
    {"text": "invoices get rounded to 0.05 CHF here, the accountants insist", "durable": True},
    {"text": "staging is down again, point the smoke test at my laptop", "durable": False},
    {"text": "why does the login test fail?", "durable": False},
]
CORRECTIONS = [
    {"store": "s01", "said": "btw the admin panel is on 3200 now, 3100 clashed with grafana", "replaces": ["f1"]},
    {"store": "s01", "said": "Marta took over checkout and payments from Ingrid", "replaces": ["f2"]},
    {"store": "s01", "said": "the price list is in docs/prices.md as well", "replaces": []},
    {"store": "s01", "said": "no, sessions are in Redis db 3, not db 1. cart cache didn't move", "replaces": ["f4"]},
]


def cases(name: str, invented: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of the set that was named, or those above."""
    folder = os.environ.get("RECOLLECT_TEST_EVERYDAY")
    if not folder:
        return invented
    lines = (Path(folder) / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.strip()]
    most = int(os.environ.get("RECOLLECT_TEST_EVERYDAY_CASES", "10"))
    return rows if name == "stores" or most >= len(rows) else random.Random(17).sample(rows, most)


def judge(desk: Judged, **said: Any) -> None:
    """Let the session be imported, then end, with a model that says this of its last message."""
    desk.prove()
    desk.stop()
    desk.will({"fail": "nobody is asked before the end"})
    assert desk.work().failed == 0
    with desk.open() as memory:
        [(session, _)] = memory.sessions.listed()
        turns = memory.opened.store.sessions.turns(session.session_id)
        shown = question_about(session, turns, memory.opened.store, limit_tokens=8_000).entries
        entries = [memory.entries.get(entry_id).content for entry_id in shown]
    replaced = said.pop("replaced", "")
    at = entries.index(replaced) + 1 if replaced in entries else 0
    desk.will_say(answer(turns[-1].number, said.pop("kind"), **said, replaces=at))
    desk.end()


@pytest.mark.parametrize("case", cases("typed", TYPED), ids=lambda case: case["text"][:30])
def test_what_is_durable_is_kept_and_what_is_not_is_not(case: dict[str, Any], tmp_path: Path, clock: Clock) -> None:
    desk = Judged(tmp_path, clock)
    if case.get("prev"):
        desk.says("Go on.", case["prev"])
    desk.says(case["text"])
    if case["durable"]:
        judge(desk, kind="fact", quote=case["text"], statement=case["text"])
    else:
        judge(desk, kind="order")
    found = [*desk.known(), *desk.waits()]
    if case["durable"]:
        assert found
    else:
        assert len(found) <= 1, "what rules alone were sure of, and no more"


@pytest.mark.parametrize("case", cases("corrections", CORRECTIONS), ids=lambda case: case["said"][:30])
def test_a_correction_reaches_the_entry_that_it_is_about(case: dict[str, Any], tmp_path: Path, clock: Clock) -> None:
    stores = {one["store"]: one["facts"] for one in cases("stores", STORES)}
    facts = {fact["key"]: fact["text"] for fact in stores[case["store"]]}
    desk = Judged(tmp_path, clock)
    with desk.open() as memory:
        for fact in stores[case["store"]]:
            memory.remember(fact["text"], scope=fact["scope"])
    desk.clock.pass_days(400)
    desk.says(case["said"])
    replaced = facts[case["replaces"][0]] if case["replaces"] else ""
    judge(desk, kind="fact", quote=case["said"], statement=case["said"], replaced=replaced)
    known = desk.known()
    gone = {key for key, text in facts.items() if text not in known}
    assert gone <= set(case["replaces"]), "no true fact is lost"
    assert not replaced or gone or desk.waits()
