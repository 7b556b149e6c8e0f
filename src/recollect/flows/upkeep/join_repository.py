"""Join: a repository that gained a remote or moved keeps the memory it had under its old identity."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from recollect.model.repositories import Repository
    from recollect.store.store import Store


def left_behind(repository: Repository, *, known: Mapping[str, str], store: Store) -> list[str]:
    """What to tell, once, where a folder has another remote than before: a fork, or what is new, has its own memory."""
    before = known.get(repository.common_directory, repository.repository)
    if not repository.repository or before in (repository.repository, *repository.aliases):
        return []
    if not store.entries.listed({"repository": before, "status": "active"}, limit=1):
        return []
    now = repository.repository if repository.remote else f"{repository.root} without a remote"
    return [
        f"This folder was {before} before and is {now} now; what was remembered there stays there: "
        f"`recollect list --repository {before}`."
    ]


def join_repository(repository: Repository, *, store: Store, now: float) -> int:
    """Learn this repository and bring over what was kept under its aliases; returns how many entries."""
    if not repository.repository or store.repositories.known(repository):
        return 0
    from recollect.text.language.statements import statement_key

    moved = 0
    with store.write():
        carried = store.repositories.learn(repository, now=now)
        for alias in repository.aliases:
            store.repositories.move(alias, repository.repository)
        for alias in carried:
            change_id = store.changes.begin("join repository", "system", now=now)
            for stored in store.entries.listed({"repository": alias}):
                after = stored.entry._replace(repository=repository.repository)
                store.entries.update(stored, after, statement_key(after.content), change_id=change_id)
                moved += 1
    return moved
