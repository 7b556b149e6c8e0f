-- What an entry says as a vector, for who has the extra that makes them. It holds for the statement that it was made of.
-- The version grows with every vector that is made: whoever holds them all sees that there is another one.
CREATE TABLE entry_vectors (
  entry_id      TEXT NOT NULL,
  statement_key TEXT NOT NULL,
  vector        BLOB NOT NULL,
  version       INTEGER NOT NULL,
  tenant        TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (entry_id, tenant)
);
CREATE INDEX entry_vectors_version ON entry_vectors (version);
