"""Who started this process, as far as the system tells: the command lines of its parents."""

from __future__ import annotations

MOST = 40
LONGEST_BYTES = 4_096
SHELLS = ("sh", "bash", "dash", "zsh", "fish", "ksh", "env", "nohup", "setsid", "timeout", "nice", "xargs", "script")


def parents(*, root: str = "/proc", pid: str = "self") -> list[list[str]]:
    """The command line of each parent, nearest first; empty where the system has no /proc.

    A process that was cut loose from its parents has none to show."""
    found: list[list[str]] = []
    for _ in range(MOST):
        pid = _parent(root, pid)
        if pid in ("", "0"):
            break
        words = _read(f"{root}/{pid}/cmdline").rstrip("\0").split("\0")
        found.append([word for word in words if word] or [_read(f"{root}/{pid}/comm").strip()])
    return found


def is_cut_loose(*, root: str = "/proc", pid: str = "self") -> bool:
    """Has this process no terminal, and nothing but shells between it and the first process of the system?

    A person's command comes from a terminal, an editor, a login; one that was made to outlive its agent does not."""
    if _terminal(root, pid) != "0":
        return False
    while True:
        pid = _parent(root, pid)
        if pid in ("", "0"):
            return False  # another room of the same house: a container's, say
        words = _read(f"{root}/{pid}/cmdline").rstrip("\0").split("\0")
        if pid == "1":
            return True
        if words[0].rsplit("/", 1)[-1].lstrip("-") not in SHELLS and "--user" not in words[1:]:
            return False


def _terminal(root: str, pid: str) -> str:
    """The number of its terminal; 0 for none, empty where the system does not tell."""
    fields = _read(f"{root}/{pid}/stat").rpartition(")")[2].split()
    return fields[4] if len(fields) > 4 else ""


def _parent(root: str, pid: str) -> str:
    for line in _read(f"{root}/{pid}/status").splitlines():
        if line.startswith("PPid:"):
            return line[5:].strip()
    return ""


def _read(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file.read(LONGEST_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
