"""By file: a tool is about to touch a file -> what memory says of it or of a folder above -> within its own ceiling."""

from __future__ import annotations

import os

from recollect.memory.paths import concerns, parts_of
from recollect.model.recall import Budget, Places
from recollect.model.receipts import Injection, Parts, Recall, Recalled
from recollect.text import ids
from recollect.text.rendering import entry_line
from recollect.text.terms import query_terms
from recollect.text.tokens import estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.flows.opened import Opened
    from recollect.flows.turns.settle import Hit
    from recollect.model.entries import Entry
    from recollect.model.turns import Recipient

MOST_TOKENS = 300  # with the fence around them
MOST_ENTRIES = 5
BUDGET = Budget(postings=2_000, pairs=0, read=120, best=60)


def by_file(paths: Sequence[str], memory: Opened, to: Recipient) -> Injection:
    """What is known about these files, as far as the session does not have it before it. Nothing is kept where there
    is nothing to say: most calls are like that."""
    if not (memory.settings.enabled and memory.settings.injection.by_file and to.takes_by_file):
        return Injection("")
    here = [path for path in (relative(one, memory) for one in paths) if path]
    hits = [hit for path in here for hit in about_file(path, memory)] if here else []
    if not hits:
        return Injection("")
    return given(hits, " ".join(here), memory, to)


def relative(path: str, memory: Opened) -> str:
    """The path below the repository, or below the folder of the session; empty for a file outside of it."""
    root = memory.root
    whole = os.path.normpath(os.path.join(memory.folder, path))
    for folder in (root, os.path.realpath(root)):
        if whole.startswith(folder.rstrip(os.sep) + os.sep):
            return os.path.relpath(whole, folder).replace(os.sep, "/")
    return ""


def about_file(path: str, memory: Opened) -> list[tuple[Entry, int]]:
    """The entries that speak of a file, each with how particularly."""
    parts = parts_of(path)
    folders = ["/".join(parts[:end]) for end in range(1, len(parts) + 1)]
    here = tuple(dict.fromkeys(("", memory.repository.repository, *memory.repository.aliases)))
    wanted = query_terms(" ".join((*folders, *parts)))
    near = memory.store.similar_entries(wanted, Places(("L1",), here), BUDGET)
    found = memory.store.entries.active([one.entry_id for one in near])
    fits = [(entry, max(concerns(entry.content, parts), _cited(entry, parts))) for entry in found]
    return [(entry, fit) for entry, fit in fits if fit]


def _cited(entry: Entry, parts: Sequence[str]) -> int:
    return max((concerns(one.path, parts) for one in entry.citations if one.kind == "file"), default=0)


def given(found: Sequence[tuple[Entry, int]], asked: str, memory: Opened, to: Recipient) -> Injection:
    """The most particular of them that still hold, inside their fence; and the receipt."""
    # Imported here: most calls have nothing to say.
    from recollect.flows.turns.settle import settled
    from recollect.memory.inject import receipt_of, turn_block

    now, checker = memory.now, memory.checker()
    filters, limits = memory.filters()._replace(layers=("L1",)), memory.limits(MOST_ENTRIES, MOST_TOKENS)
    hits, out = settled(as_hits(found), memory.store, checker, filters, limits, now, memory.in_window(to))
    entries = [
        Recalled(hit.entry, hit.parts, hit.check, estimate_tokens(entry_line(hit.entry, hit.check)), f"touches {asked}")
        for hit in hits[:MOST_ENTRIES]
    ]
    receipt_id = memory.new_id(ids.RECEIPT)
    recall = Recall(asked, tuple(entries), tuple(out), sum(one.tokens for one in entries))
    while recall.entries and estimate_tokens(turn_block(recall, receipt_id)) > MOST_TOKENS:
        recall = recall._replace(entries=recall.entries[:-1], tokens=recall.tokens - recall.entries[-1].tokens)
    if not recall.entries:
        return Injection("")
    text = turn_block(recall, receipt_id)
    receipt = receipt_of(
        recall,
        receipt_id=receipt_id,
        repository=memory.repository.repository,
        session=to.session,
        host=to.host,
        tokens=estimate_tokens(text),
        now=now,
    )
    memory.keep_receipt(receipt, checker)
    return Injection(text, receipt_id, receipt.tokens)


def as_hits(found: Sequence[tuple[Entry, int]]) -> list[Hit]:
    """The entries as what recall settles, the most particular first, of equals the newest; each once."""
    from recollect.flows.turns.settle import Hit
    from recollect.memory.rank import Evidence

    best = {entry.entry_id: (entry, fit) for entry, fit in sorted(found, key=lambda one: one[1])}
    ranked = sorted(best.values(), key=lambda one: (-one[1], -one[0].created))
    return [
        Hit(age, entry, frozenset(query_terms(entry.content)), Evidence((), float(fit), float(fit)), Parts(float(fit)))
        for age, (entry, fit) in enumerate(ranked)
    ]
