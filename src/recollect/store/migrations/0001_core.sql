-- Entries, their index, their trail, and what was recalled. Times are seconds since the epoch; lists are JSON text.

CREATE TABLE entries (
  entry_row     INTEGER PRIMARY KEY,
  entry_id      TEXT NOT NULL UNIQUE,
  layer         TEXT NOT NULL,
  scope         TEXT NOT NULL,
  content       TEXT NOT NULL,
  repository    TEXT NOT NULL DEFAULT '',
  project       TEXT NOT NULL DEFAULT '',
  task          TEXT NOT NULL DEFAULT '',
  subject       TEXT NOT NULL DEFAULT '',
  aliases       TEXT NOT NULL DEFAULT '',
  reason        TEXT NOT NULL DEFAULT '',
  citations     TEXT NOT NULL DEFAULT '',
  tags          TEXT NOT NULL DEFAULT '',
  source        TEXT NOT NULL,
  origin        TEXT NOT NULL,
  confidence    REAL NOT NULL,
  status        TEXT NOT NULL,
  superseded_by TEXT NOT NULL DEFAULT '',
  created       REAL NOT NULL,
  updated       REAL NOT NULL,
  last_used     REAL NOT NULL DEFAULT 0,
  recall_count  INTEGER NOT NULL DEFAULT 0,
  votes_up      INTEGER NOT NULL DEFAULT 0,
  votes_down    INTEGER NOT NULL DEFAULT 0,
  valid_from    REAL NOT NULL DEFAULT 0,
  valid_to      REAL NOT NULL DEFAULT 0,
  session       TEXT NOT NULL DEFAULT '',
  statement_key TEXT NOT NULL,
  analysed      TEXT NOT NULL
);
CREATE INDEX entries_by_statement ON entries (statement_key);
CREATE INDEX entries_by_place ON entries (layer, status, repository);
CREATE INDEX entries_by_successor ON entries (superseded_by) WHERE superseded_by <> '';

-- The index covers `analysed`, which Python makes: a trigger could not. Contentless and without column sizes, because
-- that is what stays flat to a million rows; statements in the same transaction keep it in step.
CREATE VIRTUAL TABLE entry_text USING fts5 (
  analysed, content = '', columnsize = 0, tokenize = "ascii tokenchars '_./:@''+#=-*'"
);

-- In how many indexed entries a term occurs; the row '' counts them all.
CREATE TABLE term_counts (
  term      TEXT PRIMARY KEY,
  documents INTEGER NOT NULL
) WITHOUT ROWID;

-- A partition is a set of entries that recall takes or leaves together; its token stands in the index.
CREATE TABLE partitions (
  partition_id INTEGER PRIMARY KEY,
  layer        TEXT NOT NULL,
  repository   TEXT NOT NULL,
  live         INTEGER NOT NULL,
  UNIQUE (layer, repository, live)
);

-- One change is what one call did; undo takes all of it back.
CREATE TABLE changes (
  change_id INTEGER PRIMARY KEY,
  action    TEXT NOT NULL,
  actor     TEXT NOT NULL,
  created   REAL NOT NULL,
  undone_by INTEGER NOT NULL DEFAULT 0
);

-- Before and after of the fields that a change touched; an addition has neither, the entry itself tells.
CREATE TABLE audits (
  change_id INTEGER NOT NULL,
  entry_row INTEGER NOT NULL,
  before    TEXT NOT NULL DEFAULT '',
  after     TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (change_id, entry_row)
) WITHOUT ROWID;
CREATE INDEX audits_by_entry ON audits (entry_row);

CREATE TABLE votes (
  entry_row INTEGER NOT NULL,
  direction TEXT NOT NULL,
  reason    TEXT NOT NULL,
  actor     TEXT NOT NULL,
  created   REAL NOT NULL
);
CREATE INDEX votes_by_entry ON votes (entry_row);

-- Two active entries that contradict each other; listed until a person settles it.
CREATE TABLE conflicts (
  newer_row INTEGER NOT NULL,
  older_row INTEGER NOT NULL,
  created   REAL NOT NULL,
  PRIMARY KEY (newer_row, older_row)
) WITHOUT ROWID;

CREATE TABLE receipts (
  receipt_id TEXT PRIMARY KEY,
  session    TEXT NOT NULL DEFAULT '',
  turn       INTEGER NOT NULL DEFAULT 0,
  host       TEXT NOT NULL DEFAULT '',
  repository TEXT NOT NULL DEFAULT '',
  created    REAL NOT NULL,
  query      TEXT NOT NULL,
  tokens     INTEGER NOT NULL,
  entries    TEXT NOT NULL,
  left_out   TEXT NOT NULL
);
CREATE INDEX receipts_by_time ON receipts (created);
CREATE INDEX receipts_by_session ON receipts (session, turn);

CREATE TABLE projects (
  project_id TEXT PRIMARY KEY,
  title      TEXT NOT NULL,
  status     TEXT NOT NULL,
  repository TEXT NOT NULL DEFAULT '',
  notes      TEXT NOT NULL DEFAULT '',
  created    REAL NOT NULL,
  updated    REAL NOT NULL
);

CREATE TABLE tasks (
  task_id    TEXT PRIMARY KEY,
  title      TEXT NOT NULL,
  status     TEXT NOT NULL,
  state      TEXT NOT NULL DEFAULT '',
  project    TEXT NOT NULL DEFAULT '',
  repository TEXT NOT NULL DEFAULT '',
  created    REAL NOT NULL,
  updated    REAL NOT NULL,
  completed  REAL NOT NULL DEFAULT 0
);
CREATE INDEX tasks_by_place ON tasks (repository, status);

CREATE TABLE repositories (
  repository       TEXT PRIMARY KEY,
  remote           TEXT NOT NULL DEFAULT '',
  common_directory TEXT NOT NULL DEFAULT '',
  created          REAL NOT NULL,
  updated          REAL NOT NULL
);

CREATE TABLE repository_aliases (
  alias      TEXT PRIMARY KEY,
  repository TEXT NOT NULL
);

-- What a citation's check said when its file had this size and time, so that a hook need not read the file.
CREATE TABLE citation_checks (
  root            TEXT NOT NULL,
  path            TEXT NOT NULL,
  citation_key    TEXT NOT NULL,
  mtime_ns        INTEGER NOT NULL,
  size            INTEGER NOT NULL,
  verdict         TEXT NOT NULL,
  gone_everywhere INTEGER NOT NULL,
  checked         REAL NOT NULL,
  PRIMARY KEY (root, path, citation_key)
) WITHOUT ROWID;

-- Small facts about this home: when it was last tidied, and the like.
CREATE TABLE notes (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
);

-- What a session was given at its start; the same bytes again for as long as it lasts.
CREATE TABLE session_blocks (
  session TEXT PRIMARY KEY,
  block   TEXT NOT NULL,
  created REAL NOT NULL
);
