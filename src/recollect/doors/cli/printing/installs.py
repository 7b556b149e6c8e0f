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

    from recollect.files.home import Home
    from recollect.flows.setup.install import Change

LONGEST_LINE = 2_000  # a file on one line would fill the screen
COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def print_changes(changes: Sequence[Change]) -> None:
    """The difference of each file, with the secrets around it covered; for a person the files once more."""
    for line in "\n".join(difference(change) for change in changes).splitlines():
        sys.stdout.write(paint(plain(_clipped(line)), COLOURS.get(line[:1], "")) + "\n")
    if on_terminal() and len(changes) > 1:  # the difference has scrolled away
        put("")
        for change in changes:
            put(f"  {_action(change):6}  {change.path}")


def question(changes: Sequence[Change]) -> str:
    """What a person is asked who has just seen the difference."""
    return "Write this?" if len(changes) == 1 else f"Write these {len(changes)} files?"


def _clipped(line: str) -> str:
    half = LONGEST_LINE // 2
    return line if len(line) <= LONGEST_LINE else f"{line[:half]} [...] {line[-half:]}"


def difference(change: Change) -> str:
    """A unified diff; a file that comes or goes stands against /dev/null."""
    before, after = (change.before or "").splitlines(), (change.after or "").splitlines()
    old = "/dev/null" if change.before is None else change.path
    new = "/dev/null" if change.after is None else change.path
    return redact("\n".join(difflib.unified_diff(before, after, old, new, lineterm="", n=1)))


def print_done(
    hosts: Sequence[str],
    changes: Sequence[Change],
    *,
    home: Home,
    wrote: bool,
    installing: bool,
    notes: Sequence[str] = (),
    as_json: bool,
) -> None:
    """What was done, and the steps only the user can take."""
    if as_json:
        put_json(
            {
                "home": home.root,
                "hosts": list(hosts),
                "written": wrote,
                "changes": [_shape(change) for change in changes],
                "notes": list(notes),
            }
        )
        return
    names = ", ".join(TITLES[host] for host in hosts)
    if not changes:
        sentence = f"Nothing to do: {names} {'has' if len(hosts) == 1 else 'have'} it all already."
        _tell(sentence if installing else f"Nothing of Recollect is installed in {names}.")
    elif wrote:
        verb = "Connected" if installing else "Took Recollect out of"
        _tell(f"{verb} {names}: {counted(len(changes), 'file')} {'written' if installing else 'changed'}.")
    else:
        _tell(f"{counted(len(changes), 'file')} would change; nothing was written.")
    for note in notes:
        say(note)


def _tell(sentence: str) -> None:
    if on_terminal():
        put_done(sentence)
    else:
        put(sentence)


def notes_for(hosts: Sequence[str], changes: Sequence[Change], *, project: bool) -> Iterator[str]:
    """What the user has to do before it works, host by host, and what they should know."""
    from recollect.flows.setup.install import INSTALLABLE, installer

    for host in hosts:
        row = installer(host) if host in INSTALLABLE else None
        if row is not None and row.TRUST and (project or host in ("codex", "vscode")):
            yield f"{TITLES[host]}: {row.TRUST}"
    own = any(one.host == "vscode" and one.what == "hooks" for change in changes for one in change.wanted)
    if "vscode" in hosts and not own:
        yield "VS Code runs the hooks of Claude Code's settings; it needed only the MCP server."
    if project:
        yield "The files name a path of this machine: keep them out of version control, or share the plugin instead."


def _shape(change: Change) -> dict[str, object]:
    what = list(dict.fromkeys(one.what for one in change.wanted))
    return {"path": change.path, "action": _action(change), "what": what, "diff": difference(change)}


def _action(change: Change) -> str:
    return "create" if change.before is None else "remove" if change.after is None else "change"
