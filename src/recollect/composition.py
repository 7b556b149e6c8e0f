"""The composition root: from settings to a store, a repository and what every flow needs of them."""

from __future__ import annotations

import os
import time

from recollect.files.config import load_settings
from recollect.files.home import Home, ensure_home, home_directory
from recollect.files.repositories import identify
from recollect.model.recall import Filters, Limits
from recollect.settings import environment
from recollect.text import ids

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Self

    from recollect.flows.compaction.conversation import Conversation
    from recollect.flows.sessions.own_sessions import OwnSessions
    from recollect.flows.writes.actors import Actor
    from recollect.flows.writes.write import Writer
    from recollect.memory.checking import Checker
    from recollect.model.entries import Citation, Scope
    from recollect.model.permissions import Rules
    from recollect.model.receipts import Receipt
    from recollect.model.repositories import Repository
    from recollect.ports import Strategy
    from recollect.settings import Settings
    from recollect.settings_table import Value
    from recollect.store.store import Store
    from recollect.strategies.prompts import Prompts


class Opened:
    """A home that was opened for a folder: its settings, its store, the repository, and what flows need of them."""

    def __init__(
        self,
        home: Home,
        settings: Settings,
        store: Store,
        repository: Repository,
        *,
        folder: str,
        environ: Mapping[str, str],
        clock: Callable[[], float] = time.time,
        notices: Sequence[str] = (),
    ) -> None:
        self.home = home
        self.settings = settings
        self.store = store
        self.repository = repository
        self.folder = folder
        self.environ = environ
        self.notices = tuple(notices)
        self._clock = clock
        self._asked: Prompts | None = None

    @classmethod
    def open(
        cls,
        home: str | None = None,
        *,
        folder: str | None = None,
        flags: Mapping[str, object] | None = None,
        environ: Mapping[str, str] | None = None,
        clock: Callable[[], float] = time.time,
        wait_seconds: float | None = None,
    ) -> Self:
        """Open the user's home, or another one; `folder` is where the work is (default: the current directory), and
        `wait_seconds` how long a write may wait for other processes."""
        from recollect.flows.upkeep.join_repository import join_repository, left_behind
        from recollect.store.recovery import open_or_recover

        environ = environment() if environ is None else environ
        place = ensure_home(os.path.abspath(home) if home else home_directory(environ))
        folder = folder or os.getcwd()
        tree = identify(folder, home=environ.get("HOME"))
        settings = load_settings(environ, place, working_tree=tree.root, flags=flags)
        store, notices = open_or_recover(place.database, backups=place.backups, now=clock())
        if wait_seconds is not None:
            store.database.wait_at_most(wait_seconds)
        known = store.repositories.identities()
        home_folder, identity = environ.get("HOME"), settings.repository.identity
        repository = identify(folder, override=identity, home=home_folder, known=known, environ=environ)
        moved = left_behind(repository, known=known, store=store)
        join_repository(repository, store=store, now=clock())
        return cls(
            place,
            settings,
            store,
            repository,
            folder=folder,
            environ=environ,
            clock=clock,
            notices=(*settings.warnings, *notices, *moved),
        )

    def stop_when(self, asked: Callable[[], bool] | None) -> None:
        """In this thread: end with Stopped, and write nothing more, once `asked` says so."""
        self.store.database.stop_when(asked)

    def mark_told(self, reader: Actor | None = None) -> None:
        """A person has seen the notices: no session has to be told. An agent that reads them tells nobody."""
        from recollect.flows.writes.actors import Agent
        from recollect.store.recovery import mark_told

        if self.notices and not isinstance(reader, Agent):
            mark_told(self.store, self.notices, now=self._clock())

    def close(self) -> None:
        """Let go of the database."""
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def citations(self, cite: Sequence[str | Citation]) -> tuple[Citation, ...]:
        """Citations from what a person writes: `path`, `path:10-20`, `path#symbol`."""
        from recollect.memory.checks import make_citation

        return tuple(
            make_citation(one, root=self.repository.root or self.folder, cwd=self.folder)
            if isinstance(one, str)
            else one
            for one in cite
        )

    def _rules(self, allow_tools: Sequence[str], deny_tools: Sequence[str]) -> Rules:
        from recollect.permissions import rules_of

        given, trusted = self.settings.permissions, self._is_persons
        return rules_of(
            deny=given.deny,
            allow=given.allow if trusted("permissions.allow") else (),
            allow_all=given.allow_all and trusted("permissions.allow_all"),
            allow_tools=allow_tools,
            deny_tools=deny_tools,
        )

    def _strategy(self) -> Strategy | None:
        """The memory that agents' tools write to; None for our own store."""
        from recollect.strategies.gates import choose

        choice = choose(self.settings, repository=self.repository.repository, root=self._shared_root())
        for sentence in choice.skipped:
            self._log_strategy(sentence)
        return self._strategy_named(choice.name)

    def _strategy_named(self, name: str) -> Strategy | None:
        from recollect.flows.writes.strategies import make_strategy

        return make_strategy(
            name,
            self.settings,
            home=self.home,
            repository=self.repository.repository,
            root=self._shared_root(),
            prompts=self._prompts(),
            token=self.environ.get("RECOLLECT_TOKEN", ""),
            new_id=self._new_id,
            log=self._log_strategy,
        )

    def _shared_root(self) -> str:
        """The working tree whose files may be shared; empty outside a repository."""
        return self.repository.root if self.repository.repository else ""

    def _log_strategy(self, sentence: str) -> None:
        from recollect.flows.writes.strategies import log_line

        log_line(self.home, sentence, now=self._clock())

    def _prompts(self) -> Prompts:
        if self._asked is None:
            from recollect.strategies.prompts import Prompts

            self._asked = Prompts()
        return self._asked

    def _is_persons(self, name: str) -> bool:
        """Was it set where a person sets things? An agent can set variables for the commands it runs."""
        return not self.settings.origin(name).startswith("environment variable")

    @property
    def own_sessions(self) -> OwnSessions:
        """The sessions that this home keeps itself, each with its log and its checkpoints."""
        from recollect.flows.sessions.own_sessions import OwnSessions

        return OwnSessions(self.home.sessions, clock=self._clock, new_id=self._new_id, offer=self._offer_said)

    def _offer_said(self, sentences: Sequence[str], session_id: str) -> None:
        from recollect.flows.sessions.digest import Keeper, offer_said

        keeper = Keeper(self._writer("system"), lambda: self._new_id(ids.CANDIDATE))
        offer_said(sentences, keeper, repository=self.repository.repository, session_id=session_id)

    @property
    def context(self) -> Conversation:
        """Compaction and truncation of somebody's messages."""
        from recollect.flows.compaction.conversation import Conversation

        return Conversation(threshold=self.settings.compaction.background_threshold)

    def own_settings(self) -> dict[str, Value]:
        """What the user's own file sets."""
        return {name: self.settings.get(name) for name in dict(self.settings.origins) if self._is_own(name)}

    def _is_own(self, name: str) -> bool:
        return self.settings.origin(name).startswith(self.home.config)

    def _writer(self, actor: str) -> Writer:
        from recollect.flows.writes.write import Writer

        self._take_in()
        return Writer(
            store=self.store,
            actor=actor,
            now=self._clock(),
            new_id=lambda: self._new_id(ids.ENTRY),
            profile_characters=self.settings.profile.max_characters,
            vote_out_downs=self.settings.memory.vote_out_downs,
        )

    def _new_id(self, prefix: str) -> str:
        return ids.make_id(prefix, self._clock(), os.urandom(10))

    def _scope_for(self, layer: str) -> Scope:
        return "repository" if layer != "L0" and self.repository.repository else "user"

    def _project_id(self, name: str) -> str:
        return self.store.tasks.project(name).project_id if name else ""

    def _filters(self, repository: str | None) -> Filters:
        if repository is not None:
            return Filters(repository=self.store.repositories.canonical(repository))
        return Filters(repository=self.repository.repository, known_as=self.repository.aliases)

    def _limits(self, k: int | None, tokens: int | None) -> Limits:
        recall = self.settings.recall
        return Limits(
            max_entries=recall.max_entries if k is None else k,
            max_tokens=recall.max_tokens if tokens is None else tokens,
            max_archive=recall.max_archive,
            floor=recall.floor,
            budget_postings=recall.budget_postings,
            check_milliseconds=recall.check_milliseconds,
        )

    def _checker(self, *, patient: bool = False) -> Checker:
        from recollect.memory.checking import PATIENT_MILLISECONDS, Checker

        limit = self.settings.recall.check_milliseconds
        milliseconds = max(PATIENT_MILLISECONDS, limit) if patient else limit
        return Checker(self.store, self.repository, milliseconds=milliseconds)

    def _keep(self, receipt: Receipt, checker: Checker) -> None:
        from recollect.flows.turns.keep_receipt import keep_checks, keep_receipt

        if keep_receipt(receipt, store=self.store, spool_folder=self.home.spool):
            self._take_in()
        if checker.fresh:
            keep_checks(checker.fresh, store=self.store)

    def _take_in(self) -> None:
        """Store the receipts that wait, and count the uses, before somebody looks at them."""
        from recollect.flows.turns.keep_receipt import take_in_if_free

        take_in_if_free(self.store, spool_folder=self.home.spool)


def read_settings(environ: Mapping[str, str], *, folder: str | None = None) -> tuple[Home, Settings]:
    """The settings that hold in a folder, and their home, which is neither created nor opened."""
    home = Home(home_directory(environ))
    tree = identify(folder or os.getcwd(), home=environ.get("HOME"))
    return home, load_settings(environ, home, working_tree=tree.root)
