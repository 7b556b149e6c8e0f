"""Customizations of every host: which files are ones, of which kind, and what they say they are about."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recollect.model.record import Record
from recollect.suggestions.frontmatter import Frontmatter, read_frontmatter
from recollect.suggestions.globs import is_for_everything

if TYPE_CHECKING:
    from recollect.model.suggestions import TargetType

USER = "~/"
# How a path looks, of which kind such a file is, and under which key its globs stand.
_SHAPES: tuple[tuple[str, TargetType, tuple[str, ...]], ...] = (
    (r"(?:.+/)?\.(?:github|copilot)/instructions/(?:.+/)?[^/]+\.instructions\.md", "instructions", ("applyTo",)),
    (r"(?:.+/)?\.(?:github|copilot)/copilot-instructions\.md", "instructions", ()),
    (r"(?:.+/)?\.claude/rules/(?:.+/)?[^/]+\.md", "instructions", ("paths",)),
    (r"(?:.+/)?\.cursor/rules/(?:.+/)?[^/]+\.mdc", "instructions", ("globs",)),
    (r"(?:.+/)?\.(?:clinerules|roo/rules)/(?:.+/)?[^/]+\.md", "instructions", ("paths",)),
    (r"(?:.+/)?\.(?:github|copilot)/agents/[^/]+\.(?:agent\.)?md", "agent", ()),
    (r"(?:.+/)?\.(?:claude|gemini|cursor|opencode)/agents?/(?:.+/)?[^/]+\.md", "agent", ()),
    (r"(?:.+/)?\.(?:github|agents|claude|gemini|copilot|codex|opencode)/skills/[^/]+/SKILL\.md", "skill", ()),
    (r"(?:.+/)?\.github/prompts/[^/]+\.prompt\.md", "prompt", ()),
    (r"(?:.+/)?\.claude/commands/(?:.+/)?[^/]+\.md", "prompt", ()),
    (r"(?:.+/)?\.github/hooks/[^/]+\.json", "hook", ()),
    (r"(?:.+/)?\.(?:claude|gemini)/settings(?:\.local)?\.json", "hook", ()),
    (r"(?:.+/)?\.cursor/hooks\.json", "hook", ()),
    (r"~/\.(?:codex|claude|gemini|config/opencode|pi/agent)/(?:AGENTS|CLAUDE|GEMINI)\.md", "instructions", ()),
    (r"(?:.+/)?(?:AGENTS(?:\.override)?|CLAUDE|GEMINI)\.md", "instructions", ()),
)
_KINDS = tuple((re.compile(shape), kind, keys) for shape, kind, keys in _SHAPES)
# Which always-on file is meant where several are there: the one that most hosts read comes first.
_ALWAYS_ON = ("AGENTS.md", "CLAUDE.md", "copilot-instructions.md", "GEMINI.md")
_IMPORT = re.compile(r"^@(\S+)\s*$", re.MULTILINE)


class Customization(Record):
    """An instruction, agent, skill, prompt or hook file."""

    path: str  # relative to the repository, forward slashes; ~/... for the user's own
    kind: TargetType
    text: str
    header: Frontmatter
    patterns: tuple[str, ...] = ()

    @property
    def is_users(self) -> bool:
        """Does it hold for the user everywhere?"""
        return self.path.startswith(USER)

    @property
    def is_always_on(self) -> bool:
        """Does every session in its folder read it?"""
        return self.kind == "instructions" and is_for_everything(self.patterns)

    @property
    def folder(self) -> str:
        """The folder that it speaks for; empty for the whole repository."""
        above = re.sub(r"(?:^|/)\.(?:github|claude|cursor|gemini|copilot)/.*", "", self.path)
        return "" if self.is_users else above.rpartition("/")[0] if above == self.path else above

    @property
    def name(self) -> str:
        """What it is called."""
        stem = self.path.rsplit("/", 2)[-2] if self.kind == "skill" else self.path.rsplit("/", 1)[-1].split(".")[0]
        return self.header.text("name") or stem

    @property
    def about(self) -> str:
        """What it is for, in its own words."""
        return f"{self.name.replace('-', ' ').replace('_', ' ')}. {self.header.text('description')}"

    @property
    def rank(self) -> int:
        """Which of several always-on files goes first."""
        name = self.path.rsplit("/", 1)[-1]
        return _ALWAYS_ON.index(name) if name in _ALWAYS_ON else len(_ALWAYS_ON)


def kind_of(path: str) -> TargetType | None:
    """Of which kind a file with this path is; None when it is not a customization."""
    found = _shape(path)
    return found[0] if found else None


def read_customization(path: str, text: str) -> Customization | None:
    """A file as a customization, or None when it is not one."""
    found = _shape(path)
    if found is None:
        return None
    kind, keys = found
    header = read_frontmatter(text) if kind != "hook" else Frontmatter({})
    patterns = header.patterns(*keys) if keys else ()
    if keys == ("globs",) and header.text("alwaysApply") == "true":
        patterns = ("**",)
    return Customization(path, kind, text, header, patterns)


def is_only_import(one: Customization) -> bool:
    """Does the file do nothing but read another one? Then that one is the place to write."""
    return bool(_IMPORT.search(one.text)) and not _IMPORT.sub("", one.text).strip()


def problems_of(path: str, text: str) -> tuple[str, ...]:
    """What a host would find wrong with the file, mostly without saying so."""
    kind = kind_of(path)
    if kind in (None, "hook"):
        return ()
    header = read_frontmatter(text)
    found = list(header.problems)
    if kind == "skill":
        name, folder = header.text("name"), path.rsplit("/", 2)[-2]
        if not name or not header.text("description"):
            found.append("a skill needs a name and a description")
        elif name != folder:
            found.append(f"the skill is called {name} and its folder {folder}")
    return tuple(found)


def _shape(path: str) -> tuple[TargetType, tuple[str, ...]] | None:
    return next(((kind, keys) for shape, kind, keys in _KINDS if shape.fullmatch(path)), None)
