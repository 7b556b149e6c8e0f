"""How a host is connected just now: which files start our hook, whether they are trusted, and what is in the way."""

from __future__ import annotations

import os
import shlex
import sys
from typing import TYPE_CHECKING

from recollect.errors import FileError
from recollect.files.edits.file_edits import read_text
from recollect.files.edits.install_records import read_records
from recollect.files.edits.jsonc import parse
from recollect.files.edits.toml_edit import read_table
from recollect.files.launchers.hook_launcher import launcher_path
from recollect.files.launchers.mcp_launcher import NAME as MCP_MARK
from recollect.files.launchers.mcp_launcher import mcp_launcher_path
from recollect.flows.setup.install import INSTALLABLE, installer
from recollect.hosts.installing import SHIM_MARK, Site, handlers, is_ours
from recollect.model.hosts import TITLES
from recollect.model.record import Record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recollect.files.edits.install_records import FileRecord
    from recollect.files.edits.jsonc import Node
    from recollect.files.home import Home
    from recollect.flows.setup.install import HostEdit
    from recollect.hosts.installing import Installer

PLUGIN = "recollect@"
# By host: a switch in its settings that keeps every hook from running, and the value that does so.
SWITCHES: Mapping[str, tuple[tuple[str, ...], bool]] = {
    "claude-code": (("disableAllHooks",), True),
    "copilot-cli": (("disableAllHooks",), True),
    "gemini-cli": (("hooksConfig", "enabled"), False),
}
TRUSTED, UNTRUSTED, UNKNOWN, NO_NEED = "yes", "no", "unknown", "not needed"


class Problem(Record):
    """What is wrong with a file of a host, and what helps."""

    said: str
    remedy: str = "Fix the file."


class Source(Record):
    """One file that starts our hook."""

    path: str
    where: str  # user, project or plugin
    commands: tuple[str, ...] = ()  # as written, each once
    owners: tuple[str, ...] = ()  # the hosts that it was written for; a plugin has none
    lender: str = ""  # the first of them, when this host only reads the file too


class Installation(Record):
    """One host as it stands."""

    host: str
    title: str
    present: bool  # is the host on this machine?
    sources: tuple[Source, ...] = ()  # more than one: two files fire the same hook
    servers: tuple[str, ...] = ()  # files that name our MCP server
    stale: tuple[str, ...] = ()  # commands whose launcher is gone or belongs to another home
    trusted: str = NO_NEED
    trust_step: str = ""  # what the user has to do
    problems: tuple[Problem, ...] = ()  # files that cannot be read or keep hooks from running
    is_guest: bool = False  # nothing was written for it: it only reads the files of other hosts

    @property
    def installed(self) -> bool:
        """Does anything start our hook in this host?"""
        return bool(self.sources)

    @property
    def removed_with(self) -> str:
        """The command that removes what was written for it; what it only reads stays."""
        own = [source for source in self.sources if not source.lender]
        return removal(own) if own else f"`recollect uninstall {self.host}`"

    @property
    def lenders(self) -> tuple[str, ...]:
        """The hosts whose files it reads too."""
        return tuple(dict.fromkeys(source.lender for source in self.sources if source.lender))

    @property
    def where(self) -> tuple[str, ...]:
        """user, project, plugin: where it is installed."""
        return tuple(dict.fromkeys(source.where for source in self.sources))

    @property
    def duplicates(self) -> tuple[str, ...]:
        """The files that fire the same hook, when there are several."""
        return tuple(source.path for source in self.sources) if len(self.sources) > 1 else ()


def inspect(host: str, *, home: Home, environ: Mapping[str, str], project: str = "") -> Installation:
    """How the host is connected, for this user and in this project. Never raises for what a file contains."""
    site = Site(environ, sys.platform, home)
    row = installer(host)
    problems: list[Problem] = []
    sources: list[Source] = []
    for path in dict.fromkeys(row.reads(site, project)):
        commands = _commands(path, problems)
        if commands:
            inside = bool(project) and os.path.realpath(path).startswith(os.path.realpath(project) + os.sep)
            owners = _owners(host, path, site, project)
            lender = _lender(host, owners)
            sources.append(Source(path, "project" if inside else "user", commands, owners, lender))
    lender = "copilot-cli" if host == "vscode" else ""
    sources += [Source(path, "plugin", lender=lender) for path in _plugins(host, row, site, problems)]
    _note_switch(host, row, site, problems)
    _note_missing(row, sources, site, problems)
    trusted = _trust(host, row, sources, site, problems)
    servers = tuple(_servers(row, site, project, problems))
    own = [one.path for one in sources if not one.lender]
    own += [path for path in servers if host in _owners(host, path, site, project)]
    return Installation(
        host,
        TITLES[host],
        present=os.path.isdir(row.root(site)) or bool(_program(row, environ)),
        sources=tuple(sources),
        servers=servers,
        stale=tuple(c for source in sources for c in source.commands if _is_stale(c, home)),
        trusted=trusted,
        trust_step=row.TRUST if trusted in (UNTRUSTED, UNKNOWN) else "",
        problems=tuple(dict.fromkeys(problems)),
        is_guest=bool(sources) and not own,
    )


class Joined(Record):
    """A block in an AGENTS.md that stays as it is, and the hosts that it is for from now on too."""

    path: str
    hosts: tuple[str, ...]


def joined_block(edits: Sequence[HostEdit], *, home: Home) -> Joined | None:
    """The block that hosts of a plan join, before it is applied; None where they have it, or where it changes."""
    for edit in edits:
        if edit.wanted[0].kind == "block" and not edit.is_needed:
            record = _records(home).get(os.path.realpath(edit.path))
            known = record.hosts if record else ()
            new = tuple(one.host for one in edit.wanted if one.host not in known)
            return Joined(edit.path, new) if new else None
    return None


def command_for(verb: str, sources: Sequence[Source]) -> str:
    """The command that installs or uninstalls these files, which are all of the user or all of the project; it names
    the hosts that they were written for, not who else reads them."""
    hosts = dict.fromkeys(host for source in sources for host in source.owners)
    project = " --project" if any(source.where == "project" for source in sources) else ""
    return f"`recollect {verb} {' '.join(hosts)}{project}`"


def removal(sources: Sequence[Source]) -> str:
    """The command that removes those of the project, or else those of the user."""
    local = [one for one in sources if one.where == "project"]
    return command_for("uninstall", local or [one for one in sources if one.owners])


def _owners(host: str, path: str, site: Site, project: str) -> tuple[str, ...]:
    """The hosts that this file was written for; without a record this one, if it has such a file, or the first that
    reads it."""
    record = _records(site.home).get(os.path.realpath(path))
    if record is not None and record.hosts:
        return record.hosts
    sites = [site, *([site._replace(project=project)] if project else [])]
    if any(path == one.path for each in sites for one in installer(host).files(each)):
        return (host,)
    return (next((one for one in INSTALLABLE if path in installer(one).reads(site, project)), host),)


def _lender(host: str, owners: tuple[str, ...]) -> str:
    return "" if host in owners else owners[0]


def _records(home: Home) -> Mapping[str, FileRecord]:
    try:
        return read_records(home)
    except FileError:
        return {}


def _program(row: Installer, environ: Mapping[str, str]) -> str | None:
    from shutil import which

    return which(row.PROGRAM, path=environ.get("PATH"))


def _commands(path: str, problems: list[Problem]) -> tuple[str, ...]:
    """The commands of ours that a file of hooks, or a plugin of ours, starts."""
    text = _text(path, problems)
    if not text:
        return ()
    if path.endswith((".js", ".ts")):
        line = next((line for line in text.splitlines() if line.startswith("const LAUNCHER = ")), "")
        command = line.partition(" = ")[2].strip('";')
        return (command,) if SHIM_MARK in text and command else ()
    root = _parsed(path, text, problems)
    events = root.find(("hooks",)) if root else None
    found = []
    for member in events.members if events else ():
        for _, _, handler in handlers(member.value):
            if is_ours(handler):
                found += [m.value.scalar for m in handler.members if m.key in ("command", "bash", "powershell")]
    return tuple(dict.fromkeys(str(one) for one in found if one))


def _note_switch(host: str, row: Installer, site: Site, problems: list[Problem]) -> None:
    """Say when the host's own settings keep every hook from running."""
    if host in SWITCHES:
        path = os.path.join(row.root(site), "settings.json")
        keys, off = SWITCHES[host]
        root = _parsed(path, _text(path, problems) or "", problems)
        switch = root.find(keys) if root else None
        if switch is not None and switch.scalar is off:
            name = ".".join(keys)
            said = f"{path}: hooks are switched off there ({name} is {str(off).lower()})."
            problems.append(Problem(said, f"Remove {name} from that file."))


def _note_missing(row: Installer, sources: list[Source], site: Site, problems: list[Problem]) -> None:
    """Say when a file of ours is from before there was a hook for tools."""
    ours = {source.path for source in sources}
    for wanted in row.files(site):
        if wanted.what != "hooks" or wanted.path not in ours:
            continue
        root = _parsed(wanted.path, _text(wanted.path, problems) or "", problems)
        for entry in wanted.entries:
            if isinstance(entry.value, dict) and "matcher" in entry.value:
                array = root.find(entry.path) if root else None
                if array is None or not any(is_ours(handler) for _, _, handler in handlers(array)):
                    said = f"{wanted.path}: there is no hook for {entry.path[-1]}."
                    problems.append(Problem(said, f"Run `recollect install {row.HOST}`."))


def _plugins(host: str, row: Installer, site: Site, problems: list[Problem]) -> list[str]:
    """The files or folders that show our plugin, where this host has plugins."""
    if host == "claude-code":
        return _enabled(row, site, problems)
    if host == "codex":
        path = os.path.join(row.root(site), "config.toml")
        plugins = _table(path, ("plugins",), problems) or {}
        named = (value for name, value in plugins.items() if name.startswith(PLUGIN))
        on = any(isinstance(value, dict) and value.get("enabled") is not False for value in named)
        return [path] if on else []
    if host in ("copilot-cli", "vscode"):
        copilot = installer("copilot-cli")
        folder = os.path.join(copilot.root(site), "installed-plugins")
        copies = [path for path in _below(folder, 2) if os.path.basename(path) == "recollect"]
        # A plugin of which the host makes no copy stands in the settings alone.
        return copies or _enabled(copilot, site, problems)
    return []


def _enabled(row: Installer, site: Site, problems: list[Problem]) -> list[str]:
    """The settings of a host, when they switch our plugin on."""
    path = os.path.join(row.root(site), "settings.json")
    root = _parsed(path, _text(path, problems) or "", problems)
    enabled = root.find(("enabledPlugins",)) if root else None
    names = [m.key for m in enabled.members if m.value.scalar is True] if enabled else []
    return [path] if any(name.startswith(PLUGIN) for name in names) else []


def _below(folder: str, depth: int) -> list[str]:
    try:
        inner = sorted(entry.path for entry in os.scandir(folder) if entry.is_dir())
    except OSError:
        return []
    return inner + [path for one in inner for path in (_below(one, depth - 1) if depth > 1 else [])]


def _servers(row: Installer, site: Site, project: str, problems: list[Problem]) -> list[str]:
    sites = [site, *([site._replace(project=project)] if project else [])]
    paths = [one.path for each in sites for one in row.files(each) if one.what == "MCP server"]
    return [path for path in dict.fromkeys(paths) if MCP_MARK in (_text(path, problems) or "")]


def _trust(host: str, row: Installer, sources: list[Source], site: Site, problems: list[Problem]) -> str:
    """What can be known without asking the host: Codex keeps what it trusts; the others trust whole folders."""
    own = [source for source in sources if source.where != "plugin"]
    if host == "codex" and sources:
        from recollect.hosts.codex.install import plugin_trust, trust

        config = _text(os.path.join(row.root(site), "config.toml"), problems) or ""
        states = set()
        for source in sources:
            try:
                if source.where == "plugin":
                    states.add(plugin_trust(config))
                else:
                    states.add(trust(source.path, _text(source.path, problems) or "", config))
            except FileError as error:
                problems.append(Problem(f"{source.path}: {error}"))
                states.add(UNKNOWN)
        return UNTRUSTED if UNTRUSTED in states else UNKNOWN if UNKNOWN in states else TRUSTED
    if row.TRUST and any(source.where == "project" for source in own):
        return UNKNOWN
    return NO_NEED


def _is_stale(command: str, home: Home) -> bool:
    try:
        program = next(iter(shlex.split(command)), "")
    except ValueError:
        program = command
    return program != launcher_path(home) or not os.path.exists(program) or not os.path.exists(mcp_launcher_path(home))


def _text(path: str, problems: list[Problem]) -> str | None:
    try:
        return read_text(path)
    except FileError as error:
        problems.append(Problem(str(error)))
        return None


def _parsed(path: str, text: str, problems: list[Problem]) -> Node | None:
    try:
        return parse(text)
    except FileError as error:
        problems.append(Problem(f"{path}: {error}."))
        return None


def _table(path: str, table: tuple[str, ...], problems: list[Problem]) -> dict[str, object] | None:
    try:
        return read_table(_text(path, problems) or "", table)
    except FileError as error:
        problems.append(Problem(f"{path}: {error}."))
        return None
