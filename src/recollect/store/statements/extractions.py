"""Statements on what sessions left for consolidation, and on the use of artifacts."""

from __future__ import annotations

from recollect.store.statements import listed, marks

# The columns of an extraction, in the order of its values.
COLUMNS = (
    "session_id", "repository", "synopsis", "slug", "content", "ended", "made_by", "made", "uses", "last_used",
    "status",
)  # fmt: skip
_EXTRACTIONS = f"SELECT {listed(COLUMNS)} FROM extractions"

# Keep what a session left; an older state of the session changes nothing, and how often it was used stays.
SAVE = f"""
INSERT INTO extractions ({listed(COLUMNS)}) VALUES ({marks(len(COLUMNS))})
ON CONFLICT (session_id, tenant) DO UPDATE SET
  repository = excluded.repository, synopsis = excluded.synopsis, slug = excluded.slug, content = excluded.content,
  ended = excluded.ended, made_by = excluded.made_by, made = excluded.made, status = excluded.status
WHERE excluded.ended >= extractions.ended OR extractions.status <> 'live'"""
# Forget what a session left.
REMOVE = "DELETE FROM extractions WHERE session_id = ?"
# What sessions of a repository left, in a stable order.
OF_REPOSITORY = f"{_EXTRACTIONS} WHERE repository = ? AND status = ? ORDER BY session_id"
# What one session left.
OF_SESSION = f"{_EXTRACTIONS} WHERE session_id = ?"
# The sessions whose extraction has a status.
WITH_STATUS = "SELECT session_id FROM extractions WHERE status = ?"
# How many extractions of a repository there are, and when the last was made.
COUNT = "SELECT count(*), coalesce(max(made), 0) FROM extractions WHERE repository = ? AND status = 'live'"
# The repositories that have extractions.
REPOSITORIES = "SELECT DISTINCT repository FROM extractions WHERE status = ? ORDER BY repository"
# Another status for all extractions of a repository that have this one.
SET_STATUS = "UPDATE extractions SET status = ? WHERE repository = ? AND status = ?"
# Nothing is left of what was cleared but which sessions it was.
EMPTY = "UPDATE extractions SET synopsis = '', slug = '', content = '', status = ? WHERE repository = ? AND status = ?"
# Forget which sessions of a repository were cleared.
FORGET = "DELETE FROM extractions WHERE repository = ? AND status = ?"
# The sessions an extraction was used from.
USE_SESSION = "UPDATE extractions SET uses = uses + 1, last_used = ? WHERE session_id = ?"
# An artifact or a block was used.
USE = """
INSERT INTO artifact_uses (repository, name, uses, last_used) VALUES (?, ?, 1, ?)
ON CONFLICT (repository, name, tenant) DO UPDATE SET uses = artifact_uses.uses + 1, last_used = excluded.last_used"""
# How often artifacts and blocks of a repository were used.
USES = "SELECT name, uses, last_used FROM artifact_uses WHERE repository = ?"
# Forget how often.
FORGET_USES = "DELETE FROM artifact_uses WHERE repository = ?"
