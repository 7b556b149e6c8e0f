"""Sessions of our own: begun, opened, taken up again, listed and shown like those of any host."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.errors import UsageError
from recollect.files.workspaces import Workspace, find, listed
from recollect.flows.sessions.kept_log import TEXTS, nobody_keeps
from recollect.flows.sessions.own_session import OwnSession, nobody_asks
from recollect.flows.sessions.past_sessions import SessionShown
from recollect.hosts.recollect.logs import HOST, kind_of, read
from recollect.model.sessions import DETACHED, Session, Skipped, Turn
from recollect.sessions import events
from recollect.sessions.replay import count_turns
from recollect.sessions.timeline import timeline
from recollect.sessions.turns import assemble
from recollect.text import ids
from recollect.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.flows.compaction.model_windows import ModelWindows
    from recollect.flows.sessions.kept_log import KeepCheckpoints
    from recollect.flows.sessions.own_session import Offer
    from recollect.sessions.timeline import Happening
    from recollect.settings import Settings


class OwnSessions:
    """The sessions that this home keeps itself."""

    def __init__(
        self,
        root: str,
        *,
        clock: Callable[[], float],
        new_id: Callable[[str], str],
        offer: Offer = nobody_asks,
        settings: Settings | None = None,
        windows: ModelWindows | None = None,
        keep: KeepCheckpoints = nobody_keeps,
    ) -> None:
        self._settings = settings
        self._windows = windows
        self._keep = keep
        self._root = root
        self._offer = offer
        self._clock = clock
        self._new_id = new_id

    def create(
        self,
        *,
        session_id: str = "",
        cwd: str = "",
        repository: str = "",
        branch: str = "",
        model: str = "",
        title: str = "",
        parent: str = "",
        agent: str = "",
        detached: bool = False,
    ) -> OwnSession:
        """Begin a session. One that another started names it as its `parent`: it is a sub-agent's.

        `agent` is the agent that runs in it; a detached session goes on when whoever started it has ended.
        """
        session_id = session_id or self._new_id(ids.SESSION)
        if session_id in listed(self._root):
            raise UsageError(f"There is a session {session_id} already; resume it.")
        session = self._session(session_id)
        session.workspace.make()
        began = events.start(
            session_id,
            version=__version__,
            cwd=cwd,
            repository=repository,
            branch=branch,
            model=model,
            parent=parent,
            agent=agent,
            detached=detached,
        )
        session.record(began)
        if title:
            session.rename(title)
        session.load()
        return session

    def open(self, name: str) -> OwnSession:
        """A session by its id or unique beginning of it, mended where a crash left it broken."""
        session = self._session(find(self._root, name))
        session.workspace.make()
        session.load()
        return session

    def resume(self, name: str, *, cwd: str = "") -> OwnSession:
        """Go on with a session."""
        session = self.open(name)
        session.record(events.resume(session.event_count, cwd=cwd))
        return session

    def listed(
        self, *, repository: str | None = None, since: float = 0.0, agents: bool = False
    ) -> list[tuple[Session, int]]:
        """Sessions with their number of turns, newest first; those of sub-agents only when asked for, and no chat that
        was opened and left without a word."""
        found = [self._summary(session_id) for session_id in listed(self._root)]
        wanted = [
            one
            for one in found
            if one.started >= since and repository in (None, one.repository) and (agents or not one.parent)
        ]
        counted = [(one, self._turns(one)) for one in sorted(wanted, key=lambda one: one.started, reverse=True)]
        return [(one, turns) for one, turns in counted if turns or one.title or one.parent]

    def find(self, name: str) -> str:
        """The id of the session that an id or a unique beginning of one names."""
        return find(self._root, name)

    def show(self, name: str) -> SessionShown:
        """A session with the turns of the conversation as it stands."""
        session = self.open(name)
        return SessionShown(session_of(session), turns_of(session), self._subagents(session.session_id))

    def timeline(self, name: str) -> list[Happening]:
        """All that happened in a session."""
        return list(timeline(self.open(name).events()))

    def _session(self, session_id: str) -> OwnSession:
        return OwnSession(
            Workspace(self._root, session_id),
            clock=self._clock,
            new_id=self._new_id,
            offer=self._offer,
            settings=self._settings,
            windows=self._windows,
            keep=self._keep,
        )

    def _subagents(self, session_id: str) -> list[Session]:
        found = [self._summary(one) for one in listed(self._root)]
        return sorted((one for one in found if one.parent == session_id), key=lambda one: one.started)

    def _summary(self, session_id: str) -> Session:
        """The session as workspace.yaml tells of it."""
        workspace = Workspace(self._root, session_id)
        fields = workspace.fields()
        known = {name: value for name in TEXTS if isinstance(value := fields.get(name, ""), str)}
        return Session(
            session_id,
            HOST,
            session_id,
            started=events.seconds(fields.get("created_at")),
            ended=0.0,
            path=workspace.log.path,
            mode=DETACHED if fields.get("detached") is True else "",
            **known,
        )

    def _turns(self, session: Session) -> int:
        lines, _ = Workspace(self._root, session.session_id).log.read()
        return count_turns(lines)


def turns_of(session: OwnSession) -> list[Turn]:
    """The turns of the conversation as it stands, also those that a compaction has replaced."""
    parts = assemble(read(session.workspace.log.path), kind_of)
    return [part.item for part in parts if not isinstance(part, Skipped) and isinstance(part.item, Turn)]


def session_of(session: OwnSession) -> Session:
    """The session as those of any host are told."""
    about = session.about
    return Session(
        session.session_id,
        HOST,
        session.session_id,
        started=float(about.get("started", 0.0)),
        ended=float(about.get("ended", 0.0)),
        path=session.workspace.log.path,
        mode=DETACHED if about.get("detached") else "",
        **{name: str(about.get(name) or "") for name in TEXTS},
    )
