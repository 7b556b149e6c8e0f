"""BEAM: long chats between a person and an assistant. A turn that is found stands for the message that was typed in it,
so an answer that only the assistant gave counts as missed."""

from __future__ import annotations

import ast
from datetime import UTC, datetime
from typing import Any

from benchmarks.conversations import (
    Conversation,
    Measure,
    Question,
    Talk,
    add_turn,
    all_at,
    any_at,
    exchanges,
    read_folder,
    reciprocal_rank,
    share_at,
)

PUBLIC = "https://github.com/mohammadtavakoli78/BEAM"
UNIT = "message"
TURNS = (
    Measure("any@5", any_at(5)),
    Measure("any@10", any_at(10)),
    Measure("all@10", all_at(10)),
    Measure("rec@10", share_at(10)),
    Measure("MRR", reciprocal_rank),
)
SESSIONS: tuple[Measure, ...] = ()


def read(path: str) -> list[Conversation]:
    """One store a chat; each of its batches is a session. Questions that name no message are left out."""
    files = read_folder(path)
    found = []
    for name in sorted(files):
        if name.endswith("_chat.json"):
            probes = files.get(name.replace("_chat.json", "_probing_questions.json"), {})
            found.append(_conversation(files[name], probes))
    return found


def _conversation(batches: list[dict[str, Any]], probes: dict[str, list[dict[str, Any]]]) -> Conversation:
    talks: list[Talk] = []
    messages: set[str] = set()
    for number, batch in enumerate(batches):
        said = [message for turn in batch["turns"] for message in turn]
        anchor = next((message["time_anchor"] for message in said if message.get("time_anchor")), "")
        talk = Talk(f"batch {number}", _moment(anchor))
        rows = [(message["role"], message["content"], str(message["id"])) for message in said]
        messages.update(key for _, _, key in rows)
        for typed, answered, keys in exchanges(rows):
            add_turn(talk, typed, answered, keys[0], keys[-1])
        talks.append(talk)
    now = max(talk.at for talk in talks)
    asked = []
    for kind, ones in probes.items():
        for one in ones:
            wanted = frozenset(map(str, _ids(one.get("source_chat_ids")))) & messages
            if wanted:
                asked.append(Question(one["question"], now, kind, wanted))
    return Conversation(talks, asked)


def _moment(written: str) -> float:
    return datetime.strptime(written, "%B-%d-%Y").replace(tzinfo=UTC).timestamp() if written else 0.0


def _ids(value: Any) -> list[Any]:
    """Message ids, however deep in lists, dicts or text of such they stand."""
    if isinstance(value, str):
        try:
            return _ids(ast.literal_eval(value))
        except (ValueError, SyntaxError):
            return []
    if isinstance(value, dict):
        return [one for inner in value.values() for one in _ids(inner)]
    if isinstance(value, list | tuple):
        return [one for inner in value for one in _ids(inner)]
    return [] if value is None else [value]
