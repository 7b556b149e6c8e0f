"""Check: what customization files and shared facts name, against the working tree. Reads only."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from recollect.files.customizations import exists, read_exactly, tree_paths
from recollect.files.git.merging import deletions
from recollect.flows.suggestions.ground import look_around
from recollect.flows.suggestions.sharing import PATH as SHARED
from recollect.flows.suggestions.sharing import shared_facts
from recollect.model.record import Record
from recollect.suggestions.named import COMMAND, MANIFESTS, PATH, SYMBOL, command_is_there, named_things

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recollect.flows.opened import Opened
    from recollect.suggestions.named import Named

FINE, CHANGED, GONE = "fine", "changed", "gone"
CITATION = "citation"
MOST_BYTES = 50_000_000  # of source that is looked through for functions
_SOURCE = re.compile(
    r".+\.(?:py|pyi|js|jsx|ts|tsx|mjs|cjs|go|rs|java|kt|rb|php|c|cc|cpp|h|hpp|cs|swift|scala|sh|lua|ex|exs)"
)


class Finding(Record):
    """What became of one thing that a file names."""

    file: str
    line: int
    kind: str  # path | symbol | command | citation
    what: str
    check: str  # fine | changed | gone
    why: str = ""


def check_customizations(memory: Opened) -> list[Finding]:
    """Everything that the customizations of this repository and its shared facts name, with whether it is there."""
    root = memory.repository.root
    if not root:
        return []
    files = [one for one in look_around(memory).files if not one.is_users and one.kind != "hook"]
    named = [(one.path, thing) for one in files for thing in named_things(one)]
    lost = list(dict.fromkeys(thing.what for _, thing in named if thing.kind == PATH and not exists(root, thing.what)))
    look = Look(root, deletions(root, lost), _defined(root, [thing.what for _, thing in named if thing.kind == SYMBOL]))
    found = [finding for path, thing in named if (finding := look.at(path, thing)) is not None]
    return [*found, *_cited(memory)]


class Look:
    """Looks for named things in one working tree."""

    def __init__(self, root: str, gone: dict[str, str], symbols: frozenset[str]) -> None:
        self._root = root
        self._gone = gone
        self._symbols = symbols
        read = {name: read_exactly(root, name) for name in MANIFESTS}
        self._manifests = {name: text for name, text in read.items() if text is not None}

    def at(self, file: str, thing: Named) -> Finding | None:
        """What became of it; None for what cannot be told, such as an example."""
        match thing.kind:
            case "path":
                return self._path(file, thing)
            case "symbol":
                there: bool | None = thing.what in self._symbols
                why = "no source file has a function of this name"
            case _:
                there = command_is_there(thing.what, self._manifests)
                why = "the project has no such script or target"
        if there is None:
            return None
        return Finding(file, thing.line, thing.kind, thing.what, FINE if there else GONE, "" if there else why)

    def _path(self, file: str, thing: Named) -> Finding | None:
        if exists(self._root, thing.what) or exists(self._root, os.path.join(os.path.dirname(file), thing.what)):
            return Finding(file, thing.line, PATH, thing.what, FINE)
        folder = thing.what.rpartition("/")[0]
        why = self._gone.get(thing.what, "")
        if not why and not (folder and exists(self._root, folder)):
            return None  # it may be an example
        return Finding(file, thing.line, PATH, thing.what, GONE, why or "there is no such file")


def _defined(root: str, symbols: Sequence[str]) -> frozenset[str]:
    """Those of these names that some source file has."""
    wanted, found, read = set(symbols), set[str](), 0
    for path in tree_paths(root) if wanted else ():
        if _SOURCE.fullmatch(path) and read < MOST_BYTES and found != wanted:
            text = read_exactly(root, path) or ""
            read += len(text)
            found |= {name for name in wanted - found if name in text}
    return frozenset(found)


def _cited(memory: Opened) -> Iterator[Finding]:
    """What shared facts cite; for those that are known here, also whether the cited lines are as they were."""
    root, store = memory.repository.root, memory.store
    for number, fact in enumerate(shared_facts(root), 1):
        name, paths = str(fact.get("id", "")), [str(one) for one in fact.get("citations") or [] if isinstance(one, str)]
        known = store.entries.get(name).entry if store.entries.has(name) else None
        verdict = memory.checker(patient=True).check([known], now=memory.now)[0].check if known else ""
        for cited in paths:
            path = cited.partition(":")[0]
            check = FINE if exists(root, path) else GONE
            check = CHANGED if check == FINE and verdict == "changed" else check
            why = {FINE: "", CHANGED: "the cited lines are not as they were", GONE: "there is no such file"}[check]
            yield Finding(SHARED, number, CITATION, f"{path}, cited by: {fact.get('content')}", check, why)


__all__ = ["CHANGED", "COMMAND", "FINE", "GONE", "Finding", "check_customizations"]
