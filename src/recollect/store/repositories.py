"""Repositories by identity, and the other names each has been known by."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from recollect.model.repositories import Repository
    from recollect.store.database import Database


_KEEPING = ("entries", "tasks", "projects", "sessions", "turns")


class Repositories:
    """Identities and their aliases."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def canonical(self, identity: str) -> str:
        """The identity that entries carry for this one."""
        rows = self._database.rows("SELECT repository FROM repository_aliases WHERE alias = ?", (identity,))
        return rows[0][0] if rows else identity

    def known(self, repository: Repository) -> bool:
        """Is there nothing new to learn about this repository?"""
        rows = self._database.rows(
            "SELECT common_directory FROM repositories WHERE repository = ?", (repository.repository,)
        )
        aliases = {
            row[0]
            for row in self._database.rows(
                "SELECT alias FROM repository_aliases WHERE repository = ?", (repository.repository,)
            )
        }
        return bool(rows) and rows[0][0] == repository.common_directory and aliases.issuperset(repository.aliases)

    def identities(self) -> dict[str, str]:
        """Identity by common directory, as learned so far."""
        return dict(
            self._database.rows("SELECT common_directory, repository FROM repositories WHERE common_directory <> ''")
        )

    def learn(self, repository: Repository, *, now: float) -> list[str]:
        """Note the repository and its aliases; returns the aliases that entries may still carry."""
        self._database.run(
            "INSERT INTO repositories (repository, remote, common_directory, created, updated) VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT (repository, tenant) DO UPDATE SET remote = excluded.remote, "
            "common_directory = excluded.common_directory, updated = excluded.updated",
            (repository.repository, repository.remote, repository.common_directory, now, now),
        )
        for alias in repository.aliases:
            self._database.run(
                "INSERT INTO repository_aliases (alias, repository) VALUES (?, ?) "
                "ON CONFLICT (alias, tenant) DO UPDATE SET repository = excluded.repository",
                (alias, repository.repository),
            )
        if not repository.aliases:
            return []
        marks = ",".join("?" * len(repository.aliases))
        rows = self._database.rows(
            f"SELECT DISTINCT repository FROM entries WHERE repository IN ({marks})",
            repository.aliases,
        )
        return [row[0] for row in rows]

    def move(self, old: str, new: str) -> None:
        """Carry over what is kept under an old name, but for entries, which have a trail. Needs an open write()."""
        from recollect.store.moves import move_repository

        move_repository(self._database, old, new)

    def all(self) -> list[str]:
        """Every identity that has entries."""
        return [
            row[0] for row in self._database.rows("SELECT DISTINCT repository FROM partitions WHERE repository <> ''")
        ]

    def names(self) -> list[str]:
        """Every identity that is known, in order."""
        tables = " UNION ".join(f"SELECT repository FROM {table}" for table in ("repositories", *_KEEPING))
        return [row[0] for row in self._database.rows(f"{tables} ORDER BY repository") if row[0]]

    def export(self) -> list[dict[str, Any]]:
        """Every repository of which something is kept, with its aliases: where somebody merely was is no part of it."""
        kept = " UNION ".join(f"SELECT repository FROM {table}" for table in _KEEPING)
        rows = self._database.rows(
            "SELECT repository, remote, common_directory, created, updated FROM repositories "
            f"WHERE repository IN ({kept}) ORDER BY repository"
        )
        aliases = self._database.rows("SELECT alias, repository FROM repository_aliases ORDER BY alias")
        names = ("repository", "remote", "common_directory", "created", "updated")
        return [
            {**dict(zip(names, row, strict=True)), "aliases": [alias for alias, of in aliases if of == row[0]]}
            for row in rows
        ]

    def load(self, items: list[dict[str, Any]]) -> None:
        """Bring repositories back; those that are known stay as they are, unless the export knew them longer."""
        for item in items:
            self._database.run(
                "INSERT INTO repositories (repository, remote, common_directory, created, updated) "
                "VALUES (?, ?, ?, ?, ?) ON CONFLICT (repository, tenant) DO UPDATE SET created = excluded.created, "
                "updated = excluded.updated WHERE excluded.created < repositories.created",
                [item[name] for name in ("repository", "remote", "common_directory", "created", "updated")],
            )
            self._database.run_many(
                "INSERT INTO repository_aliases (alias, repository) VALUES (?, ?) "
                "ON CONFLICT (alias, tenant) DO NOTHING",
                [(alias, item["repository"]) for alias in item["aliases"]],
            )
