"""What waits for a person, found in sessions or wanted by an agent: listed, approved, rejected, or waiting again."""

from __future__ import annotations

from recollect.errors import NotFound, Refused, require_text
from recollect.flows.writes.other_deeds import LAST, note_deed
from recollect.flows.writes.waiting import approvals, what_waits
from recollect.model.candidates import Candidate
from recollect.model.record import Record
from recollect.text.ids import STAGED, short_id
from recollect.text.language.statements import subject_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from recollect.flows.writes.writers import Writer
    from recollect.model.drafts import Outcome
    from recollect.model.entries import Scope
    from recollect.model.permissions import Staged
    from recollect.ports import Strategy
    from recollect.store.store import Store

    Waiting = Candidate | Staged


APPROVED = "approved by change "  # and the number of the change: the small fact that names what it approved


class Against(Record):
    """What the entries say that something waiting speaks against."""

    replaced: tuple[str, ...] = ()  # an approval puts it in their place
    contradicted: tuple[str, ...] = ()  # they stay, and both are active then


class Pending:
    """What waits for a person."""

    def __init__(self, writer: Writer, strategy: Callable[[str], Strategy | None] = lambda name: None) -> None:
        self._writer = writer
        self._strategy = strategy  # the strategy of this name, or None when it is not in use here
        self._candidates = writer.store.candidates
        self._staged = writer.store.staged

    def waiting(self) -> list[Candidate]:
        """What was found in sessions and waits, surest first."""
        return self._candidates.waiting()

    def staged(self) -> list[Staged]:
        """What agents wanted and waits, oldest first."""
        return self._staged.waiting(now=self._writer.now)

    def everything(self) -> list[Waiting]:
        """All that waits: first what agents want to change, because that expires if nobody decides; last what would be
        retired, for that stays as it is until then."""
        staged = self.staged()
        removals = [one for one in staged if one.action == "remove"]
        return [*(one for one in staged if one not in removals), *self.waiting(), *removals]

    def count(self) -> int:
        """How much waits."""
        return approvals(self._writer.store, now=self._writer.now)

    def suggestions(self, repository: str) -> int:
        """How many suggestions for the files of a repository wait besides."""
        return what_waits(self._writer.store, now=self._writer.now, repository=repository).suggestions

    def get(self, name: str) -> Waiting:
        """What waits under this id, or a unique beginning or end of one."""
        require_text(name, "An id")
        if name.startswith(STAGED) or not name:
            return self._staged.get(name)
        try:
            return self._candidates.get(name)
        except NotFound:
            if name[1:2] == "_":
                raise
            return self._staged.get(name)  # the end of an id alone says nothing of its kind

    def against(self, waiting: Waiting) -> Against:
        """What a person should read beside it before they approve it: what it would change or replace, and what it
        contradicts."""
        if isinstance(waiting, Candidate) or waiting.action not in ("store", "update"):
            return Against()
        touched = [one["id"] for one in waiting.payload["touches"]]
        found = [one.entry for one in self._writer.store.entries.by_ids(touched).values()]
        subject = subject_key((waiting.payload["draft"] or {}).get("subject", ""))
        # Of several, those about the same subject give way; the others are left for a person to settle.
        gone = [entry for entry in found if len(found) == 1 or (subject and subject_key(entry.subject) == subject)]
        return Against(
            tuple(entry.content for entry in gone), tuple(entry.content for entry in found if entry not in gone)
        )

    def approve(self, name: str, *, text: str = "", scope: Scope | None = None, repository: str = "") -> Outcome:
        """A person accepts it: a statement is stored, in their own words and scope where they give them; any other
        change that an agent wanted is made exactly as it asked."""
        from recollect.flows.writes.approving import Approving  # whoever only looks needs no way to write

        approving = Approving(self._writer, self._strategy)
        return approving.approve(lambda: self.get(name), text=text, scope=scope, repository=repository)

    def reopen(self, name: str) -> Waiting:
        """What a person rejected waits again."""
        with self._writer.store.write():
            waiting = self.get(name)
            if waiting.status != "rejected":
                raise Refused(f"{id_of(waiting)} was not rejected.")
            settle(id_of(waiting), "waiting", self._writer.store)
            self._writer.store.set_home_value(LAST, "")
        return waiting

    def reject(self, name: str) -> Waiting:
        """A person rejects it: it is not offered again."""
        with self._writer.store.write():
            waiting = self.get(name)
            require_waiting(id_of(waiting), waiting.status)
            settle(id_of(waiting), "rejected", self._writer.store)
            name = short_id(id_of(waiting))
            did = f"reject {name}; bring it back with `recollect undo {name}`"
            note_deed(did, self._writer.store, now=self._writer.now)
        return waiting


def may_reword(waiting: Waiting) -> bool:
    """May a person reword it, or say where it holds? Any statement that would be stored here, whoever wants it."""
    return isinstance(waiting, Candidate) or (waiting.action == "store" and bool(waiting.payload.get("draft")))


def settle(name: str, status: str, store: Store) -> None:
    """What becomes of something that waits, or waited."""
    if name.startswith(STAGED):
        store.staged.settle(name, status)
    else:
        store.candidates.settle(name, status)


def note_approved(names: Iterable[str], store: Store, *, since: int) -> None:
    """Note what the newest change, if there is one since then, approved, so that taking it back makes it wait again.
    Needs an open write()."""
    change_id = store.changes.newest()
    if change_id > since:
        store.set_home_value(f"{APPROVED}{change_id}", " ".join(names))


def id_of(waiting: Waiting) -> str:
    """The id of what waits."""
    return waiting.candidate_id if isinstance(waiting, Candidate) else waiting.staged_id


def require_waiting(name: str, status: str) -> None:
    """Refused when it was decided already, or expired."""
    if status != "waiting":
        raise Refused(f"{name} was {status} already." if status != "expired" else f"{name} has expired.")
