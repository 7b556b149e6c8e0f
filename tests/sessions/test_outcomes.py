"""What a session's summary tells: outcomes and not intentions, decisions with their reason, tasks, each failure once."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.model.sessions import Session, ToolUse, Turn
from recollect.sessions.outcomes import finished, outcome
from recollect.sessions.summary import summarise
from tests.codex_logs import CodexLog
from tests.command_line import Run

SESSION = Session("s_1", "claude-code", "S", cwd="/w/app", started=100.0, ended=200.0)
CHANGE = ToolUse("Edit", "change", "/w/app/a.py", ok=True, paths=("/w/app/a.py",))


def ran(command: str, code: int | None = 0, output: str = "") -> ToolUse:
    return ToolUse("Bash", "command", command, output, None if code is None else code == 0, code)


@pytest.mark.parametrize(
    ("said", "tells"),
    [
        (
            "Let me start by reading the parser.\n\nFound it. I'll fix it now.\n\n"
            "The parser now keeps empty lines. All 12 tests pass.",
            "The parser now keeps empty lines. All 12 tests pass.",
        ),
        ("I’ll check the branch.\n\nPushed branch `fix/cart`.\n\nWant me to open a pull request?", "Pushed branch fix/cart."),
        ("Done. The cart keeps its coupon.\n\nLet me know if you need more.", "Done. The cart keeps its coupon."),
        # nothing but plans: the last thing that was done, or nothing at all
        ("Let me look at the tests first. I'm going to run them now.", ""),
        ("I'm staging the files now.\n\nThe commit is created. I’m pushing it next.", "The commit is created."),
        ("Now run the tests.\n\nRunning the linter:", ""),
        ("Here is the plan:\n\n1. Read the config\n2. Change the port\n\nShall I go ahead?", ""),
        ("You're welcome! Feel free to ask if anything else comes up.", ""),
        ("テストを追加しました。", "テストを追加しました。"),
        # the head of a list says nothing yet, advice is for somebody else, and "it" needs its sentence
        ("I sent that to the worker.\n\nAdded scope:\n- compare should read it", "I sent that to the worker."),
        ("Replace the calls in `cart.py`.\n\nThe old helper was removed.", "The old helper was removed."),
        ("It checks the file. The importer now skips it.", "The importer now skips it."),
        # a report says under a heading what came of it
        ("The request adds a flag.\n\n## Verdict\n\nLow risk: the change is additive.", "Low risk: the change is additive."),
    ],
)  # fmt: skip
def test_what_is_finished_is_told_and_never_an_intention(said: str, tells: str) -> None:
    assert finished(said) == tells


@given(st.text(max_size=400))
def test_no_text_breaks_it_and_no_question_is_an_outcome(text: str) -> None:
    assert len(finished(text)) <= 320


def test_the_last_turn_with_work_that_says_what_was_done_is_the_outcome() -> None:
    turns = [
        Turn(1, "mend the coupon", "Fixed: the coupon is kept for the whole cart.", (CHANGE,)),
        Turn(2, "what is a coupon worth?", "A coupon is worth what its campaign says."),
        Turn(3, "thanks", "You're welcome!"),
    ]
    assert outcome(turns).says == "Fixed: the coupon is kept for the whole cart."


def test_commits_and_pull_requests_made_are_part_of_the_outcome() -> None:
    turns = [
        Turn(1, "ship it", "Let me commit that.", (
            ran("git add -A && git commit -m 'fix: keep it'", 0, "[main 1a2b3c4] fix: keep it\n 1 file changed"),
            ran("git commit -m broken", 1, "[main 9f9f9f9] never made"),
            ran("gh pr create --fill", 0, "https://github.com/example-org/shop/pull/17\n"),
            ran("gh pr view 3", 0, "https://github.com/example-org/shop/pull/3\n"),
        )),
    ]  # fmt: skip
    assert outcome(turns).lines() == ["Committed “fix: keep it”; Opened pull request #17"]


def test_decided_is_a_decision_with_its_reason() -> None:
    turns = [
        Turn(1, "We'll keep SQLite because the service runs on one machine.", "I'll use the index instead of a scan."),
        Turn(2, "ok", "Next I decided to look further. We chose Render over Fly because deploys take a minute."),
    ]
    text = summarise(SESSION, turns).text
    assert "We'll keep SQLite because the service runs on one machine." in text.partition("Decided")[2]
    assert "We chose Render over Fly because deploys take a minute." in text.partition("Decided")[2]
    assert "instead of a scan" not in text
    assert "look further" not in text


@pytest.mark.parametrize(
    "said",
    [
        "The count goes wrong since the hook runs in a subshell.",  # an explanation
        "The link now points at docs/ instead of wiki/.",  # a change
        "If we kept the flag, it would break, because nobody sets it.",  # a condition
        "I'm keeping the name for now because the test exists.",  # a step
        "We kept the old name.",  # no reason
    ],
)
def test_what_explains_plans_or_lacks_a_reason_is_no_decision(said: str) -> None:
    assert "Decided" not in summarise(SESSION, [Turn(1, "why?", said)]).text


@pytest.mark.parametrize(
    ("typed", "said", "decided"),
    [
        ("go with the first fix, as it's smaller", "", "go with the first fix, as it's smaller"),
        ("", "- Kept the flag, because two shops set it.", "Kept the flag, because two shops set it."),
        ("", "I left the default out — it changes every prompt.", "I left the default out — it changes every prompt."),
    ],
)
def test_who_decides_may_order_it_or_leave_out_i(typed: str, said: str, decided: str) -> None:
    assert f"Decided: {decided}" in summarise(SESSION, [Turn(1, typed, said)]).text


def test_what_was_typed_twice_is_asked_once_and_no_label_stands_without_its_lines() -> None:
    long = "ERROR: the build failed " + "x" * 900
    turns = [Turn(n, "mend the cart please", "", (ran(f"make part{n}", 1, long),)) for n in range(1, 4)]
    lines = summarise(SESSION, turns).text.splitlines()
    assert lines[0] == "Request: mend the cart please"
    assert not lines[-1].endswith(":")


def test_paths_below_the_folder_of_the_session_are_told_from_there_on_windows_too() -> None:
    change = ToolUse("Edit", "change", "", ok=True, paths=(r"D:\shop\src\cart.go",))
    session = SESSION._replace(cwd=r"D:\shop")
    assert r"Changed: src\cart.go" in summarise(session, [Turn(1, "mend it", "Fixed.", (change,))]).text


def test_the_same_failure_is_told_once() -> None:
    broken = "ModuleNotFoundError: No module named 'yaml'"
    turns = [Turn(1, "go", "Looking.", (ran("pytest -q", 1, broken), ran("pytest -q tests/unit", 1, broken)))]
    assert summarise(SESSION, turns).text.count(broken) == 1


def test_a_pipe_that_hides_how_a_command_ended_is_not_told_as_success() -> None:
    turns = [Turn(1, "go", "Looking.", (ran("make test 2>&1 | tail -3", 0),))]
    assert "`make test` ran" in summarise(SESSION, turns).text


@pytest.mark.parametrize(
    "tools",
    [
        [("TodoWrite", "[x] Read it\n[~] Mend the parser\n[ ] Write tests")],
        [("TaskCreate", "+ [ ] Read it"), ("TaskCreate", "+ [ ] Mend the parser"), ("TaskCreate", "+ [ ] Write tests"),
         ("TaskUpdate", "#1 [x]"), ("TaskUpdate", "#2 [~]")],
    ],
)  # fmt: skip
def test_the_agents_list_of_tasks_is_carried(tools: list[tuple[str, str]]) -> None:
    uses = tuple(ToolUse(name, "other", target, ok=True) for name, target in tools)
    assert (
        "Tasks: 1 of 3 done; open: Mend the parser; Write tests" in summarise(SESSION, [Turn(1, "go", "", uses)]).text
    )


def test_the_archive_of_an_imported_session_tells_its_outcome_and_its_tasks(
    cli: Run, tmp_path: Path, repository: Path
) -> None:
    log = CodexLog(tmp_path / "user", str(repository), 1).typed("mend the parser please")
    log.answered("I'll read the parser first.").planned(("Read it", "completed"), ("Tell the team", "pending"))
    log.ran("git commit -m x", "Process exited with code 0", "[main 1a2b3c4] fix: keep empty lines\n")
    log.answered("The parser keeps empty lines now, and the tests pass.").write()
    assert cli("up", "--no-serve", "--json").code == 0
    [page] = cli("list", "--layer", "L2", "--json").json
    assert "- The parser keeps empty lines now, and the tests pass." in page["content"]
    assert "- Committed “fix: keep empty lines”" in page["content"]
    assert "Tasks: 1 of 2 done; open: Tell the team" in page["content"]
