"""What waits for a person, counted once for every screen: changes to approve, and suggestions for files."""

from __future__ import annotations

from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.store.store import Store


class Waiting(Record):
    """How much waits, each kind by its name."""

    approvals: int  # what was found or wanted by agents, of every repository, as `recollect pending` lists it
    suggestions: int = 0  # of one repository, as `recollect suggest list` lists them, or of all
    elsewhere: int = 0  # suggestions of the other repositories, where one is meant

    @property
    def total(self) -> int:
        """Both, as `recollect review` goes through them."""
        return self.approvals + self.suggestions

    @property
    def said(self) -> str:
        """`15 to approve, 1 suggestion`; what there is none of is left out."""
        parts = [f"{self.approvals:,} to approve"] if self.approvals else []
        if self.suggestions:
            parts.append(f"{self.suggestions:,} suggestion{'' if self.suggestions == 1 else 's'}")
        return ", ".join(parts) or "nothing"

    @property
    def said_of_all(self) -> str:
        """The same, with what waits in other repositories, so that it adds up to what the panel shows."""
        if not self.elsewhere:
            return self.said
        more = f"{self.elsewhere:,} {'more ' if self.suggestions else ''}suggestion{'' if self.elsewhere == 1 else 's'}"
        return f"{f'{self.said}, ' if self.total else ''}{more} in other repositories"


def approvals(store: Store, *, now: float) -> int:
    """How many changes wait to be approved."""
    return store.candidates.count() + store.staged.count(now=now)


def what_waits(store: Store, *, now: float, repository: str | None) -> Waiting:
    """What waits for a person in this repository; in all of them where none is named."""
    place = repository if repository is None else store.repositories.canonical(repository)
    suggestions, everywhere = store.suggestions.count(repository=place), store.suggestions.count()
    return Waiting(approvals(store, now=now), suggestions, everywhere - suggestions)
