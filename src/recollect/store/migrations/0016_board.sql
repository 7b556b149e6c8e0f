-- The context board: items per repository and branch; what was taken off it; which boards were begun as copies.
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
