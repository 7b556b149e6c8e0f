"""Recall over past sessions: small invented conversations, and what a question about them brings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from recollect.flows.turns.recall_turns import recall_sessions, recall_turns
from recollect.model.recall import Filters
from recollect.model.sessions import Session, ToolUse, Turn
from recollect.sessions.snippets import cut
from recollect.sessions.vectors import Vectors, fill_vectors
from recollect.store.store import Store, open_store
from recollect.text.language.dates import date_marks, date_phrases
from tests.flows.sessions.test_importing import bring, claude_line, write_log

NOW = datetime(2024, 5, 18, 12, tzinfo=UTC).timestamp()
DAY = 86_400.0
FILLER = "The kettle boils while somebody reads the paper aloud and nobody listens."


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(str(tmp_path / "recollect.db"), now=NOW)
    yield opened
    opened.close()


def keep(store: Any, name: str, turns: list[Any], *, at: float = NOW - 30 * DAY, repository: str = "") -> str:
    """Store a session of (typed, answered) pairs or of whole turns."""
    made = [
        turn._replace(number=number)
        if isinstance(turn, Turn)
        else Turn(number, turn[0], turn[1], at=at + number, ended=at + number, record_id=f"{name}-{number}")
        for number, turn in enumerate(turns, 1)
    ]
    with store.write():
        session_id: str = store.sessions.save(
            Session(name, "messages", name, repository=repository, started=at, ended=at)
        )
        store.sessions.add_turns(session_id, made, [repository] * len(made))
    return session_id


def found(store: Any, question: str, **options: Any) -> list[tuple[str, int]]:
    filters = options.pop("filters", Filters())
    hits = recall_turns(question, store=store, filters=filters, limit=5, now=NOW, **options)
    return [(hit.session_id, hit.number) for hit in hits]


def chat(*lines: str) -> list[tuple[str, str]]:
    return [(line, "") for line in lines]


def test_what_was_typed_outranks_what_the_assistant_said_about_it(store) -> None:
    keep(
        store, "s_answer", [("Tell me a story.", "A cartographer drew the harbour. The cartographer slept. " + FILLER)]
    )
    keep(store, "s_typed", [("I hired a cartographer for the harbour.", "Good to hear. " + FILLER * 3)])
    keep(store, "s_other", [("Nothing of note.", FILLER)])
    assert found(store, "Which cartographer did I hire?")[0] == ("s_typed", 1)


def test_a_short_line_is_found_by_the_line_before_it(store) -> None:
    keep(
        store, "s_chat", chat("Ana: Where did you buy the blue kayak?", "Ben: In Lisbon, last spring.", "Ana: Lovely.")
    )
    keep(store, "s_else", chat("Ana: It rains.", "Ben: It does.", "Ana: Still."))
    assert ("s_chat", 2) in found(store, "Where was the kayak bought?")


def test_long_turns_are_not_found_by_their_neighbours(store) -> None:
    long = " ".join(f"unrelated{n} words{n} here{n}" for n in range(60))
    keep(store, "s_long", [("The kayak is blue.", long), (long, long)])
    assert found(store, "kayak") == [("s_long", 1)]


def test_the_speaker_who_is_asked_about_comes_first(store) -> None:
    keep(
        store,
        "s_chat",
        chat("Ana: My sister plays the oboe.", "Ben: My sister plays the oboe.", "Cleo: Mine does not."),
    )
    assert found(store, "What does the sister of Ben play?")[0] == ("s_chat", 2)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("What did we discuss about the budget last Wednesday?", "s_may"),
        ("What did we discuss about the budget in March?", "s_march"),
        ("What did we discuss about the budget ten days ago?", "s_may"),
        ("What did we discuss about the budget on 2024-03-05?", "s_march"),
    ],
)
def test_the_day_that_is_asked_about_decides_between_equals(store, question, wanted) -> None:
    said = ("The budget needs another look.", "")
    keep(store, "s_march", [said], at=datetime(2024, 3, 5, 9, tzinfo=UTC).timestamp())
    keep(store, "s_may", [said], at=datetime(2024, 5, 8, 9, tzinfo=UTC).timestamp())
    keep(store, "s_april", [said], at=datetime(2024, 4, 11, 9, tzinfo=UTC).timestamp())
    assert found(store, question)[0][0] == wanted


def test_a_turn_with_tools_is_found_by_what_they_printed(store) -> None:
    tools = (ToolUse("bash", "command", "pytest -k ledger", "AssertionError: balance is negative"),)
    keep(store, "s_work", [Turn(1, "run the tests", "One of them fails.", tools, at=NOW, record_id="w1")])
    keep(store, "s_talk", [("run along now", FILLER)])
    assert found(store, "negative balance assertion")[0] == ("s_work", 1)


def test_every_command_of_a_long_turn_is_indexed_before_what_they_printed(store) -> None:
    tools = tuple(ToolUse("bash", "command", f"make step{n}", "noise " * 2_000) for n in range(20))
    keep(store, "s_work", [Turn(1, "go on", "", tools, at=NOW, record_id="w1")])
    assert found(store, "step19") == [("s_work", 1)]


def test_the_session_that_is_about_the_question_beats_one_that_mentions_it(store) -> None:
    keep(store, "s_about", [("The sourdough starter is bubbly.", ""), ("Feeding the sourdough starter twice.", "")])
    keep(store, "s_mention", [("The sourdough was eaten.", ""), *chat("One.", "Two.", "Three.", "Four.", "Five.")])
    hits = recall_sessions("sourdough starter", store=store, filters=Filters(), limit=5, now=NOW)
    assert [hit.session_id for hit in hits] == ["s_about", "s_mention"]


def test_turns_of_another_repository_stay_out_unless_everywhere_is_asked_for(store) -> None:
    keep(store, "s_here", [("The gateway listens on a socket.", "")], repository="host/here")
    keep(store, "s_there", [("The gateway listens on a port.", "")], repository="host/there")
    assert found(store, "gateway", filters=Filters(repository="host/here")) == [("s_here", 1)]
    assert len(found(store, "gateway", filters=Filters(everywhere=True))) == 2


def test_times_outside_the_filter_stay_out(store) -> None:
    keep(store, "s_old", [("The gateway was slow.", "")], at=NOW - 100 * DAY)
    keep(store, "s_new", [("The gateway was slow.", "")], at=NOW - DAY)
    assert found(store, "gateway", filters=Filters(since=NOW - 7 * DAY)) == [("s_new", 1)]


def test_a_turn_that_grew_is_found_by_its_new_words_alone(store) -> None:
    session_id = keep(store, "s_grown", [("A question about ferns.", "")])
    [turn] = store.sessions.turns(session_id)
    with store.write():
        store.sessions.replace_turn(session_id, turn._replace(user="A question about mosses."))
    assert found(store, "ferns") == []
    assert found(store, "mosses") == [("s_grown", 1)]


def test_two_turns_with_one_number_each_show_their_own_text(store) -> None:
    keep(store, "s_resumed", [("A question about ferns.", ""), ("A question about mosses.", "")])
    with store.write():
        store.database.run("UPDATE turns SET number = 0")
    hits = recall_turns("ferns mosses", store=store, filters=Filters(), limit=5, now=NOW)
    assert {hit.snippet for hit in hits} == {"user: A question about ferns.", "user: A question about mosses."}


def test_of_turns_and_sessions_that_answer_equally_well_the_newest_comes_first(store) -> None:
    for name in ("s_b", "s_a", "s_c"):
        keep(store, name, [("The gateway was slow.", "")])
    assert found(store, "gateway") == [("s_c", 1), ("s_a", 1), ("s_b", 1)]
    hits = recall_sessions("gateway", store=store, filters=Filters(), limit=5, now=NOW)
    assert [hit.session_id for hit in hits] == ["s_c", "s_a", "s_b"]


def test_a_question_without_words_or_an_empty_store_finds_nothing(store) -> None:
    assert found(store, "what about it?") == []
    assert found(store, "") == []
    assert recall_sessions("ferns", store=store, filters=Filters(), limit=5, now=NOW) == []


def test_a_very_long_question_is_answered_by_its_rarest_words(store) -> None:
    for number in range(8):
        keep(store, f"s_{number}", [(FILLER, "")])
    keep(store, "s_rare", [(FILLER + " The quokka sleeps.", "")])
    assert found(store, (FILLER + " ") * 200 + "quokka")[0] == ("s_rare", 1)


def test_the_snippet_shows_the_part_that_answers() -> None:
    from recollect.sessions.ranking import Asked

    text = FILLER * 20 + " The archive moved to Lagos in autumn. " + FILLER * 20
    shown = cut(text, Asked({"archiv": 2.0, "lago": 3.0}), 120)
    assert "Lagos" in shown
    assert len(shown) <= 130
    assert shown.startswith("... ")
    assert shown.endswith(" ...")


def test_recall_by_layer_gives_turns_with_their_id_and_history_at_most_two(memory) -> None:
    keep(
        memory.opened.store, "s_one", chat("We moved the archive to Lagos.", "The archive is large.", "Archive again.")
    )
    keep(memory.opened.store, "s_two", chat(*[f"{FILLER} Part {n}." for n in range(5)]))
    by_layer = memory.recall("archive Lagos", layers=["L2"]).found
    assert by_layer.entries[0].entry.entry_id == "s_one#1"
    asked = memory.recall("where did we move the archive to Lagos last week?").found
    assert 0 < len([one for one in asked.entries if "#" in one.entry.entry_id]) <= 2
    plain = memory.recall("archive Lagos").found
    assert not plain.entries


def test_recall_json_calls_a_turn_a_turn(memory) -> None:
    from recollect.doors.shapes import recall_json, receipt_json

    keep(memory.opened.store, "s_one", chat("We moved the archive to Lagos."))
    answer = memory.recall("archive Lagos", layers=["L2"])
    got, receipt_id = answer.found, answer.receipt
    [entry] = json.loads(json.dumps(recall_json(got, receipt_id)))["entries"]
    assert (entry["id"], entry["kind"], entry["layer"]) == ("s_one#1", "turn", "L2")
    assert "Lagos" in entry["content"]
    assert "Lagos" in str(receipt_json(memory.why(receipt_id=receipt_id), memory)["entries"])


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("on 8 May, 2024", [("@2024-05-08",), ("@2024-05",)]),
        ("in June 2023", [("@2023-06",)]),
        ("in March", [("@03",)]),
        ("we may march on", []),
        ("yesterday", [("@2024-05-17",), ("@2024-05",)]),
        ("last month", [("@2024-04",)]),
        ("two months ago", [("@2024-03",)]),
        ("on Saturday", [("@sat",)]),
        ("in 2022", [("@2022",)]),
    ],
)
def test_dates_are_understood_as_people_write_them(text, marks) -> None:
    assert date_phrases(text, NOW) == marks


def test_weeks_ago_mean_the_days_around_and_every_mark_is_one_a_turn_can_have() -> None:
    [days] = date_phrases("two weeks ago", NOW)
    assert f"@{datetime.fromtimestamp(NOW - 14 * DAY, UTC):%Y-%m-%d}" in days
    assert set(days) & set(date_marks(NOW - 14 * DAY))
    assert date_marks(0.0) == []


def test_with_the_extra_a_prompt_is_found_by_its_meaning(store) -> None:
    vectors = Vectors.load()
    assert vectors is not None, "make test installs the extra: semantic"
    keep(store, "s_dog", [("My puppy chewed the couch again.", "Oh no, poor couch! " + FILLER)])
    keep(store, "s_tax", [("The invoice is overdue.", "Send a reminder. " + FILLER)])
    keep(store, "s_sky", [("Clouds are forming over the hills.", "It may rain. " + FILLER)])
    with store.write():
        assert fill_vectors(store, vectors) == 3
        assert fill_vectors(store, vectors) == 0
    assert found(store, "dog furniture damage") == []
    assert found(store, "dog furniture damage", vectors=vectors)[0] == ("s_dog", 1)


@pytest.mark.parametrize("tool", ["", "Bash"])
def test_with_the_extra_recall_finds_by_meaning_what_an_agent_was_told_in_a_folder(
    open_memory, repository, tmp_path, tool
) -> None:
    told = ("My puppy chewed the couch again.", "The invoice is overdue.", "Clouds are forming over the hills.")
    for number, typed in enumerate(told):
        mine: dict[str, Any] = {"sessionId": f"S{number}", "cwd": str(repository), "parentUuid": None}
        call = {"type": "tool_use", "id": f"t{number}", "name": tool, "input": {"command": "date"}}
        answer = [{"type": "text", "text": FILLER}, *([call] if tool else [])]
        lines = [
            claude_line("user", 1, typed, **mine, uuid=f"u{number}"),
            claude_line("assistant", 2, answer, **mine, uuid=f"a{number}"),
        ]
        bring_to = write_log(tmp_path / "logs", lines, name=f"S{number}.jsonl")
        bring(memory := open_memory(repository), bring_to)
    got = memory.recall("dog furniture damage", layers=["L2"]).found
    assert got.entries
    assert "puppy" in got.entries[0].entry.content


def test_a_short_line_in_a_folder_is_found_by_the_line_before_it(store) -> None:
    lines = ("Where does the cron job of the exporter run?", "On the box in Lisbon.", "Fine, leave it there.")
    keep(store, "s_diary", [Turn(n, line, "", at=NOW, record_id=f"d{n}", cwd="/w/app") for n, line in enumerate(lines)])
    keep(store, "s_else", chat("It rains.", "It does.", "Still."))
    assert ("s_diary", 2) in found(store, "where does the exporter's cron job run?")


def test_of_two_turns_of_work_the_one_that_says_little_else_comes_first(store) -> None:
    tools = (ToolUse("bash", "command", "date", "done"),)
    long = " ".join(f"unrelated{n}" for n in range(40))
    keep(store, "s_short", [Turn(1, "the exporter is stuck", "ok", tools, at=NOW - DAY, record_id="w1")])
    keep(store, "s_long", [Turn(1, f"the exporter, yes the exporter, {long}", "ok", tools, at=NOW, record_id="w2")])
    assert found(store, "exporter")[0] == ("s_short", 1)


def test_what_somebody_always_wants_comes_first_when_something_is_to_be_done(store) -> None:
    keep(store, "s_one", [("The login page of the harbour app needs code for a captcha.", FILLER)])
    keep(store, "s_two", [("I always want login code in the harbour app with type hints.", FILLER)])
    keep(store, "s_three", [("The harbour app has a login page with code.", FILLER)])
    assert found(store, "Write the login code of the harbour app")[0] == ("s_two", 1)
