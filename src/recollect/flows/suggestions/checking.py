"""Check: what customization files and shared facts name, against the working tree. Reads only."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING

from recollect.files.customizations import exists, read_exactly, read_files, tree_paths
from recollect.files.git.definitions import deleted_definitions
from recollect.files.git.merging import deletions
from recollect.files.trees import read_cited
from recollect.flows.suggestions.ground import look_around
from recollect.flows.suggestions.sharing import PATH as SHARED
from recollect.flows.suggestions.sharing import shared_facts
from recollect.model.record import Record
from recollect.suggestions.named import COMMAND, MANIFESTS, PATH, SYMBOL, command_is_there, named_things

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

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
    look = Look(root, named)
    found = [finding for path, thing in named if (finding := look.at(path, thing)) is not None]
    return [*found, *_cited(memory)]


class Look:
    """Looks for named things in one working tree. Gone is only what was there once: anything else may be an example."""

    def __init__(self, root: str, named: Sequence[tuple[str, Named]]) -> None:
        self._root = root
        paths = [path for file, thing in named if thing.kind == PATH for path in _places(file, thing.what)]
        self._gone = deletions(root, [path for path in dict.fromkeys(paths) if not exists(root, path)])
        symbols = list(dict.fromkeys(thing.what for _, thing in named if thing.kind == SYMBOL))
        self._symbols = _defined(root, symbols)
        self._lost = deleted_definitions(root, [one for one in symbols if one not in self._symbols], _SOURCE)
        manifests = [path for path in tree_paths(root) if path.rpartition("/")[2] in MANIFESTS]
        self._manifests = {found.path: found.text for found in read_files(root, manifests)}

    def at(self, file: str, thing: Named) -> Finding | None:
        """What became of it; None for what cannot be told, such as an example."""
        match thing.kind:
            case "path":
                there, why = self._path(file, thing.what)
            case "symbol":
                there, why = thing.what in self._symbols, self._lost.get(thing.what, "")
            case _:
                verdict = command_is_there(thing.what, self._manifests)
                there, why = bool(verdict), "the project has no such script or target" if verdict is False else ""
        if not there and not why:
            return None
        return Finding(file, thing.line, thing.kind, thing.what, FINE if there else GONE, "" if there else why)

    def _path(self, file: str, path: str) -> tuple[bool, str]:
        places = _places(file, path)
        return any(exists(self._root, one) for one in places), next(
            (self._gone[one].why for one in places if one in self._gone), ""
        )


def _places(file: str, path: str) -> list[str]:
    """Where a path in a file may lead: from the root, or from the folder of the file."""
    return list(dict.fromkeys((path, os.path.join(os.path.dirname(file), path).replace(os.sep, "/"))))


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
    text = read_cited(root, SHARED) or ""
    for fact in shared_facts(root):
        name, given = str(fact.get("id", "")), fact.get("citations")
        paths = [one for one in given if isinstance(one, str)] if isinstance(given, list) else []
        known = store.entries.get(name).entry if store.entries.has(name) else None
        verdict = memory.checker(patient=True).check([known], now=memory.now)[0].check if known else ""
        for cited in paths:
            path = cited.partition(":")[0]
            check = FINE if exists(root, path) else GONE
            check = CHANGED if check == FINE and verdict == "changed" else check
            why = {FINE: "", CHANGED: "the cited lines have changed", GONE: "there is no such file"}[check]
            yield Finding(SHARED, _line(fact, text), CITATION, f"{path}, cited by: {fact.get('content')}", check, why)


def _line(fact: dict[str, Any], text: str) -> int:
    """The line of the shared file that has the id of a fact, or else its words; the first when neither is found."""
    written = [
        json.dumps(fact[key], ensure_ascii=plain)
        for key in ("id", "content")
        if fact.get(key)
        for plain in (False, True)
    ]
    at = next((place for one in written if (place := text.find(one)) >= 0), 0)
    return text.count("\n", 0, at) + 1


__all__ = ["CHANGED", "COMMAND", "FINE", "GONE", "Finding", "check_customizations"]
