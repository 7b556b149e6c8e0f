"""Regular expressions for the hook's path: compiled when they are first used, or taken ready-made out of a bundle.
Loading `re` and compiling takes longer than a search, so that what a hook loads does without it."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

IGNORECASE, DOTALL, ASCII = 2, 16, 256  # as in `re`
_SPECIAL = {ord(mark): f"\\{mark}" for mark in "()[]{}?*+-|^$\\.&~# \t\n\r\v\f"}
asked: set[tuple[str, int]] = set()  # whatever may be used; a bundle is made of that
_compiled: dict[tuple[str, int], re.Pattern[str]] = {}


class _Lazy:
    """Looks like a compiled pattern; compiles itself at the first call and then steps out of the way."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        found = compiled(self._pattern, self._flags)
        for method in ("match", "fullmatch", "search", "finditer", "findall", "split", "sub"):
            setattr(self, method, getattr(found, method))
        return getattr(found, name)


def lazy(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern that costs nothing until it is used."""
    asked.add((pattern, flags))
    return _Lazy(pattern, flags)  # type: ignore[return-value]


def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern to be used now; the second time it is there."""
    found = _compiled.get((pattern, flags))
    if found is not None:
        return found
    asked.add((pattern, flags))
    # A bundle of the hook's modules stands first among the finders and knows patterns too.
    ready_made = getattr(sys.meta_path[0], "pattern", None)
    found = ready_made(pattern, flags) if ready_made else None
    if found is None:
        import re

        found = re.compile(pattern, flags)
    _compiled[pattern, flags] = found
    return found


def escape(text: str) -> str:
    """The text as a pattern that matches it alone."""
    return text.translate(_SPECIAL)
