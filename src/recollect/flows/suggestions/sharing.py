"""Facts of a repository as a file of it, for the team: written when sharing is on, and what others wrote is read back
as things that wait. Nothing from the file is ever stored without a person."""

from __future__ import annotations

import json
import math
import os
from typing import TYPE_CHECKING

from recollect.errors import FileError
from recollect.files.trees import read_cited
from recollect.files.writing import write_atomic
from recollect.flows.sessions.digest import Keeper, offer
from recollect.flows.suggestions.ground import facts_here
from recollect.memory.versions import with_earlier
from recollect.model.drafts import Draft
from recollect.model.entries import Citation
from recollect.suggestions.facts import rejected
from recollect.text import ids
from recollect.text.language.statements import statement_key

if TYPE_CHECKING:
    from typing import Any

    from recollect.flows.opened import Opened
    from recollect.model.suggestions import Fact

PATH = ".github/memories/facts.json"
VERSION = 1
MOST_READ = 500
LONGEST = 1_000
EXTRACTED = "facts.extracted."


def is_shared(memory: Opened) -> bool:
    """Do the facts of this repository live in it too?"""
    return memory.settings.enabled and memory.settings.sharing.facts and bool(memory.repository.repository)


def share_facts(memory: Opened) -> bool:
    """Write this repository's facts into its file; what others wrote there stays. True when the file changed."""
    if not is_shared(memory):
        return False
    root = memory.repository.root
    known = _read(root)
    if known is None:
        return False
    mine = [_shared(fact) for fact in facts_here(memory) if fact.scope == "repository"]
    said = {statement_key(str(one["content"])) for one in mine}
    here = {str(one["id"]) for one in mine}
    others = [one for one in known.get("facts", []) if _is_others(one, memory, said, here)]
    facts = sorted([*others, *mine], key=lambda one: (_number(one.get("timestamp")), str(one.get("id", ""))))
    document = {"version": VERSION, "facts": facts, "lastExtractionTime": _times(memory, known)}
    if facts == known.get("facts"):
        return False  # when it was looked for alone is not worth a change in everybody's history
    if not facts and not known:
        return False
    _write(root, document)
    return True


def read_shared(memory: Opened) -> int:
    """Let what teammates shared wait for a person, with where it comes from; returns how much is new."""
    if not is_shared(memory):
        return 0
    keeper = Keeper(memory.writer("system"), lambda: memory.new_id(ids.CANDIDATE))
    repository = memory.repository.repository
    offered = 0
    for one in (_read(memory.repository.root) or {}).get("facts", [])[:MOST_READ]:
        content = " ".join(str(one.get("content", "")).split()) if isinstance(one, dict) else ""
        if not content or len(content) > LONGEST or rejected(content) or memory.store.entries.has(str(one.get("id"))):
            continue
        draft = Draft(
            content,
            repository=repository,
            reason=_fit(" ".join(str(one.get("reason", "")).split())[:LONGEST]),
            citations=(Citation("file", path=PATH), *_cited(one)),
            source="system",
            origin="document",
        )
        offered += offer("fact", draft, f"shared in {PATH}", keeper, proof=1, confidence=0.5)
    return offered


def unshare(entry_id: str, memory: Opened) -> None:
    """Take an entry that is about to be erased out of the file, with its earlier versions and whoever else says so."""
    known = _read(memory.repository.root) if is_shared(memory) else None
    if not known:
        return
    versions = [one.entry for one in with_earlier(memory.store.entries.get(entry_id), memory.store)]
    names = {one.entry_id for one in versions}
    said = {statement_key(one.content) for one in versions}
    kept = [one for one in known["facts"] if not _is_any(one, names, said)]
    if len(kept) < len(known["facts"]):
        _write(memory.repository.root, {**known, "facts": kept})


def shared_facts(root: str) -> list[dict[str, Any]]:
    """The facts in the file of a repository; none where it is not there or cannot be read."""
    found = (_read(root) or {}).get("facts", [])[:MOST_READ]
    return [one for one in found if isinstance(one, dict)]


def _shared(fact: Fact) -> dict[str, Any]:
    return {
        "id": fact.fact_id,
        "content": fact.content,
        "reason": _fit(fact.reason),
        "citations": [_told(citation) for citation in fact.citations if citation.kind == "file" and citation.path],
        "timestamp": int(fact.created * 1000),
        "scope": "workspace",
        "category": fact.category,
        "sourceSessionId": fact.session,
        "confidence": fact.confidence,
    }


def _fit(reason: str) -> str:
    """A reason, or nothing when it has something in it that a fact may not have."""
    return "" if rejected(reason) else reason


def _told(citation: Citation) -> str:
    return f"{citation.path}:{citation.start}-{citation.end}" if citation.start else citation.path


def _cited(one: dict[str, Any]) -> list[Citation]:
    given = one.get("citations")
    paths = [str(path).partition(":")[0] for path in given[:8]] if isinstance(given, list) else []
    return [
        Citation("file", path=path) for path in paths if path and not path.startswith(("/", "~")) and ".." not in path
    ]


def _is_others(one: object, memory: Opened, said: set[str], here: set[str]) -> bool:
    """Was it written by somebody else, and is it not ours by now? What we retired leaves the file."""
    if not isinstance(one, dict) or not one.get("content"):
        return False
    return not _is_any(one, here, said) and not memory.store.entries.has(str(one.get("id", "")))


def _is_any(one: object, names: set[str], said: set[str]) -> bool:
    """Is a fact of the file one of these, by its id or by what it says?"""
    if not isinstance(one, dict):
        return False
    return str(one.get("id", "")) in names or statement_key(str(one.get("content", ""))) in said


def _times(memory: Opened, known: dict[str, Any]) -> dict[str, int]:
    before = known.get("lastExtractionTime")
    times = {"workspace": EXTRACTED + memory.repository.repository, "user": EXTRACTED}
    found = {scope: float(memory.store.home_value(name) or 0.0) for scope, name in times.items()}
    kept = before if isinstance(before, dict) else {}
    return {scope: int(at * 1000) or _number(kept.get(scope)) for scope, at in found.items()}


def _number(value: object) -> int:
    """A time as the file should have it; 0 for anything else that somebody wrote there."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return 0
    return int(value) if isinstance(value, int) or math.isfinite(value) else 0


def _write(root: str, document: dict[str, Any]) -> None:
    write_atomic(root, PATH, json.dumps(document, ensure_ascii=False, indent=2) + "\n", mode=0o644)


def _read(root: str) -> dict[str, Any] | None:
    """What the file holds: nothing when it is not there, None when it cannot be read, so that nobody replaces it."""
    if os.path.islink(os.path.dirname(os.path.join(root, PATH))):
        raise FileError(f"{PATH} could not be read: its folder is a link.")
    text = read_cited(root, PATH)
    if text is None:
        return None if os.path.lexists(os.path.join(root, PATH)) else {}
    try:
        found = json.loads(text)
    except ValueError:
        return None
    usable = isinstance(found, dict) and isinstance(found.get("facts"), list)
    return found if usable else None
