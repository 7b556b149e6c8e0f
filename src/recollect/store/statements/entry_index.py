"""What is asked of the text index over entries, of its counts and of the partitions."""

from __future__ import annotations

from recollect.store.statements import marks

# Begins the token of a partition.
PARTITION_MARK = "@"

# An entry's analysed text goes into the index.
ADD = "INSERT INTO entry_text (rowid, analysed) VALUES (?, ?)"

# And out of it: a contentless index forgets a row only when it is told exactly what stood there.
REMOVE = "INSERT INTO entry_text (entry_text, rowid, analysed) VALUES ('delete', ?, ?)"

# All pieces of the index become one.
MERGE = "INSERT INTO entry_text (entry_text) VALUES ('optimize')"

# A term occurs in so many more entries, or fewer.
COUNT = """
INSERT INTO term_counts (term, documents) VALUES (?, ?)
ON CONFLICT (term, tenant) DO UPDATE SET documents = term_counts.documents + excluded.documents"""

# A term that is in no entry any more is not counted.
FORGET_TERM = "DELETE FROM term_counts WHERE term = ? AND documents <= 0"

# So many more entries were put in or taken out.
COUNT_CHANGES = """
INSERT INTO home_values (name, value) VALUES (?, ?)
ON CONFLICT (name, tenant) DO UPDATE SET value = CAST(CAST(home_values.value AS INTEGER) + ? AS TEXT)"""

# The rows that match, from one row on, best first.
MATCHING = "SELECT rowid FROM entry_text WHERE entry_text MATCH ? AND rowid >= ? ORDER BY bm25(entry_text) LIMIT ?"

# How many match, up to a number.
COUNT_MATCHES = "SELECT count(*) FROM (SELECT 1 FROM entry_text WHERE entry_text MATCH ? LIMIT ?)"

# The highest row there is.
NEWEST_ROW = "SELECT coalesce(max(entry_row), 0) FROM entries"

# Terms that begin like a misspelled name and are about as long.
SPELLED_LIKE = "SELECT term FROM term_counts WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ? LIMIT ?"

# Where entries are: every partition.
ALL_PARTITIONS = "SELECT layer, repository, live, partition_id FROM partitions"

_ANALYSED = "SELECT entry_row, entry_id, analysed FROM entries"

# What the index holds of all entries behind a row, oldest first.
ANALYSED_AFTER = f"{_ANALYSED} WHERE entry_row > ? ORDER BY entry_row"


def analysed(row_marks: str) -> str:
    """What the index holds of some entries."""
    return f"{_ANALYSED} WHERE entry_row IN ({row_marks})"


def frequencies(term_marks: str) -> str:
    """In how many entries each of some terms occurs."""
    return f"SELECT term, documents FROM term_counts WHERE term IN ({term_marks})"


def partitions(layers: int, repositories: int) -> str:
    """The partitions of so many layers and repositories, each with how many entries it has."""
    return (
        "SELECT p.partition_id, coalesce(t.documents, 0) FROM partitions AS p "
        f"LEFT JOIN term_counts AS t ON t.term = '{PARTITION_MARK}' || p.partition_id "
        f"WHERE p.layer IN ({marks(layers)}) AND p.repository IN ({marks(repositories)}) AND p.live = ? "
        "ORDER BY p.layer, p.repository"
    )
