"""Several suggestions at once: what is offered together, what a list says of them, and the way back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import RECOLLECT, Run, clean_environment
from tests.conftest import git
from tests.terminals import Terminal

TAX = "- The tax rate lives in `src/tax.ts`.\n"
NOTES = f"# Notes\n\n- Tests run with pytest.\n{TAX}"
FACTS = ("Deploys go to Render.", "Queues run on Kafka.", "Mails are sent by Postmark.")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository whose AGENTS.md names a file that was deleted."""
    root = tmp_path / "app"
    (root / "src").mkdir(parents=True)
    git(root, "init", "--quiet")
    (root / "src/tax.ts").write_text("export const rate = 0.19\n")
    (root / "AGENTS.md").write_text(NOTES)
    commit(root)
    (root / "src/tax.ts").unlink()
    commit(root)
    return root


def commit(root: Path) -> None:
    git(root, "add", "--all")
    git(root, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", "Change")


def suggested(cli: Run, *facts: str) -> dict[str, str]:
    """The ids of what is suggested, by what it says."""
    for fact in facts:
        cli("remember", fact)
    cli("suggest", "reconcile")
    return {one["fact"]: one["id"] for one in cli("suggest", "list", "--json").json}


def short(name: str) -> str:
    return f"g_{name[-8:]}"


def test_a_removal_is_never_offered_with_others_and_each_says_what_it_does(
    cli: Run, tmp_path: Path, repository: Path
) -> None:
    names = suggested(cli, *FACTS[:2])
    assert len(names) == 3, "one of them removes a line"
    environ = clean_environment(tmp_path / "home", tmp_path / "user", TERM="xterm")
    terminal = Terminal([RECOLLECT, "suggest", "apply", names[FACTS[0]]], repository, environ, columns=120)
    terminal.until("[y/N]")
    terminal.press("y\n")
    offered = terminal.until("[y/N]")
    terminal.press("y\n")
    terminal.until("[y/N]")  # it is shown before it is applied
    terminal.press("y\n")
    assert terminal.end() == 0
    assert f"Add: {FACTS[1]}" in offered
    assert "Apply 1 more suggestion for the same place?" in offered
    assert "tax" not in offered
    assert TAX in (repository / "AGENTS.md").read_text()


def test_a_removal_asks_whether_to_remove(cli: Run, tmp_path: Path, repository: Path) -> None:
    [name] = suggested(cli).values()
    environ = clean_environment(tmp_path / "home", tmp_path / "user", TERM="xterm")
    terminal = Terminal([RECOLLECT, "suggest", "apply", name], repository, environ, columns=120)
    assert "Remove this from AGENTS.md?" in terminal.until("[y/N]")
    terminal.press("n\n")
    terminal.end()


def test_one_command_undoes_all_that_was_applied_together(cli: Run, repository: Path) -> None:
    suggested(cli, *FACTS)
    file = repository / "AGENTS.md"
    done = cli("suggest", "apply", "--all", "--yes")
    assert done.out.count("Wrote AGENTS.md") == 4
    [line] = [line for line in done.err.splitlines() if line.startswith("Undo with")]
    names = line.removeprefix("Undo with `recollect suggest undo ").removesuffix("`.").split()
    for order in (names, sorted(names), names[::-1]):
        undone = cli("suggest", "undo", *order)
        assert (undone.code, undone.out.count("Restored AGENTS.md")) == (0, 4), undone.err
        assert file.read_text() == NOTES
        cli("suggest", "apply", "--all", "--yes")
    for name in cli("suggest", "apply", "--all", "--yes", "--json").json or names:
        assert cli("suggest", "undo", name).code == 0, "the last applied comes first"
    assert file.read_text() == NOTES


def test_what_cannot_be_undone_does_not_keep_the_others_back(cli: Run, repository: Path) -> None:
    first, second = (suggested(cli, *FACTS[:2])[fact] for fact in FACTS[:2])
    cli("suggest", "apply", first, "--yes")
    done = cli("suggest", "undo", second, first)
    assert (done.code, done.out) == (1, "Restored AGENTS.md\n")
    assert "was neither applied nor dismissed" in done.err
    assert (repository / "AGENTS.md").read_text() == NOTES


def test_with_only_a_contradiction_left_nothing_says_that_none_is_pending(cli: Run, repository: Path) -> None:
    (repository / "AGENTS.md").write_text("- Deploys go to Heroku.\n")
    [name] = suggested(cli, FACTS[0]).values()
    done = cli("suggest", "apply", "--all", "--yes")
    assert done.err.splitlines()[:2] == [
        "What is pending is decided one at a time, so nothing was changed.",
        f"1 left: it contradicts a line; see `recollect suggest show {short(name)}`.",
    ]
    cli("suggest", "dismiss", name)
    assert "No suggestion is pending, so nothing was changed." in cli("suggest", "apply", "--all", "--yes").err


def test_a_list_of_one_status_counts_that_status(cli: Run, repository: Path, tmp_path: Path) -> None:
    names = suggested(cli, *FACTS)
    none = cli("suggest", "list", "--status", "dismissed").err
    assert none.splitlines()[0].endswith("• 0 dismissed")
    assert "No suggestion was dismissed." in none
    assert "caught up" not in none
    cli("suggest", "apply", names[FACTS[0]], "--yes")
    assert cli("suggest", "list", "--status", "applied").err.splitlines()[0].endswith("• 1 applied")
    environ = clean_environment(tmp_path / "home", tmp_path / "user", TERM="xterm")
    terminal = Terminal([RECOLLECT, "suggest", "list", "--status", "applied"], repository, environ, columns=120)
    terminal.end()
    assert "1 applied" in terminal.shown
    assert "undo one with `recollect suggest undo ID`" in terminal.shown
    assert "recollect review" not in terminal.shown


def test_dismissing_says_how_to_bring_it_back(cli: Run, repository: Path) -> None:
    name = suggested(cli, FACTS[0])[FACTS[0]]
    done = cli("suggest", "dismiss", name)
    assert f"Undo with `recollect suggest undo {short(name)}`." in done.err
    assert cli("suggest", "undo", short(name)).code == 0


def test_the_status_counts_how_often_suggestions_were_applied(cli: Run, tmp_path: Path, repository: Path) -> None:
    name = suggested(cli, FACTS[0])[FACTS[0]]
    for _ in range(2):
        cli("suggest", "apply", name, "--yes")
        cli("suggest", "undo", name)
    environ = clean_environment(tmp_path / "home", tmp_path / "user", TERM="xterm")
    terminal = Terminal([RECOLLECT, "status"], repository, environ, columns=160)
    terminal.end()
    assert "suggestions applied 2 times" in " ".join(terminal.shown.split())


def diff_of(cli: Run, name: str) -> list[str]:
    """The lines of the diff that `show` prints."""
    return cli("suggest", "show", name, "--json").json["diff"].splitlines()  # type: ignore[no-any-return]


def fits(diff: list[str], text: str) -> bool:
    """Are all the lines that a diff shows as being there in the file?"""
    return bool(diff) and all(line[1:] in text.splitlines() for line in diff[3:] if line[:1] in (" ", "-"))


def test_a_diff_is_shown_against_the_file_as_it_is_now(cli: Run, repository: Path) -> None:
    names = suggested(cli, *FACTS)
    file = repository / "AGENTS.md"
    first, *others = names.values()
    cli("suggest", "apply", first, "--yes")
    assert all(fits(diff_of(cli, name), file.read_text()) for name in others)
    with_it = diff_of(cli, others[0])
    cli("suggest", "undo", first)
    assert all(fits(diff_of(cli, name), file.read_text()) for name in names.values())
    assert diff_of(cli, others[0]) != with_it
    file.write_text(NOTES.replace("pytest", "pytest -q").replace("# Notes", "# Notes for agents"))
    listed = cli("suggest", "list", "--json").json
    assert len(listed) == len(names)
    assert all(fits(one["diff"].splitlines(), file.read_text()) for one in listed)
    assert cli("suggest", "apply", others[0], "--yes").code == 0, "it was shown like this"


def test_a_change_that_nobody_was_shown_is_not_written_by_a_script(cli: Run, repository: Path) -> None:
    file = repository / "AGENTS.md"
    name = suggested(cli, "Use pnpm for installing packages.")["Use pnpm for installing packages."]
    other = NOTES + "- Use npm for installing packages.\n"
    file.write_text(other)
    assert cli("suggest", "apply", name, "--yes").code == 1
    assert file.read_text() == other
