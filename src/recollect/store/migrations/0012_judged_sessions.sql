-- How far a model was asked about a session, and what it made of it, stand with the session. Before, the first of these
-- was a small fact of the home for each session, which nobody ever took away.
ALTER TABLE sessions ADD COLUMN judged_turns INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN judged TEXT NOT NULL DEFAULT '';
UPDATE sessions SET judged_turns = coalesce(
  (SELECT CAST(h.value AS INTEGER) FROM home_values AS h WHERE h.name = 'models.extracted.' || sessions.session_id), 0
);
DELETE FROM home_values WHERE name LIKE 'models.extracted.%';
