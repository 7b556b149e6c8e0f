"""What consolidation works on: raw memories, what entries say of them now, what logs and commits prove."""

from __future__ import annotations

import hashlib
import json
import os
from typing import TYPE_CHECKING

from recollect.autonomous import raw
from recollect.autonomous.amending import Line
from recollect.autonomous.lasting import lasting
from recollect.autonomous.raw import RawLine, RawMemory, from_text, ranked
from recollect.errors import NotFound
from recollect.files.git.evidence import git_evidence
from recollect.files.repositories import identify
from recollect.flows.sessions.prove import is_proven
from recollect.model.commits import GitEvidence
from recollect.model.record import Record
from recollect.sessions.eligible import kept_out
from recollect.text.language.statements import statement_key
from recollect.text.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.flows.opened import Opened
    from recollect.model.entries import Entry
    from recollect.store.extractions import Extraction
    from recollect.store.store import Store

# Beyond this a memory is no longer compared line by line: each line is looked at beside every other.
MOST_LINES, LINES_TOKENS, LINE_TOKENS = 300, 18_000, 30


class Inputs(Record):
    """Everything that one consolidation works on."""

    repository: str
    memories: tuple[RawMemory, ...]
    lines: tuple[Line, ...]  # what was said, with whether it still holds
    proven: tuple[tuple[Entry, float], ...]  # with when that was seen last
    git: GitEvidence
    uses: dict[str, int]

    @property
    def mark(self) -> str:
        """The same for the same input, whatever was used, run or committed how often since: counts and days ask no
        model."""
        said = [
            [one.session_id, one.synopsis, [tuple(line) for line in one.lines], [tuple(task) for task in one.tasks]]
            for one in self.memories
        ]
        held = [[one.session_id, one.said.text, one.holds] for one in self.lines]
        proven = sorted(one.content for one, _ in self.proven)
        reverts = sorted([one.subject, one.name] for one in self.git.reverts)
        commits = [self.git.style, reverts, sorted(one.paths for one in self.git.together)]
        text = json.dumps([said, held, proven, commits], ensure_ascii=False)
        return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()

    @property
    def sessions(self) -> dict[str, str]:
        """By session: the hash of what it left, to tell what was added, changed or removed."""
        return {one.session_id: _mark(one) for one in self.memories}


def gather(repository: str, memory: Opened) -> Inputs:
    """What there is about a repository now. Nothing is written."""
    store = memory.store
    stored = [one for one in store.extractions.of_repository(repository) if _may_be_used(one, memory)]
    memories = tuple(ranked([_raw(one) for one in stored], memory.settings.memories.max_raw_memories))
    found = store.entries.listed({"layer": "L1", "status": "active", "repository": repository})
    lines = _lines(memories, repository, memory)
    uses = {name: used.uses for name, used in store.extractions.uses(repository).items()}
    return Inputs(
        repository,
        memories,
        tuple(_bounded(lines)),
        tuple(
            (one.entry, _seen(one.entry, store))
            for one in found
            if is_proven(one.entry) and _is_open(one.entry, memory)
        ),
        _git(memories, store),
        uses,
    )


def _may_be_used(one: Extraction, memory: Opened) -> bool:
    """Is its session still there, and not kept out since?"""
    try:
        session = memory.store.sessions.get(one.session_id)
    except NotFound:
        return False
    return not kept_out(session, memory.settings.exclude)


def _raw(one: Extraction) -> RawMemory:
    lines, tasks = from_text(one.content)
    return RawMemory(
        one.session_id, one.repository, one.synopsis, one.slug, lines, tasks, one.ended, one.made_by, one.uses,
        one.last_used,
    )  # fmt: skip


def _mark(one: RawMemory) -> str:
    return hashlib.sha256(raw.to_text(one).encode("utf-8", "replace")).hexdigest()[:16]


def _is_open(entry: Entry, memory: Opened) -> bool:
    """May it stand in files? Not what rests on a session that was made private, or is kept out, since."""
    cited = [one.session for one in entry.citations if one.kind == "turn"]
    for session_id in {entry.session, *cited} - {""}:
        try:
            session = memory.store.sessions.get(session_id)
        except NotFound:
            continue
        if kept_out(session, memory.settings.exclude):
            return False
    return True


def _bounded(lines: Sequence[Line]) -> list[Line]:
    """As many lines as one consolidation can compare and a model can be shown, the newest; in the order they had."""
    newest = sorted(range(len(lines)), key=lambda at: -lines[at].said.at)[:MOST_LINES]
    left, kept = LINES_TOKENS, set()
    for at in newest:
        left -= estimate_tokens(lines[at].said.text) + LINE_TOKENS
        if left < 0:
            break
        kept.add(at)
    return [line for at, line in enumerate(lines) if at in kept]


def _lines(memories: Sequence[RawMemory], repository: str, memory: Opened) -> list[Line]:
    """What was said, as entries know it now: without what a person retired, and with what replaced the rest."""
    store, vote_out = memory.store, memory.settings.memory.vote_out_downs
    lines: list[Line] = []
    replaced: dict[str, Line] = {}
    for one in memories:
        for said in one.lines:
            if said.kind == raw.WORKFLOW:
                continue
            known = [stored.entry for stored in store.entries.saying(said.key)] if said.key else []
            known = [entry for entry in known if entry.repository in ("", repository)]
            if known and not any(entry.status == "active" for entry in known):
                if any(entry.status == "tombstone" or _is_voted_out(entry, vote_out) for entry in known):
                    continue
                after = _successor(known, store)
                if after is not None and _is_open(after, memory):
                    replaced[after.entry_id] = _line_of(after)
            holds = not known or any(entry.status != "superseded" for entry in known)
            lines.append(Line(said, one.session_id, holds, one.uses))
    said_keys = {line.said.key for line in lines if line.holds}
    return [*lines, *(line for line in replaced.values() if line.said.text and line.said.key not in said_keys)]


def _is_voted_out(entry: Entry, vote_out: int) -> bool:
    return entry.votes_down - entry.votes_up >= vote_out


def _successor(known: Sequence[Entry], store: Store) -> Entry | None:
    """The active entry that took the place of these in the end."""
    seen: set[str] = set()
    names = [entry.superseded_by for entry in known if entry.superseded_by]
    while names and names[0] not in seen:
        seen.add(names[0])
        found = store.entries.by_ids(names[:1])
        entry = found[names[0]].entry if names[0] in found else None
        if entry is None or entry.status == "active":
            return entry
        names = [entry.superseded_by] if entry.superseded_by else []
    return None


def _line_of(entry: Entry) -> Line:
    """An entry as a line, with the turn that it cites."""
    turn = next((one for one in entry.citations if one.kind == "turn"), None)
    rests_on = raw.TYPED if entry.origin == "typed" else raw.LOGGED
    said = RawLine(
        raw.DECISION,
        lasting(entry.content),
        turn.turn if turn else 0,
        entry.created,
        rests_on,
        entry.scope,
        statement_key(entry.content),
    )
    return Line(said, turn.session if turn else entry.session or entry.entry_id)


def _seen(entry: Entry, store: Store) -> float:
    """When the turn that proves it was."""
    cited = next((one for one in entry.citations if one.kind == "turn"), None)
    if cited is None:
        return entry.updated or entry.created
    session = store.sessions.get(cited.session)
    return session.ended or session.started


def _git(memories: Sequence[RawMemory], store: Store) -> GitEvidence:
    """What the commits say, where a checkout of the repository is on this machine."""
    folders: dict[str, None] = {}
    for one in memories:
        session = store.sessions.get(one.session_id)
        folders[session.cwd] = None
    here = next((folder for folder in folders if folder and os.path.isdir(folder)), "")
    return git_evidence(identify(here).common_directory) if here else GitEvidence()
