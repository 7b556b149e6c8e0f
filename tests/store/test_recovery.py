"""A damaged, missing or foreign file: a copy is kept, what can be read is saved, and the user is told how much."""

from __future__ import annotations

import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from recollect import Recollect
from recollect.errors import RecollectError, StoreDamaged
from recollect.files.home import Home
from recollect.files.processes import parents
from recollect.flows.setup.doctor import examine
from recollect.flows.turns.announcements import announcements
from recollect.flows.upkeep.put_in_order import put_in_order
from recollect.hosts.programs import agent_of
from recollect.store import backups, pages
from recollect.store.recovery import open_or_recover, recover
from recollect.store.store import open_store
from recollect.store.upkeep import check, verify_index
from recollect.store.wal_state import is_cut, wal_state
from tests.processes import Child
from tests.test_faults import fact, opened

ENTRIES = 120
PLACES = int(os.environ.get("FAULT_TEST_PLACES", "6"))
PAGE = pages.PAGE


@pytest.fixture(scope="module")
def original(tmp_path_factory) -> Path:
    """A home with entries, corrections, votes and receipts, closed in order."""
    home: Path = tmp_path_factory.mktemp("original") / "home"
    memory = opened(home)
    chance = random.Random(1)
    stored = [memory.remember(fact(chance), scope="user", tags=["kept"]).entry_id for _ in range(ENTRIES - 20)]
    for entry_id in stored[:20]:
        memory.correct(fact(chance), entry_id=entry_id)
        memory.vote(stored[50], "up", "fine")
        memory.recall(memory.entries.get(entry_id).content)
    put_in_order(memory.opened)
    memory.close()
    shutil.rmtree(memory.home.backups)
    assert not os.path.exists(memory.home.database + "-wal")
    return home


@pytest.fixture
def home(original: Path, tmp_path: Path) -> Path:
    shutil.copytree(original, tmp_path / "home")
    return tmp_path / "home"


def database(home: Path) -> Path:
    return home / "recollect.db"


def overwrite(path: Path, at: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(data)


def lost_as_told(notices: tuple[str, ...]) -> int:
    told = " ".join(notices)
    found = re.search(r"(\d+) could not be read", told)
    if found:
        return int(found[1])
    return ENTRIES if "could not be read as a database" in told or "is now gone or empty" in told else 0


def use(home: Path) -> tuple[int, tuple[str, ...]]:
    """Open, use and inspect a home until it is whole again; how many entries it has, and all that the user was told."""
    told: tuple[str, ...] = ()
    for _ in range(4):
        try:
            with opened(home) as memory:
                told += memory.notices
                memory.entries.list(everywhere=True, status="any")
                memory.recall("sends through")
                memory.remember("Something new is learned afterwards.", scope="user")
                memory.transfer.export()
                if not check(memory.opened.store):
                    return len(memory.entries.list(everywhere=True, status="any")) - 1, told
        except StoreDamaged as error:
            if "recollect status" not in str(error):
                raise AssertionError("the sentence does not say what to do") from error
    raise AssertionError("still damaged after being mended three times")


def wound(path: Path, kind: str, page: int, chance: random.Random) -> None:
    if kind == "zeros":
        overwrite(path, page * PAGE, bytes(PAGE))
    elif kind == "noise":
        overwrite(path, page * PAGE, chance.randbytes(PAGE))
    elif kind == "flips":
        for _ in range(4):
            overwrite(path, page * PAGE + chance.randrange(PAGE), chance.randbytes(1))
    elif kind == "head":
        overwrite(path, page * PAGE + (100 if page == 0 else 0), chance.randbytes(8))
    else:
        os.truncate(path, page * PAGE + chance.choice((0, 1, 500)))


@pytest.mark.parametrize("kind", ["zeros", "noise", "flips", "head", "cut"])
def test_wherever_the_file_is_damaged_entries_are_there_or_counted_as_lost(original, tmp_path, kind):
    """Every page, or a sample of them; what flips inside a text itself nobody can notice, so entries are counted."""
    size = os.path.getsize(database(original)) // PAGE
    chance = random.Random(kind + os.environ.get("FAULT_TEST_SEED", ""))
    places = {0, 1, 2, size - 1, *chance.sample(range(size), min(size, PLACES))}
    saved = 0
    for place in sorted(places):
        home = tmp_path / f"{kind}-{place}"
        shutil.copytree(original, home)
        wound(database(home), kind, place, chance)
        try:
            count, told = use(home)
        except RecollectError as error:
            pytest.fail(f"page {place}: {error}")
        assert count + lost_as_told(told) >= ENTRIES, (place, count, told)
        if kind in ("zeros", "noise", "cut") and place:
            assert place == size - 1 or told or count == ENTRIES
        saved += count
        shutil.rmtree(home)
    # The file begins with the empty tables, so most cuts leave no entry.
    assert saved > (0.05 if kind == "cut" else 0.9) * ENTRIES * len(places)


def test_one_bad_leaf_costs_only_its_own_entries_and_the_copy_is_the_damaged_file(home):
    path = database(home)
    data = path.read_bytes()
    leaf = next(at for at in range(0, len(data), PAGE) if data[at] == 0x0D and b'["kept"]' in data[at : at + PAGE])
    overwrite(path, leaf, bytes(PAGE))
    damaged = path.read_bytes()
    count, told = use(home)
    assert ENTRIES - 20 < count < ENTRIES
    assert lost_as_told(told) == ENTRIES - count
    assert len(told) == 1
    copies = list((home / "backups").iterdir())
    assert [copy.name.startswith("recollect-damaged-") for copy in copies] == [True]
    assert str(copies[0]) in told[0]
    assert copies[0].read_bytes() == damaged
    assert not [name for name in os.listdir(home) if "sav" in name or name.endswith(".damaged")]


def test_doctor_tells_of_a_damage_for_as_long_as_what_was_kept_of_it_is_there(home):
    overwrite(database(home), 0, b"not a database!!")
    assert len(use(home)[1]) == 1

    def told() -> list[str]:
        found = examine(Home(str(home)), {"HOME": str(home)}, folder=str(home), now=1.0)
        return [finding.detail for finding in found if "damaged once" in finding.detail]

    [copy] = (home / "backups").iterdir()
    assert str(copy) in told()[0]
    copy.unlink()
    assert told() == []


def test_a_bad_page_above_the_entries_costs_none_of_them(home):
    path = database(home)
    connection = sqlite3.connect(path)
    [(root,)] = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'entries'").fetchall()
    connection.close()
    overwrite(path, (root - 1) * PAGE, bytes(PAGE))
    assert use(home)[0] == ENTRIES


def test_a_bad_first_page_costs_nothing_also_after_the_file_was_rewritten(home):
    overwrite(database(home), 0, bytes(PAGE))
    memory = opened(home)
    assert len(memory.entries.list(everywhere=True, status="any")) == ENTRIES
    assert "all 120 entries were saved" in memory.notices[0]
    memory.forget(memory.remember("This is erased again.", scope="user").entry_id, hard=True)
    memory.close()
    overwrite(database(home), 0, bytes(PAGE))
    memory = opened(home)
    assert len(memory.entries.list(everywhere=True, status="any")) == ENTRIES
    asked = memory.entries.list(everywhere=True)[0]
    assert memory.recall(asked.content), "the index was made again, too"
    assert check(memory.opened.store) == []


def test_what_only_the_log_held_is_saved_when_the_database_itself_is_emptied(tmp_path):
    def work(pipe: int) -> None:
        memory = opened(tmp_path / "home")
        chance = random.Random(7)
        for _ in range(20):
            memory.remember(fact(chance), scope="user")
        os._exit(0)

    Child(work).wait()
    os.truncate(tmp_path / "home" / "recollect.db", 0)
    memory = opened(tmp_path / "home")
    assert len(memory.entries.list(status="any")) == 20
    assert "all 20 entries were saved" in memory.notices[0]
    assert len(os.listdir(memory.home.backups)) == 2


def test_history_votes_and_receipts_come_over_too(home):
    before = opened(home)
    trail = before.transfer.export()
    before.close()
    overwrite(database(home), 0, b"not a database!!")
    memory = opened(home)
    after = memory.transfer.export()
    assert after["audit"] == trail["audit"]
    assert [one["votes"] for one in after["entries"]] == [one["votes"] for one in trail["entries"]]
    assert memory.opened.store.database.rows("SELECT count(*) FROM receipts") == [(20,)]
    memory.undo()
    assert verify_index(memory.opened.store) == []


def test_a_damaged_file_of_an_earlier_version_is_saved_into_todays_schema(home):
    connection = sqlite3.connect(database(home))
    connection.execute("DROP TABLE candidates")
    connection.execute("ALTER TABLE changes DROP COLUMN undone_by")
    connection.commit()
    connection.close()
    Path(f"{database(home)}.damaged").touch()
    count, told = use(home)
    assert count == ENTRIES
    assert "all 120 entries were saved" in told[0]


def test_a_file_that_is_no_database_is_kept_and_a_new_one_is_started(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    (home / "recollect.db").write_bytes(b"Dear diary, " * 1000)
    memory = opened(home)
    [told] = memory.notices
    assert "could not be read as a database; a new one was started" in told
    [kept] = (home / "backups").iterdir()
    assert str(kept) in told
    assert kept.read_bytes().startswith(b"Dear diary")
    memory.remember("It works again.", scope="user")
    memory.close()
    assert opened(home).notices == ()


@pytest.mark.parametrize("how", ["missing", "empty"])
def test_a_database_that_vanished_is_reported_once_with_the_last_backup(home, how):
    memory = opened(home)
    copy = backups.backup(memory.opened.store, memory.home.backups, now=1.0)
    memory.close()
    if how == "missing":
        database(home).unlink()
    else:
        os.truncate(database(home), 0)
    # A hook may come first; it must not hide the loss.
    open_store(str(database(home)), now=1.0).close()
    memory = opened(home)
    [told] = memory.notices
    assert "existed before and is now gone or empty" in told
    assert copy in told
    assert memory.entries.list(status="any") == []
    memory.close()
    assert opened(home).notices == ()
    shutil.copy(copy, database(home))
    assert len(opened(home).entries.list(everywhere=True, status="any")) == ENTRIES


def test_a_first_start_reports_nothing(tmp_path):
    assert opened(tmp_path / "home").notices == ()


def test_several_processes_that_find_the_damage_at_once_mend_it_once(home):
    overwrite(database(home), 0, bytes(PAGE))
    gate, go = os.pipe()

    def work(pipe: int) -> None:
        os.read(gate, 1)
        memory = opened(home)
        assert len(memory.entries.list(everywhere=True, status="any")) == ENTRIES
        memory.opened.store.database.rows("SELECT 1")
        os.write(pipe, b"told" * len(memory.notices))

    children = [Child(work) for _ in range(6)]
    os.write(go, b"x" * 6)
    assert b"".join(child.read() for child in children) == b"told"
    assert [child.wait() for child in children] == [0] * 6
    assert len(os.listdir(home / "backups")) == 1


def test_a_program_that_was_running_during_the_recovery_writes_into_the_new_file(home):
    running = opened(home)
    assert running.entries.list(status="any")
    overwrite(database(home), 0, bytes(100))
    running.opened.store.database.suspect()
    assert recover(str(database(home)), backups=str(home / "backups"), now=1.0)
    kept = running.remember("Written by a program that never stopped.", scope="user").entry_id
    running.close()
    memory = opened(home)
    assert memory.entries.get(kept)
    assert check(memory.opened.store) == []


@pytest.mark.parametrize("step", ["copied", "saved", "swapping"])
def test_a_recovery_that_is_killed_is_finished_by_the_next_start(home, step, monkeypatch):
    from recollect.store import recovery

    overwrite(database(home), 0, bytes(PAGE))

    def dies(*_: object, **__: object) -> None:
        os._exit(9)

    def work(_: int) -> None:
        if step == "copied":
            monkeypatch.setattr(recovery, "_save", dies)
        elif step == "saved":
            monkeypatch.setattr(recovery, "_swap", dies)
        else:
            monkeypatch.setattr(recovery, "touch", dies)
        opened(home)

    assert Child(work).wait() == 9
    memory = opened(home)
    assert len(memory.entries.list(everywhere=True, status="any")) == ENTRIES
    assert check(memory.opened.store) == []
    memory.close()
    assert opened(home).notices == ()


def test_a_false_alarm_leaves_the_database_as_it_is(home):
    Path(f"{database(home)}.damaged").touch()
    before = database(home).stat().st_ino
    memory = opened(home)
    assert memory.notices == ()
    assert database(home).stat().st_ino == before
    assert not os.path.exists(f"{database(home)}.damaged")


def test_damage_met_in_the_middle_of_work_is_mended_at_the_next_start(home):
    memory = opened(home)
    [(root,)] = memory.opened.store.database.rows("SELECT rootpage FROM sqlite_master WHERE name = 'entry_text_data'")
    memory.close()
    size = database(home).stat().st_size
    for page in range(1, size // PAGE):
        if page != root - 1:
            continue
        overwrite(database(home), page * PAGE, b"\x0d" + bytes(PAGE - 1))
    count, told = use(home)
    assert count == ENTRIES
    assert len(told) == 1


def test_saving_is_refused_in_a_sentence_when_there_is_no_room_for_the_copy(home):
    overwrite(database(home), 0, bytes(PAGE))
    before = database(home).read_bytes()

    def work(_: int) -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (PAGE, resource.RLIM_INFINITY))
        with pytest.raises(RecollectError, match="could not be repaired"):
            open_or_recover(str(database(home)), backups=str(home / "backups"), now=1.0)

    assert Child(work).wait() == 0
    assert database(home).read_bytes() == before
    assert len(Recollect.open(str(home), folder=str(home)).entries.list(everywhere=True, status="any")) == ENTRIES


# The log


def killed_while_writing(home: Path, entries: int = 30) -> Path:
    """A home whose last writer was killed: what it wrote is in the log. Returns the log."""

    def work(_: int) -> None:
        memory = opened(home)
        chance = random.Random(7)
        for _ in range(entries):
            memory.remember(fact(chance), scope="user")
        os._exit(0)

    Child(work).wait()
    return home / "recollect.db-wal"


@pytest.mark.parametrize("how", ["cut", "emptied", "removed"])
def test_a_log_that_was_cut_off_is_told_once_and_what_is_left_of_it_is_kept(home, how):
    log = killed_while_writing(home)
    half = log.stat().st_size // 2
    if how == "removed":
        log.unlink()
    else:
        os.truncate(log, half if how == "cut" else 0)
    memory = opened(home)
    [told] = memory.notices
    assert "was cut off or removed: what was written last may be missing" in told
    assert ENTRIES <= len(memory.entries.list(everywhere=True, status="any")) < ENTRIES + 30
    kept = [path for path in (home / "backups").iterdir() if path.name.endswith("-wal")]
    assert [path.stat().st_size for path in kept] == ([half] if how == "cut" else [])
    assert all(str(path) in told for path in kept)
    assert check(memory.opened.store) == []
    memory.close()
    assert opened(home).notices == ()


@pytest.mark.parametrize("place", ["beginning", "middle"])
def test_what_stands_behind_a_bad_part_of_the_log_is_saved(home, place):
    log = killed_while_writing(home)
    overwrite(log, 0 if place == "beginning" else log.stat().st_size // 2, random.Random(1).randbytes(2 * PAGE))
    count, told = use(home)
    assert count == ENTRIES + 30
    assert len(told) == 1
    assert "was damaged: all 150 entries were saved" in told[0]
    assert {path.suffix for path in (home / "backups").iterdir()} == {".db", ".db-wal"}


def test_a_log_is_not_mistrusted_for_nothing(home):
    log = killed_while_writing(home)
    assert opened(home).notices == (), "a killed process"
    log = killed_while_writing(home)
    Path(str(log).replace("-wal", "-shm")).unlink()
    assert opened(home).notices == (), "a lost index of the log is made anew"
    running = opened(home)
    for _ in range(30):
        running.remember(fact(random.Random(os.urandom(4))), scope="user")
        with opened(home) as other:
            assert other.notices == (), "others at work"
    running.opened.store.database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    assert opened(home).notices == (), "a log that was brought over"
    running.close()


def test_a_log_that_another_process_brought_home_meanwhile_was_not_cut_off(home):
    def writes(times: int) -> Recollect:
        memory = opened(home)
        for number in range(times):
            memory.vote(memory.entries.list(status="any")[number].entry_id, "up", "fine")
        return memory

    first = writes(5)
    before = wal_state(first.home.database)
    assert before is not None
    assert before.frames > before.backfilled
    first.close()
    second = writes(1)
    after = wal_state(second.home.database)
    assert after is not None
    assert after.change < before.change
    assert not is_cut(before, after)


def test_a_hook_that_comes_first_does_not_hide_that_the_log_was_cut_off(home):
    from recollect.files.home import Home
    from recollect.flows.opened import store_for_hook
    from recollect.settings_table import Settings

    os.truncate(killed_while_writing(home), PAGE)

    def hook(_: int) -> None:
        store_for_hook(Home(str(home)), Settings(), lambda: False).close()

    assert Child(hook).wait() == 0
    [told] = opened(home).notices
    assert "was cut off or removed" in told


# What is whole and yet wrong


def tamper(home: Path, *statements: str) -> None:
    connection = sqlite3.connect(database(home), isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()


@pytest.mark.parametrize("table", ["home_values", "receipts", "term_counts", "entry_text", "sessions"])
def test_a_table_that_is_gone_is_noticed_at_open_and_costs_no_entry(home, table):
    tamper(home, f"DROP TABLE {table}")
    memory = opened(home)
    assert "all 120 entries were saved" in memory.notices[0]
    assert len(memory.entries.list(everywhere=True, status="any")) == ENTRIES
    assert check(memory.opened.store) == []


@pytest.mark.parametrize(
    "statement", ["DELETE FROM term_counts", "INSERT INTO entry_text (entry_text) VALUES ('delete-all')"]
)
def test_an_index_that_was_emptied_is_noticed_at_open_and_recall_finds_again(home, statement):
    tamper(home, statement)
    memory = opened(home)
    assert len(memory.notices) == 1
    known = memory.entries.list(everywhere=True, status="active")[0]
    assert known.entry_id in [one.entry.entry_id for one in memory.recall(known.content).entries]


@pytest.mark.parametrize(
    ("column", "value", "lost"),
    [("content", "x'ff00fe'", 1), ("citations", "'{broken'", 0), ("created", "'yesterday'", 0), ("tags", "'7'", 0)],
)
def test_a_value_that_nobody_wrote_is_mended_at_the_next_start(home, column, value, lost):
    tamper(home, f"UPDATE entries SET {column} = {value} WHERE entry_row = 40")
    with opened(home) as memory, pytest.raises(StoreDamaged, match="recollect status"):
        memory.entries.list(everywhere=True, status="any")
    with opened(home) as memory:
        assert len(memory.notices) == 1
        assert len(memory.entries.list(everywhere=True, status="any")) == ENTRIES - lost
    assert opened(home).notices == ()


# Who is told


def test_what_a_worker_mended_is_told_at_the_next_start_of_a_session_and_to_a_person_once(home):
    overwrite(database(home), 0, bytes(PAGE))

    def worker(_: int) -> None:
        opened(home)
        os._exit(9)  # it tells nobody

    assert Child(worker).wait() == 9
    memory = opened(home)
    assert memory.notices == ()
    [told] = announcements(memory.opened.store, repository="", now=1.0)
    assert "was damaged: all 120 entries were saved" in told
    assert announcements(memory.opened.store, repository="", now=1.0) == []
    memory.close()
    overwrite(database(home), 0, bytes(PAGE))
    memory = opened(home)
    assert len(memory.notices) == 1
    memory.opened.mark_told()
    assert announcements(memory.opened.store, repository="", now=1.0) == []


def test_a_person_at_a_terminal_is_told_and_no_session_after_that(home, tmp_path):
    database(home).unlink()
    environ = {"RECOLLECT_HOME": str(home), "HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    done = subprocess.run(
        [sys.executable, "-m", "recollect", "list"],
        capture_output=True,
        text=True,
        env=environ,
        check=True,
        cwd=tmp_path,
    )
    assert "existed before and is now gone or empty" in done.stderr
    memory = opened(home)
    assert memory.notices == ()
    agent = agent_of(parents())
    assert bool(announcements(memory.opened.store, repository="", now=1.0)) == bool(agent), (
        "an agent's shell is no person"
    )


def test_a_memory_that_was_closed_leaves_no_file_open(open_memory, repository) -> None:
    def used(name: str) -> int:
        with open_memory(repository, home=name) as memory:
            memory.remember("The deploy target is Fly.io.")
        return len(os.listdir("/proc/self/fd"))

    assert used("first") == used("second") == used("third")
