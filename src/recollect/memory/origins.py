"""What a statement of an agent rests on, when the user did not type it: its own words, a tool's output, a document."""

from __future__ import annotations

import re

from recollect.memory.lifted import is_lifted
from recollect.model.entries import Citation
from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recollect.model.entries import Origin

LONGEST_QUOTE = 300
_ADDRESS = re.compile(r"^\W{0,2}(?:https?|ftp|file|mcp)://|^\W{0,2}www\.", re.IGNORECASE)
_TOOL = re.compile(
    r"^\W{0,2}(?:\$ |> |(?:tool|function|command|shell|bash|terminal|mcp|search|fetch|web)[ _-]?"
    r"(?:call|result|output|response|use|log|search|fetch|page)?s?\b\s*[:(#]|(?:output|result|stdout|stderr)s? of\b"
    r"|call_|toolu_)",
    re.IGNORECASE,
)


class Cited(Record):
    """Citations as an agent gave them, read: what can be checked, what is only quoted, and whose words they are."""

    citations: tuple[Citation, ...] = ()
    origin: Origin = "assistant"
    files: tuple[str, ...] = ()  # the text of every cited file of the repository


def read_citations(
    given: Sequence[str],
    *,
    make: Callable[[str], Citation | None],
    read: Callable[[str], str | None],
    session: str = "",
) -> Cited:
    """Sort what an agent cites. `make` gives the citation of a file here, or None; `read` gives a cited file's text."""
    kept: list[Citation] = []
    origin: Origin = "assistant"
    for one in given:
        citation = None if _ADDRESS.match(one) or _TOOL.match(one) else make(one)
        if citation is None:
            kept.append(Citation("turn", session=session, quote=one[:LONGEST_QUOTE]))
            if _ADDRESS.match(one) or _outside(one):
                origin = "document"
            elif _TOOL.match(one) and origin != "document":
                origin = "tool"
            continue
        kept.append(citation)
    return Cited(tuple(kept), origin, files_of(kept, read))


def origin_of(text: str, cited: Cited | None, *, printed: bool) -> Origin:
    """What an untyped statement rests on. A file of the repository counts when the statement was lifted from it."""
    if cited and cited.origin != "assistant":
        return cited.origin
    if cited and is_lifted(text, cited.files):
        return "document"
    return "tool" if printed else "assistant"


def files_of(citations: Sequence[Citation], read: Callable[[str], str | None]) -> tuple[str, ...]:
    """The text of each cited file of the repository, code too: comments and strings are somebody's sentences."""
    return tuple(read(path) or "" for path in dict.fromkeys(one.path for one in citations if one.kind == "file"))


def _outside(one: str) -> bool:
    """A path that leads out of the repository: somebody else's file."""
    bare = one.strip()
    return " " not in bare and (bare.startswith(("/", "~", "../")) or bare[1:3] in (":\\", ":/"))
