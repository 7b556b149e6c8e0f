"""How the room that a compaction leaves is divided: what is needed, the user's words, the latest messages, the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recollect.context import rules_summary
from recollect.context.asked import asked_notes, raised
from recollect.context.boundaries import choose_boundary
from recollect.context.names import names_in
from recollect.context.notes import DECISIONS, MENTIONS, NEEDED, QUOTED, REFERENCES, RULES, find_notes
from recollect.context.passages import choose_passages, find_passages, mentions, weigh
from recollect.context.pinned import pinned_lines
from recollect.context.replacement import Earlier, Extras, Spoken, choose_spoken, replace, spoken_cost, write
from recollect.context.requests import (
    is_instructions,
    is_provider_compaction,
    is_request,
    is_system,
    last_requests,
    typed,
)
from recollect.context.rules_summary import HEADING_TOKENS
from recollect.context.told import without_secrets
from recollect.model.messages import Media, Text, ToolCall, ToolResult
from recollect.model.record import Record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recollect.context.measuring import Counting
    from recollect.context.notes import Note
    from recollect.context.passages import Passage
    from recollect.model.messages import Message

SHRUNK_SHARE = 0.6  # of a conversation that is below the goal already
LEAST_FLEXIBLE_TOKENS = 400  # for the summary and the tail: when what has to stay leaves less, the goal cannot be met
UNMET_FLEXIBLE_TOKENS = 1_200  # what they get then
INSTRUCTIONS_SHARE = 0.25  # of what is left beside system messages and the last request, for instruction files
NEEDED_SHARE = 0.60
SPOKEN_SHARE = 0.50
TAIL_SHARE = 0.50
SPOKEN_GUESS_TOKENS = 300
OVERHEAD_TOKENS = 140  # the preamble and the tags
SLACK_SHARE = 0.04
TRIES = 6
FILLING_TRIES = 3
LEAST_DETAIL_TOKENS = 40
NAMES_SHARE = 0.125  # of a summary, at most, for bare names; whole lines get the rest of the room
LINES_SHARE = 0.4  # of the room for details, for whole lines, at least
SAID_BY_USER = (RULES, QUOTED, DECISIONS, REFERENCES)
NOTES_SHARE = 0.6  # of what is needed leaves, for other notes; the rest is for details


class Material(Record):
    """All that a compaction works with."""

    rest: list[Message]  # mended, without the earlier summary
    told: list[Message]  # the same without secrets, for the summary and whoever writes it
    earlier: Earlier
    notes: list[Note]
    passages: list[Passage]  # lines with names
    worth: dict[str, float]  # of each name
    sizes: list[int]
    requests: list[int]
    heads: list[int]  # system messages and instruction files
    extras: Extras
    goal_tokens: int
    tokens_before: int


class SummaryDraft(Record):
    """A replacement that may or may not be good enough."""

    summary: str
    messages: list[Message]
    boundary: int
    kept: tuple[int, ...]
    tokens: int
    full: bool = False  # more details were found than there was room for


def gather(
    rest: list[Message],
    earlier: Earlier,
    extras: Extras,
    counter: Counting,
    *,
    goal_tokens: int,
    tokens_before: int,
    instructions: str = "",
) -> Material:
    """Measure the messages and find what matters in them."""
    sizes = [counter.message(message) for message in rest]
    told = list(map(without_secrets, rest))
    own = [line for message in told if is_request(message) for line in pinned_lines(typed(message.text))]
    pinned = tuple(dict.fromkeys([*extras.pinned, *earlier.pinned, *own]))
    latest = {message.text: at for at, message in enumerate(rest) if is_instructions(message)}
    requests = last_requests(rest)
    stays = [is_system(message) or is_provider_compaction(message) for message in rest]
    spare = goal_tokens - sum(size for at, size in enumerate(sizes) if stays[at] or at in requests)
    wanted = {at for at in latest.values() if sizes[at] <= spare * INSTRUCTIONS_SHARE}
    notes = raised(rules_summary.merge(earlier.notes, find_notes(told)), instructions)
    # As many characters as the goal has tokens: about a quarter of it.
    asked = asked_notes(told, instructions, most_characters=goal_tokens)
    passages = [*rules_summary.carried_passages(earlier.notes), *find_passages(told)]
    return Material(
        rest=rest,
        told=told,
        earlier=earlier,
        notes=[*notes, *asked],
        passages=passages,
        worth=weigh(passages, len(told)),
        sizes=sizes,
        requests=requests,
        heads=[at for at in range(len(rest)) if at in wanted or stays[at]],
        extras=extras._replace(pinned=pinned),
        goal_tokens=goal_tokens,
        tokens_before=tokens_before,
    )


class Drafter:
    """Writes the replacement of one conversation, larger or smaller until it fits."""

    def __init__(self, material: Material, counter: Counting, tools: Sequence[Any]) -> None:
        self.material = material
        self.notes = [note for note in material.notes if not _is_in_request(note, material.requests)]
        self.counter = counter
        self.tools = tools
        base = [material.rest[at] for at in sorted({*material.heads, *material.requests})]
        extras = write(prose="", notes=(), spoken=(), total_spoken=0, extras=material.extras)
        fixed = counter.count(base, tools).total + counter.text(extras) + OVERHEAD_TOKENS
        aim = min(material.goal_tokens, int(material.tokens_before * SHRUNK_SHARE))
        is_met = aim - fixed >= min(LEAST_FLEXIBLE_TOKENS, material.tokens_before // 4)
        self.flexible_tokens = aim - fixed if is_met else min(UNMET_FLEXIBLE_TOKENS, material.tokens_before // 4)
        self.allowed_tokens = fixed + self.flexible_tokens

    def boundary(self, flexible: int, spare: int = 0) -> int:
        """Before the last messages that fit what the needed notes and the user's own words leave over."""
        rest, sizes, requests = self.material.rest, self.material.sizes, self.material.requests
        needed = rules_summary.cost_of((n for n in self.notes if n.tier <= NEEDED), self.counter.text)
        said = sum(min(sizes[at], SPOKEN_GUESS_TOKENS) for at, message in enumerate(rest) if is_request(message))
        left = flexible - min(needed, int(flexible * NEEDED_SHARE))
        left -= min(said, int(left * SPOKEN_SHARE))
        # What stays anyway costs the tail nothing.
        costs = [0 if at in requests else size for at, size in enumerate(sizes)]
        return choose_boundary(rest, costs, int(left * TAIL_SHARE) + spare)

    def fitted(self, prose: str) -> SummaryDraft | None:
        """The best draft within what is allowed, the smallest when none is; None when nothing would be removed."""
        flexible = self.flexible_tokens - self.counter.text(prose)
        spare = 0
        best: SummaryDraft | None = None
        for _ in range(TRIES):
            draft = self._written(max(flexible, 0), spare, prose)
            if draft is None:
                return best
            over = draft.tokens - self.allowed_tokens
            if over <= 0:
                best = draft
                if draft.full or -over < SLACK_SHARE * self.allowed_tokens:
                    return best
                spare -= over
            elif best is not None:
                return best
            elif flexible <= 0:
                return draft
            else:
                flexible -= over + 20
        return best or draft

    def _written(self, flexible: int, spare: int, prose: str) -> SummaryDraft | None:
        """A draft whose changeable parts take about this much; what is spare goes to the tail alone."""
        material = self.material
        boundary = self.boundary(flexible, spare)
        kept = tuple(at for at in sorted({*material.heads, *material.requests}) if at < boundary)
        if len(kept) == boundary:
            return None
        tail = sum(size for at, size in enumerate(material.sizes) if at >= boundary and at not in material.requests)
        said, total = self._said(boundary)
        notes, spoken = self._chosen(max(0, flexible - max(0, tail - spare)), boundary, said)
        draft = self._assembled(boundary, kept, prose, notes, spoken, total)
        return self._filled(draft, notes, spoken, total, prose)

    def _filled(
        self, base: SummaryDraft, notes: Sequence[Note], spoken: Sequence[Spoken], total: int, prose: str
    ) -> SummaryDraft:
        """The draft with as many details as there is room for."""
        known = [*names_in(said_in(base.messages))]
        old = [passage for passage in self.material.passages if passage.position < base.boundary]
        short = mentions(old)
        room = self.allowed_tokens - base.tokens - 2 * HEADING_TOKENS
        written = self.counter.text(base.summary)
        best = base
        for _ in range(FILLING_TRIES):
            if room < LEAST_DETAIL_TOKENS:
                break
            details = self._details(old, short, known, room, int((written + room) * NAMES_SHARE))
            draft = self._assembled(base.boundary, base.kept, prose, [*notes, *details], spoken, total)
            draft = draft._replace(full=draft.tokens - base.tokens > room // 2)
            over = draft.tokens - self.allowed_tokens
            if over <= 0:
                best = draft
            if not draft.full or -SLACK_SHARE * self.allowed_tokens < over <= 0:
                break
            room -= over + (LEAST_DETAIL_TOKENS if over > 0 else 0)
        return best

    def _details(
        self, old: Sequence[Passage], short: Sequence[Passage], known: Sequence[str], room: int, most_names: int
    ) -> list[Note]:
        """Whole lines first; then, of what these do not hold, bare names under what they stood in."""
        worth, tokens_of = self.material.worth, self.counter.text
        names = min(most_names, int(room * (1 - LINES_SHARE)))
        lines = choose_passages(old, worth, known, room - names, tokens_of)
        whole = rules_summary.detailed(lines)
        held = [*known, *(name for line in lines for name in line.names)]
        left = min(names, room - rules_summary.cost_of(whole, tokens_of))
        return [*whole, *rules_summary.detailed(choose_passages(short, worth, held, left, tokens_of), MENTIONS)]

    def _assembled(
        self,
        boundary: int,
        kept: tuple[int, ...],
        prose: str,
        notes: Sequence[Note],
        spoken: Sequence[Spoken],
        total: int,
    ) -> SummaryDraft:
        material = self.material
        standing = sum(material.sizes[at] for at in kept if at not in material.heads) + sum(material.sizes[boundary:])
        summary = write(
            prose=prose,
            notes=notes,
            spoken=spoken,
            total_spoken=total,
            extras=material.extras,
            goal_tokens=material.goal_tokens,
            after_tokens=standing,
        )
        replaced = replace(material.rest, summary, boundary=boundary, kept=kept)
        return SummaryDraft(summary, replaced, boundary, kept, self.counter.count(replaced, self.tools).total)

    def _chosen(self, flexible: int, boundary: int, said: Sequence[Spoken]) -> tuple[list[Note], list[Spoken]]:
        """What is needed first, then the user's own words, then all notes that fit; a rule is not said twice."""
        tokens_of = self.counter.text
        old = [note for note in self.notes if note.position < boundary]
        needed = rules_summary.choose(old, int(flexible * NEEDED_SHARE), tokens_of, least=NEEDED)
        left = flexible - rules_summary.cost_of(needed, tokens_of)
        spoken = choose_spoken(said, int(left * SPOKEN_SHARE), tokens_of)
        words = "\n".join(one.text for one in spoken)
        unsaid = [note for note in old if note.section != RULES or note.text not in words]
        room = flexible - spoken_cost(spoken, tokens_of)
        first = rules_summary.choose(unsaid, room, tokens_of, least=NEEDED)
        room = int((room - rules_summary.cost_of(first, tokens_of)) * NOTES_SHARE)
        others = [note for note in unsaid if note.tier > NEEDED]
        return [*first, *rules_summary.choose(others, room, tokens_of)], spoken

    def _said(self, boundary: int) -> tuple[list[Spoken], int]:
        """The user's messages before the boundary that do not stay as they are, and how many there were in all."""
        said = list(self.material.earlier.spoken)
        number = self.material.earlier.total
        for at, message in enumerate(self.material.told[:boundary]):
            if not is_request(message) or is_instructions(message) or at in self.material.requests:
                continue
            text = typed(message.text)
            media = sum(isinstance(part, Media) for part in message.parts)
            text = f"{text} [{media} attached]".strip() if media else text
            if text:
                number += 1
                said.append(Spoken(number, text))
        return said, number


def _is_in_request(note: Note, requests: Sequence[int]) -> bool:
    """Does it repeat words of a request that stays as it is?"""
    return note.position in requests and note.section in SAID_BY_USER


def said_in(messages: Sequence[Message]) -> str:
    """All text of the messages, with what tools were given and what they printed."""
    return "\n".join(text for message in messages for part in message.parts for text in _texts(part))


def _texts(part: Any) -> Iterator[str]:
    match part:
        case Text(text=text):
            yield text
        case ToolCall(arguments=arguments):
            yield arguments
        case ToolResult(parts=parts):
            for inner in parts:
                yield from _texts(inner)
