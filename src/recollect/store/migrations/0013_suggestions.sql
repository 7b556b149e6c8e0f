-- Suggestions: changes of customization files that wait for a person, and what became of them. `before` and `after` are
-- the whole file, so that a change of the file in between can be merged; a NULL `before` means that there was no file.
-- A decided one stays: what was dismissed is known by its fingerprint and is not suggested again.
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
