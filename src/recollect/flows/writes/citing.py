"""Citations as a person writes them: `path`, `path:10-20`, `path#symbol`."""

from __future__ import annotations

from recollect.files.trees import read_cited
from recollect.memory.checks import cited_as_now, make_citation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.flows.opened import Opened
    from recollect.flows.writes.writers import Writer
    from recollect.model.drafts import Draft
    from recollect.model.entries import Citation


def citations_of(cite: Sequence[str | Citation], memory: Opened) -> tuple[Citation, ...]:
    """What is cited, as it is now; raises when there is no such file or symbol."""
    return tuple(
        make_citation(one, root=memory.root, cwd=memory.folder) if isinstance(one, str) else one for one in cite
    )


def cited_anew(draft: Draft, writer: Writer) -> Draft:
    """A person's words in the place of older ones rest on the files as they are now, if those are here."""
    if not writer.root or draft.repository != writer.here:
        return draft
    now = (
        cited_as_now(one, read_cited(writer.root, one.path, exact=True)) if one.kind == "file" else one
        for one in draft.citations
    )
    return draft._replace(citations=tuple(now))
