"""What the history of a repository says about the work in it: within a time and a size, from this machine alone."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

from recollect.files.git.history import commits
from recollect.model.commits import GitEvidence, Revert, Together
from recollect.text.commit_styles import is_bot, reverted, reverted_name, style_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.model.commits import Commit

MOST_COMMITS = 200
MOST_PATHS = 50  # of one commit
MOST_REVERTS = 20
MOST_PAIRS = 20
MOST_AT_ONCE = 12  # files of one commit: more are a sweep through everything
LEAST_TOGETHER = 3
TOGETHER_SHARE = 0.6  # of the commits that change the rarer of two files
LEAST_COMMITS = 20  # before there is a style


def git_evidence(common_directory: str) -> GitEvidence:
    """What the newest commits of people say; nothing when git cannot tell them in time."""
    return evidence_of(commits(common_directory, most=MOST_COMMITS)) if common_directory else GitEvidence()


def evidence_of(history: Sequence[Commit]) -> GitEvidence:
    """What these commits, newest first, say."""
    by_people = [one for one in history if not is_bot(one.author)]
    style = style_of([one.subject for one in by_people]) if len(by_people) >= LEAST_COMMITS else None
    return GitEvidence(
        tuple(one._replace(paths=one.paths[:MOST_PATHS]) for one in by_people),
        tuple(_reverts(by_people)[:MOST_REVERTS]),
        tuple(_together(by_people)[:MOST_PAIRS]),
        style.says if style else "",
    )


def _reverts(history: Sequence[Commit]) -> list[Revert]:
    return [
        Revert(subject, one.at, one.name, reverted_name(one.body), one.paths[:MOST_PATHS])
        for one in history
        if (subject := reverted(one.subject)) is not None
    ]


def _together(history: Sequence[Commit]) -> list[Together]:
    """Pairs that change together nearly whenever the rarer of the two does, the most often first."""
    changes: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    for one in history:
        paths = sorted(set(one.paths))
        if len(paths) <= MOST_AT_ONCE and reverted(one.subject) is None:
            changes.update(paths)
            pairs.update(combinations(paths, 2))
    found = []
    for pair, times in pairs.items():
        of = min(changes[path] for path in pair)
        if times >= LEAST_TOGETHER and times / of >= TOGETHER_SHARE:
            found.append(Together(pair, times, of))
    return sorted(found, key=lambda one: (-one.times, one.of, one.paths))
