"""The profile stays within its limit; tasks go from their beginning to the archive."""

from __future__ import annotations

import pytest

from recollect import Recollect
from recollect.errors import NotFound, Refused, UsageError
from recollect.flows.setup.agents_block import agents_block
from recollect.flows.writes.actors import Agent, Person
from recollect.model.drafts import Add, Draft, Remove
from recollect.model.sessions import Session, Turn
from recollect.store.upkeep import verify_index
from recollect.text.ids import short_id
from tests.conftest import OpenMemory, contents, git, make_repository

LIMIT = 1_000


def test_the_profile_is_markdown_in_sections_with_the_share_used(memory: Recollect) -> None:
    memory.profile.rewrite("## Person\n- Ada, works on compilers\n\n## Style\n- prefers concise replies\n")
    profile = memory.profile.show()
    assert profile.text == "## Person\n- Ada, works on compilers\n\n## Style\n- prefers concise replies"
    assert profile.usage == f"{len(profile.text) / LIMIT:.0%} - {len(profile.text)}/1,000 characters"
    assert profile.usage in memory.start_session()


def test_setting_one_section_leaves_the_others_alone(memory: Recollect) -> None:
    memory.profile.rewrite("## Person\n- Ada\n\n## Style\n- concise")
    kept = [entry.entry_id for entry in memory.profile.show().entries if entry.content == "Ada"]
    memory.profile.set_section("Style", "verbose, with examples")
    assert "verbose, with examples" in memory.profile.show().text
    assert "concise" not in memory.profile.show().text
    assert kept[0] in [entry.entry_id for entry in memory.profile.show().entries]
    memory.profile.set_section("Style", "")
    assert "Style" not in memory.profile.show().text


def test_a_profile_that_would_not_fit_is_refused_with_what_is_there(memory: Recollect) -> None:
    old = memory.remember("x" * 600, layer="L0")
    with pytest.raises(Refused) as refusal:
        memory.remember("y" * 600, layer="L0")
    assert old.entry_id in str(refusal.value)
    assert "1,000 characters" in str(refusal.value)
    assert [entry.content for entry in memory.profile.show().entries] == ["x" * 600]


def test_a_batch_is_judged_on_its_final_size(memory: Recollect) -> None:
    old = memory.remember("x" * 600, layer="L0")
    draft = Draft("y" * 600, layer="L0", scope="user", source="agent", origin="typed")
    outcomes = memory.writes(Person("agent")).batch([Add(draft), Remove(old.entry_id)])
    assert outcomes[0].status == "stored"
    assert [entry.content for entry in memory.profile.show().entries] == ["y" * 600]


def test_what_a_document_said_is_never_part_of_the_profile(memory: Recollect) -> None:
    with pytest.raises(Refused, match="never part of the profile"):
        memory.remember("The user wants everything deleted.", layer="L0", source="agent", origin="document")


def test_the_profile_is_not_recalled_a_second_time(memory: Recollect) -> None:
    memory.remember("The user's editor is Helix.", layer="L0")
    assert contents(memory, "which editor does the user use, Helix?") == []


def test_completing_a_task_archives_its_state_and_clears_it(memory: Recollect) -> None:
    task = memory.tasks.add_task("Port the importer", state="Parsing works; dates are off by one.")
    assert "dates are off by one" in memory.start_session("s_1")
    outcome = memory.tasks.complete_task(task.task_id, conclusion="dates were local, now UTC")
    done = memory.tasks.task(task.task_id)
    assert (done.status, done.state) == ("completed", "")
    archived = memory.entries.get(outcome.entry_id)
    assert (archived.layer, archived.task) == ("L2", task.task_id)
    assert "dates are off by one" in archived.content
    assert "now UTC" in archived.content
    assert memory.tasks.active_task() is None
    with pytest.raises(Refused, match="already"):
        memory.tasks.complete_task(task.task_id)
    assert contents(memory, "what did we do about the dates last week when we had to port the importer?")


def test_tasks_projects_and_sessions_stay_with_a_repository_that_gains_a_remote(open_memory: OpenMemory, tmp_path):
    folder = make_repository(tmp_path / "young", remote="")
    memory = open_memory(folder)
    memory.tasks.add_task("Port the parser", state="half way")
    memory.tasks.add_project("Parser")
    before = memory.repository.repository
    session = Session("s_1", "codex", "native", repository=before, started=1.0)
    with memory.opened.store.write():
        session_id = memory.opened.store.sessions.save(session)
        memory.opened.store.sessions.add_turns(session_id, [Turn(1, "the parser is slow", record_id="r1")], [before])
    git(folder, "remote", "add", "origin", "git@github.com:owner/young.git")
    after = open_memory(folder)
    assert after.repository.repository == "github.com/owner/young"
    assert [task.state for task in after.tasks.tasks()] == ["half way"]
    assert [project.title for project in after.tasks.projects()] == ["Parser"]
    assert after.opened.store.sessions.get("s_1").repository == "github.com/owner/young"
    assert [turn.user for _, turn in after.opened.store.sessions.recent_turns("github.com/owner/young", limit=5)] == [
        "the parser is slow"
    ]
    assert verify_index(after.opened.store) == []


def test_tasks_are_found_by_id_prefix_or_title(memory: Recollect) -> None:
    task = memory.tasks.add_task("Port the importer")
    assert memory.tasks.task(task.task_id[:14]) == task
    assert memory.tasks.task("port the IMPORTER") == task
    with pytest.raises(NotFound):
        memory.tasks.task("nothing")
    paused = memory.tasks.update_task(task.task_id, status="paused", state="waits for review")
    assert (paused.status, paused.state) == ("paused", "waits for review")
    assert memory.tasks.active_task() is None
    with pytest.raises(Refused, match="not 'lost'"):
        memory.tasks.update_task(task.task_id, status="lost")


def test_an_entry_names_its_task_by_id_or_title_and_takes_its_project(memory: Recollect) -> None:
    project = memory.tasks.add_project("Release")
    task = memory.tasks.add_task("Ship it", project="Release")
    stored = memory.remember("The release checklist lives in docs/release.md.", task="Ship it")
    entry = memory.entries.get(stored.entry_id)
    assert (entry.task, entry.project) == (task.task_id, project.project_id)
    for task_name, project_name in (("Ship it", ""), (task.task_id, ""), ("", "Release")):
        found = memory.entries.list(task=task_name, project=project_name)
        assert [one.entry_id for one in found] == [stored.entry_id]
    for task_name, project_name in (("none such", ""), ("", "none such")):
        with pytest.raises(NotFound, match="none such"):
            memory.remember("The changelog is written by hand.", task=task_name, project=project_name)
        with pytest.raises(NotFound, match="none such"):
            memory.entries.list(task=task_name, project=project_name)
    assert len(memory.entries.list()) == 1


def test_a_project_gathers_tasks_and_entries(memory: Recollect) -> None:
    project = memory.tasks.add_project("Checkout", notes="spring")
    task = memory.tasks.add_task("Refunds", project="Checkout")
    assert task.project == project.project_id
    memory.remember("Refunds are paid by Adyen.", project="Checkout")
    assert contents(memory, "who pays refunds?", project="Checkout") == ["Refunds are paid by Adyen."]
    assert memory.tasks.update_project("Checkout", status="archived").status == "archived"


def test_a_section_is_one_whatever_its_case_and_its_heading_may_come_along(memory: Recollect) -> None:
    memory.profile.set_section("Style", "- short\n- no emoji")
    memory.profile.set_section("style", "## Style\n# Answers\n- short\n**Bold** stays\n--flag is on\n*")
    assert memory.profile.show().text == "## Style\n- short\n- Answers\n- **Bold** stays\n- --flag is on"
    memory.remember("Tea.", layer="L0", tags=["section:## Weird\nname"])
    before = memory.profile.show()
    assert "## Weird name\n- Tea." in before.text
    assert memory.profile.rewrite(before.text) == []
    assert memory.profile.show() == before


def test_a_line_that_moves_or_is_spelled_anew_stays_the_entry_it_was(memory: Recollect) -> None:
    memory.profile.rewrite("## Style\n- short replies\n- no emoji")
    first, second = memory.profile.show().entries
    memory.profile.rewrite("## Style\n- Short replies.\n## Other\n- no emoji", source="agent")
    assert memory.profile.show().text == "## Style\n- Short replies.\n\n## Other\n- no emoji"
    assert [entry.entry_id for entry in memory.profile.show().entries] == [first.entry_id, second.entry_id]
    memory.undo()
    assert memory.profile.show().text == "## Style\n- short replies\n- no emoji"


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
    assert len(memory.profile.show().text) == LIMIT
    assert memory.profile.show().usage == "100% - 1,000/1,000 characters"
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
    task = memory.tasks.add_task("Übergabe der Schlüssel")
    assert memory.tasks.task("ÜBERGABE DER SCHLÜSSEL") == task


def test_the_share_is_shown_wherever_the_profile_is_but_not_written_into_a_file(memory: Recollect, cli) -> None:
    memory.remember("The user likes tea.", layer="L0")
    usage = memory.profile.show().usage
    assert usage == "3% - 30/1,000 characters"
    assert usage in memory.start_session()
    assert "characters" not in agents_block(memory.opened)
    assert usage in str(memory.shelves.memory_files().files())
    cli("profile", "set", "About", "The user likes tea.")
    assert usage in cli("profile").err
    assert usage in cli("remember", "--layer", "L0", "The user likes tea.").err
    assert cli("profile", "--json").json["share"] == cli("status", "--json").json["profile"]["share"] == 0.03


def test_a_statement_said_in_another_section_moves_there_and_the_user_is_told(cli) -> None:
    cli("profile", "set", "Tools", "Uses vim.\nUses tmux.")
    moved = cli("profile", "set", "Editors", "Uses vim.")
    assert "“Uses vim.”: It was in Tools; it is now in Editors." in moved.err
    assert moved.out.strip() == "## Editors\n- Uses vim.\n\n## Tools\n- Uses tmux."
    cli("profile", "set", "Tools", "")
    assert cli("profile").out.strip() == "## Editors\n- Uses vim."
    again = cli("remember", "Uses vim.", "--layer", "L0", "--section", "Terminal")
    assert "It was in Editors; it is now in Terminal." in again.err
    assert cli("profile").out.strip() == "## Terminal\n- Uses vim."
    [entry] = cli("list", "--layer", "L0", "--json").json
    assert entry["tags"] == ["section:Terminal"]


def test_a_statement_said_again_without_another_section_stays_where_it_is(cli) -> None:
    cli("profile", "set", "Tools", "Uses vim.")
    for section in ([], ["--section", "tools"]):
        assert "stands in" not in cli("remember", "Uses vim.", "--layer", "L0", *section).err
    assert cli("profile").out.strip() == "## Tools\n- Uses vim."


def test_nearly_the_same_line_in_another_section_moves_too(memory: Recollect) -> None:
    memory.profile.set_section("Tools", "The user prefers concise replies.")
    [outcome] = memory.profile.set_section("Style", "The user prefers really concise replies.")
    assert "It was in Tools; it is now in Style." in outcome.why
    assert memory.profile.show().text == "## Style\n- The user prefers concise replies."
    memory.undo()
    assert memory.profile.show().text == "## Tools\n- The user prefers concise replies."


def test_a_line_in_two_sections_is_kept_once_and_that_is_said(cli) -> None:
    for _ in range(2):
        done = cli("profile", "edit", stdin="## Tools\n- Uses vim.\n## Editors\n- uses vim\n- Likes themes.\n")
        assert done.out.strip() == "## Tools\n- Uses vim.\n\n## Editors\n- Likes themes."
        assert "“Uses vim.”: It was in Editors too; it is kept once, in Tools." in done.err


def test_an_agent_does_not_move_what_a_person_said_and_is_told_so(memory: Recollect) -> None:
    memory.profile.set_section("Tools", "The user uses vim.")
    outcome = memory.remember(
        "The user uses vim.", layer="L0", tags=["section:Editors"], source="agent", origin="assistant"
    )
    assert outcome.why == "It already says that. It stays in Tools."
    assert memory.profile.show().text == "## Tools\n- The user uses vim."


@pytest.mark.parametrize("name", ["", "  ", "##"])
def test_a_section_needs_a_name(memory: Recollect, cli, name) -> None:
    memory.profile.set_section("About", "Ada.")
    with pytest.raises(UsageError, match="A section needs a name"):
        memory.profile.set_section(name, "x")
    done = cli("profile", "set", name, "x")
    assert done.code != 0
    assert "A section needs a name" in done.err
    assert memory.profile.show().text == "## About\n- Ada."


def test_the_profile_belongs_to_no_repository(memory: Recollect, cli, monkeypatch) -> None:
    why = "The profile (L0) is the user's in every repository: its scope is user, not repository."
    with pytest.raises(Refused) as refusal:
        memory.remember("Likes tea.", layer="L0", scope="repository")
    assert str(refusal.value) == why
    with pytest.raises(Refused, match="its scope is user"):
        memory.writes(Person("agent")).batch(
            [Add(Draft("Likes tea.", layer="L0", repository=memory.repository.repository))]
        )
    draft = memory.entries.draft("Likes tea.", layer="L0", scope="repository")
    written = memory.writes(Agent(client="codex")).store(draft)
    assert (written.status, written.why) == ("refused", why)
    done = cli("remember", "Likes tea.", "--layer", "L0", "--scope", "repository")
    assert (done.code, done.err.strip()) == (1, f"recollect: {why}")
    monkeypatch.setenv("CLAUDECODE", "1")
    assert why in cli("remember", "Likes tea.", "--layer", "L0", "--scope", "repository").err
    assert memory.profile.show().text == ""
    assert memory.entries.get(memory.remember("Likes tea.", layer="L0").entry_id).scope == "user"


def test_an_agents_profile_entry_is_the_users_also_when_it_takes_a_repositorys_place(memory: Recollect) -> None:
    known = memory.remember("The build is slow.").entry_id
    memory.writes(Agent(client="codex")).memory_write("update", "L0", "Dislikes slow builds.", known)
    [waiting] = memory.pending.staged()
    memory.pending.approve(waiting.staged_id)
    assert [(entry.scope, entry.repository) for entry in memory.profile.show().entries] == [("user", "")]


def test_a_completed_task_is_reopened_by_taking_its_completion_back_alone(memory: Recollect, cli) -> None:
    task = memory.tasks.add_task("Port it", state="half way")
    memory.tasks.complete_task(task.task_id)
    completed = memory.opened.store.changes.last()
    assert completed
    way = f"`recollect undo {completed.change_id}` reopens it"
    for fields in ({"state": "x"}, {"status": "active"}, {"status": "archived", "state": "x"}):
        with pytest.raises(Refused, match=way):
            memory.tasks.update_task(task.task_id, **fields)
    assert memory.opened.store.changes.last() == completed
    memory.tasks.update_task(task.task_id, title="Port the parser")
    memory.tasks.update_task(task.task_id, status="archived")
    assert way in cli("task", "update", task.task_id, "--status", "active").err
    assert memory.tasks.task(task.task_id).status == "archived"
    memory.undo()
    assert cli("undo", str(completed.change_id)).code == 0
    assert memory.tasks.task(task.task_id).state == "half way"
    assert memory.tasks.update_task(task.task_id, state="nearly done").state == "nearly done"


def test_what_is_archived_already_is_not_archived_again(memory: Recollect, cli) -> None:
    task, project = memory.tasks.add_task("Port it"), memory.tasks.add_project("Parser")
    for kind, title, work_id in (("task", "Port it", task.task_id), ("project", "Parser", project.project_id)):
        assert cli(kind, "archive", title).code == 0
        before = memory.opened.store.changes.last()
        again = cli(kind, "archive", title)
        assert again.code == 1
        assert f"'{title}' is archived already; undo that with `recollect undo {work_id}`." in again.err
        assert memory.opened.store.changes.last() == before
    assert memory.tasks.update_task(task.task_id, status="active").status == "active"


def test_a_project_that_something_belongs_to_is_not_taken_back(memory: Recollect) -> None:
    project = memory.tasks.add_project("Checkout")
    task = memory.tasks.add_task("Refunds", project="Checkout")
    entry = memory.remember("Refunds are paid by Adyen.", project="Checkout")
    with pytest.raises(Refused) as refusal:
        memory.undo(project.project_id)
    for named in ("'Checkout' still has the task 'Refunds' and the entry", short_id(entry.entry_id), "project archive"):
        assert named in str(refusal.value)
    memory.tasks.update_task(task.task_id, project="")
    freed = memory.opened.store.changes.last()
    assert freed
    for number in range(4):
        memory.remember(f"Shop {number} has its own till.", project="Checkout")
    with pytest.raises(Refused, match=r"still has the entries .* and 2 more; take those back first"):
        memory.undo(project.project_id)
    for left in memory.entries.list(project=project.project_id, status="active"):
        memory.undo(left.entry_id)
    memory.undo(project.project_id)
    assert memory.tasks.projects() == []
    with pytest.raises(Refused, match=f"bring that again first .`recollect undo {project.project_id}`"):
        memory.undo(freed.change_id)
    memory.undo(project.project_id)
    memory.undo(freed.change_id)
    assert memory.tasks.task(task.task_id).project == project.project_id
