"""The lines of one chat with Aider: what the user typed, what Aider reported, what the model answered."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recollect.hosts.reading import clip
from recollect.hosts.wrappers import typed_text
from recollect.model.record import Record
from recollect.model.sessions import Answered, Called, Returned, Said, Spent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recollect.model.sessions import Event

TOOLS: dict[str, tuple[str, str]] = {
    "run": ("command", "command"),
    "test": ("command", "command"),
    "git": ("command", "command"),
    "lint": ("command", "command"),
    "edit": ("change", "path"),
    "web": ("read", "url"),
    "commit": ("other", "commit"),
}
USER, REPORT, ANSWER = "user", "report", "answer"
_PROSE = frozenset(("ask", "code", "architect", "context", "help", "ok"))
_RUNS = frozenset(("run", "test", "git", "lint", "web"))
# What Aider itself sends to the model in the user's place.
_AUTOMATIC = (
    "# Fix any errors below, if possible.",
    "The LLM did not conform to the edit format.",
    "# Question: ",
    "I ran this command:",
    "I added these files to the chat: ",
    "I've written your instructions in comments in the code",
    'The "AI" comments below',
    "I did `git reset --hard HEAD~1`",
    "Here is the content of http",
)
_UNMATCHED = re.compile(r"# \d+ SEARCH/REPLACE blocks? failed to match!")
_MODEL = re.compile(r"> (?:Main model|Models?|Model): (\S+) with ")
_VERSION = re.compile(r"> Aider v(\S+)")
_APPLIED = re.compile(r"Applied edit to (.+)")
_COMMITTED = re.compile(r"Commit ([0-9a-f]{7,40} \S.*)")
_TOKENS = re.compile(r"Tokens: ([\d.,]+)(k|M)? sent, (?:.*?, )?([\d.,]+)(k|M)? received")
_SCALE = {"": 1, "k": 1000, "M": 1_000_000}


class Block(Record):
    """Neighbouring lines of one kind, without their marks."""

    kind: str
    text: str


class Chat(Record):
    """One chat: its start as the file has it, and its lines."""

    started: str
    lines: tuple[str, ...]

    def version(self) -> str:
        return self._first(_VERSION)

    def model(self) -> str:
        return self._first(_MODEL)

    def _first(self, pattern: re.Pattern[str]) -> str:
        return next((found[1] for line in self.lines if (found := pattern.match(line))), "")


def chat_events(chat: Chat) -> Iterator[Event]:
    """The events of a chat. A command that asks the model for nothing says nothing."""
    running = ""
    asked = ""
    answered: list[str] = []
    spoken = False
    numbers = iter(range(1, len(chat.lines) + 1))
    for block in blocks(chat.lines):
        if block.kind == USER:
            running = ""
            spoken = True
            name, words = _command(block.text)
            if name in _RUNS:
                running = f"{name}-{next(numbers)}"
                yield Called(running, name, {TOOLS[name][1]: words})
            # An architect's plan is handed to the editor as if it had been typed.
            elif (said := _typed(name, words)) and said != asked and said.split() != answered:
                yield Said(said)
            # Aider repeats the words of /ask as a message of their own.
            asked = words if name in _PROSE else ""
        elif block.kind == REPORT:
            if running:
                yield Returned(running, clip(block.text))
                running = ""
            yield from _report_events(block.text, numbers)
        elif spoken:
            asked, answered = "", block.text.split()
            yield Answered(block.text)


def _command(text: str) -> tuple[str, str]:
    """The name and the words of a slash command; a shell's `!` is /run; no name for plain words."""
    text = text.strip()
    if text.startswith("!"):
        return "run", text[1:].strip()
    found = re.match(r"/([a-z][\w-]*)(?:\s+(.*))?$", text, re.DOTALL)
    if found is None:
        return "", text
    return found[1], (found[2] or "").strip()


def _typed(name: str, words: str) -> str:
    is_automatic = words.startswith(_AUTOMATIC) or _UNMATCHED.match(words) or words == "<blank>"
    if (name and name not in _PROSE) or is_automatic:
        return ""
    return typed_text(words)


def _report_events(text: str, numbers: Iterator[int]) -> Iterator[Event]:
    for line in text.split("\n"):
        if applied := _APPLIED.fullmatch(line.strip()):
            call_id = f"edit-{next(numbers)}"
            yield Called(call_id, "edit", {"path": applied[1]})
            yield Returned(call_id, line.strip(), ok=True, paths=(applied[1],))
        elif committed := _COMMITTED.fullmatch(line.strip()):
            call_id = f"commit-{next(numbers)}"
            yield Called(call_id, "commit", {"commit": committed[1]})
            yield Returned(call_id, line.strip(), ok=True)
        elif tokens := _TOKENS.match(line):
            yield Spent(_count(tokens[1], tokens[2]), _count(tokens[3], tokens[4]))


def _count(digits: str, scale: str | None) -> int:
    try:
        return int(float(digits.replace(",", "")) * _SCALE[scale or ""])
    except (ValueError, OverflowError):
        return 0


def blocks(lines: tuple[str, ...]) -> Iterator[Block]:
    """The lines as blocks of one kind; empty lines part two of the user's messages and belong to answers."""
    marked = any(_is_user(line) and line.endswith("  ") for line in lines)
    kind = ""
    held: list[str] = []
    open_report = False
    for line in lines:
        now = _kind_of(line, kind, open_report, marked)
        open_report = now == REPORT and marked and not line.endswith("  ") and line != ">"
        if now != kind:
            yield from _block(kind, held)
            kind, held = now, []
        held.append(_unmarked(line, now))
    yield from _block(kind, held)


def _kind_of(line: str, before: str, open_report: bool, marked: bool) -> str:
    """The kind of a line; a report of several lines is marked on its first and ended on its last."""
    ended = line.endswith("  ") or not marked
    if _is_user(line) and ended:
        return USER
    if open_report:
        return REPORT
    if (line.startswith("> ") or line == ">") and (ended or before != ANSWER):
        return REPORT
    if not line.strip() and before != ANSWER:
        return ""
    return ANSWER


def _is_user(line: str) -> bool:
    return line == "####" or line.startswith("#### ")


def _unmarked(line: str, kind: str) -> str:
    if kind == USER:
        return line[4:].removeprefix(" ").rstrip()
    if kind == REPORT:
        return line.removeprefix(">").removeprefix(" ").rstrip()
    return line


def _block(kind: str, lines: list[str]) -> Iterator[Block]:
    text = "\n".join(lines).strip()
    if kind and text:
        yield Block(kind, text)
