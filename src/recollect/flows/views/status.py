"""Status: what `doctor` knows, in a few numbers and without looking closely."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.files.serving_mark import is_serving
from recollect.flows.compaction.counts import COMPACTIONS, TOKENS_FREED
from recollect.flows.setup.install import INSTALLABLE
from recollect.flows.setup.installed import UNTRUSTED, inspect
from recollect.flows.turns.waiting_receipts import last_receipt
from recollect.flows.views.entries import EntryList
from recollect.flows.writes.tool_counts import tool_counts
from recollect.flows.writes.waiting import what_waits
from recollect.memory.profile import Profile
from recollect.model.record import Record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recollect.files.home import Home
    from recollect.flows.opened import Opened
    from recollect.flows.writes.waiting import Waiting
    from recollect.store.store import Store


class Background(Record):
    """How the worker stands."""

    alive: bool
    waiting: int
    failed: int  # given up
    serving: bool = False  # `recollect serve` does the work


class LastInjection(Record):
    """The last time that a turn was given something, or asked."""

    at: float
    host: str
    entries: int
    tokens: int


class Happened(Record):
    """How often things happened in this home; told here and nowhere else."""

    compactions: int  # of our own sessions, and of hosts' as their logs tell
    tokens_freed: int  # by compactions of our own sessions; hosts do not say
    recalls: int
    stores: int  # entries that were stored, whatever became of them, without those that were erased
    votes: int
    refusals: int  # writes of agents
    suggested: int = 0  # suggestions that were made; of them:
    applied: int = 0
    edited: int = 0
    dismissed: int = 0
    rem_spawned: int = 0  # ends of sessions after which rem kept the board;
    rem_below_min_turns: int = 0  # that were too short for it;
    rem_detached_child: int = 0  # of what runs detached itself
    host_compactions: int = 0  # of the compactions, those that hosts made


class Status(Record):
    """The state of a home at a glance."""

    entries: dict[str, int]
    profile: Profile
    sessions: int
    subagents: int  # those that sessions started
    waiting: Waiting
    hosts: dict[str, int]
    connections: Connections
    worker: Background
    last_injection: LastInjection | None
    happened: Happened
    tools: dict[str, dict[str, object]]  # of agents, by strategy: stores, votes, refusals, permissions


class Connections(Record):
    """The hosts on this machine."""

    connected: dict[str, list[str]]  # where each is connected: user, project, plugin, or nowhere
    untrusted: list[str]  # connected, but the host does not run its hooks
    left_out: list[str]  # nothing was written for them, on purpose; some read the settings of others
    connected_through: dict[str, list[str]]  # other hosts whose settings they read; nothing was written for them

    @property
    def missing(self) -> list[str]:
        """Those that are not connected, without those that a person left out."""
        return [host for host, where in self.connected.items() if not where and host not in self.left_out]


def status(memory: Opened) -> Status:
    """How this home stands."""
    store, now = memory.store, memory.now
    counts = store.sessions.counts()
    return Status(
        entries=EntryList(memory).counts(),
        profile=memory.profile(),
        sessions=counts.sessions,
        subagents=counts.subagents,
        waiting=what_waits(store, now=now, repository=memory.repository.repository),
        hosts=store.sessions.hosts(),
        connections=connections(
            memory.home, memory.environ, project=memory.repository.root, never=memory.settings.never_install
        ),
        worker=background(store, home=memory.home, now=now),
        last_injection=last_injection(store, home=memory.home),
        happened=happened(memory),
        tools=tool_counts(memory.store),
    )


def happened(memory: Opened) -> Happened:
    """The counters of this home."""
    memory.take_in()
    store = memory.store
    compactions, freed, by_hosts = store.checkpoints.counts()
    return Happened(
        compactions=compactions + store.counted(COMPACTIONS),
        tokens_freed=freed + store.counted(TOKENS_FREED),
        recalls=max(store.counted("recalls"), store.receipts.count()),  # counted since there are counters
        stores=store.entries.count_all(),
        votes=store.votes.count(),
        refusals=store.counted("refusals"),
        suggested=store.counted("suggestions generated"),
        applied=store.counted("suggestions applied"),
        edited=store.counted("suggestions edited"),
        dismissed=store.counted("suggestions dismissed"),
        rem_spawned=store.counted("rem.spawned"),
        rem_below_min_turns=store.counted("rem.below_min_turns"),
        rem_detached_child=store.counted("rem.detached_child"),
        host_compactions=by_hosts,
    )


def connections(home: Home, environ: Mapping[str, str], *, project: str, never: Sequence[str] = ()) -> Connections:
    """How the hosts on this machine are connected."""
    seen = [inspect(host, home=home, environ=environ, project=project) for host in INSTALLABLE]
    there = [one for one in seen if one.present]
    return Connections(
        {one.host: list(one.where) for one in there},
        [one.host for one in there if one.installed and one.trusted == UNTRUSTED],
        [one.host for one in there if (one.is_guest or not one.installed) and one.host in never],
        {one.host: list(one.lenders) for one in there if one.is_guest},
    )


def background(store: Store, *, home: Home, now: float) -> Background:
    """Is a worker there, and what is left for it?"""
    counts = store.jobs.counts()
    left = counts["waiting"] + counts["running"]
    return Background(store.jobs.live_lease(now), left, counts["dead"], is_serving(home))


def last_injection(store: Store, *, home: Home) -> LastInjection | None:
    """The newest receipt, in short."""
    last = last_receipt(store, spool_folder=home.spool)
    return LastInjection(last.created, last.host, len(last.entries), last.tokens) if last else None
