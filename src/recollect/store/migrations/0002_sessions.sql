-- Sessions of every host, their turns, and what has been read of which log.

CREATE TABLE sessions (
  session_row INTEGER PRIMARY KEY,
  session_id  TEXT NOT NULL UNIQUE,
  host        TEXT NOT NULL,
  native_id   TEXT NOT NULL,
  repository  TEXT NOT NULL DEFAULT '',
  cwd         TEXT NOT NULL DEFAULT '',
  branch      TEXT NOT NULL DEFAULT '',
  title       TEXT NOT NULL DEFAULT '',
  started     REAL NOT NULL DEFAULT 0,
  ended       REAL NOT NULL DEFAULT 0,
  version     TEXT NOT NULL DEFAULT '',
  model       TEXT NOT NULL DEFAULT '',
  parent      TEXT NOT NULL DEFAULT '',
  agent       TEXT NOT NULL DEFAULT '',
  path        TEXT NOT NULL DEFAULT '',
  digested    REAL NOT NULL DEFAULT 0,
  UNIQUE (host, native_id, agent)
);
CREATE INDEX sessions_by_time ON sessions (started);
CREATE INDEX sessions_by_parent ON sessions (parent) WHERE parent <> '';

-- One row a turn. `record_id` is the host's own id of the user's message: a copy in a resumed or forked log is the
-- same turn. The three analysed columns are what the index holds; they stand before the long texts, because recall reads
-- them and not those.
CREATE TABLE turns (
  turn_row           INTEGER PRIMARY KEY,
  session_row        INTEGER NOT NULL,
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
  UNIQUE (session_row, record_id)
);
CREATE INDEX turns_by_session ON turns (session_row, number);

-- What the user typed, what the assistant said and what tools printed, apart: each has its own weight.
CREATE VIRTUAL TABLE turn_text USING fts5 (
  user_analysed, assistant_analysed, tools_analysed,
  content = '', columnsize = 0, tokenize = "ascii tokenchars '_./:@''+#=-*'"
);

-- In how many turns a term occurs; the row '' counts them all.
CREATE TABLE turn_term_counts (
  term      TEXT PRIMARY KEY,
  documents INTEGER NOT NULL
) WITHOUT ROWID;

-- What was typed in a turn as a vector, one byte a dimension; filled when the extra `semantic` is installed.
CREATE TABLE turn_vectors (
  turn_row INTEGER PRIMARY KEY,
  vector   BLOB NOT NULL
);

-- What has been read of a log: unchanged files are not opened again.
CREATE TABLE logs (
  path     TEXT PRIMARY KEY,
  host     TEXT NOT NULL,
  inode    INTEGER NOT NULL,
  size     INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL,
  head     TEXT NOT NULL,
  tail     TEXT NOT NULL,
  skipped  INTEGER NOT NULL DEFAULT 0,
  imported REAL NOT NULL
);

-- What was found and is not sure enough, or not allowed, to be stored: a person accepts or rejects it, or it expires.
CREATE TABLE candidates (
  candidate_id TEXT PRIMARY KEY,
  kind         TEXT NOT NULL,
  draft        TEXT NOT NULL,
  what         TEXT NOT NULL,
  why          TEXT NOT NULL DEFAULT '',
  came_from    TEXT NOT NULL DEFAULT '',
  proof        INTEGER NOT NULL DEFAULT 1,
  statement_key TEXT NOT NULL,
  repository   TEXT NOT NULL DEFAULT '',
  confidence   REAL NOT NULL DEFAULT 0,
  created      REAL NOT NULL,
  expires      REAL NOT NULL,
  status       TEXT NOT NULL DEFAULT 'waiting',
  UNIQUE (kind, statement_key, repository)
);
