"""What lines of many sessions come to: the same once, of two on one subject the later, with both cited. Pure."""

from __future__ import annotations

import re

from recollect.autonomous import raw
from recollect.autonomous.blocks import DECISIONS, HERE, TROUBLE, WISHES, Before, Block, Evidence
from recollect.model.record import Record
from recollect.text.language import lexicon
from recollect.text.language.corrections import corrects
from recollect.text.language.statements import relation, subject_key, subject_of
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
        self.terms = frozenset(query_terms(line.said.text))
        self.subject = subject_key(subject_of(line.said.text))

    def repeat(self, line: Line) -> None:
        """The same again: the later words stand, but never a model's for a person's."""
        self.evidence.append(line.evidence)
        words = self.line if _is_weaker(line, self.line) else line
        self.line = words._replace(uses=self.line.uses + line.uses)

    def amend(self, line: Line, others: Sequence[_Standing]) -> _Standing:
        """Later evidence on the same subject: it stands now, and what stood before is cited."""
        after = _Standing(line)
        for one in (self, *others):
            after.before += [*one.before, Before(one.line.said.text, tuple(one.evidence))]
        return after

    def is_near(self, other: _Standing) -> bool:
        """Could the two be about one thing?"""
        return bool(self.subject and self.subject == other.subject) or bool(self.terms & other.terms)


def amended(lines: Iterable[Line]) -> list[Block]:
    """Blocks of what was said, in the order in which each subject first came up. A block never stands on what is known
    to hold no longer: without later words on it, it is left out."""
    standing: list[_Standing] = []
    for line in sorted(lines, key=lambda one: (one.said.at, one.session_id, one.said.turn)):
        _take(line, standing)
    kept = [one for one in standing if one.line.holds]
    return [_block(one) for one in kept]


def _take(line: Line, standing: list[_Standing]) -> None:
    fresh = _Standing(line)
    near = [one for one in standing if _one_kind(one.line, line) and one.is_near(fresh)]
    related = [(one, relation(line.said.text, one.line.said.text)) for one in near]
    same = next((one for one, how in related if how in ("same", "near")), None)
    if same is not None and same.line.holds and line.holds:
        same.repeat(line)
        return
    over = [
        one
        for one, how in related
        if not _is_weaker(line, one.line) and (how == "opposite" or _takes_its_place(line, one.line))
    ]
    if not over:
        standing.append(fresh)
        return
    place = standing.index(over[0])
    standing[place] = over[0].amend(line, over[1:])
    for one in over[1:]:
        standing.remove(one)


def _takes_its_place(later: Line, earlier: Line) -> bool:
    return corrects(later.said.text, earlier.said.text)


def _is_weaker(later: Line, earlier: Line) -> bool:
    """A model's reading never takes the place of what somebody typed."""
    return later.said.rests_on == raw.MODEL and earlier.said.rests_on == raw.TYPED


def _one_kind(left: Line, right: Line) -> bool:
    """What a log shows is not taken back by what somebody says, nor the other way round."""
    logged = raw.FAILURE, raw.WORKFLOW
    return (left.said.kind in logged) == (right.said.kind in logged) and left.said.kind != raw.WORKFLOW


def _block(one: _Standing) -> Block:
    said = one.line.said
    section = WISHES if said.scope != HERE else SECTION_OF[said.kind]
    title = title_of(said.text)
    return Block(section, title, said.text, tuple(one.evidence), tuple(one.before), said.scope, uses=one.line.uses)


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
