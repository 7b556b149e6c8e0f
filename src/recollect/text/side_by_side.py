"""Two texts side by side: by lines for files, by words for sentences. Pure; how it looks is for whoever shows it."""

from __future__ import annotations

import difflib
import re

from recollect.model.record import Record

CONTEXT = 3
_WORDS = re.compile(r"\s+|\w+|[^\w\s]")


class Pair(Record):
    """One row: a line on each side with its number; 0 where there is none. `kind` is same, changed or gap."""

    kind: str
    old_number: int = 0
    old: str = ""
    new_number: int = 0
    new: str = ""


def side_by_side(before: str, after: str, *, context: int = CONTEXT, first: tuple[int, int] = (1, 1)) -> list[Pair]:
    """The rows of a comparison; what stays the same far from a change is a gap. `first` numbers the first lines.

    No rows where every line is the same, such as when only the last line break differs."""
    old, new = before.splitlines(), after.splitlines()
    rows: list[Pair] = []
    for number, group in enumerate(
        difflib.SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(context)
    ):
        if number or group[0][1]:
            rows.append(Pair("gap"))
        for kind, old_start, old_end, new_start, new_end in group:
            numbers = old_start + first[0], new_start + first[1]
            rows += _rows(kind, old[old_start:old_end], new[new_start:new_end], *numbers)
        if group[-1][2] < len(old):
            rows.append(Pair("gap"))
    return [row for at, row in enumerate(rows) if row.kind != "gap" or at == 0 or rows[at - 1].kind != "gap"]


def _rows(kind: str, old: list[str], new: list[str], old_number: int, new_number: int) -> list[Pair]:
    rows = []
    for at in range(max(len(old), len(new))):
        left = (old_number + at, old[at]) if at < len(old) else (0, "")
        right = (new_number + at, new[at]) if at < len(new) else (0, "")
        rows.append(Pair("same" if kind == "equal" else "changed", *left, *right))
    return rows


def word_changes(before: str, after: str) -> list[tuple[str, str]]:
    """A sentence and what became of it: pieces that are same, old or new, in reading order."""
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    pieces: list[tuple[str, str]] = []
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for kind, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if kind == "equal":
            pieces.append(("same", "".join(old[old_start:old_end])))
            continue
        pieces.append(("old", "".join(old[old_start:old_end])))
        pieces.append(("new", "".join(new[new_start:new_end])))
    return [piece for piece in pieces if piece[1]]
