"""Regular expressions that are compiled when they are first used: a hook needs few of them."""

from __future__ import annotations

import re


class _Lazy:
    """Looks like a compiled pattern; compiles itself at the first call and then steps out of the way."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        compiled = re.compile(self._pattern, self._flags)
        for method in ("match", "fullmatch", "search", "finditer", "findall", "split", "sub"):
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def lazy(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern that costs nothing until it is used."""
    return _Lazy(pattern, flags)  # type: ignore[return-value]
