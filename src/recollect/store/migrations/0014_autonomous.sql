-- Autonomous memory: what each session left for consolidation, and how often artifacts and their blocks were used.
-- The artifacts themselves are files, a folder a version.
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
-- What asks a model about typed words has a name of its own now.
UPDATE jobs SET kind = 'read_session' WHERE kind = 'extract';
UPDATE job_watermarks SET kind = 'read_session' WHERE kind = 'extract';
