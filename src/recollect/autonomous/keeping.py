"""What people changed by hand in an artifact stays: edited blocks, their own passages, what they took out. Pure."""

from __future__ import annotations

import hashlib
import json

from recollect.autonomous.blocks import Document, Passage, parsed
from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

VERSION = 1
NOTES = "Notes"


class Baseline(Record):
    """What the last pass started from and what it wrote; it lies beside the artifacts, in the same set."""

    inputs: str = ""  # hash of everything that went in
    sessions: dict[str, str] = {}  # noqa: RUF012 - a record is never changed in place
    blocks: dict[str, str] = {}  # noqa: RUF012 - by id: hash of the block as it was made
    keys: dict[str, list[str]] = {}  # noqa: RUF012 - by id: what tells it again
    removed: tuple[str, ...] = ()  # blocks and lines that somebody took out
    preamble: str = ""
    summary: tuple[str, ...] = ()  # hashes of the lines of memory_summary.md
    skills: dict[str, str] = {}  # noqa: RUF012 - by name: hash of the file as it was made
    files: dict[str, str] = {}  # noqa: RUF012 - by name: hash of each artifact as it was written
    previous: str = ""  # the version before, for undo
    made_by: str = ""
    at: float = 0.0
    tokens: int = 0

    def text(self) -> str:
        """As a file."""
        return json.dumps({"version": VERSION, **self._asdict()}, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def baseline_of(text: str) -> Baseline:
    """What a file says; one that nobody can read says nothing, and everything in the artifacts counts as somebody's."""
    try:
        found = json.loads(text)
        values = {name: found[name] for name in Baseline._fields if name in found}
        values |= {name: tuple(values.get(name, ())) for name in ("removed", "summary")}
        return Baseline(**values)
    except (ValueError, TypeError):
        return Baseline()


def mark(text: str) -> str:
    """What tells whether a text is as it was written, whatever the line breaks and spaces around it."""
    return hashlib.sha256(text.replace("\r\n", "\n").strip().encode()).hexdigest()[:16]


def kept(made: Document, before: str, baseline: Baseline) -> tuple[Document, tuple[str, ...]]:
    """What was made with what people changed since in the file before it; and the ids of what they took out.

    Without a file before, or a baseline, there is nothing to compare with."""
    if not before.strip():
        return made, baseline.removed
    held = parsed(before)
    there = {one.block_id for one in held.passages}
    removed = {*baseline.removed, *(name for name in baseline.blocks if name not in there)} - there
    edited = {one.block_id: one for one in held.passages if _is_own(one, baseline)}
    passages: list[Passage] = []
    for one in made.passages:
        if one.block_id in edited:
            passages.append(edited.pop(one.block_id))
        elif one.block_id not in removed:
            passages.append(one)
    known = {mark(one.text) for one in passages}
    passages += [one for one in held.passages if _is_own(one, baseline) and mark(one.text) not in known]
    preamble = held.preamble if baseline.preamble and mark(held.preamble) != baseline.preamble else made.preamble
    return Document(preamble, tuple(passages)), tuple(sorted(removed))


def _is_own(passage: Passage, baseline: Baseline) -> bool:
    return baseline.blocks.get(passage.block_id) != mark(passage.text)


def kept_lines(made: Sequence[str], before: str, baseline: Baseline) -> tuple[list[str], list[str]]:
    """The lines of a summary without those that somebody took out, and the lines that somebody wrote."""
    held = [line for line in before.splitlines() if line.strip()]
    if not held or not baseline.summary:
        return list(made), []
    there = {mark(line) for line in held}
    gone = {one for one in baseline.summary if one not in there}
    own = [line for line in held if mark(line) not in baseline.summary]
    made = [line for line in made if mark(line) not in gone or not line.startswith("- ")]
    return made, [line for line in own if mark(line) not in {mark(one) for one in made}]


def edited_skills(skills: Mapping[str, str], baseline: Baseline) -> dict[str, str]:
    """Skills that somebody wrote or changed: they stay as they are."""
    return {name: text for name, text in skills.items() if baseline.skills.get(name) != mark(text)}


def removed_skills(skills: Mapping[str, str], baseline: Baseline) -> set[str]:
    """The names of skills that somebody took out, now or before: they are not made again."""
    earlier = {one.removeprefix("skills/") for one in baseline.removed if one.startswith("skills/")}
    return {*earlier, *baseline.skills} - {*skills}
