"""An opened memory: home, settings, store, repository and clock. There is one, whichever door somebody came in by."""

from __future__ import annotations

import os
import time

from recollect.errors import StoreError
from recollect.files.config import load_settings
from recollect.files.git.lookups import asking, kept_answers
from recollect.files.home import Home, ensure_home, home_directory
from recollect.files.repositories import identify, working_tree
from recollect.model.recall import Filters, Limits
from recollect.model.repositories import Repository
from recollect.settings import environment
from recollect.store.database import SCHEMA_VERSION, Database
from recollect.store.store import Store
from recollect.store.wal_state import is_cut, suspect_cut_wal, wal_state
from recollect.text import ids

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from recollect.files.git.lookups import Lookup
    from recollect.flows.models.asking import AskedModels
    from recollect.flows.turns.recall import AskNear
    from recollect.flows.writes.actors import Actor
    from recollect.flows.writes.writers import Writer
    from recollect.memory.checking import Checker
    from recollect.memory.profile import Profile
    from recollect.model.entries import Scope
    from recollect.model.recall import Nearness
    from recollect.model.receipts import Receipt
    from recollect.model.turns import Recipient
    from recollect.settings import Settings
    from recollect.strategies.prompts import Prompts

NOWHERE = "nowhere"  # the folder, in the home, of a repository that is not here; nobody makes it
FRAME_TOKENS = 80  # of the fence and the sentence above the entries


class Opened:
    """A home that was opened for a folder, and what every flow needs of it: ceilings, checks, ids, receipts."""

    def __init__(
        self,
        home: Home,
        settings: Settings,
        store: Store,
        repository: Repository,
        *,
        folder: str,
        environ: Mapping[str, str],
        lookup: Lookup,
        clock: Callable[[], float] = time.time,
        notices: Sequence[str] = (),
        is_hook: bool = False,
        flags: Mapping[str, object] | None = None,
    ) -> None:
        self.home = home
        self.flags = dict(flags or {})  # settings that whoever opened it named; they go before every file
        self.settings = settings
        self.store = store
        self.repository = repository
        self.folder = folder
        self.environ = environ
        self.lookup = lookup  # what `.git` does not say: a hook knows what others have learned, the others ask
        self.clock = clock
        self.notices = tuple(notices)
        self.near: AskNear = self._ask_near
        self._service_prompts: Prompts | None = None
        self.listeners: dict[str, list[Any]] = {}  # who wants to know of changes, by room
        self.is_hook = is_hook  # then no file of the repository is read, and nothing but the spool is written

    @property
    def now(self) -> float:
        """The time, as whoever opened it tells it."""
        return self.clock()

    @property
    def wait_seconds(self) -> float:
        """How long an answer waits for a locked database."""
        return self.settings.hook.wait_milliseconds / 1000

    @property
    def root(self) -> str:
        """The folder that paths of citations are relative to."""
        return self.repository.root or self.folder

    def profile(self) -> Profile:
        """L0 as it stands, with the share of its limit that is used."""
        from recollect.memory.profile import load_profile

        return load_profile(self.store, limit_characters=self.settings.profile.max_characters)

    def new_id(self, prefix: str) -> str:
        """A new id."""
        return ids.make_id(prefix, self.clock(), os.urandom(10))

    def limit_characters(self, to: Recipient) -> int:
        """The smaller of our ceiling and the host's."""
        return min(self.settings.injection.max_characters, to.ability.max_characters)

    def limit_tokens(self, to: Recipient) -> int:
        """The smaller of our ceiling and the host's."""
        return min(self.settings.injection.max_tokens, to.ability.max_tokens)

    def start_limits(self, to: Recipient) -> tuple[int, int]:
        """Characters and tokens that the start of a session may take with a summary of past sessions in it: the smaller
        of the host's own ceiling, and ours with the summary's on top."""
        more = self.settings.memories.summary_injection_token_limit
        characters = self.settings.injection.max_characters + 4 * more
        tokens = self.settings.injection.max_tokens + more
        return min(characters, to.ability.start_characters), min(tokens, to.ability.start_tokens)

    def limits(self, k: int | None = None, tokens: int | None = None, *, to: Recipient | None = None) -> Limits:
        """The ceilings of a recall; for somebody who is given its text, none above what may be injected at all."""
        recall = self.settings.recall
        most = recall.max_tokens if tokens is None else tokens
        return Limits(
            max_entries=recall.max_entries if k is None else k,
            max_tokens=most if to is None else min(most, max(self.limit_tokens(to) - FRAME_TOKENS, 0)),
            max_archive=recall.max_archive,
            floor=recall.floor,
            budget_postings=recall.budget_postings,
            check_milliseconds=recall.check_milliseconds,
        )

    def filters(self, repository: str | None = None) -> Filters:
        """Entries of the user and of this repository, or of another one."""
        if repository is not None:
            return Filters(repository=self.store.repositories.canonical(repository))
        return Filters(repository=self.repository.repository, known_as=self.repository.aliases)

    def checker(self, *, patient: bool = False) -> Checker:
        """Says whether what entries cite still holds: within what a turn may take, or with more time."""
        from recollect.memory.checking import PATIENT_MILLISECONDS, CachedChecker, Checker

        limit = self.settings.recall.check_milliseconds
        milliseconds = max(PATIENT_MILLISECONDS, limit) if patient else limit
        return (CachedChecker if self.is_hook else Checker)(self.store, self.repository, milliseconds=milliseconds)

    def keep_receipt(self, receipt: Receipt, checker: Checker | None = None) -> None:
        """Keep a receipt, and what was found about citations.

        In the spool: what a hook writes into the log of the database, all hooks after it would read again when they
        open it, until a process closes it in order. Others store what waits once it is worth a transaction."""
        from recollect.flows.turns.keep_receipt import keep_checks, keep_receipt

        if keep_receipt(receipt, store=self.store, spool_folder=self.home.spool) and not self.is_hook:
            self.take_in()
        if checker is not None and checker.fresh:
            keep_checks(checker.fresh, store=self.store)

    def _ask_near(self, text: str, repositories: Sequence[str], entry_ids: Sequence[str]) -> Nearness | None:
        """How near in meaning entries are, where a process of ours is there that has loaded the model."""
        if not os.path.exists(self.home.near_socket):
            return None
        from recollect.files.near_socket import HOOK_SECONDS, PATIENT_SECONDS, ask_near

        wait = HOOK_SECONDS if self.is_hook else PATIENT_SECONDS
        return ask_near(self.home.near_socket, text, repositories, entry_ids, wait_seconds=wait)

    def take_in(self) -> None:
        """Store the receipts that wait, and count the uses, before somebody looks at them."""
        from recollect.flows.turns.keep_receipt import take_in_if_free

        take_in_if_free(self.store, spool_folder=self.home.spool)

    def receipts(self, session: str) -> list[Receipt]:
        """What a session was given, oldest first."""
        from recollect.flows.turns.waiting_receipts import receipts_of

        return receipts_of(session, store=self.store, spool_folder=self.home.spool)

    def empty_window(self, to: Recipient, why: str) -> None:
        """Note that a session no longer has before it what it was given: it is due again."""
        from recollect.files.touched_paths import forget_touches
        from recollect.memory.inject import emptied

        if to.session:
            forget_touches(self.home.spool, to.session)
            name, here = self.new_id(ids.RECEIPT), self.repository.repository
            self.keep_receipt(
                emptied(why, receipt_id=name, repository=here, session=to.session, host=to.host, now=self.now)
            )

    def in_window(self, to: Recipient, turn: int = 0) -> dict[str, str]:
        """What a session was given before this turn and still has before it: entry ids, with the mark of the line."""
        from recollect.flows.turns.waiting_receipts import in_window

        if not (to.session and to.keeps_text):
            return {}
        return in_window(to.session, turn, store=self.store, spool_folder=self.home.spool)

    def writer(self, actor: str) -> Writer:
        """What a write needs, with what waits taken in before it."""
        from recollect.flows.writes.writers import Writer

        self.take_in()
        return Writer(
            store=self.store,
            actor=actor,
            now=self.clock(),
            new_id=lambda: self.new_id(ids.ENTRY),
            profile_characters=self.settings.profile.max_characters,
            vote_out_downs=self.settings.memory.vote_out_downs,
            here=self.repository.repository,
        )

    def scope_for(self, layer: str) -> Scope:
        """Where an entry of this layer holds when nobody says so: outside git, and in the profile, everywhere."""
        in_git = self.repository.common_directory or self.settings.repository.identity
        return "repository" if layer != "L0" and in_git and self.repository.repository else "user"

    def project_id(self, name: str) -> str:
        """The id of the project that is named; empty when none is."""
        return self.store.tasks.project(name).project_id if name else ""

    def task_id(self, name: str) -> str:
        """The id of the task that is named; empty when none is."""
        return self.store.tasks.task(name).task_id if name else ""

    def work_ids(self, project: str, task: str) -> tuple[str, str]:
        """The ids of the project and the task that are named; a task brings its project along."""
        found = self.store.tasks.task(task) if task else None
        return self.project_id(project) or (found.project if found else ""), found.task_id if found else ""

    @property
    def service_prompts(self) -> Prompts:
        """What a memory service said when it was asked: once, however many agents ask."""
        if self._service_prompts is None:
            from recollect.strategies.prompts import Prompts

            self._service_prompts = Prompts()
        return self._service_prompts

    @property
    def models(self) -> AskedModels:
        """The one place that is asked for a model; each time a pass of its own. No hook asks one."""
        from recollect.flows.models.asking import AskedModels

        return AskedModels(self)

    def mark_told(self, reader: Actor | None = None) -> None:
        """A person has seen the notices: no session has to be told. An agent that reads them tells nobody."""
        from recollect.flows.writes.actors import Agent
        from recollect.store.recovery import mark_told

        if self.notices and not isinstance(reader, Agent):
            mark_told(self.store, self.notices, now=self.clock())

    def stop_when(self, asked: Callable[[], bool] | None) -> None:
        """In this thread: end with Stopped, and write nothing more, once `asked` says so."""
        self.store.database.stop_when(asked)

    def close(self) -> None:
        """Let go of the database."""
        self.store.close()


def open_home(
    home: str | None = None,
    *,
    folder: str | None = None,
    flags: Mapping[str, object] | None = None,
    environ: Mapping[str, str] | None = None,
    clock: Callable[[], float] = time.time,
    wait_seconds: float | None = None,
) -> Opened:
    """Open the user's home, or another one; `folder` is where the work is (default: the current directory), and
    `wait_seconds` how long a write may wait for other processes."""
    from recollect.flows.upkeep.join_repository import join_repository, left_behind
    from recollect.store.recovery import open_or_recover

    environ = environment() if environ is None else environ
    place = ensure_home(os.path.abspath(home) if home else home_directory(environ))
    folder = folder or os.getcwd()
    settings = settings_at(folder, place, environ, flags=flags)
    store, notices = open_or_recover(place.database, backups=place.backups, now=clock())
    if wait_seconds is not None:
        store.database.wait_at_most(wait_seconds)
    lookup = asking(place, environ.get("HOME"))
    told = (*settings.warnings, *notices)
    known = store.repositories.identities()
    here = _repository_at(folder, settings, known, environ, lookup)
    told += tuple(left_behind(here, known=known, store=store))
    join_repository(here, store=store, now=clock())
    return Opened(
        place, settings, store, here, folder=folder, environ=environ, lookup=lookup, clock=clock, notices=told,
        flags=flags,
    )  # fmt: skip


def elsewhere(memory: Opened, repository: str) -> Opened:
    """The same home and store for a repository by its name, whose working tree is not here: no file of it is read. An
    empty name stands for the user alone."""
    return Opened(
        memory.home,
        load_settings(memory.environ, memory.home),
        memory.store,
        Repository(memory.store.repositories.canonical(repository)),
        folder=os.path.join(memory.home.root, NOWHERE),
        environ=memory.environ,
        lookup=memory.lookup,
        clock=memory.clock,
    )


def open_for_hook(
    home: Home,
    settings: Settings,
    *,
    folder: str,
    environ: Mapping[str, str],
    clock: Callable[[], float],
    late: Callable[[], bool],
    stores: KeptStore | None = None,
) -> Opened:
    """Open a home without anything that could take long: nothing is made, migrated, mended or joined. Whoever asks
    often hands in the store that it keeps."""
    store = stores.get(home, settings, late) if stores else store_for_hook(home, settings, late)
    known, lookup = store.repositories.identities(), kept_answers(home)
    repository = _repository_at(folder, settings, known, environ, lookup)
    return Opened(
        home, settings, store, repository, folder=folder, environ=environ, lookup=lookup, clock=clock, is_hook=True
    )


def store_for_hook(home: Home, settings: Settings, late: Callable[[], bool]) -> Store:
    """The store as it is: a hook neither makes nor migrates nor mends one. Statements end when it is late."""
    if not os.path.exists(home.database):
        raise StoreError("There is no database yet. Run `recollect up` to create one.")
    before = wal_state(home.database)
    database = Database(home.database, wait_seconds=settings.hook.wait_milliseconds / 1000)
    database.stop_when(late)
    if database.schema_version() != SCHEMA_VERSION:
        raise StoreError("The database has another version; the next command or the worker upgrades it.")
    if is_cut(before, wal_state(home.database)):
        suspect_cut_wal(home.database)
    return Store(database)


class KeptStore:
    """A store for one thread that asks again and again as a hook does; opened once, and again when its file changed."""

    def __init__(self) -> None:
        self._store: Store | None = None

    def get(self, home: Home, settings: Settings, late: Callable[[], bool]) -> Store:
        """As `store_for_hook`."""
        if self._store is not None:
            try:
                self._store.database.current()
                self._store.database.stop_when(late)
            except StoreError:
                self._store = None
        if self._store is None:
            self._store = store_for_hook(home, settings, late)
        return self._store


def settings_at(
    folder: str, home: Home, environ: Mapping[str, str], *, flags: Mapping[str, object] | None = None
) -> Settings:
    """The settings that hold in a folder; the home is neither created nor opened."""
    return load_settings(environ, home, working_tree=working_tree(folder, home=environ.get("HOME")), flags=flags)


def _repository_at(
    folder: str, settings: Settings, known: Mapping[str, str], environ: Mapping[str, str], lookup: Lookup
) -> Repository:
    override, home = settings.repository.identity, environ.get("HOME")
    return identify(folder, override=override, home=home, known=known, environ=environ, lookup=lookup)


def read_settings(environ: Mapping[str, str], *, folder: str | None = None) -> tuple[Home, Settings]:
    """The settings that hold in a folder, and their home, which is neither created nor opened."""
    home = Home(home_directory(environ))
    return home, settings_at(folder or os.getcwd(), home, environ)
