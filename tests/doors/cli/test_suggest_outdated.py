"""Lines that are no longer right: they name a file by its old path, or give another command than the proven one."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Recollect
from recollect.flows.writes.write import write
from recollect.model.drafts import Add, Draft
from tests.command_line import RECOLLECT, Run, clean_environment
from tests.conftest import git
from tests.terminals import Terminal

SOURCE = "".join(f"export const rate{number} = {number}\n" for number in range(20))


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "app"
    (root / "src" / "money").mkdir(parents=True)
    git(root, "init", "--quiet")
    (root / "src/tax.ts").write_text(SOURCE)
    (root / "src/old.ts").write_text("export {}\n")
    (root / "src/money/cents.ts").write_text(SOURCE.replace("rate", "cent"))
    return root


def commit(root: Path) -> None:
    git(root, "add", "--all")
    git(root, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", "Change")


def listed(cli: Run) -> list[dict[str, str]]:
    cli("suggest", "reconcile")
    return cli("suggest", "list", "--json").json  # type: ignore[no-any-return]


def test_a_renamed_file_changes_the_path_in_the_line_instead_of_removing_it(cli: Run, repository: Path) -> None:
    file = repository / "AGENTS.md"
    file.write_text(
        "# App\n\n- The tax rate lives in `./src/tax.ts`,\n  and nowhere else.\n- Money is in `src/money/`.\n"
    )
    commit(repository)
    git(repository, "mv", "src/tax.ts", "src/vat.ts")
    git(repository, "mv", "src/money", "src/cash")
    commit(repository)
    git(repository, "mv", "src/vat.ts", "src/sales_tax.ts")
    commit(repository)
    found = listed(cli)
    assert {one["action"] for one in found} == {"merge"}
    assert any("src/tax.ts was renamed to src/sales_tax.ts in " in one["why"] for one in found)
    checked = cli("check").out
    assert "renamed to src/sales_tax.ts in " in checked
    assert "renamed to src/cash in " in checked
    assert "deleted" not in checked
    cli("suggest", "apply", "--all", "--yes")
    assert file.read_text().splitlines()[2:] == [
        "- The tax rate lives in `./src/sales_tax.ts`,",
        "  and nowhere else.",
        "- Money is in `src/cash/`.",
    ]
    assert cli("check").code == 0


def test_a_line_about_a_deleted_and_a_renamed_file_is_left_to_a_person(cli: Run, repository: Path) -> None:
    (repository / "AGENTS.md").write_text("- See `src/tax.ts` and `src/old.ts`.\n- `src/old.ts` is frozen.\n")
    commit(repository)
    git(repository, "mv", "src/tax.ts", "src/vat.ts")
    git(repository, "rm", "--quiet", "src/old.ts")
    commit(repository)
    [one] = listed(cli)
    assert (one["action"], one["fact"]) == ("remove", "`src/old.ts` is frozen.")
    assert "deleted in " in one["why"]


def test_a_file_that_was_renamed_and_then_deleted_is_deleted(cli: Run, repository: Path) -> None:
    (repository / "AGENTS.md").write_text("- The tax rate lives in `src/tax.ts`.\n")
    commit(repository)
    git(repository, "mv", "src/tax.ts", "src/vat.ts")
    commit(repository)
    git(repository, "rm", "--quiet", "src/vat.ts")
    commit(repository)
    [one] = listed(cli)
    assert one["action"] == "remove"


def proven(tmp_path: Path, repository: Path, *says: str) -> None:
    """What logs prove: these commands pass here."""
    with Recollect.open(str(tmp_path / "home"), folder=str(repository)) as memory:
        for one in says:
            draft = Draft(
                one, repository=memory.repository.repository, tags=("command",), source="system", origin="assistant",
                confidence=0.95,
            )  # fmt: skip
            write([Add(draft)], memory.opened.writer("system"))


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("Run the tests with `npm test`.", "Run the tests with `pnpm test`."),
        ("Run `npm run test` before every commit.", "Run `pnpm test` before every commit."),
        ("Run the tests with `make test`.", "Run the tests with `pnpm test`."),
    ],
)
def test_another_command_than_the_proven_one_is_a_contradiction(
    cli: Run, tmp_path: Path, repository: Path, line: str, after: str
) -> None:
    file = repository / "AGENTS.md"
    file.write_text(f"# App\n\n- {line}\n- Be kind.\n")
    commit(repository)
    proven(tmp_path, repository, "`pnpm test` runs the tests.")
    [one] = listed(cli)
    assert one["action"] == "conflict"
    cli("suggest", "apply", "--all", "--yes")
    assert line in file.read_text(), "a person decides it"
    shown = cli("suggest", "show", one["id"]).out
    assert "From: Recollect, from what passed in your sessions; nobody typed it" in shown
    environ = clean_environment(tmp_path / "home", tmp_path / "user", TERM="xterm")
    terminal = Terminal([RECOLLECT, "suggest", "apply", one["id"]], repository, environ, columns=120)
    assert "It replaces the line that it contradicts." in terminal.until("[y/N]")
    terminal.press("y\n")
    assert terminal.end() == 0
    assert file.read_text() == f"# App\n\n- {after}\n- Be kind.\n"


@pytest.mark.parametrize(
    "line",
    ["Run the linter with `npm run lint`.", "Never run `npm test`.", "Run one test with `npm test -- one`."],
)
def test_a_command_for_something_else_contradicts_nothing(
    cli: Run, tmp_path: Path, repository: Path, line: str
) -> None:
    (repository / "AGENTS.md").write_text(f"# App\n\n- {line}\n")
    commit(repository)
    proven(tmp_path, repository, "`pnpm test` runs the tests.")
    assert "conflict" not in {one["action"] for one in listed(cli)}
