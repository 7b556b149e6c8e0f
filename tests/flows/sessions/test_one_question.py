"""A finished session is one question to a model: whoever comes first asks, and everybody reads the same answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from recollect import Recollect
from recollect.files import artifacts
from recollect.flows.setup.up import to_read
from recollect.model.jobs import MEMORIES
from tests.conftest import Clock
from tests.flows.sessions.test_extraction import Judged, archived
from tests.session_answers import answer, reply

PLAIN = "The billing exports land in the harbour bucket at night."
LATER = "The invoices of the harbour bucket are printed on blue paper."
HALF_A_DAY = 43_200.0


def said(*turns: str, **more: Any) -> dict[str, Any]:
    """What a model says of a session in which these were typed."""
    return reply(
        *(answer(number, "fact", text, text) for number, text in enumerate(turns, 1)),
        summary={"text": "The exports were talked about.", "turns": [1]},
        rollout_slug="harbour-bucket",
        raw_memory=[{"kind": "fact", "text": text, "turn": number} for number, text in enumerate(turns, 1)],
        tasks=[{"title": "Talk about the exports", "outcome": "success", "turn": 1}],
        **more,
    )


class House(Judged):
    """A desk whose sessions also become the memory of their project; rules consolidate it."""

    def __init__(self, tmp_path: Path, clock: Clock) -> None:
        super().__init__(tmp_path, clock)
        self.environ |= {"RECOLLECT_MEMORIES__ENABLED": "true", "RECOLLECT_MODELS__SMOL": "rules"}
        self.says(PLAIN)
        self.prove()
        self.will({"say": said(PLAIN)})

    def let_a_day_pass(self) -> None:
        """The session has been quiet for long enough, and the next one starts."""
        with self.open() as memory:
            [(session, _)] = memory.sessions.listed()
            self.clock.now = session.ended + HALF_A_DAY + 60
            memory.opened.store.jobs.add(MEMORIES, "", {"cwd": str(self.repository)}, now=self.clock())
        assert self.work().failed == 0

    def rebuild(self) -> None:
        """What `recollect memory rebuild --now` does with what the logs hold now."""
        with self.open() as memory:
            memory.sessions.import_logs(memory.sessions.logs()[0])
            memory.artifacts.rebuild()

    @property
    def calls(self) -> int:
        path = self.home_path / "logs" / "models.jsonl"
        return path.read_text().count('"answered"') if path.exists() else 0

    @property
    def made_by(self) -> str:
        """Who made what the session left for its project; empty when it left nothing."""
        with self.open() as memory:
            [(session, _)] = memory.sessions.listed()
            found = memory.opened.store.extractions.get(session.session_id)
            return found.made_by.partition(":")[0] if found else ""

    @property
    def kept(self) -> str:
        """The answer as the database has it."""
        with self.open() as memory:
            [(session, _)] = memory.sessions.listed()
            return memory.opened.store.sessions.answer(session.session_id)

    @property
    def written(self) -> str:
        with self.open() as memory:
            return artifacts.read(artifacts.current_folder(memory.artifacts.project), "MEMORY.md")


@pytest.fixture
def house(tmp_path: Path, clock: Clock) -> House:
    return House(tmp_path, clock)


def assert_both_used(house: House) -> None:
    assert PLAIN in house.known()
    assert "Summary: The exports were talked about. (turn 1)" in archived(house)
    assert house.made_by == "scripted"
    assert PLAIN in house.written


def test_the_pipeline_reads_the_answer_about_the_sessions_end(house: House) -> None:
    house.end()
    assert house.made_by == "", "its project is written up later"
    house.let_a_day_pass()
    assert_both_used(house)
    assert house.calls == 1


def test_the_sessions_end_reads_the_answer_that_the_pipeline_asked_for(house: House) -> None:
    house.rebuild()
    assert not house.known()
    house.end()
    assert_both_used(house)
    assert house.calls == 1


def test_up_reads_an_answer_that_is_there_and_names_no_cost_for_it(house: House) -> None:
    from recollect.flows.sessions.extraction import read

    house.rebuild()
    with house.open() as memory:
        reading = to_read(memory.opened)
        assert (len(reading.sessions), reading.tokens) == (1, 0)
        [done] = read(reading.sessions, memory.opened, memory.models)
        assert len(done.stored) == 1
    assert house.calls == 1


def test_up_reads_no_more_than_one_pass_may_take(house: House) -> None:
    with house.open() as memory:
        memory.sessions.import_logs(memory.sessions.logs()[0])
        cost = to_read(memory.opened).tokens
        assert cost > 1_000
    house.environ["RECOLLECT_MODELS__PASS_TOKENS"] = str(cost - 1)
    with house.open() as memory:
        assert to_read(memory.opened) == ((), 0)


def test_a_session_that_went_on_is_asked_about_again_and_only_its_new_messages_speak(house: House) -> None:
    house.end()
    with house.open() as memory:
        [entry] = memory.entries.list(layer="L1", status="active")
        memory.forget(entry.entry_id)
    house.says(LATER)
    house.will({"say": said(PLAIN, LATER)})
    house.rebuild()
    assert house.calls == 2
    assert LATER in house.written
    house.end()
    assert house.known() == [LATER]
    assert house.calls == 2


def test_the_model_that_asked_is_the_one_that_is_trusted(house: House) -> None:
    """The answer of a model that has not passed waits, whoever reads it."""
    with house.open() as memory:
        memory.models.ledger.keep_grade(str(memory.models.spec()), {"passed": False})
    house.rebuild()
    other = house.script.with_name("other.json")
    other.write_text("[]")
    house.environ["RECOLLECT_MODELS__DEFAULT"] = f"scripted:{other}"
    house.prove()
    house.end()
    assert not house.known()
    assert house.waits() == [PLAIN]


@pytest.mark.parametrize(
    "wrong",
    [{"answers": "none"}, {"summary": "It went well."}, {"raw_memory": [{"kind": "fact"}]}, {"tasks": None}],
    ids=lambda wrong: next(iter(wrong)),
)
@pytest.mark.parametrize("fallback", [True, False])
def test_an_answer_with_one_malformed_part_changes_nothing(house: House, wrong: Any, fallback: bool) -> None:
    house.environ["RECOLLECT_MEMORIES__FALLBACK"] = str(fallback).lower()
    house.says("No, we use pnpm in this repository, never npm.")
    house.will({"say": {**said(PLAIN), **wrong}})
    house.end()
    [kept] = house.known()
    assert "pnpm" in kept, "what rules are sure of"
    assert "Summary:" not in archived(house)
    if fallback:
        house.rebuild()
    else:
        with pytest.raises(Exception, match="schema"):
            house.rebuild()
    assert house.made_by == ("rules" if fallback else "")
    assert (house.kept, house.calls) == ("", 0)


def test_where_projects_are_not_written_up_only_the_sessions_end_asks(house: House) -> None:
    house.environ["RECOLLECT_MEMORIES__ENABLED"] = "false"
    house.end()
    house.let_a_day_pass()
    assert PLAIN in house.known()
    assert (house.made_by, house.calls) == ("", 1)
    house.environ["RECOLLECT_MEMORIES__ENABLED"] = "true"
    house.let_a_day_pass()
    assert_both_used(house)
    assert house.calls == 1


@pytest.mark.parametrize("switch", [{"RECOLLECT_MODELS__DEFAULT": "rules"}, {"RECOLLECT_ENABLED": "false"}])
def test_switched_off_nobody_asks(house: House, switch: dict[str, str]) -> None:
    house.environ |= switch
    house.stop("session_end")
    house.work()
    house.rebuild()
    assert house.calls == 0
    assert "scripted" not in house.made_by


def test_nobody_asks_about_a_private_session_and_its_answer_goes(house: House) -> None:
    house.end()
    assert PLAIN in house.kept
    with house.open() as memory:
        [(session, _)] = memory.sessions.listed()
        memory.sessions.set_private(session.session_id)
        assert memory.artifacts.expected_tokens() == 0
    assert house.kept == ""
    house.says(LATER)
    house.end()
    house.rebuild()
    house.let_a_day_pass()
    assert (house.kept, house.made_by, house.calls) == ("", "", 1)


def test_an_answer_that_comes_when_the_session_is_private_is_not_kept(house: House) -> None:
    house.stop()
    house.environ["RECOLLECT_MODELS__DEFAULT"] = "rules"
    house.work()
    with house.open() as memory, memory.opened.store.write():
        [(session, _)] = memory.sessions.listed()
        memory.sessions.set_private(session.session_id)
        memory.opened.store.sessions.keep_answer(session.session_id, json.dumps(said(PLAIN)))
    assert house.kept == ""


def clear(memory: Recollect) -> None:
    memory.artifacts.clear()


def erase_entry(memory: Recollect) -> None:
    [entry] = memory.entries.list(layer="L1", status="active")
    memory.forget(entry.entry_id, hard=True)


def erase_the_same_elsewhere(memory: Recollect) -> None:
    """An entry with these words that cites no session."""
    memory.forget(memory.remember(LATER).entry_id, hard=True)


@pytest.mark.parametrize("erase", [clear, erase_entry, erase_the_same_elsewhere])
def test_an_answer_is_erased_with_what_it_says(house: House, erase: Any) -> None:
    house.will({"say": said(PLAIN, decisions=[{"decision": LATER, "reason": "", "turns": [1]}])})
    house.end()
    assert LATER in house.kept
    with house.open() as memory:
        erase(memory)
    assert house.kept == ""


def test_an_answer_is_erased_with_an_entry_that_says_it_in_other_words(house: House) -> None:
    house.says("My terminal at home is a tiny amber phosphor screen.")
    house.will({"say": reply(answer(2, "fact", "My terminal at home is a tiny amber phosphor screen.", scope="user"))})
    house.end()
    assert "My terminal" in house.kept
    with house.open() as memory:
        [entry] = memory.entries.list(layer="L1", status="active")
        assert entry.content.startswith("The user's terminal")
        memory.forget(entry.entry_id, hard=True)
    assert house.kept == ""


def test_a_secret_in_an_answer_is_not_kept(house: House) -> None:
    key = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    house.will({"say": said(PLAIN, outcome={"text": f"The token is {key}.", "turns": [1]})})
    house.end()
    assert "The token is" in house.kept
    assert key not in house.kept


def test_what_is_there_is_read_though_the_background_has_used_up_its_share(house: House) -> None:
    house.end()
    house.environ["RECOLLECT_MEMORIES__MAX_DAY_SHARE"] = "0"
    house.let_a_day_pass()
    assert house.made_by == "scripted"


def test_the_cost_of_a_rebuild_counts_no_answer_twice(house: House) -> None:
    with house.open() as memory:
        memory.sessions.import_logs(memory.sessions.logs()[0])
        before = memory.artifacts.expected_tokens()
        assert before > 1_000
    house.end()
    with house.open() as memory:
        assert memory.artifacts.expected_tokens() == 0
        spent = memory.models.ledger.spent_today()
    house.rebuild()
    with house.open() as memory:
        assert memory.models.ledger.spent_today() == spent
