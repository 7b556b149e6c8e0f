"""What an install would change, as a difference, and what is left to do for a person."""

from __future__ import annotations

import difflib
import sys
from typing import TYPE_CHECKING

from recollect.doors.cli.printing.output import counted, on_terminal, paint, plain, put, put_done, put_json, say
from recollect.model.hosts import TITLES
from recollect.text.secrets.redacting import redact

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recollect.files.edits.file_edits import FileEdit
    from recollect.files.home import Home
    from recollect.flows.setup.install import HostEdit
    from recollect.flows.setup.installed import Joined

LONGEST_LINE = 2_000  # a file on one line would fill the screen
FIRST_LINES = 12  # of a file that is all ours
COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def print_edits(edits: Sequence[HostEdit], *, full: bool = False) -> None:
    """The files, then the difference of each, with the secrets around it covered. Of a long file that is all ours, such
    as a plugin, the beginning is enough unless `full` is asked for."""
    if on_terminal() and len(edits) > 1:
        for one in edits:
            put(f"  {_action(one.edit):6}  {one.path}")
        put("")
    for line in (line for one in edits for line in _shown(one, full=full)):
        sys.stdout.write(paint(plain(_clipped(line)), COLOURS.get(line[:1], "")) + "\n")


def _shown(planned: HostEdit, *, full: bool) -> list[str]:
    lines = difference(planned.edit).splitlines()
    more = len(lines) - FIRST_LINES
    if full or more <= FIRST_LINES or not planned.is_whole or _action(planned.edit) == "change":
        return lines
    size = len((planned.edit.after or planned.edit.before or "").encode()) / 1000
    return [*lines[:FIRST_LINES], f"[... {more} more lines; {size:,.1f} kB in all; add --full to see them]"]


def question(edits: Sequence[HostEdit]) -> str:
    """What a person is asked who has just seen the difference."""
    actions = [_action(one.edit) for one in edits]
    removed, number = actions.count("remove"), len(edits)
    if removed and removed < number:
        return f"Remove {counted(removed, 'file')} and change {number - removed}?"
    verb = "Remove" if removed else "Write" if "create" in actions else "Change"
    return f"{verb} {'this file' if number == 1 else f'these {number} files'}?"


def _clipped(line: str) -> str:
    half = LONGEST_LINE // 2
    return line if len(line) <= LONGEST_LINE else f"{line[:half]} [...] {line[-half:]}"


def difference(edit: FileEdit) -> str:
    """A unified diff; a file that comes or goes stands against /dev/null."""
    before, after = (edit.before or "").splitlines(), (edit.after or "").splitlines()
    old = "/dev/null" if edit.before is None else edit.path
    new = "/dev/null" if edit.after is None else edit.path
    return redact("\n".join(difflib.unified_diff(before, after, old, new, lineterm="", n=1)))


def print_done(
    hosts: Sequence[str],
    edits: Sequence[HostEdit],
    *,
    home: Home,
    wrote: bool,
    installing: bool,
    left: bool = False,
    joined: Joined | None = None,
    notes: Sequence[str] = (),
    as_json: bool,
) -> None:
    """What was done, and the steps only the user can take. `left`: these hosts let go of a file that others keep;
    `joined`: hosts now share a block that was there already."""
    if as_json:
        put_json(
            {
                "home": home.root,
                "hosts": list(hosts),
                "written": wrote,
                "changes": [_shape(one) for one in edits],
                "notes": list(notes),
            }
        )
        return
    touched = {one.host for edit in edits for one in edit.wanted}
    names = ", ".join(TITLES[host] for host in hosts if installing or not touched or host in touched)
    if not edits and joined:
        added = listed([TITLES[host] for host in joined.hosts])
        _tell(f"Added {added} to the block in {joined.path}." if wrote else _would_join(added, joined.path))
    elif not edits and not left:
        sentence = f"Nothing to do: {names} {'is' if len(hosts) == 1 else 'are'} already connected."
        _tell(sentence if installing else f"Recollect is not installed in {names}.")
    elif wrote:
        verb = "Connected" if installing else "Removed Recollect from"
        _tell(f"{verb} {names}: {counted(len(edits), 'file')} {'written' if installing else 'changed'}.")
    else:
        _tell(f"{counted(len(edits), 'file')} would change; nothing was written.")
    for note in notes:
        say(note)


def _would_join(hosts: str, path: str) -> str:
    return f"{hosts} would be added to the block in {path}; nothing was written."


def _tell(sentence: str) -> None:
    if on_terminal():
        put_done(sentence)
    else:
        put(sentence)


def notes_for(hosts: Sequence[str], edits: Sequence[HostEdit], *, project: bool) -> Iterator[str]:
    """What the user has to do before it works, host by host, and what they should know."""
    from recollect.flows.setup.by_hand import server_step
    from recollect.flows.setup.install import INSTALLABLE, installer

    for host in hosts:
        row = installer(host) if host in INSTALLABLE else None
        if row is not None and row.TRUST and (project or host in ("codex", "vscode")):
            yield f"{TITLES[host]}: {row.TRUST}"
        elif step := server_step(host):
            yield f"{TITLES[host]}: {step}"
    own = any(one.host == "vscode" and one.what == "hooks" for edit in edits for one in edit.wanted)
    if "vscode" in hosts and not own:
        yield "VS Code also runs the hooks in Claude Code's settings, so it only needs the MCP server."
    if project:
        yield "These files contain a path on this machine. Keep them out of version control, or share the plugin."


def block_notes(
    hosts: Sequence[str], edits: Sequence[HostEdit], *, installing: bool, wrote: bool = True
) -> Iterator[str]:
    """Who else asked for the block in an AGENTS.md, which stays as long as one of them does."""
    for edit in edits:
        if edit.kept_for:
            others = listed([TITLES[host] for host in edit.kept_for])
            if installing:
                everyone = listed([TITLES[host] for host in (*hosts, *edit.kept_for)])
                for_whom = f"{'is' if wrote else 'would be'} for {everyone}"
                yield f"The block in {edit.path} {for_whom}: it stays until you have uninstalled all of them."
            else:
                yield f"The block in {edit.path} stays: {others} asked for it too."


def listed(names: Sequence[str]) -> str:
    """`A`, `A and B`, `A, B and C`."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _shape(planned: HostEdit) -> dict[str, object]:
    what = list(dict.fromkeys(one.what for one in planned.wanted))
    action, diff = _action(planned.edit), difference(planned.edit)
    return {"path": planned.path, "action": action, "what": what, "diff": diff}


def _action(edit: FileEdit) -> str:
    return "create" if edit.before is None else "remove" if edit.after is None else "change"
