"""The context board in SQL. Every change needs an open write(), so that nobody counts what somebody else is adding."""

from __future__ import annotations

from recollect.model.board import BoardItem, BoardPlace, Pruned
from recollect.store.rows import storable
from recollect.store.statements import board as sql

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.store.database import Database


class Board:
    """The items of all boards."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def items(self, place: BoardPlace) -> list[BoardItem]:
        """The items of a board: the user's first, then those that were read most."""
        return [BoardItem._make(row) for row in self._database.rows(sql.ITEMS, tuple(place))]

    def all(self) -> list[BoardItem]:
        """Every item of every board."""
        return [BoardItem._make(row) for row in self._database.rows(sql.ALL)]

    def item(self, place: BoardPlace, src: str, name: str) -> BoardItem | None:
        """One item, or None."""
        rows = self._database.rows(sql.ITEM, storable((*place, src, name)))
        return BoardItem._make(rows[0]) if rows else None

    def count(self, place: BoardPlace) -> int:
        """How many items a board has."""
        return int(self._database.rows(sql.COUNT, tuple(place))[0][0])

    def save(self, item: BoardItem) -> None:
        """Add an item, or overwrite the one of its source and name; what was pruned under this name is forgotten."""
        self._database.run(sql.SAVE, storable(item))
        self._database.run(sql.DROP_PRUNED, storable((*item.place, item.name)))

    def note_read(self, item: BoardItem, *, now: float) -> None:
        """Somebody fetched this item."""
        self._database.run(sql.NOTE_READ, storable((now, *item.place, item.src, item.name)))

    def note_seen(self, place: BoardPlace) -> None:
        """A new session was shown this board."""
        self._database.run(sql.NOTE_SEEN, tuple(place))

    def remove(self, item: BoardItem, *, by: str, now: float) -> None:
        """Take an item off its board; that it was there is kept."""
        self._database.run(sql.REMOVE, storable((*item.place, item.src, item.name)))
        self._database.run(sql.KEEP_PRUNED, storable((*item.place, item.name, by, item.content, now)))

    def remove_learned(self, session_id: str) -> None:
        """Take off every board what agents learned in a session; nothing of it is kept."""
        self._database.run(sql.REMOVE_LEARNED, storable((session_id,)))

    def pruned(self, place: BoardPlace) -> list[Pruned]:
        """What was taken off a board."""
        return [Pruned._make(row) for row in self._database.rows(sql.PRUNED, tuple(place))]

    def last_by_user(self, repository: str) -> tuple[float, str] | None:
        """When the user last changed a board of a repository, and the name of the item."""
        rows = self._database.rows(sql.LAST_BY_USER, (repository, repository))
        return (float(rows[0][0]), str(rows[0][1])) if rows else None

    def copied_from(self, place: BoardPlace) -> tuple[str, float] | None:
        """The branch that this board was begun from, empty for none, and when; None when nobody has looked yet."""
        rows = self._database.rows(sql.COPIED, tuple(place))
        return (str(rows[0][0]), float(rows[0][1])) if rows else None

    def copy(self, source: BoardPlace, place: BoardPlace, *, now: float) -> int:
        """Begin a board as a copy of another one, once; returns how many items came."""
        items = self.items(source)
        for item in items:
            fresh = item._replace(branch=place.branch, read_count=0, count=0, last_read=0.0)
            self._database.run(sql.SAVE, storable(fresh))
        self._database.run(sql.COPY_PRUNED, storable((place.branch, *source)))
        self._database.run(sql.NOTE_COPIED, storable((*place, source.branch if items else "", len(items), now)))
        return len(items)
