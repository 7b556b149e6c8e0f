"""Which files a customization is about: globs as hosts read them, and the paths that a fact names."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

EVERYTHING = frozenset(("**", "*", "**/*"))
_CODE = re.compile(r"`([^`\n]+)`")
_PATH = re.compile(r"(?<![\w`/.~-])(?:\.{0,2}/)?(?:[\w@.*-]+/)+[\w@.*-]*|\*\.[\w.]+")
_SPECIAL = re.compile(r"\*\*/?|\*|\?|\{[^{}]*\}|\[[^\]]*\]")


def is_for_everything(patterns: Sequence[str]) -> bool:
    """Does a customization with these globs apply everywhere?"""
    return not patterns or any(one in EVERYTHING for one in patterns)


def covers(patterns: Sequence[str], named: str) -> bool:
    """Is something that a fact names, a path, a folder or `*.ext`, inside one of these globs?"""
    return any(_covers(pattern.removeprefix("./"), named) for pattern in patterns if pattern not in EVERYTHING)


def _covers(pattern: str, named: str) -> bool:
    if named.startswith("*."):
        return pattern.endswith(named) or bool(_regex(pattern).fullmatch(f"x{named[1:]}"))
    named = named.removeprefix("./").rstrip("/")
    if _regex(pattern).fullmatch(named):
        return True
    # A folder stands for what is in it: `src/components` for `src/components/**/*.tsx`.
    fixed = re.split(r"[*?{\[]", pattern)[0].rstrip("/")
    last = named.rsplit("/", 1)[-1]
    return "." not in last.lstrip(".") and bool(fixed) and (named == fixed or named.startswith(fixed + "/"))


@lru_cache(maxsize=512)
def _regex(pattern: str) -> re.Pattern[str]:
    pattern = pattern if "/" in pattern else f"**/{pattern}"
    made, at = "", 0
    for found in _SPECIAL.finditer(pattern):
        made += re.escape(pattern[at : found.start()])
        made += _translated(found[0])
        at = found.end()
    return re.compile(made + re.escape(pattern[at:]))


def _translated(part: str) -> str:
    match part[0]:
        case "{":
            return "(?:" + "|".join(re.escape(one) for one in part[1:-1].split(",")) + ")"
        case "[":
            return part.replace("[!", "[^")
        case "?":
            return "[^/]"
        case _:
            return {"**/": "(?:.*/)?", "**": ".*"}.get(part, "[^/]*")


def named_paths(text: str) -> list[str]:
    """The paths, folders and `*.ext` that a text names, in code or out of it; never an address."""
    found = []
    for span in _CODE.findall(text):
        if " " not in span and "://" not in span and _is_path(span):
            found.append(span)
    plain = _CODE.sub(" ", re.sub(r"\w+://\S+", " ", text))
    found += [one for one in _PATH.findall(plain) if "/" in one.strip("/") or one.startswith("*.") or one.endswith("/")]
    return list(dict.fromkeys(one.rstrip(".,;:") for one in found if any(letter.isalpha() for letter in one)))


def code_spans(text: str) -> list[str]:
    """What stands in code in a text."""
    return _CODE.findall(text)


def _is_path(span: str) -> bool:
    if span.startswith("*."):
        return True
    if not re.fullmatch(r"[~./]*[\w@.*{},-]+(?:/[\w@.*{},-]*)*", span):
        return False
    return "/" in span or bool(re.search(r"\w\.[A-Za-z][A-Za-z0-9]{0,7}$", span) and not re.search(r"\(|\.\d", span))


def under(folder: str, paths: Iterable[str]) -> bool:
    """Are there paths, and are all of them in this folder?"""
    prefix = folder.rstrip("/") + "/"
    named = list(paths)
    return bool(named) and all(f"{one.removeprefix('./').rstrip('/')}/".startswith(prefix) for one in named)
