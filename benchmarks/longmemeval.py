"""LongMemEval: each question has its own store of some 48 sessions between a person and an assistant."""

from __future__ import annotations

import json
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
    ndcg_at,
    read_text,
    reciprocal_rank,
    share_at,
)

PUBLIC = "https://huggingface.co/datasets/xiaowu0162/longmemeval-cleaned"
UNIT = "session"


def _answerable(question: Question) -> bool:
    return not question.unanswerable


TURNS: tuple[Measure, ...] = ()
SESSIONS = (
    Measure("any@5", any_at(5)),
    Measure("any@10", any_at(10)),
    Measure("all@5 strict", all_at(5), _answerable),
    Measure("all@10 strict", all_at(10), _answerable),
    Measure("rec@10", share_at(10)),
    Measure("NDCG@10", ndcg_at(10)),
    Measure("MRR", reciprocal_rank),
)


def read(path: str) -> list[Conversation]:
    """One store a question, in the shape of the cleaned release or of the original one."""
    return [_conversation(_plain(one)) for one in json.loads(read_text(path))]


def _plain(one: dict[str, Any]) -> dict[str, Any]:
    """The original release names things differently."""
    if "sessions" in one:
        return one
    return {
        "type": one["question_type"],
        "abstention": one["question_id"].endswith("_abs"),
        "question": one["question"],
        "date": one["question_date"],
        "gold_sessions": one["answer_session_ids"],
        "sessions": [
            {"id": name, "date": date, "turns": turns}
            for name, date, turns in zip(
                one["haystack_session_ids"], one["haystack_dates"], one["haystack_sessions"], strict=True
            )
        ],
    }


def _moment(written: str) -> float:
    return datetime.strptime(written[:10] + written[-6:], "%Y/%m/%d %H:%M").replace(tzinfo=UTC).timestamp()


def _conversation(one: dict[str, Any]) -> Conversation:
    talks = []
    # A few stores hold a session twice.
    for session in {session["id"]: session for session in one["sessions"]}.values():
        talk = Talk(session["id"], _moment(session["date"]))
        messages = [(said["role"], said["content"], str(at)) for at, said in enumerate(session["turns"])]
        for typed, answered, keys in exchanges(messages):
            add_turn(talk, typed, answered, f"{talk.name}#{keys[0]}")
        talks.append(talk)
    wanted = frozenset(one["gold_sessions"]) & {talk.name for talk in talks}
    question = Question(
        one["question"], _moment(one["date"]), one["type"], sessions=wanted, unanswerable=bool(one["abstention"])
    )
    return Conversation(talks, [question] if wanted else [])
