"""A line that gives another command than the one that logs prove: `npm test` where `pnpm test` runs the tests."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recollect.suggestions.globs import code_spans
from recollect.suggestions.wording import denies, weights

if TYPE_CHECKING:
    from recollect.model.suggestions import Fact

_MANAGER = re.compile(r"(?:npm|pnpm|yarn|bun) (?:run(?:-script)? )?(?=\S)")
_CODE = re.compile(r"`[^`\n]+`")


def rival_command(fact: Fact, line: str) -> str:
    """The command in a line that does what the fact's proven command does. Empty where there is none, and where the
    line has the proven one too or forbids something."""
    spans = code_spans(line)
    if not fact.command or not fact.content.startswith(f"`{fact.command}`") or fact.command in spans or denies(line):
        return ""
    same_words = _said_of(line) == _said_of(fact.content)
    commands = [span for span in spans if " " in span or same_words]
    return next((one for one in commands if _same_task(one, fact.command) or (same_words and len(spans) == 1)), "")


def with_command(line: str, fact: Fact) -> str:
    """The line with the proven command in the place of its own."""
    return line.replace(f"`{rival_command(fact, line)}`", f"`{fact.command}`")


def _same_task(command: str, proven: str) -> bool:
    """Do both run the same task, by another package manager?"""
    ours, theirs = _MANAGER.match(command), _MANAGER.match(proven)
    return bool(ours and theirs) and _MANAGER.sub("", command, count=1) == _MANAGER.sub("", proven, count=1)


def _said_of(text: str) -> frozenset[str]:
    """What is said of a command, apart from the command itself."""
    return frozenset(weights(_CODE.sub(" ", text)))
