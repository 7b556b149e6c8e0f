"""Who started this process, as far as the system tells: its parents, their command lines, their terminals.

Linux tells all of it in /proc; elsewhere `ps` is asked, and where there is neither, only for a terminal of our own."""

from __future__ import annotations

import os
import sys

from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

PROC = "/proc"
MOST = 40
LONGEST_BYTES = 4_096
LONGEST_ENVIRONMENT_BYTES = 256 * 1024
NONE = "0"  # the number of no terminal
WAIT_SECONDS = 5.0


class Process(Record):
    """One process. What the system does not tell is empty."""

    pid: str
    session: str = ""  # the process that its session began with
    terminal: str = ""  # the number of its terminal; 0 for none
    words: tuple[str, ...] = ()  # its command line, which it chose itself
    program: str = ""  # the file that runs, which it did not


def lineage(*, root: str = PROC, pid: str = "self") -> list[Process]:
    """This process and its parents, nearest first; empty where the system does not tell.

    A process that was cut loose from its parents has none to show but the first process of the system."""
    if root == PROC and not os.path.isdir(f"{root}/self"):
        return _asked_of_ps(str(os.getpid()))
    found: list[Process] = []
    while pid not in ("", "0") and len(found) <= MOST and (line := _read(f"{root}/{pid}/stat")):
        fields = [*line.rpartition(")")[2].split(), "", "", "", "", ""]
        words = [word for word in _read(f"{root}/{pid}/cmdline").split("\0") if word]
        number = line.split(" ", 1)[0]
        found.append(Process(number, fields[3], fields[4], tuple(words), _program(f"{root}/{pid}/exe")))
        pid = _parent(root, pid)
    return found


def parents(*, root: str = PROC, pid: str = "self") -> list[list[str]]:
    """The command line of each parent, nearest first; empty where the system does not tell."""
    if root == PROC and not os.path.isdir(f"{root}/self"):
        return [list(one.words) for one in lineage()[1:]]
    found: list[list[str]] = []
    for _ in range(MOST):
        pid = _parent(root, pid)
        if pid in ("", "0"):
            break
        words = _read(f"{root}/{pid}/cmdline").rstrip("\0").split("\0")
        found.append([word for word in words if word] or [_read(f"{root}/{pid}/comm").strip()])
    return found


def environments_above(*, root: str = PROC, pid: str = "self") -> list[dict[str, str]]:
    """The variables that each parent was started with, nearest first, as far as the system shows them."""
    found: list[dict[str, str]] = []
    for _ in range(MOST):
        pid = _parent(root, pid)
        if pid in ("", "0"):
            break
        pairs = _read(f"{root}/{pid}/environ", LONGEST_ENVIRONMENT_BYTES).split("\0")
        found.append(dict(pair.split("=", 1) for pair in pairs if "=" in pair))
    return found


def is_cut_loose(*, root: str = PROC, pid: str = "self") -> bool:
    """Does nobody sit at this process? It has no terminal, or one that it kept after it left whoever sits there.

    A person's command descends from the shell that their terminal began with."""
    found = lineage(root=root, pid=pid)
    return not sits(found) if found else not _has_terminal()


def sits(found: Sequence[Process]) -> bool:
    """Does the first of these, with its parents behind it, sit at a terminal of its own session?"""
    me = found[0]
    # A session that began out of sight (0) is somebody else's: its terminal was kept on the way into a namespace.
    return me.terminal != NONE and (me.session == "" or me.session in {one.pid for one in found})


def is_piped() -> bool:
    """Does something else than a terminal speak to this process?"""
    return sys.stdin is None or not sys.stdin.isatty()


def _has_terminal() -> bool:
    """Where the system does not say who started whom. Linux does: who hides that hides something."""
    if sys.platform == "linux":
        return False
    if os.name == "nt":
        return not is_piped()
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return False
    return True


def _asked_of_ps(pid: str) -> list[Process]:
    """The lineage as `ps` lists it; it does not say which process a session began with."""
    import subprocess

    command = ["ps", "-axo", "pid=,ppid=,tty=,args="]
    try:
        asked = subprocess.run(command, capture_output=True, text=True, timeout=WAIT_SECONDS, check=False)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return []
    rows = {row[0]: row for line in asked.stdout.splitlines() if len(row := line.split(None, 3)) == 4}
    found: list[Process] = []
    while pid in rows and len(found) <= MOST:
        _, parent, terminal, args = rows[pid]
        words = tuple(args.split())
        found.append(Process(pid, "", NONE if terminal.startswith("?") else terminal, words, words[0]))
        pid = parent
    return found


def _program(link: str) -> str:
    try:
        return os.readlink(link)
    except OSError:
        return ""


def _parent(root: str, pid: str) -> str:
    for line in _read(f"{root}/{pid}/status").splitlines():
        if line.startswith("PPid:"):
            return line[5:].strip()
    return ""


def _read(path: str, longest_bytes: int = LONGEST_BYTES) -> str:
    try:
        with open(path, "rb") as file:
            return file.read(longest_bytes).decode("utf-8", "replace")
    except OSError:
        return ""
