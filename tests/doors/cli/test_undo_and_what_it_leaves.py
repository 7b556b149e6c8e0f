"""What `undo` does not cover: it says so and touches nothing else, and each of those things asks first or has a way back."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Recollect
from recollect.flows.suggestions.applying import Written
from tests.command_line import RECOLLECT, Run, clean_environment
from tests.conftest import make_repository
from tests.doors.cli.test_review import offer
from tests.suggestions.test_mended_flows import learn, make_app
from tests.terminals import Terminal

LOWER, NAMED, PNPM = (
    "Commit subjects are written in lower case.", "Log messages name the request.", "Use pnpm for installing packages.",
)  # fmt: skip
AGENTS = "# App\n\n## Conventions\n\n- Keep functions short.\n"
FIRST = ("board", "add", "dup", "--description", "one", "--content", "first text")
SECOND = ("board", "add", "dup", "--description", "two", "--content", "second text")


@pytest.fixture
def app(tmp_path: Path) -> Path:
    return make_app(tmp_path / "shop", {"AGENTS.md": AGENTS})


def test_whoever_sits_at_a_terminal_is_asked_before_a_board_item_is_gone(tmp_path: Path, repository: Path) -> None:
    (tmp_path / "user").mkdir()
    environ = clean_environment(tmp_path / "home", tmp_path / "user", TERM="xterm")

    def answered(*words: str, keys: str = "") -> str:
        terminal = Terminal([RECOLLECT, *words], repository, environ)
        if keys:
            terminal.until("[y/N]")
            terminal.press(keys)
        terminal.end()
        return " ".join(terminal.shown.split())

    assert "Added dup" in answered(*FIRST)
    assert "Updated dup" in answered(*FIRST), "nothing is lost, so nothing is asked"
    assert "“first text” (one)" in answered(*SECOND, keys="\n")
    assert "first text" in answered("board", "get", "dup")
    assert "Updated dup" in answered(*SECOND, keys="y\n")
    assert "Updated dup" in answered(*FIRST, "--yes")
    assert "“first text” (one)" in answered("board", "prune", "dup", keys="n\n")
    assert "first text" in answered("board", "get", "dup")
    assert "Pruned dup" in answered("board", "prune", "dup", keys="y\n")


@pytest.mark.parametrize(
    ("deed", "said"),
    [
        (FIRST, "change dup on the board"),
        (("settings", "set", "recall.maxEntries", "5"), "change the setting recall.max_entries"),
    ],
)
def test_undo_does_not_reach_behind_the_last_thing_that_has_no_undo(cli: Run, deed, said: str) -> None:
    entry = cli("remember", "CI runs on Buildkite.", "--json").json["id"]
    cli("remember", "The queue is called kiwi.")
    assert cli(*deed).code == 0
    done = cli("undo")
    assert (done.code, f"The last thing you did was {said}" in done.err) == (1, True), done.err
    assert "`recollect undo 2` undoes the change before it (remember: “The queue is called kiwi.”)" in done.err
    assert cli("undo", "2").code == 0
    assert cli("show", entry, "--json").json["status"] == "active"
    assert cli("undo").code == 0, "after that undo, it goes on"
    assert cli("show", entry, "--json").json["status"] == "inactive"


def test_a_board_item_that_was_taken_off_is_the_last_thing_done(cli: Run) -> None:
    cli(*FIRST)
    cli("remember", "CI runs on Buildkite.")
    cli("board", "prune", "dup")
    assert "The last thing you did was change dup on the board" in cli("undo").err


def test_a_dismissed_suggestion_is_named_by_undo_and_is_pending_again_after_suggest_undo(
    cli: Run, tmp_path: Path, app: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(app)
    with Recollect.open(str(tmp_path / "home"), folder=str(app), environ={"HOME": str(tmp_path / "user")}) as memory:
        learn(memory, LOWER)
    cli("suggest", "reconcile")
    [one] = cli("suggest", "list", "--json").json
    cli("suggest", "dismiss", one["id"])
    refused = cli("undo")
    assert (refused.code, "The last thing you did was dismiss a suggestion" in refused.err) == (1, True), refused.err
    assert f"suggest undo g_{one['id'][-8:]}" in refused.err
    assert cli("suggest", "undo", one["id"], "--json").json == {"id": one["id"], "status": "pending", "path": ""}
    assert [left["id"] for left in cli("suggest", "list", "--json").json] == [one["id"]]
    again = cli("suggest", "undo", one["id"])
    assert "was neither applied nor dismissed" in again.err
    assert cli("undo").code == 0
    assert (app / "AGENTS.md").read_text() == AGENTS


def test_a_dismissed_suggestion_whose_fact_is_gone_stays_dismissed(
    cli: Run, tmp_path: Path, app: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(app)
    with Recollect.open(str(tmp_path / "home"), folder=str(app), environ={"HOME": str(tmp_path / "user")}) as memory:
        learn(memory, LOWER)
        [one] = memory.suggestions.reconcile().added
        memory.suggestions.dismiss(one.suggestion_id)
        memory.forget(one.fact_ids[0])
    assert "is outdated" in cli("suggest", "undo", one.suggestion_id).err


def test_an_approval_belongs_to_the_repository_of_what_it_stored(cli: Run, tmp_path: Path) -> None:
    other = make_repository(tmp_path / "other", remote="git@github.com:owner/other.git")
    mine = cli("remember", "CI runs on Buildkite.", "--json").json["id"]
    with Recollect.open(str(tmp_path / "home"), folder=str(other), environ={"HOME": str(tmp_path / "user")}) as memory:
        offer(memory, "The zone is in dns.tf.")
    stored = cli("approve", "c_fact0", "--json").json["id"]
    done = cli("undo")
    assert "A newer change (approve) of another repository still holds; undo it with `recollect undo 2`" in done.err
    assert [cli("show", name, "--json").json["status"] for name in (mine, stored)] == ["inactive", "active"]
    assert cli("undo", stored).code == 0
    assert cli("show", stored, "--json").json["status"] == "inactive"


def test_suggest_undo_names_the_edit_that_stands_in_the_way_and_not_the_last_one(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"{AGENTS}- Name the owner of a module in its first line.\n\n## Packages\n\n- Packages are installed with make.\n"
    app = make_app(tmp_path / "shop", {"AGENTS.md": text})
    monkeypatch.chdir(app)
    with Recollect.open(str(tmp_path / "home"), folder=str(app), environ={"HOME": str(tmp_path / "user")}) as memory:
        learn(memory, LOWER, NAMED, PNPM)
        made = {one.fact: one for one in memory.suggestions.reconcile().added}
        assert made[LOWER].place == made[NAMED].place != made[PNPM].place, made
        for fact in (LOWER, NAMED, PNPM):
            assert isinstance(memory.suggestions.apply(made[fact].suggestion_id), Written)
    refused = cli("suggest", "undo", made[LOWER].suggestion_id)
    assert f"undo {made[NAMED].suggestion_id} first" in refused.err
    assert cli("suggest", "undo", made[NAMED].suggestion_id).code == 0
    assert cli("suggest", "undo", made[LOWER].suggestion_id).code == 0
    assert (app / "AGENTS.md").read_text().count("pnpm") == 1
