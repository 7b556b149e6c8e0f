"""The past: importing logs, digesting sessions, listing and showing them."""

from __future__ import annotations

import sys
import time
from itertools import islice

from recollect.errors import Ambiguous, NotFound
from recollect.flows.sessions.checkpoints import latest_checkpoints
from recollect.flows.sessions.digest import Digest, Keeper, digest, keep_recurring
from recollect.flows.sessions.folders import Folders
from recollect.flows.sessions.import_sessions import (
    Counts,
    Importer,
    Log,
    find_logs,
    holds_several,
    is_new,
    log_in_repository,
    logs_of_session,
)
from recollect.flows.sessions.prove import prove
from recollect.flows.upkeep.join_repository import join_repository
from recollect.flows.views.choices import several
from recollect.flows.views.name_repository import place_name
from recollect.hosts.table import reader
from recollect.model.artifacts import FOLDER
from recollect.model.record import Record
from recollect.model.sessions import PRIVATE, Began, Session, Skipped, Turn
from recollect.sessions.commands import checkout_of
from recollect.sessions.eligible import is_excluded, kept_out
from recollect.sessions.vectors import Vectors, fill_vectors
from recollect.text import ids
from recollect.text.cutting import cut_short

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from recollect.flows.opened import Opened
    from recollect.model.entries import Entry
    from recollect.store.checkpoints import StoredCheckpoint

    Progress = Callable[[str, int, int], None]  # what, how much is done, of how much

AIDER = "aider"  # keeps its log in the repository
MOST_RECENT_TURNS = 5_000  # in which recurring orders are looked for
MOST_ABOUT = 500  # sessions that a question is compared with
LONGEST_TITLE = 60  # where a session is named beside something else
MOST_SURVEYED = 500  # sessions of one log that are looked at before the import


class HostFound(Record):
    """What there is of one host on this machine."""

    host: str
    sessions: int
    first: float
    last: float
    bytes: int
    folders: tuple[str, ...]
    more: bool = False  # one of its logs holds more sessions than were counted


class Imported(Record):
    """What an import brought."""

    sessions: int  # without sub-agents
    turns: int
    messages: int
    bytes: int
    seconds: float
    hosts: dict[str, Counts]
    skipped: tuple[Skipped, ...]
    subagents: int = 0  # that these sessions or earlier ones started


class SessionShown(Record):
    """A session with its turns and sub-agents."""

    session: Session
    turns: list[Turn]
    subagents: list[Session]
    kept_out: str = ""  # why nothing is learned from it


def no_progress(what: str, done: int, total: int) -> None:
    """Nobody watches."""


def is_empty_report(text: str) -> bool:
    """Has this report nothing to tell?"""
    from recollect.memory.reports import NOTHING

    return NOTHING in text


class PastSessions:
    """Sessions of every host, as this home knows them."""

    def __init__(self, memory: Opened, *, exclude: Sequence[str] = ()) -> None:
        self._memory = memory
        self._writer = memory.writer("system")
        self._extracts = memory.settings.enabled
        self._store = memory.store
        self._environ = {**memory.environ, "RECOLLECT_HOME": memory.home.root}
        self._exclude = (*memory.settings.exclude, *exclude)
        self._new_id = memory.new_id
        self._folders = Folders(memory)

    def excluding(self, globs: Sequence[str]) -> PastSessions:
        """The same without the folders that these name."""
        return PastSessions(self._memory, exclude=several(globs))

    def latest_checkpoints(self, *, everywhere: bool = False, limit: int = 1) -> list[StoredCheckpoint]:
        """The newest summaries of conversations in this repository or in all, our own and those of hosts."""
        return latest_checkpoints(self._memory, everywhere=everywhere, limit=limit)

    # -- importing

    def logs(self, paths: Sequence[str] = (), *, hosts: Sequence[str] = ()) -> tuple[list[Log], list[Skipped]]:
        """The logs there are, and what was passed over."""
        paths, hosts = several(paths), several(hosts)
        logs, skipped = [], []
        here = [] if paths or (hosts and AIDER not in hosts) else log_in_repository(self._memory.repository)
        for found in (*find_logs(paths, hosts=hosts, environ=self._environ, platform=sys.platform), *here):
            if isinstance(found, Skipped):
                skipped.append(found)
            elif not self.is_excluded(found.path):
                logs.append(found)
        return logs, skipped

    def logs_of(self, host: str, native_id: str, transcript: str = "") -> list[Log]:
        """The logs of one session, with those of its sub-agents."""
        logs = logs_of_session(host, native_id, transcript, environ=self._environ, platform=sys.platform)
        return [log for log in logs if not self.is_excluded(log.path)]

    def survey(self, logs: Sequence[Log]) -> list[HostFound]:
        """What the logs hold, from their first lines: for a person to see before anything is imported."""
        found: dict[str, HostFound] = {}
        for log in logs:
            beginnings = list(islice(_beginnings(log), MOST_SURVEYED + 1))
            everyone = [one for one in beginnings[:MOST_SURVEYED] if not self.is_excluded(one.cwd)]
            began = [one for one in everyone if not one.agent]
            known = found.get(log.host, HostFound(log.host, 0, 0.0, 0.0, 0, ()))
            times = [one.at for one in everyone if one.at] or [log.state.mtime_ns / 1e9]
            found[log.host] = HostFound(
                log.host,
                known.sessions + len(began),
                min([known.first or times[0], *times]),
                max([known.last, *times]),
                known.bytes + log.state.size,
                tuple(dict.fromkeys((*known.folders, *(checkout_of(one.cwd) for one in began if one.cwd)))),
                known.more or len(beginnings) > MOST_SURVEYED,
            )
        return list(found.values())

    def import_logs(
        self,
        logs: Sequence[Log],
        *,
        skipped: Sequence[Skipped] = (),
        native_id: str = "",
        progress: Progress = no_progress,
    ) -> Imported:
        """Bring in what is new in these logs; of logs with many sessions, only the one named."""
        started = time.monotonic()
        importer = Importer(
            self._store,
            repository_of=self._folders.repository_of,
            excluded=self.is_excluded,
            new_id=lambda: self._new_id(ids.SESSION),
            now=self._writer.now,
        )
        for one in skipped:
            importer.skip(one)
        fresh = [log for log in logs if is_new(log, self._store)]
        self._learn_folders([log for log in fresh if not (native_id and holds_several(log.path))])
        total = sum(log.state.size for log in fresh)
        for log in fresh:
            importer.import_log(log, native_id=native_id)
            progress(log.path, importer.bytes, total)
        if fresh:
            self._learn_first_commits()
            self._fill_vectors()
        counts = importer.hosts.values()
        return Imported(
            sum(one.sessions for one in counts),
            sum(one.turns for one in counts),
            sum(one.messages for one in counts),
            importer.bytes,
            time.monotonic() - started,
            importer.hosts,
            tuple(importer.skipped),
            sum(one.subagents for one in counts),
        )

    def _learn_first_commits(self) -> None:
        """Note who the repositories without a remote are: a hook knows by that what git would have to be asked for."""
        for repository in self._folders.met.values():
            join_repository(repository, store=self._store, now=self._writer.now)

    def _fill_vectors(self) -> None:
        """With the extra `semantic`, give new turns their vectors."""
        vectors = Vectors.load()
        if vectors is not None:
            with self._store.write(durable=False):
                fill_vectors(self._store, vectors)

    def _learn_folders(self, logs: Sequence[Log]) -> None:
        """What one log records of a folder holds in the logs that record only the folder."""
        for log in logs:
            for began in _beginnings(log):
                self._folders.learn(began)

    def digest(self, *, progress: Progress = no_progress) -> list[Digest]:
        """Fill the gaps and archive, for all sessions that have grown, oldest first; nothing when switched off."""
        if not self._extracts:
            return []
        waiting = [one for one in self._store.sessions.undigested() if not self.kept_out(one)]
        done = []
        for number, session in enumerate(waiting, 1):
            done.append(self.digest_session(session))
            progress(self._titled(session).title, number, len(waiting))
        if waiting:
            self.look_across({session.repository for session in waiting})
        return done

    def digest_session(self, session: Session) -> Digest:
        """Fill the gaps and archive, for one session; nothing when switched off or kept out."""
        return digest(session, self._keeper()) if self._extracts and not self.kept_out(session) else Digest()

    def look_across(self, repositories: Iterable[str]) -> None:
        """What several sessions say together: orders that recur, and what logs and commits prove."""
        keeper = self._keeper()
        typed = self._store.sessions.typed(limit=MOST_RECENT_TURNS)
        keep_recurring([one for one in typed if not self.kept_out(one[0])], keeper)
        for repository in filter(None, repositories):
            turns = self._store.sessions.recent_turns(repository, limit=MOST_RECENT_TURNS)
            prove(repository, [one for one in turns if not self.kept_out(one[0])], self._writer)

    def _keeper(self) -> Keeper:
        return Keeper(self._writer, lambda: self._new_id(ids.CANDIDATE))

    # -- looking back

    def listed(
        self, *, repository: str | None = None, host: str = "", since: float = 0.0, limit: int = -1
    ) -> list[tuple[Session, int]]:
        """Sessions with their number of turns, newest first."""
        found = self._store.sessions.listed(repository=repository, host=host, since=since, limit=limit, empty=False)
        return [(self._titled(session), turns) for session, turns in found]

    def about(
        self, text: str, *, repository: str | None = None, host: str = "", since: float = 0.0, limit: int | None = 50
    ) -> list[tuple[Session, int]]:
        """Sessions that are about this, the best first, with their number of turns; none that is private."""
        from recollect.flows.turns.recall_turns import recall_sessions

        filters = self._memory.filters(repository)._replace(everywhere=repository is None)
        hits = recall_sessions(text, store=self._store, filters=filters, limit=MOST_ABOUT, now=self._memory.now)
        known = {one.session_id: (one, turns) for one, turns in self.listed(host=host, since=since)}
        return [known[hit.session_id] for hit in hits if hit.session_id in known][:limit]

    def count(self) -> int:
        """How many sessions were imported, without sub-agents."""
        return self._store.sessions.counts().sessions

    def subagent_count(self) -> int:
        """How many sub-agents those sessions started."""
        return self._store.sessions.counts().subagents

    def get(self, name: str) -> Session:
        """A session by id, prefix or the host's own id."""
        return self._store.sessions.get(name)

    def repository_of(self, session_id: str) -> str:
        """The repository of a session; empty when there is none, or no such session."""
        found = self._found(session_id)
        return found.repository if found else ""

    def told_of(self, session_id: str) -> str:
        """A session in a few words: its title and its day; empty when it is not known."""
        found = self._found(session_id)
        if found is None:
            return ""
        day = time.strftime("%Y-%m-%d", time.localtime(found.started)) if found.started else ""
        return ", ".join(filter(None, (cut_short(self._titled(found).title, LONGEST_TITLE), day)))

    def _titled(self, session: Session) -> Session:
        """A session by what was typed first, where its host gave it no title."""
        if session.title:
            return session
        return session._replace(title=" ".join(self._store.sessions.first_typed(session.session_id).split()))

    def _found(self, session_id: str) -> Session | None:
        try:
            return self._store.sessions.get(session_id)
        except (NotFound, Ambiguous):
            return None

    def report(self, *, since: float, until: float, everywhere: bool = False, as_html: bool = False) -> str:
        """What was done here or everywhere, by day and task, as Markdown or HTML."""
        from recollect.memory.reports import report, to_html

        places = {} if everywhere else {"repository": ["", self._memory.repository.repository]}
        found = self._store.entries.listed({"layer": "L2", "status": "active", **places})
        tasks = {task.task_id: task.title for task in self._store.tasks.tasks()}
        entries = [one.entry._replace(repository=place_name(one.entry.repository, self._store)) for one in found]
        text = report(entries, tasks, since=since, until=until)
        return to_html(text) if as_html else text

    def show(self, name: str) -> SessionShown:
        """A session by id, prefix or the host's own id."""
        session = self._titled(self._store.sessions.get(name))
        turns = self._store.sessions.turns(session.session_id)
        return SessionShown(session, turns, self._store.sessions.subagents(session), self.kept_out(session))

    def is_private(self, name: str) -> bool:
        """May nothing be learned from this session? One that is not imported is not private."""
        found = self._found(name)
        return found is not None and bool(found.privacy)

    def set_private(self, name: str, *, private: bool = True) -> tuple[Session, list[Entry]]:
        """Let nothing be learned from a session and its sub-agents from now on, or let it again. Returns it, and what
        was learned from it before."""
        with self._store.write():
            found = self._store.sessions.get(name)
            self._store.sessions.set_privacy(found.session_id, PRIVATE if private else "")
            if private:
                self._take_out(found)
        learned = self._store.entries.listed({"session": found.session_id, "status": "active"})
        return self._store.sessions.get(found.session_id), [one.entry for one in learned]

    def _take_out(self, session: Session) -> None:
        """Nothing of a session stays in the memory of its project. Needs a write()."""
        from recollect.flows.autonomous.due import leave_consolidation

        store = self._store
        for one in (session, *store.sessions.subagents(session)):
            store.extractions.remove(one.session_id)
            store.sessions.forget_answer(one.session_id)
            store.board.remove_learned(one.session_id)
        if session.repository and store.home_value(FOLDER + session.repository):
            leave_consolidation(session.repository, session.cwd, store, forced=True, now=self._memory.now)

    # -- where things belong

    def kept_out(self, session: Session) -> str:
        """Why nothing is learned from a session, in a few words; empty when it may be."""
        return kept_out(session, self._exclude)

    def is_excluded(self, path: str) -> bool:
        """Did the user keep this folder, or one above it, out? What we ask a coding agent ourselves is out always."""
        return is_excluded(path, self._exclude)


def _beginnings(log: Log) -> Iterator[Began]:
    """The sessions that a log begins with; of a log with one session, only its first lines are read."""
    several = holds_several(log.path) or log.path.endswith(".json")
    for event in reader(log.host).read(log.path):
        if isinstance(event, Began):
            yield event
            if not several:
                return
