"""What the repository says already: a fact that stands in a customization, the README, the docs, a config file or a
manifest is not suggested. Context files that repeat the docs cost agents tokens and success."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from recollect.model.record import Record
from recollect.suggestions.globs import code_spans, named_paths
from recollect.suggestions.outline import outline, sentences_of
from recollect.suggestions.wording import NAME_WEIGHT, coverage, denies, names_covered, weights
from recollect.text.language.statements import relation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recollect.model.suggestions import Fact

SAID = 0.8  # share of a fact that one sentence of prose has to name
SET = 0.6  # the same for one setting of a config file, if it has every name and number
_SECTION = re.compile(r"\s*\[+([\w.\" -]+)\]+\s*$")
# "`make lint` lints the code." and the like: what was proven is that the command works, so naming it says all of it.
_PROVEN = re.compile(
    r"`([^`]+)`(?: in `([^`]+)`)? (?:runs|builds|formats|checks|lints|installs|starts|works)\b[^`]*\.?$"
)
# Not to touch a path, and that it is read-only, are the same.
_LEAVE_ALONE = re.compile(
    r"(?:never|do not|don't) (?:touch|change|edit|modify|write to) (?:anything in )?`?([^\s`,;]+)`?", re.I
)
_READ_ONLY = re.compile(r"\bread-only\b|\bgenerated\b|\bnever (?:change|edit|touch|modifi)", re.IGNORECASE)
# Files at the top that say how the project is set up.
CONFIGS = frozenset(
    """
    package.json pyproject.toml Cargo.toml go.mod composer.json Gemfile pom.xml build.gradle build.gradle.kts setup.cfg
    tsconfig.json deno.json .editorconfig .prettierrc .prettierrc.json .eslintrc.json .nvmrc .node-version
    .python-version .tool-versions rust-toolchain.toml rustfmt.toml ruff.toml mypy.ini tox.ini pytest.ini turbo.json
    pnpm-workspace.yaml .pre-commit-config.yaml biome.json
    """.split()
)
DOCS = re.compile(
    r"(?:README|CONTRIBUTING|DEVELOPMENT|ARCHITECTURE|HACKING)(?:\.\w+)*|docs?/(?:.+/)?[^/]+\.(?:md|rst|txt)"
)


class Text(Record):
    """A file of the repository that may say something already."""

    path: str
    text: str

    @property
    def is_config(self) -> bool:
        """Is it made of settings rather than of sentences?"""
        return self.path.rsplit("/", 1)[-1] in CONFIGS


def where_said(fact: Fact, texts: Sequence[Text]) -> str:
    """The path of a file that says it, or an empty text."""
    command = _proven_command(fact.content)
    for one in texts:
        if one.is_config:
            if not command and any(_sets(fact.content, unit) for unit in settings_of(one.path, one.text)):
                return one.path
        elif any(says(fact.content, unit, command=command) for unit in units_of(one.text)):
            return one.path
    return ""


def says(content: str, unit: str, *, command: str = "") -> bool:
    """Does one sentence, item or line say all that a statement says?"""
    if command:
        return any(
            f"{command} ".startswith(f"{span} ") or f" {command} " in f" {span} " for span in code_spans(unit)
        ) or (unit.strip() == command)
    if relation(content, unit) in ("same", "near"):
        return True
    alone = _LEAVE_ALONE.match(content)
    if alone and _READ_ONLY.search(unit) and named_paths(alone[1]) and names_covered(f"`{alone[1]}`", unit):
        return True
    if coverage(content, unit) < SAID or not names_covered(content, unit) or denies(content) != denies(unit):
        return False
    # One plain word is met everywhere; a name, or a word in code, is enough by itself.
    return len(weights(content)) > 1 or any(coverage(content, span) == 1.0 for span in code_spans(unit))


def _sets(content: str, unit: str) -> bool:
    wanted = weights(content)
    if not wanted or coverage(content, unit) < SET or not names_covered(content, unit):
        return False
    return len(wanted) > 1 or NAME_WEIGHT in wanted.values() or coverage(content, unit) == 1.0


def _proven_command(content: str) -> str:
    found = _PROVEN.match(content)
    return found[1] if found else ""


@lru_cache(maxsize=512)
def units_of(text: str) -> tuple[str, ...]:
    """The sentences, items and lines of code of a Markdown text, each by itself, and items whole."""
    found: list[str] = []
    for section in outline(text).sections:
        blocks = [one.text for one in section.paragraphs]
        blocks += [item.text for one in section.lists for item in one.items]
        for block in blocks:
            parts = sentences_of(block)
            found += [*parts, block] if len(parts) > 1 else [block]
        found += section.codes
    return tuple(dict.fromkeys(found))


@lru_cache(maxsize=256)
def settings_of(path: str, text: str) -> tuple[str, ...]:
    """The settings of a config file, one a line, each with the names of what it stands in."""
    if path.endswith((".json", ".prettierrc")):
        try:
            return tuple(_flat(json.loads(text), ""))
        except ValueError:
            return ()
    found, section = [], ""
    for line in text.splitlines():
        named = _SECTION.match(line)
        if named is not None:
            section = named[1]
        elif line.strip() and not line.lstrip().startswith(("#", "//", ";")):
            found.append(f"{section} {line.strip()}")
    return tuple(found)


def _flat(value: object, name: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(inner, f"{name} {key}")
    elif isinstance(value, list):
        yield f"{name} {' '.join(str(one) for one in value if not isinstance(one, (dict, list)))}"
        for one in value:
            if isinstance(one, (dict, list)):
                yield from _flat(one, name)
    else:
        yield f"{name} {value}"
