"""A repository under another name: all that tables keep for it goes along. Entries go through their own trail."""

from __future__ import annotations

import json

from recollect.model.board import CAPACITY, BoardPlace
from recollect.store.board import Board
from recollect.store.rows import storable
from recollect.store.statements import CHUNK, board
from recollect.store.statements import moves as sql
from recollect.store.turn_index import TurnIndex, repository_mark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.store.database import Database


def move_repository(database: Database, old: str, new: str) -> None:
    """Carry tasks, projects, sessions, receipts and what waits over to a repository's new name. Needs a write()."""
    for rename in sql.RENAME:
        database.run(rename, (new, old))
    _move_boards(database, old, new)
    _move_turns(database, old, new)
    _move_candidates(database, old, new)
    database.run(sql.MOVE_SUGGESTIONS, (new, old))
    for staged_id, payload in database.rows(sql.STAGED, (old,)):
        values = (new, _renamed(payload, old, new), staged_id)
        database.run(sql.MOVE_STAGED, values)


def _move_boards(database: Database, old: str, new: str) -> None:
    """As many items as there is room for, the user's first; an item that the new name has already stays as it is."""
    boards = Board(database)
    for (branch,) in database.rows(board.BRANCHES, (old,)):
        here, there = BoardPlace(old, branch), BoardPlace(new, branch)
        known = {(one.src, one.name) for one in boards.items(there)}
        moving = [one for one in boards.items(here) if (one.src, one.name) not in known]
        for one in moving[: CAPACITY - len(known)]:
            database.run(board.MOVE, storable((new, *here, one.src, one.name)))
    for move in (board.MOVE_PRUNED, board.MOVE_COPIED):
        database.run(move, (new, old, new))


def _move_turns(database: Database, old: str, new: str) -> None:
    """Turns carry a mark of their repository in the index."""
    index = TurnIndex(database)
    before, after = repository_mark(old), repository_mark(new)
    while rows := database.rows(sql.TURNS, (old, CHUNK)):
        fresh = [(row, _marked(typed, before, after), *rest) for row, typed, *rest in rows]
        index.remove(rows)
        index.add(fresh)
        database.run_many(sql.MOVE_TURN, [(new, typed, row) for row, typed, *_ in fresh])


def _marked(analysed: str, before: str, after: str) -> str:
    return " ".join(after if term == before else term for term in analysed.split())


def _move_candidates(database: Database, old: str, new: str) -> None:
    known = set(database.rows(sql.KNOWN_CANDIDATES, (new,)))
    for candidate_id, kind, key, draft in database.rows(sql.CANDIDATES, (old,)):
        if (kind, key) not in known:
            values = (new, _renamed(draft, old, new), candidate_id)
            database.run(sql.MOVE_CANDIDATE, values)


def _renamed(text: str, old: str, new: str) -> str:
    """JSON in which every field `repository` that held the old name holds the new one."""

    def renamed(fields: dict[str, object]) -> dict[str, object]:
        return {**fields, "repository": new} if fields.get("repository") == old else fields

    return json.dumps(json.loads(text, object_hook=renamed), ensure_ascii=False)
