"""How the room that a compaction leaves is divided: what is needed, the user's words, the latest messages, the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recollect.context import rules_summary
from recollect.context.asked import asked_notes, raised
from recollect.context.boundaries import choose_boundary
from recollect.context.notes import NEEDED, RULES, find_notes
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
from recollect.context.told import without_secrets
from recollect.model.messages import Media
from recollect.model.record import Record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.context.measuring import Counting
    from recollect.context.notes import Note
    from recollect.model.messages import Message

SHRUNK_SHARE = 0.6  # of a conversation that is below the goal already
LEAST_FLEXIBLE_TOKENS = 1_200  # when all that has to stay leaves less, the goal gives way
LEAST_FLEXIBLE_PART = 80
INSTRUCTIONS_SHARE = 0.25  # of the goal, for instruction files that stand in the conversation
NEEDED_SHARE = 0.60
SPOKEN_SHARE = 0.50
TAIL_SHARE = 0.50
SPOKEN_GUESS_TOKENS = 300
OVERHEAD_TOKENS = 140  # the preamble and the tags
SLACK_SHARE = 0.08
TRIES = 6


class Material(Record):
    """All that a compaction works with."""

    rest: list[Message]  # mended, without the earlier summary
    told: list[Message]  # the same without secrets, for the summary and whoever writes it
    earlier: Earlier
    notes: list[Note]
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
    wanted = {at for at in latest.values() if sizes[at] <= goal_tokens * INSTRUCTIONS_SHARE}
    notes = raised(rules_summary.merge(earlier.notes, find_notes(told)), instructions)
    # As many characters as the goal has tokens: about a quarter of it.
    asked = asked_notes(told, instructions, most_characters=goal_tokens)
    stays = [is_system(message) or is_provider_compaction(message) for message in rest]
    return Material(
        rest=rest,
        told=told,
        earlier=earlier,
        notes=[*notes, *asked],
        sizes=sizes,
        requests=last_requests(rest),
        heads=[at for at in range(len(rest)) if at in wanted or stays[at]],
        extras=extras._replace(pinned=pinned),
        goal_tokens=goal_tokens,
        tokens_before=tokens_before,
    )


class Drafter:
    """Writes the replacement of one conversation, larger or smaller until it fits."""

    def __init__(self, material: Material, counter: Counting, tools: Sequence[Any]) -> None:
        self.material = material
        self.counter = counter
        self.tools = tools
        base = [material.rest[at] for at in sorted({*material.heads, *material.requests})]
        extras = write(prose="", notes=(), spoken=(), total_spoken=0, extras=material.extras)
        fixed = counter.count(base, tools).total + counter.text(extras) + OVERHEAD_TOKENS
        aim = min(material.goal_tokens, int(material.tokens_before * SHRUNK_SHARE))
        least = max(LEAST_FLEXIBLE_TOKENS, material.tokens_before // LEAST_FLEXIBLE_PART)
        self.flexible_tokens = max(aim - fixed, min(least, material.tokens_before // 4))
        self.allowed_tokens = fixed + self.flexible_tokens

    def boundary(self, flexible: int, spare: int = 0) -> int:
        """Before the last messages that fit what the needed notes and the user's own words leave over."""
        rest, sizes, requests = self.material.rest, self.material.sizes, self.material.requests
        needed = rules_summary.cost_of((n for n in self.material.notes if n.tier <= NEEDED), self.counter.text)
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
                if -over < SLACK_SHARE * self.allowed_tokens:
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
        old = [note for note in self.material.notes if note.position < boundary]
        needed = rules_summary.choose(old, int(flexible * NEEDED_SHARE), tokens_of, least=NEEDED)
        left = flexible - rules_summary.cost_of(needed, tokens_of)
        spoken = choose_spoken(said, int(left * SPOKEN_SHARE), tokens_of)
        words = "\n".join(one.text for one in spoken)
        unsaid = [note for note in old if note.section != RULES or note.text not in words]
        return rules_summary.choose(unsaid, flexible - spoken_cost(spoken, tokens_of), tokens_of), spoken

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
