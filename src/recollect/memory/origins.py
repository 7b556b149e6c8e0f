"""What a statement of an agent rests on, when the user did not type it: its own words, a tool's output, a document."""

from __future__ import annotations

import re

from recollect.errors import OutsideRoot
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
    outside: tuple[str, ...] = ()  # what leads out of the repository

    @property
    def note(self) -> str:
        """What whoever cited these is told about them; empty when all is well."""
        if not self.outside:
            return ""
        several = len(self.outside) > 1
        says = "are outside the repository, so they are" if several else "is outside the repository, so it is"
        return f"{', '.join(self.outside)} {says} not evidence."


def read_citations(
    given: Sequence[str],
    *,
    make: Callable[[str], Citation | None],
    read: Callable[[str], str | None],
    session: str = "",
) -> Cited:
    """Sort what an agent cites. What leads out of the repository is somebody else's document, and cannot be checked.

    `make` gives the citation of a file here or None, and raises OutsideRoot; `read` gives a cited file's text."""
    kept: list[Citation] = []
    outside: list[str] = []
    origin: Origin = "assistant"
    for one in given:
        quote = Citation("turn", session=session, quote=one[:LONGEST_QUOTE])
        if others := quoted_origin(one):
            kept.append(quote)
            origin = "document" if origin == "document" else others
        else:
            try:
                kept.append(_file(one, make) or quote)
            except OutsideRoot:
                outside.append(quote.quote)
                origin = "document"
    return Cited(tuple(kept), origin, files_of(kept, read), tuple(outside))


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


def quoted_origin(quote: str) -> Origin | None:
    """Whose words a quote names as its source: a page's or a tool's; None where it names neither."""
    if _ADDRESS.match(quote):
        return "document"
    return "tool" if _TOOL.match(quote) else None


def _file(one: str, make: Callable[[str], Citation | None]) -> Citation | None:
    """The citation of a file here; None for words. Raises OutsideRoot."""
    citation = make(one)
    if citation is None and _names_outside(one):
        raise OutsideRoot
    return citation


def _names_outside(one: str) -> bool:
    """A path that leads out of the repository by its name, there or not."""
    bare = one.strip()
    return " " not in bare and (bare.startswith(("/", "~", "../")) or bare[1:3] in (":\\", ":/"))
