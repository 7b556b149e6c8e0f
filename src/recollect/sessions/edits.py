"""Which files of a repository the work goes on in: edited most, in most sessions."""

from __future__ import annotations

from recollect.model.record import Record
from recollect.sessions.commands import inside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from recollect.model.sessions import Session, Turn

LEAST_SESSIONS = 2
MOST_FILES = 5


class Edited(Record):
    """A file that was edited again and again."""

    path: str
    times: int
    sessions: int
    last: float


def edited_most(turns: Iterable[tuple[Session, Turn]], roots: Sequence[str]) -> list[Edited]:
    """The files that were edited in most sessions, then most often; one session's file is no habit."""
    counted: dict[str, Edited] = {}
    where: dict[str, set[str]] = {}
    for session, turn in turns:
        for tool in turn.tools:
            if tool.kind != "change" or tool.ok is False:
                continue
            for path in (inside(one, turn.cwd, roots) for one in tool.paths):
                if path:
                    where.setdefault(path, set()).add(session.session_id)
                    known = counted.get(path, Edited(path, 0, 0, 0.0))
                    last = max(known.last, turn.ended)
                    counted[path] = Edited(path, known.times + 1, len(where[path]), last)
    often = [one for one in counted.values() if one.sessions >= LEAST_SESSIONS]
    return sorted(often, key=lambda one: (-one.sessions, -one.times, one.path))[:MOST_FILES]
