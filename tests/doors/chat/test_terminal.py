"""The chat in a real terminal (tmux): one long conversation, and what it looks like."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import Recollect
from recollect.providers.scripted import GOOD_SUMMARY
from tests.chat_picture import PICTURE, drawn, screen
from tests.command_line import RECOLLECT, clean_environment
from tests.conftest import make_repository
from tests.picture import words
from tests.tmux import CHAT_IDLE as IDLE
from tests.tmux import CHAT_WORKING as WORKING
from tests.tmux import Pane, Tmux, tmux

STORE = {"subject": "tests", "fact": "The suite needs Redis.", "citations": ["a.py"], "reason": "it failed without", "scope": "user"}  # fmt: skip
VOTE = {"fact": "The user likes tabs.", "direction": "downvote", "reason": "a.py has spaces"}
TODOS = [{"text": "read a.py", "status": "completed"}, {"text": "change it", "status": "in_progress"}]
SCRIPT = [
    {"when": "You write summaries of coding sessions", "say": GOOD_SUMMARY, "until": "summary"},
    {"last": "pnpm or yarn", "say": "pnpm, says memory."},
    {"last": "npm or yarn", "say": "npm, says memory."},
    {"last": "not npm", "say": "pnpm, then."},
    {"last": "store it", "say": "I keep that.", "calls": [["store_memory", STORE]]},
    {"last": "Stored.", "say": "It is stored."},
    {"last": "vote on it", "calls": [["vote_memory", VOTE]]},
    {"last": "The user said no.", "say": "All right."},
    {"last": "plan it", "calls": [["todo", {"todos": TODOS}], ["skill", {"name": "release"}]]},
    {"last": "Tag it, then push.", "say": "Planned, [bold]with the skill[/bold]."},
    {"last": "change a.py", "calls": [["edit", {"path": "a.py", "old": "one = 1", "new": "one = 2"}]]},
    {"last": "Changed a.py.", "say": "One is two now."},
    {"last": "other long lines", "say": "Read that too."},
    {"last": "read other.txt", "calls": [["read_file", {"path": "other.txt"}]]},
    {"last": "a long line", "say": "Read it."},
    {"last": "read big.txt", "calls": [["read_file", {"path": "big.txt"}]]},
    {"last": "slowly", "pieces": [f"part {number} " for number in range(40)], "seconds": 0.3},
    {"last": "run it", "calls": [["run", {"command": "sleep 60"}]]},
    {"say": "Yes."},
]
WINDOW, SMALL = 9_000, 6_000


class Place:
    """A repository, a home and a model, and chats in one terminal."""

    def __init__(self, server: Tmux, folder: Path, repository: Path, script: Path) -> None:
        self.server = server
        self.home = folder / "home"
        self.repository = repository
        self.script = script

    def chat(self, *words: str, **variables: str) -> Pane:
        command = [RECOLLECT, "chat", "--model", f"scripted:{self.script}", *words]
        return self.server.open(command, self.repository, rows=40, variables=variables)

    def memory(self) -> Recollect:
        return Recollect.open(str(self.home), folder=str(self.repository))

    def active(self) -> list[str]:
        with self.memory() as memory:
            return sorted(one.content for one in memory.entries.list(status="active") if one.layer == "L1")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("chat")
    repository = make_repository(folder / "app")
    (repository / "a.py").write_text("one = 1\n")
    skill = repository / ".claude" / "skills" / "release"
    skill.mkdir(parents=True)
    (skill / "SKILL.md").write_text("---\nname: release\ndescription: How to release\n---\nTag it, then push.\n")
    (folder / "user").mkdir()
    script, small = folder / "script.json", folder / "small.json"
    (repository / "big.txt").write_text("a long line of words\n" * 270)
    (repository / "other.txt").write_text("other long lines\n" * 320)
    for path in (script, small):
        path.write_text(json.dumps(SCRIPT).replace('"summary"', json.dumps(str(folder / "summary"))))
    limits = f"{script}={WINDOW},{small}={SMALL}"
    environ = clean_environment(folder / "home", folder / "user", RECOLLECT_COMPACTION__LIMIT_TOKENS=limits)
    with tmux(folder, environ) as server:
        made = Place(server, folder, repository, script)
        with made.memory() as memory:
            memory.remember("We use npm.")
            memory.remember("The user likes tabs.", scope="user")
        yield made


def lines(screen: str) -> list[str]:
    return [line for line in screen.splitlines() if line.strip()]


def test_a_conversation_from_its_start_to_a_kill_and_on(place: Place) -> None:
    chat = place.chat()
    shown = chat.until("◆ Recollect", "◆ 1 memory at the start", bottom=IDLE)
    assert all(len(line) <= 80 for line in shown.splitlines())

    # Memory comes with a prompt, a correction applies at once, and the next prompt uses it.
    chat.say("do we use npm or yarn?", "◆ 1 memory, ", "npm, says memory.")
    chat.say("No, we use pnpm, not npm.", "◆ Corrected: We use pnpm. (undo: recollect undo", "pnpm, then.")
    assert "We use pnpm." in place.active()
    chat.say("do we use pnpm or yarn?", "pnpm, says memory.")
    chat.say("/why", "We use pnpm.")

    # A store shows fact, citations and scope; a vote its direction and reason.
    asked = lines(chat.say("store it", "Allow it?", bottom=WORKING))
    asked = asked[asked.index("? Remember: The suite needs Redis.") :]
    assert asked[:5] == [
        "? Remember: The suite needs Redis.",
        "  Reason: it failed without",
        "  Citations: a.py",
        "  Scope: everywhere",
        "  Asked because it would hold everywhere and was not found in what was typed.",
    ]
    assert "The suite needs Redis." not in place.active()
    chat.press("stop")  # a word that begins with the key for the whole session allows nothing
    chat.until("Allow it?", "› stop")
    chat.press("BSpace", "BSpace", "BSpace", "BSpace")
    chat.until("Allow it?", gone="› stop")
    assert "The suite needs Redis." not in place.active()
    chat.press("y")
    chat.until("· Allowed once.", "It is stored.", bottom=IDLE)
    assert "The suite needs Redis." in place.active()
    vote = ("? Vote on: The user likes tabs.", "  Vote: down", "  Reason: a.py has spaces", "Allow it?")
    chat.say("vote on it", *vote, bottom=WORKING)
    chat.type("no")
    chat.until("All right.", after="› vote on it", bottom=IDLE)
    chat.say("/etc/hosts is a path and no command", "Yes.")

    # Todos, a skill, and a diff; what a model says is never markup.
    chat.say("plan it", "☑ read a.py", "▶ change it", "Planned, [bold]with the skill[/bold].")
    chat.say("change a.py", "  -one = 1", "  +one = 2", "Allow it?", bottom=WORKING)
    chat.press("s")
    chat.until("One is two now.", bottom=IDLE)
    assert (place.repository / "a.py").read_text() == "one = 2\n"

    # From 80 % on a summary is made in the background; at 95 % the turn waits for it, and Esc cancels both.
    chat.say("first, read big.txt", "Read it.")
    chat.say("again, read big.txt", "◇ Compacting the conversation.", "Read it.", bottom="% · compacting")
    chat.say("once more, read big.txt", "◇ The window is nearly full", bottom="% · waiting for compaction")
    chat.press("Escape")
    cancelled = ("◇ Compaction cancelled; nothing was changed.", "· Cancelled. What was said so far is kept.")
    chat.until(*cancelled, after="› once more", bottom=IDLE)
    chat.say("still there?", bottom="% · waiting for compaction")
    (place.home.parent / "summary").touch()
    chat.until("◇ Conversation compacted:", "Yes.", after="› still there?", bottom=IDLE)

    # A message that is typed during /compact is answered once it is done.
    chat.say("finally, read big.txt", "Read it.")
    (place.home.parent / "summary").unlink()
    chat.say("/compact", bottom="% · compacting")
    chat.say("are you done?", "Queued", bottom="1 queued")
    (place.home.parent / "summary").touch()
    chat.until("Yes.", after="› are you done?", bottom=IDLE)

    # The window by what fills it, and a model with a smaller one, which is asked about first.
    chat.say("/context", "of 9,000 tokens", "conversation ▰")
    chat.say("read other.txt", "Read that too.")
    smaller = f"/model scripted:{place.script.with_name('small.json')}"
    chat.say(smaller, "Go on?", "[y] yes", bottom=WORKING)
    chat.press("n")
    chat.until("The switch was declined; nothing was changed.", bottom=IDLE)
    chat.say(smaller, "Go on?", "[y] yes", bottom=WORKING)
    chat.press("y")
    chat.until("· Yes.", "◇ Conversation compacted:", "Now using", "6,000 tokens.", bottom=IDLE)

    # Rewind and undo; a message typed meanwhile; cancelling an answer and a tool.
    chat.say("/rewind", "/undo undoes it.")
    chat.say("/undo", "Undone:")
    chat.say("slowly", "part 2", bottom=WORKING)
    chat.say("and this one", "Queued", bottom="1 queued")
    chat.press("C-c")
    chat.until("Cancelled. What was said so far is kept.", "Not sent: and this one", after="› and this", bottom=IDLE)
    chat.say("run it", "Allow it?", bottom=WORKING)
    chat.press("y")
    chat.until("· Allowed once.", after="› run it")
    os.kill(chat.pid, signal.SIGKILL)

    # After the kill everything is there: the list, what was said, and the call that was cut off.
    again = place.chat("--continue")
    again.until("▶ change it", "› run it", bottom=IDLE)
    again.say("go on", "Yes.")
    again.press("C-d")
    assert "◆ Recollect" in again.ended()
    assert all(len(line) <= 80 for line in again.screen(scrollback=True).splitlines())


def test_two_chats_in_one_repository_at_once(place: Place) -> None:
    one, two = place.chat(), place.chat(NO_COLOR="1")
    one.until("◆ Recollect", bottom=IDLE)
    two.until("◆ Recollect", bottom=IDLE)
    one.say("Please remember that the staging server is called Hilda.", "◆ Remembered", "Yes.")
    two.say("what is the staging server called?", "◆ 1 memory, ", "Yes.")
    assert not re.search(r"\x1b\[[0-9;]*3[0-7]", two.coloured()), "no colour"
    for chat in (one, two):
        chat.type("/quit")
        chat.ended()
    with place.memory() as memory:
        last = [turns for _, turns in memory.own_sessions.listed()[:2]]
    assert last == [1, 1]


def test_without_a_model_it_says_what_works(place: Place) -> None:
    chat = place.server.open([RECOLLECT, "chat"], place.repository)
    shown = lines(
        chat.until(
            "No model is configured", "recollect models use", "Without one, the interactive chat offers", bottom=IDLE
        )
    )
    assert len(shown[1 : shown.index("›")]) == 3 + 1, "three lines, and what memory gave"
    chat.say("/profile")
    chat.say("/nothing", "There is no command /nothing; /help lists them.")
    chat.press("/", "co", "Tab")
    chat.until("/compact", "/context")
    chat.press("C-c")
    chat.until("›", gone="/context ")
    chat.press("one", "M-Enter", "two")
    chat.until("› one\n  two")
    chat.press("C-c")
    chat.until(gone="› one\n")
    chat.paste("first [bold]line\nsecond line")
    chat.until("› first [bold]line\n  second line")
    chat.press("C-c", "@a.p", "Tab")
    chat.until("› @a.py")
    chat.press("C-c", "Up")
    chat.until("› /nothing")
    chat.press("C-c", "C-d")
    chat.ended()


def test_the_picture_in_the_docs_is_what_the_terminal_shows() -> None:
    assert words(drawn(screen())) == words(PICTURE.read_text()), "draw it anew: python -m tests.chat_picture"
