"""session_store_sql: one SELECT about this repository's past sessions; SQLite refuses everything else."""

from __future__ import annotations

import pytest

from recollect.errors import RecollectError, Refused
from recollect.model.sessions import Session, Turn
from recollect.store import session_sql


@pytest.fixture
def store(memory):
    store = memory.opened.store
    with store.write():
        for number, (repository, privacy) in enumerate([("here", ""), ("here", "private"), ("there", "")]):
            name = f"s_{number}"
            store.sessions.save(
                Session(name, "codex", name, repository, title=f"{repository} {privacy}", privacy=privacy)
            )
            turns = [Turn(at, f"turn {at} of {name}", "x" * 600, record_id=f"r{at}") for at in range(1, 61)]
            store.sessions.add_turns(name, turns, [repository] * len(turns))
    return store


def test_only_sessions_of_this_repository_that_are_not_private_are_seen(store):
    assert store.ask_sessions("SELECT session_id FROM sessions", ["here"]).rows == (("s_0",),)
    found = store.ask_sessions("SELECT DISTINCT session_id FROM turns WHERE user_text LIKE '%turn 2 %'", ["here"])
    assert found.rows == (("s_0",),)
    assert store.ask_sessions("WITH t AS (SELECT * FROM turns) SELECT count(*) AS n FROM t", ["here"]).rows == ((60,),)


def test_rows_and_cells_are_bounded(store):
    found = store.ask_sessions("SELECT assistant_text FROM turns;", ["here"])
    assert (len(found.rows), found.more, len(found.rows[0][0])) == (50, True, 501)


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM sessions",
        "UPDATE turns SET user_text = ''",
        "SELECT 1; DROP TABLE sessions",
        "PRAGMA query_only = OFF",
        "ATTACH 'x' AS y",
        "SELECT * FROM main.sessions",
        "SELECT content FROM entries",
        "SELECT sql FROM sqlite_master",
        "SELECT load_extension('x')",
        "SELECT readfile('/etc/passwd')",
        "SELECT * FROM pragma_table_info('entries')",
        "SELECT * FROM temp.visible_repositories",
        "WITH x AS (SELECT content FROM main.entries) SELECT * FROM x",
        "WITH sessions AS (SELECT title FROM main.sessions) SELECT * FROM sessions",
        "WITH turns AS (SELECT content FROM main.entries) SELECT * FROM turns",
        "SELECT * FROM (SELECT title FROM main.sessions) AS sessions",
        "SELECT * FROM (SELECT content FROM main.entries) AS turns",
        "SELECT (SELECT group_concat(title) FROM main.sessions)",
        "CREATE TABLE x (y)",
        "SELECT randomblob(100000000)",
        "",
    ],
)
def test_nothing_but_a_select_from_the_views_is_possible(store, statement):
    with pytest.raises(RecollectError):
        store.ask_sessions(statement, ["here"])


def test_what_takes_too_long_is_ended(store, monkeypatch):
    monkeypatch.setattr(session_sql, "LIMIT_SECONDS", 0.05)
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
    with pytest.raises(Refused, match="longer than"):
        store.ask_sessions(endless, ["here"])
