"""Announcements: what waits for a person, what expired, what an agent changed by itself; one short line each.

They go into an agent's context, so they repeat what the user said and nothing else: what an agent, a tool or a document
said is named by its id, and an agent by the name that we have for it, not by the one it chose."""

from __future__ import annotations

from recollect.errors import StoreError
from recollect.flows.writes.waiting import approvals
from recollect.model.hosts import HOSTS
from recollect.text.fences import in_quotes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.flows.writes.wanted_changes import Described
    from recollect.flows.writes.writers import Writer
    from recollect.model.drafts import Outcome
    from recollect.store.store import Store

LONGEST = 100
MOST_LINES = 6
WAIT_SECONDS = 0.05
_DID = {"stored": "stored", "updated": "changed an entry to", "removed": "retired", "voted": "voted down"}
_WANTED = {
    "store": "wanted to remember",
    "update": "wanted to change",
    "remove": "wanted to forget",
    "vote": "wanted to vote on",
    "write": "wanted to write",
    "task": "wrote into a task",
}
_TITLES = [(name.lower(), host.title) for host in HOSTS for name in (host.name, host.title)]


def announcements(store: Store, *, repository: str, now: float, mark: bool = True) -> list[str]:
    """What to tell at the start of a session here. What happened is told once; what waits, as long as it waits."""
    if mark:
        _expire(store, now=now)
    waiting = approvals(store, now=now)
    lines = []
    if waiting:
        things = "One item is waiting" if waiting == 1 else f"{waiting} items are waiting"
        lines.append(f"{things} for the user's decision; the user can run `recollect pending`.")
    told = store.announcements.open(repository)
    lines += [one.text for one in told[:MOST_LINES]]
    if len(told) > MOST_LINES:
        lines.append(f"{len(told) - MOST_LINES} more changes by agents; see `recollect list`.")
    if mark and told:
        try:
            with store.write(durable=False, wait_seconds=WAIT_SECONDS):
                store.announcements.mark([one.announcement_id for one in told], now=now)
        except StoreError:
            return lines  # told again next time
    return lines


def announce_applied(about: Described, outcome: Outcome, writer: Writer, *, client: str) -> None:
    """Note what an agent did without being asked, with the way back. Needs the write() that did it."""
    did = _DID.get(outcome.status)
    if did is None or (about.action == "vote" and about.direction == "up"):
        return
    if about.action == "write" and outcome.status == "updated":
        return  # a note that grows was told of when it was made
    change = writer.store.changes.last()
    undo = f" (undo: `recollect undo {change.change_id}`)" if change else ""
    word = "on the user's word " if about.action in ("store", "update") and about.origin == "typed" else ""
    name = "a memory file" if about.action == "write" else outcome.entry_id or about.target_id
    what = shown(about.what, about.origin, name)
    text = f"{named(client)} {word}{did}: {what}{undo}"
    writer.store.announcements.add(text, repository=about.repository, now=writer.now)


def expire(store: Store, *, now: float) -> int:
    """Let go of what has waited too long, with a note. Needs an open write()."""
    gone = store.staged.expired(now=now)
    for staged in gone:
        store.staged.settle(staged.staged_id, "expired")
        wanted = _WANTED.get(staged.action, "wanted")
        store.announcements.add(
            # Nobody accepted its words, so no session is told them.
            f"Something that {named(staged.client)} {wanted} has expired: nobody decided on it.",
            repository=staged.repository,
            now=now,
        )
    return len(gone)


def _expire(store: Store, *, now: float) -> None:
    if not store.staged.expired(now=now):
        return
    try:
        with store.write(durable=False, wait_seconds=WAIT_SECONDS):
            expire(store, now=now)
    except StoreError:
        return  # at the next start


def shown(text: str, origin: str, name: str) -> str:
    """What the user said, short and in quotes; of anything else only its id."""
    return quoted(text) if origin == "typed" else name or "something"


def quoted(text: str) -> str:
    """A text on one line, short, in quotes that it cannot close."""
    line = " ".join(text.split())
    return in_quotes(line if len(line) <= LONGEST else line[: LONGEST - 1] + "…")


def named(client: str) -> str:
    """The host that an agent's name stands for; any other name is the agent's own choice and is not repeated."""
    name = client.strip().lower()
    return next((title for known, title in _TITLES if name.startswith(known)), "An agent")
