"""The shelves of a memory: texts that programs keep under addresses, and the files of a model's memory tool."""

from __future__ import annotations

from recollect.flows.shelves.change_texts import ShelfOwner
from recollect.flows.shelves.memory_files import MemoryFiles, overview
from recollect.flows.shelves.shelf import Shelf
from recollect.flows.views.entries import EntryList
from recollect.flows.writes.actors import Agent
from recollect.flows.writes.agent_writes import AgentWrites

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.flows.opened import Opened
    from recollect.model.entries import Origin, Scope
    from recollect.ports import Ask

MOST_SHOWN = 200  # entries that a model can read beside its own files


class Shelves:
    """Shelves of a repository, of the user, or of a place of a program's own."""

    def __init__(self, memory: Opened) -> None:
        self._memory = memory

    def shelf(self, repository: str, *, origin: Origin, actor: str, session: str = "") -> Shelf:
        """Texts that a program keeps under addresses."""
        owner = ShelfOwner(repository, origin, session)
        return Shelf(lambda: self._memory.writer(actor), owner, self._memory.limits())

    def memory_files(
        self, *, client: str = "", session: str = "", scope: Scope | None = None, ask: Ask | None = None
    ) -> MemoryFiles:
        """The files that a model keeps under /memories: of the repository, where there is one, else of the user."""
        memory = self._memory
        repository = "" if scope == "user" else memory.repository.repository
        actor = f"agent:{client}" if client else "agent"
        shelf = self.shelf(repository, origin="assistant", actor=actor, session=session)
        return MemoryFiles(shelf, AgentWrites(Agent(client, session, ask=ask), memory), self._shown)

    def _shown(self) -> dict[str, str]:
        """What else is remembered, for reading alone; nothing while memory is switched off."""
        memory = self._memory
        if not memory.settings.enabled:
            return {}
        known = EntryList(memory).list(layer="L1", status="active", limit=MOST_SHOWN)
        return overview(memory.profile().shown, known, limit_characters=memory.settings.injection.max_characters)
