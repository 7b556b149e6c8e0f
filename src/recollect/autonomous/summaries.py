"""memory_summary.md: what a session is told at its start, a line each, the most used and newest first. Pure."""

from __future__ import annotations

from recollect.autonomous.blocks import HISTORY, PAST, SECTIONS, WORK
from recollect.autonomous.keeping import kept_lines
from recollect.model.artifacts import HEADER
from recollect.text.cutting import cut_short
from recollect.text.fences import neutralise
from recollect.text.tokens import estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.autonomous.blocks import Block
    from recollect.autonomous.keeping import Baseline
    from recollect.autonomous.skills import Skill

LONGEST_LINE = 320
MOST_PAST = 5
YOURS = "## Notes of yours"
MORE = "More, with evidence: memory://root/MEMORY.md"
_SEAM = 8  # tokens that a heading or a join may cost


def summary_lines(name: str, blocks: Sequence[Block], skills: Sequence[Skill], *, limit_tokens: int) -> list[str]:
    """The lines of the summary, within the limit: of each section the best, then skills and where there is more."""
    head = [HEADER, f"# Memory of {neutralise(name)}"]
    tail = [
        f"- Skill `{one.name}`: {neutralise(one.description)} memory://root/skills/{one.name}/SKILL.md"
        for one in skills
    ]
    tail.append(MORE)
    left = limit_tokens - estimate_tokens("\n".join((*head, *tail))) - _SEAM
    chosen: dict[str, list[str]] = {}
    for block in sorted(blocks, key=_worth):
        line = f"- {_short(block)} [{block.block_id}]"
        cost = estimate_tokens(line) + 1 + (0 if block.section in chosen else _SEAM)
        if cost > left or (block.section == PAST and len(chosen.get(PAST, ())) >= MOST_PAST):
            continue
        left -= cost
        chosen.setdefault(block.section, []).append(line)
    body = [line for section in SECTIONS if section in chosen for line in (f"## {section}", *chosen[section])]
    return [*head, *body, *tail]


def summary_text(lines: Sequence[str], before: str, baseline: Baseline, *, limit_tokens: int) -> str:
    """The file within its limit, with the lines that somebody wrote into the one before it: they give way last."""
    made, own = kept_lines(lines, before, baseline)
    own = [line for line in own if line not in (HEADER, YOURS)]
    while estimate_tokens(_joined(made, own)) > limit_tokens and (_last_fact(made) or own):
        if _last_fact(made):
            made.pop(_last_fact(made))
        else:
            own.pop()
    return _joined(made, own)


def _joined(made: Sequence[str], own: Sequence[str]) -> str:
    return "\n".join((*made[:2], *((YOURS, *own) if own else ()), *made[2:])) + "\n"


def _worth(block: Block) -> tuple[int, int, float, str]:
    """Most used first, then what was said, then commands; commits and past work last; newest first among equals."""
    late = {HISTORY: 2, PAST: 3, WORK: 1}.get(block.section, 0)
    return -block.uses, late, -block.at, block.block_id


def _short(block: Block) -> str:
    return cut_short(neutralise(" ".join(block.text.split())), LONGEST_LINE)


def _last_fact(lines: Sequence[str]) -> int:
    """Where the last line of a fact is; 0 when there is none."""
    return max((number for number, line in enumerate(lines) if line.startswith("- ")), default=0)
