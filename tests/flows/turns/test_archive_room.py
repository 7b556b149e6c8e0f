"""The archive beside the entries: it has a small room of its own and hides none of them."""

from __future__ import annotations

from recollect import Recollect

ASKED = "How do I install the dependencies with npm?"


def test_an_archive_line_does_not_push_out_the_fact(memory: Recollect) -> None:
    memory.remember("Dependencies are installed with pnpm, not npm.")
    alone = [one.entry.content for one in memory.recall(ASKED).entries]
    assert alone == ["Dependencies are installed with pnpm, not npm."]
    memory.remember(
        "Request: install the dependencies with npm", layer="L2", subject="install the dependencies with npm"
    )
    found = [one.entry for one in memory.recall(ASKED).entries]
    assert [entry.content for entry in found][:1] == alone
    assert [entry.layer for entry in found] == ["L1", "L2"]


def test_an_archive_line_in_the_same_words_is_left_out_and_not_the_fact(memory: Recollect) -> None:
    memory.remember("Dependencies are installed with pnpm and not with npm here.", layer="L2", subject="dependencies")
    kept = memory.remember("Dependencies are installed with pnpm and not with npm here.", subject="dependencies")
    found = memory.recall("how are dependencies installed?").found
    assert [one.entry.entry_id for one in found.entries] == [kept.entry_id]


def test_many_archive_lines_never_take_the_room_of_an_entry(memory: Recollect) -> None:
    for number in range(40):
        memory.remember(
            f"Request: deploy the harbour service again, for the {number}th time",
            layer="L2",
            subject=f"deploy the harbour service {number}",
            aliases=["harbour service"],
        )
    memory.remember("The harbour service is deployed with Nomad from the release branch.")
    found = memory.recall("deploy the harbour service").found
    assert "Nomad" in found.entries[0].entry.content
    assert sum(one.entry.layer == "L2" for one in found.entries) <= memory.settings.recall.max_archive


def test_a_long_archive_entry_comes_only_when_the_past_is_asked_for(memory: Recollect) -> None:
    memory.remember("Harbour deploys: " + "word after word of a summary. " * 40, layer="L2", subject="harbour deploys")
    assert memory.recall("harbour deploys").entries == ()
    assert len(memory.recall("what did we decide about harbour deploys last week?").entries) == 1
