"""Agent definitions on disk: ours in the package, the user's in the home, a repository's once it is trusted."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from recollect.errors import FileError

if TYPE_CHECKING:
    from collections.abc import Iterator

OURS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "definitions")
ENDINGS = (".yaml", ".yml")
MOST_FILES = 50
LIMIT_BYTES = 64_000


def found_files(folder: str) -> list[str]:
    """The definitions in a folder and those one below it, in a stable order; links are passed over."""
    return sorted(_files(folder))[:MOST_FILES]


def read_definition(path: str) -> tuple[object, str]:
    """What a definition says, unchecked, and its text. FileError when it is not YAML."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    from recollect.files.reading import read_text

    text = read_text(path, limit_bytes=LIMIT_BYTES)
    try:
        return YAML(typ="safe", pure=True).load(text), text
    except (YAMLError, ValueError, RecursionError) as error:
        raise FileError(f"{path} is not valid YAML.") from error


def _files(folder: str) -> Iterator[str]:
    try:
        with os.scandir(folder) as entries:
            found = [one for one in entries if not one.is_symlink()]
    except OSError:
        return
    for one in found:
        if one.is_file() and one.name.endswith(ENDINGS):
            yield one.path
        elif one.is_dir() and one.name == "sidekick":
            yield from _files(one.path)
