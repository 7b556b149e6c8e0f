"""Aider keeps its history in the repository: `recollect up` there finds it, unless others may have written it."""

from __future__ import annotations

from pathlib import Path

from tests.command_line import Run
from tests.conftest import git

HISTORY = """
# aider chat started at 2026-11-01 09:00:00

> Aider v0.86.1  

#### No, we use pnpm in this repository, never npm.  

Understood.
"""  # noqa: W291
NAME = ".aider.chat.history.md"


def test_up_in_a_repository_imports_what_was_said_to_aider_there(cli: Run, repository: Path) -> None:
    (repository / NAME).write_text(HISTORY)
    done = cli("up", "--no-serve", "--json")
    assert done.json["imported"]["turns"] == 1, done.json
    assert [one["host"] for one in done.json["found"]] == ["aider"]
    assert any("pnpm" in one["content"] for one in cli("list", "--json").json)
    assert cli("up", "--no-serve", "--json").json["imported"]["turns"] == 0


def test_up_in_a_folder_of_the_repository_finds_it_too(cli: Run, repository: Path, monkeypatch) -> None:
    (repository / NAME).write_text(HISTORY)
    (repository / "src").mkdir()
    monkeypatch.chdir(repository / "src")
    assert cli("up", "--no-serve", "--json").json["imported"]["turns"] == 1


def test_a_history_that_came_with_the_repository_is_not_taken_for_the_users_words(cli: Run, repository: Path) -> None:
    (repository / NAME).write_text(HISTORY)
    git(repository, "add", "-f", NAME)
    done = cli("up", "--no-serve", "--json")
    assert (
        f"git tracks it, so others may have written it; if it is yours, run `recollect import {repository / NAME}`"
        in (done.err)
    )
    assert cli("session", "list", "--json").json == []
    assert not any("pnpm" in one["content"] for one in cli("list", "--json").json)
    assert cli("import", str(repository / NAME), "--json").json["turns"] == 1


def test_a_link_to_a_history_elsewhere_is_not_followed(cli: Run, repository: Path, tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text(HISTORY)
    (repository / NAME).symlink_to(tmp_path / "other.md")
    cli("up", "--no-serve", "--json")
    assert cli("session", "list", "--json").json == []


def test_up_says_when_a_log_holds_more_sessions_than_it_counted_beforehand(cli: Run, repository: Path) -> None:
    chats = (
        f"# aider chat started at 2026-11-01 09:{at // 60:02}:{at % 60:02}\n\n#### ok\n\nFine.\n" for at in range(502)
    )
    (repository / NAME).write_text("\n".join(chats))
    done = cli("up", "--no-serve")
    assert "over 500 sessions" in done.out
    assert "Read 502 sessions" in done.out
