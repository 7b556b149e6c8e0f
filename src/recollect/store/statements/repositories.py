"""Statements on repositories and repository_aliases."""

from __future__ import annotations

from recollect.store.statements import marks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_KEEPING = ("entries", "tasks", "projects", "sessions", "turns")
_KEPT = " UNION ".join(f"SELECT repository FROM {table}" for table in _KEEPING)

# The identity that a name stands for.
CANONICAL = "SELECT repository FROM repository_aliases WHERE alias = ?"
# The folder in which a repository was seen last.
FOLDER = "SELECT common_directory FROM repositories WHERE repository = ?"
# The other names of a repository.
ALIASES = "SELECT alias FROM repository_aliases WHERE repository = ?"
# Identities by folder.
IDENTITIES = """
SELECT common_directory, repository FROM repositories WHERE common_directory <> '' UNION ALL
SELECT substr(alias, 6), repository FROM repository_aliases WHERE alias LIKE 'path:%' AND repository LIKE 'root:%'"""
# Note a repository as it is now.
LEARN = """
INSERT INTO repositories (repository, remote, common_directory, created, updated) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (repository, tenant) DO UPDATE SET
  remote = excluded.remote, common_directory = excluded.common_directory, updated = excluded.updated"""
# Note what a name stands for now.
LEARN_ALIAS = """
INSERT INTO repository_aliases (alias, repository) VALUES (?, ?)
ON CONFLICT (alias, tenant) DO UPDATE SET repository = excluded.repository"""
# Every identity that has entries.
WITH_ENTRIES = "SELECT DISTINCT repository FROM partitions WHERE repository <> ''"
# Every identity that is known.
NAMES = f"SELECT repository FROM repositories UNION {_KEPT} ORDER BY repository"
# The repositories of which something is kept.
KEPT = f"""
SELECT repository, remote, common_directory, created, updated FROM repositories
WHERE repository IN ({_KEPT}) ORDER BY repository"""
# Every other name.
ALL_ALIASES = "SELECT alias, repository FROM repository_aliases ORDER BY alias"
# Bring a repository back; one that is known stays, unless the export knew it longer.
LOAD = """
INSERT INTO repositories (repository, remote, common_directory, created, updated) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (repository, tenant) DO UPDATE SET created = excluded.created, updated = excluded.updated
WHERE excluded.created < repositories.created"""
# Bring another name back; one that is known stays.
LOAD_ALIAS = "INSERT INTO repository_aliases (alias, repository) VALUES (?, ?) ON CONFLICT (alias, tenant) DO NOTHING"


def carried(names: Sequence[str]) -> str:
    """Those of these names that entries still carry."""
    return f"SELECT DISTINCT repository FROM entries WHERE repository IN ({marks(len(names))})"
