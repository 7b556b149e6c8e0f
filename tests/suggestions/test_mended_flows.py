"""What a file, a clone or an agent does to a suggestion between its making and its applying."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Recollect
from recollect.autonomous.keeping import Baseline, mark
from recollect.autonomous.skills import Skill
from recollect.doors.cli.printing.suggestions import print_applied
from recollect.doors.cli.printing.ups import Place, print_up
from recollect.doors.cli.suggest import _applied
from recollect.errors import Refused
from recollect.files import artifacts
from recollect.flows.setup.up import bring_in, told
from recollect.flows.suggestions.applying import NeedsReview, Written
from recollect.flows.suggestions.suggestion_list import is_plain
from tests.conftest import OpenMemory, git

PNPM = "Use pnpm for installing packages."
NPM = "- Use npm for installing packages.\n"
AGENTS = "# App\n\n## Conventions\n\n- Keep functions short.\n"


@pytest.fixture
def app(tmp_path: Path) -> Path:
    return make_app(tmp_path / "app", {"AGENTS.md": AGENTS})


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    return make_app(tmp_path / "bare", {"main.c": "int main;\n"})


def make_app(folder: Path, files: dict[str, str]) -> Path:
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    git(folder, "remote", "add", "origin", "git@github.com:owner/app.git")
    for path, text in files.items():
        (folder / path).write_text(text)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "as it is")
    return folder


def learn(memory: Recollect, *texts: str) -> None:
    for text in texts:
        memory.remember(text, scope="repository", confidence=0.95)


def test_a_change_that_nobody_saw_is_not_written(open_memory: OpenMemory, app: Path) -> None:
    memory = open_memory(app)
    learn(memory, PNPM)
    [one] = memory.suggestions.reconcile().added
    assert one.action == "add"
    (app / "AGENTS.md").write_text(AGENTS + NPM)
    outcome = memory.suggestions.apply(one.suggestion_id)
    assert isinstance(outcome, NeedsReview)
    assert (app / "AGENTS.md").read_text() == AGENTS + NPM
    shown = memory.suggestions.get(one.suggestion_id)
    assert (shown.status, shown.action, f"-{NPM}" in memory.suggestions.diff(shown)) == (
        "needs_review", "conflict", True,
    )  # fmt: skip
    assert isinstance(memory.suggestions.apply(one.suggestion_id), Written), "once it was shown, a person may apply it"


def test_what_became_a_conflict_is_not_applied_with_others(open_memory: OpenMemory, app: Path) -> None:
    memory = open_memory(app)
    learn(memory, PNPM)
    [one] = memory.suggestions.reconcile().added
    (app / "AGENTS.md").write_text(AGENTS + NPM)
    memory.suggestions.reconcile()
    again = memory.suggestions.get(one.suggestion_id)
    assert again.action == "conflict"
    assert not is_plain(again)


@pytest.mark.parametrize("kind", ["folder", "bytes"])
def test_a_target_that_cannot_be_read_needs_a_review(open_memory: OpenMemory, bare: Path, kind: str) -> None:
    memory = open_memory(bare)
    learn(memory, PNPM)
    [one] = memory.suggestions.reconcile().added
    target = bare / one.target
    target.mkdir() if kind == "folder" else target.write_bytes(b"\xff\xfe\x00")
    memory.suggestions.reconcile()
    again = memory.suggestions.get(one.suggestion_id)
    assert (again.status, again.note) == ("needs_review", "what is there now cannot be read as text")


def test_a_suggestion_of_a_worktree_is_applied_where_the_person_is(
    open_memory: OpenMemory, app: Path, tmp_path: Path
) -> None:
    git(app, "worktree", "add", "-q", "-b", "feature", str(tmp_path / "feature"))
    there, here = open_memory(tmp_path / "feature"), open_memory(app)
    learn(there, PNPM)
    [one] = there.suggestions.reconcile().added
    outcome = here.suggestions.apply(one.suggestion_id)
    assert isinstance(outcome, Written)
    assert Path(outcome.path) == app / "AGENTS.md"
    assert (tmp_path / "feature/AGENTS.md").read_text() == AGENTS


def test_a_worktree_that_is_gone_is_not_made_again(open_memory: OpenMemory, app: Path, tmp_path: Path) -> None:
    git(app, "worktree", "add", "-q", "-b", "feature", str(tmp_path / "feature"))
    there, here = open_memory(tmp_path / "feature"), open_memory(app)
    learn(there, PNPM)
    [one] = there.suggestions.reconcile().added
    git(app, "worktree", "remove", str(tmp_path / "feature"))
    with pytest.raises(Refused, match="is gone; nothing was written"):
        there.suggestions.apply(one.suggestion_id)
    here.suggestions.reconcile()
    assert here.suggestions.get(one.suggestion_id).root == str(app)
    assert isinstance(here.suggestions.apply(one.suggestion_id), Written)
    assert not (tmp_path / "feature").exists()


def test_an_agent_decides_nothing_through_python(open_memory: OpenMemory, app: Path) -> None:
    person, agent = open_memory(app), open_memory(app, CLAUDECODE="1")
    learn(person, PNPM)
    [one] = person.suggestions.reconcile().added
    for decide in (agent.suggestions.apply, agent.suggestions.dismiss, agent.suggestions.undo):
        with pytest.raises(Refused, match="needs a person"):
            decide(one.suggestion_id)
    with pytest.raises(Refused, match="needs a person"):
        agent.suggestions.edit(one.suggestion_id, text="Use yarn.")
    assert person.suggestions.get(one.suggestion_id) == one
    assert (app / "AGENTS.md").read_text() == AGENTS


def test_a_new_file_is_put_into_other_words(open_memory: OpenMemory, bare: Path) -> None:
    memory = open_memory(bare)
    learn(memory, "We use pnpm for installing packages.")
    [one] = memory.suggestions.reconcile().added
    assert one.action == "create"
    for text in ("Use yarn for packages.", "Use bun for packages."):
        fresh = memory.suggestions.edit(one.suggestion_id, text=text)
        assert fresh.after == f"# AGENTS.md\n\n## Conventions\n\n- {text}\n"


def test_a_new_file_with_several_facts_is_edited_as_a_file(open_memory: OpenMemory, bare: Path) -> None:
    memory = open_memory(bare)
    learn(memory, PNPM, "Tests run with `make check`.")
    [one] = memory.suggestions.reconcile().added
    with pytest.raises(Refused, match="Edit the file itself"):
        memory.suggestions.edit(one.suggestion_id, text="Use yarn for packages.")
    assert memory.suggestions.get(one.suggestion_id) == one


def test_one_that_cannot_be_written_does_not_hide_what_was(
    open_memory: OpenMemory, app: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    memory = open_memory(app)
    learn(memory, PNPM)
    [one] = memory.suggestions.reconcile().added
    memory.suggestions.apply(one.suggestion_id)
    outcome = _applied(one, memory, away=True, alone=False)
    print_applied([outcome])
    assert f"AGENTS.md was not written: {one.suggestion_id} was applied already. See" in capsys.readouterr().err
    with pytest.raises(Refused):
        _applied(one, memory, away=True, alone=True)


def test_an_undo_names_the_suggestion_to_undo_first(open_memory: OpenMemory, app: Path) -> None:
    memory = open_memory(app)
    learn(memory, PNPM, "Commit subjects are written in lower case.", "Log messages name the request.")
    names = [one.suggestion_id for one in memory.suggestions.reconcile().added]
    for name in names:
        assert isinstance(memory.suggestions.apply(name), Written)
    with pytest.raises(Refused, match=f"undo {names[-1]} first"):
        memory.suggestions.undo(names[1])
    for name in reversed(names):
        memory.suggestions.undo(name)
    assert (app / "AGENTS.md").read_text() == AGENTS


def test_a_dismissed_new_file_does_not_come_back_with_another_fact(open_memory: OpenMemory, bare: Path) -> None:
    memory = open_memory(bare)
    learn(memory, PNPM)
    [one] = memory.suggestions.reconcile().added
    memory.suggestions.dismiss(one.suggestion_id)
    learn(memory, "Tests run with `make check`.")
    assert [made.fact for made in memory.suggestions.reconcile().added] == ["Tests run with `make check`."]


def test_a_workflow_that_succeeded_twice_becomes_the_suggestion_of_a_skill(open_memory: OpenMemory, app: Path) -> None:
    memory = open_memory(app)
    skill = Skill("commit-a-change", "Check and commit a change", "# Commit\n\n1. `make lint`\n2. `git commit`\n")
    own = Skill("mine", "What somebody wrote", "1. `rm -rf build`\n")
    baseline = Baseline(skills={skill.name: mark(skill.text())})
    files = {f"skills/{one.name}/SKILL.md": one.text() for one in (skill, own)}
    project = artifacts.project_folder(memory.home.projects, memory.opened.repository.repository)
    artifacts.publish(project, artifacts.stage(project, {**files, artifacts.BASELINE: baseline.text()}))
    [one] = memory.suggestions.reconcile().added
    assert (one.target_type, one.action, one.target) == ("skill", "create", ".agents/skills/commit-a-change/SKILL.md")
    assert "1. `make lint`\n2. `git commit`\n" in one.after
    assert memory.suggestions.reconcile().added == (), "a second run proposes nothing new"
    assert memory.suggestions.pending_count() == 1, "and it still waits"
    memory.suggestions.apply(one.suggestion_id)
    assert (app / one.target).read_text() == one.after
    memory.suggestions.undo(one.suggestion_id)
    assert not (app / ".agents").exists(), "a created file goes away with its folders when it is taken back"
    memory.suggestions.dismiss(one.suggestion_id)
    changed = Skill(skill.name, "Another description of it", skill.body)
    baseline = Baseline(skills={skill.name: mark(changed.text())})
    files = {f"skills/{skill.name}/SKILL.md": changed.text(), artifacts.BASELINE: baseline.text()}
    artifacts.publish(project, artifacts.stage(project, files))
    assert memory.suggestions.reconcile().added == (), "dismissed is dismissed, in other words too"


def test_suggestions_are_exported_and_come_back_decided_ones_too(open_memory: OpenMemory, app: Path) -> None:
    memory = open_memory(app)
    learn(memory, PNPM, "Run `make lint` before pushing.")
    waits, dismissed = memory.suggestions.reconcile().added
    memory.suggestions.dismiss(dismissed.suggestion_id)
    document = memory.transfer.export()
    assert {one["id"]: one["status"] for one in document["suggestions"]} == {
        waits.suggestion_id: "pending",
        dismissed.suggestion_id: "dismissed",
    }
    other = open_memory(app, home="other")
    other.transfer.load(document, mine=True)
    assert other.transfer.export()["suggestions"] == document["suggestions"]
    assert other.suggestions.reconcile().added == (), "what was dismissed there is not suggested here"
    stranger = open_memory(app, home="stranger")
    stranger.transfer.load(document, mine=False)
    assert stranger.transfer.export()["suggestions"] == []


@pytest.mark.parametrize(("mode", "waiting"), [("occasional", 1), ("off", 0)])
def test_up_makes_suggestions_and_counts_what_waits(
    open_memory: OpenMemory, app: Path, capsys: pytest.CaptureFixture[str], mode: str, waiting: int
) -> None:
    memory = open_memory(app, RECOLLECT_SUGGESTIONS__MODE=mode)
    learn(memory, PNPM)
    brought = bring_in(memory.sessions, memory.opened, paths=(), say_found=lambda _: None, progress=lambda *_: None)
    done = told(brought, [], memory.opened)
    assert done.suggestions == waiting
    print_up(done, Place("", "", connectable=False, keeps_terminal=False), named=str)
    assert ("1 suggestion for your agents' files" in capsys.readouterr().out) is bool(waiting)
