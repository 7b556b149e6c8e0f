"""A repository under another name: all that tables keep for it goes along. Entries go through their own trail."""

from __future__ import annotations

import json

from recollect.store.turn_index import TurnIndex, repository_mark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.store.database import Database

_NAMED = ("tasks", "projects", "sessions", "announcements", "receipts")
_CHUNK = 400


def move_repository(database: Database, old: str, new: str) -> None:
    """Carry tasks, projects, sessions, receipts and what waits over to a repository's new name. Needs a write()."""
    for table in _NAMED:
        database.run(f"UPDATE {table} SET repository = ? WHERE repository = ?", (new, old))
    _move_turns(database, old, new)
    _move_candidates(database, old, new)
    for staged_id, payload in database.rows("SELECT staged_id, payload FROM staged WHERE repository = ?", (old,)):
        values = (new, _renamed(payload, old, new), staged_id)
        database.run("UPDATE staged SET repository = ?, payload = ? WHERE staged_id = ?", values)


def _move_turns(database: Database, old: str, new: str) -> None:
    """Turns carry a mark of their repository in the index."""
    index = TurnIndex(database)
    before, after = repository_mark(old), repository_mark(new)
    columns = "turn_row, user_analysed, assistant_analysed, tools_analysed"
    while rows := database.rows(f"SELECT {columns} FROM turns WHERE repository = ? LIMIT {_CHUNK}", (old,)):
        fresh = [(row, _marked(typed, before, after), *rest) for row, typed, *rest in rows]
        index.remove(rows)
        index.add(fresh)
        database.run_many(
            "UPDATE turns SET repository = ?, user_analysed = ? WHERE turn_row = ?",
            [(new, typed, row) for row, typed, *_ in fresh],
        )


def _marked(analysed: str, before: str, after: str) -> str:
    return " ".join(after if term == before else term for term in analysed.split())


def _move_candidates(database: Database, old: str, new: str) -> None:
    known = set(database.rows("SELECT kind, statement_key FROM candidates WHERE repository = ?", (new,)))
    rows = database.rows("SELECT candidate_id, kind, statement_key, draft FROM candidates WHERE repository = ?", (old,))
    for candidate_id, kind, key, draft in rows:
        if (kind, key) not in known:
            values = (new, _renamed(draft, old, new), candidate_id)
            database.run("UPDATE candidates SET repository = ?, draft = ? WHERE candidate_id = ?", values)


def _renamed(text: str, old: str, new: str) -> str:
    """JSON in which every field `repository` that held the old name holds the new one."""

    def renamed(fields: dict[str, object]) -> dict[str, object]:
        return {**fields, "repository": new} if fields.get("repository") == old else fields

    return json.dumps(json.loads(text, object_hook=renamed), ensure_ascii=False)
