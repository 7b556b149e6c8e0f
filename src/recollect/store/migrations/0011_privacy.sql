-- A private session is kept and shown, and nothing is learned from it.
ALTER TABLE sessions ADD COLUMN privacy TEXT NOT NULL DEFAULT '';
