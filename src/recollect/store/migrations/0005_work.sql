-- Before and after of tasks and projects that a change touched, so that it can be taken back; an addition has no before.
CREATE TABLE work_audits (
  change_id INTEGER NOT NULL,
  work_id   TEXT NOT NULL,
  before    TEXT NOT NULL DEFAULT '',
  after     TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (change_id, work_id)
) WITHOUT ROWID;
CREATE INDEX work_audits_by_work ON work_audits (work_id);
