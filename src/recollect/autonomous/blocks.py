"""Blocks of MEMORY.md: one thing that a project knows, where it holds, and what it rests on. Pure."""

from __future__ import annotations

import hashlib
import re

from recollect.autonomous.dates import day
from recollect.model.record import Record
from recollect.text.fences import in_quotes, neutralise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

DECISIONS, WISHES, WORK, TROUBLE, HISTORY, PAST = (
    "Decisions and facts",
    "How the user wants it",
    "Commands and workflows",
    "Failures and pitfalls",
    "What the commits say",
    "Past work",
)
SECTIONS = (DECISIONS, WISHES, WORK, TROUBLE, HISTORY, PAST)
EVERYWHERE, HERE = "user", "repository"
SCOPES = {EVERYWHERE: "everywhere", HERE: "this repository"}
MOST_EVIDENCE = 6
ID = re.compile(r"\bm-[0-9a-f]{8}\b")
_MARK = re.compile(r"^<!-- (m-[0-9a-f]{8}) -->$", re.MULTILINE)
_HEADING = re.compile(r"^(?:#+(?:\s+|$))+")
_PATH = re.compile(
    r"(?<![\w/:.-])(?:[\w.@-]+/)+[\w.@-]*\w|(?<![\w/:.-])[\w-]+\.(?:md|toml|json|ya?ml|py|tsx?|jsx?|go|rs|tf|sql|css)\b"
)


class Evidence(Record):
    """What something rests on: a turn of a session, or a log of another kind where there is no turn."""

    session_id: str = ""
    turn: int = 0
    at: float = 0.0
    rests_on: str = "typed"

    @property
    def key(self) -> str:
        """What tells it from others."""
        return f"{self.session_id}#{self.turn}"

    def __str__(self) -> str:
        where = f"{self.key} " if self.session_id else ""
        return f"{where}({day(self.at)}, {self.rests_on})"


class Before(Record):
    """What was said before on the same subject, and holds no longer."""

    text: str
    evidence: tuple[Evidence, ...]


class Block(Record):
    """One thing that a project knows."""

    section: str
    title: str
    text: str
    evidence: tuple[Evidence, ...] = ()
    before: tuple[Before, ...] = ()
    scope: str = HERE
    applies: str = ""
    block_id: str = ""
    uses: int = 0
    name: str = ""  # what tells it again where its text changes with every pass; else its first text does

    @property
    def at(self) -> float:
        """When it was last confirmed."""
        return max((one.at for one in self.evidence), default=0.0)

    @property
    def keys(self) -> set[str]:
        """All that it rests on or amends."""
        older = (one for before in self.before for one in before.evidence)
        return {one.key for one in (*self.evidence, *older) if one.session_id}


def with_ids(blocks: Iterable[Block], known: dict[str, set[str]]) -> list[Block]:
    """The blocks with ids: the one they had, told by their evidence and section, else a new one; each id once."""
    named: list[Block] = []
    taken: set[str] = set()
    for block in blocks:
        wanted = _own_id(block)
        if wanted not in known:
            wanted = next((name for name, keys in known.items() if name not in taken and keys & _marked(block)), wanted)
        while wanted in taken:
            wanted = "m-" + hashlib.sha256(wanted.encode()).hexdigest()[:8]
        taken.add(wanted)
        named.append(block._replace(block_id=wanted))
    return named


def keys_of(block: Block) -> list[str]:
    """What tells a block again in the next pass, for the baseline."""
    return sorted(_marked(block))


def _marked(block: Block) -> set[str]:
    """Two things said in one turn are two things: the text counts as well, old ones too."""
    texts = [(block.text, block.evidence), *((one.text, one.evidence) for one in block.before)]
    return {f"{one.key} {_hash(text)}" for text, evidence in texts for one in evidence}


def _own_id(block: Block) -> str:
    oldest = block.name or (block.before[0].text if block.before else block.text)
    return f"m-{_hash(f'{block.section} {oldest}')}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def rendered(block: Block) -> str:
    """The block as it stands in MEMORY.md."""
    lines = [f"### {_one_line(block.title)}", f"<!-- {block.block_id} -->", _one_line(block.text), ""]
    lines.append(f"- Scope: {SCOPES[block.scope]}")
    lines.append(f"- Applies to: {_one_line(block.applies or _applies(block))}")
    if block.evidence:
        lines.append(f"- Evidence: {_listed(block.evidence)}")
    for one in block.before:
        lines.append(f"- Until then: {in_quotes(one.text)}, {_listed(one.evidence)}")
    return "\n".join(lines)


def _applies(block: Block) -> str:
    return applies_to(block.text) if block.scope == HERE else "all work"


def applies_to(text: str) -> str:
    """Where a text holds, by the paths that it names."""
    paths = list(dict.fromkeys(found.rstrip(".") for found in _PATH.findall(text) if not found.startswith("www.")))
    return ", ".join(f"`{path}`" for path in paths[:3]) or "all work here"


def _listed(evidence: Sequence[Evidence]) -> str:
    newest = sorted(evidence, key=lambda one: -one.at)[:MOST_EVIDENCE]
    more = len(evidence) - len(newest)
    return "; ".join(map(str, newest)) + (f" and {more} more" if more > 0 else "")


def _one_line(text: str) -> str:
    """Text that cannot begin a heading or a block of its own."""
    return _HEADING.sub("", neutralise(" ".join(text.split()))).strip() or "Note"


class Passage(Record):
    """A part of MEMORY.md as it stands in the file: a block, ours or somebody's own, and the section it is in."""

    section: str
    text: str
    block_id: str = ""


class Document(Record):
    """MEMORY.md in its parts."""

    preamble: str
    passages: tuple[Passage, ...]

    def text(self) -> str:
        """The file. Sections in the order they have here, passages in theirs."""
        order = [*SECTIONS, *(one.section for one in self.passages)]
        parts = [self.preamble.strip()]
        for section in dict.fromkeys(order):
            mine = [one.text.strip() for one in self.passages if one.section == section]
            if mine:
                parts += [f"## {section}", *mine] if section else mine
        return "\n\n".join(parts) + "\n"


def parsed(text: str) -> Document:
    """A file in its parts. What stands under a heading of ours, but in no block, is a passage of its own."""
    preamble, section = "", None
    passages: list[Passage] = []
    for piece in re.split(r"^(?=#{2,3} )", text.replace("\r\n", "\n"), flags=re.MULTILINE):
        if piece.startswith("## "):
            heading, _, rest = piece.partition("\n")
            section = heading[3:].strip()
            if rest.strip():
                passages.append(Passage(section, rest.strip()))
        elif piece.startswith("### "):
            found = _MARK.search(piece)
            passages.append(Passage(section or "Notes", piece.strip(), found[1] if found else ""))
        else:
            preamble += piece
    return Document(preamble.strip(), tuple(passages))
