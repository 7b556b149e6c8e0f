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
    shown = chat.until("◆ Recollect", "◆ 1 memory at the start", "%")
    assert all(len(line) <= 80 for line in shown.splitlines())

    # Memory comes with a prompt, a correction applies at once, and the next prompt uses it.
    chat.type("do we use npm or yarn?")
    chat.until("◆ 1 memory, ", "npm, says memory.", bottom=IDLE)
    chat.type("No, we use pnpm, not npm.")
    shown = chat.until("◆ Corrected: We use pnpm. (undo: recollect undo", "pnpm, then.", bottom=IDLE)
    assert "We use pnpm." in place.active()
    chat.type("do we use pnpm or yarn?")
    chat.until("pnpm, says memory.", bottom=IDLE)
    chat.type("/why")
    chat.until("We use pnpm.")

    # A store shows fact, citations and scope; a vote its direction and reason.
    chat.type("store it")
    shown = chat.until("Allow it?", "Asked because it would hold everywhere")
    asked = lines(shown)[lines(shown).index("? Remember: The suite needs Redis.") :]
    assert asked[:5] == [
        "? Remember: The suite needs Redis.",
        "  Reason: it failed without",
        "  Citations: a.py",
        "  Scope: everywhere",
        "  Asked because it would hold everywhere and was not found in what was typed.",
    ]
    assert "The suite needs Redis." not in place.active()
    wait_a_moment(chat)
    chat.press("stop")  # a word that begins with the key for the whole session allows nothing
    chat.until("Allow it?", "› stop")
    assert "The suite needs Redis." not in place.active()
    chat.press("BSpace", "BSpace", "BSpace", "BSpace")
    chat.until("Allow it?", gone="› stop")
    chat.press("y")
    chat.until("· Allowed once.", "It is stored.", bottom=IDLE)
    assert "The suite needs Redis." in place.active()
    chat.type("vote on it")
    chat.until("? Vote on: The user likes tabs.", "  Vote: down", "  Reason: a.py has spaces", "Allow it?")
    wait_a_moment(chat)
    chat.type("no")
    chat.until("All right.", bottom=IDLE)
    chat.type("/etc/hosts is a path and no command")
    chat.until("Yes.", after="› /etc/hosts", bottom=IDLE)

    # Todos, a skill, and a diff; what a model says is never markup.
    chat.type("plan it")
    chat.until("☑ read a.py", "▶ change it", "Planned, [bold]with the skill[/bold].", bottom=IDLE)
    chat.type("change a.py")
    chat.until("  -one = 1", "  +one = 2", "Allow it?")
    wait_a_moment(chat)
    chat.press("s")
    chat.until("One is two now.", bottom=IDLE)
    assert (place.repository / "a.py").read_text() == "one = 2\n"

    # From 80 % on a summary is made in the background; at 95 % the turn waits for it, and Esc cancels both.
    chat.type("first, read big.txt")
    chat.until("Read it.", after="› first, read big.txt", bottom=IDLE)
    chat.type("again, read big.txt")
    chat.until("◇ Compacting the conversation.", "Read it.", after="› again", bottom="% · compacting")
    chat.type("once more, read big.txt")
    chat.until("◇ The window is nearly full", "% · waiting for compaction")
    chat.press("Escape")
    chat.until(
        "◇ Compaction cancelled; nothing was changed.", "· Cancelled. What was said so far is kept.", bottom=IDLE
    )
    chat.type("still there?")
    chat.until("% · waiting for compaction")
    (place.home.parent / "summary").touch()
    chat.until("◇ Conversation compacted:", "Yes.", after="› still there?", bottom=IDLE)

    # A message that is typed during /compact is answered once it is done.
    chat.type("finally, read big.txt")
    chat.until("Read it.", after="› finally, read big.txt", bottom=IDLE)
    (place.home.parent / "summary").unlink()
    chat.type("/compact")
    chat.until("› /compact", "% · compacting")
    chat.type("are you done?")
    chat.until("1 queued")
    (place.home.parent / "summary").touch()
    chat.until("Yes.", after="› are you done?", bottom=IDLE)

    # The window by what fills it, and a model with a smaller one, which is asked about first.
    chat.type("/context")
    chat.until("of 9,000 tokens", "conversation ▰")
    chat.type("read other.txt")
    chat.until("Read that too.", bottom=IDLE)
    chat.type(f"/model scripted:{place.script.with_name('small.json')}")
    chat.until("Go on?", "[y] yes")
    wait_a_moment(chat)
    chat.press("n")
    chat.until("The switch was declined; nothing was changed.")
    chat.type(f"/model scripted:{place.script.with_name('small.json')}")
    chat.until("Go on?\n[y] yes", after="declined; nothing was changed.")
    wait_a_moment(chat)
    chat.press("y")
    chat.until("· Yes.", "◇ Conversation compacted:", "Now using", "6,000 tokens.")

    # Rewind and undo; a message typed meanwhile; cancelling an answer and a tool.
    chat.type("/rewind")
    chat.until("/undo undoes it.")
    chat.type("/undo")
    chat.until("Undone:")
    chat.type("slowly")
    chat.until("part 2")
    chat.type("and this one")
    chat.until("1 queued")
    chat.press("C-c")
    chat.until("Cancelled. What was said so far is kept.", "Not sent: and this one", bottom=IDLE)
    chat.type("run it")
    chat.until("Allow it?")
    wait_a_moment(chat)
    chat.press("y")
    chat.until("· Allowed once.")
    os.kill(chat.pid, signal.SIGKILL)

    # After the kill everything is there: the list, what was said, and the call that was cut off.
    again = place.chat("--continue")
    again.until("▶ change it", "› run it")
    again.type("go on")
    again.until("Yes.", after="› go on", bottom=IDLE)
    again.press("C-d")
    assert "◆ Recollect" in again.ended()
    assert all(len(line) <= 80 for line in again.screen(scrollback=True).splitlines())


def wait_a_moment(chat: Pane) -> None:
    """A question that has just come up takes no key."""
    import time

    time.sleep(0.4)


def test_two_chats_in_one_repository_at_once(place: Place) -> None:
    one, two = place.chat(), place.chat(NO_COLOR="1")
    one.until("◆ Recollect", "%")
    two.until("◆ Recollect", "%")
    one.type("Please remember that the staging server is called Hilda.")
    one.until("◆ Remembered", bottom=IDLE)
    two.type("what is the staging server called?")
    two.until("◆ 1 memory, ", "Yes.", bottom=IDLE)
    assert not re.search(r"\x1b\[[0-9;]*3[0-7]", two.coloured()), "no colour"
    for chat in (one, two):
        chat.type("/quit")
        chat.ended()
    with place.memory() as memory:
        last = [turns for _, turns in memory.own_sessions.listed()[:2]]
    assert last == [1, 1]


def test_without_a_model_it_says_what_works(place: Place) -> None:
    chat = place.server.open([RECOLLECT, "chat"], place.repository)
    chat.until("No model is configured", "recollect models use", "Without one these work", "%")
    chat.type("/profile")
    chat.until("› /profile")
    chat.type("/nothing")
    chat.until("There is no command /nothing; /help lists them.")
    chat.press("/", "co", "Tab")
    chat.until("/compact", "/context")
    chat.press("C-c")
    chat.until("›", gone="/context ")
    chat.press("one", "M-Enter", "two")
    chat.until("› one\n  two")
    chat.press("C-c")
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
