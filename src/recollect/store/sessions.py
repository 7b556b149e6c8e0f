"""Sessions and turns: stored once however often their log is read, and what has been read of which log."""

from __future__ import annotations

import json

from recollect.errors import Ambiguous, NotFound
from recollect.model.record import Record
from recollect.model.sessions import Session, ToolUse, Turn
from recollect.store.rows import LAST_CHARACTER, load_list, storable
from recollect.store.turn_vectors import TurnVectors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from recollect.store.database import Database
    from recollect.store.turn_index import TurnIndex

_SESSION = ", ".join(Session._fields)
_TURN = (
    "number, user_text, assistant_text, tools, at, ended, record_id, model, cwd, branch, compactions, input_tokens, "
    "output_tokens"
)
_UPSERT = f"""
INSERT INTO sessions ({_SESSION}) VALUES ({", ".join("?" * len(Session._fields))})
ON CONFLICT (host, native_id, agent) DO UPDATE SET
  title = CASE WHEN excluded.title <> '' THEN excluded.title ELSE sessions.title END,
  repository = CASE WHEN excluded.repository <> '' THEN excluded.repository ELSE sessions.repository END,
  cwd = CASE WHEN sessions.cwd <> '' THEN sessions.cwd ELSE excluded.cwd END,
  branch = CASE WHEN sessions.branch <> '' THEN sessions.branch ELSE excluded.branch END,
  started = CASE WHEN sessions.started > 0 AND sessions.started <= excluded.started
                 THEN sessions.started ELSE excluded.started END,
  ended = CASE WHEN sessions.ended > excluded.ended THEN sessions.ended ELSE excluded.ended END,
  version = excluded.version, model = excluded.model, parent = excluded.parent, path = excluded.path"""


class WalState(Record):
    """A log file as it was when it was read."""

    path: str
    host: str
    inode: int
    size: int
    mtime_ns: int
    head: str  # hash of its first bytes
    tail: str  # hash of its last bytes
    skipped: int = 0
    imported: float = 0.0


class KnownTurn(Record):
    """As much of a stored turn as tells whether a log now has more of it."""

    turn_row: int
    number: int
    ended: float
    characters: int

    def has_grown(self, turn: Turn) -> bool:
        """Is there more in this version than in what is stored?"""
        row = _turn_row(turn)
        return turn.ended > self.ended or len(row[1]) + len(row[2]) + len(row[3]) > self.characters


class StoredTurn(Record):
    """A turn with its row and session."""

    turn_row: int
    session_row: int
    turn: Turn


class Sessions:
    """Everything that was imported."""

    def __init__(self, database: Database, index: TurnIndex) -> None:
        self._database = database
        self.index = index
        self.vectors = TurnVectors(database)

    def save(self, session: Session) -> tuple[int, str]:
        """Add or update a session; returns its row and its id (the one it had already, if it is known)."""
        self._database.run(_UPSERT, storable(session))
        rows = self._database.rows(
            "SELECT session_row, session_id FROM sessions WHERE host = ? AND native_id = ? AND agent = ?",
            (session.host, session.native_id, session.agent),
        )
        return rows[0][0], rows[0][1]

    def known_turns(self, session_row: int) -> dict[str, KnownTurn]:
        """What is stored of a session, by record id."""
        rows = self._database.rows(
            "SELECT record_id, turn_row, number, ended, length(user_text) + length(assistant_text) + length(tools) "
            "FROM turns WHERE session_row = ?",
            (session_row,),
        )
        return {row[0]: KnownTurn._make(row[1:]) for row in rows}

    def elsewhere(self, record_ids: Sequence[str], session_row: int, host: str) -> set[str]:
        """Those of these records that another session of the host has: copies in a resumed or forked log."""
        found: set[str] = set()
        real = [record for record in record_ids if not record.startswith("#")]
        for start in range(0, len(real), 400):
            chunk = real[start : start + 400]
            rows = self._database.rows(
                "SELECT t.record_id FROM turns AS t JOIN sessions AS s USING (session_row) "
                f"WHERE t.record_id IN ({','.join('?' * len(chunk))}) AND t.session_row <> ? AND s.host = ?",
                (*chunk, session_row, host),
            )
            found.update(record for (record,) in rows)
        return found

    def add_turns(self, session_row: int, turns: Sequence[Turn], repositories: Sequence[str]) -> None:
        """Store new turns and index them."""
        first = int(self._database.rows("SELECT coalesce(max(turn_row), 0) FROM turns")[0][0]) + 1
        analysed = [self.index.analyse(turn, place) for turn, place in zip(turns, repositories, strict=True)]
        self._database.run_many(
            f"INSERT INTO turns (turn_row, session_row, repository, {_TURN}, user_analysed, assistant_analysed, "
            f"tools_analysed) VALUES ({', '.join('?' * 19)})",
            [
                (first + n, session_row, repository, *_turn_row(turn), *texts)
                for n, (turn, repository, texts) in enumerate(zip(turns, repositories, analysed, strict=True))
            ],
        )
        self.index.add([(first + n, *texts) for n, texts in enumerate(analysed)])

    def replace_turn(self, turn_row: int, turn: Turn) -> None:
        """Store a turn again that has grown since."""
        [(repository, *old)] = self._database.rows(
            "SELECT repository, user_analysed, assistant_analysed, tools_analysed FROM turns WHERE turn_row = ?",
            (turn_row,),
        )
        texts = self.index.analyse(turn, repository)
        self.vectors.forget(turn_row)
        self.index.remove([(turn_row, *old)])
        self.index.add([(turn_row, *texts)])
        names = [f"{name} = ?" for name in _TURN.split(", ")]
        names += ["user_analysed = ?", "assistant_analysed = ?", "tools_analysed = ?"]
        self._database.run(
            f"UPDATE turns SET {', '.join(names)} WHERE turn_row = ?", (*_turn_row(turn), *texts, turn_row)
        )

    def get(self, name: str) -> tuple[int, Session]:
        """The session with this id, unique prefix of one, or native id."""
        rows = self._database.rows(
            f"SELECT session_row, {_SESSION} FROM sessions WHERE (session_id >= ? AND session_id < ?) OR native_id = ? "
            "ORDER BY agent, session_row LIMIT 3",
            (name, name + LAST_CHARACTER, name),
        )
        if not rows or not name:
            raise NotFound(f"No session has the id {name!r}; `recollect session list` shows what there is.")
        if len(rows) > 1 and name not in (rows[0][1], rows[0][3]):
            raise Ambiguous(f"More than one session starts with {name!r}; give more characters.")
        return rows[0][0], Session._make(rows[0][1:])

    def of_log(self, path: str, host: str, native_id: str) -> list[tuple[int, Session]]:
        """A person's sessions of a host with this id of its own, or read from this log."""
        rows = self._database.rows(
            f"SELECT session_row, {_SESSION} FROM sessions WHERE host = ? AND agent = '' "
            "AND (native_id = ? OR (path = ? AND path <> '')) ORDER BY session_row",
            (host, native_id, path),
        )
        return [(row[0], Session._make(row[1:])) for row in rows]

    def listed(
        self,
        *,
        repository: str | None = None,
        host: str = "",
        since: float = 0.0,
        limit: int = -1,
        agents: bool = False,
    ) -> list[tuple[Session, int]]:
        """Sessions with their number of turns, newest first; sub-agents only when asked for."""
        conditions, values = ["s.started >= ?"], [since]
        for name, value in (("s.repository", repository), ("s.host", host or None)):
            if value is not None:
                conditions.append(f"{name} = ?")
                values.append(value)  # type: ignore[arg-type]
        if not agents:
            conditions.append("s.agent = ''")
        columns = ", ".join(f"s.{name}" for name in Session._fields)
        rows = self._database.rows(
            f"SELECT {columns}, (SELECT count(*) FROM turns AS t WHERE t.session_row = s.session_row AND t.number > 0) "
            f"FROM sessions AS s WHERE {' AND '.join(conditions)} ORDER BY s.started DESC, s.session_row DESC"
            + (f" LIMIT {limit}" if limit >= 0 else ""),
            values,
        )
        return [(Session._make(row[:-1]), row[-1]) for row in rows]

    def subagents(self, session: Session) -> list[Session]:
        """The sub-agents that a session started."""
        rows = self._database.rows(
            f"SELECT {_SESSION} FROM sessions WHERE host = ? AND parent = ? AND agent <> '' ORDER BY started",
            (session.host, session.native_id),
        )
        return [Session._make(row) for row in rows]

    def turns(self, session_row: int) -> list[StoredTurn]:
        """The turns of a session, in order."""
        rows = self._database.rows(
            f"SELECT turn_row, session_row, {_TURN} FROM turns WHERE session_row = ? ORDER BY number, turn_row",
            (session_row,),
        )
        return [_stored(row) for row in rows]

    def typed(self, *, limit: int) -> list[tuple[Session, str]]:
        """What people typed in their newest turns, with the session, oldest first."""
        columns = ", ".join(f"s.{name}" for name in Session._fields)
        rows = self._database.rows(
            f"SELECT {columns}, t.user_text FROM turns AS t JOIN sessions AS s USING (session_row) "
            "WHERE s.agent = '' AND t.user_text <> '' ORDER BY t.at DESC, t.turn_row DESC LIMIT ?",
            (limit,),
        )
        return [(Session._make(row[:-1]), row[-1]) for row in reversed(rows)]

    def recent_turns(self, repository: str, *, limit: int) -> list[Turn]:
        """The newest turns of a repository, oldest first, sub-agents' included."""
        rows = self._database.rows(
            f"SELECT turn_row, session_row, {_TURN} FROM turns WHERE repository = ? ORDER BY turn_row DESC LIMIT ?",
            (repository, limit),
        )
        return [_stored(row).turn for row in reversed(rows)]

    def undigested(self, session_rows: Sequence[int] | None = None) -> list[tuple[int, Session]]:
        """People's own sessions, or those of these, that have grown since they were digested, oldest first."""
        if session_rows is not None and not session_rows:
            return []
        among = "" if session_rows is None else f"session_row IN ({','.join('?' * len(session_rows))}) AND "
        rows = self._database.rows(
            f"SELECT session_row, {_SESSION} FROM sessions WHERE {among}agent = '' AND (digested < "
            "(SELECT coalesce(max(t.ended), 0) + 1 FROM turns AS t WHERE t.session_row = sessions.session_row) "
            "OR digested_turns < (SELECT count(*) FROM turns AS t WHERE t.session_row = sessions.session_row)) "
            "AND EXISTS (SELECT 1 FROM turns AS t WHERE t.session_row = sessions.session_row) ORDER BY started",
            session_rows or (),
        )
        return [(row[0], Session._make(row[1:])) for row in rows]

    def digested(self, session_row: int) -> tuple[int, float]:
        """How many turns gap-fill and archive have seen, and up to when."""
        [(turns, mark)] = self._database.rows(
            "SELECT digested_turns, digested FROM sessions WHERE session_row = ?", (session_row,)
        )
        return turns, mark - 1

    def mark_digested(self, session_row: int) -> None:
        """Gap-fill and archive have seen all that is stored of this session."""
        self._database.run(
            "UPDATE sessions SET (digested, digested_turns) = (SELECT coalesce(max(t.ended), 0) + 1, count(*) "
            "FROM turns AS t WHERE t.session_row = sessions.session_row) WHERE session_row = ?",
            (session_row,),
        )

    def whole(self) -> list[tuple[Session, float, list[tuple[str, Turn]]]]:
        """Everything: each session, when it was digested, and its turns with the repository of each."""
        columns = ", ".join(f"s.{name}" for name in Session._fields)
        found = []
        for row in self._database.rows(f"SELECT s.session_row, s.digested, {columns} FROM sessions AS s ORDER BY 1"):
            turns = self._database.rows(
                f"SELECT repository, turn_row, session_row, {_TURN} FROM turns WHERE session_row = ? ORDER BY turn_row",
                (row[0],),
            )
            found.append((Session._make(row[2:]), row[1], [(turn[0], _stored(turn[1:]).turn) for turn in turns]))
        return found

    def set_digested(self, session_row: int, digested: float) -> None:
        """What an export says about when a session was digested."""
        self._database.run(
            "UPDATE sessions SET digested = ?, digested_turns = CASE WHEN ? > 0 THEN (SELECT count(*) FROM turns AS t "
            "WHERE t.session_row = sessions.session_row) ELSE 0 END WHERE session_row = ?",
            (digested, digested, session_row),
        )

    def counts(self) -> tuple[int, int]:
        """How many sessions and turns there are."""
        row = self._database.rows("SELECT (SELECT count(*) FROM sessions), (SELECT count(*) FROM turns)")[0]
        return row[0], row[1]

    def hosts(self) -> dict[str, int]:
        """How many of a person's own sessions there are of each host."""
        return dict(self._database.rows("SELECT host, count(*) FROM sessions WHERE agent = '' GROUP BY host"))

    def wal_state(self, path: str) -> WalState | None:
        """What was read of a log."""
        rows = self._database.rows(f"SELECT {', '.join(WalState._fields)} FROM logs WHERE path = ?", (path,))
        return WalState._make(rows[0]) if rows else None

    def save_log(self, state: WalState) -> None:
        """Note what was read of a log."""
        fields = WalState._fields
        self._database.run(
            f"INSERT INTO logs ({', '.join(fields)}) VALUES ({', '.join('?' * len(fields))}) ON CONFLICT (path) "
            f"DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in fields[1:])}",
            state,
        )


def _turn_row(turn: Turn) -> tuple[Any, ...]:
    """The columns of _TURN."""
    tools = json.dumps([tuple(tool) for tool in turn.tools], ensure_ascii=False) if turn.tools else ""
    compactions = json.dumps(turn.compactions, ensure_ascii=False) if turn.compactions else ""
    return storable(
        (
            turn.number,
            turn.user,
            turn.assistant,
            tools,
            turn.at,
            turn.ended,
            turn.record_id,
            turn.model,
            turn.cwd,
            turn.branch,
            compactions,
            turn.input_tokens,
            turn.output_tokens,
        )
    )


def _stored(row: Sequence[Any]) -> StoredTurn:
    values = list(row[2:])
    tools = load_list(values[3])
    values[3] = tuple(ToolUse._make((*tool[:-1], tuple(tool[-1]))) for tool in tools)
    values[10] = tuple(load_list(values[10]))
    return StoredTurn(row[0], row[1], Turn._make(values))
