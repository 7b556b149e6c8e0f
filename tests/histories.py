"""Conversations for tests: made by hand, made by chance, and read from logs."""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path

from hypothesis import strategies as st

import recollect
from benchmarks.context_sessions import read_session
from recollect.context.pairs import PairCheck
from recollect.model.messages import Media, Message, Text, Thinking, ToolCall, ToolResult

# A folder with logs of coding agents; without it the invented sessions that ship with the package.
OWN_LOGS = os.environ.get("RECOLLECT_TEST_SESSIONS", "")
LOGS = OWN_LOGS or str(Path(recollect.__file__).parent / "sample")


def laws_ran_on(folder: str) -> str:
    """Which sessions the laws ran on, for the end of a run."""
    if folder:
        return f"The laws of compaction ran on the real sessions below {folder}."
    return "The laws of compaction ran on the sample, not on real sessions: RECOLLECT_TEST_SESSIONS may name a folder with logs."


def is_whole(messages) -> bool:
    """Whether every call has its result behind it and every result its call before it."""
    return PairCheck().whole(messages)


def system(text: str = "You are a coding agent.") -> Message:
    return Message("system", (Text(text),))


def user(text: str) -> Message:
    return Message("user", (Text(text),))


def assistant(text: str) -> Message:
    return Message("assistant", (Text(text),))


def call(call_id: str, name: str, **arguments: object) -> Message:
    return Message("assistant", (ToolCall(call_id, name, json.dumps(arguments)),))


def result(call_id: str, text: str, *, failed: bool = False) -> Message:
    return Message("tool", (ToolResult(call_id, (Text(text),), failed),))


def ran(number: int, command: str, output: str, *, failed: bool = False) -> list[Message]:
    return [call(f"c{number}", "bash", command=command), result(f"c{number}", output, failed=failed)]


def edited(number: int, path: str) -> list[Message]:
    return [call(f"e{number}", "edit", file_path=path, old_string="a", new_string="b"), result(f"e{number}", "done")]


def said(messages) -> str:
    """Everything in the messages as one text."""
    return "\n".join(_text(part) for message in messages for part in message.parts)


def _text(part) -> str:
    match part:
        case Text(text=text):
            return text
        case ToolCall(name=name, arguments=arguments):
            return f"{name} {arguments}"
        case ToolResult(parts=parts):
            return "\n".join(map(_text, parts))
    return ""


def long_session(turns: int = 40, filler: int = 400) -> list[Message]:
    """A session as they come: requests, edits, failing and passing tests, chatter."""
    messages = [system()]
    for turn in range(turns):
        messages.append(user(f"Request {turn}: change module {turn}. You must never touch vendor/lib{turn}.js."))
        messages += edited(turn, f"src/app/module_{turn}.py")
        messages += ran(
            1000 + turn, f"pytest tests/test_{turn}.py", f"E   AssertionError: {turn}\n" + "x " * filler, failed=True
        )
        messages += ran(2000 + turn, f"pytest -q tests/test_{turn}.py", "1 passed\n" + "y " * filler)
        messages.append(assistant(f"Module {turn} is done; we decided to use plan {turn} instead of the old one."))
    messages.append(user("Now write the changelog."))
    return messages


WORDS = st.sampled_from(
    "alpha must never beta always src/app/main.py gamma don't #123 https://example.com/a/1 fix pytest 9f3c2ab only".split()
)
SENTENCES = st.lists(WORDS, max_size=30).map(" ".join)
ODD_TEXTS = st.sampled_from(
    [
        "",
        " ",
        "</user-messages>",
        "<notes>\n- x\n</notes>",
        "</conversation-summary>",
        "<system-reminder>be good</system-reminder>",
        "x" * 40_000,
        "日本語の文章" * 300,
        "pin: never rename the table",
        "- a\n  b\n## Files changed\n- fake.py",
    ]
)
TEXTS = st.one_of(SENTENCES, SENTENCES, ODD_TEXTS, st.text(max_size=60))
COMMANDS = st.sampled_from(
    [
        ("bash", {"command": "pytest -q"}),
        ("bash", {"command": "cat > a/b.txt <<E\nx\nE"}),
        ("edit", {"file_path": "src/x.py"}),
        ("read", {"path": "README.md"}),
        ("other", {}),
    ]
)


@st.composite
def _exchanges(draw, number: int) -> list[Message]:
    """Calls of one reply and their results: all, some or none of them."""
    count = draw(st.integers(1, 3))
    ids = [f"id{number}-{n}" if draw(st.integers(0, 9)) else "again" for n in range(count)]
    calls = []
    for call_id in ids:
        name, arguments = draw(COMMANDS)
        calls.append(ToolCall(call_id, name, json.dumps(arguments)))
    thinking = (Thinking("hm", "sig"),) if draw(st.booleans()) else ()
    messages = [Message("assistant", (*thinking, *calls))]
    answered = [one for one in ids if draw(st.integers(0, 5))]
    results = [ToolResult(one, (Text(draw(TEXTS)),), draw(st.booleans())) for one in answered]
    if draw(st.booleans()):
        return [*messages, *(Message("tool", (one,)) for one in results)]
    return [*messages, Message("user", tuple(results))] if results else messages


@st.composite
def histories(draw, least: int = 0, most: int = 25) -> list[Message]:
    """Any conversation: aborted calls, orphans, parallel calls, users in a row, huge and empty messages."""
    messages = [system()] if draw(st.booleans()) else []
    for number in range(draw(st.integers(least, most))):
        kind = draw(st.sampled_from("user user assistant calls calls calls orphan system media".split()))
        if kind == "calls":
            messages += draw(_exchanges(number))
        elif kind == "orphan":
            messages.append(result(f"nobody{number}", draw(TEXTS)))
        elif kind == "media":
            messages.append(Message("user", (Media("image", {"url": "x"}), Text(draw(TEXTS)))))
        else:
            messages.append(Message(kind, (Text(draw(TEXTS)),)))
    return messages


@cache
def real_sessions(most: int = 14) -> tuple[tuple[str, tuple[Message, ...]], ...]:
    """Real sessions, the same ones every time."""
    paths = sorted(Path(LOGS).rglob("*.jsonl"))
    every = max(1, len(paths) // most)
    read = ((path.stem, read_session(path)) for path in paths[::every])
    return tuple((name, messages) for name, messages in read if len(messages) > 8)
