"""Citations as a person writes them: `path`, `path:10-20`, `path#symbol`."""

from __future__ import annotations

from recollect.memory.checks import make_citation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.flows.opened import Opened
    from recollect.model.entries import Citation


def citations_of(cite: Sequence[str | Citation], memory: Opened) -> tuple[Citation, ...]:
    """What is cited, as it is now; raises when there is no such file or symbol."""
    return tuple(
        make_citation(one, root=memory.root, cwd=memory.folder) if isinstance(one, str) else one for one in cite
    )
