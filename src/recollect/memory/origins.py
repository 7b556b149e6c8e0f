"""What a statement of an agent rests on, when the user did not type it: its own words, a tool's output, a document."""

from __future__ import annotations

import re

from recollect.memory.typed_words import stands_in
from recollect.model.entries import Citation
from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recollect.model.entries import Origin

PROSE = (".md", ".mdx", ".markdown", ".txt", ".rst", ".adoc", ".org", ".html", ".htm", ".pdf", ".docx", ".rtf", ".eml")
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
    prose: tuple[str, ...] = ()  # the text of cited documents of the repository


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
    return Cited(tuple(kept), origin, prose_of(kept, read))


def origin_of(text: str, cited: Cited | None, *, printed: bool) -> Origin:
    """What an untyped statement rests on. A document of the repository counts when the statement was lifted from it."""
    if cited and cited.origin != "assistant":
        return cited.origin
    if cited and any(stands_in(document, text) for document in cited.prose):
        return "document"
    return "tool" if printed else "assistant"


def prose_of(citations: Sequence[Citation], read: Callable[[str], str | None]) -> tuple[str, ...]:
    """The text of each cited document of the repository."""
    return tuple(read(one.path) or "" for one in citations if one.kind == "file" and is_prose(one.path))


def is_prose(path: str) -> bool:
    """Is it a document rather than code?"""
    name = path.rsplit("/", 1)[-1].lower()
    return name.endswith(PROSE) or ("." not in name and name.startswith(("readme", "changelog", "contributing")))


def _outside(one: str) -> bool:
    """A path that leads out of the repository: somebody else's file."""
    bare = one.strip()
    return " " not in bare and (bare.startswith(("/", "~", "../")) or bare[1:3] in (":\\", ":/"))
