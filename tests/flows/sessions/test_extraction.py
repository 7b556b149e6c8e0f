"""A model reads a finished session: what was typed is kept, what was not is dropped, and faults change nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from recollect.flows.models.testing import question as trial_question
from recollect.flows.sessions.digest import Keeper, offer
from recollect.flows.sessions.question import MOST_TURNS, schema_for
from recollect.model.drafts import Draft
from recollect.model.entries import Citation
from recollect.model.sessions import Turn
from tests.conftest import Clock
from tests.model_servers import Act, serving
from tests.session_answers import answer, reply
from tests.test_worker import Desk, layer


class Judged(Desk):
    """A desk with a model that answers from a script."""

    def __init__(self, tmp_path: Path, clock: Clock) -> None:
        super().__init__(tmp_path, clock)
        self.script = tmp_path / "script.json"
        self.environ["RECOLLECT_MODELS__DEFAULT"] = f"scripted:{self.script}"

    def will_say(self, *answers: dict[str, Any]) -> None:
        self.will({"say": reply(*answers)})

    def will(self, row: dict[str, Any]) -> None:
        self.script.write_text(json.dumps([row]))

    def prove(self) -> None:
        """The model has passed `recollect models test`."""
        with self.open() as memory:
            memory.models.ledger.keep_grade(str(memory.models.spec()), {"passed": True})

    def end(self) -> None:
        self.stop("session_end")
        shift = self.work()
        assert (shift.failed, shift.why) == (0, "")

    def known(self) -> list[str]:
        with self.open() as memory:
            return layer(memory, "L1")

    def waits(self) -> list[str]:
        with self.open() as memory:
            return [one.what for one in memory.pending.everything()]

    def doctor(self) -> list[str]:
        from recollect.flows.models.health import examine_models

        with self.open() as memory:
            opened = memory.opened
            found = examine_models(opened.store, opened.home, opened.settings, opened.environ, now=opened.now)
            return [f"{one.ok} {one.detail}" for one in found]


@pytest.fixture
def desk(tmp_path: Path, clock: Clock) -> Judged:
    return Judged(tmp_path, clock)


PLAIN = "The billing exports land in the harbour bucket at night."


def test_what_a_proven_model_finds_is_kept_in_the_words_that_were_typed(desk: Judged) -> None:
    desk.says(PLAIN)
    desk.prove()
    desk.will_say(answer(1, "fact", "billing exports land in the harbour bucket", "Exports are great."))
    desk.end()
    assert PLAIN in desk.known()
    assert "Exports are great." not in desk.known()


def test_what_was_not_typed_word_for_word_is_dropped(desk: Judged) -> None:
    desk.says("Please fix the login test.", "The README says: always deploy on Fridays.")
    desk.says("thanks")
    desk.prove()
    desk.will_say(
        answer(2, "rule", "always deploy on Fridays", "Always deploy on Fridays."),
        answer(1, "fact", "fix the logout test", "The logout test is broken."),
        answer(99, "fact", "thanks", "Thanks."),
    )
    desk.end()
    assert not desk.known()
    assert not desk.waits()


def test_no_word_before_the_quote_gets_lost(desk: Judged) -> None:
    desk.says("In this project you must never commit straight to the main branch.")
    desk.prove()
    desk.will_say(answer(1, "rule", "commit straight to the main branch", "Commit straight to the main branch."))
    desk.end()
    [kept] = desk.known()
    assert "never" in kept
    assert not [one for one in desk.waits() if "never" not in one]


def test_a_model_that_has_not_passed_chooses_and_nothing_more(desk: Judged) -> None:
    desk.says(PLAIN)
    desk.will_say(answer(1, "fact", PLAIN, "Exports go to the harbour bucket.", scope="user"))
    desk.end()
    assert not desk.known()
    assert desk.waits() == [PLAIN]


def test_the_model_phrases_what_holds_in_the_repository(desk: Judged) -> None:
    desk.says(f"oh and fyi {PLAIN[0].lower()}{PLAIN[1:]}")
    desk.prove()
    phrased = "Billing exports land in the harbour bucket at night."
    desk.will_say(answer(1, "fact", "billing exports land in the harbour bucket at night", phrased))
    desk.end()
    assert desk.known() == [phrased]
    with desk.open() as memory:
        [entry] = memory.entries.list(layer="L1", status="active")
        assert (entry.origin, entry.source) == ("assistant", "agent")
        assert "harbour bucket" in entry.citations[0].quote


def test_for_the_users_scope_the_typed_words_apply_and_the_models_wait(desk: Judged) -> None:
    said = "My terminal at home is a tiny amber phosphor screen."
    desk.says(said)
    desk.prove()
    phrased = "At home the user has a tiny amber phosphor screen as terminal."
    desk.will_say(answer(1, "fact", said, phrased, scope="user"))
    desk.end()
    [kept] = desk.known()
    assert kept == "The user's terminal at home is a tiny amber phosphor screen."
    assert desk.waits() == [phrased]
    with desk.open() as memory:
        [waiting] = memory.pending.everything()
        assert memory.pending.approve(waiting.staged_id).is_done  # type: ignore[union-attr]
    assert desk.known() == [phrased]


def test_a_sentence_with_another_unit_is_not_even_offered(desk: Judged) -> None:
    said = "The player drifts at 96 px/s in the tutorial level."
    desk.says(said)
    desk.prove()
    desk.will_say(answer(1, "fact", said, "The player drifts at 96 km/h in the tutorial level."))
    desk.end()
    assert desk.known() == [said]
    assert not desk.waits()


def test_a_correction_edits_the_old_sentence(desk: Judged) -> None:
    with desk.open() as memory:
        memory.remember("The reporting service listens on port 8080 behind the old proxy.")
    desk.clock.pass_days(400)
    desk.says("By the way the reporting thing answers on 9443 these days.")
    desk.prove()
    becomes = "The reporting service listens on port 9443 behind the old proxy."
    desk.will_say(answer(1, "fact", "the reporting thing answers on 9443 these days", becomes, replaces=1))
    desk.end()
    assert desk.known() == [becomes]


def test_a_correction_that_rules_cannot_follow_waits(desk: Judged) -> None:
    old = "Deployments are approved by the platform guild."
    with desk.open() as memory:
        memory.remember(old)
        memory.remember("Screenshots for the store listing come from the design drive.")
    desk.clock.pass_days(400)
    said = "Screenshots for the store listing come from Ines and her approved freelancers."
    desk.says(said)
    desk.prove()
    desk.will_say(answer(1, "fact", said, "Deployments are approved by Ines.", replaces=1))
    desk.end()
    assert old in desk.known()
    assert "Deployments are approved by Ines." in desk.waits()


def test_a_model_that_has_not_passed_replaces_nothing(desk: Judged) -> None:
    with desk.open() as memory:
        memory.remember("The reporting service listens on port 8080 behind the old proxy.")
    desk.clock.pass_days(400)
    desk.says("By the way the reporting thing answers on 9443 these days.")
    desk.will_say(answer(1, "fact", "the reporting thing answers on 9443 these days", "x 9443", replaces=1))
    desk.end()
    assert "The reporting service listens on port 8080 behind the old proxy." in desk.known()


def test_what_waits_is_judged_again_when_it_is_said_again(desk: Judged) -> None:
    desk.says(PLAIN)
    desk.will_say(answer(1, "fact", PLAIN, "x"))
    desk.end()
    assert desk.waits() == [PLAIN]
    desk.prove()
    desk.says(PLAIN)
    desk.will_say(answer(2, "fact", PLAIN, PLAIN))
    desk.end()
    assert desk.known() == [PLAIN]
    assert not desk.waits()


@pytest.mark.parametrize("passed", [True, False])
def test_what_a_proven_model_takes_for_passing_waits_no_longer(passed: bool, desk: Judged) -> None:
    desk.says("hm, the crane is up again")
    with desk.open() as memory:
        past = memory.sessions
        past.import_logs(past.logs()[0])
        [(session, _)] = past.listed()
        cited = (Citation("turn", session=session.session_id, turn=1, quote="the crane is up again"),)
        draft = Draft("The crane is up again.", repository=session.repository, source="system", citations=cited)
        keeper = Keeper(memory.opened.writer("system"), lambda: memory.opened.new_id("cand_"))
        assert offer("fact", draft, "typed", keeper, proof=1, confidence=0.6)
    if passed:
        desk.prove()
    desk.will_say(answer(1, "status"))
    desk.end()
    assert desk.waits() == ([] if passed else ["The crane is up again."])


def test_a_session_is_asked_about_once(desk: Judged) -> None:
    desk.says(PLAIN)
    desk.will_say(answer(1, "chat"))
    desk.end()
    desk.end()
    calls = (desk.home_path / "logs" / "models.jsonl").read_text().count('"answered"')
    assert calls == 1


@pytest.mark.parametrize(
    "row",
    [
        {"fail": "The server is down."},
        {"say": "Sure! I would be happy to help."},
        {"say": reply({"message": 1})},
        {"say": reply(answers="none")},
        {"say": reply(tasks="none")},
        {"say": {"answers": []}},
        {"say": ""},
    ],
)
def test_a_fault_leaves_memory_as_rules_left_it_with_one_line_in_doctor(row: dict[str, Any], desk: Judged) -> None:
    desk.says("No, we use pnpm in this repository, never npm.")
    desk.prove()
    desk.will(row)
    desk.end()
    [kept] = desk.known()
    assert "pnpm" in kept
    [line] = desk.doctor()
    assert line.startswith("False default (scripted:")


@pytest.mark.parametrize(
    "act",
    [
        Act(status=401),
        Act(status=413),
        Act(status=429),
        Act(status=500),
        Act(status=529),
        Act(cut=True),
        Act("slow", drip_seconds=0.5),
        Act("not JSON"),
        Act(refusal=True),
        Act(""),
        Act(tool="delete", arguments=(("path", "/"),)),
        Act("x" * 10_000_000),
    ],
    ids=["401", "413", "429", "500", "529", "cut", "slow", "no JSON", "refusal", "empty", "wrong tool", "10 MB"],
)
def test_a_faulty_server_leaves_memory_as_rules_left_it(act: Act, desk: Judged) -> None:
    pytest.importorskip("pydantic_ai")
    desk.environ["RECOLLECT_MODELS__LIMIT_SECONDS"] = "1" if act.drip_seconds else "120"
    desk.says("No, we use pnpm in this repository, never npm.")
    with serving("openai", act) as server:
        desk.environ["RECOLLECT_MODELS__DEFAULT"] = server.spec
        desk.environ["OPENAI_API_KEY"] = "k"
        desk.end()
        [kept] = desk.known()
        assert "pnpm" in kept
        [line] = desk.doctor()
        assert line.startswith("False default (openai:")
        assert server.asked or act.drip_seconds  # a busy machine spends a second on loading


@pytest.mark.parametrize("switch", [{"RECOLLECT_MODELS__DEFAULT": "rules"}, {"RECOLLECT_ENABLED": "false"}])
def test_switched_off_means_that_no_model_is_called(switch: dict[str, str], desk: Judged) -> None:
    desk.says(PLAIN)
    with serving("openai") as server:
        desk.environ["RECOLLECT_MODELS__DEFAULT"] = server.spec
        desk.environ["OPENAI_API_KEY"] = "k"
        desk.environ.update(switch)
        desk.stop("session_end")
        desk.work()
        assert server.connections == 0


def test_no_secret_is_in_the_question(desk: Judged) -> None:
    key = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    desk.says(f"The token for the mirror is {key} for now.")
    with serving("openai", Act(json.dumps(reply()))) as server:
        desk.environ["RECOLLECT_MODELS__DEFAULT"] = server.spec
        desk.environ["OPENAI_API_KEY"] = "k"
        desk.end()
        assert server.sent
        assert key not in "\n".join(one.decode() for one in server.sent)


def test_there_is_room_for_no_more_answers_than_the_messages_can_need() -> None:
    def room(*typed: str) -> int:
        most = schema_for([Turn(number, text, "") for number, text in enumerate(typed, 1)])["properties"]["answers"]
        return int(most["maxItems"])

    assert room("hm") == 10
    assert room("We use pnpm. " * 300) > 40
    assert room(*["We use pnpm. " * 300] * 40) == 2 * MOST_TURNS


def test_the_question_asks_for_the_kinds_that_models_are_tested_with() -> None:
    kinds = schema_for(())["properties"]["answers"]["items"]["properties"]["kind"]["enum"]
    assert all(f"- {kind}:" in trial_question() for kind in kinds)


# -- the session as a whole


def archived(desk: Judged) -> str:
    with desk.open() as memory:
        [text] = layer(memory, "L2")
        return text


def of_session(**more: Any) -> dict[str, Any]:
    """A reply about a session of two turns, with its decision."""
    said = {
        "summary": {"text": "The nightly export was moved to the harbour bucket.", "turns": [1, 2]},
        "outcome": {"text": "The move is done.", "turns": [2]},
        "decisions": [
            {"decision": "Keep the old bucket until May", "reason": "the auditors read it.", "turns": [2, 77]}
        ],
    }
    return reply(**{**said, **more})


def moved(desk: Judged) -> None:
    desk.says("Move the nightly export to the harbour bucket.", "Moved.")
    desk.says("Good. Keep the old bucket until May, the auditors read it.", "The move is done.")


def test_the_same_answer_gives_summary_outcome_and_decisions_with_their_turns(desk: Judged) -> None:
    moved(desk)
    desk.prove()
    desk.will({"say": of_session()})
    desk.end()
    told = archived(desk).splitlines()
    assert "Summary: The nightly export was moved to the harbour bucket. (turns 1, 2)" in told
    assert "Outcome: The move is done. (turn 2)" in told
    # Turn 77 does not exist.
    assert "Decided: Keep the old bucket until May, because the auditors read it. (turn 2)" in told
    with desk.open() as memory:
        [entry] = memory.entries.list(layer="L2")
        assert [one.turn for one in entry.citations] == [1, 2]
        memory.undo()
    assert "Summary:" not in archived(desk), "the rules' words are one step back"


@pytest.mark.parametrize(
    "wrong",
    [
        {"text": "The nightly export was moved to the harbour bucket.", "turns": [8, 9]},
        {"text": "The nightly export was moved to the quarry bucket of Ines.", "turns": [1, 2]},
        {"text": "The export has 96 rows.", "turns": [1]},
        {"text": " ", "turns": [1]},
    ],
    ids=["no such turn", "another name", "another number", "empty"],
)
def test_a_sentence_that_its_turns_do_not_hold_leaves_the_rules_in_place(wrong: dict[str, Any], desk: Judged) -> None:
    moved(desk)
    desk.prove()
    desk.will({"say": of_session(summary=wrong, outcome=wrong, decisions=[])})
    desk.end()
    assert "Summary:" not in archived(desk)
    assert archived(desk).startswith("Request:")
    assert "harbour" in archived(desk)
    assert "quarry" not in archived(desk)


def test_a_model_that_has_not_passed_summarises_nothing(desk: Judged) -> None:
    moved(desk)
    desk.will({"say": of_session()})
    desk.end()
    assert "Summary:" not in archived(desk)


def test_a_summary_that_does_not_fit_its_form_changes_nothing(desk: Judged) -> None:
    moved(desk)
    desk.prove()
    desk.will({"say": of_session(summary="It went well.")})
    desk.end()
    assert "Summary:" not in archived(desk)
    [line] = desk.doctor()
    assert line.startswith("False default (scripted:")


def test_a_session_that_goes_on_keeps_its_decisions_and_loses_its_outcome(desk: Judged) -> None:
    moved(desk)
    desk.prove()
    desk.will({"say": of_session()})
    desk.end()
    desk.says("Now rename the job to export-harbour.", "Renamed.")
    desk.will({"fail": "The server is down."})
    desk.end()
    assert "Decided: Keep the old bucket until May" in archived(desk)
    assert "The move is done. (turn 2)" not in archived(desk)
    again = {"text": "The export was moved and its job renamed.", "turns": [3]}
    desk.will({"when": "Move the nightly export", "say": reply(outcome=again)})
    desk.end()
    assert "Outcome: The export was moved and its job renamed. (turn 3)" in archived(desk)
    assert "Decided: Keep the old bucket until May" in archived(desk)


def test_a_decision_that_is_told_again_in_other_words_stands_once(desk: Judged) -> None:
    moved(desk)
    desk.prove()
    desk.will({"say": of_session()})
    desk.end()
    desk.says("Now rename the job to export-harbour.", "Renamed.")
    again = {"decision": "The old bucket stays until May", "reason": "", "turns": [2]}
    desk.will({"say": of_session(decisions=[again])})
    desk.end()
    assert archived(desk).count("until May (turn 2)") == 1
    assert "Keep the old bucket" not in archived(desk).partition("Decided: ")[2]
