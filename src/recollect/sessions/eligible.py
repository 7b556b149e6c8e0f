"""Which sessions may be learned from, and which of them are due. Pure: time and what is known come in."""

from __future__ import annotations

import fnmatch

from recollect.model.asking import is_asking_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from recollect.model.sessions import Session
    from recollect.settings_table import Memories

HOUR_SECONDS, DAY_SECONDS = 3_600.0, 86_400.0
TEMPORARY = ("/tmp", "/var/tmp", "/private/tmp", "/var/folders", "/private/var/folders")  # noqa: S108 - none is written


def eligible(
    sessions: Iterable[Session],
    *,
    now: float,
    settings: Memories,
    processed: Mapping[str, float] | None = None,
    active: Collection[str] = (),
    exclude: Sequence[str] = (),
    temporary: Sequence[str] = TEMPORARY,
) -> list[Session]:
    """The sessions that are due for extraction, newest first, at most as many as one startup takes.

    `processed` says by session id until when each was processed; `active` are the ids of those that go on."""
    seen = processed or {}
    due = [
        one
        for one in sessions
        if _may_be_extracted(one, exclude, temporary)
        and one.session_id not in active
        and one.native_id not in active
        and last_active(one) > seen.get(one.session_id, 0.0)
        and settings.min_rollout_idle_hours * HOUR_SECONDS <= now - last_active(one)
        and now - last_active(one) <= settings.max_rollout_age_days * DAY_SECONDS
    ]
    due.sort(key=lambda one: (-last_active(one), one.session_id))
    return due[: settings.max_rollouts_per_startup]


def last_active(session: Session) -> float:
    """When something happened in it last."""
    return session.ended or session.started


def kept_out(session: Session, exclude: Sequence[str]) -> str:
    """Why nothing is learned from a session, in a few words; empty when it may be."""
    if session.privacy:
        return "it is private"
    return "its folder is excluded" if is_excluded(session.cwd, exclude) else ""


def is_excluded(path: str, exclude: Sequence[str]) -> bool:
    """Did the user keep this folder, or one above it, out? What we ask a coding agent ourselves is out always."""
    if is_asking_folder(path):
        return True
    if not exclude or not path:
        return False
    parts = path.replace("\\", "/").split("/")
    above = ["/".join(parts[:end]) for end in range(len(parts), 0, -1)]
    return any(fnmatch.fnmatch(folder, glob.rstrip("/")) for folder in above for glob in exclude if folder)


def is_throw_away(session: Session, temporary: Sequence[str] = TEMPORARY) -> bool:
    """Was it held in a temporary folder? A clone there counts as the repository that its remote names."""
    has_remote = session.repository and not session.repository.startswith(("path:", "root:"))
    return not has_remote and any(f"{session.cwd}/".startswith(f"{folder.rstrip('/')}/") for folder in temporary)


def _may_be_extracted(session: Session, exclude: Sequence[str], temporary: Sequence[str]) -> bool:
    # A sub-agent's work is told by whoever started it; a question of our own by nobody.
    own = session.agent or is_asking_folder(session.path)
    return not (own or kept_out(session, exclude) or is_throw_away(session, temporary))
