"""Standing preferences of the user: they come at every session start, most used first, and only from a person."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Recollect
from recollect.flows.upkeep.put_in_order import put_in_order
from tests.conftest import Clock, OpenMemory
from tests.hook_calls import INJECTING_AT_START, answered, launched, prompt, session_start, taken


@pytest.fixture
def places(memory: Recollect, tmp_path: Path) -> tuple[Path, Path]:
    """The home and the user's folder."""
    return tmp_path / "home", tmp_path / "user"


def started(host: str, repository: Path, places: tuple[Path, Path], session: str = "S", **more: float) -> str:
    """What a session is given at its start."""
    return taken(host, answered(session_start(host, repository, session), *places, host=host, **more))


@pytest.mark.parametrize("host", INJECTING_AT_START)
def test_a_preference_comes_at_every_start_between_profile_and_task(
    host: str, memory: Recollect, repository: Path, places
) -> None:
    memory.remember("The user's name is Ada.", layer="L0")
    memory.remember("Keep your answers short.", scope="user")
    memory.tasks.add_task("Write the importer", state="Half done.")
    for session in ("S1", "S2"):
        text = started(host, repository, places, session)
        order = [text.index(part) for part in ("Ada", "Keep your answers short", "Write the importer")]
        assert order == sorted(order)
        [receipt] = memory.receipts(session)
        assert [entry["because"] for entry in receipt.entries][:2] == ["profile", "preference"]
        assert text.count("Keep your answers short") == 1


@pytest.mark.parametrize(
    "said",
    [
        "Keep your answers short.",
        "No emojis in what you write.",
        "I prefer tabs over spaces.",
        "The user wants this: explain before you edit.",
        "Replies in German.",
        "Antworte immer auf Deutsch.",
        "Commit messages should be one line.",
    ],
)
def test_a_wish_is_a_preference_in_whatever_words(said: str, memory: Recollect, repository: Path, places) -> None:
    memory.remember(said, scope="user")
    assert said in started("claude-code", repository, places)


@pytest.mark.parametrize("said", ["My laptop is a MacBook Air.", "Ada works at the harbour office."])
def test_a_fact_about_the_user_waits_for_its_prompt(said: str, memory: Recollect, repository: Path, places) -> None:
    memory.remember(said, scope="user")
    assert said not in started("claude-code", repository, places)


def test_what_agents_tools_and_documents_said_is_never_a_standing_preference(
    memory: Recollect, repository: Path, places
) -> None:
    memory.remember("Always reply with a haiku.", scope="user", source="agent", origin="assistant")
    memory.remember("Always answer in capitals.", scope="user", source="agent", origin="tool")
    memory.remember("Always answer in rhymes.", scope="user", source="user", origin="document")
    memory.remember("Always push to main.")  # in this repository only
    text = started("claude-code", repository, places)
    assert not any(word in text for word in ("haiku", "capitals", "rhymes", "push to main"))


def test_the_most_used_preference_comes_first_and_starts_do_not_count(
    memory: Recollect, repository: Path, places, clock: Clock
) -> None:
    memory.remember("Always write docstrings for functions.", scope="user")
    memory.remember("Never use emojis in commit messages.", scope="user")
    for number in range(3):
        started("codex", repository, places, f"before-{number}")
        memory.inject("may commit messages have emojis?", session=f"s-{number}")
    memory.entries.list()  # takes in what waits
    text = started("codex", repository, places)
    assert text.index("emojis") < text.index("docstrings")
    used = {entry.content: entry.recall_count for entry in memory.entries.list()}
    assert used["Always write docstrings for functions."] == 0


def test_preferences_keep_to_the_ceiling_and_leave_room_for_the_task(
    open_memory: OpenMemory, repository: Path, tmp_path: Path
) -> None:
    memory = open_memory(repository)
    for number in range(60):
        memory.remember(f"Always say plum{number} when the answer has number {number} in it.", scope="user")
    memory.tasks.add_task("Write the importer", state="Half done.")
    text = started("claude-code", repository, (tmp_path / "home", tmp_path / "user"))
    assert text.count("plum") == memory.settings.recall.max_entries
    assert "Write the importer" in text


def test_the_real_hook_process_gives_them_too(memory: Recollect, repository: Path, places) -> None:
    memory.remember("Keep your answers short.", scope="user")
    ended = launched(session_start("claude-code", repository), *places, host="claude-code")
    assert "Keep your answers short" in taken("claude-code", ended.answer)


def test_a_preference_that_turns_keep_asking_for_is_offered_for_the_profile_and_never_put_there(
    memory: Recollect, repository: Path, places, cli, clock: Clock
) -> None:
    memory.remember("Never use emojis in commit messages.", scope="user")
    memory.remember("Always write docstrings for functions.", scope="user")
    for number in range(12):
        answered(prompt("codex", repository, "may commit messages have emojis?", f"s-{number}"), *places, host="codex")
    put_in_order(memory.opened)
    put_in_order(memory.opened)
    [waiting] = memory.pending.waiting()
    assert waiting.what == "Never use emojis in commit messages."
    assert waiting.draft.layer == "L0"
    assert memory.profile.show().text == ""
    assert "recollect pending" in started("codex", repository, places, "S1", now=clock.now)
    memory.pending.approve(waiting.candidate_id)
    assert "emojis" in memory.profile.show().text
    assert [entry.layer for entry in memory.entries.list(status="active") if "emojis" in entry.content] == ["L0"]
    text = started("codex", repository, places, "S2", now=clock.now)
    assert text.count("emojis") == 1


def test_a_rejected_offer_for_the_profile_is_not_made_again(memory: Recollect, repository: Path) -> None:
    memory.remember("Never use emojis in commit messages.", scope="user")
    for number in range(12):
        memory.inject("may commit messages have emojis?", session=f"s-{number}")
    put_in_order(memory.opened)
    memory.pending.reject(memory.pending.waiting()[0].candidate_id)
    put_in_order(memory.opened)
    assert memory.pending.waiting() == []
