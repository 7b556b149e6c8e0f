-- What a model said of a session, with the state of the session that it was asked about: whoever comes next reads it.
ALTER TABLE sessions ADD COLUMN answer TEXT NOT NULL DEFAULT '';
