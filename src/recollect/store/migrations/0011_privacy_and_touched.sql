-- A private session is kept and shown; nothing is learned from it, and recall passes it over.
ALTER TABLE sessions ADD COLUMN privacy TEXT NOT NULL DEFAULT '';
CREATE INDEX sessions_private ON sessions (privacy) WHERE privacy <> '';

-- What a turn touched, for whoever looks for the turns behind a commit: the names of the files that its tools changed, and
-- a mark when one of its commands speaks of a commit, with slashes around each. An index has it beside the place of the
-- turn, so that nobody reads what tools printed to find that out.
ALTER TABLE turns ADD COLUMN touched TEXT NOT NULL DEFAULT '';
UPDATE turns SET touched = coalesce((
  SELECT '/' || group_concat(name, '/') || '/' FROM (
    SELECT DISTINCT replace(path, rtrim(path, replace(path, '/', '')), '') AS name FROM (
      SELECT replace(p.value, '\', '/') AS path
      FROM json_each(turns.tools) AS j, json_each(json_extract(j.value, '$[6]')) AS p
      WHERE json_extract(j.value, '$[1]') = 'change'
    )
    UNION
    SELECT ':commit' FROM json_each(turns.tools) AS j
    WHERE json_extract(j.value, '$[1]') = 'command' AND instr(json_extract(j.value, '$[2]'), 'commit') > 0
  ) WHERE name <> ''
), '') WHERE tools <> '' AND json_valid(tools);
CREATE INDEX turns_touching ON turns (session_id, at, number, touched) WHERE touched <> '';
