"""The readers of hosts' logs. One is imported when its logs are looked for."""

from __future__ import annotations

from recollect.model.hosts import HOSTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Protocol

    from recollect.model.sessions import Event

    class Reader(Protocol):
        """What every hosts/*/logs.py offers."""

        HOST: str
        TOOLS: Mapping[str, tuple[str, str]]

        def places(self, environ: Mapping[str, str], platform: str) -> list[str]: ...
        def find(self, places: Iterable[str]) -> Iterator[str]: ...
        def recognises(self, path: str, head: bytes) -> bool: ...
        def read(self, path: str) -> Iterator[Event]: ...


def reader(name: str) -> Reader:
    """The reader of a host's logs."""
    from importlib import import_module

    folder = next(host.folder for host in HOSTS if host.name == name)
    module: Reader = import_module(f"recollect.hosts.{folder}.logs")
    return module


def events_of(name: str, path: str, native_id: str) -> Iterator[Event]:
    """What a log holds, of one session where one is named and the log can be asked so."""
    host = reader(name)
    one: Callable[[str, str], Iterator[Event]] | None = getattr(host, "read_session", None)
    return one(path, native_id) if one is not None and native_id else host.read(path)


def kinds(name: str) -> Callable[[str, Mapping[str, object]], tuple[str, str]]:
    """What a host's tool calls are about: its own rule where it has one, else its table of tools."""
    from recollect.hosts.tools import kind_in

    host = reader(name)
    own: Callable[[str, Mapping[str, object]], tuple[str, str]] | None = getattr(host, "kind_of", None)
    return own or (lambda tool, arguments: kind_in(host.TOOLS, tool, arguments))


def recognise(path: str, head: bytes) -> str:
    """Whose log a file is, by its content; an empty text when nobody's."""
    for host in HOSTS:
        if reader(host.name).recognises(path, head):
            return host.name
    return ""
