"""Reading a memory: entries, recall, injection and receipts. The part of the public face that changes nothing."""

from __future__ import annotations

from recollect.composition import Opened
from recollect.errors import NotFound, UsageError
from recollect.model.entries import LAYERS
from recollect.text import ids

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from recollect.flows.views.show import Details
    from recollect.memory.checks import Checked
    from recollect.memory.profile import Profile
    from recollect.model.entries import Entry
    from recollect.model.receipts import Injection, Recall, Receipt

# What entries() may choose by.
FILTERS = (
    "layer", "status", "scope", "source", "origin", "repository", "project", "task", "subject", "session", "tag"
)  # fmt: skip


class Reading(Opened):
    """A memory that is looked at: what is stored, what a turn would get, what it got and why."""

    def get(self, entry_id: str) -> Entry:
        """The entry with this id, or unique prefix of one."""
        self._take_in()
        return self.store.entries.get(entry_id).entry

    def entries(self, *, limit: int = -1, everywhere: bool = False, **where: Any) -> list[Entry]:
        """Entries, newest first, of this repository and the user, by layer, status, scope, source, tag... (FILTERS)."""
        _require_filters(where)
        self._take_in()
        tag = where.pop("tag", "")
        where = {name: value for name, value in where.items() if value}
        if "repository" in where:
            where["repository"] = self.store.repositories.canonical(where["repository"])
        elif not everywhere:
            where["repository"] = ["", self.repository.repository]
        found = [stored.entry for stored in self.store.entries.listed(where, limit=-1 if tag else limit)]
        tagged = [entry for entry in found if not tag or tag in entry.tags]
        return tagged if limit < 0 else tagged[:limit]

    def show(self, entry_id: str) -> Details:
        """An entry with its check, its trail, what it replaced, its votes and the receipts that name it."""
        from recollect.flows.views.show import show

        self._take_in()
        return show(
            self.store.entries.get(entry_id), store=self.store, checker=self._checker(patient=True), now=self._clock()
        )

    def conflicts(self) -> list[tuple[Entry, Entry]]:
        """Pairs (newer, older) of active entries that contradict each other."""
        from recollect.memory.conflicts import open_conflicts

        return open_conflicts(self.store)

    def checks(self, entries: Sequence[Entry], *, patient: bool = False) -> list[Checked]:
        """Whether what each entry cites still holds here, one verdict an entry; within what a turn may take, unless
        there is more time."""
        return self._checker(patient=patient).check(entries, now=self._clock())

    def profile(self) -> Profile:
        """L0 as it stands, with the share of its limit that is used."""
        from recollect.memory.profile import load_profile

        return load_profile(self.store, limit_characters=self.settings.profile.max_characters)

    def agents_block(self) -> str:
        """What a host without hooks is told in AGENTS.md."""
        from recollect.flows.setup.agents_block import agents_block

        return agents_block(self.profile(), self.entries(status="active", layer="L1"))

    def counts(self) -> dict[str, int]:
        """Active entries by layer."""
        return {"L0": 0, "L1": 0, "L2": 0, **self.store.entries.counts()}

    def damaged_copies(self) -> list[str]:
        """What was kept of databases that were damaged, newest first."""
        from recollect.store.backups import damaged_copies

        return damaged_copies(self.home.backups)

    def repository_named(self, name: str) -> str:
        """The identity of a repository that a person names: whole, by its folder, or by a part that tells which."""
        from recollect.flows.views.name_repository import name_repository

        return name_repository(name, store=self.store, folder=self.folder, environ=self.environ, lookup=self._lookup())

    # -- recall and injection

    def recall(
        self,
        query: str,
        *,
        k: int | None = None,
        tokens: int | None = None,
        layers: Sequence[str] = (),
        repository: str | None = None,
        since: float = 0.0,
        tags: Sequence[str] = (),
        project: str = "",
        everywhere: bool = False,
        without: Sequence[str] = (),
        session: str = "",
        host: str = "",
    ) -> tuple[Recall, str]:
        """What a turn with this text would get, and the id of its receipt; `without` what it was given already."""
        from recollect.flows.turns.recall import recall
        from recollect.memory.inject import receipt_of

        _require_question(query, k, tokens, layers)
        filters = self._filters(repository)._replace(
            layers=tuple(layers),
            since=since,
            tags=tuple(tags),
            project=self._project_id(project),
            everywhere=everywhere,
            without=frozenset(without),
        )
        limits = self._limits(k, tokens)
        now, checker = self._clock(), self._checker()
        found = recall(query, store=self.store, filters=filters, limits=limits, checker=checker, now=now)
        receipt_id = self._new_id(ids.RECEIPT)
        receipt = receipt_of(
            found,
            receipt_id=receipt_id,
            repository=filters.repository,
            session=session,
            host=host,
            tokens=found.tokens,
            now=now,
        )
        self._keep(receipt, checker)
        return found, receipt_id

    def inject(self, prompt: str, *, session: str = "", host: str = "") -> Injection:
        """Text for the user turn, and the id of its receipt; empty when nothing is worth its tokens."""
        from recollect.flows.turns.turn import turn
        from recollect.flows.turns.waiting_receipts import last_turn
        from recollect.model.receipts import Injection

        _require_question(prompt, None, None, ())
        if not self.settings.enabled:
            return Injection("")
        checker = self._checker()
        before = last_turn(session, store=self.store, spool_folder=self.home.spool) if session else None
        return turn(
            prompt,
            store=self.store,
            filters=self._filters(None),
            limits=self._limits(None, None),
            checker=checker,
            keep=lambda receipt: self._keep(receipt, checker),
            receipt_id=self._new_id(ids.RECEIPT),
            session=session,
            number=(before or (0,))[0] + 1 if session else 0,
            host=host,
            now=self._clock(),
        )

    def start_session(self, session: str = "") -> str:
        """The profile and the active task for the system prompt; byte-identical for as long as the session lasts."""
        from recollect.flows.turns.keep_receipt import keep_block
        from recollect.memory.inject import session_block
        from recollect.memory.tasks import active_task, render_task

        if not self.settings.enabled:
            return ""
        kept = self.store.receipts.kept_block(session) if session else ""
        if kept:
            return kept
        task = active_task(self.store, self.repository.repository)
        block = session_block(
            self.profile(), render_task(task) if task else "", limit_characters=self.settings.injection.max_characters
        )
        wait_seconds = self.settings.hook.wait_milliseconds / 1000
        if not session:
            return block
        return keep_block(session, block, store=self.store, wait_seconds=wait_seconds, now=self._clock())

    def guidance(self) -> str:
        """What an agent should know about writing to this memory."""
        from recollect.prompts import render

        return render("guidance", profile_characters=f"{self.settings.profile.max_characters:,}")

    def receipts(self, session: str) -> list[Receipt]:
        """What each turn of a session was given, oldest first."""
        from recollect.flows.turns.waiting_receipts import receipts_of

        return receipts_of(session, store=self.store, spool_folder=self.home.spool)

    def why(self, *, session: str = "", turn: int | None = None, receipt_id: str = "", here: bool = False) -> Receipt:
        """The receipt of a turn; the last one unless told otherwise, or with `here` the last one of this repository."""
        from recollect.flows.turns.waiting_receipts import last_receipt, receipt_with

        self._take_in()
        store, spool = self.store, self.home.spool
        if receipt_id:
            return receipt_with(receipt_id, store=store, spool_folder=spool)
        repository = self.repository.repository if here else None
        found = last_receipt(store, spool_folder=spool, session=session, turn=turn, repository=repository)
        if found is None:
            raise NotFound("There is no such receipt; nothing has been recalled there yet.")
        return found


def _require_filters(where: dict[str, Any]) -> None:
    unknown = [name for name in where if name not in FILTERS]
    if unknown:
        raise UsageError(f"Entries cannot be chosen by {unknown[0]!r}, only by {', '.join(FILTERS)}.")


def _require_question(query: object, k: int | None, tokens: int | None, layers: Sequence[str]) -> None:
    """Before every recall, so it may cost next to nothing."""
    if not isinstance(query, str):
        raise UsageError(f"What to recall is a text, not {query!r:.60}.")
    for name, limit in (("k", k), ("tokens", tokens)):
        if limit is not None and not (isinstance(limit, int) and limit >= 0):
            raise UsageError(f"`{name}` is a whole number from 0 on, not {limit!r:.60}.")
    for layer in layers:
        if layer not in LAYERS:
            raise UsageError(f"{layer!r:.60} is no layer; give a list of {', '.join(LAYERS)}.")
