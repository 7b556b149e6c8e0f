"""What was told, as a line or two for a person who reads it without its conversation."""

from __future__ import annotations

from recollect.autonomous.lasting import understood
from recollect.memory.gapfill.cues import cues_of
from recollect.text.language.decisions import sentences_of
from recollect.text.voices import in_first_person

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from recollect.model.candidates import Candidate
    from recollect.model.entries import Entry

LONGEST, ONE_ROW = 120, 60  # characters: two rows, or one, of a terminal of eighty columns, beside a name
LONE_ROW = 76  # and without one
_RULES = frozenset(("ever", "only"))  # cues: always, never, only


def line_of(entry: Entry) -> str:
    """What it says first, in whole sentences; empty where that is too long, or leans on its conversation.

    What a person wrote down themselves is shown as they did; what was learned from them, in their voice."""
    return first_sentences(entry.content if entry.source == "user" else in_first_person(understood(entry.content)))


def first_sentences(text: str) -> str:
    """As many whole sentences as fit in a row; one that needs two stands alone."""
    kept, *others = [*sentences_of(text), ""]
    for sentence in others:
        if len(kept) + 1 + len(sentence) > ONE_ROW:
            break
        kept = f"{kept} {sentence}".rstrip()
    return kept if len(kept) <= LONGEST else ""


def best_told(entries: Iterable[Entry]) -> list[Entry]:
    """Those that can be shown, the best first: what fits in a row, rules before facts, what is surest and newest. Of
    those that read alike, such as a line of the profile and the entry it came from, one."""
    lines = [(entry, line_of(entry)) for entry in entries]
    best: dict[str, Entry] = {}
    for entry, line in sorted([(entry, line) for entry, line in lines if line], key=_rank):
        best.setdefault(line, entry)
    return list(best.values())


def _rank(told: tuple[Entry, str]) -> tuple[bool, bool, float, float]:
    entry, line = told
    return len(line) > ONE_ROW, _RULES.isdisjoint(cues_of(line)), -entry.confidence, -entry.created


def best_waiting(waiting: Iterable[Candidate]) -> list[str]:
    """What waits, first what can be decided without its conversation, or came more than once; short lines first."""
    return [line for *_, line in sorted((_waiting_line(one) for one in waiting), key=lambda one: one[:2])]


def _waiting_line(one: Candidate) -> tuple[bool, bool, str]:
    line = in_first_person(first_sentences(one.what) or one.what)
    return one.proof < 2 and not understood(one.what), len(line) > LONE_ROW, line
