-- What lives beside a running agent: work for the worker, what a person allowed, what waits for a decision.

-- A job is claimed by a lease, not by a process: its effect must be safe to repeat.
CREATE TABLE jobs (
  job_id      TEXT PRIMARY KEY,
  kind        TEXT NOT NULL,
  job_key     TEXT NOT NULL,
  payload     TEXT NOT NULL,
  status      TEXT NOT NULL DEFAULT 'waiting',
  attempts    INTEGER NOT NULL DEFAULT 0,
  due         REAL NOT NULL,
  lease_owner TEXT NOT NULL DEFAULT '',
  lease_until REAL NOT NULL DEFAULT 0,
  created     REAL NOT NULL,
  updated     REAL NOT NULL,
  error       TEXT NOT NULL DEFAULT ''
);
CREATE INDEX jobs_due ON jobs (status, due);
CREATE INDEX jobs_by_key ON jobs (kind, job_key);
-- One waits at a time under a key, however many hooks ask for it.
CREATE UNIQUE INDEX jobs_waiting ON jobs (kind, job_key) WHERE status = 'waiting';

-- A session is digested while it goes on: so many of its turns have been seen, also where a host notes no times.
ALTER TABLE sessions ADD COLUMN digested_turns INTEGER NOT NULL DEFAULT 0;
UPDATE sessions SET digested_turns = (SELECT count(*) FROM turns WHERE turns.session_row = sessions.session_row)
 WHERE digested > 0;

-- Workers that are there. A hook that finds none starts one.
CREATE TABLE workers (
  owner       TEXT PRIMARY KEY,
  started     REAL NOT NULL,
  lease_until REAL NOT NULL
);

-- What a person allowed for longer than once.
CREATE TABLE approvals (
  approval_id TEXT PRIMARY KEY,
  kind        TEXT NOT NULL,
  reach       TEXT NOT NULL,
  place       TEXT NOT NULL,
  created     REAL NOT NULL,
  UNIQUE (kind, reach, place)
);

-- What an agent wanted to change and may not change alone.
CREATE TABLE staged (
  staged_id  TEXT PRIMARY KEY,
  action     TEXT NOT NULL,
  target_id  TEXT NOT NULL DEFAULT '',
  payload    TEXT NOT NULL,
  what       TEXT NOT NULL,
  why        TEXT NOT NULL,
  client     TEXT NOT NULL DEFAULT '',
  session    TEXT NOT NULL DEFAULT '',
  repository TEXT NOT NULL DEFAULT '',
  created    REAL NOT NULL,
  expires    REAL NOT NULL,
  status     TEXT NOT NULL DEFAULT 'waiting'
);
CREATE INDEX staged_waiting ON staged (status, expires);

-- What a person is told once, at the next start of a session: what an agent did by itself, what expired.
CREATE TABLE announcements (
  announcement_id INTEGER PRIMARY KEY,
  repository      TEXT NOT NULL DEFAULT '',
  text            TEXT NOT NULL,
  created         REAL NOT NULL,
  announced       REAL NOT NULL DEFAULT 0
);
CREATE INDEX announcements_open ON announcements (announced, repository);

-- The mark of a turn's share of code was written with a sign at which the index splits words.
UPDATE turns SET user_analysed = replace(user_analysed, '@~', '@*') WHERE user_analysed LIKE '%@~%';
UPDATE turn_term_counts SET term = replace(term, '@~', '@*') WHERE term LIKE '@~%';
INSERT INTO turn_text (turn_text) VALUES ('delete-all');
INSERT INTO turn_text (rowid, user_analysed, assistant_analysed, tools_analysed)
SELECT turn_row, user_analysed, assistant_analysed, tools_analysed FROM turns ORDER BY turn_row;
