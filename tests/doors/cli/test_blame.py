"""`recollect blame`: from a line to its commit, and from there to the session, the turn and what was decided."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Recollect
from tests.codex_logs import CodexLog
from tests.command_line import Run
from tests.conftest import git

PASSED = "Process exited with code 0"
DAY = "2026-10-05T09"


def commit(folder: Path, text: str, message: str, *, at: str) -> str:
    """Commit a file with this text; returns the name of the commit."""
    (folder / "shop").mkdir(exist_ok=True)
    (folder / "shop" / "price.py").write_text(text)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", message, "--date", at)
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def names(cli: Run, tmp_path: Path, repository: Path) -> tuple[str, str]:
    """Two commits of one file: the first made by a session, the second by hand after another one."""
    first = commit(repository, "one\ntwo\n", "Add the price", at=f"{DAY}:02:00Z")
    log = CodexLog(tmp_path / "user", str(repository), 1)
    log.typed("In this repo we use decimals for prices, not floats. Add the price.").changed("shop/price.py")
    log.ran("git add -A && git commit -m 'Add the price'", PASSED, f"[main {first[:7]}] Add the price").write()
    second = commit(repository, "one\nTWO\n", "Shout", at="2026-10-05T18:00:00Z")
    later = CodexLog(tmp_path / "user", str(repository), 2)
    later.typed("Make the second line louder").changed(str(repository / "shop" / "price.py")).write()
    cli("up", "--no-serve", "--json")
    return first, second


def test_a_line_leads_to_its_commit_the_session_that_made_it_and_what_was_decided(cli: Run, names) -> None:
    found = cli("blame", "shop/price.py:1", "--json").json
    [made] = found["commits"]
    assert (found["file"], found["line"], made["commit"], made["lines"]) == ("shop/price.py", 1, names[0], [[1, 1]])
    [session] = made["sessions"]
    assert session["certain"] is True
    assert session["why"][:2] == ["it made the commit", "it changed the file"]
    assert session["turns"][0]["user"].startswith("In this repo we use decimals")
    assert any("decimals" in one["content"] for one in found["decisions"])


def test_a_line_that_was_committed_by_hand_leads_to_who_changed_the_file_before(cli: Run, names) -> None:
    found = cli("blame", "shop/price.py:2", "--json").json
    [made] = found["commits"]
    [session] = made["sessions"]
    assert (made["commit"], session["certain"]) == (names[1], False)
    assert session["turns"][0]["user"] == "Make the second line louder"


def test_a_whole_file_tells_every_commit_newest_first_in_80_columns(cli: Run, names) -> None:
    done = cli("blame", "shop/price.py")
    assert done.code == 0
    assert done.out.index(names[1][:10]) < done.out.index(names[0][:10])
    assert "· line 2" in done.out
    assert "it changed the file (likely)" in done.out
    assert "[1] Make the second line louder" in done.out
    assert all(len(line) <= 80 for line in done.out.splitlines())


def test_lines_that_are_not_committed_yet_say_so_and_who_changed_the_file(cli: Run, repository: Path, names) -> None:
    (repository / "shop" / "price.py").write_text("one\nTWO\nthree\n")
    done = cli("blame", "shop/price.py:3")
    assert (done.code, done.out.splitlines()[0]) == (0, "Line 3 of shop/price.py: not committed yet.")
    assert cli("blame", "shop/price.py:3", "--json").json["commits"][0]["commit"] is None


def test_each_thing_that_cannot_be_blamed_is_one_sentence(
    cli: Run, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "new.py").write_text("x\n")
    (tmp_path / "elsewhere.py").write_text("x\n")
    told = {
        "new.py": "new.py is not tracked by git; commit it first",
        str(tmp_path / "elsewhere.py"): "is outside of this repository",
        "README.md:99": "README.md has 1 line; there is no line 99.",
    }
    for target, sentence in told.items():
        done = cli("blame", target)
        assert (done.code, done.out) == (1, ""), target
        assert sentence in done.err
        assert len(done.err.splitlines()) == 1
    missing = cli("blame", "nothing.py")
    assert (missing.code, "There is no file nothing.py here." in missing.err) == (2, True)
    assert cli("blame", ".").code == cli("blame", "README.md:0").code == 2
    git(repository, "add", "new.py")
    assert cli("blame", "new.py").out.startswith("Line 1 of new.py: not committed yet.")
    git(repository, "checkout", "-q", "--orphan", "empty")
    assert "it was never committed" in cli("blame", "README.md:1").err
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "git is not installed" in cli("blame", "README.md").err
    monkeypatch.chdir(tmp_path)
    assert "not part of a git repository" in cli("blame", "elsewhere.py").err


def test_a_linked_working_tree_and_a_name_with_a_colon_can_be_blamed(
    cli: Run, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "a:1").write_text("x\n")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "odd")
    git(repository, "worktree", "add", "-q", str(tmp_path / "other"), "-b", "side")
    monkeypatch.chdir(tmp_path / "other")
    found = cli("blame", "a:1", "--json").json
    assert (found["file"], found["line"], found["commits"][0]["summary"]) == ("a:1", None, "odd")


def test_no_program_that_the_configuration_names_is_run(cli: Run, repository: Path, tmp_path: Path) -> None:
    (repository / ".gitattributes").write_text("* filter=x diff=x\n")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "attributes")
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\ncat\n")
    program.chmod(0o755)
    for name in ("filter.x.clean", "filter.x.process", "diff.x.textconv", "diff.external", "core.fsmonitor"):
        git(repository, "config", name, str(program))
    git(repository, "config", "filter.x.required", "true")
    (repository / "README.md").write_text("# other\n")
    done = cli("blame", "README.md")
    assert (done.code, "not committed yet" in done.out) == (0, True)
    assert not (tmp_path / "ran").exists()


def test_a_commit_that_names_its_session_leads_there(cli: Run, repository: Path, tmp_path: Path) -> None:
    log = CodexLog(tmp_path / "user", str(repository), 7)
    log.typed("Write the readme").write()
    cli("import")
    (repository / "README.md").write_text("# shop\n")
    git(repository, "commit", "-qam", f"Write it\n\nCodex-Session: {log.session}")
    [session] = cli("blame", "README.md:1", "--json").json["commits"][0]["sessions"]
    assert (session["native_id"], session["why"]) == (log.session, ["the commit names it"])


def test_blame_reads_and_changes_nothing(repository: Path, tmp_path: Path) -> None:
    from recollect.flows.views.blame import blame

    with Recollect.open(str(tmp_path / "home"), folder=str(repository), environ={"HOME": str(tmp_path)}) as memory:
        found = blame("README.md:1", memory.opened)
        assert (len(found.commits), found.more, found.decisions) == (1, 0, ())
        assert memory.sessions.count() == 0
