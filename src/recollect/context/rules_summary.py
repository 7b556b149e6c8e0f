"""A summary without a model: the notes that matter most, within a number of tokens, readable and readable back."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from recollect.context import notes as kinds
from recollect.context.names import names_in
from recollect.context.notes import FIRST, NEEDED, NICE, SECTIONS, USEFUL, Note
from recollect.context.passages import PRINTED, Passage
from recollect.context.task_lists import read_task

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

HEADING_TOKENS = 8
BULLET_TOKENS = 3
WHOLE_SHARE = 0.7  # of what the short forms leave over, for saying the same in full
CUT_SHARE = 0.5  # of that, for a text that has to be cut: the lines that follow it say more
# Beyond these a section of lesser notes says nothing new.
MOST = {
    kinds.ASKED: 400,
    kinds.RULES: 400,
    kinds.TASKS: 60,
    kinds.STANDING: 6,
    kinds.CHANGED: 600,
    kinds.ANSWERS: 24,
    kinds.COMMANDS: 14,
    kinds.ERRORS: 12,
    kinds.DECISIONS: 16,
    kinds.REFERENCES: 200,
    kinds.READ_FILES: 40,
    kinds.QUOTED: 8,
    kinds.MENTIONS: 0,
    kinds.DETAILS: 0,  # chosen by what they add, not by rank
}
_CARRIED_TIER = {
    kinds.ASKED: FIRST,
    kinds.RULES: NEEDED,
    kinds.TASKS: NEEDED,
    kinds.CHANGED: NEEDED,
    kinds.REFERENCES: NEEDED,
}
_CARRIED_TIER |= {kinds.READ_FILES: NICE, kinds.QUOTED: NICE, kinds.DETAILS: NICE, kinds.MENTIONS: NICE}
LONG_TEXTS = (kinds.ANSWERS, kinds.STANDING)  # told as far as there is room, when not whole
_HEADING = re.compile(r"^## (.+)$")


def choose(
    notes: Sequence[Note],
    budget_tokens: int,
    tokens_of: Callable[[str], int],
    *,
    least: int = NICE,
) -> list[Note]:
    """The notes to keep: what is needed first, the latest first within a rank, as far as the budget reaches."""
    wanted = [note for note in notes if note.tier <= least]
    order = sorted(range(len(wanted)), key=lambda at: (wanted[at].tier, -wanted[at].position, -at))
    left = budget_tokens
    counts: defaultdict[str, int] = defaultdict(int)
    kept: dict[int, Note] = {}
    for at in order:
        note = wanted[at]
        if counts[note.section] >= MOST[note.section]:
            continue
        short = note.short or note.text
        cost = tokens_of(short) + BULLET_TOKENS + (0 if counts[note.section] else HEADING_TOKENS)
        if cost <= left:
            left -= cost
            counts[note.section] += 1
            kept[at] = note._replace(text=short)
    left = int(left * WHOLE_SHARE)
    for at in (at for at in order if at in kept and wanted[at].short):
        note, least_tokens = wanted[at], tokens_of(wanted[at].short)
        if tokens_of(note.text) - least_tokens > left and note.section in LONG_TEXTS:
            begun = _begun(note.text, int(left * CUT_SHARE) + least_tokens, tokens_of)
            note = note._replace(text=begun if tokens_of(begun) > least_tokens else note.short)
        more = tokens_of(note.text) - least_tokens
        if more <= left:
            left -= more
            kept[at] = note
    return [kept[at] for at in sorted(kept)]


def _begun(text: str, most_tokens: int, tokens_of: Callable[[str], int]) -> str:
    """As many whole lines of a text, from its beginning, as this takes."""
    lines = text.splitlines()
    while lines and tokens_of("\n".join(lines)) > most_tokens - BULLET_TOKENS:
        lines.pop()
    return "\n".join([*lines, "…"])


def cost_of(notes: Iterable[Note], tokens_of: Callable[[str], int]) -> int:
    """What all these notes would cost, with their headings."""
    listed = list(notes)
    headings = len({note.section for note in listed})
    return sum(tokens_of(note.text) + BULLET_TOKENS for note in listed) + headings * HEADING_TOKENS


def render(notes: Iterable[Note]) -> str:
    """The notes as Markdown, a section each kind, oldest first."""
    listed = list(notes)
    parts = []
    for section in SECTIONS:
        items = sorted((note for note in listed if note.section == section), key=lambda note: note.position)
        if items:
            lines = ("- " + note.text.replace("\n", "\n  ") for note in items)
            parts.append("\n".join([f"## {section}", *lines]))
    return "\n\n".join(parts)


def detailed(passages: Iterable[Passage], section: str = kinds.DETAILS) -> list[Note]:
    """The passages as notes: the lines of one message and kind together, under what they belong to."""
    between = ", " if section == kinds.MENTIONS else "\n"
    grouped: dict[tuple[int, str], list[str]] = {}
    for passage in passages:
        grouped.setdefault((passage.position, passage.label), []).append(passage.text)
    return [
        Note(section, f"{label}:{' ' if len(lines) == 1 else between[-1]}{between.join(lines)}", NICE, at)
        for (at, label), lines in grouped.items()
    ]


def carried_passages(notes: Iterable[Note]) -> list[Passage]:
    """The passages of an earlier summary, as the oldest of all."""
    found = []
    for note in notes:
        if note.section in (kinds.DETAILS, kinds.MENTIONS):
            label, _, rest = note.text.partition(":")
            for line in rest.strip().splitlines():
                found.append(Passage(-1, label, line, tuple(names_in(line)), PRINTED))
    return found


def parse(text: str) -> list[Note]:
    """The notes of a summary that was rendered here, to be carried on into the next one."""
    found: list[Note] = []
    section = ""
    for line in text.splitlines():
        heading = _HEADING.match(line)
        if heading:
            section = heading[1] if heading[1] in SECTIONS else ""
        elif section and line.startswith("- "):
            found.append(Note(section, line[2:], _carried_tier(section, line[2:]), -1))
        elif section and line.startswith("  ") and found:
            found[-1] = found[-1]._replace(text=f"{found[-1].text}\n{line[2:]}")
    return found


def merge(earlier: Sequence[Note], new: Sequence[Note]) -> list[Note]:
    """Earlier notes and new ones; of what can only be said of the present, the new counts."""
    fails = any(note.section == kinds.STANDING and note.text.startswith("failed") for note in new)
    answered = any(note.section == kinds.ANSWERS or note.text.startswith(kinds.ANSWERED) for note in new)
    passed = any(note.section == kinds.COMMANDS and note.tier == NEEDED for note in new)
    ended_well = {note.text.removeprefix("passed: ") for note in new if note.section == kinds.COMMANDS}
    changed = {_path(note) for note in new if note.section == kinds.CHANGED}
    carried = []
    for note in earlier:
        if note.section == kinds.TASKS or (note.section == kinds.CHANGED and _path(note) in changed):
            continue
        if note.section == kinds.STANDING:
            command = note.text.partition("\n")[0].removeprefix("failed: ")
            is_open = kinds.TEST_OR_BUILD.search(command) or not answered
            if fails or command in ended_well or not is_open or not note.text.startswith("failed"):
                continue
        if note.section == kinds.COMMANDS and note.tier == NEEDED and passed:
            carried.append(note._replace(tier=USEFUL))
        else:
            carried.append(note._replace(short=_short(note)))
    return kinds.once([*carried, *_merged_tasks(earlier, new), *(note for note in new if note.section != kinds.TASKS)])


def _merged_tasks(earlier: Sequence[Note], new: Sequence[Note]) -> list[Note]:
    """The task list as it stands now: written anew, or the earlier one with what became of its tasks."""
    before = [note for note in earlier if note.section == kinds.TASKS]
    now = [(note, read_task(note.text)) for note in new if note.section == kinds.TASKS]
    if any(task is None for _, task in now):
        return [note for note, task in now if task is None]
    latest = {task.number: (note, task) for note, task in now if task}
    merged = []
    for note in before:
        task = read_task(note.text)
        if task is None or task.number not in latest:
            merged.append(note)
            continue
        told, changed = latest.pop(task.number)
        merged.append(told._replace(text=changed._replace(text=changed.text or task.text).shown, position=-1))
    return [note for note in [*merged, *(note for note, _ in latest.values())] if _is_on_list(note)]


def _is_on_list(note: Note) -> bool:
    task = read_task(note.text)
    return task is None or bool(task.state and task.text)


def _short(note: Note) -> str:
    """What to say of an earlier note when there is little room; empty when there is nothing shorter."""
    short = ""
    if note.section == kinds.CHANGED and not note.text.endswith("change failed)"):
        short = _path(note)
    elif note.section == kinds.ANSWERS:
        short = kinds.plain(note.text, kinds.LONGEST_ANSWER)
    return short if short != note.text else ""


def _path(note: Note) -> str:
    """The path in a note on a changed file."""
    return note.text.rpartition(" (")[0] if note.text.endswith(")") and " (" in note.text else note.text


def _carried_tier(section: str, text: str) -> int:
    if section == kinds.STANDING and text.startswith("failed"):
        return NEEDED
    if section == kinds.COMMANDS and text.startswith(("passed", "ended")) and kinds.TEST_OR_BUILD.search(text):
        return NEEDED
    return _CARRIED_TIER.get(section, USEFUL)
