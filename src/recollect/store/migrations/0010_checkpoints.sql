-- Every checkpoint in one place: those of our own sessions, under their own ids, and the summaries that hosts wrote.
-- It is made again from the turns of hosts' sessions and from the logs of our own.
CREATE TABLE checkpoints (
  session_id    TEXT NOT NULL,
  number        INTEGER NOT NULL,
  host          TEXT NOT NULL,
  repository    TEXT NOT NULL DEFAULT '',
  title         TEXT NOT NULL DEFAULT '',
  summary       TEXT NOT NULL,
  created       REAL NOT NULL DEFAULT 0,
  tokens_before INTEGER NOT NULL DEFAULT 0,
  tokens_after  INTEGER NOT NULL DEFAULT 0,
  in_effect     INTEGER NOT NULL DEFAULT 1,
  tenant        TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (session_id, number, tenant)
);
CREATE INDEX checkpoints_by_time ON checkpoints (created);
INSERT INTO checkpoints (session_id, number, host, repository, summary, created)
SELECT t.session_id, row_number() OVER (PARTITION BY t.session_id ORDER BY t.number, t.turn_row, j.key), s.host,
  t.repository, j.value, CASE WHEN t.ended > 0 THEN t.ended ELSE t.at END
FROM turns AS t JOIN sessions AS s USING (session_id), json_each(t.compactions) AS j
WHERE json_valid(t.compactions) AND s.host <> 'recollect';
