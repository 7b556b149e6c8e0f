"""Git configuration files that include others: `[include]` and `[includeIf]`, followed as git follows them.

Which branch is checked out has no say here: two worktrees are the same repository.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Setting = tuple[str, str, str]  # section, subsection as written, value
    Read = Callable[[str], list[Setting]]

MOST_FILES = 32
DEEPEST = 5


def followed(
    settings: Iterable[Setting], path: str, *, read: Read, home: str, git_directory: str, known: Iterable[Setting]
) -> list[Setting]:
    """The settings with those of included files, as `read` gives them, in the place of each include."""
    addresses = [value for section, _, value in known if section == "remote"]
    return _followed(settings, path, Search(read, home, git_directory, addresses), depth=0)


class Search:
    """What conditions are asked about, and how many files have been read."""

    def __init__(self, read: Read, home: str, git_directory: str, addresses: list[str]) -> None:
        self.read = read
        self.home = home
        self.git_directory = git_directory
        self.addresses = addresses
        self.files = 0

    def holds(self, condition: str, folder: str) -> bool:
        """Does the condition of an `[includeIf]` in a file of this folder hold?"""
        kind, _, pattern = condition.partition(":")
        if kind in ("gitdir", "gitdir/i"):
            return self._is_inside(pattern, folder, ignore_case=kind.endswith("/i"))
        if condition.startswith("hasconfig:remote.*.url:"):
            wanted = pattern.partition(":")[2]
            return any(_matches(wanted, address, ignore_case=False) for address in self.addresses)
        return False

    def _is_inside(self, pattern: str, folder: str, *, ignore_case: bool) -> bool:
        pattern = pattern.replace("\\", "/")
        if pattern.startswith("~/"):
            pattern = f"{self.home}/{pattern[2:]}"
        elif pattern.startswith("./"):
            pattern = f"{folder}/{pattern[2:]}"
        elif not os.path.isabs(pattern):
            pattern = f"**/{pattern}"
        if pattern.endswith("/"):
            pattern += "**"
        plain, stars, rest = pattern.partition("**")
        # The folder may be known by the name of a link to it.
        real = (
            os.path.realpath(plain) + "/" + stars + rest if stars and os.path.isabs(plain) and "*" not in plain else ""
        )
        place = self.git_directory.replace("\\", "/")
        return any(_matches(one, place, ignore_case=ignore_case) for one in (pattern, real) if one)


def _followed(settings: Iterable[Setting], path: str, search: Search, *, depth: int) -> list[Setting]:
    settings = list(settings)
    search.addresses += [value for section, _, value in settings if section == "remote"]
    folder = os.path.dirname(path)
    found: list[Setting] = []
    for setting in settings:
        section, condition, value = setting
        if section not in ("include", "includeif"):
            found.append(setting)
        elif section == "include" or search.holds(condition, folder):
            found += _included(value, folder, search, depth=depth + 1)
    return found


def _included(value: str, folder: str, search: Search, *, depth: int) -> list[Setting]:
    if not value or depth > DEEPEST or search.files >= MOST_FILES:
        return []
    search.files += 1
    path = os.path.join(search.home, value[2:]) if value.startswith("~/") else os.path.join(folder, value)
    return _followed(search.read(path), path, search, depth=depth)


def _matches(pattern: str, text: str, *, ignore_case: bool) -> bool:
    """As git's wildmatch: `*` stays inside one part of a path, `**` does not."""
    import re

    written = ""
    at = 0
    while at < len(pattern):
        if pattern.startswith("**/", at):
            written += "(?:.*/)?"
            at += 3
        elif pattern.startswith("**", at):
            written += ".*"
            at += 2
        else:
            character = pattern[at]
            written += {"*": "[^/]*", "?": "[^/]"}.get(character, re.escape(character))
            at += 1
    return re.fullmatch(written, text, re.IGNORECASE if ignore_case else 0) is not None
