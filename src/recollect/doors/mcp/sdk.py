"""The official SDK, loaded only as far as a server on stdio needs it: a host waits for its first answer.

`import mcp` gathers the SDK's client, its HTTP client and its other servers. Here the two packages on the way to the
server are entered without running what gathers them; whoever asks one of them for a name it would have gathered still
gets it."""

from __future__ import annotations

import gc
import importlib.machinery
import importlib.util
import sys
from types import ModuleType
from typing import Any

FRONTS = ("mcp", "mcp.server")


class _Front(ModuleType):
    """A package whose own code runs when it is first asked for something that no submodule has put there."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or self.__spec__ is None or self.__spec__.loader is None:
            raise AttributeError(name)
        object.__setattr__(self, "__class__", ModuleType)
        self.__spec__.loader.exec_module(self)
        return getattr(self, name)


def enter_lightly() -> None:
    """From now on importing a part of the SDK's server loads that part and what it needs, not the whole SDK."""
    if "mcp" in sys.modules:
        return
    path: Any = None
    for name in FRONTS:
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        if spec is None or spec.loader is None:
            return  # installed in some other way: the import itself will say what is missing
        front = importlib.util.module_from_spec(spec)
        front.__class__ = _Front
        sys.modules[name] = front
        parent, _, child = name.rpartition(".")
        if parent:
            setattr(sys.modules[parent], child, front)
        path = spec.submodule_search_locations


def load() -> None:
    """Import what a server needs, with the collector of garbage out of the way: nothing of it ever is garbage."""
    enter_lightly()
    gc.disable()
    try:
        import mcp.server.lowlevel.server
        import mcp.server.stdio  # noqa: F401
    finally:
        gc.enable()
        gc.freeze()
