"""Ids are shown by their end, and everything accepts that name."""

from __future__ import annotations

import pytest

from recollect import Agent, Ambiguous, NotFound, Recollect
from recollect.model.candidates import Candidate
from recollect.model.drafts import Draft
from recollect.text.ids import is_called, short_id
from tests.command_line import Run


def test_entries_of_one_day_have_names_that_differ(memory: Recollect) -> None:
    stored = memory.remember_many([f"Service {number} listens on port {4000 + number}." for number in range(50)])
    names = {short_id(one.entry_id) for one in stored}
    assert len(names) == 50
    assert all(len(name) == 10 and name.startswith("e_") for name in names)
    for one in stored:
        name = short_id(one.entry_id)
        assert memory.entries.get(name).entry_id == one.entry_id
        assert memory.entries.get(name[2:]).entry_id == one.entry_id, "the letter of the kind may be left out"
        assert memory.entries.get(name.upper().replace("E_", "e_")).entry_id == one.entry_id


def test_every_command_that_takes_an_id_takes_its_short_name(cli: Run) -> None:
    name = short_id(cli("remember", "The queue is drained at night.", "--json").json["id"])
    for words in (
        ("show", name),
        ("history", name),
        ("edit", name, "--reason", "seen twice"),
        ("vote", name, "up", "--reason", "true"),
        ("correct", name, "The queue is drained at noon."),
    ):
        done = cli(*words, "--json")
        assert done.code == 0, done.err
    [newest] = cli("list", "--json").json
    name = short_id(newest["id"])
    for command in ("forget", "restore", "undo"):
        assert cli(command, name).code == 0, command
    assert cli("forget", name, "--hard", "--yes").code == 0
    task = cli("task", "add", "Write the importer", "--json").json["id"]
    assert cli("task", "show", short_id(task), "--json").json["id"] == task
    receipt = cli("recall", "queue", "--json").json["receipt"]
    assert cli("why", "--receipt", short_id(receipt), "--json").json["receipt"] == receipt


def test_what_waits_is_accepted_under_its_short_name(memory: Recollect) -> None:
    draft = Draft("The command to test is `make test`.", scope="user")
    with memory.opened.store.write():
        for end in ("aaaaaaaa", "bbbbbbbb"):
            one = Candidate(f"c_01k0{'0' * 14}{end}", "command", draft, draft.content, created=1.0, expires=4e9)
            memory.opened.store.candidates.offer(one, end, most_waiting=20)
    assert memory.pending.get("aaaaaaaa").candidate_id.endswith("aaaaaaaa")  # type: ignore[union-attr]
    assert memory.pending.approve("c_bbbbbbbb").is_done


def test_a_name_that_two_things_have_is_said_to_be_ambiguous(memory: Recollect) -> None:
    ids = sorted(one.entry_id for one in memory.remember_many(["One fact is here.", "Another fact is there."]))
    with pytest.raises(Ambiguous, match="give more characters"):
        memory.entries.get(ids[0][:6])
    with pytest.raises(NotFound):
        memory.entries.get("zzz")
    assert not is_called(ids[0], "")


def test_an_agent_may_use_the_name_that_it_was_shown(memory: Recollect) -> None:
    stored = memory.remember("Dependencies are installed with pnpm.")
    shown = memory.inject("how are dependencies installed?").text
    name = short_id(stored.entry_id)
    assert f"[{name}]" in shown
    writes = memory.writes(Agent("claude-code"))
    assert writes.vote(name, "up", "it helped").is_done
    writes.close()
