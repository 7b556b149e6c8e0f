CREATE TABLE migrations (
  number   INTEGER PRIMARY KEY,
  name     TEXT NOT NULL,
  checksum TEXT NOT NULL,
  applied  REAL NOT NULL
);
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
, tenant TEXT NOT NULL DEFAULT '');
CREATE INDEX entries_by_statement ON entries (statement_key);
CREATE INDEX entries_by_place ON entries (layer, status, repository);
CREATE INDEX entries_by_successor ON entries (superseded_by) WHERE superseded_by <> '';
CREATE VIRTUAL TABLE entry_text USING fts5 (
  analysed, content = '', columnsize = 0, tokenize = "ascii tokenchars '_./:@''+#=-*'"
);
CREATE TABLE changes (
  change_id INTEGER PRIMARY KEY,
  action    TEXT NOT NULL,
  actor     TEXT NOT NULL,
  created   REAL NOT NULL,
  undone_by INTEGER NOT NULL DEFAULT 0
, tenant TEXT NOT NULL DEFAULT '');
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
, tenant TEXT NOT NULL DEFAULT '');
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
, tenant TEXT NOT NULL DEFAULT '');
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
, tenant TEXT NOT NULL DEFAULT '');
CREATE INDEX tasks_by_place ON tasks (repository, status);
CREATE VIRTUAL TABLE turn_text USING fts5 (
  user_analysed, assistant_analysed, tools_analysed,
  content = '', columnsize = 0, tokenize = "ascii tokenchars '_./:@''+#=-*'"
);
CREATE TABLE turn_vectors (
  turn_row INTEGER PRIMARY KEY,
  vector   BLOB NOT NULL
, tenant TEXT NOT NULL DEFAULT '');
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
, tenant TEXT NOT NULL DEFAULT '', input_version INTEGER NOT NULL DEFAULT 0, claim_token TEXT NOT NULL DEFAULT '', outcome TEXT NOT NULL DEFAULT '');
CREATE INDEX jobs_due ON jobs (status, due);
CREATE INDEX jobs_by_key ON jobs (kind, job_key);
CREATE TABLE workers (
  owner       TEXT PRIMARY KEY,
  started     REAL NOT NULL,
  lease_until REAL NOT NULL
, tenant TEXT NOT NULL DEFAULT '');
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
, tenant TEXT NOT NULL DEFAULT '');
CREATE INDEX staged_waiting ON staged (status, expires);
CREATE TABLE announcements (
  announcement_id INTEGER PRIMARY KEY,
  repository      TEXT NOT NULL DEFAULT '',
  text            TEXT NOT NULL,
  created         REAL NOT NULL,
  announced       REAL NOT NULL DEFAULT 0
, tenant TEXT NOT NULL DEFAULT '');
CREATE INDEX announcements_open ON announcements (announced, repository);
CREATE INDEX entries_by_address ON entries (repository, subject) WHERE tags LIKE '%"shelved%';
CREATE TABLE work_audits (
  change_id INTEGER NOT NULL,
  work_id   TEXT NOT NULL,
  before    TEXT NOT NULL DEFAULT '',
  after     TEXT NOT NULL DEFAULT '', tenant TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (change_id, work_id)
) WITHOUT ROWID;
CREATE INDEX work_audits_by_work ON work_audits (work_id);
CREATE UNIQUE INDEX jobs_waiting ON jobs (kind, job_key, tenant) WHERE status = 'waiting';
CREATE TABLE audits (
  change_id INTEGER NOT NULL,
  entry_id  TEXT NOT NULL,
  before    TEXT NOT NULL DEFAULT '',
  after     TEXT NOT NULL DEFAULT '',
  tenant    TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (change_id, entry_id)
) WITHOUT ROWID;
CREATE INDEX audits_by_entry ON audits (entry_id);
CREATE TABLE votes (
  entry_id  TEXT NOT NULL,
  direction TEXT NOT NULL,
  reason    TEXT NOT NULL,
  actor     TEXT NOT NULL,
  created   REAL NOT NULL,
  tenant    TEXT NOT NULL DEFAULT ''
);
CREATE INDEX votes_by_entry ON votes (entry_id);
CREATE TABLE conflicts (
  newer_id TEXT NOT NULL,
  older_id TEXT NOT NULL,
  created  REAL NOT NULL,
  tenant   TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (newer_id, older_id)
) WITHOUT ROWID;
CREATE TABLE partitions (
  partition_id INTEGER PRIMARY KEY,
  layer        TEXT NOT NULL,
  repository   TEXT NOT NULL,
  live         INTEGER NOT NULL,
  tenant       TEXT NOT NULL DEFAULT '',
  UNIQUE (layer, repository, live, tenant)
);
CREATE TABLE term_counts (
  term      TEXT NOT NULL,
  tenant    TEXT NOT NULL DEFAULT '',
  documents INTEGER NOT NULL,
  PRIMARY KEY (term, tenant)
) WITHOUT ROWID;
CREATE TABLE repositories (
  repository       TEXT NOT NULL,
  remote           TEXT NOT NULL DEFAULT '',
  common_directory TEXT NOT NULL DEFAULT '',
  created          REAL NOT NULL,
  updated          REAL NOT NULL,
  tenant           TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (repository, tenant)
);
CREATE TABLE repository_aliases (
  alias      TEXT NOT NULL,
  repository TEXT NOT NULL,
  tenant     TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (alias, tenant)
);
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
CREATE TABLE home_values (
  name   TEXT NOT NULL,
  value  TEXT NOT NULL,
  tenant TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (name, tenant)
);
CREATE TABLE session_blocks (
  session TEXT NOT NULL,
  block   TEXT NOT NULL,
  created REAL NOT NULL,
  tenant  TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (session, tenant)
);
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
  tenant             TEXT NOT NULL DEFAULT '', touched TEXT NOT NULL DEFAULT '', vote INTEGER NOT NULL DEFAULT 0,
  UNIQUE (session_id, record_id)
);
CREATE INDEX turns_by_session ON turns (session_id, number);
CREATE TABLE turn_term_counts (
  term      TEXT NOT NULL,
  tenant    TEXT NOT NULL DEFAULT '',
  documents INTEGER NOT NULL,
  PRIMARY KEY (term, tenant)
) WITHOUT ROWID;
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
  tenant         TEXT NOT NULL DEFAULT '', privacy TEXT NOT NULL DEFAULT '', judged_turns INTEGER NOT NULL DEFAULT 0, judged TEXT NOT NULL DEFAULT '', answer TEXT NOT NULL DEFAULT '',
  UNIQUE (host, native_id, agent, tenant)
);
CREATE INDEX sessions_by_time ON sessions (started);
CREATE INDEX sessions_by_parent ON sessions (parent) WHERE parent <> '';
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
CREATE TABLE approvals (
  approval_id TEXT PRIMARY KEY,
  kind        TEXT NOT NULL,
  reach       TEXT NOT NULL,
  place       TEXT NOT NULL,
  created     REAL NOT NULL,
  tenant      TEXT NOT NULL DEFAULT '',
  UNIQUE (kind, reach, place, tenant)
);
CREATE UNIQUE INDEX jobs_running ON jobs (kind, job_key, tenant) WHERE status = 'running';
CREATE TABLE job_watermarks (
  kind          TEXT NOT NULL,
  job_key       TEXT NOT NULL,
  input_version INTEGER NOT NULL,
  updated       REAL NOT NULL,
  tenant        TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (kind, job_key, tenant)
);
CREATE TABLE entry_vectors (
  entry_id      TEXT NOT NULL,
  statement_key TEXT NOT NULL,
  vector        BLOB NOT NULL,
  version       INTEGER NOT NULL,
  tenant        TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (entry_id, tenant)
);
CREATE INDEX entry_vectors_version ON entry_vectors (version);
CREATE TABLE checkpoints (
  session_id    TEXT NOT NULL,
  number        INTEGER NOT NULL,
  host          TEXT NOT NULL,
  repository    TEXT NOT NULL DEFAULT '',
  title         TEXT NOT NULL DEFAULT '',
  summary       TEXT NOT NULL,
  created       REAL NOT NULL DEFAULT 0,
  tokens_before INTEGER NOT NULL DEFAULT 0,
  tokens_after  INTEGER NOT NULL DEFAULT 0,
  in_effect     INTEGER NOT NULL DEFAULT 1,
  tenant        TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (session_id, number, tenant)
);
CREATE INDEX checkpoints_by_time ON checkpoints (created);
CREATE INDEX sessions_private ON sessions (privacy) WHERE privacy <> '';
CREATE INDEX turns_touching ON turns (session_id, at, number, touched) WHERE touched <> '';
CREATE TABLE suggestions (
  suggestion_id TEXT NOT NULL,
  repository    TEXT NOT NULL DEFAULT '',
  fact          TEXT NOT NULL,
  fact_ids      TEXT NOT NULL DEFAULT '',
  target_type   TEXT NOT NULL,
  target        TEXT NOT NULL,
  action        TEXT NOT NULL,
  before        TEXT,
  after         TEXT NOT NULL,
  confidence    REAL NOT NULL,
  why           TEXT NOT NULL DEFAULT '',
  place         TEXT NOT NULL DEFAULT '',
  citations     TEXT NOT NULL DEFAULT '',
  fingerprint   TEXT NOT NULL,
  status        TEXT NOT NULL DEFAULT 'pending',
  note          TEXT NOT NULL DEFAULT '',
  edited        INTEGER NOT NULL DEFAULT 0,
  root          TEXT NOT NULL DEFAULT '',
  undo          TEXT NOT NULL DEFAULT '',
  created       REAL NOT NULL,
  updated       REAL NOT NULL,
  told          REAL NOT NULL DEFAULT 0,
  tenant        TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (suggestion_id, tenant)
);
CREATE INDEX suggestions_by_status ON suggestions (status, repository);
CREATE UNIQUE INDEX suggestions_by_fingerprint ON suggestions (repository, fingerprint, tenant);
CREATE TABLE extractions (
  session_id  TEXT NOT NULL,
  repository  TEXT NOT NULL DEFAULT '',
  synopsis    TEXT NOT NULL DEFAULT '',
  slug        TEXT NOT NULL DEFAULT '',
  content     TEXT NOT NULL,
  ended       REAL NOT NULL DEFAULT 0,
  made_by     TEXT NOT NULL DEFAULT 'rules',
  made        REAL NOT NULL,
  uses        INTEGER NOT NULL DEFAULT 0,
  last_used   REAL NOT NULL DEFAULT 0,
  status      TEXT NOT NULL DEFAULT 'live',
  tenant      TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (session_id, tenant)
);
CREATE INDEX extractions_by_repository ON extractions (repository, status);
CREATE TABLE artifact_uses (
  repository  TEXT NOT NULL,
  name        TEXT NOT NULL,
  uses        INTEGER NOT NULL DEFAULT 0,
  last_used   REAL NOT NULL DEFAULT 0,
  tenant      TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (repository, name, tenant)
);
CREATE TABLE tokens (
  token_id   TEXT NOT NULL,
  name       TEXT NOT NULL,
  scope      TEXT NOT NULL,
  digest     TEXT NOT NULL,
  created    REAL NOT NULL,
  last_used  REAL NOT NULL DEFAULT 0,
  tenant     TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (token_id, tenant)
);
CREATE UNIQUE INDEX tokens_by_digest ON tokens (digest, tenant);
CREATE UNIQUE INDEX tokens_by_name ON tokens (name, tenant);
CREATE TABLE kept_answers (
  asker     TEXT NOT NULL,
  key       TEXT NOT NULL,
  request   TEXT NOT NULL,
  status    INTEGER NOT NULL,
  answer    TEXT NOT NULL,
  created   REAL NOT NULL,
  tenant    TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (asker, key, tenant)
);
CREATE INDEX kept_answers_by_time ON kept_answers (created);
CREATE TABLE dynamic_context_items (
  repository   TEXT NOT NULL,
  branch       TEXT NOT NULL,
  src          TEXT NOT NULL,
  name         TEXT NOT NULL,
  description  TEXT NOT NULL,
  content      TEXT NOT NULL,
  read_count   INTEGER NOT NULL DEFAULT 0,
  count        INTEGER NOT NULL DEFAULT 0,
  origin       TEXT NOT NULL DEFAULT 'assistant',
  made_by      TEXT NOT NULL DEFAULT '',
  session      TEXT NOT NULL DEFAULT '',
  created      REAL NOT NULL DEFAULT 0,
  updated      REAL NOT NULL DEFAULT 0,
  last_read    REAL NOT NULL DEFAULT 0,
  tenant       TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (repository, branch, src, name, tenant)
);
CREATE TABLE pruned_context_items (
  repository   TEXT NOT NULL,
  branch       TEXT NOT NULL,
  name         TEXT NOT NULL,
  pruned_by    TEXT NOT NULL,
  content      TEXT NOT NULL DEFAULT '',
  at           REAL NOT NULL,
  tenant       TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (repository, branch, name, tenant)
);
CREATE TABLE copied_boards (
  repository   TEXT NOT NULL,
  branch       TEXT NOT NULL,
  copied_from  TEXT NOT NULL,
  items        INTEGER NOT NULL,
  at           REAL NOT NULL,
  tenant       TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (repository, branch, tenant)
);
CREATE INDEX turns_voted ON turns (session_id, number, vote) WHERE vote <> 0;
CREATE INDEX entries_by_time ON entries (created);
INSERT INTO home_values VALUES ('index changes', '0', '');
