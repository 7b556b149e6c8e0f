"""What the commits of a repository prove: how their messages are written, who works where, what is often taken back."""

from __future__ import annotations

import re
from collections import Counter

from recollect.model.record import Record
from recollect.text.commit_styles import is_bot, reverted, style_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.model.commits import Commit

LEAST_COMMITS = 20
OWN_SHARE = 0.6  # of the commits in a folder, by one author
ALONE_SHARE = 0.8  # of all commits: then it is one person's repository, and nobody asks who works where
MOST_FOLDERS = 3
LEAST_REVERTS = 3
MOST_REVERTED = 2
_NAME = re.compile(r"[^\W\d_][\w .'-]{1,39}")
_PATH = re.compile(r"[\w.@+-]+(?:/[\w.@+-]+)*")


class Habit(Record):
    """Something that the commits of a repository prove."""

    kind: str  # style | who | reverted
    about: str  # the folder or file; empty for all of it
    says: str
    proof: str


def habits(commits: Sequence[Commit]) -> list[Habit]:
    """What these commits, newest first, prove; nothing where there are too few to tell."""
    by_people = [one for one in commits if not is_bot(one.author)]
    if len(by_people) < LEAST_COMMITS:
        return []
    return [*_style(by_people), *_who(by_people), *_reverted(by_people)]


def _style(commits: Sequence[Commit]) -> list[Habit]:
    style = style_of([one.subject for one in commits])
    return [Habit("style", "", style.says, f"{style.times} of the last {style.of} commits do")] if style else []


def _who(commits: Sequence[Commit]) -> list[Habit]:
    everywhere = Counter(one.author for one in commits)
    if everywhere.most_common(1)[0][1] / len(commits) >= ALONE_SHARE:
        return []
    folders: dict[str, Counter[str]] = {}
    for commit in commits:
        for folder in {_folder(path) for path in commit.paths}:
            if folder:
                folders.setdefault(folder, Counter())[commit.author] += 1
    found = []
    for folder, authors in sorted(folders.items(), key=lambda one: -one[1].total()):
        author, count = authors.most_common(1)[0]
        known = _NAME.fullmatch(author) and _PATH.fullmatch(folder)
        if known and authors.total() >= LEAST_COMMITS and count / authors.total() >= OWN_SHARE:
            proof = f"{count} of the last {authors.total()} commits there"
            found.append(Habit("who", folder, f"Most commits in `{folder}` are by {author}.", proof))
    return found[:MOST_FOLDERS]


def _folder(path: str) -> str:
    """The folder that says which part of a repository a file is in: two deep, where there are two."""
    return "/".join(path.split("/")[:-1][:2])


def _reverted(commits: Sequence[Commit]) -> list[Habit]:
    counted = Counter(path for one in commits if reverted(one.subject) is not None for path in one.paths)
    return [
        Habit("reverted", path, f"Changes to `{path}` are often reverted.", f"{count} reverts in the last year")
        for path, count in counted.most_common(MOST_REVERTED)
        if count >= LEAST_REVERTS and _PATH.fullmatch(path)
    ]
