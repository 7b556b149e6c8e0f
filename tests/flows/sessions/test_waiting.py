"""What waits for a person counts more when other sessions say it again, and goes when a later one takes it back."""

from __future__ import annotations

from pathlib import Path

from recollect import Recollect
from tests.conftest import OpenMemory
from tests.flows.sessions.test_importing import bring, claude_line, write_log

SAID = "for anything customer facing use the word workspace, not project"
AGAIN = "for anything customer facing use the word workspace, not project!"
CHOSEN = "use bun instead of npm"
OTHERWISE = "use npm instead of bun"


def told(memory: Recollect, folder: Path, day: int, *messages: str) -> None:
    """One session of this day, in which these messages were typed, comes in and is digested."""
    name = f"S{day}"
    when = {"sessionId": name, "parentUuid": None, "timestamp": f"2026-11-{day:02d}T09:00:00.000Z"}
    lines = [claude_line("user", at, text, **when, uuid=f"{name}-{at}") for at, text in enumerate(messages, 1)]
    bring(memory, write_log(folder / name, lines, f"{name}.jsonl"))
    memory.sessions.digest()


def waits(memory: Recollect) -> list[tuple[str, int]]:
    return [(one.what, one.proof) for one in memory.opened.store.candidates.waiting()]


def kept(memory: Recollect) -> list[str]:
    return [one.content for one in memory.entries.list(everywhere=True, layer="L1")]


def test_what_three_sessions_say_is_stored_with_its_sources(open_memory: OpenMemory, tmp_path) -> None:
    memory = open_memory()
    told(memory, tmp_path, 2, SAID)
    [first] = memory.opened.store.candidates.waiting()
    told(memory, tmp_path, 3, AGAIN)
    told(memory, tmp_path, 4, SAID)
    assert waits(memory) == []
    [entry] = memory.entries.list(everywhere=True, layer="L1")
    assert "workspace, not project" in entry.content
    assert entry.confidence > first.confidence
    assert len({one.session for one in entry.citations}) >= 2


def test_who_repeats_it_in_one_session_says_nothing_new(open_memory: OpenMemory, tmp_path) -> None:
    memory = open_memory()
    told(memory, tmp_path, 2, SAID, AGAIN, SAID)
    assert [proof for _, proof in waits(memory)] == [1]
    assert kept(memory) == []


def test_what_a_later_session_takes_back_waits_no_longer(open_memory: OpenMemory, tmp_path) -> None:
    memory = open_memory()
    told(memory, tmp_path, 2, CHOSEN)
    assert [what for what, _ in waits(memory)] == ["Use bun instead of npm."]
    told(memory, tmp_path, 3, OTHERWISE)
    assert [what for what, _ in waits(memory)] == ["Use npm instead of bun."]


def test_an_older_word_that_comes_in_late_does_not_wait_beside_the_later_one(open_memory: OpenMemory, tmp_path) -> None:
    memory = open_memory()
    told(memory, tmp_path, 5, OTHERWISE)
    told(memory, tmp_path, 2, CHOSEN)
    assert [what for what, _ in waits(memory)] == ["Use npm instead of bun."]


def test_days_that_were_meant_from_a_message_are_written_out_and_the_quote_stays(
    open_memory: OpenMemory, tmp_path
) -> None:
    memory = open_memory()
    told(memory, tmp_path, 16, "no, since last week we deploy to Render, not to Fly")
    [entry] = memory.entries.list(everywhere=True, layer="L1")
    assert entry.content == "Since the week of 2026-11-09 we deploy to Render, not to Fly."
    assert entry.citations[0].quote == "no, since last week we deploy to Render, not to Fly"


def test_a_change_that_may_be_about_something_stored_is_used_and_both_are_shown(
    open_memory: OpenMemory, tmp_path
) -> None:
    memory = open_memory()
    told(memory, tmp_path, 2, "Remember that staging is wiped and reseeded every night at 02:00 UTC.")
    told(memory, tmp_path, 3, "hold on, the staging reset happens at 04:00 UTC these days")
    [(new, old)] = memory.entries.conflicts()
    assert "04:00" in new.content
    assert "02:00" in old.content
    found = memory.recall("when is staging reset, 02:00 UTC?", everywhere=True).found
    assert [one.entry.entry_id for one in found.entries if one.entry.layer == "L1"] == [new.entry_id]
