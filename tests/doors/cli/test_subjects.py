"""What an entry is found under: taken from what it says now, and nothing where its words do not tell."""

from __future__ import annotations

import pytest

from tests.command_line import Run


def stored(cli: Run, *words: str) -> str:
    return str(cli("remember", *words, "--json").json["id"])


def found(cli: Run, query: str) -> list[str]:
    return [one["content"] for one in cli("recall", query, "--json").json["entries"]]


def subject(cli: Run, entry_id: str) -> str:
    return str(cli("show", entry_id, "--json").json["subject"])


def test_an_edited_entry_answers_what_it_says_now(cli: Run) -> None:
    entry_id = stored(cli, "This repository uses pnpm, not npm.")
    edited = cli("edit", entry_id, "--text", "The database is PostgreSQL 16.", "--json").json["id"]
    assert subject(cli, edited) == "database"
    assert found(cli, "how do I install the dependencies?") == []
    assert found(cli, "which database do we use?") == ["The database is PostgreSQL 16."]


def test_an_entry_that_is_corrected_to_something_else_answers_that(cli: Run) -> None:
    entry_id = stored(cli, "We deploy with Render.")
    right = cli("correct", entry_id, "The tests run with pytest -n 2.", "--json").json["id"]
    assert subject(cli, right) == "tests"
    assert found(cli, "how do we deploy?") == []
    assert found(cli, "how do I run the tests?") == ["The tests run with pytest -n 2."]


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("This repository uses pnpm, not npm.", "We use bun.", "package manager"),
        ("We deploy with Render.", "We deploy with Fly.io.", "deploy target"),
        ("The dev server listens on port 8080.", "The dev server listens on port 8081.", "dev server"),
    ],
)
def test_another_value_keeps_the_name(cli: Run, old: str, new: str, name: str) -> None:
    edited = cli("edit", stored(cli, old), "--text", new, "--json").json["id"]
    corrected = cli("correct", edited, old, "--json").json["id"]
    assert [subject(cli, one) for one in (edited, corrected)] == [name, name]


@pytest.mark.parametrize(
    ("text", "name"),
    [("Access is set up for publish.yml in npm.", "access"), ("Sessions last 30 minutes.", "sessions"),
     ("Errors bubble up to the root handler.", "errors")],
)  # fmt: skip
def test_a_name_is_what_a_statement_is_about(text: str, name: str, cli: Run) -> None:
    assert subject(cli, stored(cli, text)) == name


def test_a_correction_of_one_value_keeps_the_name(cli: Run) -> None:
    entry_id = stored(cli, "The dev server listens on port 8080.")
    assert subject(cli, cli("correct", entry_id, "It is 8081.", "--json").json["id"]) == "dev server"


def test_names_that_a_person_gave_stay(cli: Run) -> None:
    given = stored(cli, "This repository uses pnpm.", "--subject", "our tools", "--alias", "the toolbox")
    edited = cli("edit", given, "--text", "The database is PostgreSQL 16.", "--json").json["id"]
    shown = cli("show", edited, "--json").json
    assert (shown["subject"], shown["aliases"]) == ("our tools", ["the toolbox"])


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Release notes live in CHANGES.md.", "release notes"),
        ("Log files go to /var/log/app.", "log files"),
        ("Load tests run at night.", "load tests"),
        ("Keep answers short.", "answers"),
        ("C# is the language of the plug-in.", "C#"),
        ("Use `-x` always.", ""),
        ("It is 8081.", ""),
        ("Answer short, please.", ""),
    ],
)
def test_an_entry_is_found_under_a_name_or_under_none(cli: Run, text: str, name: str) -> None:
    done = cli("remember", text)
    assert ("found under" in done.err) == bool(name)
    assert f"found under “{name}”." in done.err or not name


def test_what_it_is_about_is_named_before_it(cli: Run) -> None:
    stored(cli, "The API listens on port 8123.")
    for text in (
        "E2E tests need the payment stub. Start it with `pnpm stub`; it listens on port 4400.",
        "It listens on port 4500.",
    ):
        assert "contradicts" not in cli("remember", text, "--json").json["why"]
    assert cli("conflicts", "--json").json == []
    assert "contradicts" in cli("remember", "The API is new. It listens on port 9000.", "--json").json["why"]


def test_a_correction_says_it_of_what_it_corrects(cli: Run) -> None:
    old = stored(cli, "The API listens on port 8123.")
    cli("correct", "No, it listens on port 9000.")
    assert cli("show", old, "--json").json["status"] == "superseded"
