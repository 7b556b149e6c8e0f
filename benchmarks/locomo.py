"""LoCoMo: two people talk over months. A turn is one utterance, spoken by name; what a picture shows is part of it."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime

from benchmarks.conversations import (
    Conversation,
    Measure,
    Question,
    Talk,
    add_turn,
    all_at,
    any_at,
    read_text,
    reciprocal_rank,
    share_at,
)

PUBLIC = "https://github.com/snap-research/locomo (data/locomo10.json)"
UNIT = "turn"
TURNS = (
    Measure("any@5", any_at(5)),
    Measure("any@10", any_at(10)),
    Measure("all@10", all_at(10)),
    Measure("rec@10", share_at(10)),
    Measure("MRR", reciprocal_rank),
)
SESSIONS = (Measure("any@5", any_at(5)), Measure("rec@10", share_at(10)))


def read(path: str) -> list[Conversation]:
    """One store a conversation; questions without evidence in it are left out."""
    return [_conversation(one["conversation"], one["qa"]) for one in json.loads(read_text(path))]


def _conversation(data: dict[str, object], questions: list[dict[str, object]]) -> Conversation:
    talks = []
    numbers = sorted(int(name[8:]) for name in data if re.fullmatch(r"session_\d+", name))
    for number in numbers:
        written = str(data[f"session_{number}_date_time"])
        at = datetime.strptime(written, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC).timestamp()
        talk = Talk(f"session_{number}", at)
        for said in data[f"session_{number}"]:  # type: ignore[attr-defined]
            shown = f"\n[picture: {said['blip_caption']}]" if said.get("blip_caption") else ""
            add_turn(talk, f"{said['speaker']}: {said['text']}{shown}", "", said["dia_id"])
        talks.append(talk)
    home = {key: talk.name for talk in talks for key in talk.keys}
    now = max(talk.at for talk in talks)
    asked = []
    for one in questions:
        named = re.findall(r"D\d+:\d+", " ".join(map(str, one["evidence"])))  # type: ignore[call-overload]
        wanted = frozenset(key for key in named if key in home)
        if wanted:
            sessions = frozenset(home[key] for key in wanted)
            asked.append(Question(str(one["question"]), now, str(one["category"]), wanted, sessions))
    return Conversation(talks, asked)
