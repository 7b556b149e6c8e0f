"""What suggestions are made of: the facts of this repository and its user, and the files that are there."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING

from recollect.files.customizations import MOST_TEXTS, exists, read_files, tree_paths, user_paths
from recollect.files.git.merging import deletions
from recollect.files.home import user_directory
from recollect.flows.sessions.prove import is_proven
from recollect.memory.versions import with_earlier
from recollect.model.record import Record
from recollect.model.suggestions import APPLIED, DISMISSED, Fact
from recollect.suggestions.customizations import USER, kind_of, read_customization
from recollect.suggestions.facts import fact_of, with_answer_votes
from recollect.suggestions.former import former_of
from recollect.suggestions.globs import code_spans
from recollect.suggestions.proposing import Ground
from recollect.suggestions.pruning import Weights, pool
from recollect.suggestions.said import CONFIGS, DOCS, Text
from recollect.suggestions.stale import named_in
from recollect.text.secrets.values import MARKER

if TYPE_CHECKING:
    from recollect.files.git.merging import Gone
    from recollect.flows.opened import Opened
    from recollect.model.entries import Entry
    from recollect.suggestions.customizations import Customization

MOST_NAMED = 200  # paths that are looked for in the repository's past
ACCEPTED, EDITED, REFUSED = 0.1, 0.05, 0.15  # what a person's decision about a suggestion does to its fact


class Verdicts(Record):
    """What people decided about suggestions made from a fact, by its id."""

    applied: dict[str, int]
    edited: dict[str, int]
    dismissed: dict[str, int]


def facts_here(memory: Opened) -> list[Fact]:
    """The facts of this repository and its user, each pool within its limit, without those in an unsettled conflict and
    those from which a secret was removed."""
    settings, verdicts = memory.settings.suggestions, verdicts_of(memory)
    weights = Weights(settings.recency_weight, settings.vote_weight, settings.use_weight)
    commands = proven_commands(memory)
    disputed = {entry_id for pair in memory.store.conflicts.open() for entry_id in pair}
    found: list[Fact] = []
    for place, limit in ((memory.repository.repository, settings.repository_facts), ("", settings.user_facts)):
        entries = [
            one for one in entries_of(memory, place) if one.entry_id not in disputed and MARKER not in one.content
        ]
        kept = pool([one for one in entries if fact_of(one)], limit, weights, applied=verdicts.applied, now=memory.now)
        found += [
            _judged(fact, verdicts) for fact in (as_fact(one, commands, memory) for one in kept) if fact is not None
        ]
    return list({fact.fact_id: fact for fact in found}.values())


def entries_of(memory: Opened, repository: str) -> list[Entry]:
    """The active knowledge of a repository, or of the user, with the votes on the answers that it was learned from."""
    where = {"layer": "L1", "status": "active", "repository": repository}
    votes = memory.store.sessions.votes()
    return [with_answer_votes(one.entry, votes) for one in memory.store.entries.listed(where)]


def as_fact(entry: Entry, commands: frozenset[str], memory: Opened) -> Fact | None:
    """An entry as a fact, with the command in it that was seen to succeed and what it said before."""
    seen = [span for span in code_spans(entry.content) if span in commands]
    spoken = [
        one for one in commands if " " in one and re.search(rf"(?<![\w-]){re.escape(one)}(?![\w-])", entry.content)
    ]
    versions = with_earlier(memory.store.entries.get(entry.entry_id), memory.store)
    earlier = [one.entry.content for one in versions if one.entry_id != entry.entry_id]
    return fact_of(
        entry,
        command=next(iter(seen), max(spoken, key=len, default="")),
        former=former_of(entry.content, earlier),
    )


def proven_commands(memory: Opened) -> frozenset[str]:
    """Commands that logs prove to work in this repository."""
    here = memory.repository.repository
    proven = [one for one in entries_of(memory, here) if is_proven(one)] if here else []
    return frozenset(span for one in proven for span in code_spans(one.content)[:1])


def verdicts_of(memory: Opened) -> Verdicts:
    """What became of the suggestions of each fact."""
    counted = Verdicts({}, {}, {})
    for names, status, edited in memory.store.suggestions.decided():
        kinds = [counted.applied] if status == APPLIED else [counted.dismissed] if status == DISMISSED else []
        for kind in [*kinds, *([counted.edited] if edited and status == APPLIED else [])]:
            for name in names:
                kind[name] = kind.get(name, 0) + 1
    return counted


def _judged(fact: Fact, verdicts: Verdicts) -> Fact:
    name = fact.fact_id
    change = ACCEPTED * verdicts.applied.get(name, 0) - REFUSED * verdicts.dismissed.get(name, 0)
    change -= EDITED * verdicts.edited.get(name, 0)
    return fact._replace(confidence=round(min(max(fact.confidence + change, 0.0), 0.99), 3))


def user_folder(memory: Opened) -> str:
    """The user's own folder, where hosts keep what holds everywhere."""
    return user_directory(memory.environ, sys.platform)


def look_around(memory: Opened) -> Ground:
    """The customizations that are there, what else the repository says, and what it deleted."""
    root = memory.repository.root if memory.repository.repository else ""
    paths = tree_paths(root) if root else []
    mine = [path for path in paths if kind_of(path)]
    texts = [path for path in paths if _may_say(path)]
    user = user_folder(memory)
    own = [(USER + found.path, found.text) for found in read_files(user, user_paths(user))]
    files = [(found.path, found.text) for found in read_files(root, mine)] if root else []
    known = [one for one in (read_customization(path, text) for path, text in (*files, *own)) if one]
    return Ground(
        tuple(known),
        tuple(Text(found.path, found.text) for found in read_files(root, texts[:MOST_TEXTS])) if root else (),
        gone_from(root, [one for one in known if not one.is_users]) if root else {},
        memory.settings.suggestions.file_characters,
    )


def gone_from(root: str, files: list[Customization]) -> dict[str, Gone]:
    """The paths that these files name and that the repository deleted or renamed, and how one knows."""
    return deletions(root, _lost(root, files)[:MOST_NAMED])


def _lost(root: str, files: list[Customization]) -> list[str]:
    """The paths that these files name and that are not there, neither from the root nor from the file's own folder."""
    named = [(path, one) for one in files for path in named_in(one)]
    there = {path for path, one in named if any(exists(root, os.path.join(at, path)) for at in _bases(one))}
    return list(dict.fromkeys(path for path, _ in named if path not in there))


def _bases(file: Customization) -> tuple[str, str, str]:
    """Where the paths in a file may begin: at the root, in the folder it speaks for, or beside it."""
    return "", file.folder, os.path.dirname(file.path)


def _may_say(path: str) -> bool:
    """Manifests and settings near the top, and docs."""
    return (path.rsplit("/", 1)[-1] in CONFIGS and path.count("/") < 3) or bool(DOCS.fullmatch(path))
