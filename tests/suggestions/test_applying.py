"""From facts to reviewed edits: reconciled, applied, taken back; promise 9."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Recollect
from recollect.errors import Refused
from recollect.flows.suggestions.applying import NeedsReview, Written
from recollect.suggestions.customizations import problems_of
from recollect.suggestions.diffs import unified
from tests.conftest import OpenMemory, git
from tests.suggestions.golden_cases import CASES, GoldenCase, normal
from tests.suggestions.repositories import learn, make_case, tree

NAMES = [case.name for case in CASES]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    return tmp_path / "app"


def opened(name: str, open_memory: OpenMemory, repository: Path, tmp_path: Path) -> tuple[GoldenCase, Recollect]:
    (tmp_path / "user").mkdir(exist_ok=True)
    case = make_case(name, repository, tmp_path / "user")
    return case, open_memory(repository)


@pytest.mark.parametrize("name", NAMES)
def test_promise_9_what_was_learned_becomes_a_reviewed_diff_with_undo(name, open_memory, repository, tmp_path) -> None:
    case, memory = opened(name, open_memory, repository, tmp_path)
    learn(memory, case)
    before = {**tree(repository), **tree(tmp_path / "user")}
    done = memory.suggestions.reconcile()
    assert {**tree(repository), **tree(tmp_path / "user")} == before, "a reconcile writes to no file"
    expected = [one.expected.diff for one in case.facts if one.expected] + [one.diff for one in case.lint]
    found = [normal(unified(one.target, one.before, one.after, context=1)) for one in done.added]
    # Facts of one case may contradict or repeat one another once they are all known; nearly all come as written.
    assert len(set(found) & set(expected)) >= 0.8 * len(found)
    for one in done.added:
        outcome = memory.suggestions.apply(one.suggestion_id)
        assert isinstance(outcome, Written), outcome
        text = Path(outcome.path).read_bytes().decode()
        assert text == outcome.suggestion.after
        assert not problems_of(one.target, text)
        memory.suggestions.undo(one.suggestion_id)
        assert {**tree(repository), **tree(tmp_path / "user")} == before


@pytest.mark.parametrize("name", NAMES)
def test_a_second_reconcile_proposes_nothing_new_before_and_after_applying(
    name, open_memory, repository, tmp_path
) -> None:
    case, memory = opened(name, open_memory, repository, tmp_path)
    learn(memory, case)
    first = memory.suggestions.reconcile().added
    again = memory.suggestions.reconcile()
    assert (again.added, again.withdrawn) == ((), 0)
    for one in first:
        memory.suggestions.apply(one.suggestion_id)
    assert memory.suggestions.reconcile().added == ()
    left = memory.suggestions.list()
    assert all(one.status == "needs_review" for one in left), [(one.fact, one.status) for one in left]


def test_all_suggestions_of_one_file_apply_one_after_the_other(open_memory, repository, tmp_path) -> None:
    case, memory = opened("web", open_memory, repository, tmp_path)
    learn(memory, case)
    memory.suggestions.reconcile()
    for one in memory.suggestions.list():
        assert isinstance(memory.suggestions.apply(one.suggestion_id), Written), one
    text = (repository / ".github/copilot-instructions.md").read_text()
    for line in ("- Prefer async/await over Promise.then().", "- Retries are configured in `src/api/retry.ts`."):
        assert text.count(line) == 1


def test_a_file_edited_after_the_proposal_is_merged_where_the_lines_are_apart(
    open_memory, repository, tmp_path
) -> None:
    case, memory = opened("web", open_memory, repository, tmp_path)
    learn(memory, case, only="Retries")
    [one] = memory.suggestions.reconcile().added
    target = repository / one.target
    target.write_text(target.read_text().replace("# Shopfront\n", "# The shopfront\n"))
    assert isinstance(memory.suggestions.apply(one.suggestion_id), Written)
    text = target.read_text()
    assert text.startswith("# The shopfront\n")
    assert "- Retries are configured" in text


def test_a_file_edited_in_the_same_place_needs_a_review_and_is_left_alone(open_memory, repository, tmp_path) -> None:
    case, memory = opened("web", open_memory, repository, tmp_path)
    learn(memory, case, only="with the retry of")
    [one] = memory.suggestions.reconcile().added
    memory.suggestions.edit(one.suggestion_id, text="All requests go through `src/api/client.ts`, with retries.")
    target = repository / one.target
    target.write_text(target.read_text().replace("All requests go through", "Every request goes through"))
    before = target.read_bytes()
    outcome = memory.suggestions.apply(one.suggestion_id)
    assert isinstance(outcome, NeedsReview)
    assert target.read_bytes() == before
    assert memory.suggestions.get(one.suggestion_id).status == "needs_review"


def test_taking_one_back_leaves_what_was_applied_after_it(open_memory, repository, tmp_path) -> None:
    case, memory = opened("web", open_memory, repository, tmp_path)
    learn(memory, case, only="Retries")
    learn(memory, case, only="async/await")
    first, second = memory.suggestions.reconcile().added
    memory.suggestions.apply(first.suggestion_id)
    memory.suggestions.apply(second.suggestion_id)
    memory.suggestions.undo(first.suggestion_id)
    text = (repository / first.target).read_text()
    words = {"Retries": "Retries are configured", "The": "async/await"}
    assert words[first.fact.split()[0]] not in text
    assert words[second.fact.split()[0]] in text
    memory.suggestions.undo(second.suggestion_id)
    assert (repository / first.target).read_text() == case.files[first.target]


def test_what_was_dismissed_does_not_come_back_even_if_the_file_changes(open_memory, repository, tmp_path) -> None:
    case, memory = opened("web", open_memory, repository, tmp_path)
    learn(memory, case, only="Retries")
    [one] = memory.suggestions.reconcile().added
    memory.suggestions.dismiss(one.suggestion_id)
    (repository / one.target).write_text("# Shopfront\n\n## Conventions\n\n- Nothing else.\n")
    assert memory.suggestions.reconcile().added == ()
    with pytest.raises(Refused, match="was dismissed already"):
        memory.suggestions.apply(one.suggestion_id)


def test_a_suggestion_whose_fact_was_corrected_is_withdrawn(open_memory, repository, tmp_path) -> None:
    case, memory = opened("web", open_memory, repository, tmp_path)
    [fact] = learn(memory, case, only="Retries")
    memory.suggestions.reconcile()
    memory.forget(fact)
    assert memory.suggestions.reconcile().withdrawn == 1
    assert memory.suggestions.list() == []


def test_an_erased_entry_takes_its_suggestions_along(open_memory, repository, tmp_path) -> None:
    case, memory = opened("web", open_memory, repository, tmp_path)
    [fact] = learn(memory, case, only="Retries")
    memory.suggestions.reconcile()
    memory.forget(fact, hard=True)
    assert memory.suggestions.list() == []


def test_a_target_that_leads_out_of_the_repository_is_never_suggested(open_memory, repository, tmp_path) -> None:
    case, memory = opened("service", open_memory, repository, tmp_path)
    outside = tmp_path / "outside.md"
    outside.write_text("# Elsewhere\n\n- One.\n")
    (repository / "CLAUDE.md").unlink()
    (repository / "CLAUDE.md").symlink_to(outside)
    learn(memory, case, only="make lint")
    assert [one.target for one in memory.suggestions.reconcile().added if one.target == "CLAUDE.md"] == []
    assert outside.read_text() == "# Elsewhere\n\n- One.\n"


def test_nothing_is_committed_and_git_is_told_of(open_memory, repository, tmp_path) -> None:
    case, memory = opened("bare", open_memory, repository, tmp_path)
    learn(memory, case, only="Cross builds")
    learn(memory, case, only="Pages in")
    commits = git(repository, "rev-list", "--count", "HEAD")
    (repository / ".github/instructions/docs.instructions.md").write_bytes(
        case.files[".github/instructions/docs.instructions.md"].replace("short", "plain").encode()
    )
    notes = {
        one.target: getattr(memory.suggestions.apply(one.suggestion_id), "note", "")
        for one in memory.suggestions.reconcile().added
    }
    assert notes[".github/instructions/docs.instructions.md"] == "the file has changes that are not committed"
    assert git(repository, "rev-list", "--count", "HEAD") == commits
    assert git(repository, "diff", "--cached", "--name-only") == ""
