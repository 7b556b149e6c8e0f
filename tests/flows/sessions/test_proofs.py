"""What logs and commits prove becomes an entry with its proof, through the doors that a user has."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.codex_logs import CodexLog
from tests.command_line import Run

PASSED, FAILED, RUNS = "Process exited with code 0", "Process exited with code 1", "Process running with session ID 7"


def worked(user: Path, folder: Path, number: int, *ends: str, command: str = "mise run test") -> None:
    log = CodexLog(user, str(folder), number).typed("mend the parser")
    for header in ends:
        log.ran(command, header)
    log.answered("The parser is mended.").write()


def commands(cli: Run) -> list[str]:
    return [entry["content"] for entry in cli("list", "--tag", "command", "--json").json]


def test_a_command_that_logs_prove_is_kept_with_its_proof(cli: Run, tmp_path: Path, repository: Path) -> None:
    worked(tmp_path / "user", repository, 1, PASSED, FAILED, PASSED)
    worked(tmp_path / "user", repository, 2, PASSED)
    assert cli("import", "--json").code == 0
    assert cli("up", "--no-serve", "--json").code == 0
    [entry] = cli("list", "--tag", "command", "--json").json
    assert (entry["content"], entry["origin"]) == ("`mise run test` runs the tests.", "assistant")
    shown = cli("show", entry["id"], "--json").json
    assert shown["reason"] == "It passed 3 of 4 times in 2 sessions, last on 2026-10-05."
    assert "mise run test" in cli("recall", "how do I run the tests?").out


def test_more_proof_renews_the_entry_and_is_no_change_of_its_own(cli: Run, tmp_path: Path, repository: Path) -> None:
    for number in (1, 2):
        worked(tmp_path / "user", repository, number, PASSED, PASSED)
    cli("up", "--no-serve", "--json")
    worked(tmp_path / "user", repository, 3, PASSED)
    cli("up", "--no-serve", "--json")
    [entry] = cli("list", "--tag", "command", "--json").json
    shown = cli("show", entry["id"], "--json").json
    assert "5 times in 3 sessions" in shown["reason"]
    assert len(shown["history"]) == 1


def test_a_proof_that_a_person_took_out_stays_out(cli: Run, tmp_path: Path, repository: Path) -> None:
    for number in (1, 2):
        worked(tmp_path / "user", repository, number, PASSED, PASSED)
    cli("up", "--no-serve", "--json")
    [entry] = cli("list", "--tag", "command", "--json").json
    assert cli("forget", entry["id"]).code == 0
    worked(tmp_path / "user", repository, 3, PASSED)
    cli("up", "--no-serve", "--json")
    assert commands(cli) == []


def test_still_running_is_no_success_but_what_a_later_look_finds_is(cli: Run, tmp_path: Path, repository: Path) -> None:
    for number in (1, 2):
        worked(tmp_path / "user", repository, number, RUNS, RUNS, RUNS)
    cli("up", "--no-serve", "--json")
    assert commands(cli) == []
    for number in (3, 4):
        log = CodexLog(tmp_path / "user", str(repository), number).typed("mend it")
        for _ in range(2):
            log.ran("just test", RUNS, "collecting").looked(7, RUNS).looked(7, PASSED, "12 passed")
        log.write()
    cli("up", "--no-serve", "--json")
    assert commands(cli) == ["`just test` runs the tests."]


def test_a_command_in_a_folder_of_its_own_proves_something_about_that_folder(
    cli: Run, tmp_path: Path, repository: Path
) -> None:
    for number in (1, 2):
        log = CodexLog(tmp_path / "user", str(repository), number).typed("mend it")
        for folder in (f"{repository}/web", "/somewhere/else"):
            log.ran("bun run build", PASSED, workdir=folder).ran("bun run build", PASSED, workdir=folder)
        log.write()
    cli("up", "--no-serve", "--json")
    assert commands(cli) == ["`bun run build` in `web` builds the project."]


def test_how_commits_are_written_is_told_from_git(cli: Run, tmp_path: Path, repository: Path) -> None:
    for number in range(25):
        message = f"fix(parser): mend case {number}"
        subprocess.run(
            ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-q", "--allow-empty", "-m", message],
            cwd=repository, check=True,
        )  # fmt: skip
    worked(tmp_path / "user", repository, 1, PASSED)
    cli("up", "--no-serve", "--json")
    [entry] = cli("list", "--tag", "commits", "--json").json
    assert entry["content"] == "Commit messages here follow Conventional Commits, such as `fix: …`."
    assert "commits do" in cli("show", entry["id"], "--json").json["reason"]
