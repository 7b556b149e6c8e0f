"""Connect hosts and let go of them again: hooks, MCP server and, when asked for, a block in AGENTS.md.

plan      which hosts -> what each wants -> read its files -> the wanted text, nothing written
apply     launchers -> for each file: read again -> record -> backup -> write
remove    which files -> exactly as before, or without what is ours -> folders and record gone
inspect   the files a host takes hooks from -> which are ours -> trusted, stale, double
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from recollect.errors import FileError, RecollectError, Refused, UsageError
from recollect.files.edits.file_edits import (
    FileEdit,
    TargetChanged,
    apply_edit,
    digest,
    forget_undo,
    keep_undo,
    missing_folders,
    plan_undo,
    read_text,
    remove_folders,
)
from recollect.files.edits.install_records import LOCK_FILE, FileRecord, backups_folder, read_records, write_records
from recollect.files.edits.managed_block import block_body
from recollect.files.home import ensure_home
from recollect.files.launchers.hook_launcher import NAME as HOOK_MARK
from recollect.files.launchers.hook_launcher import ensure_launcher
from recollect.files.launchers.mcp_launcher import ensure_mcp_launcher
from recollect.files.trees import is_inside
from recollect.flows.setup.by_hand import instead_of_hooks
from recollect.hosts.installing import Site, Wanted, containers, holds_ours, put, strip
from recollect.locks import lock
from recollect.model.hosts import HOSTS, TITLES
from recollect.model.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from recollect.files.home import Home
    from recollect.hosts.installing import Installer

# Claude Code first: whether VS Code needs hooks of its own depends on it.
INSTALLABLE = ("claude-code", "codex", "copilot-cli", "gemini-cli", "cursor", "vscode", "opencode", "pi")
BLOCK_FILE = "AGENTS.md"
WAIT_SECONDS = 5.0


class FileBroken(FileError):
    """A file of a host that cannot be edited as it is."""

    def __init__(self, path: str, why: object) -> None:
        self.said = f"{path}: {why}"
        super().__init__(f"{self.said}; nothing was changed. Fix the file.")


class HostEdit(Record):
    """The planned edit of one file of a host, and what it is for."""

    edit: FileEdit
    wanted: tuple[Wanted, ...]
    project: str = ""
    made: tuple[tuple[str, ...], ...] = ()  # what has to be made in a JSON file to hold our entries
    kept_for: tuple[str, ...] = ()  # other hosts that asked for the block in this AGENTS.md

    @property
    def path(self) -> str:
        """The file, as the host names it."""
        return self.edit.path

    @property
    def is_whole(self) -> bool:
        """Does the whole file come from us?"""
        return self.wanted[0].kind == "whole"

    @property
    def is_needed(self) -> bool:
        """Is there anything to do?"""
        return self.edit.is_needed


def installer(host: str) -> Installer:
    """What a host wants, by its name."""
    from importlib import import_module

    if host not in INSTALLABLE:
        hint = f"There is nothing to install into {host}. {instead_of_hooks(host)}".rstrip()
        raise UsageError(f"{hint} Hosts: {', '.join(INSTALLABLE)}.")
    folder = next(one.folder for one in HOSTS if one.name == host)
    module: Installer = import_module(f"recollect.hosts.{folder}.install")
    return module


def found_hosts(environ: Mapping[str, str], home: Home) -> list[str]:
    """The hosts that are on this machine, by their folder or their program."""
    from shutil import which

    site = Site(environ, sys.platform, home)
    rows = [installer(host) for host in INSTALLABLE]
    return [row.HOST for row in rows if os.path.isdir(row.root(site)) or which(row.PROGRAM, path=environ.get("PATH"))]


def without_broken(hosts: Sequence[str], planned: Callable[[list[str]], object]) -> tuple[list[str], dict[str, str]]:
    """The hosts whose files can be edited as planned, and what is wrong with those of each other host, by its name."""
    whole, broken = [], {}
    for host in hosts:
        try:
            planned([host])
        except FileError as error:
            broken[host] = error.said if isinstance(error, FileBroken) else str(error).rstrip(".")
        else:
            whole.append(host)
    return whole, broken


def plan(
    hosts: Sequence[str],
    *,
    home: Home,
    environ: Mapping[str, str],
    project: str = "",
    block: tuple[str, str] = ("", ""),
) -> list[HostEdit]:
    """What installing these hosts would change, without changing it. `block`: a folder, and the text for its AGENTS.md.

    Raises FileError, naming the file, when one of them cannot be understood."""
    records = read_records(home)  # damaged ones are said before anything else
    site = Site(environ, sys.platform, home, project)
    site = site._replace(hooked=_hooked(hosts, site))
    wanted = [one for host in hosts if host in INSTALLABLE for one in installer(host).files(site)]
    edits = [_planned(group, project) for group in _by_file(wanted)]
    edits = [edit for edit in edits if edit.is_needed or not edit.wanted[0].is_for_nothing]
    folder, text = block
    if text:
        path = os.path.join(folder, BLOCK_FILE)
        block_edit = _planned(tuple(_block(host, path, text) for host in hosts), folder)
        edits.append(block_edit._replace(kept_for=_others_of_block(records.get(os.path.realpath(path)), hosts)))
    return edits


def apply(edits: Iterable[HostEdit], *, home: Home) -> list[HostEdit]:
    """Make the launchers and write what a plan found; returns what was written."""
    ensure_home(home.root)
    ensure_launcher(home)
    ensure_mcp_launcher(home)
    return write_files(edits, home=home)


def write_files(edits: Iterable[HostEdit], *, home: Home) -> list[HostEdit]:
    """Write all files of a plan or none. One that changed meanwhile is read and edited anew."""
    done: list[HostEdit] = []
    with lock(os.path.join(home.root, LOCK_FILE), wait_seconds=WAIT_SECONDS):
        records = read_records(home)
        try:
            for planned in edits:
                edit = _planned(planned.wanted, planned.project)
                _write(edit, home)
                if edit.is_needed:
                    done.append(edit)
        except RecollectError:
            for edit in reversed(done):
                _take_back(edit, read_records(home))
            write_records(home, records)
            raise
    return done


def plan_removal(
    hosts: Sequence[str], *, home: Home, environ: Mapping[str, str], project: str = "", folder: str = ""
) -> list[HostEdit]:
    """What uninstalling these hosts would change; `folder` is where an AGENTS.md may have our block."""
    records = read_records(home)
    site = Site(environ, sys.platform, home, project)
    wanted = [one for host in hosts if host in INSTALLABLE for one in installer(host).files(site)]
    staying = [one for host in INSTALLABLE if host not in hosts for one in installer(host).files(site)]
    blocks = {os.path.join(folder, BLOCK_FILE)} if folder else set()
    if not project:
        blocks |= {record.path for record in records.values() if _is_block(record) and set(record.hosts) & set(hosts)}
    wanted += [_block(hosts[0], path) for path in sorted(blocks)]
    found = []
    for group in _by_file(wanted):
        record = records.get(os.path.realpath(group[0].path))
        if record is None or set(record.hosts) & set(hosts):
            others = [*staying, *_other_blocks(record, hosts)]
            # Hosts that read the same file but were not connected have nothing to lose.
            ours = tuple(one for one in group if record is None or one.host in record.hosts) or group
            kept_for = _others_of_block(record, hosts)
            found.append(_removal(group, others, record, home=home)._replace(wanted=ours, kept_for=kept_for))
    return found


def remove(
    hosts: Sequence[str], *, home: Home, environ: Mapping[str, str], project: str = "", folder: str = ""
) -> list[HostEdit]:
    """Take out of every file what an install put there; returns what was changed."""
    if not os.path.isdir(home.root):  # thrown away first: there are no records, and nobody else is at work in it
        edits = plan_removal(hosts, home=home, environ=environ, project=project, folder=folder)
        for edit in edits:
            _write_file(edit.edit)
            _remove_empty_folder(edit)
        return [edit for edit in edits if edit.is_needed]
    with lock(os.path.join(home.root, LOCK_FILE), wait_seconds=WAIT_SECONDS):
        edits = plan_removal(hosts, home=home, environ=environ, project=project, folder=folder)
        records = read_records(home)
        for edit in edits:
            _write_file(edit.edit)
            _forget(edit, records, hosts, home)
        write_records(home, records)
    return [edit for edit in edits if edit.is_needed]


def recorded_hosts(home: Home) -> list[str]:
    """Every host that an install wrote something for, wherever that was."""
    found = {host for record in read_records(home).values() for host in record.hosts}
    return [host for host in TITLES if host in found]


def _hooked(hosts: Sequence[str], site: Site) -> frozenset[str]:
    """The files that start our hook now, or will when these hosts are installed."""
    rows = [installer(host) for host in INSTALLABLE]
    now = {path for row in rows for path in row.reads(site, site.project) if HOOK_MARK in (_peek(path) or "")}
    soon = {one.path for row in rows if row.HOST in hosts for one in row.files(site) if one.what == "hooks"}
    return frozenset(now | soon)


def _peek(path: str) -> str | None:
    try:
        return read_text(path)
    except FileError:
        return None  # somebody else's trouble: the file is not going to be edited, or will be refused


def _is_block(record: FileRecord) -> bool:
    return os.path.basename(record.path) == BLOCK_FILE


def _block(host: str, path: str, text: str = "") -> Wanted:
    return Wanted(host, path, "memory block", kind="block", text=text)


def _other_blocks(record: FileRecord | None, hosts: Sequence[str]) -> list[Wanted]:
    """A block stays as it is while another host that asked for it is there."""
    others = _others_of_block(record, hosts)
    return [_block(others[0], record.path, block_body(read_text(record.path) or ""))] if record and others else []


def _others_of_block(record: FileRecord | None, hosts: Sequence[str]) -> tuple[str, ...]:
    return tuple(host for host in record.hosts if host not in hosts) if record and _is_block(record) else ()


def _by_file(wanted: Iterable[Wanted]) -> list[tuple[Wanted, ...]]:
    """What is wanted in each file, however many names lead to it."""
    files: dict[str, list[Wanted]] = {}
    for one in wanted:
        files.setdefault(os.path.realpath(one.path), []).append(one)
    return [tuple(group) for group in files.values()]


def _require_inside(folder: str, path: str) -> None:
    """A repository may hold links that somebody else made; nothing is written to where they lead out of it."""
    real_folder, real_path = os.path.realpath(folder), os.path.realpath(path)
    if not is_inside(real_folder, real_path):
        raise Refused(f"{path} is or goes through a link that leaves {folder}; nothing was written there.")
    if is_inside(os.path.join(real_folder, ".git"), real_path):
        raise Refused(f"{path} is or goes through a link that leads into .git; nothing was written there.")


def _planned(wanted: tuple[Wanted, ...], project: str) -> HostEdit:
    path = wanted[0].path
    if project:
        _require_inside(project, path)
    before = read_text(path)
    after, made = _put_all(path, before or "", wanted)
    wants_none = wanted[0].is_for_nothing and not after
    edit = FileEdit(path, before, None if wants_none else after, private=not project)
    return HostEdit(edit, wanted, project, tuple(made))


def _put_all(path: str, text: str, wanted: Iterable[Wanted]) -> tuple[str, list[tuple[str, ...]]]:
    made: list[tuple[str, ...]] = []
    for one in wanted:
        try:
            text, more = put(text, one)
        except FileError as error:
            raise FileBroken(path, error) from error
        made += more
    return text, made


def _write(edit: HostEdit, home: Home) -> None:
    """Record first, then the file: whoever dies in between leaves nothing that cannot be undone."""
    records = read_records(home)
    real = os.path.realpath(edit.path)
    if edit.edit.after is None:
        _write_file(edit.edit)
        _forget(edit, records, [one.host for one in edit.wanted], home)
        write_records(home, records)
        return
    record = _renewed(records.get(real), edit, home)
    write_records(home, {**records, real: record})
    _write_file(edit.edit)


def _write_file(edit: FileEdit) -> None:
    if isinstance(apply_edit(edit), TargetChanged):
        raise FileError(f"{edit.path} was changed by another program just now; try again.")


def _renewed(old: FileRecord | None, planned: HostEdit, home: Home) -> FileRecord:
    """The record of a file after this edit."""
    edit = planned.edit
    hosts = {*(old.hosts if old else ()), *(one.host for one in planned.wanted)}
    record = old or FileRecord(edit.path, (), planned.project, created=edit.before is None)
    record = record._replace(hosts=tuple(sorted(hosts)), made=tuple(dict.fromkeys([*record.made, *planned.made])))
    if not edit.is_needed:
        return record
    record = record._replace(after=digest(edit.after), folders=(*record.folders, *missing_folders(edit.path)))
    # Also after an install that died before it wrote: then the file is still what it was before.
    if edit.before is not None and old is not None and digest(edit.before) in (old.after, old.before):
        return record
    undo = keep_undo(edit, backups_folder(home))
    if edit.before is None:
        return record._replace(created=True, before=undo.before)
    # The backup is what an uninstall brings back only if nothing of ours is in it and no edit lies between.
    clean = old is None and all(_stripped(edit.path, edit.before, one, ()) == edit.before for one in planned.wanted)
    return record._replace(backup=undo.backup, before=undo.before if clean else "")


def _take_back(edit: HostEdit, records: Mapping[str, FileRecord]) -> None:
    """Undo one write after a later one failed."""
    apply_edit(edit.edit.reverse)
    if edit.edit.before is None:
        remove_folders(records[os.path.realpath(edit.path)].folders)


def _removal(group: tuple[Wanted, ...], staying: list[Wanted], record: FileRecord | None, *, home: Home) -> HostEdit:
    path = group[0].path
    now = read_text(path)
    project = record.project if record else ""

    def edited(after: str | None) -> HostEdit:
        return HostEdit(FileEdit(path, now, after, private=not project), group, project)

    if now is None:
        return edited(None)
    real = os.path.realpath(path)
    others = [one for one in staying if os.path.realpath(one.path) == real and record and one.host in record.hosts]
    exact = plan_undo(record.undo, backups_folder(home)) if record is not None and not others else None
    if exact is not None:
        return edited(exact.after)
    unknown = record is None and holds_ours(now)  # the home was thrown away first
    made = [path for one in group for path in containers(one)] if unknown else record.made if record else ()
    made = () if others else made
    text = now
    for one in group:
        text = _stripped(path, text, one, made)
    if others:
        return edited(_put_all(path, text, others)[0])
    ours = group[0].kind == "whole" or unknown or (record is not None and record.created)
    empty = not text.strip("\ufeff \t\r\n")
    return edited(None if ours and empty and now.strip() else text)


def _stripped(path: str, text: str, wanted: Wanted, made: Iterable[tuple[str, ...]]) -> str:
    try:
        return strip(text, wanted, made)
    except FileError as error:
        raise FileBroken(path, error) from error


def _remove_empty_folder(edit: HostEdit) -> None:
    """Without a record nobody knows who made the folder of a file of ours; an empty one is of no use to anybody."""
    if edit.is_whole and edit.is_needed and edit.edit.after is None:
        remove_folders((os.path.dirname(os.path.realpath(edit.path)),))


def _forget(edit: HostEdit, records: dict[str, FileRecord], hosts: Sequence[str], home: Home) -> None:
    """Drop the record of a file that is no longer ours; folders that still hold files of ours pass to their records."""
    real = os.path.realpath(edit.path)
    record = records.get(real)
    if record is None:
        _remove_empty_folder(edit)
        return
    left = tuple(host for host in record.hosts if host not in hosts)
    if left:
        before, after = edit.edit.before, record.after
        if before is not None and edit.edit.after is not None and digest(before) == record.after:
            after = digest(edit.edit.after)
        records[real] = record._replace(hosts=left, after=after)
        return
    forget_undo(record.undo, backups_folder(home))
    records.pop(real, None)
    for folder in remove_folders(record.folders):
        heir = next((key for key in records if key.startswith(folder + os.sep)), "")
        if heir:
            records[heir] = records[heir]._replace(folders=(folder, *records[heir].folders))
