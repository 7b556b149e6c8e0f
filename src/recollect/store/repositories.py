"""Repositories by identity, and the other names each has been known by."""

from __future__ import annotations

from recollect.store.statements import repositories as sql

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from recollect.model.repositories import Repository
    from recollect.store.database import Database


class Repositories:
    """Identities and their aliases."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def canonical(self, identity: str) -> str:
        """The identity that entries carry for this one."""
        rows = self._database.rows(sql.CANONICAL, (identity,))
        return rows[0][0] if rows else identity

    def folder(self, identity: str) -> str:
        """The common directory of a repository, as last seen; empty when none is known."""
        rows = self._database.rows(sql.FOLDER, (identity,))
        return rows[0][0] if rows else ""

    def known(self, repository: Repository) -> bool:
        """Is there nothing new to learn about this repository?"""
        rows = self._database.rows(sql.FOLDER, (repository.repository,))
        aliases = {alias for (alias,) in self._database.rows(sql.ALIASES, (repository.repository,))}
        return bool(rows) and rows[0][0] == repository.common_directory and aliases.issuperset(repository.aliases)

    def identities(self) -> dict[str, str]:
        """Identity by common directory, as learned so far; two clones without a remote may have the same."""
        return dict(self._database.rows(sql.IDENTITIES))

    def learn(self, repository: Repository, *, now: float) -> list[str]:
        """Note the repository and its aliases; returns the aliases that entries may still carry."""
        folder = repository.common_directory
        self._database.run(sql.LEARN, (repository.repository, repository.remote, folder, now, now))
        for alias in repository.aliases:
            self._database.run(sql.LEARN_ALIAS, (alias, repository.repository))
        if not repository.aliases:
            return []
        rows = self._database.rows(sql.carried(repository.aliases), repository.aliases)
        return [row[0] for row in rows]

    def move(self, old: str, new: str) -> None:
        """Carry over what is kept under an old name, but for entries, which have a trail. Needs an open write()."""
        from recollect.store.moves import move_repository

        move_repository(self._database, old, new)

    def all(self) -> list[str]:
        """Every identity that has entries."""
        return [row[0] for row in self._database.rows(sql.WITH_ENTRIES)]

    def names(self) -> list[str]:
        """Every identity that is known, in order."""
        return [row[0] for row in self._database.rows(sql.NAMES) if row[0]]

    def export(self) -> list[dict[str, Any]]:
        """Every repository of which something is kept, with its aliases: where somebody merely was is no part of it."""
        rows = self._database.rows(sql.KEPT)
        aliases = self._database.rows(sql.ALL_ALIASES)
        names = ("repository", "remote", "common_directory", "created", "updated")
        return [
            {**dict(zip(names, row, strict=True)), "aliases": [alias for alias, of in aliases if of == row[0]]}
            for row in rows
        ]

    def load(self, items: list[dict[str, Any]]) -> None:
        """Bring repositories back; those that are known stay as they are, unless the export knew them longer."""
        for item in items:
            names = ("repository", "remote", "common_directory", "created", "updated")
            self._database.run(sql.LOAD, [item[name] for name in names])
            self._database.run_many(
                sql.LOAD_ALIAS,
                [(alias, item["repository"]) for alias in item["aliases"]],
            )
