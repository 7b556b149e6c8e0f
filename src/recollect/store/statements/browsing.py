"""What a person who browses asks: pages of entries and receipts, counts, and what happened by day."""

from __future__ import annotations

from recollect.model.receipts import Receipt
from recollect.store.rows import SELECTED
from recollect.store.statements import all_of, listed, marks
from recollect.store.statements.entries import NEWEST_FIRST
from recollect.store.statements.entry_index import PARTITION_MARK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from recollect.model.browsing import EntryFilter

_SELECTED = ", ".join(f"e.{name}" for name in SELECTED.split(", "))
_RECEIPT = f"SELECT {listed(Receipt._fields)} FROM receipts"
# A day of a time in seconds, in the time zone of this machine.
_DAY = "date({}, 'unixepoch', 'localtime')"

# Active entries of a layer by how often they came, most used first.
MOST_USED = f"""
SELECT e.entry_row, {_SELECTED} FROM entries AS e
WHERE e.status = 'active' AND e.recall_count > 0 ORDER BY e.recall_count DESC, e.entry_row DESC LIMIT ?"""
# How many active entries never came.
NEVER_USED = "SELECT count(*) FROM entries WHERE status = 'active' AND recall_count = 0 AND layer = 'L1'"
# Entries by layer and status.
BY_STATUS = "SELECT layer, status, count(*) FROM entries GROUP BY layer, status"
# Where active entries are: layer, repository, and how many. The index counts them already.
PLACES = f"""
SELECT p.layer, p.repository, coalesce(t.documents, 0) FROM partitions AS p
LEFT JOIN term_counts AS t ON t.term = '{PARTITION_MARK}' || p.partition_id WHERE p.live = 1"""
# Entries that were stored on each day since a time.
STORED_BY_DAY = f"""
SELECT {_DAY.format("created")}, count(*) FROM entries WHERE created >= ? GROUP BY 1 ORDER BY 1"""
# Active entries that were stored since a time, by where they hold.
STORED_BY_REPOSITORY = """
SELECT repository, count(*) FROM entries WHERE created >= ? AND status = 'active'
GROUP BY repository ORDER BY 2 DESC, 1 LIMIT ?"""
# Receipts that gave something on each day since a time, with their entries' tokens.
GIVEN_BY_DAY = f"""
SELECT {_DAY.format("created")}, count(*), sum(tokens) FROM receipts
WHERE created >= ? AND entries <> '[]' GROUP BY 1 ORDER BY 1"""
# Receipts by host since a time: how many, how many gave something, tokens.
GIVEN_BY_HOST = """
SELECT host, count(*), sum(entries <> '[]'), sum(tokens) FROM receipts WHERE created >= ?
GROUP BY host ORDER BY 2 DESC"""


def entries(chosen: EntryFilter, match: str) -> tuple[str, list[Any]]:
    """A page of the entries that a filter lets through, newest first, and what is bound before limit and offset."""
    source, conditions, values = _chosen(chosen, match)
    # Newest first is the order of an index: walking it ends with the page, where another one would be sorted whole.
    is_rare = chosen.layer == "L0" or chosen.repository is not None or chosen.session
    source += "" if match or is_rare else " INDEXED BY entries_by_time"
    return (
        f"""
SELECT e.entry_row, {_SELECTED} {source} WHERE {all_of(conditions)}
ORDER BY {NEWEST_FIRST} LIMIT ? OFFSET ?""",
        values,
    )


def count(chosen: EntryFilter, match: str) -> tuple[str, list[Any]]:
    """How many there are, up to a limit that is bound last."""
    source, conditions, values = _chosen(chosen, match)
    return f"SELECT count(*) FROM (SELECT 1 {source} WHERE {all_of(conditions)} LIMIT ?)", values


def _chosen(chosen: EntryFilter, match: str) -> tuple[str, list[str], list[Any]]:
    """The tables, the conditions and their values."""
    columns = {name: getattr(chosen, name) for name in ("layer", "status", "scope", "source", "origin", "session")}
    conditions = [f"e.{name} = ?" for name, value in columns.items() if value]
    values: list[Any] = [value for value in columns.values() if value]
    if chosen.repository is not None:
        conditions.append("e.repository = ?")
        values.append(chosen.repository)
    conditions += ["e.recall_count = 0"] if chosen.never_used else []
    conditions += ["e.citations <> ''"] if chosen.cites else []
    for condition, value in _bound(chosen).items():
        if value:
            conditions.append(condition)
            values.append(value)
    if match:
        source = "FROM entry_text AS t CROSS JOIN entries AS e ON e.entry_row = t.rowid"
        return source, ["entry_text MATCH ?", *conditions], [match, *values]
    return "FROM entries AS e", conditions, values


def _bound(chosen: EntryFilter) -> dict[str, Any]:
    return {
        "e.updated >= ?": chosen.since,
        "e.tags LIKE ? ESCAPE '\\'": f'%"{_like(chosen.tag)}"%' if chosen.tag else "",
        "e.content LIKE ? ESCAPE '\\'": f"%{_like(chosen.contains)}%" if chosen.contains else "",
    }


def _like(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def receipts(*, session: bool) -> str:
    """A page of receipts, newest first: of a session that is bound first, or of all."""
    where = " WHERE session = ?" if session else ""
    return f"{_RECEIPT}{where} ORDER BY created DESC, receipt_id DESC LIMIT ? OFFSET ?"


def contents(count: int) -> str:
    """What so many entries say, and their status."""
    return f"SELECT entry_id, content, status, layer FROM entries WHERE entry_id IN ({marks(count)})"
