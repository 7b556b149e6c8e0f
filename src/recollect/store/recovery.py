"""A damaged database is noticed at open: a copy is kept, what can be read is brought over, the user is told."""

from __future__ import annotations

import os
import time

from recollect.errors import RecollectError, StoreBusy, StoreDamaged, StoreError, StoreFull
from recollect.locks import Lock
from recollect.store.database import CREATED_SUFFIX, LOCK_SUFFIX, SCHEMA_VERSION, SUSPECTED_SUFFIX, Database, touch
from recollect.store.failures import damaged
from recollect.store.home_values import take_home_value
from recollect.store.migrations import LOST_NOTE, migrate, tables_made, verify
from recollect.store.statements import upkeep as sql
from recollect.store.statements.schema import KINDS
from recollect.store.store import Store
from recollect.store.upkeep import INDEXES
from recollect.store.wal_state import CUT_MARK, is_cut, suspect_cut_wal, wal_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.store.salvage import Saved
    from recollect.store.upkeep import TextIndex

# What was saved, complete, on its way to the database's name.
SAVED_SUFFIX = ".saved"
RECOVERY_WAIT_SECONDS = 600.0
TELL_SECONDS = 0.5
TOLD_SECONDS = 2.0  # an upgrade that takes longer is told


def open_or_recover(path: str, *, backups: str, now: float) -> tuple[Store, list[str]]:
    """The store, and what the user should know about how it was opened. Never a silent empty start.

    Whoever opens it first may be a worker that nobody listens to: the next session is told too, unless a person has
    seen it before (`mark_told`)."""
    notices: list[str] = []
    for _ in range(2):
        try:
            if not _needs_care(path):
                return _opened(path, backups, now, notices)
        except StoreDamaged:
            pass
        notices += recover(path, backups=backups, now=now)
    return _opened(path, backups, now, notices)


def recover(path: str, *, backups: str, now: float) -> list[str]:
    """Save what can be read of a damaged database into a new one with its name; says what was saved.

    Says nothing when another process was faster, or when closer inspection finds nothing wrong."""
    try:
        with Lock(path + LOCK_SUFFIX, RECOVERY_WAIT_SECONDS):
            if os.path.exists(path + SAVED_SUFFIX):
                _swap(path)
                return [f"{path} was damaged; saving what could be read was interrupted and is now complete."]
            cut, log = _cut_log(path)
            if not _is_damaged(path) and not _is_torn(log):
                _remove(path + SUSPECTED_SUFFIX)
                return [_told_of_log(path, log) + _last_backup(path, backups)] if cut else []
            told = _save(path, _keep_copy(path, log, backups, now), backups, now)
            _swap(path)
    except OSError as error:
        raise StoreError(f"{path} is damaged and could not be repaired: {error.strerror or error}.") from error
    return [told]


def probe(database: Database) -> None:
    """Read a little of every table and of every index; StoreDamaged when one is gone or cannot be read."""
    tables = [(name, bool(virtual)) for name, virtual in database.rows(KINDS)]
    gone = tables_made(database.schema_version()) - {name for name, _ in tables}
    if gone:
        database.suspect()
        raise damaged(database.path, f"the table {min(gone)} is gone")
    database.rows(sql.peek(tables))
    for index in INDEXES:
        _probe_index(database, index)


def _probe_index(database: Database, index: TextIndex) -> None:
    """Is the newest row in its index, and counted?"""
    for row, text in database.rows(sql.newest(index)):
        term = str(text).split()[:1]
        found = database.rows(sql.found(index), ('"' + term[0] + '"', row)) if term else [(1,)]
        if not found or not database.rows(sql.counted(index)):
            database.suspect()
            raise damaged(database.path, f"{index.name} does not hold what {index.base} has")


def _opened(path: str, backups: str, now: float, notices: list[str]) -> tuple[Store, list[str]]:
    before = wal_state(path)
    database = Database(path)
    version = database.schema_version()
    if is_cut(before, wal_state(path)):
        # Copied while it is open and before anything is written: whoever closes it last throws the log away.
        suspect_cut_wal(path, _keep_log(path, backups, now))
        database.close()
        raise damaged(path, "its log was cut off")
    if version != SCHEMA_VERSION:
        notices = notices + _upgraded(database, backups, now)
    store = Store(database)
    try:
        probe(store.database)
        verify(store.database)
        if store.home_value(LOST_NOTE):
            notices = notices + _lost(store, backups)
        if notices:
            _announce(store, notices, now)
    except RecollectError:
        store.close()
        raise
    return store, notices


def _upgraded(database: Database, backups: str, now: float) -> list[str]:
    """Migrate a database, after a copy of it was made; what took so long that somebody waited is told."""
    from recollect.store.backups import backup

    began = time.monotonic()
    copy = ""
    if database.schema_version():
        # One process makes the copy; for those that waited, nothing has changed since.
        with Lock(database.path + LOCK_SUFFIX, RECOVERY_WAIT_SECONDS):
            if database.schema_version() != SCHEMA_VERSION:
                copy = backup(Store(database), backups, now=now, largest_bytes=None)
    migrate(database, now=now)
    seconds = time.monotonic() - began
    if not copy or seconds < TOLD_SECONDS:
        return []
    return [f"{database.path} was upgraded in {seconds:.0f} seconds; {copy} is a copy from before the upgrade."]


def _announce(store: Store, notices: Sequence[str], now: float) -> None:
    try:
        with store.write(durable=False):
            known = {one.text for one in store.announcements.open("")}
            for notice in notices:
                if notice not in known:
                    store.announcements.add(notice, repository="", now=now)
    except (StoreBusy, StoreFull):
        return  # whoever opened it is told all the same


def mark_told(store: Store, notices: Sequence[str], *, now: float) -> None:
    """A person has seen these: no session has to be told."""
    try:
        with store.write(durable=False, wait_seconds=TELL_SECONDS):
            seen = [one.announcement_id for one in store.announcements.open("") if one.text in notices]
            store.announcements.mark(seen, now=now)
    except (StoreBusy, StoreFull):
        return  # told twice is better than never


def _lost(store: Store, backups: str) -> list[str]:
    """Say once that a database which had been there is gone."""
    with store.write():
        if not take_home_value(store.database, LOST_NOTE):
            return []
    path = store.database.path
    told = f"{path} existed before and is now gone or empty; a new one was started."
    return [told + _last_backup(path, backups)]


def _last_backup(path: str, backups: str) -> str:
    from recollect.store.backups import copies

    newest = copies(backups)
    if not newest:
        return ""
    return f" The last backup is {newest[0]}: to go back to it, close everything and copy it over {path}."


def _needs_care(path: str) -> bool:
    """Was damage seen, a recovery interrupted, or a log left alone?"""
    seen = os.path.exists(path + SUSPECTED_SUFFIX) or os.path.exists(path + SAVED_SUFFIX)
    return seen or _log_without_database(path)


def _log_without_database(path: str) -> bool:
    """Is there a log, and nothing that it belongs to? SQLite would throw it away."""
    return _size(path) == 0 and _size(path + "-wal") > 0


def _is_damaged(path: str) -> bool:
    from recollect.store.upkeep import check

    if not _size(path):
        return _log_without_database(path)
    database = Database(path)
    try:
        if database.schema_version() == 0:
            return False
        probe(database)
        return os.path.exists(path + SUSPECTED_SUFFIX) and bool(check(Store(database)))
    except StoreDamaged:
        return True
    finally:
        database.close()


def _cut_log(path: str) -> tuple[bool, str]:
    """Was the log found shorter than it had been? And the name of its copy, if one could be made."""
    try:
        with open(path + SUSPECTED_SUFFIX, encoding="utf-8") as file:
            mark, _, copy = file.read().partition("\n")
    except (OSError, UnicodeDecodeError):
        return False, ""
    return mark == CUT_MARK, copy if mark == CUT_MARK and os.path.isfile(copy) else ""


def _is_torn(log: str) -> bool:
    from recollect.store.pages import is_torn

    return bool(log) and is_torn(log)


def _keep_log(path: str, backups: str, now: float) -> str:
    from recollect.store.pages import copy_bytes

    if not _size(path + "-wal"):
        return ""
    copy = _free_name(backups, now) + "-wal"
    try:
        os.makedirs(backups, mode=0o700, exist_ok=True)
        copy_bytes(path + "-wal", copy)
    except OSError:
        return ""
    return copy


def _keep_copy(path: str, log: str, backups: str, now: float) -> str:
    """The damaged file and its log under names that say when; returns that of the file."""
    from recollect.store.pages import copy_bytes

    os.makedirs(backups, mode=0o700, exist_ok=True)
    # A log that was copied before belongs to it: by now there may be another one.
    copy = log.removesuffix("-wal") or _free_name(backups, now)
    for suffix in ("", "-wal"):
        if os.path.exists(path + suffix) and not (log and suffix):
            copy_bytes(path + suffix, copy + suffix)
    return copy


def _free_name(backups: str, now: float) -> str:
    from recollect.store.backups import DAMAGED, stamp

    name = os.path.join(backups, f"{DAMAGED}{stamp(now)}")
    copy = f"{name}.db"
    number = 1
    while os.path.exists(copy) or os.path.exists(copy + "-wal"):
        number += 1
        copy = f"{name}-{number}.db"
    return copy


def _save(path: str, copy: str, backups: str, now: float) -> str:
    """Build the new database beside the old one, whole before it gets its name; returns what is to be told, which is
    in it: who mends it may not live to tell."""
    from recollect.store.salvage import salvage

    fresh = path + ".saving"
    _clear(fresh)
    try:
        store = Store(Database(fresh))
        try:
            saved = salvage(copy, copy + "-wal", into=store, folder=os.path.dirname(path), now=now)
            told = _told(path, copy, saved) + (_last_backup(path, backups) if saved.lost or not saved.entries else "")
            _announce(store, [told], now)
        finally:
            store.close()
        os.replace(fresh, path + SAVED_SUFFIX)
    finally:
        _clear(fresh)
    return told


def _swap(path: str) -> None:
    """Give the new database its name. The old log goes first: it would be applied to the new file."""
    _remove(path + "-wal")
    _remove(path + "-shm")
    os.replace(path + SAVED_SUFFIX, path)
    touch(path + CREATED_SUFFIX)
    _remove(path + SUSPECTED_SUFFIX)


def _told_of_log(path: str, log: str) -> str:
    kept = f" What is left of it is kept as {log}." if log else ""
    return f"The log of {path} was cut off or removed: what was written last may be missing.{kept}"


def _told(path: str, copy: str, saved: Saved) -> str:
    kept = f"The damaged file is kept as {copy}."
    if not saved.entries and not saved.known:
        return f"{path} could not be read as a database; a new one was started. {kept}"
    if saved.lost:
        return f"{path} was damaged: {saved.entries} entries were saved, {saved.lost} could not be read. {kept}"
    of = f"all {saved.entries} entries" if saved.known else f"{saved.entries} entries, as many as could be found,"
    return f"{path} was damaged: {of} were saved. {kept}"


def _clear(path: str) -> None:
    for suffix in ("", "-wal", "-shm", "-journal", LOCK_SUFFIX, CREATED_SUFFIX, SUSPECTED_SUFFIX):
        _remove(path + suffix)


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0
