"""Import sessions: find the logs, read what changed, join it to turns, redact, store. As often as one likes."""

from __future__ import annotations

import os

from recollect.files.git.trees import is_tracked
from recollect.files.logs.other_programs import below, file_state, read_head
from recollect.hosts.aider.logs import FILE_NAME, HOST
from recollect.hosts.table import events_of, kinds, reader, recognise
from recollect.model.asking import is_own_question
from recollect.model.hosts import NAMES
from recollect.model.record import Record
from recollect.model.sessions import Began, Session, Skipped, Titled, Turn
from recollect.sessions.turns import LONGEST_ASSISTANT, LONGEST_TARGET, MARGIN, assemble
from recollect.store.sessions import WalState
from recollect.text.clean import clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from recollect.files.logs.other_programs import FileState
    from recollect.model.repositories import Repository
    from recollect.sessions.turns import Part
    from recollect.store.store import Store

BATCH_TURNS = 200
MOST_SKIPPED = 200  # a report is for reading
LONGEST_OUTPUT = 1_500  # of a tool, as kept
LONGEST_OUTPUTS = 30_000  # of all tools of a turn
GIT_SECONDS = 10.0
SHORT_ID = 16  # a name cut to eight characters can only stand for a longer id


class Log(Record):
    """A log file that may hold something new."""

    path: str
    host: str
    state: FileState


class Counts(Record):
    """How much of a host was brought in."""

    sessions: int = 0
    turns: int = 0
    messages: int = 0
    subagents: int = 0  # not among the sessions


class Importer:
    """One import: counts what it brings and attributes each turn to its repository."""

    def __init__(
        self,
        store: Store,
        *,
        repository_of: Callable[[str, str], str],
        excluded: Callable[[str], bool],
        new_id: Callable[[], str],
        now: float,
    ) -> None:
        self._store = store
        self._repository_of = repository_of
        self._excluded = excluded
        self._new_id = new_id
        self._now = now
        self.hosts: dict[str, Counts] = {}
        self.skipped: list[Skipped] = []
        self.bytes = 0

    def import_log(self, log: Log, *, native_id: str = "") -> None:
        """Read one log, or one session of it, and store what is new; what was stored stays when this is interrupted."""
        broken = 0
        sessions: dict[tuple[str, str], _Open] = {}
        for part in assemble(events_of(log.host, log.path, native_id), kinds(log.host)):
            if isinstance(part, Skipped):
                broken += 1
                self.skip(part)
            elif not self._excluded(part.began.cwd):
                key = (part.began.native_id, part.began.agent)
                self._take(part, sessions.setdefault(key, _Open(part.began, log.path)))
        for session in sessions.values():
            self._flush(session)
        self.bytes += log.state.size
        if native_id and holds_several(log.path):
            return  # the rest of it has not been read
        with self._store.write(durable=False):
            self._store.sessions.save_log(WalState(log.path, log.host, *log.state, broken, self._now))

    def _take(self, part: Part, session: _Open) -> None:
        if session.is_ours or (isinstance(part.item, Turn) and is_own_question(part.item.user)):
            session.is_ours = True
            session.title = ""
        elif isinstance(part.item, Titled):
            session.title = part.item.title
        elif not self._excluded(part.item.cwd):
            session.turns.append(part.item)
            if len(session.turns) >= BATCH_TURNS:
                self._flush(session)

    def skip(self, item: Skipped) -> None:
        """Note what could not be read."""
        if len(self.skipped) < MOST_SKIPPED:
            self.skipped.append(item._replace(why=clean(item.why)))

    def _flush(self, session: _Open) -> None:
        """Store the turns that have come together."""
        if not (session.turns or session.title):
            return
        turns, session.turns = session.turns, []
        sessions = self._store.sessions
        with self._store.write(durable=False):
            session_id = sessions.save(self._session(session, turns))
            fresh = self._fresh(session_id, [cleaned(turn) for turn in turns], session.began.host)
            sessions.add_turns(
                session_id, fresh, [self._repository_of(turn.cwd, session.began.remote) for turn in fresh]
            )
        self._count(session, fresh)

    def _fresh(self, session_id: str, turns: list[Turn], host: str) -> list[Turn]:
        """The turns that are not stored yet, numbered on; a stored one that has grown is stored again."""
        sessions = self._store.sessions
        known = sessions.known_turns(session_id)
        copies = sessions.elsewhere([turn.record_id for turn in turns], session_id, host)
        last = max((stored.number for stored in known.values()), default=0)
        fresh = []
        for turn in turns:
            stored = known.get(turn.record_id)
            if stored is not None:
                if stored.has_grown(turn):
                    sessions.replace_turn(session_id, turn._replace(number=stored.number))
                elif turn.vote != stored.vote:
                    sessions.set_vote(session_id, turn.record_id, turn.vote)
            elif turn.record_id not in copies:
                # A log that was cut at a compaction counts from one again; the session does not.
                last = max(last + 1, turn.number) if turn.number else last
                fresh.append(turn._replace(number=last if turn.number else 0))
        return fresh

    def _session(self, session: _Open, turns: list[Turn]) -> Session:
        began = session.began
        return Session(
            session_id=self._new_id(),
            host=began.host,
            native_id=began.native_id,
            repository=self._repository_of(began.cwd, began.remote),
            cwd=clean(began.cwd),
            branch=clean(began.branch),
            title=clean(session.title or began.title),
            started=began.at or min((turn.at for turn in turns if turn.at), default=0.0),
            ended=max((turn.ended for turn in turns), default=began.at),
            version=clean(began.version),
            model=clean(next((turn.model for turn in reversed(turns) if turn.model), began.model)),
            parent=began.parent,
            agent=clean(began.agent),
            path=session.path,
            mode=began.mode,
        )

    def _count(self, session: _Open, fresh: list[Turn]) -> None:
        counts = self.hosts.get(session.began.host, Counts())
        messages = sum(bool(turn.user) + bool(turn.assistant) for turn in fresh)
        new = bool(fresh) and not session.counted
        session.counted = session.counted or new
        below = new and bool(session.began.agent)
        self.hosts[session.began.host] = Counts(
            counts.sessions + (new and not below),
            counts.turns + len(fresh),
            counts.messages + messages,
            counts.subagents + below,
        )


class _Open:
    """A session that is being read."""

    def __init__(self, began: Began, path: str) -> None:
        self.began = began
        self.path = path
        self.title = ""
        self.turns: list[Turn] = []
        self.counted = False
        self.is_ours = False  # a question that we asked ourselves


def cleaned(turn: Turn) -> Turn:
    """A turn as it may be stored: its texts without secrets and what nobody sees, its tools' output clipped."""
    left = LONGEST_OUTPUTS
    tools = []
    for tool in turn.tools:
        output = clipped(tool.output, min(LONGEST_OUTPUT, left))
        left = max(left - len(output), 0)
        tools.append(
            tool._replace(
                name=clean(tool.name),
                target=clean(tool.target)[:LONGEST_TARGET],
                output=output,
                paths=tuple(map(clean, tool.paths)),
            )
        )
    return turn._replace(
        user=clean(turn.user),
        assistant=clipped(turn.assistant, LONGEST_ASSISTANT),
        tools=tuple(tools),
        model=clean(turn.model),
        cwd=clean(turn.cwd),
        branch=clean(turn.branch),
        compactions=tuple(map(clean, turn.compactions)),
    )


def clipped(text: str, longest: int) -> str:
    """The two ends of a text, cleaned: what was asked for stands at the one, what came of it at the other."""
    if len(text) <= longest:
        return clean(text)
    half = longest // 2
    if not half:
        return ""
    # More of each end is read than is kept: a secret that was cut in half would not be known as one.
    head, tail = clean(text[: half + MARGIN])[:half], clean(text[-half - MARGIN :])[-half:]
    return f"{head}\n[... {len(text) - 2 * half} characters ...]\n{tail}"


def find_logs(
    paths: Sequence[str], *, hosts: Sequence[str], environ: Mapping[str, str], platform: str
) -> Iterator[Log | Skipped]:
    """The logs at these paths, or in every host's own places when there are none."""
    if paths:
        for path in paths:
            for found in below(path):
                yield _log(found, recognise(found, read_head(found)) if not hosts else hosts[0])
        return
    for name in hosts or NAMES:
        host = reader(name)
        for found in host.find(host.places(environ, platform)):
            yield _log(found, name)


def log_in_repository(repository: Repository) -> list[Log | Skipped]:
    """Aider's history at the top of the repository. One that is part of the repository may be anybody's words."""
    path = os.path.join(repository.root, FILE_NAME)
    if not repository.common_directory or not os.path.isfile(path) or os.path.islink(path):
        return []
    if is_tracked(repository.root, FILE_NAME, limit_seconds=GIT_SECONDS) is not False:
        return [
            Skipped(
                path, f"git tracks it, so others may have written it; if it is yours, run `recollect import {path}`"
            )
        ]
    return [_log(path, HOST)]


def logs_of_session(
    host: str, native_id: str, transcript: str, *, environ: Mapping[str, str], platform: str
) -> list[Log]:
    """The logs of one session and its sub-agents: where the host says, else by its id in the host's own places."""
    found = _around(host, native_id, transcript) if transcript and os.path.isfile(transcript) else []
    if not found and native_id and host in NAMES:
        reads = reader(host)
        for path in reads.find(reads.places(environ, platform)):
            if _is_named(path, native_id) or (holds_several(path) and not path.endswith("store.db")):
                found.append(path)
    logs = (_log(path, _whose(path, host)) for path in dict.fromkeys(found))
    return [log for log in logs if isinstance(log, Log)]


def _around(host: str, native_id: str, transcript: str) -> list[str]:
    """The log that the host named, and its sub-agents' in a folder beside it."""
    folder, name = os.path.split(transcript)
    beside = {os.path.join(folder, one) for one in (os.path.splitext(name)[0], native_id, "subagents") if one}
    found = [transcript]
    for place in sorted(beside):
        if os.path.isdir(place) and host in NAMES:
            found += reader(host).find([place])
    return found


def _is_named(path: str, native_id: str) -> bool:
    """Does a path name this session? Gemini's files carry the first eight characters of the id."""
    short = f"-{native_id[:8]}."
    return native_id in path or (len(native_id) >= SHORT_ID and short in os.path.basename(path))


def _whose(path: str, host: str) -> str:
    """The host whose log this is: the one that is said to have written it, when it looks so."""
    head = read_head(path)
    return host if host in NAMES and reader(host).recognises(path, head) else recognise(path, head)


def _log(path: str, host: str) -> Log | Skipped:
    state = file_state(path)
    if state is None:
        return Skipped(path, "it cannot be read")
    if not host:
        return Skipped(path, "not a log of any host")
    return Log(path, host, state)


def holds_several(path: str) -> bool:
    """Is this a log of many sessions, such as a database?"""
    return not path.endswith((".jsonl", ".json", ".zst", ".txt"))


def is_new(log: Log, store: Store) -> bool:
    """Has anything in this log changed since it was read?"""
    known = store.sessions.wal_state(log.path)
    return known is None or (known.size, known.head, known.tail) != (log.state.size, log.state.head, log.state.tail)
