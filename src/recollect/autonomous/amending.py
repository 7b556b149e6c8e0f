"""What lines of many sessions come to: the same once, of two on one subject the later, with both cited. Pure."""

from __future__ import annotations

import re

from recollect.autonomous import raw
from recollect.autonomous.blocks import DECISIONS, HERE, TROUBLE, WISHES, Before, Block, Evidence
from recollect.model.record import Record
from recollect.text.language import lexicon
from recollect.text.language.comparing import Compared
from recollect.text.language.orders import is_order
from recollect.text.language.statements import subject_key, subject_of
from recollect.text.terms import query_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SECTION_OF = {
    raw.DECISION: DECISIONS,
    raw.FACT: DECISIONS,
    raw.PREFERENCE: WISHES,
    raw.PITFALL: TROUBLE,
    raw.FAILURE: TROUBLE,
}
LONGEST_SUBJECT, LONGEST_TITLE = 40, 50
_COMMAND = re.compile(r"`([^`\n]+)` (?:failed|is not installed)\b")  # as logs tell it
_WANTS = re.compile(r"The user (?:\w+ )?(?:wants|prefers|likes|hates|dislikes)\b")
_OATH = re.compile(r"\b(?:fuck\w*|shit\w*|damn\w*|crap\w*|bloody|goddamn)\b", re.IGNORECASE)


class Line(Record):
    """A line of raw memory with its session; one that is known to hold no longer may only be amended."""

    said: raw.RawLine
    session_id: str
    holds: bool = True
    uses: int = 0

    @property
    def evidence(self) -> Evidence:
        """What it rests on."""
        return Evidence(self.session_id, self.said.turn, self.said.at, self.said.rests_on)


class _Standing:
    """A block as it grows."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.evidence = [line.evidence]
        self.before: list[Before] = []
        self.marks = _marks(line.said.text)
        self.words = Compared(line.said.text)

    def repeat(self, line: Line) -> None:
        """The same again: the later words stand, but never a model's for a person's."""
        self.evidence.append(line.evidence)
        words = self.line if _is_weaker(line, self.line) else line
        if words.said.text != self.line.said.text:
            self.words = Compared(words.said.text)
        self.line = words._replace(uses=self.line.uses + line.uses)

    def amend(self, line: Line, others: Sequence[_Standing]) -> _Standing:
        """Later evidence on the same subject: it stands now, and what stood before is cited."""
        after = _Standing(line)
        for one in (self, *others):
            after.before += [*one.before, Before(one.line.said.text, tuple(one.evidence))]
        return after


class _Standings:
    """Blocks in the order in which their subjects came up, found by what they may be about."""

    def __init__(self) -> None:
        self.in_order: dict[int, _Standing] = {}
        self._places: dict[str, set[int]] = {}
        self._next = 0

    def near(self, one: _Standing) -> list[tuple[int, _Standing]]:
        """The blocks that could be about the same thing, each with its place, in order."""
        places = set().union(*(self._places.get(mark, ()) for mark in one.marks))
        return [(place, self.in_order[place]) for place in sorted(places)]

    def add(self, one: _Standing) -> None:
        """Put a block at the end."""
        self._next += 1
        self.put(self._next, one)

    def put(self, place: int, one: _Standing) -> None:
        """Put a block at a place that is free."""
        self.in_order[place] = one
        for mark in one.marks:
            self._places.setdefault(mark, set()).add(place)

    def take(self, place: int) -> _Standing:
        """Take a block out."""
        one = self.in_order.pop(place)
        for mark in one.marks:
            self._places[mark].discard(place)
        return one


def _marks(text: str) -> frozenset[str]:
    """What a line may be found by: its terms, and its subject as a whole."""
    subject = subject_key(subject_of(text))
    return frozenset((*query_terms(text), *((f"about {subject}",) if subject else ())))


def amended(lines: Iterable[Line]) -> list[Block]:
    """Blocks of what was said, in the order in which each subject first came up. A block never stands on what is known
    to hold no longer: without later words on it, it is left out."""
    standing = _Standings()
    for line in sorted(lines, key=lambda one: (one.said.at, one.session_id, one.said.turn)):
        _take(line, standing)
    return [_block(one) for _, one in sorted(standing.in_order.items()) if one.line.holds]


def _take(line: Line, standing: _Standings) -> None:
    fresh = _Standing(line)
    near = [(place, one) for place, one in standing.near(fresh) if _one_kind(one.line, line)]
    same = next((one for _, one in near if fresh.words.says_the_same_as(one.words)), None)
    if same is not None and same.line.holds and line.holds:
        same.repeat(line)
        return
    over = [place for place, one in near if not _is_weaker(line, one.line) and _takes_its_place(fresh, one)]
    if not over:
        standing.add(fresh)
        return
    first, *others = [standing.take(place) for place in over]
    standing.put(over[0], first.amend(line, others))


def _takes_its_place(later: _Standing, earlier: _Standing) -> bool:
    mine, yours = later.words, earlier.words
    is_opposite = not mine.says_the_same_as(yours) and mine.is_opposite_of(yours)
    return is_opposite or mine.corrects(yours)


def _is_weaker(later: Line, earlier: Line) -> bool:
    """A model's reading never takes the place of what somebody typed."""
    return later.said.rests_on == raw.MODEL and earlier.said.rests_on == raw.TYPED


def _one_kind(left: Line, right: Line) -> bool:
    """What a log shows is not taken back by what somebody says, nor the other way round."""
    logged = raw.FAILURE, raw.WORKFLOW
    return (left.said.kind in logged) == (right.said.kind in logged) and left.said.kind != raw.WORKFLOW


def _block(one: _Standing) -> Block:
    said = one.line.said
    title = title_of(said.text)
    return Block(
        _section(said), title, said.text, tuple(one.evidence), tuple(one.before), said.scope, uses=one.line.uses
    )


def _section(said: raw.RawLine) -> str:
    """A wish says what the user wants, or what to do; how things are done here is a fact, however it was meant."""
    if said.scope != HERE or _WANTS.match(said.text):
        return WISHES
    is_wish = "user" in said.text.lower().split() or is_order(said.text)
    return DECISIONS if said.kind == raw.PREFERENCE and not is_wish else SECTION_OF[said.kind]


def title_of(text: str) -> str:
    """A heading: the command or subject where it stands in the text, or a known subject; else the first words."""
    named = _COMMAND.match(text)
    subject = named[1] if named else subject_of(text)
    is_known = named is not None or subject in lexicon.GROUPS
    is_whole = is_known or (" " in subject and subject.lower() in text.lower())
    words = subject if is_whole and len(subject) <= LONGEST_SUBJECT else _first_words(text)
    words = " ".join(_OATH.sub("", words).split())
    return words[:1].upper() + words[1:]


def _first_words(text: str) -> str:
    """As many words of the first sentence as fit a heading."""
    sentence = re.split(r"(?<=\w)[.!?](?=\s|$)|[;:](?=\s)", text)[0]
    if len(sentence) > LONGEST_TITLE:
        sentence = sentence[: LONGEST_TITLE + 1].rsplit(" ", 1)[0]
    return sentence.strip(" .,;:!")
