"""A person's writes: done at once, and in their name. The verbs of an agent's writes, and batches."""

from __future__ import annotations

from recollect.errors import Refused
from recollect.flows.writes.correct import correct, unclear, would_say
from recollect.flows.writes.require_statement import require_more_than_secret, require_statement
from recollect.flows.writes.tasks import TaskList
from recollect.flows.writes.wanted_changes import vote_on
from recollect.flows.writes.write import write
from recollect.model.drafts import Add, Remove, Update
from recollect.text.secrets.redacting import redact

REDACTED = "A secret was removed from the text before it was stored."

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.flows.opened import Opened
    from recollect.flows.writes.actors import Person
    from recollect.flows.writes.writers import Writer
    from recollect.model.drafts import Draft, Outcome
    from recollect.model.entries import Entry


class PersonWrites:
    """The memory as a person writes it. Refused and NotFound are raised: somebody is there to read them."""

    def __init__(self, person: Person, memory: Opened) -> None:
        self._person = person
        self._memory = memory

    def store(self, draft: Draft) -> Outcome:
        """Store a draft; a question is refused, and so is what says nothing but a secret."""
        require_statement(draft.content)
        require_more_than_secret(draft.content)
        return _told(draft, write([Add(draft)], self._writer(), action="remember")[0])

    def correct(self, draft: Draft, *, entry_id: str = "", chosen: Sequence[str] | None = None) -> Outcome:
        """Store what is right; what it corrects is the entry named, or those chosen from what was unclear, or what it
        contradicts, or none."""
        require_more_than_secret(draft.content)
        outcome = correct(draft, self._writer(), entry_id=entry_id, chosen=chosen, session=draft.session)
        return _told(draft, outcome)

    def unclear(self, draft: Draft) -> list[Entry]:
        """The entries of which a correction may be about any, or none; empty where it is clear. Stores nothing."""
        return unclear(draft, self._writer(), session=draft.session)

    def would_say(self, draft: Draft, entry: Entry) -> str:
        """What would stand in the place of this entry if the correction is about it. Stores nothing."""
        return would_say(draft, entry, self._writer())

    def replace(self, entry_id: str, draft: Draft) -> Outcome:
        """Put a draft in the place of an entry."""
        require_more_than_secret(draft.content)
        return _told(draft, write([Update(entry_id, draft)], self._writer(), action="edit")[0])

    def remove(self, entry_id: str) -> Outcome:
        """Retire an entry."""
        outcome = write([Remove(entry_id)], self._writer(), action="forget")[0]
        return outcome._replace(status="removed")

    def vote(self, entry_id: str, direction: str, reason: str) -> Outcome:
        """Say that an entry was useful or wrong, and why."""
        return vote_on(entry_id, direction, reason, self._writer())

    def batch(self, operations: Sequence[Add | Update | Remove]) -> list[Outcome]:
        """Additions, updates and removals on L0 and L1 as one change, judged on their final size."""
        for operation in operations:
            if _layer_of(operation, self._memory) == "L2":
                raise Refused("Only the system writes to the archive (L2).")
        return write(operations, self._writer())

    @property
    def tasks(self) -> TaskList:
        """Tasks and projects."""
        return TaskList(self._memory)

    def _writer(self) -> Writer:
        may_revive = self._person.is_there and not self._person.is_piped
        return self._memory.writer(self._person.name)._replace(may_revive=may_revive, root=self._memory.root)


def _told(draft: Draft, outcome: Outcome) -> Outcome:
    """The outcome, which says so when what is stored is not what was written."""
    if redact(draft.content) == draft.content:
        return outcome
    return outcome._replace(why=f"{REDACTED} {outcome.why}".rstrip())


def _layer_of(operation: Add | Update | Remove, memory: Opened) -> str:
    """The layer that it would change: L2 where it would add to the archive, or touch what is there."""
    if not isinstance(operation, Add) and memory.store.entries.get(operation.entry_id).entry.layer == "L2":
        return "L2"
    return "" if isinstance(operation, Remove) else operation.draft.layer
