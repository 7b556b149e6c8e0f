"""Name a repository: what a person writes stands for one that is known."""

from __future__ import annotations

import os

from recollect.errors import Ambiguous, NotFound
from recollect.files.repositories import identify

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.flows.opened import Opened
    from recollect.store.store import Store

MOST_SHOWN = 5


def name_repository(name: str, memory: Opened) -> str:
    """The identity of a repository that is named whole, by its folder, or by a part of its name.

    One that is written whole need not be known: it has the user's own memory, as any other has."""
    store, environ = memory.store, memory.environ
    known = store.repositories.names()
    whole = store.repositories.canonical(name)
    if whole in known:
        return whole
    path = os.path.join(memory.folder, os.path.expanduser(name))
    if os.path.isdir(path):
        known_here = store.repositories.identities()
        found = identify(path, home=environ.get("HOME"), known=known_here, environ=environ, lookup=memory.lookup)
        return store.repositories.canonical(found.repository)
    like = _like(name, {place_name(one, store): one for one in known}) if name else []
    if len(like) > 1:
        raise Ambiguous(f"More than one repository is called {name!r}: {_shown(like, store)}.")
    if not like and (":" in name or ("/" in name and name[0] not in "./~")):
        return whole
    if not like:
        raise NotFound(f"No repository is known as {name!r}" + (f", only {_shown(known, store)}." if known else "."))
    return like[0]


def place_name(repository: str, store: Store) -> str:
    """A repository as people know it: its identity, or its folder when it has no remote."""
    if repository.startswith("root:"):
        repository = store.repositories.folder(repository) or repository
    return repository.removeprefix("path:").removesuffix("/.git")


def place_here(memory: Opened) -> str:
    """The repository that one is in as people know it, also where it was never heard of before."""
    here = memory.repository
    return here.root if here.repository.startswith("root:") and here.root else place_name(here.repository, memory.store)


def short_name(repository: str, store: Store) -> str:
    """The last part of it: what people call it."""
    return place_name(repository, store).replace("\\", "/").rstrip("/").rpartition("/")[2]


def _like(name: str, known: dict[str, str]) -> list[str]:
    """Those that the name ends or begins as people know them, else those that it is any part of."""
    near = [one for called, one in known.items() if called.endswith(f"/{name}") or name in (called, one)]
    near = near or [one for called, one in known.items() if called.startswith(name) or one.startswith(name)]
    return near or [one for called, one in known.items() if name.lower() in called.lower()]


def _shown(names: list[str], store: Store) -> str:
    rest = f" and {len(names) - MOST_SHOWN} more" if len(names) > MOST_SHOWN else ""
    return ", ".join(place_name(one, store) for one in names[:MOST_SHOWN]) + rest
