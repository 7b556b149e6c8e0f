-- Keys are ids, so that a second engine and a log of changes can name what this file names: entries and sessions are
-- referred to by their ids and no longer by their rows. Every table has room for a tenant, which is part of the key
-- wherever a name is unique for one owner only; it comes last there, so that a name alone still finds its row. Only the
-- text indexes and the record of migrations have none: they are this file's own. The rows of entries, sessions and
-- turns stay: they are the order in which these came, and what the text indexes point at.

ALTER TABLE entries ADD COLUMN tenant TEXT NOT NULL DEFAULT '';
ALTER TABLE changes ADD COLUMN tenant TEXT NOT NULL DEFAULT '';
ALTER TABLE work_audits ADD COLUMN tenant TEXT NOT NULL DEFAULT '';
ALTER TABLE receipts ADD COLUMN tenant TEXT NOT NULL DEFAULT '';
ALTER TABLE projects ADD COLUMN tenant TEXT NOT NULL DEFAULT '';
ALTER TABLE tasks ADD COLUMN tenant TEXT NOT NULL DEFAULT '';
ALTER TABLE workers ADD COLUMN tenant TEXT NOT NULL DEFAULT '';
ALTER TABLE staged ADD COLUMN tenant TEXT NOT NULL DEFAULT '';
ALTER TABLE announcements ADD COLUMN tenant TEXT NOT NULL DEFAULT '';
ALTER TABLE turn_vectors ADD COLUMN tenant TEXT NOT NULL DEFAULT '';

ALTER TABLE jobs ADD COLUMN tenant TEXT NOT NULL DEFAULT '';
DROP INDEX jobs_waiting;
CREATE UNIQUE INDEX jobs_waiting ON jobs (kind, job_key, tenant) WHERE status = 'waiting';

-- Before and after of the fields that a change touched; an addition has neither, the entry itself tells.
ALTER TABLE audits RENAME TO old_audits;
CREATE TABLE audits (
  change_id INTEGER NOT NULL,
  entry_id  TEXT NOT NULL,
  before    TEXT NOT NULL DEFAULT '',
  after     TEXT NOT NULL DEFAULT '',
  tenant    TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (change_id, entry_id)
) WITHOUT ROWID;
INSERT INTO audits (change_id, entry_id, before, after)
SELECT a.change_id, e.entry_id, a.before, a.after FROM old_audits AS a JOIN entries AS e USING (entry_row) ORDER BY 1, 2;
DROP TABLE old_audits;
CREATE INDEX audits_by_entry ON audits (entry_id);

ALTER TABLE votes RENAME TO old_votes;
CREATE TABLE votes (
  entry_id  TEXT NOT NULL,
  direction TEXT NOT NULL,
  reason    TEXT NOT NULL,
  actor     TEXT NOT NULL,
  created   REAL NOT NULL,
  tenant    TEXT NOT NULL DEFAULT ''
);
INSERT INTO votes (entry_id, direction, reason, actor, created)
SELECT e.entry_id, v.direction, v.reason, v.actor, v.created FROM old_votes AS v JOIN entries AS e USING (entry_row)
ORDER BY v.rowid;
DROP TABLE old_votes;
CREATE INDEX votes_by_entry ON votes (entry_id);

-- Two active entries that contradict each other; listed until a person settles it.
ALTER TABLE conflicts RENAME TO old_conflicts;
CREATE TABLE conflicts (
  newer_id TEXT NOT NULL,
  older_id TEXT NOT NULL,
  created  REAL NOT NULL,
  tenant   TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (newer_id, older_id)
) WITHOUT ROWID;
INSERT INTO conflicts (newer_id, older_id, created)
SELECT n.entry_id, o.entry_id, c.created FROM old_conflicts AS c
JOIN entries AS n ON n.entry_row = c.newer_row JOIN entries AS o ON o.entry_row = c.older_row;
DROP TABLE old_conflicts;

-- A partition is a set of entries that recall takes or leaves together; its token stands in the index.
ALTER TABLE partitions RENAME TO old_partitions;
CREATE TABLE partitions (
  partition_id INTEGER PRIMARY KEY,
  layer        TEXT NOT NULL,
  repository   TEXT NOT NULL,
  live         INTEGER NOT NULL,
  tenant       TEXT NOT NULL DEFAULT '',
  UNIQUE (layer, repository, live, tenant)
);
INSERT INTO partitions (partition_id, layer, repository, live)
SELECT partition_id, layer, repository, live FROM old_partitions;
DROP TABLE old_partitions;

-- In how many indexed entries a term occurs; the row '' counts them all. Here as in every table without a rowid the key
-- stands first: some versions of SQLite take the columns of another order for empty when they check a file.
ALTER TABLE term_counts RENAME TO old_term_counts;
CREATE TABLE term_counts (
  term      TEXT NOT NULL,
  tenant    TEXT NOT NULL DEFAULT '',
  documents INTEGER NOT NULL,
  PRIMARY KEY (term, tenant)
) WITHOUT ROWID;
INSERT INTO term_counts (term, documents) SELECT term, documents FROM old_term_counts ORDER BY term;
DROP TABLE old_term_counts;

ALTER TABLE repositories RENAME TO old_repositories;
CREATE TABLE repositories (
  repository       TEXT NOT NULL,
  remote           TEXT NOT NULL DEFAULT '',
  common_directory TEXT NOT NULL DEFAULT '',
  created          REAL NOT NULL,
  updated          REAL NOT NULL,
  tenant           TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (repository, tenant)
);
INSERT INTO repositories (repository, remote, common_directory, created, updated)
SELECT repository, remote, common_directory, created, updated FROM old_repositories ORDER BY rowid;
DROP TABLE old_repositories;

ALTER TABLE repository_aliases RENAME TO old_repository_aliases;
CREATE TABLE repository_aliases (
  alias      TEXT NOT NULL,
  repository TEXT NOT NULL,
  tenant     TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (alias, tenant)
);
INSERT INTO repository_aliases (alias, repository)
SELECT alias, repository FROM old_repository_aliases ORDER BY rowid;
DROP TABLE old_repository_aliases;

-- What a citation's check said when its file had this size and time, so that a hook need not read the file.
ALTER TABLE citation_checks RENAME TO old_citation_checks;
CREATE TABLE citation_checks (
  root            TEXT NOT NULL,
  path            TEXT NOT NULL,
  citation_key    TEXT NOT NULL,
  tenant          TEXT NOT NULL DEFAULT '',
  mtime_ns        INTEGER NOT NULL,
  size            INTEGER NOT NULL,
  verdict         TEXT NOT NULL,
  gone_everywhere INTEGER NOT NULL,
  checked         REAL NOT NULL,
  PRIMARY KEY (root, path, citation_key, tenant)
) WITHOUT ROWID;
INSERT INTO citation_checks (root, path, citation_key, mtime_ns, size, verdict, gone_everywhere, checked)
SELECT root, path, citation_key, mtime_ns, size, verdict, gone_everywhere, checked FROM old_citation_checks;
DROP TABLE old_citation_checks;

-- Small facts about this home: when its index was merged, and the like.
CREATE TABLE home_values (
  name   TEXT NOT NULL,
  value  TEXT NOT NULL,
  tenant TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (name, tenant)
);
INSERT INTO home_values (name, value)
SELECT name, value FROM notes WHERE name NOT IN ('tidied', 'looked across') ORDER BY rowid;
DROP TABLE notes;

-- What a session was given at its start; the same bytes again for as long as it lasts.
ALTER TABLE session_blocks RENAME TO old_session_blocks;
CREATE TABLE session_blocks (
  session TEXT NOT NULL,
  block   TEXT NOT NULL,
  created REAL NOT NULL,
  tenant  TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (session, tenant)
);
INSERT INTO session_blocks (session, block, created) SELECT session, block, created FROM old_session_blocks;
DROP TABLE old_session_blocks;

-- One row a turn. `record_id` is the host's own id of the user's message: a copy in a resumed or forked log is the
-- same turn. The three analysed columns are what the index holds; they stand before the long texts, because recall reads
-- them and not those. A turn whose session was lost to damage keeps a session of its own.
ALTER TABLE turns RENAME TO old_turns;
CREATE TABLE turns (
  turn_row           INTEGER PRIMARY KEY,
  session_id         TEXT NOT NULL,
  number             INTEGER NOT NULL,
  record_id          TEXT NOT NULL,
  at                 REAL NOT NULL DEFAULT 0,
  ended              REAL NOT NULL DEFAULT 0,
  repository         TEXT NOT NULL DEFAULT '',
  user_analysed      TEXT NOT NULL,
  assistant_analysed TEXT NOT NULL,
  tools_analysed     TEXT NOT NULL,
  user_text          TEXT NOT NULL,
  assistant_text     TEXT NOT NULL DEFAULT '',
  tools              TEXT NOT NULL DEFAULT '',
  compactions        TEXT NOT NULL DEFAULT '',
  cwd                TEXT NOT NULL DEFAULT '',
  branch             TEXT NOT NULL DEFAULT '',
  model              TEXT NOT NULL DEFAULT '',
  input_tokens       INTEGER NOT NULL DEFAULT 0,
  output_tokens      INTEGER NOT NULL DEFAULT 0,
  mark               TEXT NOT NULL DEFAULT '', -- says that it was typed at our own terminal
  tenant             TEXT NOT NULL DEFAULT '',
  UNIQUE (session_id, record_id)
);
INSERT INTO turns (
  turn_row, session_id, number, record_id, at, ended, repository, user_analysed, assistant_analysed, tools_analysed,
  user_text, assistant_text, tools, compactions, cwd, branch, model, input_tokens, output_tokens
)
SELECT
  t.turn_row, coalesce(s.session_id, 's_lost' || t.session_row), t.number, t.record_id, t.at, t.ended, t.repository,
  t.user_analysed, t.assistant_analysed, t.tools_analysed, t.user_text, t.assistant_text, t.tools, t.compactions,
  t.cwd, t.branch, t.model, t.input_tokens, t.output_tokens
FROM old_turns AS t LEFT JOIN sessions AS s USING (session_row) ORDER BY t.turn_row;
DROP TABLE old_turns;
CREATE INDEX turns_by_session ON turns (session_id, number);

-- In how many turns a term occurs; the row '' counts them all.
ALTER TABLE turn_term_counts RENAME TO old_turn_term_counts;
CREATE TABLE turn_term_counts (
  term      TEXT NOT NULL,
  tenant    TEXT NOT NULL DEFAULT '',
  documents INTEGER NOT NULL,
  PRIMARY KEY (term, tenant)
) WITHOUT ROWID;
INSERT INTO turn_term_counts (term, documents) SELECT term, documents FROM old_turn_term_counts ORDER BY term;
DROP TABLE old_turn_term_counts;

ALTER TABLE sessions RENAME TO old_sessions;
CREATE TABLE sessions (
  session_row    INTEGER PRIMARY KEY,
  session_id     TEXT NOT NULL UNIQUE,
  host           TEXT NOT NULL,
  native_id      TEXT NOT NULL,
  repository     TEXT NOT NULL DEFAULT '',
  cwd            TEXT NOT NULL DEFAULT '',
  branch         TEXT NOT NULL DEFAULT '',
  title          TEXT NOT NULL DEFAULT '',
  started        REAL NOT NULL DEFAULT 0,
  ended          REAL NOT NULL DEFAULT 0,
  version        TEXT NOT NULL DEFAULT '',
  model          TEXT NOT NULL DEFAULT '',
  parent         TEXT NOT NULL DEFAULT '',
  agent          TEXT NOT NULL DEFAULT '',
  path           TEXT NOT NULL DEFAULT '',
  digested       REAL NOT NULL DEFAULT 0,
  digested_turns INTEGER NOT NULL DEFAULT 0,
  mode           TEXT NOT NULL DEFAULT '', -- detached: it runs without whoever started it
  tenant         TEXT NOT NULL DEFAULT '',
  UNIQUE (host, native_id, agent, tenant)
);
INSERT INTO sessions (
  session_row, session_id, host, native_id, repository, cwd, branch, title, started, ended, version, model, parent,
  agent, path, digested, digested_turns
)
SELECT
  session_row, session_id, host, native_id, repository, cwd, branch, title, started, ended, version, model, parent,
  agent, path, digested, digested_turns
FROM old_sessions ORDER BY session_row;
DROP TABLE old_sessions;
CREATE INDEX sessions_by_time ON sessions (started);
CREATE INDEX sessions_by_parent ON sessions (parent) WHERE parent <> '';

-- What has been read of a log: unchanged files are not opened again.
ALTER TABLE logs RENAME TO old_logs;
CREATE TABLE logs (
  path     TEXT NOT NULL,
  host     TEXT NOT NULL,
  inode    INTEGER NOT NULL,
  size     INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL,
  head     TEXT NOT NULL,
  tail     TEXT NOT NULL,
  skipped  INTEGER NOT NULL DEFAULT 0,
  imported REAL NOT NULL,
  tenant   TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (path, tenant)
);
INSERT INTO logs (path, host, inode, size, mtime_ns, head, tail, skipped, imported)
SELECT path, host, inode, size, mtime_ns, head, tail, skipped, imported FROM old_logs ORDER BY rowid;
DROP TABLE old_logs;

-- What was found and is not sure enough, or not allowed, to be stored: a person accepts or rejects it, or it expires.
ALTER TABLE candidates RENAME TO old_candidates;
CREATE TABLE candidates (
  candidate_id  TEXT PRIMARY KEY,
  kind          TEXT NOT NULL,
  draft         TEXT NOT NULL,
  what          TEXT NOT NULL,
  why           TEXT NOT NULL DEFAULT '',
  came_from     TEXT NOT NULL DEFAULT '',
  proof         INTEGER NOT NULL DEFAULT 1,
  statement_key TEXT NOT NULL,
  repository    TEXT NOT NULL DEFAULT '',
  confidence    REAL NOT NULL DEFAULT 0,
  created       REAL NOT NULL,
  expires       REAL NOT NULL,
  status        TEXT NOT NULL DEFAULT 'waiting',
  tenant        TEXT NOT NULL DEFAULT '',
  UNIQUE (kind, statement_key, repository, tenant)
);
INSERT INTO candidates (
  candidate_id, kind, draft, what, why, came_from, proof, statement_key, repository, confidence, created, expires, status
)
SELECT
  candidate_id, kind, draft, what, why, came_from, proof, statement_key, repository, confidence, created, expires, status
FROM old_candidates ORDER BY rowid;
DROP TABLE old_candidates;

-- What a person allowed for longer than once.
ALTER TABLE approvals RENAME TO old_approvals;
CREATE TABLE approvals (
  approval_id TEXT PRIMARY KEY,
  kind        TEXT NOT NULL,
  reach       TEXT NOT NULL,
  place       TEXT NOT NULL,
  created     REAL NOT NULL,
  tenant      TEXT NOT NULL DEFAULT '',
  UNIQUE (kind, reach, place, tenant)
);
INSERT INTO approvals (approval_id, kind, reach, place, created)
SELECT approval_id, kind, reach, place, created FROM old_approvals ORDER BY rowid;
DROP TABLE old_approvals;
