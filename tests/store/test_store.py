"""The store: one file, many threads and processes, all or nothing, and errors that say what to do."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import textwrap
import threading
from functools import partial
from pathlib import Path

import pytest

from recollect import Recollect
from recollect.errors import FileError, RecollectError, StoreBusy, StoreError, StoreTooNew, UsageError
from recollect.flows.writes.actors import Person
from recollect.locks import Lock
from recollect.model.drafts import Add, Draft, Remove, Update
from recollect.store import backups, index, migrations
from recollect.store.database import LOG_BYTES, SCHEMA_VERSION, Database
from recollect.store.recovery import open_or_recover
from recollect.store.store import Store, open_store
from recollect.store.upkeep import INDEXES, check, rebuild_index, verify_index
from tests.paths import SOURCE
from tests.processes import in_child

NOW = 1_790_000_000.0
CACHESTAT = 451  # the number of the system call, the same on every kind of processor


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(str(tmp_path / "recollect.db"), now=NOW)


def note(store: Store, name: str, value: str = "x") -> None:
    with store.write():
        store.set_home_value(name, value)


# Files


@pytest.mark.parametrize("name", ["with space", "ünï 記憶", "what?#x", "100%20", "file:mode=memory", "quote'\"", "a;b"])
def test_a_home_may_have_any_name(tmp_path, name):
    folder = tmp_path / name
    folder.mkdir()
    note(open_store(str(folder / "recollect.db"), now=NOW), "kept")
    assert open_store(str(folder / "recollect.db"), now=NOW).home_value("kept") == "x"
    assert os.listdir(tmp_path) == [name]


def test_a_relative_path_means_the_same_after_a_change_of_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    store = open_store("recollect.db", now=NOW)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    store.close()
    note(store, "kept")
    assert os.listdir(tmp_path / "elsewhere") == []


def test_the_database_is_its_owners_alone(tmp_path, store):
    note(store, "kept")
    files = [path for path in tmp_path.iterdir() if path.is_file()]
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(StoreError, match=re.escape(f"the folder {tmp_path / 'gone'} is not there")):
        open_store(str(tmp_path / "gone" / "recollect.db"), now=NOW)


def test_a_folder_that_may_not_be_written_is_named_in_a_sentence():
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "recollect.db")
    store = open_store(path, now=NOW)
    note(store, "kept")
    store.close()

    def work() -> None:
        if os.geteuid() == 0:
            os.setuid(65534)
        with pytest.raises((StoreError, FileError), match=r"cannot be written|could not be opened"):
            note(open_store(path, now=NOW), "other")

    try:
        os.chmod(path, 0o444)
        for name in os.listdir(folder):
            os.chmod(os.path.join(folder, name), 0o444)
        os.chmod(folder, 0o555)
        assert in_child(work) == 0
    finally:
        os.chmod(folder, 0o755)
        shutil.rmtree(folder)


def test_a_database_that_is_removed_under_a_running_program_is_reported_not_recreated(store):
    note(store, "kept")
    os.unlink(store.database.path)
    with pytest.raises(StoreError, match="was removed while it was in use"):
        note(store, "lost")
    assert not os.path.exists(store.database.path)


def test_a_program_that_runs_on_writes_into_the_file_that_took_the_old_ones_place(tmp_path, store):
    note(store, "old")
    other = open_store(str(tmp_path / "other.db"), now=NOW)
    note(other, "new")
    other.close()
    for suffix in ("-wal", "-shm"):
        os.unlink(store.database.path + suffix)
    os.replace(tmp_path / "other.db", store.database.path)
    note(store, "after")
    fresh = open_store(store.database.path, now=NOW)
    assert (fresh.home_value("old"), fresh.home_value("new"), fresh.home_value("after")) == ("", "x", "x")


# Transactions


def test_an_error_inside_a_write_takes_everything_back_also_when_somebody_catches_it(store):
    def work() -> None:
        with store.write():
            store.set_home_value("outer", "x")
            try:
                with store.write():
                    store.set_home_value("inner", "x")
                    raise ValueError
            except ValueError:
                pass

    with pytest.raises(StoreError, match="nothing of the change was written"):
        work()
    assert (store.home_value("outer"), store.home_value("inner")) == ("", "")


def test_after_a_failed_statement_nothing_more_is_written(store):
    def work() -> None:
        with store.write():
            store.set_home_value("first", "x")
            try:
                store.database.run("INSERT INTO home_values (name, value) VALUES ('first', 'again')")
            except StoreError:
                pass
            store.set_home_value("second", "x")

    with pytest.raises(StoreError, match="an earlier statement failed"):
        work()
    assert (store.home_value("first"), store.home_value("second")) == ("", "")
    note(store, "third")
    assert store.home_value("third") == "x"


def test_a_change_without_a_write_is_refused(store):
    with pytest.raises(StoreError, match=r"no write\(\) is open"):
        store.set_home_value("stray", "x")
    assert store.home_value("stray") == ""


def test_an_interrupt_gives_the_lock_back(store):
    def work() -> None:
        with store.write():
            store.set_home_value("half", "x")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()
    assert store.home_value("half") == ""
    with Lock(store.database.path + ".lock", 0.0):
        pass


def test_a_connection_is_not_closed_under_an_open_transaction(store):
    with store.write():
        store.set_home_value("kept", "x")
        with pytest.raises(StoreError, match="a transaction is open"):
            store.close()
    assert store.home_value("kept") == "x"


def test_a_write_does_not_begin_inside_a_read(store):
    with store.read(), pytest.raises(StoreError, match="cannot begin inside a read"):
        note(store, "x")


def test_reads_of_one_snapshot_agree_whatever_is_written_meanwhile(store):
    other = open_store(store.database.path, now=NOW)
    with store.read():
        assert store.home_value("late") == ""
        note(other, "late")
        with store.read():
            assert store.home_value("late") == ""
    assert store.home_value("late") == "x"


def test_durable_writes_run_with_full_syncs_and_a_log(store):
    """What is tested: the settings inside the transaction. Whether the disk keeps its word nobody can test here."""
    for durable, level in ((True, 2), (False, 1), (True, 2)):
        with store.write(durable=durable) as connection:
            assert connection.execute("PRAGMA synchronous").fetchone() == (level,)
            assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


class _Range(ctypes.Structure):
    _fields_ = [("start", ctypes.c_uint64), ("length", ctypes.c_uint64)]


class _Pages(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("cached", "dirty", "being_written", "evicted", "evicted_lately")]


def unwritten_pages(path: str) -> int | None:
    """Pages of a file that a power cut would take; None where the system does not say (Linux before 6.5, others)."""
    if sys.platform != "linux":
        return None
    everything, pages = _Range(0, 0), _Pages()
    handle = os.open(path, os.O_RDONLY)
    try:
        failed = ctypes.CDLL(None).syscall(CACHESTAT, handle, ctypes.byref(everything), ctypes.byref(pages), 0)
    finally:
        os.close(handle)
    return None if failed else pages.dirty + pages.being_written


def syncs_before_acknowledging(folder: Path) -> list[bool]:
    """Was the call before each acknowledgement one that writes to the disk? As strace saw it."""
    script = f"""
        import os
        from recollect.store.store import open_store
        store = open_store({str(folder / "traced.db")!r}, now=1.0)
        for number in range(5):
            with store.write():
                store.set_home_value(str(number), "x")
            os.write(1, b"acknowledged")
        os._exit(0)
    """
    command = ["strace", "-e", "trace=fsync,fdatasync,write", "-o", str(folder / "trace")]
    subprocess.run([*command, sys.executable, "-c", textwrap.dedent(script)], capture_output=True, check=True)
    seen = re.findall(r"^(f\w*sync|write\(1, .acknowledged)", (folder / "trace").read_text(), re.MULTILINE)
    return [seen[place - 1].endswith("sync") for place, call in enumerate(seen) if call.startswith("write")]


def test_every_durable_commit_is_on_the_disk_before_it_is_acknowledged(tmp_path, store, memory):
    """By what the kernel says is not yet written; where it does not say so, by the calls that were made."""
    log = store.database.path + "-wal"
    seen_unwritten = False
    for number in range(20):
        with store.write(durable=False):
            store.set_home_value(f"receipt {number}", "x" * 3_000)
        seen_unwritten = seen_unwritten or bool(unwritten_pages(log))
        note(store, f"entry {number}", "x" * 3_000)
        assert not unwritten_pages(log)
        memory.remember(f"The {'abcdefghijklmnopqrst'[number] * 5} is number {number}.")
        assert not unwritten_pages(memory.home.database + "-wal")
    if not seen_unwritten and shutil.which("strace"):
        assert syncs_before_acknowledging(tmp_path) == [True] * 5


def test_a_bulk_load_does_not_leave_a_long_log_behind(store):
    with store.write():
        for number in range(400):
            store.set_home_value(f"n{number}", "x" * 60_000)
    for number in range(3):
        note(store, f"small{number}")
    assert os.path.getsize(store.database.path + "-wal") <= LOG_BYTES + 100_000


# Threads and forks


def test_threads_write_and_read_through_one_store(store):
    failures: list[BaseException] = []

    def work(name: int) -> None:
        try:
            for number in range(20):
                note(store, f"{name}-{number}")
                assert store.home_value(f"{name}-{number}") == "x"
            store.close()
        except BaseException as error:  # noqa: BLE001 - an assertion in a thread would be lost
            failures.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert store.database.rows("SELECT count(*) FROM home_values WHERE value = 'x'") == [(160,)]


def test_a_forked_child_leaves_the_parents_connection_alone(store):
    note(store, "before")
    mine = store.database.connection

    def work() -> None:
        assert store.home_value("before") == "x"
        assert store.database.connection is not mine
        note(store, "child")
        store.close()

    assert in_child(work) == 0
    assert store.database.connection is mine
    note(store, "after")
    assert (store.home_value("child"), store.home_value("after")) == ("x", "x")
    assert check(store) == []


def test_a_child_forked_inside_a_write_neither_ends_it_nor_keeps_its_lock(store):
    ready, go = os.pipe()
    with store.write():
        store.set_home_value("parent", "x")
        child = os.fork()
        if child == 0:
            try:
                raise SystemExit
            except SystemExit:
                os.read(ready, 1)
                os._exit(0)
    # The child still has the lock file open: that must keep nobody waiting.
    with Lock(store.database.path + ".lock", 0.0):
        pass
    os.write(go, b"x")
    os.waitpid(child, 0)
    assert store.home_value("parent") == "x"

    def leaves_through_the_with() -> None:
        with store.write():
            store.set_home_value("second", "x")
            pid = os.fork()
            if pid:
                os.waitpid(pid, 0)
        os._exit(0)

    assert in_child(leaves_through_the_with) == 0
    assert store.home_value("second") == "x"


def test_a_lock_held_elsewhere_is_busy_and_not_damage(store):
    quick = open_store(store.database.path, now=NOW, wait_seconds=0.05)
    with store.write():
        store.set_home_value("slow", "x")
        with pytest.raises(StoreBusy), quick.write(wait_seconds=0.01):
            pass
        opened, notices = open_or_recover(store.database.path, backups="", now=NOW)
        assert notices == []
        assert opened.home_value("slow") == ""
        opened.close()


def test_a_foreign_writer_that_takes_no_lock_of_ours_is_waited_for_as_long_as_was_asked(store):
    foreign = sqlite3.connect(store.database.path, isolation_level=None)
    foreign.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreBusy), store.write(wait_seconds=0.05):
        pass
    foreign.execute("ROLLBACK")
    note(store, "after")
    assert store.database.rows("PRAGMA busy_timeout") == [(30_000,)]


# Values


def test_half_a_character_is_replaced_where_text_is_stored_and_named_where_it_is_not(memory):
    outcome = memory.remember("Surrogates \ud800 come from broken pipes.", tags=["a\udcff"])
    assert memory.entries.get(outcome.entry_id).content == "Surrogates ? come from broken pipes."
    memory.recall("what \udfff about pipes?")
    with pytest.raises(UsageError, match="half a character"):
        memory.opened.store.home_value("\ud800")
    with pytest.raises(RecollectError):
        memory.undo("9" * 30)


def test_one_change_may_touch_an_entry_twice_and_is_undone_as_one(memory):
    first = memory.remember("The cache lives in Redis.").entry_id
    before = memory.entries.get(first)
    draft = Draft("The cache lives in Redis.", repository=memory.repository.repository, tags=("infra",))
    memory.writes(Person("agent")).batch([Update(first, draft), Remove(first)])
    assert memory.entries.get(first).status == "tombstone"
    memory.undo()
    assert memory.entries.get(first)._replace(updated=0) == before._replace(updated=0)
    twins = [Add(Draft("Logs go to Loki.", repository=memory.repository.repository))] * 2
    assert [one.status for one in memory.writes(Person("agent")).batch(twins)] == ["stored", "duplicate"]
    assert verify_index(memory.opened.store) == []


def test_an_erased_entrys_row_does_not_stand_for_the_one_that_comes_after_it(memory):
    gone = memory.opened.store.entries.get(memory.remember("Builds run on Jenkins.").entry_id)
    memory.forget(gone.entry.entry_id, hard=True)
    fresh = memory.opened.store.entries.get(memory.remember("Deploys go through Argo.").entry_id)
    assert fresh.entry_row == gone.entry_row
    with pytest.raises(RecollectError, match="it was erased"), memory.opened.store.write():
        memory.opened.store.entries.erase(gone)
    assert memory.entries.get(fresh.entry.entry_id).content == "Deploys go through Argo."


# Migrations


def test_every_step_is_recorded_with_its_checksum(store):
    shipped = [(one.number, one.name, one.checksum) for one in migrations.available()]
    assert store.database.rows("SELECT number, name, checksum FROM migrations ORDER BY number") == shipped
    assert [number for number, _, _ in shipped] == list(range(1, SCHEMA_VERSION + 1))
    migrations.verify(store.database)


def test_the_documented_tables_are_the_tables_there_are(store):
    documented = (SOURCE.parent.parent / "docs" / "architecture.md").read_text()
    tables = documented.split("## Tables")[1].split("\n## ")[0]
    made = store.database.rows(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%#_text#_%' ESCAPE '#'"
        " AND name NOT LIKE 'sqlite_%'"
    )
    assert set(re.findall(r"^\| `(\w+)`", tables, re.MULTILINE)) == {name for (name,) in made}


def test_every_text_index_is_known_to_upkeep(store):
    virtual = store.database.rows("SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL%'")
    assert {index.name for index in INDEXES} == {name for (name,) in virtual}


def test_a_crash_at_any_statement_of_a_migration_leaves_the_version_before_it(tmp_path, monkeypatch):
    def crash_at(count: int) -> None:
        class Dying(Database):
            def run(self, sql, values=()):
                nonlocal count
                count -= 1
                if not count:
                    os.kill(os.getpid(), signal.SIGKILL)
                return super().run(sql, values)

        migrations.migrate(Dying(path), now=NOW)

    for count, from_old in [(1, False), (30, False), *((count, True) for count in (1, 2, 9, 20, 30, 36, 40, 60))]:
        path = str(tmp_path / f"{count}{from_old}.db")
        if from_old:
            old = Database(path)
            migrations.migrate(old, now=NOW, until=1)
            old.close()
        code = in_child(partial(crash_at, count))
        connection = sqlite3.connect(path)
        [(version,)] = connection.execute("PRAGMA user_version").fetchall()
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        recorded = connection.execute("SELECT number FROM migrations").fetchall() if tables else []
        connection.close()
        assert len(recorded) == version
        assert code == 0 or version < SCHEMA_VERSION
        assert check(open_store(path, now=NOW)) == []


def test_a_migration_that_fails_changes_nothing(tmp_path, monkeypatch):
    store = open_store(str(tmp_path / "recollect.db"), now=NOW)
    note(store, "kept")
    before = migrations.schema_of(store.database.connection)
    broken = migrations.Migration(
        SCHEMA_VERSION + 1, "9999_broken.sql", "CREATE TABLE fine (a);\nCREATE nonsense;\n", "x"
    )
    shipped = migrations.available()
    monkeypatch.setattr(migrations, "available", lambda: [*shipped, broken])
    with pytest.raises(StoreError):
        migrations.migrate(store.database, now=NOW)
    assert migrations.schema_of(store.database.connection) == before
    assert (store.home_value("kept"), store.database.schema_version()) == ("x", SCHEMA_VERSION)


def test_a_newer_database_is_refused_and_not_touched(tmp_path):
    path = tmp_path / "recollect.db"
    store = open_store(str(path), now=NOW)
    with store.write():
        store.database.run("INSERT INTO migrations VALUES (99, '0099_later.sql', 'x', 0)")
        store.database.run("PRAGMA user_version = 99")
    store.close()
    before = path.read_bytes()
    with pytest.raises(StoreTooNew, match=r"has schema 99.*upgrade Recollect.* Nothing was changed\."):
        open_or_recover(str(path), backups=str(tmp_path), now=NOW)
    assert path.read_bytes() == before
    assert {one.name for one in tmp_path.iterdir()} <= {"recollect.db", "recollect.db.lock", "recollect.db.created"}


def test_a_program_that_runs_on_writes_nothing_into_what_a_newer_one_has_migrated(memory):
    memory.remember("The queue is NATS.")
    newer = sqlite3.connect(memory.home.database)
    newer.execute("INSERT INTO migrations VALUES (99, '0099_later.sql', 'x', 0)")
    newer.execute("PRAGMA user_version = 99")
    newer.commit()
    newer.close()
    with pytest.raises(StoreTooNew, match="has schema 99"):
        memory.remember("An older program writes on.")
    assert [entry.content for entry in memory.entries.list()] == ["The queue is NATS."]


def test_another_programs_database_is_refused_and_not_touched(tmp_path):
    path = tmp_path / "recollect.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE invoices (total)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="a database of another program; nothing was changed"):
        open_or_recover(str(path), backups=str(tmp_path), now=NOW)
    assert path.read_bytes() == before


def test_another_builds_schema_is_refused_and_a_merely_wrong_record_is_put_right(tmp_path):
    path = str(tmp_path / "recollect.db")
    store = open_store(path, now=NOW)
    with store.write():
        store.database.run("UPDATE migrations SET checksum = 'x' WHERE number = 1")
    store.close()
    opened, notices = open_or_recover(path, backups=str(tmp_path), now=NOW)
    assert notices == []
    migrations.verify(opened.database)
    with opened.write():
        opened.database.run("UPDATE migrations SET checksum = 'x' WHERE number = 1")
        opened.database.run("ALTER TABLE home_values ADD COLUMN extra TEXT")
    opened.close()
    with pytest.raises(StoreError, match="another build of Recollect"):
        open_or_recover(path, backups=str(tmp_path), now=NOW)


# Index and backups


def test_verification_finds_what_was_changed_behind_the_indexs_back_and_a_rebuild_mends_it(memory):
    for text in ("The API speaks gRPC.", "Tests run with pytest.", "Secrets live in Vault."):
        memory.remember(text)
    store = memory.opened.store
    assert verify_index(store) == []
    tampering = (
        "UPDATE entries SET analysed = replace(analysed, 'grpc', 'rest') WHERE analysed LIKE '%grpc%'",
        "INSERT INTO entry_text (rowid, analysed) VALUES (77, 'ghost')",
        "UPDATE term_counts SET documents = documents + 1 WHERE term = 'pytest'",
        "DELETE FROM term_counts WHERE term = ''",
        "UPDATE partitions SET live = 1 - live",
    )
    for sql in tampering:
        with store.write():
            store.database.run(sql)
        assert verify_index(store), sql
        assert rebuild_index(store) == 3
        assert verify_index(store) == [], sql


def test_an_index_that_grew_is_made_one_piece_again(memory, monkeypatch):
    monkeypatch.setattr(index, "SMALLEST_MERGED", 300)
    pieces = "SELECT count(DISTINCT segid) FROM entry_text_idx"
    counted = []
    for start in range(0, 600, 100):
        memory.remember_many([f"Fact {number} is about topic {number % 7}." for number in range(start, start + 100)])
        counted.append(memory.opened.store.database.rows(pieces)[0][0])
    assert counted[2] > 1
    assert counted[3] == 1, "from 375 entries on, a quarter more than the smallest store that is merged"
    assert memory.opened.store.home_value("index merged") == "500"
    assert verify_index(memory.opened.store) == []


def test_a_backup_is_a_whole_database_and_only_the_newest_stay(memory):
    folder = memory.home.backups
    made = []
    for day in range(5):
        memory.remember(f"Fact number {day} is about topic {'abcde'[day] * 5}.")
        made.append(backups.backup(memory.opened.store, folder, now=NOW + day * 86_400))
    assert backups.copies(folder) == made[:1:-1]
    newest = open_store(made[-1], now=NOW)
    assert len(newest.entries.listed({})) == 5
    assert check(newest) == []
    newest.close()
    assert backups.backup(memory.opened.store, folder, now=NOW + 9 * 86_400) == ""


def test_a_backup_is_made_while_others_write_and_is_a_state_that_was_there(memory):
    memory.remember("The first fact is about lizards.")
    with memory.opened.store.write():
        memory.opened.store.set_home_value("half", "x")
        copy = backups.backup(memory.opened.store, memory.home.backups, now=NOW)
    store = open_store(copy, now=NOW)
    assert store.home_value("half") == ""
    assert len(store.entries.listed({})) == 1


def test_what_was_erased_does_not_live_on_in_a_backup(memory):
    gone = memory.remember("The launch codeword is xylophone.").entry_id
    backups.backup(memory.opened.store, memory.home.backups, now=NOW)
    memory.forget(gone, hard=True)
    kept = backups.renew(memory.opened.store, memory.home.backups, now=NOW + 60)
    assert backups.copies(memory.home.backups) == [kept]
    memory.close()
    for path in Path(memory.home.root).rglob("*"):
        if path.is_file():
            assert b"xylophone" not in path.read_bytes(), path


# Portability


def test_statements_outside_connection_schema_and_search_are_portable():
    """PostgreSQL has to take them: no two-argument max, no INSERT OR, no empty IN (), no negative LIMIT."""
    own = {
        "database",
        "entry_index",
        "turn_index",
        "turn_search",
        "browsing",
        "session_sql",
        "recovery",
        "salvage",
        "pages",
        "upkeep",
        "backups",
        "failures",
        "schema",
    }
    for path in [*(SOURCE / "store").glob("*.py"), *(SOURCE / "store" / "statements").glob("*.py")]:
        if path.stem not in own:
            text = path.read_text()
            for sqlite_only in (
                r"\bmax\([^()]*,",
                r"INSERT OR",
                r"\bifnull\(",
                r"PRAGMA",
                r"\browid\b",
                r"lastrowid",
                r"LIMIT -1",
            ):
                assert not re.search(sqlite_only, text), f"{path.name}: {sqlite_only}"


# Promise


PROMISE_2 = """
import os, sys
forbidden = ("socket.", "subprocess.", "os.exec", "os.posix_spawn", "os.fork", "os.system", "urllib.", "ctypes.")
opened = set()
def audit(event, arguments):
    if event.startswith(forbidden):
        raise RuntimeError(f"{event} {arguments}")
    if event == "open" and isinstance(arguments[0], str) and isinstance(arguments[2], int) and arguments[2] & 3:
        opened.add(os.path.abspath(arguments[0]))
sys.addaudithook(audit)
from recollect import Recollect
from recollect.flows.upkeep.put_in_order import put_in_order
home = sys.argv[1]
memory = Recollect.open(home, folder=sys.argv[2], environ={"HOME": sys.argv[2]})
old = memory.remember("We deploy with Capistrano.", subject="deploy tool", scope="user").entry_id
memory.remember("The staging database is called otter.", scope="user")
assert "otter" in memory.inject("how is the staging database called?").text
answer = memory.recall("deploy tool")
found, receipt = answer.found, answer.receipt
assert [one.entry.entry_id for one in found.entries] == [old]
memory.vote(old, "up", "still true")
new = memory.correct("We deploy with Kamal, not Capistrano.", entry_id=old).entry_id
assert memory.entries.get(old).superseded_by == new
memory.undo()
assert memory.entries.get(old).status == "active"
memory.forget(old)
document = memory.transfer.export()
put_in_order(memory.opened)
memory.close()
other = Recollect.open(home + "-2", folder=sys.argv[2], environ={"HOME": sys.argv[2]})
assert other.transfer.load(document).entries == 3
other.close()
assert all(path.startswith((home, "/dev/")) for path in opened), opened
print("done")
"""


def test_promise_2_the_whole_main_job_runs_on_one_sqlite_file(tmp_path):
    """No network, no other process, no model, no file outside the home: an audit hook in a real process says so."""
    work = tmp_path / "work"
    work.mkdir()
    home = tmp_path / "home"
    done = subprocess.run(
        [sys.executable, "-I", "-B", "-c", PROMISE_2, str(home), str(work)], capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "done", done.stderr
    # The daily safety copy is a copy of that one file.
    files = {path.name for path in home.rglob("*") if path.is_file() and path.parent.name != "backups"}
    data = {"recollect.db", "recollect.db.lock", "recollect.db.created", "config.cache.json"}
    assert files <= data, files
    assert os.listdir(work) == []


def test_an_open_memory_survives_many_opens_and_closes_in_one_process(open_memory):
    first = open_memory()
    entry_id = first.remember("Closing one connection must not let go of another's locks.", scope="user").entry_id
    for _ in range(5):
        second = Recollect.open(first.home.root, folder=first.folder, environ={"HOME": first.folder})
        assert second.entries.get(entry_id)
        second.close()
    first.remember("It is still there afterwards.", scope="user")
    assert check(first.opened.store) == []
