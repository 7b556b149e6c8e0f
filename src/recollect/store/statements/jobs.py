"""Statements on jobs, their watermarks and the workers. All of them run on PostgreSQL as well."""

from __future__ import annotations

COLUMNS = (
    "job_id, kind, job_key, payload, status, attempts, due, lease_owner, lease_until, created, updated, error, "
    "input_version, claim_token, outcome"
)
_HEARD_OF = "lease_until > :now AND lease_until < :never"
_NOBODY_AT_IT = (
    "NOT EXISTS (SELECT 1 FROM jobs AS other WHERE other.kind = jobs.kind AND other.job_key = jobs.job_key "
    "AND other.status = 'running')"
)
# So many sessions are read at the same time, whoever the workers are.
_ROOM = (
    "(kind <> 'extract' OR (SELECT count(*) FROM jobs AS other WHERE other.status = 'running' "
    "AND other.kind = 'extract') < :most_extracting)"
)
_OURS = "job_id = :job_id AND status = 'running' AND claim_token = :claim_token"

# -- leaving work

# A new job.
ADD = (
    "INSERT INTO jobs (job_id, kind, job_key, payload, input_version, due, created, updated) "
    "VALUES (:job_id, :kind, :key, :payload, :input_version, :due, :now, :now)"
)
# What is new in the payload of a job that waits.
RENEW_PAYLOAD = "UPDATE jobs SET payload = :payload, updated = :now WHERE job_id = :job_id"
# A job that was put off is due now.
PUT_FORWARD = "UPDATE jobs SET due = :due, updated = :now WHERE job_id = :job_id"
# A job that waits gets newer input: its attempts start over, and it waits no longer.
RENEW_INPUT = (
    "UPDATE jobs SET payload = :payload, input_version = :input_version, attempts = 0, due = :now, error = '', "
    "updated = :now WHERE job_id = :job_id"
)
# Was this input, or newer, processed, or is there a job about it?
KNOWS_INPUT = (
    "SELECT 1 FROM job_watermarks WHERE kind = :kind AND job_key = :key AND input_version >= :input_version "
    "UNION ALL SELECT 1 FROM jobs WHERE kind = :kind AND job_key = :key AND input_version >= :input_version LIMIT 1"
)

# -- doing it

# Claim the job that has been due longest. The status is asked twice: two that saw the same job must not both get it.
CLAIM = (
    "UPDATE jobs SET status = 'running', attempts = attempts + 1, lease_owner = :owner, claim_token = :claim_token, "
    "lease_until = :lease_until, updated = :now WHERE status = 'waiting' AND job_id = (SELECT job_id FROM jobs "
    f"WHERE status = 'waiting' AND due <= :now AND {_NOBODY_AT_IT} AND {_ROOM} ORDER BY due, created, job_id LIMIT 1) "
    f"RETURNING {COLUMNS}"
)
# Keep a claimed job for longer.
RENEW_LEASE = f"UPDATE jobs SET lease_until = :lease_until, updated = :now WHERE {_OURS}"
# A claimed job is done.
FINISH = (
    "UPDATE jobs SET status = 'done', outcome = :outcome, error = '', lease_owner = '', claim_token = '', "
    f"updated = :now WHERE {_OURS}"
)
# A claimed job waits again, or is given up.
PUT_BACK = (
    "UPDATE jobs SET status = :status, due = :due, lease_owner = '', claim_token = '', lease_until = 0, "
    f"error = :error, updated = :now WHERE {_OURS}"
)
# A claimed job waits until a time; this attempt does not count.
PUT_OFF = (
    "UPDATE jobs SET status = 'waiting', attempts = attempts - 1, due = :due, lease_owner = '', claim_token = '', "
    f"lease_until = 0, error = :error, updated = :now WHERE {_OURS}"
)
# A claimed job gives way to the one that waits under its key.
GIVE_WAY = f"DELETE FROM jobs WHERE {_OURS}"
# The job that waits takes over the attempts of the one that gave way.
INHERIT = "UPDATE jobs SET attempts = :attempts, due = :due, error = :error, updated = :now WHERE job_id = :job_id"
# Claimed jobs whose lease is over.
LOST = f"SELECT {COLUMNS} FROM jobs WHERE status = 'running' AND NOT ({_HEARD_OF})"

# -- how far the input was processed

# The watermark of a kind and key.
WATERMARK = "SELECT input_version FROM job_watermarks WHERE kind = :kind AND job_key = :key"
# Raise a watermark; a lower one changes nothing.
RAISE_WATERMARK = (
    "INSERT INTO job_watermarks (kind, job_key, input_version, updated) VALUES (:kind, :key, :input_version, :now) "
    "ON CONFLICT (kind, job_key, tenant) DO UPDATE SET input_version = excluded.input_version, "
    "updated = excluded.updated WHERE excluded.input_version > job_watermarks.input_version"
)
# Drop what waits to have input processed that has been processed meanwhile.
DROP_PROCESSED = (
    "DELETE FROM jobs WHERE kind = :kind AND job_key = :key AND status = 'waiting' "
    "AND input_version > 0 AND input_version <= :input_version"
)
# Forget one watermark.
FORGET_WATERMARK = "DELETE FROM job_watermarks WHERE kind = :kind AND job_key = :key"
# Drop what was done or given up under a kind and key.
DROP_DONE = "DELETE FROM jobs WHERE kind = :kind AND job_key = :key AND status IN ('done', 'dead')"
# Forget old watermarks of a kind whose keys do not come again.
FORGET_WATERMARKS = "DELETE FROM job_watermarks WHERE kind = :kind AND updated < :before"

# -- looking

# Is there something that a worker could claim, or take back?
DUE = (
    f"SELECT 1 FROM jobs WHERE (status = 'waiting' AND due <= :now AND {_NOBODY_AT_IT} AND {_ROOM}) "
    f"OR (status = 'running' AND NOT ({_HEARD_OF})) LIMIT 1"
)
# Whether a job for the memory of a project is due.
MEMORY_DUE = (
    "SELECT 1 FROM jobs WHERE status = 'waiting' AND kind IN ('extract', 'consolidate') AND due <= :now LIMIT 1"
)
# How many jobs there are by status.
COUNTS = "SELECT status, count(*) FROM jobs GROUP BY status"
# The jobs of a status, oldest first.
LISTED = f"SELECT {COLUMNS} FROM jobs WHERE status = :status ORDER BY created, job_id"
# Drop what waits, or was given up, under a kind and key.
DROP = "DELETE FROM jobs WHERE kind = :kind AND job_key = :key AND status IN ('waiting', 'dead')"
# The jobs of a kind, oldest first.
OF_KIND = f"SELECT {COLUMNS} FROM jobs WHERE kind = :kind ORDER BY created, job_id"
# The job that waits under a kind and key.
WAITING = f"SELECT {COLUMNS} FROM jobs WHERE kind = :kind AND job_key = :key AND status = 'waiting'"
# Remove one job.
REMOVE = "DELETE FROM jobs WHERE job_id = :job_id"
# Drop what was done or given up long ago.
PRUNE = "DELETE FROM jobs WHERE status IN ('done', 'dead') AND updated < :before"

# -- workers

# A worker says that it is there.
ARRIVE = (
    "INSERT INTO workers (owner, started, lease_until) VALUES (:owner, :now, :lease_until) "
    "ON CONFLICT (owner) DO UPDATE SET lease_until = excluded.lease_until"
)
# A worker says that it is still there; one that has left stays away.
REMAIN = "UPDATE workers SET lease_until = :lease_until WHERE owner = :owner"
# A worker goes.
LEAVE = "DELETE FROM workers WHERE owner = :owner"
# Workers that have not been heard of since are no longer there.
DROP_LOST_WORKERS = f"DELETE FROM workers WHERE NOT ({_HEARD_OF})"
# The workers that are there, the longest first.
WORKERS = f"SELECT owner, started, lease_until FROM workers WHERE {_HEARD_OF} ORDER BY started, owner"
