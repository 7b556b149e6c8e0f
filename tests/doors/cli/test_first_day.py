"""What somebody stumbled over on the first day with the command line."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.command_line import RECOLLECT, Run, clean_environment
from tests.conftest import make_repository
from tests.terminals import Terminal


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "user").mkdir(exist_ok=True)
    return clean_environment(tmp_path / "home", tmp_path / "user", TERM="xterm")


@pytest.mark.parametrize(
    "password",
    [
        "topsecret42", "mysecret42", "acmesecret9", "devsecret_kx93", "changeme99", "example77key", "hunter2supersecret",
        "correcthorsebattery", "placeholder7up", "hunter2",
    ],
)  # fmt: skip
def test_a_password_that_contains_the_word_of_a_sample_is_removed(cli: Run, password: str) -> None:
    done = cli("remember", f"use password={password} for staging")
    assert "A secret was removed" in done.err
    [entry] = cli("list", "--json").json
    assert password not in entry["content"]
    assert "[redacted:password]" in entry["content"]


@pytest.mark.parametrize(
    "sample",
    ["changeme", "example", "your-password", "xxx", "<password>", "${VAR}", "secret", "your_password_here", "********"],
)
def test_what_is_a_sample_as_a_whole_stays(cli: Run, sample: str) -> None:
    done = cli("remember", f"use password={sample} for staging")
    assert "A secret was removed" not in done.err
    [entry] = cli("list", "--json").json
    assert f"password={sample}" in entry["content"]


@pytest.mark.parametrize(
    ("statement", "check", "why"),
    [
        ("This repository uses pnpm, not npm, for all.", "verified", ""),
        ("This repository uses pnpm 9.1.0, not 8.15.4.", "verified", ""),
        ("This repository uses pnpm, not yarn, for all.", "cited", "package.json mentions yarn"),
        ("This repository uses pnpm with Docker.", "cited", "package.json does not mention Docker"),
        ("This repository does not use pnpm.", "cited", "package.json mentions all of this, but does not say it"),
    ],
)
def test_show_names_only_what_the_cited_file_lacks(
    cli: Run, repository: Path, statement: str, check: str, why: str
) -> None:
    (repository / "package.json").write_text('{"packageManager": "pnpm@9.1.0", "scripts": {"old": "yarn build"}}')
    entry_id = cli("remember", statement, "--cite", "package.json", "--json").json["id"]
    shown = cli("show", entry_id, "--json").json
    assert shown["check"] == check
    assert (shown["citations"][0]["detail"] or "") == why


@pytest.mark.parametrize(
    "text",
    ["The deploy password: hunter2abc is shared.", "Deploy password hunter2abc!x", "Staging: password=hunter2abc"],
)
def test_a_removed_secret_is_no_name_of_an_entry(cli: Run, text: str) -> None:
    done = cli("remember", text, "--subject", "token=hunter2abc login", "--alias", "password=hunter2abc staging")
    plain = cli("remember", f"{text} This is another one.")
    assert "redacted:" not in done.err.split("found under")[1]
    assert "redacted:" not in plain.err.partition("found under")[2]
    for entry in cli("list", "--json").json:
        shown = cli("show", entry["id"], "--json").json
        assert not any("redacted:" in name for name in (shown["subject"], *shown["aliases"]))


def test_a_first_word_that_is_no_id_is_not_joined(cli: Run) -> None:
    done = cli("correct", "nope", "The database is PostgreSQL 16.")
    assert done.code == 2
    assert "'nope' is not an id; put the whole text in quotes." in done.err
    assert cli("list", "--json").json == []


def test_a_wrong_answer_is_told_what_to_type(cli: Run, repository: Path, environ: dict[str, str]) -> None:
    for where in ("dev server", "admin console"):
        cli("remember", f"The {where} listens on port 80{len(where)}.")
    terminal = Terminal([RECOLLECT, "correct", "actually the port is 8081"], repository, environ)
    terminal.until("0 to keep them")
    terminal.press("x\n")
    terminal.until("Type a number from 0 to 2, or a for all.")
    terminal.press("0\n")
    terminal.end()
    assert "Error" not in terminal.shown
    entry_id = cli("list", "--json").json[0]["id"]
    terminal = Terminal([RECOLLECT, "forget", entry_id, "--hard"], repository, environ)
    terminal.until("[y/N]")
    terminal.press("maybe\n")
    terminal.until("Type y or n.")
    terminal.press("n\n")
    terminal.end()
    assert "Error" not in terminal.shown
    assert len(cli("list", "--json").json) == 3


def test_conflicts_are_those_of_this_repository_unless_all_are_wanted(
    cli: Run, tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make_repository(tmp_path / "other", remote="git@github.com:owner/other.git")
    (repository / "build.txt").write_text("indentation: tabs\n")
    cli("remember", "The API uses tabs for indentation.", "--cite", "build.txt")
    cli("remember", "The API uses spaces for indentation.")
    monkeypatch.chdir(other)
    cli("remember", "The service runs on Redis.")
    cli("remember", "The service does not run on Redis.")
    monkeypatch.chdir(repository)
    [pair] = cli("conflicts", "--json").json
    checks = {entry["id"]: entry["check"] for entry in cli("list", "--json").json}
    assert "indentation" in pair["newer"]["content"]
    assert {entry["check"] for entry in pair.values()} == {checks[pair[name]["id"]] for name in ("newer", "older")}
    assert pair["older"]["check"] != "unchecked"
    done = cli("conflicts")
    assert "Redis" not in done.out
    assert "1 contradiction in another repository (add `--all` to see it)." in done.err
    assert len(cli("conflicts", "--all", "--json").json) == 2
    [row] = [line for line in cli("conflicts", "--all").out.splitlines() if "Redis" in line]
    assert row.endswith("\tother")


def test_recall_says_which_of_two_is_newer(cli: Run) -> None:
    cli("remember", "The API uses tabs for indentation.")
    cli("remember", "The API uses spaces for indentation.")
    [out] = [
        one
        for one in cli("recall", "indentation of the API", "--json").json["left_out"]
        if "contradicted" in one["why"]
    ]
    assert out["why"].endswith(", which is newer")


def test_up_prints_a_command_that_shows_the_contradictions_it_found(cli: Run) -> None:
    out = cli("up", "--sample", "--no-serve").out
    [line] = [line.strip() for line in out.splitlines() if line.strip().startswith("recollect conflicts")]
    assert cli(*shlex.split(line)[1:], "--json").json != []


def test_a_long_password_that_says_example_never_reaches_the_disk(cli: Run, tmp_path: Path) -> None:
    said = "The staging login is admin with DB_PASSWORD=ExampleCorp_Prod_2024! on db1"
    name = cli("remember", said, "--json").json["id"]
    assert "DB_PASSWORD=[redacted:password] on db1" in cli("show", name, "--json").json["content"]
    assert not [
        path for path in (tmp_path / "home").rglob("*") if path.is_file() and b"ExampleCorp" in path.read_bytes()
    ]
