"""Whatever is done to a memory, in whatever order: the index equals the entries, and every change can be taken back."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, assume, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, multiple, rule

from recollect import Recollect
from recollect.errors import Refused
from recollect.flows.upkeep.join_repository import join_repository
from recollect.model.entries import Entry
from recollect.model.repositories import Repository
from recollect.store.upkeep import verify_index
from tests.conftest import Clock

WORDS = ("cache", "queue", "gateway", "mailer", "search", "billing", "login", "report")
THINGS = ("Redis", "Kafka", "Envoy", "Postfix", "Solr", "Stripe", "Keycloak", "Metabase", "Memcached", "NATS")
facts = st.builds("The {} is {}.".format, st.sampled_from(WORDS), st.sampled_from(THINGS))
COUNTERS = ("updated", "last_used", "recall_count")


def comparable(entry: Entry) -> dict[str, Any]:
    return {name: value for name, value in entry._asdict().items() if name not in COUNTERS}


class Memory(RuleBasedStateMachine):
    """A person and agents at work on one memory."""

    ids = Bundle("ids")

    @initialize()
    def open(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.clock = Clock()
        self.memory = Recollect.open(
            str(Path(self.folder.name) / "home"),
            folder=self.folder.name,
            environ={"HOME": self.folder.name},
            clock=self.clock,
        )
        self.undoable: list[dict[str, dict[str, Any]]] = []
        self.repositories = 0

    def teardown(self) -> None:
        if hasattr(self, "memory"):
            self.memory.close()
            self.folder.cleanup()

    def state(self) -> dict[str, dict[str, Any]]:
        return {entry.entry_id: comparable(entry) for entry in self.memory.entries.list(everywhere=True)}

    def change(self, work: Any) -> Any:
        """Do something; if it left a change behind, remember how things were before."""
        self.clock.now += 60
        before, last = self.state(), self.memory.opened.store.changes.last()
        try:
            done = work()
        except Refused:
            assert self.state() == before
            return None
        if self.memory.opened.store.changes.last() != last:
            self.undoable.append(before)
        return done

    def is_there(self, entry_id: str) -> bool:
        """An erased entry takes its earlier versions along."""
        return entry_id in self.state()

    def new_id(self, outcome: Any) -> Any:
        return outcome.entry_id if outcome is not None and outcome.status == "stored" else multiple()

    @rule(target=ids, text=facts, layer=st.sampled_from(["L1", "L1", "L0"]), source=st.sampled_from(["user", "agent"]))
    def add(self, text: str, layer: Any, source: Any) -> Any:
        return self.new_id(
            self.change(lambda: self.memory.remember(text, scope="user", layer=layer, source=source, tags=[source]))
        )

    @rule(target=ids, entry_id=ids, text=facts)
    def correct(self, entry_id: str, text: str) -> Any:
        assume(self.is_there(entry_id))
        return self.new_id(self.change(lambda: self.memory.correct(text, entry_id=entry_id)))

    @rule(target=ids, text=facts)
    def correct_whatever_it_contradicts(self, text: str) -> Any:
        return self.new_id(self.change(lambda: self.memory.correct(text)))

    @rule(target=ids, entry_id=ids, text=facts)
    def update(self, entry_id: str, text: str) -> Any:
        assume(self.is_there(entry_id))
        outcome = self.change(lambda: self.memory.edit(entry_id, text=text, tags=["edited"]))
        return multiple() if outcome is None or outcome.entry_id == entry_id else self.new_id(outcome)

    @rule(entry_id=ids, direction=st.sampled_from(["up", "down"]))
    def vote(self, entry_id: str, direction: str) -> None:
        assume(self.is_there(entry_id))
        before = self.memory.entries.get(entry_id)
        self.change(lambda: self.memory.vote(entry_id, direction, "because"))
        after = self.memory.entries.get(entry_id)
        counted = (after.votes_up - before.votes_up, after.votes_down - before.votes_down)
        assert counted == ((1, 0) if direction == "up" else (0, 1))

    @rule(entry_id=ids)
    def forget(self, entry_id: str) -> None:
        assume(self.is_there(entry_id))
        self.change(lambda: self.memory.forget(entry_id))
        assert self.memory.entries.get(entry_id).status == "tombstone"

    @rule(entry_id=ids)
    def restore(self, entry_id: str) -> None:
        assume(self.is_there(entry_id))
        self.change(lambda: self.memory.restore(entry_id))
        content = self.memory.entries.get(entry_id).content
        assert content in [entry.content for entry in self.memory.entries.list(status="active")], (
            "it, or one that says the same"
        )

    @rule(entry_id=consumes(ids))
    def erase(self, entry_id: str) -> None:
        assume(self.is_there(entry_id))
        self.memory.forget(entry_id, hard=True)
        assert entry_id not in self.state()
        self.undoable.clear()

    @rule(text=facts)
    def join(self, text: str) -> None:
        self.repositories += 1
        old, new = f"path:/w/{self.repositories}", f"github.com/owner/app{self.repositories}"
        draft = {"scope": "repository", "repository": old}
        from recollect.model.drafts import Draft

        self.change(lambda: self.memory.remember_many([Draft(text, **draft)]))  # type: ignore[arg-type]
        store = self.memory.opened.store
        known = Repository(new, remote=new, common_directory=f"/w/{self.repositories}", aliases=(old,))
        self.change(lambda: join_repository(known, store=store, now=self.clock.now))
        assert not store.entries.listed({"repository": old})

    @rule()
    def undo(self) -> None:
        if not self.undoable:
            return
        before = self.undoable.pop()
        self.clock.now += 60
        last = self.memory.opened.store.changes.last()  # without a number, undo stays in the repository it runs in
        assert last is not None
        self.memory.undo(last.change_id)
        after = self.state()
        assert {entry_id: after[entry_id] for entry_id in before} == before
        assert {after[entry_id]["status"] for entry_id in after.keys() - before.keys()} <= {"inactive"}

    @rule(query=facts)
    def recall(self, query: str) -> None:
        found = self.memory.recall(query, everywhere=True, k=50, tokens=5_000).found
        active = {entry_id for entry_id, values in self.state().items() if values["status"] == "active"}
        assert {one.entry.entry_id for one in found.entries} <= active

    @invariant()
    def index_and_counts_agree_with_the_entries(self) -> None:
        if not hasattr(self, "memory"):
            return
        assert verify_index(self.memory.opened.store) == []
        layers = [values["layer"] for values in self.state().values() if values["status"] == "active"]
        assert self.memory.entries.counts() == {layer: layers.count(layer) for layer in ("L0", "L1", "L2")}


TestWhateverIsDoneToAMemory = Memory.TestCase
TestWhateverIsDoneToAMemory.settings = settings(
    max_examples=12, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)
