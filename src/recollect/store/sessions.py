"""Sessions and turns: stored once however often their log is read, and what has been read of which log."""

from __future__ import annotations

import json

from recollect.errors import Ambiguous, NotFound, require_text
from recollect.model.record import Record
from recollect.model.sessions import COMMITS, Session, ToolUse, Touch, Turn
from recollect.store.checkpoints import Checkpoints
from recollect.store.rows import LAST_CHARACTER, holding, load_list, storable
from recollect.store.statements import CHUNK
from recollect.store.statements import sessions as sql
from recollect.store.turn_vectors import TurnVectors
from recollect.text.ids import SESSION, end_of, mistaken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from recollect.store.database import Database
    from recollect.store.turn_index import TurnIndex


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


class SessionCounts(Record):
    """How much is stored. Whoever says how many sessions there are takes this rule: a sub-agent is not one of them."""

    sessions: int
    subagents: int
    turns: int


BATCH = 500


class KnownTurn(Record):
    """As much of a stored turn as tells whether a log now has more of it."""

    number: int
    ended: float
    characters: int
    vote: int

    def has_grown(self, turn: Turn) -> bool:
        """Is there more in this version than in what is stored?"""
        row = _turn_row(turn)
        return turn.ended > self.ended or len(row[1]) + len(row[2]) + len(row[3]) > self.characters


class Sessions:
    """Everything that was imported."""

    def __init__(self, database: Database, index: TurnIndex) -> None:
        self._database = database
        self.index = index
        self.vectors = TurnVectors(database)
        self.checkpoints = Checkpoints(database)

    def save(self, session: Session) -> str:
        """Add or update a session; returns its id (the one it had already, if it is known)."""
        self._database.run(sql.SAVE, storable(session))
        rows = self._database.rows(sql.ID, (session.host, session.native_id, session.agent))
        session_id = str(rows[0][0])
        if session.parent:
            self._database.run(sql.INHERIT_PRIVACY, (session_id,))
        return session_id

    def set_privacy(self, session_id: str, privacy: str) -> None:
        """Let nothing be learned from a session and all that came of it, or let it again."""
        self._database.run(sql.SET_PRIVACY, (session_id, privacy))

    def private_ids(self) -> set[str]:
        """The ids of all private sessions."""
        return {session_id for (session_id,) in self._database.rows(sql.PRIVATE_IDS)}

    def known_turns(self, session_id: str) -> dict[str, KnownTurn]:
        """What is stored of a session, by record id."""
        rows = self._database.rows(sql.KNOWN_TURNS, (session_id,))
        return {row[0]: KnownTurn._make(row[1:]) for row in rows}

    def elsewhere(self, record_ids: Sequence[str], session_id: str, host: str) -> set[str]:
        """Those of these records that another session of the host has: copies in a resumed or forked log."""
        found: set[str] = set()
        real = [record for record in record_ids if not record.startswith("#")]
        for start in range(0, len(real), 400):
            chunk = real[start : start + 400]
            rows = self._database.rows(sql.elsewhere(chunk), (*chunk, session_id, host))
            found.update(record for (record,) in rows)
        return found

    def add_turns(self, session_id: str, turns: Sequence[Turn], repositories: Sequence[str]) -> None:
        """Store new turns and index them."""
        first = int(self._database.rows(sql.NEWEST_TURN)[0][0]) + 1
        analysed = [self.index.analyse(turn, place) for turn, place in zip(turns, repositories, strict=True)]
        self._database.run_many(
            sql.ADD_TURN,
            [
                (first + n, session_id, repository, touched(turn), *_turn_row(turn), *texts)
                for n, (turn, repository, texts) in enumerate(zip(turns, repositories, analysed, strict=True))
            ],
        )
        self.index.add([(first + n, *texts) for n, texts in enumerate(analysed)])
        if any(turn.compactions for turn in turns):
            self.checkpoints.take_from_turns(session_id)

    def analyse_again(self) -> None:
        """Set anew what the index is to hold of each turn; the index itself is left alone. Needs a write()."""
        last = 0
        while rows := self._database.rows(sql.TURNS_BEHIND, (last, BATCH)):
            fresh = []
            for row, typed, said, printed, repository, *columns in rows:
                texts = self.index.analyse(_turn(columns), repository)
                if texts != (typed, said, printed):
                    fresh.append((*texts, row))
            self._database.run_many(sql.SET_ANALYSED, fresh)
            last = rows[-1][0]

    def replace_turn(self, session_id: str, turn: Turn) -> None:
        """Store a turn again that has grown since; its record id says which."""
        place = storable((session_id, turn.record_id))
        [(turn_row, repository, *old)] = self._database.rows(sql.INDEXED_TURN, place)
        texts = self.index.analyse(turn, repository)
        self.vectors.forget(turn_row)
        self.index.remove([(turn_row, *old)])
        self.index.add([(turn_row, *texts)])
        self._database.run(sql.REPLACE_TURN, (touched(turn), *_turn_row(turn), *texts, turn_row))
        if turn.compactions:
            self.checkpoints.take_from_turns(session_id)

    def set_vote(self, session_id: str, record_id: str, vote: int) -> None:
        """Note how the user voted on the answer of a turn, or that they took the vote back."""
        self._database.run(sql.SET_VOTE, storable((vote, session_id, record_id)))

    def votes(self) -> dict[tuple[str, int], int]:
        """The votes on answers, by session and number of the turn: 1 up, -1 down."""
        return {(session_id, number): vote for session_id, number, vote in self._database.rows(sql.VOTES)}

    def first_typed(self, session_id: str) -> str:
        """How the first typed message of a session begins; empty when none is stored."""
        return "".join(text for (text,) in self._database.rows(sql.FIRST_TYPED, (session_id,)))

    def repository_in(self, folder: str) -> str:
        """The repository of the newest session that began in a folder; empty when none did."""
        rows = self._database.rows(sql.REPOSITORY_IN, storable((folder,)))
        return str(rows[0][0]) if rows else ""

    def get(self, name: str) -> Session:
        """The session with this id, a unique beginning or end of one, or native id."""
        require_text(name, "An id")
        rows = self._database.rows(sql.FIND, (name, name + LAST_CHARACTER, name))
        kind, end = end_of(name)
        if not rows and end:
            rows = self._database.rows(sql.FIND_BY_END, (f"{kind}%{end}",))
        if not rows or not name:
            raise NotFound(
                mistaken(name, SESSION)
                or f"No session has the id {name!r}; `recollect session list --all` shows the latest ones."
            )
        if len(rows) > 1 and name not in (rows[0][0], rows[0][2]):
            raise Ambiguous(f"More than one session matches {name!r}; give more characters.")
        return Session._make(rows[0])

    def of_log(self, path: str, host: str, native_id: str) -> list[Session]:
        """A person's sessions of a host with this id of its own, or read from this log."""
        return [Session._make(row) for row in self._database.rows(sql.OF_LOG, (host, native_id, path))]

    def listed(
        self,
        *,
        repository: str | None = None,
        host: str = "",
        since: float = 0.0,
        limit: int = -1,
        agents: bool = False,
        empty: bool = True,
    ) -> list[tuple[Session, int]]:
        """Sessions with their number of turns, newest first; sub-agents only when asked for. Without `empty`, only
        those that count: something was said in them."""
        statement = sql.listing(repository=repository is not None, host=bool(host), agents=agents, empty=empty)
        places = [value for value in (repository, host or None) if value is not None]
        rows = self._database.rows(statement, (since, *places, limit))
        return [(Session._make(row[:-1]), row[-1]) for row in rows]

    def subagents(self, session: Session) -> list[Session]:
        """The sub-agents that a session started."""
        rows = self._database.rows(sql.SUBAGENTS, (session.host, session.native_id))
        return [Session._make(row) for row in rows]

    def turns(self, session_id: str) -> list[Turn]:
        """The turns of a session, in order."""
        return [_turn(row) for row in self._database.rows(sql.TURNS, (session_id,))]

    def typed(self, *, limit: int, by_mark: str = "") -> list[tuple[Session, str]]:
        """What people typed in their newest turns, not in private, with the session, oldest first; of the host
        `by_mark` only turns with the mark of our own terminal."""
        rows = self._database.rows(sql.TYPED, (by_mark, limit))
        return [(Session._make(row[:-1]), row[-1]) for row in reversed(rows)]

    def recent_turns(self, repository: str, *, limit: int) -> list[tuple[Session, Turn]]:
        """The newest turns of a repository with their sessions, oldest first, sub-agents' included; none that are
        private."""
        rows = self._database.rows(sql.RECENT_TURNS, (repository, limit))
        wide = len(Session._fields)
        return [(Session._make(row[:wide]), _turn(row[wide:])) for row in reversed(rows)]

    def around(self, repositories: Sequence[str], *, since: float, until: float) -> list[Session]:
        """The sessions of these repositories, sub-agents' too, in which something may have happened in this time."""
        rows = self._database.rows(sql.around(repositories), (*repositories, until, since))
        return [Session._make(row) for row in rows]

    def touches(self, session_ids: Sequence[str], names: Sequence[str], *, since: float, until: float) -> list[Touch]:
        """What those turns of these sessions touched that began in this time and touched one of these names."""
        wanted = [f"/{name}/" for name in names]
        found: list[Touch] = []
        for start in range(0, len(session_ids), CHUNK):
            chunk = session_ids[start : start + CHUNK]
            rows = self._database.rows(sql.touches(chunk, len(wanted)), (*chunk, since, until, *wanted))
            found += [Touch(row[0], row[1], row[2], frozenset(filter(None, row[3].split("/")))) for row in rows]
        return found

    def turns_at(self, places: Sequence[tuple[str, int]]) -> list[tuple[str, Turn]]:
        """The turns at these places, session and number, each with its session's id, in the order of their numbers."""
        found: list[tuple[str, Turn]] = []
        for start in range(0, len(places), CHUNK):
            chunk = places[start : start + CHUNK]
            rows = self._database.rows(sql.turns_at(len(chunk)), [part for place in chunk for part in place])
            found += [(row[0], _turn(row[1:])) for row in rows]
        return sorted(found, key=lambda one: (one[0], one[1].number))

    def undigested(self, session_ids: Sequence[str] | None = None) -> list[Session]:
        """People's own sessions, or those of these, that have grown since they were digested, oldest first; none
        that is private."""
        if session_ids is not None and not session_ids:
            return []
        rows = self._database.rows(sql.undigested(session_ids), session_ids or ())
        return [Session._make(row) for row in rows]

    def digested(self, session_id: str) -> tuple[int, float]:
        """How many turns gap-fill and archive have seen, and up to when."""
        [(turns, mark)] = self._database.rows(sql.DIGESTED, (session_id,))
        return turns, mark - 1

    def mark_digested(self, session_id: str) -> None:
        """Gap-fill and archive have seen all that is stored of this session."""
        self._database.run(sql.MARK_DIGESTED, (session_id,))

    def judged(self, session_id: str) -> tuple[int, str]:
        """Up to which turn a model was asked about a session, 0 for not at all; and what it made of it, as JSON."""
        rows = self._database.rows(sql.JUDGED, (session_id,))
        return (rows[0][0], rows[0][1]) if rows else (0, "")

    def set_judged(self, session_id: str, turn: int, judged: str) -> None:
        """A model was asked about a session up to this turn. Needs a write()."""
        self._database.run(sql.SET_JUDGED, (turn, storable([judged])[0], session_id))

    def answer(self, session_id: str) -> str:
        """The answer that is kept about a session, as JSON; empty when there is none."""
        rows = self._database.rows(sql.ANSWER, (session_id,))
        return str(rows[0][0]) if rows else ""

    def keep_answer(self, session_id: str, answer: str) -> None:
        """Keep the answer about a session; none about a private one. Needs a write()."""
        self._database.run(sql.KEEP_ANSWER, (storable([answer])[0], session_id))

    def forget_answer(self, session_id: str) -> None:
        """Nothing is kept of what a model said of this session. Needs a write()."""
        self._database.run(sql.FORGET_ANSWER, (session_id,))

    def erase_answers(self, content: str) -> None:
        """Nothing is kept that says what an erased entry said. Needs a write()."""
        self._database.run(sql.ERASE_ANSWERS, (holding(json.dumps(content, ensure_ascii=False)[1:-1]),))

    def whole(self) -> list[tuple[Session, float, list[tuple[str, Turn]]]]:
        """Everything: each session, when it was digested, and its turns with the repository of each."""
        found = []
        for row in self._database.rows(sql.WHOLE):
            session = Session._make(row[1:])
            turns = self._database.rows(sql.WHOLE_TURNS, (session.session_id,))
            found.append((session, row[0], [(turn[0], _turn(turn[1:])) for turn in turns]))
        return found

    def set_digested(self, session_id: str, digested: float) -> None:
        """What an export says about when a session was digested."""
        self._database.run(sql.SET_DIGESTED, (digested, digested, session_id))

    def counts(self) -> SessionCounts:
        """How many sessions, sub-agents and turns there are."""
        return SessionCounts._make(self._database.rows(sql.COUNTS)[0])

    def hosts(self, since: float = 0.0) -> dict[str, int]:
        """How many of a person's own sessions there are of each host."""
        return dict(self._database.rows(sql.HOSTS, (since, since)))

    def wal_state(self, path: str) -> WalState | None:
        """What was read of a log."""
        rows = self._database.rows(sql.GET_LOG, (path,))
        return WalState._make(rows[0]) if rows else None

    def save_log(self, state: WalState) -> None:
        """Note what was read of a log."""
        self._database.run(sql.SAVE_LOG, state)


def touched(turn: Turn) -> str:
    """The names of the files that a turn changed, and a mark when a command speaks of a commit, between slashes."""
    names: dict[str, None] = {}
    for tool in turn.tools:
        if tool.kind == "change":
            names.update(dict.fromkeys(path.replace("\\", "/").rpartition("/")[2] for path in tool.paths))
        elif tool.kind == "command" and "commit" in tool.target:
            names[COMMITS] = None
    names.pop("", None)
    return f"/{'/'.join(names)}/" if names else ""


def _turn_row(turn: Turn) -> tuple[Any, ...]:
    """The values of sql.TURN."""
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
            turn.mark,
            turn.vote,
        )
    )


def _turn(row: Sequence[Any]) -> Turn:
    values = list(row)
    tools = load_list(values[3])
    values[3] = tuple(ToolUse._make((*tool[:-1], tuple(tool[-1]))) for tool in tools)
    values[10] = tuple(load_list(values[10]))
    return Turn._make(values)
