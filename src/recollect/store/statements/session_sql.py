"""What an agent may ask of past sessions in SQL: three views of one repository, made for one connection alone."""

from __future__ import annotations

# The repositories whose sessions are seen.
HERE = "CREATE TEMP TABLE visible_repositories (repository TEXT PRIMARY KEY)"
# One of them.
ADD_HERE = "INSERT OR IGNORE INTO temp.visible_repositories VALUES (?)"
# What is seen of each table; nothing private is in it.
_SEEN = {
    "sessions": """
SELECT session_id, host, branch, title, started, ended, model FROM main.sessions
WHERE privacy = '' AND repository IN (SELECT repository FROM temp.visible_repositories)""",
    "turns": """
SELECT t.session_id AS session_id, t.number AS number, t.user_text AS user_text, t.assistant_text AS assistant_text,
       t.tools AS tools, t.at AS at, t.branch AS branch
FROM main.turns AS t JOIN main.sessions AS s ON s.session_id = t.session_id
WHERE s.privacy = '' AND t.repository IN (SELECT repository FROM temp.visible_repositories)""",
    "checkpoints": """
SELECT c.session_id AS session_id, c.number AS number, c.title AS title, c.summary AS summary, c.created AS created
FROM main.checkpoints AS c JOIN main.sessions AS s ON s.session_id = c.session_id
WHERE s.privacy = '' AND c.repository IN (SELECT repository FROM temp.visible_repositories)""",
}
# How the views are called.
NAMES = tuple(_SEEN)
# No statement of this connection writes a file, whatever it says.
QUERY_ONLY = "PRAGMA query_only = ON"


def views(secret: str) -> list[str]:
    """The views, which hide the tables of the same names. Each stands on one with a secret name, which alone may read
    the tables: a statement can call a part of itself `sessions`, but not by that name."""
    made = []
    for name, seen in _SEEN.items():
        made.append(f"CREATE TEMP VIEW {secret}_{name} AS{seen}")
        made.append(f"CREATE TEMP VIEW {name} AS SELECT * FROM temp.{secret}_{name}")
    return made
