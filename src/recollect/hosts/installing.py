"""What an install puts into a host's files, as values; and the pure step from a file's text to the wanted text.

Each `hosts/<host>/install.py` says which files it wants and what has to stand in them. Nothing here reads or writes."""

from __future__ import annotations

import os

from recollect.files.edits.jsonc import NotJson, parse
from recollect.files.edits.jsonc_edit import append_item, remove_part, remove_root, replace, set_key
from recollect.files.edits.managed_block import remove_block, set_block
from recollect.files.edits.toml_edit import read_table, remove_table, set_table
from recollect.files.launchers.hook_launcher import NAME as HOOK_MARK
from recollect.files.launchers.hook_launcher import hook_command
from recollect.files.launchers.mcp_launcher import NAME as MCP_MARK
from recollect.hosts.reading import home_in
from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Protocol

    from recollect.files.edits.jsonc import Node
    from recollect.files.home import Home

    class Installer(Protocol):
        """What every hosts/*/install.py offers."""

        HOST: str
        TRUST: str  # the step a user has to take before hooks run; empty when there is none
        PROGRAM: str  # the name of the host's executable

        def root(self, site: Site) -> str: ...  # the host's own folder; it shows that the host is there
        def files(self, site: Site) -> list[Wanted]: ...
        def reads(self, site: Site, project: str) -> list[str]: ...  # every file from which it takes hooks


Path = tuple[str, ...]
SERVER = "recollect"  # our name among a host's MCP servers
FILE_TOOLS = "Read|Edit|MultiEdit|Write|NotebookEdit|apply_patch"  # of Claude Code and Codex, those that touch a file
SHIM_MARK = "Written by Recollect"


class Site(Record):
    """Where an install takes place."""

    environ: Mapping[str, str]
    platform: str
    home: Home
    project: str = ""  # the folder of the project; empty for the whole user
    hooked: frozenset[str] = frozenset()  # files that start our hook, or will

    @property
    def user(self) -> str:
        """The person's own folder."""
        return home_in(self.environ, self.platform)

    def hook(self, host: str = "") -> str:
        """The hook command for a file; with the host only where no other host reads the file."""
        return hook_command(self.home, host, platform=self.platform)

    def below(self, *parts: str) -> str:
        """A path in the project, or in the person's own folder."""
        return os.path.join(self.project or self.user, *parts)


class Entry(Record):
    """One thing in a JSON file: an `item` of a list of hooks, a `key` of ours, or a `default` for a missing key."""

    how: str
    path: Path
    value: object


class Wanted(Record):
    """One file and what has to stand in it."""

    host: str
    path: str
    what: str  # for people: hooks, MCP server, plugin, no packages, memory block
    kind: str = "json"  # json, toml, whole or block
    entries: tuple[Entry, ...] = ()
    table: Path = ()
    values: Mapping[str, object] = {}
    text: str = ""  # of a whole file; empty when it is not to be there, unless it is somebody else's

    @property
    def is_for_nothing(self) -> bool:
        """Is the file not to be there?"""
        return self.kind == "whole" and not self.text


def hook_entries(
    commands: Iterable[tuple[str, Mapping[str, object]]], *, nested: bool = True, matchers: Mapping[str, str] = {}
) -> tuple[Entry, ...]:
    """Hooks by event, some for certain tools alone; Claude's form nests each handler in a group."""
    found = []
    for event, handler in commands:
        which = {"matcher": matchers[event]} if event in matchers else {}
        value = {**which, "hooks": [dict(handler)]} if nested else {**which, **handler}
        found.append(Entry("item", ("hooks", event), value))
    return tuple(found)


def put(text: str, wanted: Wanted) -> tuple[str, list[Path]]:
    """The text with all that is wanted, and the paths of what had to be made in a JSON file."""
    if wanted.kind == "toml":
        return set_table(text, wanted.table, wanted.values), []
    if wanted.kind == "block":
        return set_block(text, wanted.text), []
    if wanted.is_for_nothing:
        return strip(text, wanted, ()), []
    if wanted.kind == "whole":
        if text.strip() and SHIM_MARK not in text:
            raise NotJson("it already exists and is not ours")
        return wanted.text, []
    made: list[Path] = []
    for entry in wanted.entries:
        text, more = _put_entry(text, entry)
        made += more
    return text, made


def strip(text: str, wanted: Wanted, made: Iterable[Path]) -> str:
    """The text without anything of ours, and without what was made for it and is empty now."""
    made = list(made)
    if not made and wanted.kind in ("json", "toml") and not holds_ours(text):
        return text  # somebody else's file, which need not even be understood
    if wanted.kind == "toml":
        now = read_table(text, wanted.table)
        return remove_table(text, wanted.table) if now is not None and MCP_MARK in repr(now) else text
    if wanted.kind == "block":
        return remove_block(text)
    if wanted.kind == "whole":
        return "" if SHIM_MARK in text else text
    for entry in wanted.entries:
        if entry.how == "item":
            text = _without_items(text, entry.path[:-1])
        elif entry.how == "key":
            text = _without_key(text, entry.path)
    return _without_made(text, made, [entry.path for entry in wanted.entries if entry.how == "default"])


def holds_ours(text: str) -> bool:
    """Does a JSON or TOML file start our hook or our MCP server?"""
    return HOOK_MARK in text or MCP_MARK in text


def containers(wanted: Wanted) -> list[Path]:
    """All that an install may have had to make in a JSON file to hold our entries, where nobody knows any more."""
    held = [entry.path if entry.how != "key" else entry.path[:-1] for entry in wanted.entries]
    return list(dict.fromkeys(path[:length] for path in held for length in range(len(path) + 1)))


def handlers(array: Node) -> Iterator[tuple[Node, int, Node]]:
    """Every hook of a list: the container that holds it, its place there, and the hook; in groups or plain."""
    for index, item in enumerate(array.items):
        group = item.member("hooks") if item.kind == "object" else None
        if group is not None and group.value.kind == "array":
            for inner, handler in enumerate(group.value.items):
                yield group.value, inner, handler
        else:
            yield array, index, item


def is_ours(handler: Node) -> bool:
    """Does this hook start our launcher?"""
    return any(isinstance(m.value.scalar, str) and HOOK_MARK in m.value.scalar for m in handler.members)


def _put_entry(text: str, entry: Entry) -> tuple[str, list[Path]]:
    root = parse(text)
    node = root.find(entry.path) if root else None
    if entry.how == "default" and node is not None:
        return text, []
    if entry.how != "item":
        return set_key(text, entry.path, entry.value)
    if node is not None and node.kind == "array":
        for _, _, handler in handlers(node):
            if is_ours(handler):
                now, wanted = handler.value(), _handler(entry.value)
                assert isinstance(now, dict)
                return replace(text, handler, {**now, **wanted}), []
    return append_item(text, entry.path, entry.value)


def _handler(value: object) -> dict[str, object]:
    assert isinstance(value, dict)
    inner: dict[str, object] = value["hooks"][0] if "hooks" in value else value
    return inner


def _without_items(text: str, path: Path) -> str:
    """The text without our hooks below an object of events, and without the groups that held nothing else."""
    while (found := _first_of_ours(text, path)) is not None:
        array, container, index = found
        if container is not array and len(container.items) == 1:
            container, index = (
                array,
                next(i for i, item in enumerate(array.items) if item.start < container.start < item.end),
            )
        text = remove_part(text, container, index)
    return text


def _first_of_ours(text: str, path: Path) -> tuple[Node, Node, int] | None:
    root = parse(text)
    events = root.find(path) if root else None
    for member in events.members if events else ():
        if member.value.kind == "array":
            for container, index, handler in handlers(member.value):
                if is_ours(handler):
                    return member.value, container, index
    return None


def _without_key(text: str, path: Path) -> str:
    root = parse(text)
    parent = root.find(path[:-1]) if root else None
    if parent is None:
        return text
    for index, member in reversed(list(enumerate(parent.members))):
        if member.key == path[-1] and MCP_MARK in text[member.start : member.value.end]:
            return _without_key(remove_part(text, parent, index), path)
    return text


def _without_made(text: str, made: list[Path], defaults: list[Path]) -> str:
    for path in sorted(made, key=len, reverse=True):
        root = parse(text)
        node = root.find(path) if root else None
        if root is None or node is None or node.kind == "scalar" or node.parts:
            continue
        text = _without_member(text, root, path) if path else remove_root(text, root)
    root = parse(text)
    ours = {path[0] for path in defaults if path in made}
    if root is not None and root.members and {member.key for member in root.members} <= ours:
        while (root := parse(text)) is not None and root.members:
            text = remove_part(text, root, 0)
    root = parse(text)
    return remove_root(text, root) if root is not None and not root.parts and () in made else text


def _without_member(text: str, root: Node, path: Path) -> str:
    parent = root.find(path[:-1])
    assert parent is not None
    index = max(i for i, member in enumerate(parent.members) if member.key == path[-1])
    return remove_part(text, parent, index)
