"""What a session was given and still has before it does not come again, and the receipt says so."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import pytest

from recollect import Recollect
from recollect.model.receipts import GIVEN_BEFORE
from tests import hook_calls
from tests.hook_calls import INJECTING_AT_PROMPT, answered, launched, pre_compact, session_start, taken

ASKED = "what is the deploy target?"
_numbers = count(1)


@pytest.fixture
def places(memory: Recollect, tmp_path: Path) -> tuple[Path, Path]:
    """The home and the user's folder."""
    return tmp_path / "home", tmp_path / "user"


def prompt(host: str, repository: Path, text: str = ASKED, session: str = "S") -> dict[str, Any]:
    """A prompt that was never asked in the same words: a host that tells of one twice gets one answer."""
    return hook_calls.prompt(host, repository, f"{text} ({next(_numbers)})", session)


@pytest.mark.parametrize("host", INJECTING_AT_PROMPT)
def test_a_second_prompt_is_not_given_the_same_again_and_the_receipt_says_so(
    host: str, memory: Recollect, repository: Path, places
) -> None:
    kept = memory.remember("The deploy target is Fly.io.").entry_id
    assert "Fly.io" in taken(host, answered(prompt(host, repository), *places, host=host))
    answer = answered(prompt(host, repository), *places, host=host)
    assert "Fly.io" not in taken(host, answer)
    receipt = memory.why(session="S")
    assert receipt.entries == []
    assert {"id": kept, "why": GIVEN_BEFORE}.items() <= receipt.left_out[0].items()
    assert "Fly.io" in taken(host, answered(prompt(host, repository, session="T"), *places, host=host))


def test_it_holds_in_real_processes_and_after_the_receipts_were_stored(
    memory: Recollect, repository: Path, places, cli
) -> None:
    memory.remember("The deploy target is Fly.io.")
    first = launched(prompt("claude-code", repository), *places, host="claude-code")
    assert "Fly.io" in taken("claude-code", first.answer)
    assert launched(prompt("claude-code", repository), *places, host="claude-code").answer == {}
    memory.opened.take_in()
    assert launched(prompt("claude-code", repository), *places, host="claude-code").answer == {}
    assert GIVEN_BEFORE in cli("why", "--session", "S").out


@pytest.mark.parametrize("host", [host for host in INJECTING_AT_PROMPT if host != "pi"])
def test_a_compaction_makes_it_due_again(host: str, memory: Recollect, repository: Path, places) -> None:
    memory.remember("The deploy target is Fly.io.")
    answered(prompt(host, repository), *places, host=host)
    answered(pre_compact(host, repository), *places, host=host)
    assert "Fly.io" in taken(host, answered(prompt(host, repository), *places, host=host))
    assert "Fly.io" not in taken(host, answered(prompt(host, repository), *places, host=host))


def test_what_the_start_after_a_compaction_gave_does_not_come_with_the_next_prompt(
    memory: Recollect, repository: Path, places
) -> None:
    memory.remember("The deploy target is Fly.io.")
    answered(prompt("claude-code", repository), *places)
    answered(pre_compact("claude-code", repository), *places)
    start = {**session_start("claude-code", repository), "source": "compact"}
    assert "Fly.io" in taken("claude-code", answered(start, *places))
    assert answered(prompt("claude-code", repository), *places) == {}


def test_a_session_that_is_resumed_still_has_it(memory: Recollect, repository: Path, places) -> None:
    memory.remember("The deploy target is Fly.io.")
    answered(session_start("claude-code", repository), *places)
    answered(prompt("claude-code", repository), *places)
    answered({**session_start("claude-code", repository), "source": "resume"}, *places)
    assert answered(prompt("claude-code", repository), *places) == {}


def test_an_entry_that_changed_comes_again(memory: Recollect, repository: Path, places) -> None:
    kept = memory.remember("The deploy target is Fly.io.").entry_id
    answered(prompt("codex", repository), *places, host="codex")
    memory.edit(kept, text="The deploy target is Fly.io in Paris.")
    assert "Paris" in taken("codex", answered(prompt("codex", repository), *places, host="codex"))
    memory.correct("The deploy target is Railway.")
    assert "Railway" in taken("codex", answered(prompt("codex", repository), *places, host="codex"))
    assert taken("codex", answered(prompt("codex", repository), *places, host="codex")) == ""


def test_a_preference_that_stands_at_the_start_does_not_come_with_a_prompt(
    memory: Recollect, repository: Path, places
) -> None:
    memory.remember("Never use emojis in commit messages.", scope="user")
    answered(session_start("codex", repository), *places, host="codex")
    asked = prompt("codex", repository, "may commit messages have emojis?")
    assert taken("codex", answered(asked, *places, host="codex")) == ""
    memory.entries.list()  # takes in what waits
    [entry] = memory.entries.list()
    assert entry.recall_count == 1, "a prompt asked for it, so it was of use"


def test_what_had_no_room_comes_with_the_next_prompt(memory: Recollect, repository: Path, places) -> None:
    for number in range(12):
        memory.remember(f"Deploy region {number} is called zone{number}.", aliases=["deploy region"])
    first = taken("codex", answered(prompt("codex", repository, "which deploy region is it?"), *places, host="codex"))
    rest = taken("codex", answered(prompt("codex", repository, "which deploy region is it?"), *places, host="codex"))
    assert first.count("Deploy region") == 8
    assert rest.count("Deploy region") == 4


def test_what_came_too_late_for_the_host_is_due_again(memory: Recollect, repository: Path, places) -> None:
    memory.remember("The deploy target is Fly.io.")
    said = prompt("codex", repository)
    late = hook_calls.heard(said, *places, host="codex", limit=0.0)
    assert late.answered.text == ""
    assert "Fly.io" in taken("codex", answered(prompt("codex", repository), *places, host="codex"))


def test_a_session_without_a_name_and_a_question_get_everything(memory: Recollect) -> None:
    memory.remember("The deploy target is Fly.io.")
    for _ in range(2):
        assert "Fly.io" in memory.inject(ASKED).text
        assert len(memory.recall(ASKED, session="S").entries) == 1


def test_text_that_does_not_stay_in_the_conversation_comes_every_time(memory: Recollect) -> None:
    memory.remember("The deploy target is Fly.io.")
    for _ in range(2):
        assert "Fly.io" in memory.inject(ASKED, session="S", stays=False).text
