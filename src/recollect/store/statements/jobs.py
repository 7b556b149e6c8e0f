"""Statements on jobs and workers."""

from __future__ import annotations

_JOB = """
SELECT job_id, kind, job_key, payload, status, attempts, due, lease_owner, lease_until, created, updated, error
FROM jobs"""
_FREE = """NOT EXISTS (
  SELECT 1 FROM jobs AS other
  WHERE other.kind = jobs.kind AND other.job_key = jobs.job_key AND other.status = 'running')"""
_LEFT = "status = 'running' AND NOT (lease_until > ? AND lease_until < ?)"
_CLAIMED = "WHERE job_id = ? AND status = 'running' AND lease_owner = ? AND attempts = ?"

# A job by its id.
GET = f"{_JOB} WHERE job_id = ?"
# The job that waits under a kind and key.
WAITING = f"{_JOB} WHERE kind = ? AND job_key = ? AND status = 'waiting'"
# The jobs of a status, oldest first.
LISTED = f"{_JOB} WHERE status = ? ORDER BY created, job_id"
# The job that has been due longest and on whose kind and key nobody works.
NEXT = f"{_JOB} WHERE status = 'waiting' AND due <= ? AND {_FREE} ORDER BY due, created, job_id LIMIT 1"
# What was claimed by somebody whose lease does not lie between two times.
LEFT = f"{_JOB} WHERE {_LEFT}"
# Is there something to claim or to take back?
DUE = f"SELECT 1 FROM jobs WHERE (status = 'waiting' AND due <= ? AND {_FREE}) OR ({_LEFT}) LIMIT 1"
# How many jobs there are by status.
COUNTS = "SELECT status, count(*) FROM jobs GROUP BY status"
# Leave work.
ADD = "INSERT INTO jobs (job_id, kind, job_key, payload, due, created, updated) VALUES (?, ?, ?, ?, ?, ?, ?)"
# What is new about work that waits.
RENEW_PAYLOAD = "UPDATE jobs SET payload = ?, updated = ? WHERE job_id = ?"
# Take a job.
CLAIM = """
UPDATE jobs SET status = 'running', attempts = attempts + 1, lease_owner = ?, lease_until = ?, updated = ?
WHERE job_id = ?"""
# Keep a claimed job.
RENEW = f"UPDATE jobs SET lease_until = ?, updated = ? {_CLAIMED}"
# A claimed job is done.
FINISH = f"UPDATE jobs SET status = 'done', error = '', lease_owner = '', updated = ? {_CLAIMED}"
# Is a claimed job still ours?
TOUCH = f"UPDATE jobs SET updated = ? {_CLAIMED}"
# A job waits again, or is dead.
PUT_BACK = """
UPDATE jobs SET status = ?, due = ?, lease_owner = '', lease_until = 0, error = ?, updated = ? WHERE job_id = ?"""
# A job that waits takes the place of another.
TAKE_PLACE = "UPDATE jobs SET attempts = ?, due = ?, error = ?, updated = ? WHERE job_id = ?"
# Drop a job.
DELETE = "DELETE FROM jobs WHERE job_id = ?"
# Drop jobs that ended before a time.
PRUNE = "DELETE FROM jobs WHERE status IN ('done', 'dead') AND updated < ?"

# The workers whose lease lies between two times.
WORKERS = "SELECT owner, started, lease_until FROM workers WHERE lease_until > ? AND lease_until < ?"
# Forget the others.
DROP_LOST_WORKERS = "DELETE FROM workers WHERE NOT (lease_until > ? AND lease_until < ?)"
# A worker is there, or still there.
ARRIVE = """
INSERT INTO workers (owner, started, lease_until) VALUES (?, ?, ?)
ON CONFLICT (owner) DO UPDATE SET lease_until = excluded.lease_until"""
# A worker goes.
LEAVE = "DELETE FROM workers WHERE owner = ?"
