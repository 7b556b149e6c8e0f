"""The migration from rows to ids, on a large database as the version before made it."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from recollect import Recollect
from recollect.errors import StoreError
from recollect.files.home import Home, ensure_home
from recollect.flows.opened import store_for_hook
from recollect.model.entries import Entry
from recollect.settings import Settings
from recollect.store import migrations
from recollect.store.backups import copies
from recollect.store.database import SCHEMA_VERSION, Database
from recollect.store.index import analysed_text
from recollect.store.pages import PAGE
from recollect.store.recovery import open_or_recover
from recollect.store.rows import SELECTED, to_row
from recollect.store.turn_index import repository_mark
from recollect.store.upkeep import check, verify_index
from recollect.text.terms import terms
from tests.processes import in_child

BEFORE = 6
NOW = 1_790_000_000.0
MANY = 30_000
FEW = 300
OWN = {"migrations"}  # the file's own
WORDS = ("gateway", "scheduler", "importer", "renderer", "mailer", "ledger", "crawler")
Rows = dict[str, list[tuple[object, ...]]]

# What the version before says, in terms of ids.
BY_ROW = {
    "entries": f"SELECT entry_row, {SELECTED}, statement_key, analysed FROM entries ORDER BY entry_row",
    "changes": "SELECT change_id, action, actor, created, undone_by FROM changes ORDER BY change_id",
    "audits": "SELECT change_id, entry_id, before, after FROM audits JOIN entries USING (entry_row) ORDER BY 1, 2",
    "votes": "SELECT entry_id, direction, v.reason, actor, v.created FROM votes AS v JOIN entries USING (entry_row) "
    "ORDER BY v.rowid",
    "conflicts": "SELECT n.entry_id, o.entry_id, c.created FROM conflicts AS c JOIN entries AS n "
    "ON n.entry_row = newer_row JOIN entries AS o ON o.entry_row = older_row ORDER BY 1, 2",
    "turns": "SELECT turn_row, session_id, number, record_id, user_text, user_analysed FROM turns "
    "JOIN sessions USING (session_row) ORDER BY turn_row",
    "values": "SELECT name, value FROM notes ORDER BY name",
    "recall": "SELECT rowid FROM entry_text WHERE entry_text MATCH '\"ledger\"' ORDER BY bm25(entry_text), rowid LIMIT 50",
    "turn recall": "SELECT rowid FROM turn_text WHERE turn_text MATCH '\"mailer\"' ORDER BY rowid",
    "counts": "SELECT term, documents FROM term_counts ORDER BY term",
}
BY_ID = {
    **BY_ROW,
    "audits": "SELECT change_id, entry_id, before, after FROM audits ORDER BY 1, 2",
    "votes": "SELECT entry_id, direction, reason, actor, created FROM votes ORDER BY rowid",
    "conflicts": "SELECT newer_id, older_id, created FROM conflicts ORDER BY 1, 2",
    "turns": "SELECT turn_row, session_id, number, record_id, user_text, user_analysed FROM turns ORDER BY turn_row",
    "values": "SELECT name, value FROM home_values ORDER BY name",
}


def entry(number: int) -> Entry:
    word = WORDS[number % len(WORDS)]
    return Entry(
        entry_id=f"e_{MANY - number:026}",  # ids that sort the other way round: no row can be taken for its place
        layer="L1",
        scope="user",
        content=f"The {word} listens on port {number}.",
        source="user",
        origin="typed",
        confidence=0.9,
        status="active",
        created=NOW - number,
        updated=NOW - number,
    )


def make_old_home(folder: Path, size: int) -> str:
    """A home as the version before made it, with all that names an entry or a session; returns its database."""
    home = ensure_home(str(folder))
    database = Database(home.database)
    migrations.migrate(database, now=NOW, until=BEFORE)
    entries = [entry(number) for number in range(1, size + 1)]
    # Analysed once a word and filled in: a hundred thousand times over would take longer than all the rest.
    texts = [analysed_text(entry(word + len(WORDS) * MANY), 1) for word in range(len(WORDS))]
    ports = [str(word + len(WORDS) * MANY) for word in range(len(WORDS))]
    analysed = [
        texts[number % len(WORDS)].replace(ports[number % len(WORDS)], str(number)) for number in range(1, size + 1)
    ]
    counts: dict[str, int] = {}
    for text in analysed:
        for term in ("", *set(text.split())):
            counts[term] = counts.get(term, 0) + 1
    with database.write(durable=False):
        database.run("INSERT INTO partitions (partition_id, layer, repository, live) VALUES (1, 'L1', '', 1)")
        marks = ", ".join("?" * (len(Entry._fields) + 3))
        database.run_many(
            f"INSERT INTO entries (entry_row, {SELECTED}, statement_key, analysed) VALUES ({marks})",
            [
                (row, *to_row(one), one.content.lower(), text)
                for row, (one, text) in enumerate(zip(entries, analysed, strict=True), 1)
            ],
        )
        database.run_many("INSERT INTO entry_text (rowid, analysed) VALUES (?, ?)", enumerate(analysed, 1))
        database.run_many("INSERT INTO term_counts VALUES (?, ?)", sorted(counts.items()))
        _add_trail(database, entries)
        _add_sessions(database, size // 10)
    database.close()
    return home.database


def _add_trail(database: Database, entries: list[Entry]) -> None:
    """Changes of a hundred additions each, a vote on every tenth entry, a conflict of every hundredth pair."""
    change = 0
    for start in range(0, len(entries), 100):
        change += 1
        database.run("INSERT INTO changes VALUES (?, 'remember', 'user', ?, 0)", (change, NOW - 9_000 + change))
        rows = [(change, row + 1) for row in range(start, min(start + 100, len(entries)))]
        database.run_many("INSERT INTO audits (change_id, entry_row) VALUES (?, ?)", rows)
    for row in range(10, len(entries), 10):
        change += 1
        created = NOW + change
        database.run("INSERT INTO changes VALUES (?, 'vote up', 'user', ?, 0)", (change, created))
        votes = [json.dumps([{"votes_up": 0}]), json.dumps([{"votes_up": 1}])]
        database.run("INSERT INTO audits VALUES (?, ?, ?, ?)", (change, row, *votes))
        database.run("UPDATE entries SET votes_up = 1 WHERE entry_row = ?", (row,))
        database.run("INSERT INTO votes VALUES (?, 'up', 'it helped', 'user', ?)", (row, created))
    database.run_many(
        "INSERT INTO conflicts VALUES (?, ?, ?)", [(row + 1, row, NOW) for row in range(1, len(entries), 100)]
    )
    database.run("UPDATE notes SET value = ? WHERE name = 'index changes'", (str(len(entries)),))


def _add_sessions(database: Database, turns: int) -> None:
    counts = {"": turns}
    for number in range(1, turns + 1):
        session = (number + 9) // 10
        if number % 10 == 1:
            database.run(
                "INSERT INTO sessions (session_row, session_id, host, native_id) VALUES (?, ?, 'codex', ?)",
                (session, f"s_{turns - session:026}", f"native {session}"),
            )
        typed = f"fix {WORDS[number % len(WORDS)]}, please"
        held = " ".join([*terms(typed), repository_mark("")])
        for term in held.split():
            counts[term] = counts.get(term, 0) + 1
        database.run(
            "INSERT INTO turns (turn_row, session_row, number, record_id, user_text, user_analysed, assistant_analysed, "
            "tools_analysed) VALUES (?, ?, ?, ?, ?, ?, '', '')",
            (number, session, number % 10 + 1, f"r{number}", typed, held),
        )
        database.run("INSERT INTO turn_text (rowid, user_analysed) VALUES (?, ?)", (number, held))
    database.run_many("INSERT INTO turn_term_counts VALUES (?, ?)", sorted(counts.items()))


def rows_of(path: str, queries: dict[str, str]) -> Rows:
    with closing(sqlite3.connect(path)) as connection:
        return {name: connection.execute(sql).fetchall() for name, sql in queries.items()}


def version_of(path: str) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


@pytest.fixture
def few(tmp_path: Path) -> str:
    return make_old_home(tmp_path / "home", FEW)


def opened(folder: Path) -> Recollect:
    return Recollect.open(str(folder), folder=str(folder), environ={"HOME": str(folder)}, clock=lambda: NOW + 99_999)


def test_a_large_database_says_the_same_after_it_was_killed_and_migrated(tmp_path: Path) -> None:
    folder = tmp_path / "home"
    path = make_old_home(folder, MANY)
    before = rows_of(path, BY_ROW)
    for seconds in (0.02, 0.3, 0.8):
        _killed_while_opening(path, str(folder / "backups"), after_seconds=seconds)
        assert BEFORE <= version_of(path) <= SCHEMA_VERSION, "each migration is whole or not there"
    with opened(folder) as memory:
        # A kill between two migrations leaves a copy of the version between as well.
        copy = next(one for one in copies(memory.home.backups) if version_of(one) == BEFORE)
        assert rows_of(path, BY_ID) == before
        assert rows_of(copy, BY_ROW) == before
        assert version_of(copy) == BEFORE
        assert verify_index(memory.opened.store) == []
        _use(memory)


def _killed_while_opening(path: str, backups: str, *, after_seconds: float) -> None:
    child = os.fork()
    if not child:
        try:
            open_or_recover(path, backups=backups, now=NOW + 100 * after_seconds)  # a copy is named by its second
        finally:
            os._exit(0)
    time.sleep(after_seconds)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def _use(memory: Recollect) -> None:
    """History, votes, conflicts, recall and undo go on from where they were."""
    voted = entry(20)
    details = memory.entries.show(voted.entry_id)
    assert [step.change.action for step in details.history] == ["remember", "vote up"]
    assert [vote["reason"] for vote in details.votes] == ["it helped"]
    [newer, older] = memory.entries.conflicts()[0]
    assert (newer.entry_id, older.entry_id) == (entry(2).entry_id, entry(1).entry_id)
    assert memory.recall("which service listens on port 4321?").entries[0].entry.entry_id == entry(4321).entry_id
    memory.undo(voted.entry_id)
    assert memory.entries.get(voted.entry_id).votes_up == 0
    assert memory.entries.show(voted.entry_id).votes == []
    assert (
        memory.opened.store.sessions.turns(memory.opened.store.sessions.get("native 1").session_id)[0].user
        == "fix renderer, please"
    )


def test_a_crash_at_any_statement_leaves_the_version_before_and_the_next_start_goes_on(few: str) -> None:
    before = rows_of(few, BY_ROW)
    statements = len(migrations.statements(migrations.available()[BEFORE].sql))
    for count in range(1, statements + 4, 4):
        assert in_child(partial(_crash_at, few, count)) != 0
        assert version_of(few) == BEFORE
    assert rows_of(few, BY_ROW) == before
    store, _ = open_or_recover(few, backups=os.path.join(os.path.dirname(few), "backups"), now=NOW)
    with closing(store):
        assert rows_of(few, BY_ID) == before
        assert check(store) == []


def _crash_at(path: str, count: int) -> None:
    class Dying(Database):
        left = count

        def run(self, sql: str, values: object = ()) -> sqlite3.Cursor:
            self.left -= 1
            if not self.left:
                os.kill(os.getpid(), signal.SIGKILL)
            return super().run(sql, values)

    migrations.migrate(Dying(path), now=NOW)


def test_eight_processes_that_open_an_old_home_at_once_make_one_copy_and_one_schema(few: str) -> None:
    backups = os.path.join(os.path.dirname(few), "backups")
    children = []
    for _ in range(8):
        child = os.fork()
        if not child:
            code = 1
            try:
                open_or_recover(few, backups=backups, now=NOW)
                code = 0
            finally:
                os._exit(code)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 8
    assert (version_of(few), len(copies(backups))) == (SCHEMA_VERSION, 1)


def test_an_upgrade_that_takes_long_is_told_with_the_name_of_the_copy(few: str, monkeypatch) -> None:
    backups = os.path.join(os.path.dirname(few), "backups")
    monkeypatch.setattr("recollect.store.recovery.TOLD_SECONDS", 0.0)
    store, [told] = open_or_recover(few, backups=backups, now=NOW)
    with closing(store):
        assert told.startswith(f"{few} was upgraded in ")
        assert copies(backups)[0] in told
        assert [one.text for one in store.announcements.open("")] == [told]


def test_what_a_killed_copy_left_half_way_is_removed_by_a_later_one(few: str) -> None:
    backups = Path(few).parent / "backups"
    backups.mkdir(exist_ok=True)
    left, young = (
        backups / "recollect-20200101-000000.db.unfinished",
        backups / "recollect-20990101-000000.db.unfinished",
    )
    left.touch()
    young.touch()
    os.utime(left, (NOW - 99_999_999, NOW - 99_999_999))
    open_or_recover(few, backups=str(backups), now=NOW)[0].close()
    assert (left.exists(), young.exists()) == (False, True)


def test_a_hook_that_meets_the_version_before_neither_migrates_nor_copies(few: str) -> None:
    home = Home(os.path.dirname(few))
    with pytest.raises(StoreError, match="another version"):
        store_for_hook(home, Settings(), lambda: False)
    assert (version_of(few), copies(home.backups)) == (BEFORE, [])


def test_where_no_copy_can_be_made_nothing_is_migrated(few: str) -> None:
    backups = os.path.join(os.path.dirname(few), "backups")
    os.rmdir(backups) if os.path.isdir(backups) else None
    Path(backups).write_text("in the way")
    with pytest.raises(StoreError):
        open_or_recover(few, backups=backups, now=NOW)
    assert version_of(few) == BEFORE


def test_a_damaged_database_of_the_version_before_keeps_its_trail(few: str) -> None:
    before = rows_of(few, BY_ROW)
    with closing(sqlite3.connect(few, isolation_level=None)) as connection:
        connection.execute("DROP TABLE receipts")
        connection.execute("UPDATE turns SET user_analysed = 'read by other rules' WHERE turn_row = 1")
    Path(f"{few}.damaged").touch()
    store, told = open_or_recover(few, backups=os.path.join(os.path.dirname(few), "backups"), now=NOW)
    with closing(store):
        assert f"all {FEW} entries were saved" in told[0]
        after = rows_of(few, BY_ID)
        for name in ("changes", "audits", "votes", "conflicts", "turns", "counts"):
            assert after[name] == before[name]
        assert check(store) == []


def test_an_entry_that_only_its_leaf_page_knows_is_saved_whether_or_not_it_was_written_before(few: str) -> None:
    folder = Path(few).parent
    with opened(folder) as memory:
        memory.remember("The harbour crane is painted yellow.", scope="user")
        memory.opened.store.database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    with closing(sqlite3.connect(few)) as connection:
        [(root,)] = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'entries'").fetchall()
    with open(few, "r+b") as file:
        file.seek((root - 1) * PAGE)
        file.write(bytes(PAGE))
    with opened(folder) as memory:
        assert len(memory.entries.list(everywhere=True)) == FEW + 1


def test_every_table_has_room_for_a_tenant(tmp_path: Path) -> None:
    database = Database(str(tmp_path / "recollect.db"))
    migrations.migrate(database, now=NOW)
    for name, columns in migrations.columns_of(database.connection).items():
        if "_text" not in name and not name.startswith("sqlite_") and name not in OWN:
            assert "tenant" in columns, f"{name} has no room for a tenant"
        for column in columns:
            assert not column.endswith("_row") or column in _own_rows(name), f"{name}.{column} refers to a row"


def _own_rows(table: str) -> Iterator[str]:
    """The rows of a table itself, and of the turns whose vectors an index holds."""
    yield {"entries": "entry_row", "sessions": "session_row", "turns": "turn_row", "turn_vectors": "turn_row"}.get(
        table, ""
    )
