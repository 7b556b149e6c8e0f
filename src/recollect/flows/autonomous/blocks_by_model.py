"""Phase 2 with a model: one question with the memory as it stands and what changed, and an answer that is checked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recollect.autonomous import raw
from recollect.autonomous.amending import amended
from recollect.autonomous.blocks import DECISIONS, HISTORY, SCOPES, TROUBLE, WISHES, WORK, Before, Block, Evidence
from recollect.autonomous.dates import day
from recollect.autonomous.raw import unsaid
from recollect.autonomous.skills import LEAST_SESSIONS, NAME, Skill
from recollect.errors import ReplyInvalid
from recollect.flows.autonomous.blocks_by_rules import proof_of, work_by_rules
from recollect.model.record import Record
from recollect.prompts import render
from recollect.text.fences import neutralise
from recollect.text.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from recollect.autonomous.keeping import Baseline
    from recollect.flows.autonomous.gathering import Inputs
    from recollect.flows.models.asking import AskedModels
    from recollect.model.entries import Entry
    from recollect.ports import Reply

    Json = dict[str, Any]

PURPOSE = "consolidation"
ROLE = "smol"
OUTPUT_TOKENS = 8_192
RAW_TOKENS, SUMMARY_TOKENS, PREVIOUS_TOKENS = 20_000, 12_000, 12_000
MOST_BLOCKS, MOST_SKILLS = 120, 10
MOST_CHANGES = 200  # that a model is told of
LEAD_TOKENS = 150  # that the summary has room for
_STEP = re.compile(r"^\s*\d+[.)](?=\s)", re.MULTILINE)
_KEYS: Json = {"type": "array", "items": {"type": "string", "maxLength": 80}, "minItems": 1, "maxItems": 12}
_BEFORE: Json = {
    "type": "object",
    "properties": {"text": {"type": "string", "maxLength": 600}, "evidence": _KEYS},
    "required": ["text", "evidence"],
    "additionalProperties": False,
}
_BLOCK: Json = {
    "type": "object",
    "properties": {
        "section": {"type": "string", "enum": [DECISIONS, WISHES, WORK, TROUBLE]},
        "title": {"type": "string", "minLength": 2, "maxLength": 80},
        "text": {"type": "string", "minLength": 10, "maxLength": 800},
        "scope": {"type": "string", "enum": list(SCOPES)},
        "applies": {"type": "string", "maxLength": 200},
        "evidence": _KEYS,
        "before": {"type": "array", "items": _BEFORE, "maxItems": 6},
    },
    "required": ["section", "title", "text", "scope", "applies", "evidence", "before"],
    "additionalProperties": False,
}
_SKILL: Json = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "maxLength": 64},
        "description": {"type": "string", "minLength": 10, "maxLength": 500},
        "body": {"type": "string", "minLength": 20, "maxLength": 8_000},
        "sessions": {"type": "array", "items": {"type": "string", "maxLength": 60}, "minItems": LEAST_SESSIONS},
    },
    "required": ["name", "description", "body", "sessions"],
    "additionalProperties": False,
}
SCHEMA: Json = {
    "type": "object",
    "properties": {
        "blocks": {"type": "array", "items": _BLOCK, "maxItems": MOST_BLOCKS},
        "lead": {"type": "string", "maxLength": 1_500},
        "skills": {"type": "array", "items": _SKILL, "maxItems": MOST_SKILLS},
    },
    "required": ["blocks", "lead", "skills"],
    "additionalProperties": False,
}


class Answer(Record):
    """What a model made of the lines, checked."""

    blocks: tuple[Block, ...]
    skills: tuple[Skill, ...]
    lead: str
    tokens: int


def question(inputs: Inputs, previous: str, baseline: Baseline, *, is_edited: bool) -> str:
    """The one question. What is too long is cut at whole lines, the newest kept."""
    commits = [f"- {day(one.at)} {one.subject}" for one in inputs.git.commits[:40]]
    commits += [f"- taken back: {one.subject}" for one in inputs.git.reverts]
    commits += [f"- change together: {one.paths[0]}, {one.paths[1]}" for one in inputs.git.together]
    return render(
        "memories/consolidation",
        raw_memories=_within(_raw_lines(inputs), RAW_TOKENS),
        rollout_summaries=_within(_synopses(inputs), SUMMARY_TOKENS),
        history="\n".join(commits) or "nothing",
        changes=_changes(inputs, baseline, is_edited=is_edited),
        previous_memory=_within(previous.splitlines(), PREVIOUS_TOKENS) or "nothing yet",
    )  # fmt: skip


def _synopses(inputs: Inputs) -> list[str]:
    return [f"{one.session_id}: {' '.join(one.synopsis.split())}" for one in inputs.memories]


def ask(text: str, inputs: Inputs, models: AskedModels, previous: str) -> Answer:
    """The model's answer. ProviderError when there is none, or it rests on what nobody said; then nothing changes."""
    reply = models.ask(text, SCHEMA, ROLE, max_output_tokens=OUTPUT_TOKENS)
    return checked(reply, inputs, previous)


def checked(reply: Reply, inputs: Inputs, previous: str) -> Answer:
    """What holds of the answer, with its evidence looked up, and what logs prove in their own words."""
    proven = {_proven_key(*one): proof_of(*one)[0] for one in inputs.proven}
    known = {one.evidence.key: one.evidence for one in inputs.lines}
    for one in inputs.memories:
        known |= {
            f"{one.session_id}#{line.turn}": Evidence(one.session_id, line.turn, line.at, line.rests_on)
            for line in one.lines
        }
    only_proven = proven.keys() - known.keys()
    known = proven | known
    said = "\n".join(
        [
            previous,
            *(f"{one.content} {one.reason}" for one, _ in inputs.proven),
            *(one.said.text for one in inputs.lines),
            *(" ".join(line.steps) for one in inputs.memories for line in one.lines),
        ]
    )
    old = _outdated(inputs)
    judged = [one for one in reply.value["blocks"] if not only_proven.issuperset(one["evidence"])]
    blocks = (*_blocks(judged, known, old, said), *work_by_rules(inputs))
    skills = tuple(_skill(one, inputs) for one in reply.value["skills"] if not _invents(one, said))
    taken = reply.usage.input_tokens + reply.usage.output_tokens
    return Answer(blocks, skills, _lead(reply.value["lead"], said), taken)


def _lead(text: str, said: str) -> str:
    """The lead on one line, as many of its words as there is room for; nothing of one that says what no line does."""
    if unsaid(text, said):
        return ""
    words = neutralise(text).lstrip("#- ").split()
    while estimate_tokens(" ".join(words)) > LEAD_TOKENS:
        words.pop()
    return " ".join(words)


def _invents(skill: Json, said: str) -> bool:
    """Does a skill name what no line does? The numbers of its steps are not names."""
    return bool(unsaid(skill["description"], said) or unsaid(_STEP.sub("", skill["body"]), said))


def _blocks(rows: Sequence[Json], known: dict[str, Evidence], old: set[str], said: str) -> list[Block]:
    """The blocks that hold. ReplyInvalid, with what is wrong with the first, when none of them does."""
    kept: list[Block] = []
    wrong: list[ReplyInvalid] = []
    for row in rows:
        try:
            kept.append(_block(row, known, old, said))
        except ReplyInvalid as error:
            wrong.append(error)
    if wrong and not kept:
        raise wrong[0]
    return kept


def _block(one: Json, known: dict[str, Evidence], old: set[str], said: str) -> Block:
    evidence = _looked_up(one["evidence"], known)
    before = tuple(Before(item["text"], _looked_up(item["evidence"], known)) for item in one["before"])
    if {item.key for item in evidence} <= old:
        raise ReplyInvalid(f"The block {one['title'][:60]!r} stands on lines that no longer hold.")
    invented = unsaid(one["text"], said)
    if invented:
        raise ReplyInvalid(f"The block {one['title'][:60]!r} names {invented[0][:60]!r}, which no line does.")
    text = " ".join(one["text"].split())
    return Block(one["section"], one["title"], text, evidence, before, one["scope"], " ".join(one["applies"].split()))


def _looked_up(keys: Sequence[str], known: dict[str, Evidence]) -> tuple[Evidence, ...]:
    for key in keys:
        if key not in known:
            raise ReplyInvalid(f"There is no line {key[:80]!r} to cite.")
    return tuple(known[key] for key in dict.fromkeys(keys))


def _skill(one: Json, inputs: Inputs) -> Skill:
    worked = {memory.session_id for memory in inputs.memories if _succeeded(memory)}
    if not NAME.fullmatch(one["name"]) or len(set(one["sessions"]) & worked) < LEAST_SESSIONS:
        raise ReplyInvalid(f"The skill {one['name'][:60]!r} did not succeed in {LEAST_SESSIONS} sessions.")
    return Skill(one["name"], neutralise(one["description"]), neutralise(one["body"]))


def _succeeded(memory: raw.RawMemory) -> bool:
    return any(line.kind == raw.WORKFLOW for line in memory.lines) or any(
        task.outcome == raw.SUCCESS for task in memory.tasks
    )


def _outdated(inputs: Inputs) -> set[str]:
    """The lines that later ones have taken the place of."""
    blocks = amended(inputs.lines)
    standing = {one.key for block in blocks for one in block.evidence}
    before = {one.key for block in blocks for older in block.before for one in older.evidence}
    gone = {one.evidence.key for one in inputs.lines if not one.holds}
    return (before | gone) - standing


def _raw_lines(inputs: Inputs) -> list[str]:
    lines = [(one.said, one.evidence.key, one.holds) for one in inputs.lines]
    lines += [
        (line._replace(text=f"{line.text}: {', '.join(line.steps)}"), f"{one.session_id}#{line.turn}", True)
        for one in inputs.memories
        for line in one.lines
        if line.kind == raw.WORKFLOW
    ]
    lines.sort(key=lambda one: (one[0].at, one[1]))
    lines += [
        (raw.RawLine(raw.FACT, f"{one.content} {one.reason}", 0, at, raw.LOGGED), _proven_key(one, at), True)
        for one, at in inputs.proven
    ]
    return [
        f"[{key}] {day(said.at)} {said.kind} ({said.rests_on}){'' if holds else ' no longer holds'}: {said.text}"
        for said, key, holds in lines
    ]


def _proven_key(entry: Entry, at: float) -> str:
    """What a model cites a proven line by: its turn, or its own id where it rests on no one turn."""
    proof = proof_of(entry, at)[0]
    return proof.key if proof.session_id else entry.entry_id


def _changes(inputs: Inputs, baseline: Baseline, *, is_edited: bool) -> str:
    now = inputs.sessions
    told = [f"added: {name}" for name in now if name not in baseline.sessions]
    told += [f"changed: {name}" for name, mark in now.items() if baseline.sessions.get(name, mark) != mark]
    told += [f"removed: {name}" for name in baseline.sessions if name not in now]
    if is_edited:
        told.append("somebody edited the memory by hand; keep what they wrote")
    return "\n".join(told[:MOST_CHANGES]) or "nothing"


def _within(lines: Sequence[str], limit_tokens: int) -> str:
    """The last lines that fit, whole."""
    kept: list[str] = []
    left = limit_tokens
    for line in reversed(lines):
        left -= estimate_tokens(line) + 1
        if left < 0:
            break
        kept.append(line)
    return "\n".join(reversed(kept))


__all__ = ["HISTORY", "OUTPUT_TOKENS", "PURPOSE", "ROLE", "SCHEMA", "Answer", "ask", "checked", "question"]
