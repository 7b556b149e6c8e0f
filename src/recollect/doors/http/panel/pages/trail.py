"""The way through a review: what was decided, step by step. The pages carry it with them, so that one can go back."""

from __future__ import annotations

import re

from recollect.model.record import Record

LATER, KEPT, DROPPED = "later", "kept", "dropped"
LONGEST = 30  # steps that can be gone back
_STEP = re.compile(r"(later|kept|dropped)\.([a-z]_[0-9a-z]{1,32})(?:\.([a-z]_[0-9a-z]{1,32}))?")


class Step(Record):
    """What was decided about one thing."""

    verdict: str
    name: str
    entry_id: str = ""  # of what was stored


def steps_of(trail: str) -> list[Step]:
    """The steps of a trail, the last one last."""
    found = (_STEP.fullmatch(part) for part in trail.split(","))
    return [Step(one[1], one[2], one[3] or "") for one in found if one]


def trail_of(steps: list[Step]) -> str:
    """The steps as a page carries them; what cannot be undone ends the way back."""
    lasting = [n for n, one in enumerate(steps, 1) if one.verdict == KEPT and not one.entry_id]
    kept = steps[lasting[-1] if lasting else 0 :][-LONGEST:]
    return ",".join(".".join(filter(None, one)) for one in kept)


def left_last(steps: list[Step]) -> str:
    """The last thing that was left for later."""
    return next((one.name for one in reversed(steps) if one.verdict == LATER), "")
