"""What turns touched: kept with a turn, and told of turns from before it was."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

from recollect.model.sessions import COMMITS, Session, ToolUse, Turn
from recollect.store import migrations
from recollect.store.database import Database
from recollect.store.store import open_store

TOOLS = {
    "u1": (
        ToolUse("edit", "change", "src/a.py", "", True, None, ("src/a.py", "C:\\app\\b.py", "c.py")),
        ToolUse("edit", "change", "src/a.py", "", True, None, ("/home/ada/a.py",)),
        ToolUse("exec", "command", "git commit -am x", "[main 1234567] x", True),
    ),
    "u2": (ToolUse("read", "read", "d.py", "commit", True), ToolUse("exec", "command", "ls", "e.py", True)),
    "u3": (),
}


def turns() -> list[Turn]:
    return [
        Turn(n, "Do it", "", tools, float(n), n + 0.5, record) for n, (record, tools) in enumerate(TOOLS.items(), 1)
    ]


def touches(path: Path) -> list[tuple[int, set[str]]]:
    with closing(open_store(str(path), now=9.0)) as store:
        found = store.sessions.touches(["s_1"], ("b.py", COMMITS), since=0.0, until=9.0)
        assert store.sessions.touches(["s_1"], ("y.py", "a"), since=0.0, until=9.0) == [], "a name is matched whole"
        return [(one.number, set(one.names)) for one in found]


def test_names_of_changed_files_and_commits_are_kept_with_a_turn(tmp_path: Path) -> None:
    with closing(open_store(str(tmp_path / "new.db"), now=1.0)) as store, store.write():
        store.sessions.save(Session("s_1", "codex", "one"))
        store.sessions.add_turns("s_1", turns(), ["", "", ""])
    assert touches(tmp_path / "new.db") == [(1, {"a.py", "b.py", "c.py", COMMITS})]
    with closing(open_store(str(tmp_path / "new.db"), now=1.0)) as store:
        assert [(name, turn.number) for name, turn in store.sessions.turns_at([("s_1", 3), ("s_1", 1)])] == [
            ("s_1", 1),
            ("s_1", 3),
        ]
        with store.write():
            store.sessions.replace_turn("s_1", turns()[2]._replace(tools=TOOLS["u1"][:1]))
    assert [number for number, _ in touches(tmp_path / "new.db")] == [1, 3]


def test_turns_from_before_say_the_same_after_the_migration(tmp_path: Path) -> None:
    path = str(tmp_path / "old.db")
    database = Database(path)
    first = next(one.number for one in migrations.available() if "touched" in one.name)
    migrations.migrate(database, now=1.0, until=first - 1)
    with database.write():
        for turn in turns():
            tools = json.dumps([tuple(tool) for tool in turn.tools]) if turn.tools else ""
            database.run(
                "INSERT INTO turns (session_id, number, record_id, at, ended, user_analysed, assistant_analysed, "
                "tools_analysed, user_text, tools) VALUES ('s_1', ?, ?, ?, ?, '', '', '', 'Do it', ?)",
                (turn.number, turn.record_id, turn.at, turn.ended, tools),
            )
        database.run("UPDATE turns SET tools = '{not json' WHERE number = 3")
    database.close()
    assert touches(tmp_path / "old.db") == [(1, {"a.py", "b.py", "c.py", COMMITS})]
