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
        self.take_in()
        return self.store.entries.get(entry_id).entry

    def entries(self, *, limit: int = -1, everywhere: bool = False, **where: Any) -> list[Entry]:
        """Entries, newest first, of this repository and the user, by layer, status, scope, source, tag... (FILTERS)."""
        _require_filters(where)
        self.take_in()
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

        self.take_in()
        return show(
            self.store.entries.get(entry_id), store=self.store, checker=self.checker(patient=True), now=self.now
        )

    def conflicts(self) -> list[tuple[Entry, Entry]]:
        """Pairs (newer, older) of active entries that contradict each other."""
        from recollect.memory.conflicts import open_conflicts

        return open_conflicts(self.store)

    def checks(self, entries: Sequence[Entry], *, patient: bool = False) -> list[Checked]:
        """Whether what each entry cites still holds here, one verdict an entry; within what a turn may take, unless
        there is more time."""
        return self.checker(patient=patient).check(entries, now=self.now)

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

        return name_repository(name, store=self.store, folder=self.folder, environ=self.environ)

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
        filters = self.filters(repository)._replace(
            layers=tuple(layers),
            since=since,
            tags=tuple(tags),
            project=self._project_id(project),
            everywhere=everywhere,
            without=frozenset(without),
        )
        limits = self.limits(k, tokens)
        now, checker = self.now, self.checker()
        found = recall(query, store=self.store, filters=filters, limits=limits, checker=checker, now=now)
        receipt_id = self.new_id(ids.RECEIPT)
        receipt = receipt_of(
            found,
            receipt_id=receipt_id,
            repository=filters.repository,
            session=session,
            host=host,
            tokens=found.tokens,
            now=now,
        )
        self.keep_receipt(receipt, checker)
        return found, receipt_id

    def inject(self, prompt: str, *, session: str = "", host: str = "") -> Injection:
        """Text for the user turn, and the id of its receipt; empty when nothing is worth its tokens."""
        from recollect.flows.turns.turn import turn
        from recollect.model.turns import Recipient

        _require_question(prompt, None, None, ())
        # Without a session nobody can say whose words these are; with one, a prompt told twice is one turn.
        return turn(prompt, self, Recipient(host, session), typed=bool(session), may_repeat=True)

    def start_session(self, session: str = "", *, host: str = "") -> str:
        """What a session is given at its start, for the system prompt; the same bytes for as long as it lasts."""
        from recollect.flows.turns.session_start import session_start
        from recollect.model.turns import Recipient

        return session_start(self, Recipient(host, session))

    def why(self, *, session: str = "", turn: int | None = None, receipt_id: str = "", here: bool = False) -> Receipt:
        """The receipt of a turn; the last one unless told otherwise, or with `here` the last one of this repository."""
        from recollect.flows.turns.waiting_receipts import last_receipt, receipt_with

        self.take_in()
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
