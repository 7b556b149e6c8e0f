"""From a host's events to turns, and from turns to what the archive keeps."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from recollect.flows.sessions.import_sessions import cleaned, clipped
from recollect.hosts.tools import kind_in
from recollect.model.sessions import (
    Answered,
    Began,
    Called,
    Compacted,
    Moved,
    Returned,
    Said,
    Session,
    Skipped,
    Spent,
    Titled,
    ToolUse,
    Turn,
)
from recollect.sessions.summary import summarise
from recollect.sessions.turns import Part, assemble
from recollect.text.tokens import estimate_tokens

TOOLS = {"Bash": ("command", "command"), "Edit": ("change", "file_path"), "Read": ("read", "file_path")}


def kind_of(name, arguments):
    return kind_in(TOOLS, name, arguments)


BEGAN = Began("claude-code", "S", at=100.0, cwd="/w/app", branch="main", model="m1")


def turns_of(*events: object) -> list[Turn]:
    parts = assemble(events, kind_of)  # type: ignore[arg-type]
    return [part.item for part in parts if isinstance(part, Part) and isinstance(part.item, Turn)]


def test_a_turn_is_a_user_message_and_all_that_follows() -> None:
    [first, second] = turns_of(
        BEGAN,
        Said("Fix the test", at=101.0, record_id="u1"),
        Answered("Running", record_id="a1"),
        Answered(" it.", record_id="a1"),
        Called("t1", "Bash", {"command": "pytest -q"}),
        Returned("t1", "1 failed", ok=False, exit_code=1, at=105.0),
        Answered("It fails.", record_id="a2", model="m2", at=106.0),
        Said("Then fix it", at=110.0, record_id="u2"),
    )
    assert (first.user, first.assistant) == ("Fix the test", "Running\n it.\n\nIt fails.")
    assert first.tools == (ToolUse("Bash", "command", "pytest -q", "1 failed", False, 1),)
    assert (first.at, first.ended, first.model, first.cwd) == (101.0, 106.0, "m2", "/w/app")
    assert (second.number, second.user, second.model) == (2, "Then fix it", "m2")


def test_the_same_message_twice_is_one_turn_and_twin_pieces_are_dropped() -> None:
    turns = turns_of(
        BEGAN,
        Said("Fix it", record_id="u1"),
        Answered("Done.", record_id="a1"),
        Answered("Done.", record_id="a1"),
        Said("Fix it", record_id="u1"),
    )
    assert [(turn.user, turn.assistant) for turn in turns] == [("Fix it", "Done.")]


def test_usage_that_is_repeated_on_every_line_counts_once() -> None:
    [turn] = turns_of(BEGAN, Said("x", record_id="u"), Spent(10, 5, "a1"), Spent(10, 5, "a1"), Spent(1, 1, "a2"))
    assert (turn.input_tokens, turn.output_tokens) == (11, 6)


def test_what_happens_before_the_first_message_is_kept_as_turn_zero() -> None:
    turns = turns_of(
        BEGAN, Answered("Hello.", record_id="a"), Said("Hi", record_id="u"), Answered("Hi.", record_id="b")
    )
    assert [(turn.number, turn.user) for turn in turns] == [(0, ""), (1, "Hi")]


def test_a_new_session_in_the_same_log_starts_to_count_anew() -> None:
    parts = list(
        assemble([BEGAN, Said("a"), Titled("T"), BEGAN._replace(native_id="S2"), Said("b"), Skipped("p", "w")], kind_of)
    )
    turns = [(part.began.native_id, part.item) for part in parts if isinstance(part, Part)]
    assert [(name, item.number) for name, item in turns if isinstance(item, Turn)] == [("S", 1), ("S2", 1)]
    assert sum(isinstance(part, Skipped) for part in parts) == 1


def test_a_log_that_goes_back_and_forth_between_sessions_keeps_their_turns_whole() -> None:
    agent = BEGAN._replace(native_id="S/a", agent="a")
    parts = list(
        assemble(
            [BEGAN, Said("fix", record_id="u1"), Called("t1", "Bash", {"command": "x"}), agent, Answered("deep"), BEGAN,
             Returned("t1", "ok", ok=True), Answered("done", record_id="a1"), agent, Answered("er")], kind_of)
    )  # fmt: skip
    turns = {part.began.native_id: part.item for part in parts if isinstance(part, Part)}
    main, helper = turns["S"], turns["S/a"]
    assert isinstance(main, Turn)
    assert isinstance(helper, Turn)
    assert (main.user, main.assistant, main.tools[0].output) == ("fix", "done", "ok")
    assert helper.assistant == "deep\n\ner"


def test_folder_and_branch_follow_the_record() -> None:
    turns = turns_of(BEGAN, Said("a", record_id="1"), Moved("/w/lib", "dev"), Said("b", record_id="2"))
    assert [(turn.cwd, turn.branch) for turn in turns] == [("/w/lib", "dev"), ("/w/lib", "dev")]


EVENTS = st.lists(
    st.one_of(
        st.builds(Said, st.text(max_size=5), record_id=st.sampled_from(["", "u1", "u2", "u3"])),
        st.builds(Answered, st.text(max_size=5), record_id=st.sampled_from(["", "a1", "a2"])),
        st.builds(Called, st.sampled_from(["t1", "t2"]), st.just("Bash"), st.just({"command": "x"})),
        st.builds(Returned, st.sampled_from(["t1", "t2"]), st.text(max_size=3)),
        st.builds(Compacted, st.text(max_size=3)),
    )
)


@given(EVENTS)
def test_any_order_of_events_gives_each_message_once_and_loses_none(events: list[object]) -> None:
    turns = turns_of(BEGAN, *events)
    wanted: list[str] = []
    seen = set()
    for event in events:
        if isinstance(event, Said) and not (event.record_id and event.record_id in seen):
            seen.add(event.record_id)
            wanted.append(event.text)
    assert [turn.user for turn in turns if turn.user] == [text for text in wanted if text]
    numbers = [turn.number for turn in turns]
    assert numbers == sorted(set(numbers))


def _session() -> Session:
    return Session("s_1", "claude-code", "S", cwd="/w/app", started=100.0, ended=200.0)


def _command(command: str, code: int | None, output: str = "") -> ToolUse:
    return ToolUse("Bash", "command", command, output, None if code is None else code == 0, code)


def test_a_summary_tells_request_outcome_files_commands_errors_and_open_ends() -> None:
    turns = [
        Turn(1, "Please fix the flaky login test", "Looking.", (_command("pytest -q", 1, "AssertionError: 3 != 4\n"),)),
        Turn(2, "ok", "We decided to freeze the clock instead of sleeping.", (
            ToolUse("Edit", "change", "/w/app/tests/test_login.py", paths=("/w/app/tests/test_login.py",)),
            _command("pytest -q", 0),
        )),
        Turn(3, "And deploy it", "The deploy needs a ticket. Which ticket number should I use?"),
    ]  # fmt: skip
    summary = summarise(_session(), turns)
    assert "Please fix the flaky login test" in summary.text
    assert "Changed: tests/test_login.py" in summary.text
    assert "`pytest -q` failed 1x, then passed" in summary.text
    assert "freeze the clock instead of sleeping" in summary.text
    assert "AssertionError: 3 != 4 (fixed)" in summary.text
    assert "Which ticket number should I use?" in summary.text
    assert "- ok" not in summary.text


def test_a_summary_keeps_decisions_in_their_own_words_the_last_first() -> None:
    turns = [
        Turn(1, "We decided to run `flush_worker` on **/*.sql every 15 minutes instead of hourly.", "Fine."),
        Turn(2, "Look again", "We agreed on src/__init__.py, because #41 needs it."),
    ]
    assert summarise(_session(), turns).text.split("Decided:\n")[1].splitlines()[:2] == [
        "- We agreed on src/__init__.py, because #41 needs it.",
        "- We decided to run flush_worker on **/*.sql every 15 minutes instead of hourly.",
    ]


@given(st.lists(st.builds(Turn, st.integers(1, 9), st.text(max_size=3000), st.text(max_size=3000)), max_size=6))
def test_a_summary_is_never_long(turns: list[Turn]) -> None:
    assert estimate_tokens(summarise(_session(), turns).text) <= 400


def test_long_tool_output_is_clipped_in_the_middle_and_the_whole_turn_stays_bounded() -> None:
    assert clipped("a" * 100, 100) == "a" * 100
    assert clipped("begin" + "x" * 5000 + "end", 1000).startswith("begin")
    assert clipped("begin" + "x" * 5000 + "end", 1000).endswith("end")
    turn = Turn(1, "x", tools=tuple(_command(str(n), 0, "y" * 9000) for n in range(100)))
    assert sum(len(tool.output) for tool in cleaned(turn).tools) < 40_000
