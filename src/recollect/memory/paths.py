"""Which files a statement speaks of: a file by its name or path, or a folder above it. Pure."""

from __future__ import annotations

from recollect.text.patterns import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FILE = 10  # what naming the file itself is worth, beside a point for each part of its path
_BETWEEN = lazy(r"[\s,;()\[\]<>\"'`“”‘’|]+")
_NAME = lazy(r"\.?[\w@+-]+(?:\.[\w@+-]+)*\.[A-Za-z]\w{0,9}|\.[A-Za-z][\w.-]+|[A-Z][a-z]+file")
_FOLDERS = ("folder", "directory", "dir", "ordner", "verzeichnis", "dossier", "carpeta")
_NO_PARTS = ("", ".", "**", "...")


def parts_of(path: str) -> tuple[str, ...]:
    """A path in its parts, whatever its separators and case."""
    return tuple(part for part in path.replace("\\", "/").casefold().split("/") if part not in _NO_PARTS)


def concerns(statement: str, path: Sequence[str]) -> int:
    """How particularly a statement speaks of the file with this path, in its parts; 0 for not at all."""
    return max((_fit(named, path) for named in _named(statement)), default=0)


def _named(statement: str) -> Iterator[tuple[str, ...]]:
    """The files and folders that it names, in their parts; a folder ends with an empty one."""
    words = [word.rstrip(".:!?") for word in _BETWEEN.split(statement)]
    for word, following in zip(words, [*words[1:], ""], strict=True):
        if "://" in word:
            continue
        parts = parts_of(word)
        if "/" in word or "\\" in word:
            yield (*parts, "") if word[-1] in "/\\" else parts
        elif following.lower() in _FOLDERS and parts:
            yield (*parts, "")
        elif _NAME.fullmatch(word) or word.startswith("*."):
            yield parts


def _fit(named: tuple[str, ...], path: Sequence[str]) -> int:
    only_folder = named[-1:] == ("",)
    wanted = named[:-1] if only_folder else named
    if not wanted:
        return 0
    last = len(path) - len(wanted)
    for start in range(last + 1):
        if all(map(_is_part, wanted, path[start : start + len(wanted)])):
            if start < last:
                # One word that is not called a folder may be anything.
                return len(wanted) if only_folder or len(wanted) > 1 else 0
            return 0 if only_folder else FILE + len(wanted)
    return 0


def _is_part(wanted: str, part: str) -> bool:
    return part.endswith(wanted[1:]) if wanted.startswith("*") else wanted == part
