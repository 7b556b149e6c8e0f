"""A damaged database is noticed at open: a copy is kept, what can be read is brought over, the user is told."""

from __future__ import annotations

import os

from recollect.errors import StoreDamaged, StoreError
from recollect.locks import Lock
from recollect.store.database import LOCK_SUFFIX, SUSPECTED_SUFFIX, Database
from recollect.store.store import Store, open_store

TYPE_CHECKING = False

# Beside a database that was once there: when that is gone or empty, the user hears of it.
CREATED_SUFFIX = ".created"
# What was saved, complete, on its way to the database's name.
SAVED_SUFFIX = ".saved"
RECOVERY_WAIT_SECONDS = 600.0

TABLES = (
    "audits",
    "changes",
    "citation_checks",
    "conflicts",
    "entries",
    "logs",
    "migrations",
    "notes",
    "partitions",
    "projects",
    "receipts",
    "repositories",
    "repository_aliases",
    "session_blocks",
    "sessions",
    "tasks",
    "term_counts",
    "turn_term_counts",
    "turns",
    "votes",
)
_PROBE = f"SELECT {', '.join(f'(SELECT 1 FROM {table} LIMIT 1)' for table in TABLES)}"
_PROBE_INDEX = "SELECT rowid FROM {0} WHERE {0} MATCH '\"@1\"' LIMIT 1"


def open_or_recover(path: str, *, backups: str, now: float) -> tuple[Store, list[str]]:
    """The store, and what the user should know about how it was opened. Never a silent empty start."""
    notices: list[str] = []
    for _ in range(2):
        try:
            if not os.path.exists(path + SUSPECTED_SUFFIX) and not _log_without_database(path):
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
            if not _is_damaged(path):
                _remove(path + SUSPECTED_SUFFIX)
                return []
            copy = _keep_copy(path, backups, now)
            saved = _save(path, copy, now)
            _swap(path)
    except OSError as error:
        raise StoreError(f"{path} is damaged and could not be mended: {error.strerror or error}.") from error
    return [_told(path, copy, saved)]


def probe(database: Database) -> None:
    """Read a little of every table and of both indexes; StoreDamaged when one cannot be read."""
    database.rows(_PROBE)
    for index in ("entry_text", "turn_text"):
        database.rows(_PROBE_INDEX.format(index))


def _opened(path: str, backups: str, now: float, notices: list[str]) -> tuple[Store, list[str]]:
    database = Database(path)
    if database.schema_version() == 0:
        lost = _create(database, now)
        if lost:
            notices = [*notices, _lost(path, backups)]
    database.close()
    store = open_store(path, now=now)
    probe(store.database)
    return store, notices


def _create(database: Database, now: float) -> bool:
    """Make the tables in an empty file; True when there had been a database under this name."""
    from recollect.store.migrations import migrate

    with database.write():
        lost = database.schema_version() == 0 and os.path.exists(database.path + CREATED_SUFFIX)
        migrate(database, now=now)
    if not lost:
        _touch(database.path + CREATED_SUFFIX)
    return lost


def _log_without_database(path: str) -> bool:
    """Is there a log, and nothing that it belongs to? SQLite would throw it away."""
    return _size(path) == 0 and _size(path + "-wal") > 0


def _is_damaged(path: str) -> bool:
    from recollect.store.upkeep import check

    if _log_without_database(path):
        return True
    if not _size(path):
        return False
    database = Database(path)
    try:
        if database.schema_version() == 0:
            return False
        probe(database)
        return os.path.exists(path + SUSPECTED_SUFFIX) and bool(_wrong(check, database))
    except StoreDamaged:
        return True
    finally:
        database.close()


def _keep_copy(path: str, backups: str, now: float) -> str:
    """The damaged file and its log under names that say when; returns that of the file."""
    from recollect.store.backups import stamp
    from recollect.store.pages import copy_bytes

    os.makedirs(backups, mode=0o700, exist_ok=True)
    name = os.path.join(backups, f"recollect-damaged-{stamp(now)}")
    copy = f"{name}.db"
    number = 1
    while os.path.exists(copy) or os.path.exists(copy + "-wal"):
        number += 1
        copy = f"{name}-{number}.db"
    for suffix in ("", "-wal"):
        if os.path.exists(path + suffix):
            copy_bytes(path + suffix, copy + suffix)
    return copy
