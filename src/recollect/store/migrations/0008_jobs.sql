-- Any number of workers. A job says which state of its input it is about; whoever claims it holds a token.
ALTER TABLE jobs ADD COLUMN input_version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN claim_token TEXT NOT NULL DEFAULT '';
ALTER TABLE jobs ADD COLUMN outcome TEXT NOT NULL DEFAULT '';

-- One at a time is worked on under a key, however many workers there are.
DELETE FROM jobs WHERE status = 'running' AND EXISTS (SELECT 1 FROM jobs AS other WHERE other.status = 'running'
   AND other.kind = jobs.kind AND other.job_key = jobs.job_key AND other.job_id > jobs.job_id);
CREATE UNIQUE INDEX jobs_running ON jobs (kind, job_key, tenant) WHERE status = 'running';

-- How far the input of a kind and key was processed. It never goes back.
CREATE TABLE job_watermarks (
  kind          TEXT NOT NULL,
  job_key       TEXT NOT NULL,
  input_version INTEGER NOT NULL,
  updated       REAL NOT NULL,
  tenant        TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (kind, job_key, tenant)
);
