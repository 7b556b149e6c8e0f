"""Where in a Markdown file a fact goes: the change of a few lines, all others byte for byte as they were."""

from __future__ import annotations

import re
from itertools import permutations
from typing import TYPE_CHECKING

from recollect.model.record import Record
from recollect.suggestions.former import corrects, outdates
from recollect.suggestions.headings import section_for, title_for
from recollect.suggestions.outline import Paragraph, outline, sentences_of
from recollect.suggestions.phrasing import Manner, manner_of, phrased, wrapped
from recollect.suggestions.rival_commands import rival_command, with_command
from recollect.suggestions.ruled_out import uses_ruled_out
from recollect.suggestions.spoken import change_of, with_version
from recollect.suggestions.wording import other_values, shared, weights
from recollect.text.language.corrections import corrects as puts_another
from recollect.text.language.statements import relation
from recollect.text.similarity import features, plain_words, root, similarity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Literal

    from recollect.model.suggestions import Action, Fact, TargetType
    from recollect.suggestions.outline import Item, ItemList, Outline, Section

MERGE, BESIDE = 0.85, 0.6
_WHY = {
    "": "says the same as a line there, and more",
    "merge": "corrects a line there",
    "conflict": "contradicts a line there",
}
NEAR_STEP = 1.0  # what a step has to share with a fact that is to stand beside it
_LEAD = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?")
_BEFORE = re.compile(r"\b(?:before|first|prior to|bevor|vor dem)\b", re.IGNORECASE)


class Placed(Record):
    """A changed file: how, the heading it happened under, and why there."""

    after: str
    action: Action
    place: str
    why: str


class Unit(Record):
    """A sentence or an item that a fact can be compared with, and the block it stands in."""

    text: str
    block: Item | Paragraph
    section: Section
    within: ItemList | None


def place(fact: Fact, text: str, kind: TargetType) -> Placed:
    """The file with the fact in it. A line that uses what the fact rules out stays as it is: what becomes of it is for
    a person to decide, so that is a conflict too."""
    page = outline(text)
    made = _place(fact, page, kind)
    using = next((unit.text for unit in units(page) if uses_ruled_out(fact.content, unit.text)), "")
    if using and made.action == "add":
        return made._replace(action="conflict", why=f"the line “{using}” uses what it rules out")
    return made


def _place(fact: Fact, page: Outline, kind: TargetType) -> Placed:
    """In the place of a line that says nearly the same or the opposite, beside one that is near, or as a new item under
    the heading that fits best."""
    nearest = _nearest(fact, page)
    if nearest is not None:
        unit, score = nearest
        against = stands_against(fact, unit.text) or ("conflict" if score >= BESIDE and _differ(fact, unit) else "")
        if against or score >= MERGE:
            rival = bool(rival_command(fact, unit.text))
            after = _replaced(page, unit, fact.content, with_command(unit.text, fact) if rival else "")
            return Placed(after, against or "merge", unit.section.heading, _WHY[against])
        if score >= BESIDE and unit.within is not None:
            why = "is next to a line about the same thing"
            return Placed(_beside(page, unit, fact.content), "add", unit.section.heading, why)
    if kind == "prompt":
        return _as_snippet(page, fact)
    section, why = section_for(fact, page, kind)
    if section is None:
        return _new_section(page, fact)
    return Placed(_inside(page, section, fact, kind), "add", section.heading, why)


def stands_against(fact: Fact, line: str) -> Literal["", "merge", "conflict"]:
    """Can a fact and a line not both hold? A line that says just what the fact said before is corrected; any other is
    for a person to decide."""
    if corrects(fact, line):
        return "merge"
    against = outdates(fact, line) or contradicts(fact.content, line) or rival_command(fact, line)
    return "conflict" if against else ""


def contradicts(content: str, line: str) -> bool:
    """Can a fact and a line of a file not both hold?"""
    change = change_of(content)
    if change is not None:
        return with_version(line, change) != line
    return relation(content, line) in ("opposite", "corrected") or other_values(content, line)


def _differ(fact: Fact, unit: Unit) -> bool:
    """Does one of the two, as people word it, put another value in the place of the other's?"""
    return any(puts_another(one, other, answers=False) for one, other in permutations((fact.content, unit.text)))


def units(page: Outline) -> Iterator[Unit]:
    """Everything in a file that a fact can be compared with: sentences, and items whole."""
    for section in page.sections:
        for paragraph in section.paragraphs:
            for sentence in sentences_of(paragraph.text):
                yield Unit(sentence, paragraph, section, None)
        for one in section.lists:
            for item in one.items:
                parts = sentences_of(item.text)
                for part in [item.text, *parts] if len(parts) > 1 else [item.text]:
                    yield Unit(part, item, section, one)


def _nearest(fact: Fact, page: Outline) -> tuple[Unit, float] | None:
    """The line that a fact corrects or contradicts, or the most similar one."""
    found = [(unit, _alike(fact.content, unit.text)) for unit in units(page)]
    against = [one for one in found if stands_against(fact, one[0].text)]
    return max(against or found, key=lambda one: one[1], default=None)


def _alike(content: str, line: str) -> float:
    """Similarity; a fact that says all of a line, and more, counts as much as one that says the same."""
    score = similarity(content, line)
    if len(features(line)) > 3 and features(line) <= features(content):
        return max(score, MERGE)
    return score if score < MERGE or features(line) <= features(content) else MERGE - 0.01


# -- changing lines


def _inside(page: Outline, section: Section, fact: Fact, kind: TargetType) -> str:
    """The file with the fact at the end of the section's last list, or as a paragraph where there is none."""
    if not section.lists:
        manner = _manner(page, None)._replace(stops=True)
        return _added(page, section.end, wrapped(phrased(fact.content, manner), "", manner))
    target = section.lists[-1]
    step = _step_near(fact.content, target) if kind == "skill" else None
    if step is None:
        return _item_at(page, target, len(target.items), fact.content)
    return _item_at(page, target, step, fact.content)


def _step_near(content: str, steps: ItemList) -> int | None:
    """Before which step something has to happen that comes before it; None: at the end."""
    if not _BEFORE.search(content):
        return None
    when = _BEFORE.split(content, maxsplit=1)[1].split(",")[0]
    scored = [(shared(when, item.text), -at) for at, item in enumerate(steps.items)]
    best = max(scored, default=(0.0, 0))
    return -best[1] if best[0] >= NEAR_STEP else None


def _beside(page: Outline, unit: Unit, content: str) -> str:
    """The file with the fact behind the item that is near it."""
    assert unit.within is not None
    return _item_at(page, unit.within, unit.within.items.index(unit.block) + 1, content)


def _item_at(page: Outline, target: ItemList, at: int, content: str) -> str:
    """The file with a new item in a list, written as the others; numbers that follow are counted on."""
    manner = _manner(page, target)
    words = phrased(content, manner)
    first = target.items[0]
    base = _number(page.lines[first.start]) if target.ordered else 0
    counts = target.ordered and len(target.items) > 1 and _number(page.lines[target.items[1].start]) == base + 1
    if not target.ordered:
        lead = target.lead if not target.checkbox else re.sub(r"\[[xX]\]", "[ ]", target.lead)
    else:
        lead = _renumbered(target.lead, base + at if counts or len(target.items) == 1 else base)
    made = wrapped(words, lead, manner)
    if at == len(target.items):
        return _spliced(page, target.end, target.end, ["", *made] if target.loose else made)
    start = target.items[at].start
    inserted = _spliced(page, start, start, [*made, ""] if target.loose else made)
    if not counts:
        return inserted
    return _counted_on(inserted, [item.start + len(made) + target.loose for item in target.items[at:]])


def _counted_on(text: str, starts: Sequence[int]) -> str:
    from recollect.suggestions.outline import split_lines

    lines = split_lines(text)
    for start in starts:
        lines[start] = _renumbered(lines[start], _number(lines[start]) + 1)
    return "".join(lines)


def _number(line: str) -> int:
    found = re.match(r"\s*(\d+)", line)
    return int(found[1]) if found else 0


def _renumbered(line: str, number: int) -> str:
    return re.sub(r"^(\s*)\d+", lambda found: f"{found[1]}{number}", line, count=1)


def _replaced(page: Outline, unit: Unit, content: str, reworded: str) -> str:
    """The file with the fact, or the sentence reworded by it, in the place of the sentence or item that it replaces."""
    manner = _manner(page, unit.within)
    block = unit.block
    change = change_of(content)
    words = reworded or (with_version(unit.text, change) if change else phrased(content, manner))
    if unit.text != block.text:
        return _sentence_replaced(page, unit, words if words.endswith(".") else f"{words}.", manner)
    lead = _LEAD.match(page.lines[block.start]) if unit.within else None
    return _spliced(page, block.start, _end_of(block), wrapped(words, lead[0] if lead else "", manner))


def _sentence_replaced(page: Outline, unit: Unit, words: str, manner: Manner) -> str:
    """The file with other words in the place of a sentence: only the lines that it stands on change."""
    start, end = unit.block.start, _end_of(unit.block)
    text = "".join(page.lines[start:end])
    found = re.search(r"\s+".join(re.escape(word) for word in unit.text.split()), text)
    if found is None:
        return "".join(page.lines)  # Markdown reads a letter otherwise than it is written, such as NUL
    first, last = start + text.count("\n", 0, found.start()), start + text.count("\n", 0, found.end())
    before = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
    behind = text[found.end() :].partition("\n")[0].rstrip("\r")
    lead = _LEAD.match(before) if unit.within and first == start else re.match(r"\s*", before)
    opening = lead[0] if lead else ""
    rest = behind.rstrip(" ")
    made = wrapped(before[len(opening) :] + words + rest, opening, manner)
    made[-1] += behind[len(rest) :]  # two spaces at the end break the line
    return _spliced(page, first, last + 1, made)


def _end_of(block: Item | Paragraph) -> int:
    """Behind the words of a block."""
    return block.end if isinstance(block, Paragraph) else block.inner_end


def _as_snippet(page: Outline, fact: Fact) -> Placed:
    """A prompt gets a titled snippet at its end."""
    depths = [one.level for one in page.sections if one.level > 1] or [2]
    title = snippet_title(fact.content, page)
    manner = _manner(page, None)._replace(stops=True)
    made = [f"{'#' * min(depths)} {title}", "", *wrapped(phrased(fact.content, manner), "", manner)]
    end = max((one.end for one in page.sections), default=page.first)
    return Placed(_added(page, end, made), "add", title, "a prompt takes a snippet with a title")


def snippet_title(content: str, page: Outline) -> str:
    """A short title: the word of the fact that the file does not have yet, or its first words."""
    known = {root(word) for line in page.lines for word in plain_words(line)}
    words = list(re.findall(r"[A-Za-zÀ-ÿ]{3,}", content))
    fresh = [word for word in words if root(word.casefold()) not in known and root(word.casefold()) in weights(content)]
    chosen = fresh[0] if fresh else " ".join(words[:3])
    plural = chosen.casefold() in ("link", "name", "number", "image")
    return chosen[:1].upper() + chosen[1:] + ("s" if plural else "")


def _new_section(page: Outline, fact: Fact) -> Placed:
    """A section of its own at the end, as deep as the others."""
    depths = [one.level for one in page.sections if one.level > 1] or [2]
    title = title_for(fact.category, page)
    manner = _manner(page, None)
    lead = next((f"{one.marker} " for one in page.lists if not one.ordered), "- ")
    made = [f"{'#' * min(depths)} {title}", "", *wrapped(phrased(fact.content, manner), lead, manner)]
    end = max((one.end for one in page.sections), default=page.first)
    return Placed(_added(page, end, made), "add", title, "no heading of the file fits")


_NUMBER = re.compile(r"(\s*)(\d{1,9})(?=[.)])")


def _manner(page: Outline, target: ItemList | None) -> Manner:
    lists = [target] if target else page.lists
    items = [item.text for one in lists for item in one.items]
    return manner_of(items, page.own[page.first :])


def _added(page: Outline, at: int, made: Sequence[str]) -> str:
    """The file with a new block of lines, blank lines around it."""
    followed = at < len(page.lines) and page.lines[at].strip() and not page.own[at].strip()
    return _spliced(page, at, at, [*([""] if at else []), *made, *([""] if followed else [])])


def _spliced(page: Outline, start: int, end: int, made: Sequence[str]) -> str:
    """The file with these lines in the place of others; its last line ends as it did before."""
    newline = page.newline
    lines = [*page.lines[:start], *(line + newline for line in made), *page.lines[end:]]
    open_end = bool(page.lines) and not page.lines[-1].endswith("\n")
    if open_end and end >= len(page.lines):
        if start == len(page.lines):
            lines[start - 1] += newline
        lines[-1] = lines[-1].removesuffix(newline)
    return "".join(lines)


def removed(page: Outline, item: Item) -> str:
    """The file without an item; in a list that counts, those behind it move up."""
    end = item.end
    if end < len(page.lines) and not page.lines[end].strip() and item.start and not page.lines[item.start - 1].strip():
        end += 1  # of two blank lines around it one goes too
    lines = [*page.lines[: item.start], *_counted_down(page, item, end)]
    if lines and page.lines and not page.lines[-1].endswith("\n") and end >= len(page.lines):
        lines[-1] = lines[-1].rstrip("\r\n")
    return "".join(lines)


def _counted_down(page: Outline, item: Item, end: int) -> list[str]:
    """The lines behind an item that goes. The next items take the numbers before theirs, as far as they count on; one
    whose number would be shorter, with lines of its own below, keeps it: those would stand too far in."""
    lines = list(page.lines[end:])
    group = next((one for one in page.lists if item in one.items), None)
    gone = _NUMBER.match(page.lines[item.start])
    if group is None or not gone:
        return lines
    number = int(gone[2])
    for one in group.items[group.items.index(item) + 1 :]:
        line = page.lines[one.start]
        found = _NUMBER.match(line)
        fits = len(str(number)) == len(str(number + 1)) or one.end == one.start + 1
        if not found or int(found[2]) != number + 1 or not fits:
            break
        lines[one.start - end] = f"{found[1]}{number}{line[found.end() :]}"
        number += 1
    return lines
