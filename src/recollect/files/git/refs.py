"""Branches, read from `.git` as files."""

from __future__ import annotations

import os

LIMIT_BYTES = 4096
PACKED_LIMIT_BYTES = 16_000_000
USUAL_DEFAULTS = ("main", "master")
HEADS = "refs/heads/"


def without_waiting(path: str, flags: int) -> int:
    """For open(): a pipe in the place of a file must not stop the reader."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def read_small(path: str, *, errors: str = "replace") -> str:
    """The first line of a small file, stripped; empty when it cannot be read."""
    try:
        with open(path, "rb", opener=without_waiting) as file:
            text = file.read(LIMIT_BYTES).decode("utf-8", errors)
    except (OSError, ValueError):
        return ""
    return text.partition("\n")[0].strip()


def symbolic(path: str) -> str:
    """Where a symbolic ref points, or empty: a plain commit, or nothing at all."""
    line = read_small(path)
    if line.startswith("ref:"):
        return line[4:].strip()
    if os.path.islink(path):
        target = os.readlink(path).replace(os.sep, "/")
        return target if target.startswith("refs/") else ""
    return ""


def head_branch(git_directory: str) -> str:
    """The checked-out branch, also one without commits; empty when detached or unknown."""
    target = symbolic(os.path.join(git_directory, "HEAD"))
    branch = target[len(HEADS) :] if target.startswith(HEADS) else ""
    # What HEAD holds when the branches are in a reftable instead.
    return "" if branch == ".invalid" else branch


def default_branch(common_directory: str, remote_name: str) -> str:
    """What the remote calls its default, else main or master if there is one, else empty."""
    if remote_name:
        prefix = f"refs/remotes/{remote_name}/"
        target = symbolic(os.path.join(common_directory, prefix, "HEAD"))
        if target.startswith(prefix):
            return target[len(prefix) :]
    places = [HEADS, f"refs/remotes/{remote_name}/"] if remote_name else [HEADS]
    for branch in USUAL_DEFAULTS:
        if any(os.path.isfile(os.path.join(common_directory, place + branch)) for place in places):
            return branch
    packed = _packed(common_directory)
    for branch in USUAL_DEFAULTS:
        if any(_packed_commit(packed, place + branch) for place in places):
            return branch
    return ""


def commit_of(common_directory: str, ref: str, *, hops: int = 5) -> str:
    """The commit a ref stands for, as hex; empty when it is not known."""
    if hops == 0 or not ref or ".." in ref or os.path.isabs(ref):
        return ""
    path = os.path.join(common_directory, ref)
    target = symbolic(path)
    if target:
        return commit_of(common_directory, target, hops=hops - 1)
    line = read_small(path)
    return line if is_object_name(line) else _packed_commit(_packed(common_directory), ref)


def was_on_branch(common_directory: str, branch: str, commit: str) -> bool:
    """Did this branch ever stand at this commit here, as far as git still knows?"""
    if not branch or ".." in branch or os.path.isabs(branch):
        return False
    try:
        with open(os.path.join(common_directory, "logs", HEADS + branch), "rb", opener=without_waiting) as file:
            return f" {commit} ".encode() in file.read(PACKED_LIMIT_BYTES)
    except (OSError, ValueError):
        return False


def is_object_name(text: str) -> bool:
    return len(text) in (40, 64) and all(character in "0123456789abcdef" for character in text)


def _packed(common_directory: str) -> bytes:
    try:
        with open(os.path.join(common_directory, "packed-refs"), "rb", opener=without_waiting) as file:
            return b"\n" + file.read(PACKED_LIMIT_BYTES)
    except OSError:
        return b""


def _packed_commit(packed: bytes, ref: str) -> str:
    end = packed.find(b" " + os.fsencode(ref) + b"\n")
    if end < 0:
        return ""
    name = packed[packed.rfind(b"\n", 0, end) + 1 : end].decode("ascii", "replace")
    return name if is_object_name(name) else ""


def shallow_commits(common_directory: str) -> frozenset[str]:
    """Commits whose parents were not fetched: they look like the first ones and are not."""
    try:
        with open(os.path.join(common_directory, "shallow"), "rb", opener=without_waiting) as file:
            return frozenset(file.read(PACKED_LIMIT_BYTES).decode("ascii", "replace").split())
    except OSError:
        return frozenset()
