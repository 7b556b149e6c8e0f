"""`recollect token`: made once, listed without its secret, taken back; and never by an agent."""

from __future__ import annotations

import pytest

from recollect import Recollect
from tests.command_line import Run


def test_a_token_is_shown_once_and_listed_without_what_would_let_somebody_use_it(cli: Run) -> None:
    secret = cli("token", "add", "ci", "--scope", "write").out.strip()
    assert secret.startswith("rcl_")
    [listed] = cli("token", "list", "--json").json
    assert (listed["name"], listed["scope"], listed["last_used"]) == ("ci", "write", None)
    assert secret not in cli("token").out + cli("token", "--json").out
    assert cli("token", "revoke", "ci", "--json").json["id"] == listed["id"]
    assert cli("token", "list", "--json").json == []
    assert cli("token", "revoke", "ci").code == 1


def test_a_name_is_used_once_and_is_a_name(cli: Run) -> None:
    made = cli("token", "add", "ci", "--json").json
    assert (made["scope"], made["token"][:4]) == ("read", "rcl_")
    again = cli("token", "add", "ci")
    assert (again.code, "already" in again.err) == (1, True)
    assert cli("token", "add", "two words").code == 2
    assert cli("token", "add", "other", "--scope", "root").code == 2


@pytest.mark.parametrize("words", [("add", "mine"), ("revoke", "ci")])
def test_an_agent_neither_makes_nor_takes_back_a_token(
    cli: Run, words: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cli("token", "add", "ci")
    monkeypatch.setenv("CLAUDECODE", "1")
    done = cli("token", *words)
    assert (done.code, "needs a person" in done.err) == (1, True)
    assert [one["name"] for one in cli("token", "list", "--json").json] == ["ci"]


def test_nobody_without_a_terminal_makes_a_token_but_a_script_may_revoke_one(
    cli: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli("token", "add", "ci")
    monkeypatch.setattr("recollect.flows.writes.actors.is_cut_loose", lambda: True)
    done = cli("token", "add", "mine", "--scope", "admin")
    assert (done.code, done.out) == (1, "")
    assert "Adding a token needs a person: run it in your own terminal" in done.err
    assert cli("token", "revoke", "ci").code == 0
    assert cli("token", "list", "--json").json == []


def test_when_a_token_was_used_is_noted_to_the_hour(memory: Recollect, clock) -> None:
    token, secret = memory.tokens.add("ci")
    assert token.last_used == 0
    assert memory.tokens.holder("rcl_other") is None
    assert memory.tokens.holder(secret) is not None
    first = memory.tokens.listed()[0].last_used
    assert first == clock.now
    clock.now += 60
    memory.tokens.holder(secret)
    assert memory.tokens.listed()[0].last_used == first
