"""The context board of one repository and branch: list, get, add, prune. Whoever writes, nobody loses anything."""

from __future__ import annotations

import os

from recollect.board.rendering import FETCH, rendered
from recollect.board.rules import choose, not_found, require_fit, require_room, require_wanted, users_item
from recollect.errors import NotFound, Refused
from recollect.model.board import AGENT, BRANCH, USER, BoardItem, BoardPlace
from recollect.model.record import Record
from recollect.text.clean import clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.flows.opened import Opened


class Added(Record):
    """What became of an item, and how many the board has now."""

    item: BoardItem
    is_new: bool
    items: int


def place_of(memory: Opened, branch: str = "") -> BoardPlace:
    """The board of the folder that was opened: without a repository, of the folder itself; without a branch, of the
    default branch."""
    here = memory.repository
    return BoardPlace(
        here.repository or os.path.abspath(memory.folder), branch or here.branch or here.default_branch or BRANCH
    )


class ContextBoard:
    """One board. A person's items are theirs: an agent overwrites and prunes agents' items only."""

    def __init__(self, memory: Opened, place: BoardPlace | None = None) -> None:
        self._memory = memory
        self._board = memory.store.board
        self.place = place or place_of(memory)

    @property
    def is_on(self) -> bool:
        """Do agents see the board?"""
        return self._memory.settings.enabled and self._memory.settings.subconscious.enabled

    @property
    def has_branches(self) -> bool:
        """Is this folder under git?"""
        return bool(self._memory.repository.branch or self._memory.repository.default_branch)

    def list(self) -> list[BoardItem]:
        """The items: the user's first, then those that were read most."""
        return self._board.items(self.place)

    def begin(self) -> str:
        """Initialise the board of a session that is created or resumed: an empty board of a branch begins as a copy of
        the default branch's, once. Returns the branch that this one was copied from, or nothing."""
        known = self._board.copied_from(self.place)
        if known is not None:
            return known[0]
        source = self.place._replace(branch=self._memory.repository.default_branch or BRANCH)
        if source == self.place or self._board.count(self.place) or not self._board.count(source):
            return ""
        with self._memory.store.write(durable=False, wait_seconds=self._memory.wait_seconds):
            if self._board.copied_from(self.place) is None and not self._board.count(self.place):
                self._board.copy(source, self.place, now=self._memory.now)
        return (self._board.copied_from(self.place) or ("", 0.0))[0]

    def as_begun(self) -> tuple[tuple[BoardItem, ...], str]:
        """The items that a session sees here at its start, and the branch they are or would be copied from."""
        known = self._board.copied_from(self.place)
        items = self.list()
        if items or known is not None:
            return tuple(items), known[0] if known else ""
        source = self.place._replace(branch=self._memory.repository.default_branch or BRANCH)
        copied = self._board.items(source)
        return tuple(copied), source.branch if copied and source != self.place else ""

    def table(self, *, fetch: str = FETCH) -> str:
        """The board as agents see it; empty without items."""
        return rendered(self.list(), fetch=fetch, copied_from=(self._board.copied_from(self.place) or ("",))[0])

    def look(self, name: str, src: str = "") -> BoardItem:
        """One item; that somebody looked is not counted. NotFound when there is none."""
        found = choose(name, src, self.list())
        if found is None:
            raise NotFound(not_found(src or "user or agent", name))
        return found

    def known(self, name: str, src: str) -> BoardItem | None:
        """The item of this source and name, if there is one."""
        return self._board.item(self.place, src, name.strip())

    def get(self, name: str, src: str = "") -> BoardItem:
        """One item, and that it was read. NotFound when there is none."""
        with self._memory.store.write(durable=False):
            found = self.look(name, src)
            self._board.note_read(found, now=self._memory.now)
        return found._replace(read_count=found.read_count + 1, last_read=self._memory.now)

    def add(
        self,
        name: str,
        description: str,
        content: str,
        *,
        src: str = USER,
        origin: str = "",
        made_by: str = "",
        session: str = "",
    ) -> Added:
        """Add an item, or overwrite the one of this source and name. Raises UsageError or Refused with the reason."""
        name, description, content = name.strip(), clean(description).strip(), clean(content).strip()
        require_fit(name, description, content)
        now = self._memory.now
        item = BoardItem(
            *self.place, src, name, description, content, origin=origin or ("typed" if src == USER else "assistant"),
            made_by=made_by or src, session=session, created=now, updated=now,
        )  # fmt: skip
        with self._memory.store.write():
            items = self.list()
            require_room(name, src, items)
            if src == AGENT:
                require_wanted(name, self._board.pruned(self.place))
            self._board.save(item)
            stored = self._board.item(self.place, src, name) or item
            is_new = not any(one.src == src and one.name == name for one in items)
            return Added(stored, is_new, len(items) + is_new)

    def prune(self, name: str, src: str = "", *, by: str = USER) -> BoardItem:
        """Take an item off; an agent takes off agents' items only. Raises NotFound or Refused with the reason."""
        with self._memory.store.write():
            items = self.list()
            found = choose(name, AGENT if by == AGENT else src, items)
            if found is None and by == AGENT and choose(name, USER, items):
                raise Refused(users_item(name))
            if found is None:
                raise NotFound(not_found(AGENT if by == AGENT else src or "user or agent", name))
            self._board.remove(found, by=by, now=self._memory.now)
        return found

    def put_back(self, item: BoardItem) -> None:
        """Undo that a person took an item off, unless there is one of its name again."""
        with self._memory.store.write():
            items = self.list()
            require_fit(item.name, item.description, item.content)
            if choose(item.name, item.src, items):
                raise Refused(f"The board has another {item.name!r} by now; nothing was changed.")
            require_room(item.name, item.src, items)
            self._board.save(item._replace(created=self._memory.now, updated=self._memory.now))
