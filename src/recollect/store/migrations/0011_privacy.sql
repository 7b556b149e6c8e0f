-- A private session is kept and shown; nothing is learned from it, and recall passes it over.
ALTER TABLE sessions ADD COLUMN privacy TEXT NOT NULL DEFAULT '';
CREATE INDEX sessions_private ON sessions (privacy) WHERE privacy <> '';
