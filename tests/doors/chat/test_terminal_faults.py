"""The chat in a real terminal (tmux) when things go wrong: kill -9 in the middle of everything, a model that refuses."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import Recollect
from recollect.providers.scripted import GOOD_SUMMARY
from tests.command_line import RECOLLECT, Done, clean_environment, process
from tests.conftest import make_repository
from tests.model_servers import Act, serving
from tests.tmux import CHAT_IDLE, CHAT_WORKING, Pane, Tmux, tmux

FACT = {"subject": "tests", "fact": "The suite needs Redis.", "citations": ["a.py"], "reason": "seen", "scope": "user"}
TODOS = [{"text": "read a.py", "status": "completed"}, {"text": "change it", "status": "in_progress"}]
NEVER = "/nothing/is/here"
SCRIPT = [
    {"when": "You write summaries of coding sessions", "say": GOOD_SUMMARY, "until": NEVER},
    {"last": "plan it", "say": "Here is the list.", "calls": [["todo", {"todos": TODOS}]]},
    {"last": "1 left to do", "say": "Never said.", "until": NEVER},
    {"last": "remember it", "calls": [["store_memory", FACT]]},
    {"last": "Stored.", "say": "Never said.", "until": NEVER},
    {"last": "change it", "calls": [["edit", {"path": "a.py", "old": "one = 1", "new": "one = 2"}]]},
    {"last": "Changed a.py.", "say": "Never said.", "until": NEVER},
    {"last": "run it", "calls": [["run", {"command": "sleep 60"}]]},
    {"last": "say it slowly", "pieces": [f"part {number} " for number in range(400)], "seconds": 0.3},
    {"last": "a long line", "say": "Read it."},
    {"last": "read big.txt", "calls": [["read_file", {"path": "big.txt"}]]},
    {"say": "Yes."},
]
# What is typed, what is shown then, what the last line says, and what is pressed and shown before the kill comes.
MOMENTS = [
    ("plan it", ["▶ change it"], CHAT_WORKING, "", ""),
    ("say it slowly", ["part 2"], CHAT_WORKING, "", ""),
    ("remember it", ["Allow it?"], CHAT_WORKING, "", ""),
    ("please remember it", ["Allow it?"], CHAT_WORKING, "y", "Stored."),
    ("change it", ["Allow it?"], CHAT_WORKING, "", ""),
    ("change it now", ["Allow it?"], CHAT_WORKING, "y", "· Allowed once."),
    ("run it", ["Allow it?"], CHAT_WORKING, "y", "· Allowed once."),
    ("read big.txt", ["Read it."], CHAT_IDLE, "", ""),
    ("again, read big.txt", ["Read it."], "compacting", "", ""),
    ("once more, read big.txt", ["The window is nearly full"], "waiting for compaction", "", ""),
]
SUMMARY = Act(GOOD_SUMMARY)


class Place:
    """A repository, a home, and chats in one terminal."""

    def __init__(self, server: Tmux, folder: Path, repository: Path) -> None:
        self.server = server
        self.home = folder / "home"
        self.repository = repository

    def chat(self, model: str, *words: str) -> Pane:
        return self.server.open([RECOLLECT, "chat", "--model", model, *words], self.repository, rows=40)

    def memory(self) -> Recollect:
        return Recollect.open(str(self.home), folder=str(self.repository))

    def typed(self) -> list[str]:
        """What was typed in the last chat, as its log has it."""
        with self.memory() as memory:
            (last, _), *_ = memory.own_sessions.listed()
            return [turn.user for turn in memory.own_sessions.show(last.session_id).turns]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    repository = make_repository(tmp_path / "app")
    (repository / "a.py").write_text("one = 1\n")
    (repository / "big.txt").write_text("a long line of words\n" * 270)
    (tmp_path / "user").mkdir()
    script = tmp_path / "script.json"
    script.write_text(json.dumps(SCRIPT))
    environ = clean_environment(
        tmp_path / "home", tmp_path / "user", RECOLLECT_COMPACTION__LIMIT_TOKENS=f"{script}=8600"
    )
    with tmux(tmp_path, environ) as server:
        yield Place(server, tmp_path, repository)


@pytest.mark.parametrize("killed", [False, True], ids=["left", "killed"])
def test_a_chat_without_a_word_is_no_session_and_can_still_be_resumed(place: Place, *, killed: bool) -> None:
    folder = place.home.parent
    model, environ = f"scripted:{folder / 'script.json'}", clean_environment(place.home, folder / "user")
    chat = place.chat(model)
    chat.until("◆ Recollect", bottom=CHAT_IDLE)
    if killed:
        os.kill(chat.pid, signal.SIGKILL)
    else:
        chat.press("C-d")
        chat.ended()

    def asked(*words: str) -> Done:
        return process([RECOLLECT, *words], place.repository, environ)

    assert asked("session", "list", "--all", "--json").json == []
    assert "No coding-agent sessions on this machine yet" in asked("up", "--no-serve").err
    assert asked("status", "--json").json["sessions"] == 0
    [name] = os.listdir(place.home / "sessions")
    chat = place.chat(model, "--resume", name)
    chat.until("◆ Recollect", bottom=CHAT_IDLE)
    chat.say("hello", "Yes.", bottom=CHAT_IDLE)
    os.kill(chat.pid, signal.SIGKILL)
    assert [one["id"] for one in asked("session", "list", "--all", "--json").json] == [name]
    assert asked("up", "--no-serve", "--json").json["imported"]["sessions"] == 1
    assert asked("status", "--json").json["sessions"] == 1


def test_killed_in_the_middle_of_anything_it_goes_on_with_all_that_was_acknowledged(place: Place) -> None:
    model = f"scripted:{place.home.parent / 'script.json'}"
    chat = place.chat(model)
    chat.until("◆ Recollect", bottom=CHAT_IDLE)
    typed = []
    for words, shown, bottom, key, then in MOMENTS:
        typed.append(words)
        chat.say(words, *shown, bottom=bottom)
        if key:
            chat.press(key)
            chat.until(then, after=f"› {words}")
        os.kill(chat.pid, signal.SIGKILL)
        chat = place.chat(model, "--continue")
        chat.until("◆ Recollect", "▶ change it", bottom=CHAT_IDLE)
        assert place.typed() == typed
    chat.say("/undo", "Undone:")
    os.kill(chat.pid, signal.SIGKILL)
    chat = place.chat(model, "--continue")
    chat.until("◆ Recollect", bottom=CHAT_IDLE)
    assert place.typed() == typed[:-1]
    with place.memory() as memory:
        assert [one.content for one in memory.entries.list(status="active")] == ["The suite needs Redis."]
    chat.say("are you there?", "Yes.", bottom="compacting")
    assert place.typed() == [*typed[:-1], "are you there?"]


def test_a_413_forces_a_compaction_which_can_be_cancelled_and_a_lost_answer_is_cleared(place: Place) -> None:
    long = Act("So much to say. " * 300)
    acts = (long, long, Act("Third."), Act(status=413), SUMMARY._replace(drip_seconds=0.5), SUMMARY)
    lost = Act("Half of an answer.", drip_seconds=0.01, cut=True)
    with serving("openai", *acts, Act("After all."), lost, Act("The whole answer.")) as server:
        chat = place.chat(server.spec)
        chat.until("◆ Recollect", bottom=CHAT_IDLE)
        for number in range(2):
            chat.say(f"question {number}", "So much to say.")
        chat.say("the third question", "Third.")
        chat.say("do you follow?", "too long for the model", "◇ Compacting", bottom="compact")
        server.until_asked(5)  # for the summary, which is answered slowly
        chat.press("Escape")
        chat.until("◇ Compaction cancelled; nothing was changed.", "· Cancelled.", bottom=CHAT_IDLE)
        chat.say("and now?", "◇ Conversation compacted:", "After all.")
        shown = chat.say("one more", "The whole answer.")
        assert "Half" not in shown
        assert "Asking again." in shown
        chat.press("C-d")
        chat.ended()
    assert place.typed()[-3:] == ["do you follow?", "and now?", "one more"]
