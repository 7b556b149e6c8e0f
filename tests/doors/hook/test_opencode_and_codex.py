"""What the real opencode and Codex do that a script of their hooks does not tell: quotes, titles, resumed sessions."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from recollect import Recollect
from recollect.files.home import Home
from recollect.flows.hooks.answer_hook import Clock
from recollect.flows.hooks.respond import respond
from recollect.hosts.opencode.messages import Message, session_events
from recollect.hosts.opencode.wire import parse
from recollect.model.sessions import Said
from tests.hook_calls import session_start


def context_of(host: str, said: dict[str, Any], home: Path, now: float) -> str:
    """What a host takes out of the answer to a call."""
    words = ["--host", host]
    reply = respond(
        words, json.dumps(said).encode(), home=Home(str(home)), environ={"HOME": str(home)}, clock=Clock(30), now=now
    )
    answer = json.loads(reply.data)
    return str(answer.get("context") or answer.get("hookSpecificOutput", {}).get("additionalContext", ""))


@pytest.fixture
def home(memory: Recollect, tmp_path: Path) -> Path:
    memory.profile.set_section("language", "Answer in English.")
    return tmp_path / "home"


@pytest.mark.parametrize(
    ("handed_over", "typed"),
    [
        ('"install the packages with npm"', "install the packages with npm"),
        (r'"say \"hello\" to them"', 'say "hello" to them'),
        ("build", "build"),
        ('"build"', '"build"'),  # one word is never put in quotes by the host
        ('say "no" and "yes please"', 'say "no" and "yes please"'),
        ('"first words" and "last words"', '"first words" and "last words"'),
        ('""two pairs here""', '""two pairs here""'),
    ],
)
def test_the_quotes_that_opencode_run_puts_around_a_prompt_are_not_a_quotation(handed_over: str, typed: str) -> None:
    assert parse({"event": "prompt", "prompt": handed_over}, {}).prompt == typed
    message = Message({"id": "m", "role": "user"}, ({"type": "text", "text": handed_over},))
    assert [one.text for one in session_events({"id": "ses_1"}, [message]) if isinstance(one, Said)] == [typed]


def test_a_session_that_opencode_resumes_at_once_gets_its_start_again(home: Path, repository: Path) -> None:
    starts = [
        {**session_start("opencode", repository, "ses_1"), "source": "startup", "turn": f"process {pid}"}
        for pid in (1, 1, 2)
    ]
    first, same_process, resumed = (context_of("opencode", said, home, time.time()) for said in starts)
    assert "Answer in English." in first
    assert same_process == "", "two copies of the plugin in one process"
    assert resumed == first


def test_a_session_that_codex_resumes_has_its_start_already(home: Path, repository: Path, clock) -> None:
    first = context_of("codex", session_start("codex", repository, "T1"), home, clock())
    assert "Answer in English." in first
    assert context_of("codex", session_start("codex", repository, "T1", "resume"), home, clock() + 600) == ""
    again = context_of("codex", session_start("codex", repository, "T1", "compact"), home, clock() + 900)
    assert "Answer in English." in again, "a compaction took it away"


def test_a_session_of_codex_from_before_recollect_gets_its_start_when_it_is_resumed(home, repository, clock) -> None:
    given = context_of("codex", session_start("codex", repository, "T0", "resume"), home, clock())
    assert "Answer in English." in given
    assert context_of("codex", session_start("codex", repository, "T0", "resume"), home, clock() + 600) == ""
