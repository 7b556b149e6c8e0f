"""The context board: short items that are worth knowing in one repository and on one branch."""

from __future__ import annotations

from recollect.model.record import Record

USER, AGENT = "user", "agent"
SOURCES = (USER, AGENT)
CAPACITY = 25  # items of a board
BRANCH = "main"  # where nothing says which branch it is


class BoardPlace(Record):
    """Which board: a repository, or a folder where there is none, and a branch."""

    repository: str
    branch: str


class BoardItem(Record):
    """One item. Its metadata is shown at once; its content only to whoever fetches it."""

    repository: str
    branch: str
    src: str  # user | agent
    name: str
    description: str
    content: str
    read_count: int = 0  # how often it was fetched
    count: int = 0  # type: ignore[assignment]  # how many new sessions were shown the board while it was on it
    origin: str = "assistant"  # what it rests on: typed | assistant | tool | document
    made_by: str = ""  # user, rules, or the agent
    session: str = ""  # in which it was learned
    created: float = 0.0
    updated: float = 0.0
    last_read: float = 0.0

    @property
    def place(self) -> BoardPlace:
        """The board that it is on."""
        return BoardPlace(self.repository, self.branch)


class Pruned(Record):
    """What remains of an item that was taken off a board, so that it does not come back by itself."""

    name: str
    pruned_by: str  # user | agent
    content: str
    at: float
