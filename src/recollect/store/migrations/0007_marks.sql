-- Which turns were typed at our own terminal, and which sessions run without whoever started them.
ALTER TABLE turns ADD COLUMN mark TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN mode TEXT NOT NULL DEFAULT '';
