-- Tokens of programs that use the service, by their digest alone; and the answers to requests that carried a key, so
-- that a request that is made again is not done again.
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
