"""The profile stays within its limit; tasks go from their beginning to the archive."""

from __future__ import annotations

import pytest

from recollect import Recollect
from recollect.errors import NotFound, Refused
from recollect.model.drafts import Add, Draft, Remove
from recollect.model.sessions import Session, Turn
from recollect.store.upkeep import verify_index
from tests.conftest import OpenMemory, contents, git, make_repository

LIMIT = 1_000


def test_the_profile_is_markdown_in_sections_with_the_share_used(memory: Recollect) -> None:
    memory.set_profile("## Person\n- Ada, works on compilers\n\n## Style\n- prefers concise replies\n")
    profile = memory.profile()
    assert profile.text == "## Person\n- Ada, works on compilers\n\n## Style\n- prefers concise replies"
    assert profile.usage == f"{len(profile.text) / LIMIT:.0%} - {len(profile.text)}/1,000 characters"
    assert profile.usage in memory.start_session()


def test_setting_one_section_leaves_the_others_alone(memory: Recollect) -> None:
    memory.set_profile("## Person\n- Ada\n\n## Style\n- concise")
    kept = [entry.entry_id for entry in memory.profile().entries if entry.content == "Ada"]
    memory.set_profile_section("Style", "verbose, with examples")
    assert "verbose, with examples" in memory.profile().text
    assert "concise" not in memory.profile().text
    assert kept[0] in [entry.entry_id for entry in memory.profile().entries]
    memory.set_profile_section("Style", "")
    assert "Style" not in memory.profile().text


def test_a_profile_that_would_not_fit_is_refused_with_what_is_there(memory: Recollect) -> None:
    old = memory.remember("x" * 600, layer="L0")
    with pytest.raises(Refused) as refusal:
        memory.remember("y" * 600, layer="L0")
    assert old.entry_id in str(refusal.value)
    assert "1,000 characters" in str(refusal.value)
    assert [entry.content for entry in memory.profile().entries] == ["x" * 600]


def test_a_batch_is_judged_on_its_final_size(memory: Recollect) -> None:
    old = memory.remember("x" * 600, layer="L0")
    draft = Draft("y" * 600, layer="L0", scope="user", source="agent", origin="typed")
    outcomes = memory.write([Add(draft), Remove(old.entry_id)])
    assert outcomes[0].status == "stored"
    assert [entry.content for entry in memory.profile().entries] == ["y" * 600]


def test_what_a_document_said_is_never_part_of_the_profile(memory: Recollect) -> None:
    with pytest.raises(Refused, match="never part of the profile"):
        memory.remember("The user wants everything deleted.", layer="L0", source="agent", origin="document")


def test_the_profile_is_not_recalled_a_second_time(memory: Recollect) -> None:
    memory.remember("The user's editor is Helix.", layer="L0")
    assert contents(memory, "which editor does the user use, Helix?") == []


def test_completing_a_task_archives_its_state_and_clears_it(memory: Recollect) -> None:
    task = memory.work.add_task("Port the importer", state="Parsing works; dates are off by one.")
    assert "dates are off by one" in memory.start_session("s_1")
    outcome = memory.work.complete_task(task.task_id, conclusion="dates were local, now UTC")
    done = memory.work.task(task.task_id)
    assert (done.status, done.state) == ("completed", "")
    archived = memory.get(outcome.entry_id)
    assert (archived.layer, archived.task) == ("L2", task.task_id)
    assert "dates are off by one" in archived.content
    assert "now UTC" in archived.content
    assert memory.work.active_task() is None
    with pytest.raises(Refused, match="already"):
        memory.work.complete_task(task.task_id)
    assert contents(memory, "what did we do about the dates last week when we had to port the importer?")


def test_tasks_projects_and_sessions_stay_with_a_repository_that_gains_a_remote(open_memory: OpenMemory, tmp_path):
    folder = make_repository(tmp_path / "young", remote="")
    memory = open_memory(folder)
    memory.work.add_task("Port the parser", state="half way")
    memory.work.add_project("Parser")
    before = memory.repository.repository
    session = Session("s_1", "codex", "native", repository=before, started=1.0)
    with memory.store.write():
        row, _ = memory.store.sessions.save(session)
        memory.store.sessions.add_turns(row, [Turn(1, "the parser is slow", record_id="r1")], [before])
    git(folder, "remote", "add", "origin", "git@github.com:owner/young.git")
    after = open_memory(folder)
    assert after.repository.repository == "github.com/owner/young"
    assert [task.state for task in after.work.tasks()] == ["half way"]
    assert [project.title for project in after.work.projects()] == ["Parser"]
    assert after.store.sessions.get("s_1")[1].repository == "github.com/owner/young"
    assert [turn.user for turn in after.store.sessions.recent_turns("github.com/owner/young", limit=5)] == [
        "the parser is slow"
    ]
    assert verify_index(after.store) == []


def test_tasks_are_found_by_id_prefix_or_title(memory: Recollect) -> None:
    task = memory.work.add_task("Port the importer")
    assert memory.work.task(task.task_id[:14]) == task
    assert memory.work.task("port the IMPORTER") == task
    with pytest.raises(NotFound):
        memory.work.task("nothing")
    paused = memory.work.update_task(task.task_id, status="paused", state="waits for review")
    assert (paused.status, paused.state) == ("paused", "waits for review")
    assert memory.work.active_task() is None
    with pytest.raises(Refused, match="not 'lost'"):
        memory.work.update_task(task.task_id, status="lost")


def test_a_project_gathers_tasks_and_entries(memory: Recollect) -> None:
    project = memory.work.add_project("Checkout", notes="spring")
    task = memory.work.add_task("Refunds", project="Checkout")
    assert task.project == project.project_id
    memory.remember("Refunds are paid by Adyen.", project="Checkout")
    assert contents(memory, "who pays refunds?", project="Checkout") == ["Refunds are paid by Adyen."]
    assert memory.work.update_project("Checkout", status="archived").status == "archived"


def test_a_section_is_one_whatever_its_case_and_its_heading_may_come_along(memory: Recollect) -> None:
    memory.set_profile_section("Style", "- short\n- no emoji")
    memory.set_profile_section("style", "## Style\n# Answers\n- short\n**Bold** stays\n--flag is on\n*")
    assert memory.profile().text == "## Style\n- short\n- Answers\n- **Bold** stays\n- --flag is on"
    memory.remember("Tea.", layer="L0", tags=["section:## Weird\nname"])
    before = memory.profile()
    assert "## Weird name\n- Tea." in before.text
    assert memory.set_profile(before.text) == []
    assert memory.profile() == before


def test_a_line_that_moves_or_is_spelled_anew_stays_the_entry_it_was(memory: Recollect) -> None:
    memory.set_profile("## Style\n- short replies\n- no emoji")
    first, second = memory.profile().entries
    memory.set_profile("## Style\n- Short replies.\n## Other\n- no emoji", source="agent")
    assert memory.profile().text == "## Style\n- Short replies.\n\n## Other\n- no emoji"
    assert [entry.entry_id for entry in memory.profile().entries] == [first.entry_id, second.entry_id]
    memory.undo()
    assert memory.profile().text == "## Style\n- short replies\n- no emoji"


def test_a_refused_profile_lists_every_entry_and_marks_the_new_one(cli) -> None:
    for number in range(20):
        assert cli("remember", "--layer", "L0", f"Fact number {number} is {'x' * 20}.").code == 0
    done = cli("remember", "--layer", "L0", "y" * 400)
    assert done.code == 1
    for number in range(20):
        assert f"Fact number {number} is" in done.err
    assert "(new)  yyy" in done.err
    assert "of 1,000 characters; nothing was changed" in done.err


@pytest.mark.parametrize("letter", ["é", "日", "🦊"])
def test_the_limit_counts_characters_in_any_script(memory: Recollect, letter) -> None:
    frame = len("## About\n- ")
    memory.remember(letter * (LIMIT - frame), layer="L0")
    assert len(memory.profile().text) == LIMIT
    assert memory.profile().usage == "100% - 1,000/1,000 characters"
    with pytest.raises(Refused, match="of 1,000 characters"):
        memory.remember("x", layer="L0")


def test_the_chain_of_versions_is_shown_also_in_a_pipe(cli) -> None:
    first = cli("remember", "The port is 1000.", "--json").json["id"]
    second = cli("correct", "The port is 2000.", "--json").json["id"]
    assert [(one["id"], one["status"]) for one in cli("show", first, "--json").json["chain"]] == [
        (first, "superseded"),
        (second, "active"),
    ]
    assert f"version: {second} active The port is 2000." in cli("show", first).out


def test_a_title_is_found_in_any_case_of_any_alphabet(memory: Recollect) -> None:
    task = memory.work.add_task("Übergabe der Schlüssel")
    assert memory.work.task("ÜBERGABE DER SCHLÜSSEL") == task


def test_the_share_is_shown_wherever_the_profile_is(memory: Recollect, cli) -> None:
    memory.remember("The user likes tea.", layer="L0")
    usage = memory.profile().usage
    assert usage == "3% - 30/1,000 characters"
    assert usage in memory.start_session()
    assert usage in memory.agents_block()
    assert usage in str(memory.memory_files().files())
    cli("profile", "set", "About", "The user likes tea.")
    assert usage in cli("profile").err
    assert usage in cli("remember", "--layer", "L0", "The user likes tea.").err
    assert cli("profile", "--json").json["share"] == cli("status", "--json").json["profile"]["share"] == 0.03
