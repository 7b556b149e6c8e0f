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
    elsewhere: int = 0  # suggestions of other repositories, which the panel and `recollect suggest list --all` show

    @property
    def total(self) -> int:
        """Both, as `recollect review` goes through them."""
        return self.approvals + self.suggestions

    @property
    def said(self) -> str:
        """`15 to approve, 1 suggestion here, 2 suggestions in other repositories`; each only where there are any."""
        parts = [f"{self.approvals:,} to approve"] if self.approvals else []
        if self.suggestions:
            parts.append(_suggestions(self.suggestions) + (" here" if self.elsewhere else ""))
        if self.elsewhere:
            parts.append(f"{_suggestions(self.elsewhere)} in other repositories")
        return ", ".join(parts) or "nothing"


def _suggestions(number: int) -> str:
    return f"{number:,} suggestion{'' if number == 1 else 's'}"


def approvals(store: Store, *, now: float) -> int:
    """How many changes wait to be approved."""
    return store.candidates.count() + store.staged.count(now=now)


def what_waits(store: Store, *, now: float, repository: str | None) -> Waiting:
    """What waits for a person in this repository; in all of them where none is named."""
    place = repository if repository is None else store.repositories.canonical(repository)
    here, everywhere = store.suggestions.count(repository=place), store.suggestions.count()
    return Waiting(approvals(store, now=now), here, everywhere - here)
