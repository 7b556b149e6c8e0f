"""What somebody who was not there finds in a summary written by rules: tasks, answers, changes, and what was asked."""

from __future__ import annotations

import pytest

from recollect.context import CompactionResult, Counter, compact
from recollect.context.names import names_in
from recollect.context.notes import DECISIONS, MENTIONS, REFERENCES, RULES, STANDING, find_notes, rules_in
from recollect.model.messages import Message
from tests.histories import assistant, call, long_session, ran, result, system, user

FILLER = [message for n in range(20) for message in ran(9_000 + n, f"cat notes/{n}.txt", "word " * 400)]


def compacted(messages, *, window: int = 16_000) -> CompactionResult:
    outcome = compact(
        [system(), user("Fix the build."), *messages, *FILLER, user("go on")], counter=Counter(), window=window
    )
    assert outcome.compacted
    return outcome


def summary_of(messages, *, window: int = 16_000) -> str:
    return compacted(messages, window=window).summary


def section_of(summary: str, heading: str) -> list[str]:
    """The lines below a heading of the notes."""
    notes = summary.partition("<notes>")[2].partition("\n</notes>")[0]
    return notes.partition(f"{heading}\n")[2].partition("\n\n")[0].splitlines()


def task_calls(*given) -> list[Message]:
    """Calls of tools, each with its name, its arguments and its answer."""
    return [
        message
        for n, (name, arguments, answer) in enumerate(given)
        for message in (call(f"t{n}", name, **arguments), result(f"t{n}", answer))
    ]


PLAN = [
    {"step": "Read the logs", "status": "completed"},
    {"step": "Patch the release", "status": "in_progress"},
    {"step": "Run the checks", "status": "pending"},
]
TODOS = [{"content": one["step"], "status": one["status"], "activeForm": "Working"} for one in PLAN]
CREATED = [("TaskCreate", {"subject": one["step"]}, f"Task #{n} created successfully") for n, one in enumerate(PLAN, 1)]
UPDATED = [
    ("TaskUpdate", {"taskId": "1", "status": "completed"}, "Updated task #1 status"),
    ("TaskUpdate", {"taskId": "2", "status": "in_progress"}, "Updated task #2 status"),
]


@pytest.mark.parametrize(
    "calls",
    [
        [("update_plan", {"plan": one}, "Plan updated") for one in ([{"step": "Else", "status": "pending"}], PLAN)],
        [("TodoWrite", {"todos": TODOS}, "Todos have been modified")],
        [("update_todo", {"todos": "- [x] Read the logs\n- [~] Patch the release\n- [ ] Run the checks"}, "ok")],
        [*CREATED, *UPDATED],
    ],
    ids=["update_plan", "TodoWrite", "checkboxes", "TaskCreate"],
)
def test_the_task_list_of_the_agent_stands_there_with_its_last_states(calls) -> None:
    section = section_of(summary_of(task_calls(*calls)), "## The agent's task list")
    lines = [line.removeprefix("- ").partition(" ")[2] if "#" in line else line[2:] for line in section]
    assert lines == ["done: Read the logs", "in progress: Patch the release", "open: Run the checks"]


def test_a_task_that_was_created_before_an_earlier_compaction_keeps_its_words_and_gets_its_new_state() -> None:
    first = compacted(task_calls(*CREATED, *UPDATED))
    later = task_calls(("TaskUpdate", {"taskId": "2", "status": "completed"}, "Updated task #2 status"))
    again = compact([*first.messages, *later, *FILLER, *FILLER, user("and?")], counter=Counter(), window=16_000)
    assert again.compacted
    assert "- #2 done: Patch the release\n- #3 open: Run the checks" in again.summary
    assert "in progress" not in again.summary


def test_a_task_that_was_deleted_is_not_in_the_list() -> None:
    gone = ("TaskUpdate", {"taskId": "3", "status": "deleted"}, "Updated task #3 deleted")
    assert "Run the checks" not in summary_of(task_calls(*CREATED, gone)).partition("## Details")[0]


def test_the_last_answers_stand_there_whole_and_older_ones_cut_when_there_is_room() -> None:
    answer = "The cause is the cache.\n\n" + "\n".join(
        f"{n}. Step {n} explains itself in some words." for n in range(30)
    )
    turns = [message for n in range(9) for message in (user(f"Question {n}?"), assistant(f"Answer {n}. {answer}"))]
    summary = summary_of([*turns, user("Now read the notes.")], window=24_000)
    assert "Answer 8. The cause is the cache.\n" in summary
    assert "  29. Step 29 explains itself in some words." in summary
    assert "Answer 1. The cause is the cache. 0. Step 0" in summary


def test_at_little_room_the_answers_are_cut_rather_than_left_out() -> None:
    turns = [
        message for n in range(3) for message in (user(f"Question {n}?"), assistant(f"Answer {n}. " + "word " * 800))
    ]
    assert "Answer 2. word word" in summary_of([*turns, user("Read.")], window=6_000)


def test_the_last_answer_is_told_as_far_as_there_is_room_for_it() -> None:
    plan = "The plan.\n" + "\n".join(f"{n}. Step {n} says what to do in src/part_{n}.py and why." for n in range(200))
    summary = summary_of([user("Plan it."), assistant(plan), user("Now read the notes.")], window=12_000)
    told = section_of(summary, "turn by turn")
    assert told[:3] == [
        "- The plan.",
        *(f"  {n}. Step {n} says what to do in src/part_{n}.py and why." for n in (0, 1)),
    ]
    assert 10 < len(told) < 200
    assert told[-1] == "  …"


def test_what_the_agent_says_between_its_calls_is_not_an_answer() -> None:
    turn = [
        user("Why does the release fail?"),
        assistant("The log is empty, so I am falling back to the jobs."),
        *ran(1, "gh run view 7", "ok"),
        assistant("The release fails because the token expired."),
        user("And then?"),
    ]
    answers = section_of(summary_of(turn), "turn by turn")
    assert answers == ["- The release fails because the token expired."]


def test_plans_for_the_next_step_are_not_decisions() -> None:
    said = "I'll read the files instead of guessing. We decided to use the queue instead of the poll."
    summary = summary_of([user("How?"), assistant(said), user("Good.")])
    assert section_of(summary, "## Decisions") == ["- We decided to use the queue instead of the poll."]


def written(number: int, name: str, **arguments: object) -> list[Message]:
    return [call(f"w{number}", name, **arguments), result(f"w{number}", "done")]


PATCH = """*** Begin Patch
*** Update File: src/queue.py
@@
-    pass
+def drain(limit):
+    return limit
*** Add File: docs/queue.md
+# The queue
+It drains.
*** Delete File: src/old.py
*** End Patch"""


def test_each_changed_file_has_one_line_that_says_what_changed() -> None:
    changes = [
        *written(1, "Write", file_path="src/retry.py", content="import time\n\n\ndef backoff(n):\n    return 2 ** n\n"),
        *written(2, "Edit", file_path="src/app.py", old_string="a = 1", new_string="timeout_seconds = 30"),
        *written(3, "Edit", file_path="src/app.py", old_string="b", new_string="class Worker:\n    pass"),
        *written(4, "apply_patch", input=PATCH),
    ]
    assert section_of(summary_of(changes), "## Files changed") == [
        "- src/retry.py (written, 5 lines: backoff)",
        "- src/app.py (changed 2 times, 3 lines: Worker)",
        "- src/queue.py (changed, 2 lines: drain)",
        "- docs/queue.md (written, 2 lines: The queue)",
        "- src/old.py (deleted)",
    ]


def test_a_file_that_is_changed_again_after_a_compaction_has_one_line() -> None:
    first = compacted(written(1, "Write", file_path="src/retry.py", content="def backoff(n):\n    return 2\n"))
    later = written(2, "Edit", file_path="src/retry.py", old_string="2", new_string="def again(n):")
    rest = [*first.messages, *later, *FILLER, *FILLER, user("and?")]
    again = compact(rest, counter=Counter(), window=16_000)
    assert again.summary.count("- src/retry.py") == 1
    assert "- src/retry.py (changed, 1 line: again)" in again.summary


def test_what_the_user_wrote_stands_before_what_was_done_about_it() -> None:
    summary = summary_of(ran(1, "make test", "ok"))
    assert summary.index("<user-messages") < summary.index("<notes")


def test_a_failure_is_told_without_the_header_of_the_host() -> None:
    output = "Chunk ID: fd6e7e\nWall time: 0.0 seconds\nProcess exited with code 128\nOutput:\nfatal: Needed a single revision"
    summary = summary_of(ran(1, "git rev-parse nothing", output))
    assert "failed: git rev-parse nothing\n  fatal: Needed a single revision" in summary
    assert "Chunk ID" not in summary


def test_of_a_long_command_line_the_first_line_is_told() -> None:
    command = "gh pr create --title 'make test' --body 'first\n" + "and a further line of it\n" * 40 + "'"
    assert "further line" not in summary_of(ran(1, command, "ok")).partition("## Details")[0]


@pytest.mark.parametrize("share", [4, 10, 20])
def test_the_result_fits_what_is_wanted_as_long_as_what_is_protected_leaves_room(share: int) -> None:
    messages = long_session(40)
    total = Counter().count(messages).total
    outcome = compact(messages, counter=Counter(), window=total, target_tokens=total // share)
    assert outcome.compacted
    assert outcome.tokens_after <= total // share


def test_a_small_goal_is_kept_also_beside_a_long_last_request() -> None:
    messages = [*long_session(20)[:-1], user("Do this: " + "word " * 600)]
    outcome = compact(messages, counter=Counter(), window=8_000, target_tokens=1_500)
    assert outcome.compacted
    assert outcome.tokens_after <= 1_500


def test_an_instruction_file_gives_way_when_it_would_leave_no_room_for_the_summary() -> None:
    instructions = user("# AGENTS.md instructions\n" + "Use tabs in every file. " * 80)
    messages = [
        instructions,
        *long_session(20),
    ]
    total = Counter().count(messages).total
    outcome = compact(messages, counter=Counter(), window=total, target_tokens=1_600)
    assert outcome.tokens_after <= 1_600


def test_a_sign_inside_a_quoted_program_is_not_a_file_that_was_changed() -> None:
    command = """nu -c "if 1 > ' }; \\$env.PROMPT = ' { exit }" && echo ok > out/log.txt"""
    assert section_of(summary_of(ran(1, command, "ok")), "## Files changed") == ["- out/log.txt"]


def test_a_request_that_was_answered_before_the_cut_does_not_stand_open() -> None:
    done = [
        *FILLER,
        user("Point the config at the private remote."),
        *ran(1, "git push", "ok"),
        assistant("Pushed 9759b67d."),
    ]
    outcome = compact([system(), user("Fix the build."), *done], counter=Counter(), window=4_000)
    kept = outcome.messages[-1]
    told = section_of(outcome.summary, "## Where things stand")
    assert kept.role == "assistant" or told == ["- the last request has been answered, with: Pushed 9759b67d."]
    [note] = [one for one in find_notes(done) if one.section == STANDING]
    assert note.text == "the last request has been answered, with: Pushed 9759b67d."


def test_a_question_is_not_a_rule_nor_a_rejected_variant_a_decision() -> None:
    typed = "Should we always use tabs?\nNever push to main.\nWe decided against Redis instead of SQLite."
    typed += "\nIs that safe? Never rebase.\nB. Go with Redis rather than SQLite."
    notes = find_notes([user(f"{typed}\nWe settled on SQLite for the cache.")])
    ruled = [one.text for one in notes if one.section == RULES]
    assert ruled[0] == "Never push to main."
    assert "Never rebase." in ruled
    assert [one.text for one in notes if one.section == DECISIONS] == ["We settled on SQLite for the cache."]


def test_the_text_of_a_skill_is_not_what_the_user_ruled() -> None:
    skill = "<skill>\n<name>worktree</name>\nNever read the code. You only dispatch.\n</skill>"
    summary = summary_of([user("Apply the skill $worktree."), user(skill), *ran(1, "workmux add x", "ok")])
    assert section_of(summary, f"## {RULES}") == []
    assert "Never read the code" not in summary.partition("<notes>")[0]


def test_what_stands_in_a_request_that_stays_is_not_told_again() -> None:
    request = "- Never push to main.\n- We decided to go with SQLite instead of Redis, see #4711.\n\nBuild it."
    messages = [system(), user(request), *FILLER]
    outcome = compact(messages, counter=Counter(), window=16_000)
    assert request in [message.text for message in outcome.messages]
    assert "Never push" not in outcome.summary
    assert "4711" not in outcome.summary
    later = compact([*outcome.messages, *FILLER, user("go on")], counter=Counter(), window=16_000)
    assert "Never push to main." in later.summary


def test_items_of_a_list_are_told_without_their_marks_and_a_date_is_no_reference() -> None:
    notes = find_notes([user("1. Never push to main.\n- Push to `sync-2026-06-24` instead.\nSee ABC-12.")])
    told = [(one.section, one.text) for one in notes if one.section in (RULES, DECISIONS, REFERENCES)]
    assert told == [
        (RULES, "Never push to main."),
        (RULES, "Push to `sync-2026-06-24` instead."),
        (REFERENCES, "ABC-12"),
    ]


def test_a_rule_on_wrapped_lines_is_told_whole() -> None:
    wrapped = "Ask the strongest model only when a trigger fires and never by\ndefault, nor for a routine call."
    assert list(rules_in(wrapped)) == [wrapped.replace("\n", " ")]
    assert list(rules_in("Never push.\nalways test")) == ["Never push.", "always test"]


def test_bare_names_take_at_most_an_eighth_of_a_summary() -> None:
    printed = " ".join(f"module_{n}_value" for n in range(3_000))
    summary = summary_of(ran(1, "python dump.py", printed), window=24_000)
    names = "\n".join(section_of(summary, f"## {MENTIONS}"))
    assert 0 < Counter().text(names) <= 1.1 * Counter().text(summary) / 8


def test_escaped_line_breaks_and_closing_tags_make_no_names() -> None:
    assert not list(names_in("<task-notification> done </task-notification>"))[1:]
    assert list(names_in('"text": "one\\nWith two\\nVersionOf D:\\\\new_dir"')) == ["VersionOf", "new_dir"]
