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
    r"\bhas no such word\b",
    r"\bone (?:thing )?an? (?:item|passage|session|turn|message|entry|fact|key)\b",
    r"\blets? another\b",
    r"\ball else\b",
    r"\bin the place of\b",
    r"\bgo(?:es)? by words\b",
    r"\bbehind (?:`--`|a colon|the id)",
    r"\balso where\b",
    r"\bnothing (?:comes|came) of it\b",
    r"\bis there by now\b",
    r"\bare not as they were\b",
    r"\bstays so\b(?! until)",
    r"\bMost \w+ (?:that|per) (?:one|a|minute)\b",
)
# On pages only: docstrings and messages of the program still have some of them.
ON_PAGES = (
    r"\bfor good\b(?! reason)",
    r"\b[Ww]hat waits for (?:you|them|a person)\b",
    r"\btak(?:e|es|en|ing) (?:it|them|one|that|this|(?:a|the|its) \w+) back\b(?! to\b)",
    r"\bbrings? (?:it|them|(?:a|the) \w+) up to date\b",
    r"\b(?:two|\w+) (?:thirds|fourths|fifths|tenths) wait\b",
)
FOUND = re.compile("|".join(TURNED_DOWN))
FOUND_ON_PAGES = re.compile("|".join((*TURNED_DOWN, *ON_PAGES)))
# A word is quicker to find than a phrase.
WORDS = (
    " no ", "unless told", "anew", "meanwhile", "mend", "behind", " a line", "contradicts", "back", "there is", "one ",
    "another", "all else", "place of", "by words", "also where", "of it", "by now",
    "as they were", "stays so", "Most ",
)  # fmt: skip


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


def sentences(page: str) -> Iterator[str]:
    """The paragraphs of a page, each on one line, and the rows of its tables: a phrase may go on in the next line."""
    for paragraph in page.split("\n\n"):
        if paragraph.startswith("|"):
            yield from paragraph.splitlines()
        else:
            yield " ".join(line.strip() for line in paragraph.splitlines())


@pytest.mark.parametrize("page", [page for page in PAGES if page.name not in NOT_PAGES], ids=lambda page: page.stem)
def test_no_page_uses_a_phrase_that_was_turned_down(page: Path) -> None:
    found = [
        sentence[max(0, match.start() - 40) : match.end() + 40]
        for sentence in sentences(page.read_text(encoding="utf-8"))
        for match in FOUND_ON_PAGES.finditer(sentence)
    ]
    assert not found


@pytest.mark.parametrize(
    "line",
    [
        "It stores what people say\nfor good.", "Without it there\nare sessions: vim is no host.", "Removed for\ngood.",
        "`recollect undo` takes a change back.", "rem brings the board up to date.", "all else passes as it comes",
        "| a | What waits for you |",
    ],
)  # fmt: skip
def test_a_phrase_is_found_over_the_end_of_a_line(line: str) -> None:
    assert any(FOUND_ON_PAGES.search(sentence) for sentence in sentences(line))


@pytest.mark.parametrize(
    "line",
    ["There\nis no release yet.", "It is no longer there.", "Go back to the start; take it back to the shop.", "for good reason"],
)  # fmt: skip
def test_plain_english_is_left_alone(line: str) -> None:
    assert not any(FOUND_ON_PAGES.search(sentence) for sentence in sentences(line))
