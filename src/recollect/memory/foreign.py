"""What other memories keep, as statements: Markdown notes and rules, JSON exports, one JSON record a line. Pure."""

from __future__ import annotations

import json
import re

from recollect.errors import FileError
from recollect.memory.foreign_markdown import blocks, left_out
from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Skipped = tuple[str, str]  # a statement, or nothing where it is the file's own trouble, and why it is left out

LONGEST = 1_000  # characters of a statement; what is longer is a document, not a fact
SHORTEST = 8
MARKDOWN, JSON, JSON_LINES = (".md", ".mdc"), (".json",), (".jsonl",)
_LINK = re.compile(r"\[[^\]]*\]\([^)]*\)")  # to a file of its own, which is read by itself
_SEE = re.compile(
    r"(?:See|Read)\b(?=.*\s@[~\w./-])(?:[^.]|\.(?=\w))*\.?$"
)  # a file that Claude Code reads with this one
_OBSERVATION = re.compile(r"\[([\w -]{2,40}|[^\W_xX])\]\s+(.*)")
_TAG = re.compile(r"(?:^|\s)#([\w/-]{1,40})")
_CONTEXT = re.compile(r"\s*\([^()]*\)\s*$")
_GUIDANCE = re.compile(r"This file provides guidance to .{1,60} when working (?:with|in|on)\b", re.IGNORECASE)
# What Codex writes about its own notes: lines that say where they hold, and sections for finding the sessions again.
_CODEX_FIELD = re.compile(
    r"\s*(?:[-*]\s+)?(?:scope|applies_to|reuse_rule|keywords|rollout_\w+|thread_id|updated_at)\s*[:=]"
)
_CODEX_APPLIES = re.compile(r"\s*(?:[-*]\s+)?applies_to\s*[:=]")
_CODEX_ROLLOUT = re.compile(r"\s*(?:[-*]\s+)?rollout_summaries/")
_CODEX_FOLDER = re.compile(
    r"\bcwd\s*(?:=|:|\bin\b)[\s{\[(`'\"]*((?:[/~]|[A-Za-z]:[\\/])[^;,`'\"\]})]*?)(?=\s+(?:or|and)\s|\s*[;,`'\"\]})]|\s*$)"
)
_CODEX_SECTIONS = ("rollout_summary_files", "keywords")
_CODEX_TASKS = re.compile(r"(?:\s*\[Tasks? [^\[\]]*\])+$")
_LINES = r":\d{1,9}(?:-\d{1,9})?"
_CITED_FILE = re.compile(rf"[^\s:;,]*(?:\.[A-Za-z]\w{{0,9}}(?:{_LINES}|#\S+)?|/[^\s:;,/.]+{_LINES})")
_GLOB = re.compile(r"[*?\[{]")


class ForeignFact(Record):
    """One statement as another memory keeps it."""

    text: str
    subject: str = ""
    reason: str = ""
    tags: tuple[str, ...] = ()
    citations: tuple[str, ...] = ()
    folder: str = ""  # of the work that it is about, where the memory says so


class ForeignRead(Record):
    """What a file of another memory says, and what in it could not be read."""

    facts: tuple[ForeignFact, ...]
    skipped: tuple[Skipped, ...] = ()
    left_out: tuple[str, ...] = ()  # what was passed over, by its kind


def markdown_facts(text: str) -> ForeignRead:
    """Bullets and paragraphs, each one statement; headings, code, tables, to-dos, links to other files and the line
    that opens a CLAUDE.md are none."""
    found = (one for one in blocks(text) if not any(pattern.match(one.text) for pattern in (_LINK, _SEE, _GUIDANCE)))
    return ForeignRead(tuple(ForeignFact(one.text, reason=one.reason) for one in found), (), tuple(left_out(text)))


def codex_facts(text: str) -> ForeignRead:
    """Codex's notes with the folder that they are about, without what it writes there to find them again."""
    found = []
    for folder, part in _codex_parts(text):
        lines = ["" if _CODEX_FIELD.match(line) else line for line in part]
        found += [
            ForeignFact(_CODEX_TASKS.sub("", one.text), reason=one.reason, folder=folder)
            for one in blocks("\n".join(lines))
            if one.heading not in _CODEX_SECTIONS
            and not _LINK.match(one.text)
            and not one.text.startswith("rollout_summaries/")
        ]
    return ForeignRead(tuple(found), (), tuple(left_out(text)))


def _codex_parts(text: str) -> Iterator[tuple[str, list[str]]]:
    """The lines of each group of tasks, or of each part of one that says where it applies, with the folder of that."""
    folder, part, in_code = "", list[str](), False
    for line in text.splitlines():
        in_code ^= line.lstrip().startswith(("```", "~~~"))
        opens, applies = line.startswith("# "), _CODEX_APPLIES.match(line) is not None
        told = _CODEX_FOLDER.search(line) if applies or _CODEX_ROLLOUT.match(line) else None
        if not in_code and (opens or (applies and folder)):
            yield folder, part
            folder, part = "", []
        if told and not in_code:
            folder = folder or told[1]
        part.append(line)
    yield folder, part


def basic_memory_facts(text: str) -> ForeignRead:
    """Basic Memory's observations: `- [category] text #tag (context)`. Relations and prose stay there."""
    found = []
    for one in blocks(text):
        seen = _OBSERVATION.fullmatch(one.text)
        if seen:
            said = _CONTEXT.sub("", _TAG.sub("", seen[2])).strip()
            found.append(ForeignFact(said, tags=(seen[1].strip(), *_TAG.findall(seen[2]))))
    return ForeignRead(tuple(found))


def copilot_facts(text: str) -> ForeignRead:
    """`copilot-memories.jsonl`: one record per line, with a fact, its subject, why it is kept and what it rests on.

    Raises FileError when no line is such a record."""
    found, skipped = [], []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            skipped.append(("", f"line {number} is not valid JSON"))
            continue
        if isinstance(record, dict) and isinstance(record.get("fact"), str):
            given = record.get("citations")
            cited = (given,) if isinstance(given, str) else _texts(given)
            found.append(
                ForeignFact(
                    record["fact"],
                    _str(record.get("subject")),
                    _str(record.get("reason")),
                    citations=tuple(one for text in cited for one in _cited(text)),
                )
            )
        else:
            skipped.append(("", f"line {number} has no fact"))
    if skipped and not found:
        raise FileError("no line is a JSON record with a fact")
    return ForeignRead(tuple(found), tuple(skipped))


def names_file(cited: str) -> bool:
    """Does a citation look like the name of a file, with lines or without, whether it is there or not?"""
    return _CITED_FILE.fullmatch(cited) is not None


def _cited(text: str) -> list[str]:
    """Several files that are cited in one text, one by one."""
    parts = [part.strip() for part in re.split("[,;\n]", text) if part.strip()]
    return parts if all(map(names_file, parts)) else [text]


def mem0_facts(text: str) -> ForeignRead:
    """An export of mem0: a list of memories, or one under `results` or `memories`.

    Raises FileError when it is none."""
    try:
        document = json.loads(text)
    except RecursionError as error:
        raise FileError("it is nested too deeply") from error
    except ValueError as error:
        raise FileError(f"it is not valid JSON ({error})") from error
    if isinstance(document, dict):
        document = document.get("results", document.get("memories"))
    if not isinstance(document, list):
        raise FileError('it is not a list of memories, and has none under "results" or "memories"')
    found, skipped = [], []
    for number, row in enumerate(document, 1):
        said = row.get("memory") or row.get("text") or row.get("data") if isinstance(row, dict) else ""
        if isinstance(said, str) and said.strip():
            found.append(ForeignFact(said, tags=_texts(row.get("categories"))))
        else:
            skipped.append(("", f"memory {number} has no text"))
    return ForeignRead(tuple(found), tuple(skipped))


class Kind(Record):
    """How the files of one kind of memory are called and read."""

    suffixes: tuple[str, ...]
    read: Callable[[str], ForeignRead]


KINDS = {
    "claude-memory": Kind(MARKDOWN, markdown_facts),
    "claude-md": Kind(MARKDOWN, markdown_facts),
    "codex-memory": Kind(MARKDOWN, codex_facts),
    "cursor-rules": Kind(MARKDOWN, markdown_facts),
    "copilot-memory": Kind(JSON_LINES, copilot_facts),
    "basic-memory": Kind(MARKDOWN, basic_memory_facts),
    "mem0": Kind(JSON, mem0_facts),
}


def facts_in(kind: str, text: str) -> ForeignRead:
    """The statements in a file of this kind, each once. What is too short to be one is counted, what is too long is
    told. Raises FileError, with the end of a sentence, when it is not such a file."""
    read = KINDS[kind].read(text)
    found = {(fact.text.strip(), fact.folder): fact for fact in read.facts}
    facts = [fact._replace(text=said) for (said, _), fact in found.items() if SHORTEST <= len(said) <= LONGEST]
    too_long = [(said, f"it has more than {LONGEST:,} characters") for said, _ in found if len(said) > LONGEST]
    too_short = ["short line" for said, _ in found if 0 < len(said) < SHORTEST]
    return ForeignRead(tuple(facts), (*read.skipped, *too_long), (*read.left_out, *too_short))


def placed(text: str, globs: Sequence[str]) -> str:
    """A rule about some files as a statement that names them: by their folder, or by the glob where it names none."""
    names = list(dict.fromkeys(filter(None, map(_place, globs))))
    if not names:
        return text
    return f"In {' and '.join(names)}{' files' if '*' in names[-1] else ''}: {text}"


def _place(glob: str) -> str:
    """The folder that a glob begins with; else the kind of file it is about. Empty where it is about every file."""
    parts = glob.strip().removeprefix("./").split("/")
    while len(parts) > 1 and parts[0] == "**":
        parts.pop(0)
    wild = next((at for at, part in enumerate(parts) if _GLOB.search(part)), len(parts))
    if wild == len(parts):
        return "/".join(parts)
    if wild:
        return "/".join(parts[:wild]) + "/"
    named = next((part for part in reversed(parts) if part.strip("*.")), "")
    return f"{named}/" if named and named != parts[-1] else named


def _str(value: object) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: object) -> tuple[str, ...]:
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()
