"""What a person is told about an entry that another one replaced."""

from __future__ import annotations

from tests.command_line import Run


def edited(cli: Run) -> tuple[str, str]:
    """The ids of an entry and of what replaced it."""
    old = str(cli("remember", "This repository uses pnpm.", "--json").json["id"])
    return old, str(cli("edit", old, "--text", "The database is PostgreSQL 16.", "--json").json["id"])


def test_whoever_votes_on_a_replaced_entry_is_shown_the_newer_one(cli: Run) -> None:
    old, new = edited(cli)
    done = cli("vote", old, "up", "--reason", "true")
    assert f"See that one with `recollect show {new}`" in done.err
    assert "restore" not in done.err
    cli("forget", new)
    assert f"`recollect restore {new}`" in cli("vote", new, "down", "--reason", "old").err


def test_the_user_retires_a_replaced_entry_and_not_what_replaced_it(cli: Run) -> None:
    old, new = edited(cli)
    cli("forget", old)
    assert f"active → replaced by {new}" in cli("history", old).out
    assert "replaced → retired" in cli("show", old).out
    assert f"retired by {new}" not in cli("show", old).out + cli("history", old).out
