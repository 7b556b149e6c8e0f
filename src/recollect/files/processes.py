"""Who started this process, as far as the system tells: the command lines of its parents."""

from __future__ import annotations

MOST = 40
LONGEST_BYTES = 4_096


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
