"""What people read is plain English: the phrases that docs/words.md turns down are in no message and on no page."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.paths import ROOT

SOURCE = ROOT / "src" / "recollect"
# Lists of words that people type, and texts that models are given.
NOT_MESSAGES = ("text/", "prompts/", "memory/gapfill/", "memory/correcting/", "sample/")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "plugin/README.md"]
NOT_PAGES = ("architecture.md", "words.md")
TURNED_DOWN = (
    r"(?<!here )\b(?:is|are|was|were) no (?!longer|more\b)",
    r"\bholds? no\b",
    r"\bknows? no\b",
    r"\bunless told\b",
    r"\banew\b",
    r"\bmeanwhile\b",
    r"\bmend(?:s|ed)?\b",
    r"\bgoes behind\b",
    r"\bone \w+ a line\b",
    r"\bwhat contradicts what\b",
    r"\btake that back\b",
    r"\bshows what there is\b",
)
FOUND = re.compile("|".join(TURNED_DOWN))
# A word is quicker to find than a phrase.
WORDS = (" no ", "unless told", "anew", "meanwhile", "mend", "behind", " a line", "contradicts", "back", "there is")


def suspects(text: str) -> list[str]:
    """The lines with such a phrase."""
    return [line for line in text.splitlines() if any(word in line for word in WORDS) and FOUND.search(line)]


def messages(source: str) -> Iterator[str]:
    """The texts of a module, without its docstrings; a value in the middle of one is `{}`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            if ast.get_docstring(node):
                node.body[0].value.value = ""  # type: ignore[attr-defined]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_no_message_uses_a_phrase_that_was_turned_down() -> None:
    bad = []
    for path in sorted(SOURCE.rglob("*.py")):
        name, source = path.relative_to(SOURCE).as_posix(), path.read_text(encoding="utf-8")
        if not name.startswith(NOT_MESSAGES) and suspects(source):
            bad += [(name, text) for text in messages(source) if FOUND.search(text)]
    assert not bad


@pytest.mark.parametrize("page", [page for page in PAGES if page.name not in NOT_PAGES], ids=lambda page: page.stem)
def test_no_page_uses_a_phrase_that_was_turned_down(page: Path) -> None:
    assert not suspects(page.read_text(encoding="utf-8"))
