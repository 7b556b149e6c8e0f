"""Who writes: what every write needs to know of it."""

from __future__ import annotations

from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.store.store import Store


class Writer(Record):
    """What a write needs: where, who, when, how ids are made, and the limits that hold."""

    store: Store
    actor: str
    now: float
    new_id: Callable[[], str]
    profile_characters: int
    vote_out_downs: int
    here: str = ""  # the repository in which they write
    root: str = ""  # of the files that a person's words in the place of others rest on; empty for everybody else
    may_revive: bool = True  # False: a program that nobody sits at, which brings back nothing that a person took out


def contradiction(repository: str, here: str) -> str:
    """That an entry of a repository contradicts another one, and the command that shows it from here."""
    command = "conflicts" if repository in ("", here) else "conflicts --all"
    return f"It contradicts another entry; see `recollect {command}`."
