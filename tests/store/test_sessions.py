"""Sessions in the store."""

from __future__ import annotations

from pathlib import Path

from recollect.store import migrations
from recollect.store.database import Database
from recollect.store.store import open_store

NOW = 1_790_000_000.0


def test_how_far_a_model_was_asked_moves_from_the_home_to_its_session(tmp_path: Path) -> None:
    database = Database(str(tmp_path / "recollect.db"))
    [step] = [one for one in migrations.available() if "judged" in one.name]
    migrations.migrate(database, now=NOW, until=step.number - 1)
    with database.write():
        database.run("INSERT INTO sessions (session_id, host, native_id) VALUES ('s_1', 'codex', 'a')")
        database.run("INSERT INTO sessions (session_id, host, native_id) VALUES ('s_2', 'codex', 'b')")
        database.run("INSERT INTO home_values (name, value) VALUES ('models.extracted.s_1', '7'), ('models.day', 'x')")
    database.close()
    store = open_store(str(tmp_path / "recollect.db"), now=NOW)
    assert (store.sessions.judged("s_1"), store.sessions.judged("s_2")) == ((7, ""), (0, ""))
    assert (store.home_value("models.extracted.s_1"), store.home_value("models.day")) == ("", "x")
