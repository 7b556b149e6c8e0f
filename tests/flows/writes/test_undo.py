"""Whatever somebody did can be taken back: entries, tasks and projects, each as it was."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect import Recollect
from recollect.errors import NotFound, Refused
from recollect.flows.upkeep.put_in_order import put_in_order
from recollect.flows.writes.actors import Person
from recollect.memory.exports import parse, to_json, to_markdown
from recollect.model.drafts import Draft, Update
from tests.conftest import Clock, OpenMemory


def last_change(memory: Recollect) -> str:
    [(number,)] = memory.opened.store.database.rows("SELECT max(change_id) FROM changes")
    return str(number)


def test_taking_back_a_completed_task_brings_its_state_back(memory: Recollect) -> None:
    task = memory.tasks.add_task("Port the parser", state="half way")
    archived = memory.tasks.complete_task(task.task_id, conclusion="done").entry_id
    undone = memory.undo()
    assert (undone.change.action, [entry.entry_id for entry in undone.entries]) == ("complete task", [archived])
    assert memory.tasks.task(task.task_id) == task
    assert memory.tasks.active_task() == task
    assert memory.entries.get(archived).status == "inactive"
    memory.undo(last_change(memory))
    assert (memory.tasks.task(task.task_id).status, memory.tasks.task(task.task_id).state) == ("completed", "")
    assert memory.entries.get(archived).status == "active"


def test_every_change_of_a_task_or_project_is_taken_back_in_turn(memory: Recollect, clock: Clock) -> None:
    kept = memory.remember("CI runs on Buildkite.").entry_id
    clock.pass_days(1)
    task = memory.tasks.add_task("Port the parser", state="first")
    clock.pass_days(1)
    memory.tasks.update_task(task.task_id, state="second", title="Port it")
    project = memory.tasks.add_project("Parser", notes="fast")
    memory.tasks.update_project(project.project_id, notes="faster")
    memory.tasks.update_task(task.task_id, status="archived")
    assert memory.undo().change.action == "archive task"
    assert memory.tasks.task(task.task_id).status == "active"
    assert memory.undo().work == [project]
    assert memory.undo().change.action == "add project"
    assert memory.tasks.projects() == []
    assert memory.undo().work == [task]
    memory.undo()
    assert memory.tasks.tasks() == []
    memory.undo()
    assert memory.entries.get(kept).status == "inactive"
    with pytest.raises(NotFound, match="nothing left to undo"):
        memory.undo()


def test_what_was_taken_back_can_be_brought_again_by_its_id_or_number(memory: Recollect) -> None:
    task = memory.tasks.add_task("Port the parser", state="first")
    memory.undo()
    assert memory.tasks.tasks() == []
    memory.undo(task.task_id[:12])
    assert memory.tasks.task(task.task_id) == task


def test_a_task_that_went_on_since_is_left_alone(memory: Recollect) -> None:
    task = memory.tasks.add_task("Port the parser", state="first")
    memory.tasks.update_task(task.task_id, state="second")
    number = last_change(memory)
    memory.tasks.update_task(task.task_id, state="third")
    with pytest.raises(Refused, match="changed again since"):
        memory.undo(number)
    assert memory.tasks.task(task.task_id).state == "third"


def test_an_undo_does_not_carry_the_profile_past_its_limit(memory: Recollect) -> None:
    long = memory.remember("a" * 450, layer="L0").entry_id
    memory.remember("b" * 450, layer="L0")
    memory.forget(long)
    memory.remember("c" * 450, layer="L0")
    with pytest.raises(Refused, match="of 1,000 characters"):
        memory.undo(long)
    assert memory.entries.get(long).status == "tombstone"
    assert len(memory.profile.show().text) <= 1_000


def test_upkeep_is_nobodys_last_change(memory: Recollect, clock: Clock) -> None:
    asleep = memory.remember("The linter is slow.", source="system", origin="assistant").entry_id
    mine = memory.remember("CI runs on Buildkite.").entry_id
    clock.pass_days(40)
    put_in_order(memory.opened)
    assert memory.entries.get(asleep).status == "inactive"
    assert [entry.entry_id for entry in memory.undo().entries] == [mine]
    memory.undo(asleep)
    assert memory.entries.get(asleep).status == "active"


@pytest.mark.parametrize("render", [to_json, to_markdown])
def test_the_trail_of_tasks_travels_with_an_export(memory: Recollect, open_memory: OpenMemory, render) -> None:
    task = memory.tasks.add_task("Port the parser", state="half way")
    memory.tasks.add_project("Never mind")
    memory.undo()
    memory.tasks.complete_task(task.task_id)
    document = memory.transfer.export()
    other = open_memory(home="other")
    other.transfer.load(parse(render(document)))
    assert other.transfer.export() == json.loads(to_json(document))
    assert other.transfer.load(parse(render(document))).entries == 0
    assert other.transfer.export() == json.loads(to_json(document))
    other.undo(task.task_id)
    assert other.tasks.task(task.task_id) == task


def test_erasing_what_a_task_left_in_the_archive_leaves_no_trace_in_its_trail(open_memory: OpenMemory, tmp_path):
    memory = open_memory()
    task = memory.tasks.add_task("Port the parser")
    memory.tasks.update_task(task.task_id, state="ask Ms Quillfeather")
    archived = memory.tasks.complete_task(task.task_id).entry_id
    memory.forget(archived, hard=True)
    assert "Quillfeather" not in json.dumps(memory.transfer.export())
    memory.close()
    for file in (tmp_path / "home").rglob("*"):
        if file.is_file():
            assert b"uillfeather" not in file.read_bytes(), file


def test_undo_tells_which_task_it_brought_back(cli) -> None:
    task = cli("task", "add", "Port the parser", "--state", "half way", "--json").json["id"]
    cli("task", "complete")
    done = cli("undo", "--json").json
    assert (done["action"], done["work"]) == (
        "complete task",
        [{"id": task, "status": "active", "title": "Port the parser"}],
    )
    assert cli("task", "show", "--json").json["state"] == "half way"
    assert "is active: “Port the parser”" in cli("undo", task).err + cli("undo", task).err


def test_a_correction_that_was_corrected_again_is_not_taken_back_from_under_it(memory: Recollect) -> None:
    first = memory.remember("The port is 1000.").entry_id
    second = memory.correct("The port is 2000.").entry_id
    third = memory.correct("The port is 3000.").entry_id
    change = memory.entries.show(second).history[0].change.change_id
    with pytest.raises(Refused, match="changed again since"):
        memory.undo(str(change))
    assert [entry.content for entry in memory.entries.show(first).chain] == [
        "The port is 1000.",
        "The port is 2000.",
        "The port is 3000.",
    ]
    memory.undo()
    memory.undo()
    assert [memory.entries.get(one).status for one in (first, second, third)] == ["active", "inactive", "inactive"]


def test_what_comes_back_beside_its_opposite_is_a_conflict(memory: Recollect) -> None:
    tabs = memory.remember("We indent with tabs.").entry_id
    memory.correct("We indent with spaces.")
    memory.restore(tabs)
    assert [(a.content, b.content) for a, b in memory.entries.conflicts()] == [
        ("We indent with spaces.", "We indent with tabs.")
    ]
    memory.forget(tabs)
    assert memory.entries.conflicts() == []
    memory.undo()
    assert len(memory.entries.conflicts()) == 1


def test_an_entry_is_retired_once(memory: Recollect) -> None:
    entry_id = memory.remember("We indent with tabs.").entry_id
    memory.forget(entry_id)
    with pytest.raises(Refused, match="retired already"):
        memory.forget(entry_id)
    assert [step.change.action for step in memory.entries.show(entry_id).history] == ["remember", "forget"]


def test_an_entry_edited_into_what_another_says_joins_it(memory: Recollect) -> None:
    known = memory.remember("CI runs on Buildkite.").entry_id
    other = memory.remember("Releases are cut on Mondays.").entry_id
    outcome = memory.edit(other, text="CI runs on Buildkite")
    assert (outcome.status, outcome.entry_id, outcome.superseded) == ("duplicate", known, (other,))
    assert memory.entries.get(other).superseded_by == known
    memory.undo()
    assert memory.entries.get(other).status == "active"


def test_an_entry_edited_into_a_contradiction_is_a_conflict(memory: Recollect) -> None:
    memory.remember("The timeout is 30s.")
    other = memory.remember("Releases are cut on Mondays.").entry_id
    assert memory.edit(other, text="The timeout is 40s.").conflicts
    assert len(memory.entries.conflicts()) == 1


def test_an_update_that_names_another_layer_moves_the_entry(memory: Recollect) -> None:
    old = memory.remember("The user likes tea.", layer="L0").entry_id
    [outcome] = memory.writes(Person()).batch([Update(old, Draft("The user likes tea.", layer="L1", scope="user"))])
    assert memory.entries.get(outcome.entry_id).layer == "L1"
    assert memory.entries.get(old).superseded_by == outcome.entry_id
    assert memory.profile.show().text == ""


def test_a_subject_that_was_guessed_from_what_is_wrong_does_not_stay(memory: Recollect) -> None:
    short = memory.remember("The user prefers short replies.", scope="user").entry_id
    assert memory.entries.get(short).subject == "short replies"
    long = memory.correct("The user prefers long replies.").entry_id
    assert memory.entries.get(long).subject == "long replies"
    edited = memory.edit(long, text="The user prefers replies with examples.").entry_id
    assert memory.entries.get(edited).subject == "replies"
    named = memory.remember("All of it goes to Heroku.", subject="deploy target").entry_id
    assert memory.entries.get(memory.edit(named, text="All of it goes to Render.").entry_id).subject == "deploy target"


FACTS = (
    "The port is 1000.",
    "The port is 2000.",
    "We indent with tabs.",
    "We indent with spaces.",
    "CI runs on Travis.",
)
DEEDS = ("remember", "correct", "edit", "tag", "vote", "forget", "restore", "task", "state", "complete", "profile")


def _do(memory: Recollect, deed: str, text: str, at: int) -> None:
    entries = [entry.entry_id for entry in memory.entries.list(everywhere=True, status="any")]
    tasks = [task.task_id for task in memory.tasks.tasks()]
    entry_id = entries[at % len(entries)] if entries else ""
    task_id = tasks[at % len(tasks)] if tasks else ""
    match deed:
        case "remember":
            memory.remember(text, source="agent" if at % 2 else "user", origin="assistant" if at % 2 else "typed")
        case "correct":
            memory.correct(text)
        case "profile":
            memory.profile.set_section("AB"[at % 2], text * (at % 3))
        case "task":
            memory.tasks.add_task(text)
        case "state" if task_id:
            memory.tasks.update_task(task_id, state=text)
        case "complete" if task_id:
            memory.tasks.complete_task(task_id)
        case "edit" | "tag" if entry_id:
            memory.edit(entry_id, **({"text": text} if deed == "edit" else {"tags": [str(at)]}))
        case "vote" if entry_id:
            memory.vote(entry_id, ("up", "down")[at % 2], "why not")
        case "forget" | "restore" if entry_id:
            (memory.forget if deed == "forget" else memory.restore)(entry_id)


def _state(memory: Recollect, known: set[str]) -> object:
    entries = [
        entry._replace(updated=0.0)
        for entry in memory.entries.list(everywhere=True, status="any")
        if not known or entry.entry_id in known
    ]
    return entries, memory.tasks.tasks(), memory.profile.show().text


@given(st.lists(st.tuples(st.sampled_from(DEEDS), st.sampled_from(FACTS), st.integers(0, 9)), max_size=12))
@settings(deadline=None, max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_taking_back_change_after_change_leaves_everything_as_it_was(tmp_path_factory, deeds) -> None:
    folder = tmp_path_factory.mktemp("deeds")
    with Recollect.open(str(folder / "home"), folder=str(folder), environ={"HOME": str(folder)}) as memory:
        before: list[tuple[set[str], object]] = []
        for deed in deeds:
            number = last_change(memory)
            known = {entry.entry_id for entry in memory.entries.list(everywhere=True, status="any")}
            state = _state(memory, known)
            with contextlib.suppress(Refused):
                _do(memory, *deed)
            if last_change(memory) != number:
                before.append((known, state))
        while before:
            known, state = before.pop()
            memory.undo()
            if known:
                assert _state(memory, known) == state
        with pytest.raises(NotFound):
            memory.undo()


def test_what_was_erased_is_passed_over(memory: Recollect) -> None:
    first = memory.remember("The port is 1000.").entry_id
    memory.forget(memory.remember("The host is called heron.").entry_id, hard=True)
    second = memory.remember("The queue is called kiwi.").entry_id
    third = memory.edit(
        memory.correct("The queue is called mango.", entry_id=second).entry_id, text="No queue is left."
    )
    memory.forget(third.entry_id, hard=True)
    with pytest.raises(Refused, match="`recollect undo 1`"):
        memory.undo()  # an erasure is the last thing done, and nobody wants the one before it taken back unasked
    memory.undo(1)
    assert memory.entries.get(first).status == "inactive"
    with pytest.raises(NotFound, match="nothing left to undo"):
        memory.undo()


def test_an_entry_that_was_brought_back_is_not_taken_away_from_under_that(memory: Recollect) -> None:
    first = memory.remember("The port is 1000.").entry_id
    memory.correct("The port is 2000.", entry_id=first)
    memory.restore(first)
    added = memory.entries.show(first).history[0].change.change_id
    with pytest.raises(Refused, match="`recollect undo 3`"):
        memory.undo(str(added))
    for _ in range(3):
        memory.undo()
    assert [entry.status for entry in memory.entries.list(status="any")] == ["inactive", "inactive"]


def test_after_a_load_it_is_the_load_that_is_undone_and_then_what_was_done_before_it(
    memory: Recollect, open_memory: OpenMemory, clock: Clock
) -> None:
    loaded = memory.remember("The port is 1000.").entry_id
    document = memory.transfer.export()
    clock.now += 60
    other = open_memory(home="other")
    mine = other.remember("The queue is called kiwi.").entry_id
    other.transfer.load(document)
    other.undo()
    assert [other.entries.get(one).status for one in (loaded, mine)] == ["inactive", "active"]
    other.undo()
    assert other.entries.get(mine).status == "inactive"
