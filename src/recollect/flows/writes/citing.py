"""Citations from what somebody writes: a person's must hold, an agent's are taken as far as they can be read."""

from __future__ import annotations

from recollect.errors import FileError, UsageError
from recollect.files.trees import read_cited
from recollect.memory.checks import make_citation
from recollect.memory.origins import read_citations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.flows.opened import Opened
    from recollect.memory.origins import Cited
    from recollect.model.entries import Citation


def citations_of(cite: Sequence[str | Citation], memory: Opened) -> tuple[Citation, ...]:
    """Citations as a person writes them: `path`, `path:10-20`, `path#symbol`."""
    return tuple(_made(one, memory) if isinstance(one, str) else one for one in cite)


def agents_citations(given: Sequence[str], memory: Opened, *, session: str) -> Cited:
    """Citations as an agent gives them: what is not a place in a file is taken for words."""

    def make(one: str) -> Citation | None:
        try:
            return _made(one, memory)
        except (UsageError, FileError):
            return None

    return read_citations(given, make=make, read=lambda path: text_cited(path, memory), session=session)


def text_cited(path: str, memory: Opened) -> str | None:
    """The text of a file of the repository that is cited; None when it is not there, or not inside."""
    return read_cited(memory.repository.root or memory.folder, path)


def _made(one: str, memory: Opened) -> Citation:
    return make_citation(one, root=memory.repository.root or memory.folder, cwd=memory.folder)
