"""With a model: it chooses among the files that rules allow, and the facts it finds wait for a person."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recollect import Recollect
from recollect.flows.suggestions.repeats import without_repeats
from recollect.model.sessions import Session, Turn
from tests.session_answers import answer, reply
from tests.suggestions.repositories import make_case


def opened(tmp_path: Path, clock, *answers: object, **more: str) -> Recollect:
    make_case("web", tmp_path / "app", tmp_path / "user")
    (tmp_path / "script.json").write_text(json.dumps([{"say": answer} for answer in answers]))
    environ = {"HOME": str(tmp_path / "user"), "RECOLLECT_MODELS__DEFAULT": f"scripted:{tmp_path / 'script.json'}"}
    return Recollect.open(str(tmp_path / "home"), folder=str(tmp_path / "app"), environ=environ | more, clock=clock)


def a_session(memory: Recollect, typed: str) -> Session:
    """A session in which this was typed."""
    store = memory.opened.store
    with store.write():
        session = Session("s_1", "codex", "n", memory.repository.repository, started=1.0, ended=2.0)
        session = session._replace(session_id=store.sessions.save(session))
        store.sessions.add_turns(session.session_id, [Turn(1, typed, "Done.", record_id="u1")], [""])
    return session


def test_a_model_chooses_the_file_and_a_useless_answer_leaves_the_rules_choice(tmp_path, clock) -> None:
    with opened(tmp_path, clock, {"file": 2}) as memory:
        memory.remember("Components under `src/components` take a `className` prop.")
        [one] = memory.suggestions.reconcile().added
        assert one.target == ".github/copilot-instructions.md"
        again = memory.suggestions.reconcile()
        assert (again.added, again.withdrawn) == ((), 0), "nobody is asked twice"
    with opened(tmp_path / "other", clock, {"file": 99}) as memory:
        memory.remember("Components under `src/components` take a `className` prop.")
        [one] = memory.suggestions.reconcile().added
        assert one.target == ".github/instructions/react.instructions.md"


def test_facts_that_a_model_finds_wait_and_what_nobody_typed_is_dropped(tmp_path, clock) -> None:
    typed = "The billing exports land in the harbour bucket at night."
    said = reply(answer(1, "fact", typed), answer(1, "fact", "The database is `CockroachDB`."))
    with opened(tmp_path, clock, said) as memory:
        a_session(memory, typed)
        memory.facts.extract()
        [waiting] = memory.pending.waiting()
        assert waiting.what == typed
        assert waiting.draft.citations[0].quote == typed
        assert memory.facts.list() == []
        memory.facts.extract()
        calls = Path(memory.home.logs, "models.jsonl").read_text().count('"answered"')
        assert calls == 1, "it is the question about its end, which is asked once"
        begins = json.loads(Path(memory.home.logs, "models.jsonl").read_text().splitlines()[0])
        assert (begins["what"], begins["expected_tokens"] > 100) == ("begins", True), "what it costs is said first"


@pytest.mark.parametrize("why", ["private", "read by a model at its end", "the model of a client that is not there"])
def test_some_sessions_are_not_asked_about_for_facts(why: str, tmp_path, clock) -> None:
    model = {"RECOLLECT_MODELS__DEFAULT": "sampling"} if why.startswith("the model") else {}
    with opened(tmp_path, clock, reply(), **model) as memory:
        store, session = memory.opened.store, a_session(memory, "feature flags are defined in src/flags.ts")
        with store.write():
            if why == "private":
                store.sessions.set_privacy(session.session_id, "private")
            elif not model:
                store.sessions.set_judged(session.session_id, 1, "")
        memory.facts.extract()
        assert not Path(memory.home.logs, "models.jsonl").exists()


def test_facts_that_a_model_calls_the_same_are_suggested_once_and_it_is_asked_once(tmp_path, clock) -> None:
    said = (
        "Retries of API calls are set in `src/api/retry.ts`.",
        "`src/api/retry.ts` is where API calls get their retries.",
    )
    for answers, expected in (([{"pairs": [{"pair": 1, "relation": "same"}]}], 1), ([], 2)):
        with opened(tmp_path / str(expected), clock, *answers) as memory:
            for text in said:
                memory.remember(text)
            added = memory.suggestions.reconcile().added
            assert sum("retries" in one.fact.casefold() for one in added) == expected
            again = memory.suggestions.reconcile()
            assert (again.added, again.withdrawn) == ((), 0), "what it said is kept"


def test_a_model_is_not_asked_about_facts_with_different_names(tmp_path, clock) -> None:
    with opened(tmp_path, clock, {"pairs": [{"pair": 1, "relation": "same"}]}) as memory:
        memory.remember("Retries of API calls are set in `src/api/retry.ts`.")
        memory.remember("Retries of API calls are set in `src/api/client.ts`.")
        assert without_repeats(memory.facts.list(), memory.opened) == memory.facts.list()
