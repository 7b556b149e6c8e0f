"""Moving in: what another memory keeps -> statements -> known here? -> waits for a person, or stored as typed."""

from __future__ import annotations

import os
import re

from recollect.errors import NotFound, RecollectError
from recollect.files.reading import read_text
from recollect.flows.writes.permitted_changes import WAIT_SECONDS
from recollect.flows.writes.wanted_changes import store_entry, to_payload
from recollect.flows.writes.write import write
from recollect.memory.drafts import prepare
from recollect.memory.foreign import ForeignFact, facts_in
from recollect.memory.neighbours import find_neighbours
from recollect.model.drafts import Add, Draft
from recollect.model.foreign_memories import TITLES
from recollect.model.permissions import Staged
from recollect.model.record import Record
from recollect.text import ids
from recollect.text.clean import clean
from recollect.text.language.statements import statement_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.flows.opened import Opened

WHY = "nobody can tell who wrote it."
LIMIT_BYTES = 20_000_000
SUFFIXES = (".md", ".mdc", ".json", ".jsonl")
EVERYWHERE = ("codex-memory", "mem0")  # they are about the user, not about one repository


class MovedIn(Record):
    """What came of it."""

    files: int = 0
    waiting: int = 0
    stored: int = 0
    known: int = 0
    offered: int = 0  # of what is known, what is waiting or was decided
    skipped: tuple[tuple[str, str], ...] = ()  # what could not be taken, and why


def import_memories(kind: str, paths: Sequence[str], memory: Opened, *, typed: bool) -> MovedIn:
    """Take in what another memory keeps. `typed`: the person says that these are their own words, so they are stored.

    Raises NotFound where there is nothing of this kind."""
    files = [file for path in paths or usual_places(kind, memory) for file in _files(path)]
    if not files:
        raise NotFound(f"{TITLES[kind]} was not found here; name its file or folder.")
    done = MovedIn(len(files))
    for file in files:
        for fact in facts_in(kind, clean(read_text(file, limit_bytes=LIMIT_BYTES))):
            done = _take(_draft(fact, kind, file, memory, typed=typed), memory, done, kind, typed=typed)
    return done


def usual_places(kind: str, memory: Opened) -> list[str]:
    """Where a memory of this kind keeps what belongs to this folder, as far as it is there."""
    home, root = memory.environ.get("HOME") or os.path.expanduser("~"), memory.root
    claude = memory.environ.get("CLAUDE_CONFIG_DIR") or os.path.join(home, ".claude")
    codex = memory.environ.get("CODEX_HOME") or os.path.join(home, ".codex")
    places = {
        "claude-memory": [os.path.join(claude, "projects", re.sub(r"[^A-Za-z0-9]", "-", root), "memory")],
        "claude-md": [os.path.join(root, "CLAUDE.md"), os.path.join(root, ".claude", "rules")],
        "codex-memory": [os.path.join(codex, "memories", "MEMORY.md")],
        "copilot-memory": [os.path.join(root, ".github", "copilot-memories.jsonl")],
        "basic-memory": [os.path.join(home, "basic-memory")],
        "mem0": [],
        "cursor-rules": [os.path.join(root, ".cursor", "rules"), os.path.join(root, ".cursorrules")],
    }
    return [path for path in places[kind] if os.path.exists(path)]


def _files(path: str) -> list[str]:
    if not os.path.isdir(path):
        return [path]
    found = [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names]
    return sorted(file for file in found if file.endswith(SUFFIXES))


def _draft(fact: ForeignFact, kind: str, file: str, memory: Opened, *, typed: bool) -> Draft:
    scope = "user" if kind in EVERYWHERE else memory.scope_for("L1")
    came = f"From {TITLES[kind]} ({os.path.basename(file)})."
    return Draft(
        fact.text,
        scope=scope,
        repository=memory.repository.repository if scope == "repository" else "",
        subject=fact.subject,
        reason=f"{fact.reason} {came}".strip(),
        tags=(f"from:{kind}", *fact.tags),
        source="user" if typed else "agent",
        origin="typed" if typed else "document",
    )


def _take(draft: Draft, memory: Opened, done: MovedIn, kind: str, *, typed: bool) -> MovedIn:
    store, writer = memory.store, memory.writer("user")
    try:
        ready = prepare(draft)
        with store.write():
            if store.entries.saying(statement_key(ready.content)):
                return done._replace(known=done.known + 1)
            if store.staged.was_offered(ready.content) and not typed:
                return done._replace(known=done.known + 1, offered=done.offered + 1)
            if typed:
                store.staged.settle_same("store", ready.content)
                [outcome] = write([Add(draft)], writer)
                if outcome.is_refused:
                    return done._replace(skipped=(*done.skipped, (draft.content, outcome.why)))
                return done._replace(stored=done.stored + 1)
            store.staged.add(
                Staged(
                    memory.new_id(ids.STAGED),
                    "store",
                    "",
                    to_payload(store_entry(ready, find_neighbours(ready, store, anywhere=True), writer)),
                    ready.content,
                    WHY,
                    client=TITLES[kind],
                    repository=draft.repository,
                    created=memory.now,
                    expires=memory.now + WAIT_SECONDS,
                )
            )
            return done._replace(waiting=done.waiting + 1)
    except RecollectError as error:
        return done._replace(skipped=(*done.skipped, (draft.content, str(error))))
