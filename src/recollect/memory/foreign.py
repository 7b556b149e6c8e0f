"""What other memories keep, as statements: Markdown notes and rules, JSON exports, one JSON record a line. Pure."""

from __future__ import annotations

import json
import re

from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LONGEST = 1_000  # characters of a statement; what is longer is a document, not a fact
SHORTEST = 8
_BULLET = re.compile(r"(?:[-*+]|\d{1,3}[.)])\s+(.*)")
_LINK = re.compile(r"\[[^\]]*\]\([^)]*\)")  # to a file of its own, which is read by itself
_OBSERVATION = re.compile(r"\[([\w -]{1,40})\]\s+(.*)")
_TAG = re.compile(r"(?:^|\s)#([\w/-]{1,40})")
_CONTEXT = re.compile(r"\s*\([^()]*\)\s*$")
_MARKS = re.compile(r"[*_]{2}")


class ForeignFact(Record):
    """One statement as another memory keeps it."""

    text: str
    subject: str = ""
    reason: str = ""
    tags: tuple[str, ...] = ()


def markdown_facts(text: str) -> list[ForeignFact]:
    """Bullets and paragraphs, each one statement; headings, code, tables and links to other files are none."""
    return [ForeignFact(line) for line in _statements(text) if not _LINK.match(line)]


def basic_memory_facts(text: str) -> list[ForeignFact]:
    """Basic Memory's observations: `- [category] text #tag (context)`. Relations and prose stay there."""
    found = []
    for line in _statements(text):
        seen = _OBSERVATION.fullmatch(line)
        if seen:
            said = _CONTEXT.sub("", _TAG.sub("", seen[2])).strip()
            found.append(ForeignFact(said, tags=(seen[1].strip(), *_TAG.findall(seen[2]))))
    return found


def copilot_facts(text: str) -> list[ForeignFact]:
    """`copilot-memories.jsonl`: one record per line, with a fact, its subject and why it is kept."""
    found = []
    for line in text.splitlines():
        record = _json(line)
        if isinstance(record, dict) and isinstance(record.get("fact"), str):
            found.append(ForeignFact(record["fact"], _str(record.get("subject")), _str(record.get("reason"))))
    return found


def mem0_facts(text: str) -> list[ForeignFact]:
    """An export of mem0: a list of memories, or one under `results` or `memories`."""
    document = _json(text)
    if isinstance(document, dict):
        document = document.get("results", document.get("memories"))
    if not isinstance(document, list):
        return []
    rows = [row for row in document if isinstance(row, dict)]
    return [
        ForeignFact(_str(row.get("memory") or row.get("text") or row.get("data")), tags=_texts(row.get("categories")))
        for row in rows
    ]


# What each kind is read with.
READERS: dict[str, Callable[[str], list[ForeignFact]]] = {
    "claude-memory": markdown_facts,
    "claude-md": markdown_facts,
    "codex-memory": markdown_facts,
    "cursor-rules": markdown_facts,
    "copilot-memory": copilot_facts,
    "basic-memory": basic_memory_facts,
    "mem0": mem0_facts,
}


def facts_in(kind: str, text: str) -> list[ForeignFact]:
    """The statements in a file of this kind, each once; what is too short or too long to be one is left out."""
    found = {fact.text.strip(): fact for fact in READERS[kind](text)}
    return [fact._replace(text=said) for said, fact in found.items() if SHORTEST <= len(said) <= LONGEST]


def _statements(text: str) -> Iterator[str]:
    """Bullets with their continuation, and paragraphs, on one line each."""
    said: list[str] = []
    for line in _prose(text):
        bullet = _BULLET.match(line.strip())
        if said and (bullet or not line.strip() or line.lstrip().startswith(("#", "|", ">", "<"))):
            yield _joined(said)
            said = []
        if bullet:
            said = [bullet[1]]
        elif line.strip() and not line.lstrip().startswith(("#", "|", ">", "<", "@")):
            said.append(line.strip())
    if said:
        yield _joined(said)


def _prose(text: str) -> Iterator[str]:
    """The lines without the header between `---` and without code."""
    lines = text.removeprefix("\ufeff").splitlines()
    if lines and lines[0].strip() == "---":
        end = next((at for at, line in enumerate(lines[1:], 1) if line.strip() == "---"), 0)
        lines = lines[end + 1 :]
    in_code = False
    for line in lines:
        if line.lstrip().startswith(("```", "~~~")):
            in_code = not in_code
            yield ""
        elif not in_code:
            yield line


def _joined(lines: list[str]) -> str:
    return _MARKS.sub("", " ".join(lines)).strip()


def _json(text: str) -> object:
    try:
        found: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found


def _str(value: object) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: object) -> tuple[str, ...]:
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()
