"""Statements on sessions, turns and logs."""

from __future__ import annotations

from recollect.model.sessions import Session
from recollect.store.statements import all_of, ends_with, listed, marks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# The columns of a turn, in the order of its values.
TURN = (
    "number", "user_text", "assistant_text", "tools", "at", "ended", "record_id", "model", "cwd", "branch",
    "compactions", "input_tokens", "output_tokens", "mark", "vote",
)  # fmt: skip
# What the index holds of a turn.
_ANALYSED = ("user_analysed", "assistant_analysed", "tools_analysed")
# The columns of a log, in the order of its values.
LOG = ("path", "host", "inode", "size", "mtime_ns", "head", "tail", "skipped", "imported")
_OWN_TURNS = "FROM turns AS t WHERE t.session_id = sessions.session_id"
_SESSION = f"SELECT {listed(Session._fields)} FROM sessions"
_TURNS = f"SELECT {listed(TURN)} FROM turns"

# Add a session, or what is new about one that is known.
SAVE = f"""
INSERT INTO sessions ({listed(Session._fields)}) VALUES ({marks(len(Session._fields))})
ON CONFLICT (host, native_id, agent, tenant) DO UPDATE SET
  title = CASE WHEN excluded.title <> '' THEN excluded.title ELSE sessions.title END,
  repository = CASE WHEN excluded.repository <> '' THEN excluded.repository ELSE sessions.repository END,
  cwd = CASE WHEN sessions.cwd <> '' THEN sessions.cwd ELSE excluded.cwd END,
  branch = CASE WHEN sessions.branch <> '' THEN sessions.branch ELSE excluded.branch END,
  started = CASE WHEN sessions.started > 0 AND sessions.started <= excluded.started
                 THEN sessions.started ELSE excluded.started END,
  ended = CASE WHEN sessions.ended > excluded.ended THEN sessions.ended ELSE excluded.ended END,
  version = excluded.version, model = excluded.model, parent = excluded.parent, path = excluded.path,
  mode = excluded.mode"""
# What a private session starts, or what was forked from one, is private too.
INHERIT_PRIVACY = """
UPDATE sessions SET privacy = (SELECT max(p.privacy) FROM sessions AS p
                               WHERE p.host = sessions.host AND p.native_id = sessions.parent)
WHERE session_id = ? AND privacy = '' AND EXISTS (SELECT 1 FROM sessions AS p
  WHERE p.host = sessions.host AND p.native_id = sessions.parent AND p.privacy <> '')"""
# The privacy of a session and of all that came of it; bound are the session and its privacy.
SET_PRIVACY = """
WITH RECURSIVE family (session_id, host, native_id) AS (
  SELECT session_id, host, native_id FROM sessions WHERE session_id = ?
  UNION
  SELECT s.session_id, s.host, s.native_id FROM sessions AS s
  JOIN family AS f ON s.parent = f.native_id AND s.host = f.host
  WHERE s.parent <> ''
)
UPDATE sessions SET privacy = ? WHERE session_id IN (SELECT session_id FROM family)"""
# The sessions that are private.
PRIVATE_IDS = "SELECT session_id FROM sessions WHERE privacy <> ''"
# The id of a host's session.
ID = "SELECT session_id FROM sessions WHERE host = ? AND native_id = ? AND agent = ?"
# The repository of the newest session that began in a folder.
REPOSITORY_IN = "SELECT repository FROM sessions WHERE cwd = ? AND repository <> '' ORDER BY started DESC LIMIT 1"
# Sessions whose id lies between two texts, or that have this id of the host's own; a person's own first.
FIND = f"""
{_SESSION} WHERE (session_id >= ? AND session_id < ?) OR native_id = ? ORDER BY agent, session_row LIMIT 3"""
# The same by the end of an id.
FIND_BY_END = f"{_SESSION} WHERE {ends_with('session_id', 'sessions')} LIMIT 2"
# A person's sessions of a host with this id of its own, or read from this log.
OF_LOG = f"""
{_SESSION} WHERE host = ? AND agent = '' AND (native_id = ? OR (path = ? AND path <> '')) ORDER BY session_row"""
# The sub-agents that a session of a host started.
SUBAGENTS = f"{_SESSION} WHERE host = ? AND parent = ? AND agent <> '' ORDER BY started"
# How many turns of a session were digested, and up to when.
DIGESTED = "SELECT digested_turns, digested FROM sessions WHERE session_id = ?"
# All that is stored of a session was digested.
MARK_DIGESTED = f"""
UPDATE sessions SET (digested, digested_turns) = (SELECT coalesce(max(t.ended), 0) + 1, count(*) {_OWN_TURNS})
WHERE session_id = ?"""
# When a session was digested, which is bound twice; then all that is stored of it was.
SET_DIGESTED = f"""
UPDATE sessions SET digested = ?, digested_turns = CASE WHEN ? > 0 THEN (SELECT count(*) {_OWN_TURNS}) ELSE 0 END
WHERE session_id = ?"""
# Up to which turn a model was asked about a session, and what it made of it.
JUDGED = "SELECT judged_turns, judged FROM sessions WHERE session_id = ?"
# A model was asked about a session.
SET_JUDGED = "UPDATE sessions SET judged_turns = ?, judged = ? WHERE session_id = ?"
# The answer that is kept about a session.
ANSWER = "SELECT answer FROM sessions WHERE session_id = ?"
# Keep the answer about a session that did not become private meanwhile.
KEEP_ANSWER = "UPDATE sessions SET answer = ? WHERE session_id = ? AND privacy = ''"
# Keep no answer about a session.
FORGET_ANSWER = "UPDATE sessions SET answer = '' WHERE session_id = ?"
# Keep no answer that says this.
ERASE_ANSWERS = r"UPDATE sessions SET answer = '' WHERE answer LIKE ? ESCAPE '\'"
# Every session with when it was digested, in the order they came.
WHOLE = f"SELECT digested, {listed(Session._fields)} FROM sessions ORDER BY session_row"
# How many sessions of a person's own there are, how many sub-agents, and how many turns. Here and below a session in
# which nothing was said does not count: some hosts log one whenever they are opened.
COUNTS = f"""
SELECT count(CASE WHEN agent = '' THEN 1 END), count(CASE WHEN agent <> '' THEN 1 END), (SELECT count(*) FROM turns)
FROM sessions WHERE EXISTS (SELECT 1 {_OWN_TURNS})"""
# How many of a person's own sessions there are of each host that were going on at a time or later.
HOSTS = f"""
SELECT host, count(*) FROM sessions WHERE agent = '' AND (started >= ? OR ended >= ?) AND EXISTS (SELECT 1 {_OWN_TURNS})
GROUP BY host"""

# As much of the turns of a session as tells whether one has grown.
KNOWN_TURNS = """
SELECT record_id, number, ended, length(user_text) + length(assistant_text) + length(tools), vote
FROM turns WHERE session_id = ?"""
# The highest row of a turn.
NEWEST_TURN = "SELECT coalesce(max(turn_row), 0) FROM turns"
# A new turn, with what the index holds of it.
ADD_TURN = f"""
INSERT INTO turns (turn_row, session_id, repository, touched, {listed(TURN)}, {listed(_ANALYSED)})
VALUES ({", ".join("?" * (4 + len(TURN) + len(_ANALYSED)))})"""
# Some turns behind a row, with what the index holds of them and their repository.
TURNS_BEHIND = f"""
SELECT turn_row, {listed(_ANALYSED)}, repository, {listed(TURN)} FROM turns WHERE turn_row > ?
ORDER BY turn_row LIMIT ?"""
# Set what the index holds of a turn.
SET_ANALYSED = f"UPDATE turns SET {', '.join(f'{name} = ?' for name in _ANALYSED)} WHERE turn_row = ?"
# What the index holds of a turn, by its record.
INDEXED_TURN = f"""
SELECT turn_row, repository, {listed(_ANALYSED)} FROM turns WHERE session_id = ? AND record_id = ?"""
# A turn that has grown, by row.
REPLACE_TURN = f"""
UPDATE turns SET touched = ?, {", ".join(f"{name} = ?" for name in (*TURN, *_ANALYSED))} WHERE turn_row = ?"""
# The user's vote on the answer of a turn, by its record.
SET_VOTE = "UPDATE turns SET vote = ? WHERE session_id = ? AND record_id = ?"
# Every vote on an answer. Read from the index alone.
VOTES = "SELECT session_id, number, vote FROM turns WHERE vote <> 0"
# What was typed first in a session.
FIRST_TYPED = """
SELECT substr(user_text, 1, 200) FROM turns WHERE session_id = ? AND user_text <> ''
ORDER BY number, turn_row LIMIT 1"""
# The turns of a session in their order.
TURNS = f"{_TURNS} WHERE session_id = ? ORDER BY number, turn_row"
# The turns of a session with the repository of each, in the order they came.
WHOLE_TURNS = f"SELECT repository, {listed(TURN)} FROM turns WHERE session_id = ? ORDER BY turn_row"
# What people typed last, not in private, with the session; of one host only what has the mark of our own terminal.
TYPED = f"""
SELECT {listed(Session._fields, "s")}, t.user_text FROM turns AS t JOIN sessions AS s USING (session_id)
WHERE s.agent = '' AND s.privacy = '' AND t.user_text <> '' AND (s.host <> ? OR t.mark <> '')
ORDER BY t.at DESC, t.turn_row DESC LIMIT ?"""
# The newest turns of a repository, each after its session, without private ones.
RECENT_TURNS = f"""
SELECT {listed(Session._fields, "s")}, {listed(TURN, "t")} FROM turns AS t JOIN sessions AS s USING (session_id)
WHERE t.repository = ? AND s.privacy = '' ORDER BY t.turn_row DESC LIMIT ?"""

# What was read of a log.
GET_LOG = f"SELECT {listed(LOG)} FROM logs WHERE path = ?"
# Note what was read of a log.
SAVE_LOG = f"""
INSERT INTO logs ({listed(LOG)}) VALUES ({marks(len(LOG))})
ON CONFLICT (path, tenant) DO UPDATE SET {", ".join(f"{name} = excluded.{name}" for name in LOG[1:])}"""


def elsewhere(record_ids: Sequence[str]) -> str:
    """Those of these records that another session of the same host has."""
    return f"""
SELECT t.record_id FROM turns AS t JOIN sessions AS s USING (session_id)
WHERE t.record_id IN ({marks(len(record_ids))}) AND t.session_id <> ? AND s.host = ?"""


def listing(*, repository: bool, host: bool, agents: bool, empty: bool) -> str:
    """Sessions since a time with their number of turns, newest first: of a repository and of a host, where those are
    bound; sub-agents only when asked for, and sessions without a turn unless they are left out."""
    conditions = ["s.started >= ?"] + (["s.repository = ?"] if repository else []) + (["s.host = ?"] if host else [])
    conditions += [] if empty else ["EXISTS (SELECT 1 FROM turns AS t WHERE t.session_id = s.session_id)"]
    conditions += [] if agents else ["s.agent = ''"]
    return f"""
SELECT {listed(Session._fields, "s")},
  (SELECT count(*) FROM turns AS t WHERE t.session_id = s.session_id AND t.number > 0)
FROM sessions AS s WHERE {all_of(conditions)} ORDER BY s.started DESC, s.session_row DESC LIMIT ?"""


def around(repositories: Sequence[str]) -> str:
    """Sessions of these repositories that began before a time and ended after another."""
    return (
        f"{_SESSION} WHERE repository IN ({marks(len(repositories))}) AND started <= ? AND ended >= ? ORDER BY started"
    )


def touches(session_ids: Sequence[str], names: int) -> str:
    """What the turns of these sessions touched that began in a time and touched one of so many names. Read from the
    index alone."""
    return f"""
SELECT session_id, number, at, touched FROM turns
WHERE session_id IN ({marks(len(session_ids))}) AND at >= ? AND at <= ? AND touched <> ''
  AND ({" OR ".join(["instr(touched, ?) > 0"] * names)})"""


def turns_at(count: int) -> str:
    """The turns at so many places, session and number."""
    return f"""
WITH wanted (session_id, number) AS (VALUES {",".join(["(?,?)"] * count)})
SELECT t.session_id, {listed(TURN, "t")} FROM wanted CROSS JOIN turns AS t USING (session_id, number)"""


def undigested(session_ids: Sequence[str] | None) -> str:
    """People's own sessions, or those of these, that have grown since they were digested, oldest first; none that is
    private."""
    among = "" if session_ids is None else f"session_id IN ({marks(len(session_ids))}) AND "
    return f"""
{_SESSION} WHERE {among}agent = '' AND privacy = '' AND (
  digested < (SELECT coalesce(max(t.ended), 0) + 1 {_OWN_TURNS}) OR digested_turns < (SELECT count(*) {_OWN_TURNS})
) AND EXISTS (SELECT 1 {_OWN_TURNS}) ORDER BY started"""
