"""Moving in: what another memory keeps -> statements -> known here? -> waits for a person, or stored as typed."""

from __future__ import annotations

import os
import re
from collections import Counter

from recollect.errors import FileError, NotFound, RecollectError
from recollect.files.reading import read_text
from recollect.files.repositories import working_tree
from recollect.flows.sessions.folders import Folders
from recollect.flows.upkeep.join_repository import join_repository
from recollect.flows.writes.evidence import Evidence
from recollect.flows.writes.pending import note_approved
from recollect.flows.writes.permitted_changes import WAIT_SECONDS
from recollect.flows.writes.require_statement import require_more_than_secret
from recollect.flows.writes.wanted_changes import store_entry, to_payload
from recollect.flows.writes.write import write_prepared
from recollect.memory.checks import name_citation
from recollect.memory.drafts import prepare
from recollect.memory.foreign import JSON, JSON_LINES, KINDS, MARKDOWN, ForeignFact, facts_in, names_file, placed
from recollect.memory.history import is_taken_back
from recollect.memory.neighbours import find_neighbours
from recollect.model.drafts import Add, Draft
from recollect.model.foreign_memories import TITLES, came_from
from recollect.model.permissions import Staged
from recollect.model.record import Record
from recollect.suggestions.frontmatter import read_frontmatter
from recollect.text import ids
from recollect.text.clean import clean
from recollect.text.language.statements import statement_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.flows.opened import Opened
    from recollect.memory.drafts import Prepared
    from recollect.memory.foreign import Skipped
    from recollect.model.entries import Citation
    from recollect.store.entries import Stored
    from recollect.store.store import Store

WHY = "nobody can tell who wrote it."
LIMIT_BYTES = 20_000_000
EVERYWHERE = ("codex-memory", "mem0")  # they are about the user, but for what names the folder that it is about
RULES = ("claude-md", "cursor-rules")  # their headers say which files they are about


class MovedIn(Record):
    """What came of it."""

    files: int = 0
    waiting: int = 0
    stored: int = 0
    known: int = 0
    offered: int = 0  # of what is known, what is waiting or was decided
    skipped: tuple[Skipped, ...] = ()  # what could not be taken, and why
    left_out: tuple[tuple[str, int], ...] = ()  # what states nothing by its kind, such as a table, and how many


class _Read(Record):
    facts: tuple[ForeignFact, ...]
    globs: tuple[str, ...]  # of the files that they are about; none: all
    skipped: tuple[Skipped, ...]
    left_out: tuple[str, ...]


def import_memories(kind: str, paths: Sequence[str], memory: Opened, *, typed: bool) -> MovedIn:
    """Take in what another memory keeps. `typed`: the person says that these are their own words, so they are stored,
    as one change.

    Raises NotFound where there is nothing of this kind, FileError when no file can be read as such."""
    files = [file for path in paths or usual_places(kind, memory) for file in _files(path, kind)]
    if not files:
        raise NotFound(f"Found nothing from {TITLES[kind]} here; name its file or folder.")
    drafts: list[Draft] = []
    skipped: list[Skipped] = []
    errors: list[RecollectError] = []
    left_out: Counter[str] = Counter()
    folders = Folders(memory)
    for file in files:
        try:
            read = _read(file, kind)
        except RecollectError as error:
            errors.append(error)
            skipped.append((_shown(file, memory), str(error)))
            continue
        for fact in read.facts:
            repository = _repository_of(fact, kind, memory, folders)
            drafts.append(_draft(fact, kind, file, read.globs, repository, memory, typed=typed))
        left_out.update(read.left_out)
        skipped += [(what or _shown(file, memory), why) for what, why in read.skipped]
    if len(errors) == len(files):
        raise errors[0]
    for met in folders.met.values():
        join_repository(met, store=memory.store, now=memory.now)
    done = MovedIn(len(files), skipped=tuple(skipped), left_out=tuple(left_out.items()))
    return _store(drafts, memory, done) if typed else _stage(drafts, memory, done, kind)


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


def _files(path: str, kind: str) -> list[str]:
    if not os.path.isdir(path):
        return [path]
    found = [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names]
    return sorted(file for file in found if file.endswith(KINDS[kind].suffixes))


def _read(file: str, kind: str) -> _Read:
    """The statements of a file. Raises FileError, which names it, when it is not one of this kind."""
    suffix = os.path.splitext(file)[1].lower()
    if KINDS[kind].suffixes == MARKDOWN and suffix in (*JSON, *JSON_LINES):
        raise FileError(f"{file} is not Markdown, which {TITLES[kind]} is written in; name another file.")
    text = clean(read_text(file, limit_bytes=LIMIT_BYTES))
    try:
        facts, skipped, left_out = facts_in(kind, text)
    except FileError as error:
        raise FileError(f"{file} can't be read as {TITLES[kind]}: {error}.") from error
    return _Read(facts, _globs(text) if kind in RULES else (), skipped, left_out)


def _globs(text: str) -> tuple[str, ...]:
    """Of the files that a rule is about; none where its header says that it always holds."""
    header = read_frontmatter(text)
    return () if header.text("alwaysApply") == "true" else header.patterns("paths", "globs")


def _shown(file: str, memory: Opened) -> str:
    """A file by its path in this folder, or else by its name."""
    whole = os.path.realpath(file)
    below = os.path.relpath(whole, memory.root) if memory.root else ".."
    return os.path.basename(file) if below.startswith("..") else below.replace(os.sep, "/")


def _repository_of(fact: ForeignFact, kind: str, memory: Opened, folders: Folders) -> str:
    """The repository in which it holds; empty: everywhere. Of a folder that is gone, its sessions know it."""
    here = memory.repository.repository
    if not fact.folder:
        return "" if kind in EVERYWHERE or memory.scope_for("L1") == "user" else here
    folder = os.path.normpath(re.sub("^~", memory.environ.get("HOME") or "~", fact.folder))
    if os.path.isdir(folder):
        here_too = working_tree(folder, home=memory.environ.get("HOME")) == memory.root
        return here if here_too else folders.repository_of(folder, "")
    if known := memory.store.sessions.repository_in(folder):
        return memory.store.repositories.canonical(known)
    return folders.repository_of(folder, "")


def _draft(
    fact: ForeignFact, kind: str, file: str, globs: Sequence[str], repository: str, memory: Opened, *, typed: bool
) -> Draft:
    came = came_from(kind, _shown(file, memory))
    return Draft(
        placed(fact.text, globs),
        scope="repository" if repository else "user",
        repository=repository,
        subject=fact.subject,
        reason=f"{fact.reason} {came}".strip(),
        citations=_citations(fact, memory),
        tags=(f"from:{kind}", *fact.tags),
        source="user" if typed else "agent",
        origin="typed" if typed else "document",
    )


def _citations(fact: ForeignFact, memory: Opened) -> tuple[Citation, ...]:
    """What it rests on. A file that is gone stays a file: checks tell that it is."""
    found = Evidence("", memory).given(fact.citations).citations
    return tuple(_of_file(one, memory) if one.kind == "turn" and names_file(one.quote) else one for one in found)


def _of_file(cited: Citation, memory: Opened) -> Citation:
    try:
        return name_citation(cited.quote, root=memory.root, cwd=memory.folder)
    except RecollectError:
        return cited


def _store(drafts: Sequence[Draft], memory: Opened, done: MovedIn) -> MovedIn:
    """Store all of them as one change, which one undo takes back."""
    store = memory.store
    adds: list[tuple[Add, bool]] = []  # with whether it was taken back before, and comes back
    with store.write():
        waiting = [one for one in store.staged.waiting(now=memory.now) if one.action == "store"]
        waited = {(one.what, one.repository): one.staged_id for one in waiting}
        before = store.changes.newest()
        for draft in drafts:
            try:
                ready = _ready(draft)
            except RecollectError as error:
                done = _skipping(done, draft, str(error))
                continue
            said = [one.entry.status for one in _saying(ready, store)]
            store.staged.settle_same("store", ready.content, ready.repository)
            if any(status != "inactive" for status in said):
                done = done._replace(known=done.known + 1)
            else:
                adds.append((Add(ready), bool(said)))
        outcomes = write_prepared([add for add, _ in adds], memory.writer("user"), action="import")
        places = [(add.draft.content, add.draft.repository) for add, _ in adds]
        came = [waited[place] for place in places if place in waited]
        note_approved(came, store, since=before)
    for (add, comes_back), outcome in zip(adds, outcomes, strict=True):
        if outcome.is_refused:
            done = _skipping(done, add.draft, outcome.why)
        elif outcome.status == "stored" or comes_back:
            done = done._replace(stored=done.stored + 1)
        else:
            done = done._replace(known=done.known + 1)
    return done


def _stage(drafts: Sequence[Draft], memory: Opened, done: MovedIn, kind: str) -> MovedIn:
    for draft in drafts:
        try:
            done = _stage_one(draft, memory, done, kind)
        except RecollectError as error:
            done = _skipping(done, draft, str(error))
    return done


def _stage_one(draft: Draft, memory: Opened, done: MovedIn, kind: str) -> MovedIn:
    store, ready = memory.store, _ready(draft)
    with store.write():
        said = _saying(ready, store)
        undone = bool(said) and all(one.entry.status == "inactive" and is_taken_back(one, store) for one in said)
        if said and not undone:
            return done._replace(known=done.known + 1)
        if store.staged.was_offered(ready.content, ready.repository, or_stored=not undone):
            return done._replace(known=done.known + 1, offered=done.offered + 1)
        neighbours = find_neighbours(ready, store, anywhere=True)
        store.staged.add(
            Staged(
                memory.new_id(ids.STAGED),
                "store",
                "",
                to_payload(store_entry(ready, neighbours, memory.writer("user"))),
                ready.content,
                WHY,
                client=TITLES[kind],
                repository=draft.repository,
                created=memory.now,
                expires=memory.now + WAIT_SECONDS,
            )
        )
        return done._replace(waiting=done.waiting + 1)


def _ready(draft: Draft) -> Prepared:
    """As it can be stored; Refused for what says nothing without its secret."""
    require_more_than_secret(draft.content)
    return prepare(draft)


def _saying(draft: Draft, store: Store) -> list[Stored]:
    """The entries that say the same where the draft holds, or everywhere."""
    said = store.entries.saying(statement_key(draft.content))
    return [one for one in said if one.entry.repository in ("", draft.repository)]


def _skipping(done: MovedIn, draft: Draft, why: str) -> MovedIn:
    return done._replace(skipped=(*done.skipped, (draft.content, why)))
