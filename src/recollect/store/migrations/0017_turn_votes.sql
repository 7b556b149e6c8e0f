-- The user's vote on the answer of a turn, where the host's log has one: 1 up, -1 down. It moves the confidence of the
-- facts that were learned from the turn.
ALTER TABLE turns ADD COLUMN vote INTEGER NOT NULL DEFAULT 0;
CREATE INDEX turns_voted ON turns (session_id, number, vote) WHERE vote <> 0;
