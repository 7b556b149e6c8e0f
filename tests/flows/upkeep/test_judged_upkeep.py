"""What a model does in the background besides sessions: it compares entries once a week, and tidies a memory file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from recollect.flows.writes.actors import Agent
from recollect.model.permissions import COMPARISON, Staged
from recollect.strategies.local import PATH
from recollect.strategies.optimising import without
from tests.conftest import Clock
from tests.flows.sessions.test_extraction import Judged

KEY = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"


@pytest.fixture
def desk(tmp_path: Path, clock: Clock) -> Judged:
    return Judged(tmp_path, clock)


def store(desk: Judged, *texts: str) -> None:
    """As many entries at once, whatever they say: nobody looks for neighbours."""
    with desk.open() as memory:
        for text in texts:
            memory.remember_many([text], scope="repository")
            desk.clock.pass_days(0.01)


def proposals(desk: Judged) -> list[Staged]:
    with desk.open() as memory:
        return [one for one in memory.pending.staged() if one.client == COMPARISON]


TWICE = ("The API listens on port 8080.", "The API is listening on port 8080.")
OPPOSED = ("Deploy on Fridays is allowed here.", "Deploy on Fridays is not allowed here.")


# -- comparing entries


def test_once_a_week_what_says_the_same_or_contradicts_waits(desk: Judged) -> None:
    desk.environ["RECOLLECT_MODELS__DEFAULT"] = "rules"
    store(desk, *TWICE, *OPPOSED, "Invoices are rounded to 0.05 CHF.")
    desk.work()
    found = {one.what: one.why for one in proposals(desk)}
    assert set(found) == {TWICE[1], OPPOSED[0]}
    assert "says the same" in found[TWICE[1]]
    assert found[OPPOSED[0]].startswith("you later said “")
    assert len(desk.known()) == 5, "nothing is changed"
    with desk.open() as memory:
        for one in proposals(desk):
            if one.what == TWICE[1]:
                assert memory.pending.approve(one.staged_id).is_done
            else:
                memory.pending.reject(one.staged_id)
    assert TWICE[1] not in desk.known()
    desk.clock.pass_days(3)
    store(desk, "The API: it listens on port 8080.")
    desk.work()
    assert proposals(desk) == [], "not twice a week"
    desk.clock.pass_days(7)
    desk.work()
    assert OPPOSED[0] not in [one.what for one in proposals(desk)], "what was rejected does not come back"


@pytest.mark.parametrize("passed", [True, False])
def test_a_model_that_has_passed_judges_the_pairs(passed: bool, desk: Judged) -> None:
    store(desk, *TWICE, "Release notes are written by Ines.", "Release notes are written in French.")
    if passed:
        desk.prove()
    judged = [{"pair": 1, "relation": "different"}, {"pair": 2, "relation": "contradict"}]
    desk.will({"when": "Release notes are written by Ines.", "say": {"pairs": judged}})
    desk.work()
    expected = ["Release notes are written by Ines."] if passed else [TWICE[1]]
    assert [one.what for one in proposals(desk)] == expected


@pytest.mark.parametrize("row", [{"fail": "down"}, {"say": "Sure!"}, {"say": {"pairs": [{"pair": "x"}]}}])
def test_a_faulty_answer_leaves_what_rules_found(row: dict[str, Any], desk: Judged) -> None:
    store(desk, *TWICE)
    desk.prove()
    desk.will(row)
    desk.work()
    assert [one.what for one in proposals(desk)] == [TWICE[1]]
    [line] = desk.doctor()
    assert line.startswith("False default")


# -- the memory file of a repository

FACTS = ("The API listens on port 8080.", "Requests reach the service at 8080.", "Invoices are rounded to 0.05 CHF.")


def share(desk: Judged, *facts: str) -> Path:
    """A session in which an agent stores these in the repository's file, and its end."""
    desk.environ["RECOLLECT_LOCAL_MEMORY__ENABLED"] = "true"
    with desk.open() as memory:
        agent = memory.writes(Agent("codex"))
        for fact in facts:
            assert agent.store_memory("api", fact, ["README.md"], "asked twice").status == "stored"
        agent.close()
    return desk.repository / PATH


def told(file: Path) -> list[str]:
    return [json.loads(line)["fact"] for line in file.read_text().splitlines()]


DROPS = {"say": {"facts": [{"drop": 2, "keep": 1, "why": "same"}]}}


def test_after_a_session_a_model_says_which_facts_of_the_file_can_go(desk: Judged) -> None:
    desk.prove()
    desk.will(DROPS)
    file = share(desk, *FACTS)
    before = file.read_text()
    assert told(file) == list(FACTS), "by rules alone at first"
    desk.work()
    assert told(file) == [FACTS[0], FACTS[2]]
    [copy] = (desk.home_path / "backups").glob("*-memories-*.jsonl")
    assert copy.read_text() == before
    with desk.open() as memory:
        [line] = [one.text for one in memory.opened.store.announcements.open(memory.repository.repository)]
    assert f"cp {copy} {PATH}" in line


@pytest.mark.parametrize(
    "row",
    [
        {"fail": "down"},
        {"say": "Sure!"},
        {"say": {"facts": [{"drop": 2, "keep": 9, "why": "same"}]}},
        {"say": {"facts": [{"drop": 2, "keep": 2, "why": "same"}]}},
        {"say": {"facts": [{"drop": 2, "keep": 1, "why": "outdated"}]}},
    ],
    ids=["fault", "no JSON", "no such fact", "itself", "an earlier word"],
)
def test_an_answer_that_does_not_hold_leaves_the_file_alone(row: dict[str, Any], desk: Judged) -> None:
    desk.prove()
    desk.will(row)
    file = share(desk, *FACTS)
    desk.work()
    assert told(file) == list(FACTS)
    assert not list((desk.home_path / "backups").glob("*-memories-*"))


def test_without_a_proven_model_only_rules_tidy_the_file(desk: Judged) -> None:
    desk.will(DROPS)
    file = share(desk, *FACTS)
    desk.work()
    assert told(file) == list(FACTS)
    assert not (desk.home_path / "logs" / "models.jsonl").exists()


def test_no_secret_of_a_file_that_somebody_else_wrote_is_sent(desk: Judged) -> None:
    from tests.model_servers import Act, serving

    pytest.importorskip("pydantic_ai")
    with serving("openai", Act(json.dumps({"facts": []}))) as server:
        desk.environ["RECOLLECT_MODELS__DEFAULT"] = server.spec
        desk.environ["OPENAI_API_KEY"] = "k"
        desk.prove()
        file = share(desk, *FACTS)
        line = {"id": "m_x", "subject": "token", "fact": f"The token is {KEY} for now.", "citations": []}
        file.write_text(file.read_text() + json.dumps(line) + "\n")
        desk.work()
        sent = "\n".join(one.decode() for one in server.sent)
    assert "Requests reach the service" in sent
    assert KEY not in sent


def test_what_a_person_typed_goes_only_for_what_a_person_typed() -> None:
    typed = {"id": "a", "fact": "x", "citations": ["a"], "source": {"origin": "typed"}}
    agents = {"id": "b", "fact": "y", "citations": ["b"], "source": {"origin": "assistant"}}
    assert without([typed, agents], [(1, 2, "same")]) is None
    kept = without([typed, agents], [(2, 1, "same")])
    assert kept == [{**typed, "citations": ["a", "b"]}]
