"""A new database is made at once, and is the same as one that went through every migration."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from recollect.store import migrations
from recollect.store.database import SCHEMA_VERSION, Database
from recollect.store.migrations.__main__ import made_whole

if TYPE_CHECKING:
    from pathlib import Path

NOW = 1_790_000_000.0


def test_the_whole_schema_is_what_the_migrations_make() -> None:
    assert migrations.whole() == made_whole(), "run `python -m recollect.store.migrations`"


def test_a_new_database_is_the_same_as_one_that_was_brought_up_to_date(tmp_path: Path) -> None:
    at_once, by_steps = Database(str(tmp_path / "once.db")), Database(str(tmp_path / "steps.db"))
    migrations.migrate(at_once, now=NOW)
    migrations.migrate(by_steps, now=NOW, until=1)
    migrations.migrate(by_steps, now=NOW)
    for database in (at_once, by_steps):
        migrations.verify(database)
    assert at_once.schema_version() == by_steps.schema_version() == SCHEMA_VERSION
    assert migrations.schema_of(at_once.connection) == migrations.schema_of(by_steps.connection)
    assert rows(at_once.connection) == rows(by_steps.connection)


def rows(connection: sqlite3.Connection) -> dict[str, list[tuple[object, ...]]]:
    """What is in every ordinary table; the blocks of an index may be laid out otherwise."""
    tables = [name for name in migrations.columns_of(connection) if not name.endswith(("_text", "_data", "_idx"))]
    return {name: sorted(connection.execute(f"SELECT * FROM {name}").fetchall(), key=repr) for name in tables}
