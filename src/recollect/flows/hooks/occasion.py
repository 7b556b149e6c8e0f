"""Occasion: a hook call with all that answering it needs, opened without anything that could take long."""

from __future__ import annotations

import os

from recollect.errors import StoreError
from recollect.files.git.lookups import kept_answers
from recollect.files.repositories import identify
from recollect.model.recall import Filters, Limits
from recollect.model.record import Record
from recollect.store.database import SCHEMA_VERSION, Database
from recollect.store.store import Store
from recollect.store.wal_state import is_cut, suspect_cut_wal, wal_state
from recollect.text import ids

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from recollect.files.home import Home
    from recollect.memory.checking import Checker
    from recollect.model.hooks import Ability, HookCall
    from recollect.model.receipts import Receipt
    from recollect.model.repositories import Repository
    from recollect.settings import Settings

FRAME_TOKENS = 80  # of the fence and the sentence above the entries


class Occasion(Record):
    """Who called, from where, and the memory that is open for it."""

    call: HookCall
    ability: Ability
    home: Home
    settings: Settings
    store: Store
    repository: Repository
    now: float

    @property
    def wait_seconds(self) -> float:
        """How long a hook waits for a locked database."""
        return self.settings.hook.wait_milliseconds / 1000

    @property
    def limit_characters(self) -> int:
        """The smaller of our ceiling and the host's."""
        return min(self.settings.injection.max_characters, self.ability.max_characters)

    @property
    def limit_tokens(self) -> int:
        """The smaller of our ceiling and the host's."""
        return min(self.settings.injection.max_tokens, self.ability.max_tokens)

    @property
    def limits(self) -> Limits:
        """The ceilings of recall, none of them above what may be injected at all."""
        recall = self.settings.recall
        return Limits(
            max_entries=recall.max_entries,
            max_tokens=min(recall.max_tokens, max(self.limit_tokens - FRAME_TOKENS, 0)),
            max_archive=recall.max_archive,
            floor=recall.floor,
            budget_postings=recall.budget_postings,
            check_milliseconds=recall.check_milliseconds,
        )

    @property
    def filters(self) -> Filters:
        """Entries of this repository and of the user."""
        return Filters(repository=self.repository.repository, known_as=self.repository.aliases)

    def checker(self) -> Checker:
        """Checks from what is cached: a hook reads no file of the repository."""
        from recollect.memory.checking import CachedChecker

        return CachedChecker(self.store, self.repository, milliseconds=self.settings.recall.check_milliseconds)

    def new_id(self, prefix: str) -> str:
        """A new id."""
        return ids.make_id(prefix, self.now, os.urandom(10))

    def keep(self, receipt: Receipt) -> None:
        """Keep a receipt, in the spool: what a hook writes into the log of the database, all hooks after it would read
        again when they open it, until a process closes it in order."""
        from recollect.flows.turns.keep_receipt import keep_receipt

        keep_receipt(receipt, store=self.store, spool_folder=self.home.spool)

    def receipts(self) -> list[Receipt]:
        """What this session was given, oldest first."""
        from recollect.flows.turns.waiting_receipts import receipts_of

        session = self.call.session
        return receipts_of(session, store=self.store, spool_folder=self.home.spool) if session else []


def open_store_for_hook(home: Home, settings: Settings, late: Callable[[], bool]) -> Store:
    """The store as it is: a hook neither makes nor migrates nor mends one. Statements end when it is late."""
    if not os.path.exists(home.database):
        raise StoreError("There is no database yet; `recollect up` makes one.")
    before = wal_state(home.database)
    database = Database(home.database, wait_seconds=settings.hook.wait_milliseconds / 1000)
    database.stop_when(late)
    if database.schema_version() != SCHEMA_VERSION:
        raise StoreError("The database is of another version; the next command or the worker brings it up to date.")
    if is_cut(before, wal_state(home.database)):
        suspect_cut_wal(home.database)
    return Store(database)


def occasion(
    call: HookCall,
    *,
    ability: Ability,
    home: Home,
    settings: Settings,
    store: Store,
    environ: Mapping[str, str],
    now: float,
) -> Occasion:
    """The call with its memory and its repository."""
    repository = identify(
        call.cwd,
        override=settings.repository.identity,
        home=environ.get("HOME"),
        known=store.repositories.identities(),
        environ=environ,
        lookup=kept_answers(home),
    )
    return Occasion(call, ability, home, settings, store, repository, now)
