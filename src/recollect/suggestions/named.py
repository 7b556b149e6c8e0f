"""What a customization names that can be looked for: paths, functions, and commands of the project's own scripts."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from recollect.model.record import Record
from recollect.suggestions.globs import named_paths
from recollect.suggestions.outline import outline

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from recollect.suggestions.customizations import Customization

_SYMBOL = re.compile(r"(?:[\w.]+[.:])?([A-Za-z_]\w{3,})\(\)")
_SPAN = re.compile(r"`([^`\n]+)`")
_PACKAGE = re.compile(r"(npm|pnpm|yarn|bun) (?:run )?([\w:.-]+)")
_RUNNER = re.compile(r"(make|task|just) ([\w:.-]+)")
_TARGETS = {
    "make": ("Makefile", re.compile(r"^([\w.-]+(?:\s+[\w.-]+)*)\s*:(?!=)", re.MULTILINE)),
    "task": ("Taskfile.yml", re.compile(r"^  ([\w:.-]+):", re.MULTILINE)),
    "just": ("justfile", re.compile(r"^@?([\w-]+)[^:=\n]*:(?!=)", re.MULTILINE)),
}
PATH, SYMBOL, COMMAND = "path", "symbol", "command"


class Named(Record):
    """One thing that a file names, and on which line."""

    kind: str
    what: str
    line: int  # 1-based


def named_things(file: Customization) -> Iterator[Named]:
    """Everything in a customization that can be looked for, code blocks left out: examples are no promise."""
    page = outline(file.text)
    blocks = [(one.start, one.end) for section in page.sections for one in section.paragraphs]
    blocks += [(item.start, item.end) for one in page.lists for item in one.items]
    for start, end in sorted(blocks):
        for number in range(start, end):
            line = page.lines[number]
            for path in named_paths(line):
                if not any(mark in path for mark in "*{}<>$~") and not path.startswith(("/", "..")):
                    yield Named(PATH, path.removeprefix("./").rstrip("/"), number + 1)
            for span in _SPAN.findall(line):
                if (symbol := _SYMBOL.fullmatch(span)) is not None:
                    yield Named(SYMBOL, symbol[1], number + 1)
                elif _PACKAGE.fullmatch(span) or _RUNNER.fullmatch(span):
                    yield Named(COMMAND, span, number + 1)


def command_is_there(command: str, manifests: Mapping[str, str]) -> bool | None:
    """Does any manifest, by path, have the script or target that a command names? None where that cannot be told."""
    package = _PACKAGE.fullmatch(command)
    if package is not None:
        known = [scripts for text in _of("package.json", manifests) if (scripts := _scripts(text)) is not None]
        if any(package[2] in scripts for scripts in known):
            return True
        return False if known and " run " in command else None  # without `run` it may be a program or a builtin
    runner = _RUNNER.fullmatch(command)
    if runner is None:
        return None
    name, pattern = _TARGETS[runner[1]]
    texts = _of(name, manifests)
    if any(runner[2] in line.split() for text in texts for line in pattern.findall(text)):
        return True
    includes = runner[1] == "make" and any(re.search(r"^-?include\s", text, re.MULTILINE) for text in texts)
    return None if includes or not texts else False


def _of(name: str, manifests: Mapping[str, str]) -> list[str]:
    return [text for path, text in manifests.items() if path.rpartition("/")[2] == name]


def _scripts(text: str) -> frozenset[str] | None:
    try:
        found = json.loads(text)
    except ValueError:
        return None
    scripts = found.get("scripts") if isinstance(found, dict) else None
    return frozenset(scripts) if isinstance(scripts, dict) else None


MANIFESTS = ("package.json", "Makefile", "Taskfile.yml", "justfile")
