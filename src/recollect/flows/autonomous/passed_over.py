"""Why a project has no memory: which of its sessions are not read, and which were read and left nothing."""

from __future__ import annotations

from collections import Counter

from recollect.flows.autonomous.due import input_version
from recollect.model.jobs import EXTRACT
from recollect.sessions.eligible import is_excluded, is_throw_away

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.flows.opened import Opened
    from recollect.model.sessions import Session

REBUILD = "Run `recollect memory rebuild --now`."


def passed_over(repository: str, memory: Opened) -> dict[str, int]:
    """How many sessions of a repository are never read, by the reason."""
    reasons = (_reason(session, memory) for session, _ in memory.store.sessions.listed(repository=repository))
    return dict(Counter(reason for reason in reasons if reason).most_common())


def why_empty(repository: str, memory: Opened) -> str:
    """Why nothing is written about a repository, and what to do; in sentences."""
    if not repository:
        return "This folder is not in a repository, so it has no project memory."
    sessions = [session for session, _ in memory.store.sessions.listed(repository=repository)]
    if not sessions:
        return "There is no session of this repository yet; `recollect up` reads those of your agents."
    left = [session for session in sessions if not _reason(session, memory)]
    told = []
    if skipped := passed_over(repository, memory):
        why = ", ".join(f"{number:,} {reason}" for reason, number in skipped.items())
        told.append(f"{_counted(sum(skipped.values()))} skipped: {why}.")
    cleared = memory.store.extractions.cleared()
    read = [one for one in left if one.session_id not in cleared and _is_read(one, memory)]
    if read:
        told.append(f"{_counted(len(read))} read and left nothing lasting.")
    return " ".join([*told, REBUILD] if len(read) < len(left) else told)


def _is_read(session: Session, memory: Opened) -> bool:
    return memory.store.jobs.watermark(EXTRACT, session.session_id) >= input_version(session)


def _reason(session: Session, memory: Opened) -> str:
    if session.privacy:
        return "private"
    if is_excluded(session.cwd, memory.settings.exclude):
        return "in an excluded folder"
    return "in a temporary folder" if is_throw_away(session) else ""


def _counted(number: int) -> str:
    return "1 session was" if number == 1 else f"{number:,} sessions were"
