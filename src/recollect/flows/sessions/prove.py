"""What logs and commits prove about a repository, kept as entries with their proof; never what a person took out."""

from __future__ import annotations

import os
import time

from recollect.files.git.history import commits
from recollect.files.repositories import identify
from recollect.flows.writes.write import store_new
from recollect.memory.drafts import prepare
from recollect.memory.neighbours import decide, find_neighbours
from recollect.model.drafts import Draft
from recollect.model.entries import Citation
from recollect.model.record import Record
from recollect.sessions.commands import needed_first, proven_commands, runs
from recollect.sessions.commits import habits
from recollect.text.language.statements import statement_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from recollect.flows.writes.writers import Writer
    from recollect.model.commits import Commit
    from recollect.model.entries import Entry
    from recollect.model.sessions import Session, Turn
    from recollect.sessions.commands import Needed, Proven
    from recollect.sessions.commits import Habit
    from recollect.store.entries import Stored

PROVE = "keep what logs prove"
COMMAND_TAG, NEED_TAG, COMMIT_TAG = "command", "need", "commits"
PROVEN_TAGS = (COMMAND_TAG, NEED_TAG, COMMIT_TAG)
SURE = 0.95
# What a command for a purpose does, and the words by which somebody may ask for it.
_DOES = {
    "test": ("runs the tests", ("tests", "run the tests")),
    "build": ("builds the project", ("build", "compile")),
    "format": ("formats the code", ("format", "formatting")),
    "types": ("checks the types", ("type check", "types")),
    "lint": ("lints the code", ("lint", "linter")),
    "check": ("runs the checks", ("check", "checks")),
    "install": ("installs the dependencies", ("dependencies", "install")),
    "run": ("starts it", ("run", "start")),
}


class Proof(Record):
    """A statement with what proves it, and the turn that did last."""

    says: str
    because: str
    tag: str
    subject: str
    aliases: tuple[str, ...] = ()
    session: str = ""
    turn: int = 0


def prove(repository: str, turns: Sequence[tuple[Session, Turn]], writer: Writer) -> list[str]:
    """Keep what the newest turns of a repository and its commits prove; returns the ids of what is new."""
    places = list(dict.fromkeys(session.cwd for session, _ in turns if session.cwd))
    ran = runs(turns, places)
    found = [
        *(_of_command(one) for one in proven_commands(ran)),
        *(_of_need(one) for one in needed_first(ran)),
        *(_of_habit(one) for one in habits(_commits(places))),
    ]
    with writer.store.write(durable=False):
        return [entry_id for entry_id in (_keep(proof, repository, writer) for proof in found) if entry_id]


def is_proven(entry: Entry) -> bool:
    """Was this entry kept because logs prove it?"""
    return entry.source == "system" and entry.origin == "assistant" and any(tag in PROVEN_TAGS for tag in entry.tags)


def _commits(places: Iterable[str]) -> list[Commit]:
    here = next((place for place in places if os.path.isdir(place)), "")
    directory = identify(here).common_directory if here else ""
    return commits(directory) if directory else []


def _of_command(one: Proven) -> Proof:
    does, aliases = _DOES.get(one.purpose, ("works here", (one.purpose,)))
    times = f"{one.passed} of {one.passed + one.failed} times" if one.failed else f"{one.passed} times"
    return Proof(
        f"{_in_folder(one.command, one.folder)} {does}.",
        f"It passed {times} in {_sessions(one.sessions)}, last on {_day(one.last)}.",
        COMMAND_TAG,
        " ".join(filter(None, (one.purpose, "command", one.folder))),
        aliases,
        one.session,
        one.turn,
    )


def _of_need(one: Needed) -> Proof:
    return Proof(
        f"{_in_folder(one.command, one.folder)} may need `{one.first}` first.",
        f"In {one.sessions} sessions it failed, and passed after that with nothing else changed, "
        f"last on {_day(one.last)}.",
        NEED_TAG,
        f"{one.command} needs {one.first}",
    )


def _of_habit(one: Habit) -> Proof:
    aliases = {"style": ("commit message", "commit style")}.get(one.kind, ())
    return Proof(one.says, f"{one.proof}.", COMMIT_TAG, f"commits {one.kind} {one.about}".strip(), aliases)


def _in_folder(command: str, folder: str) -> str:
    return f"`{command}` in `{folder}`" if folder else f"`{command}`"


def _sessions(number: int) -> str:
    return "1 session" if number == 1 else f"{number} sessions"


def _day(at: float) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(at))


def _keep(proof: Proof, repository: str, writer: Writer) -> str:
    """The id of a new entry; empty when it is known, was retired, or somebody says otherwise."""
    store = writer.store
    draft = prepare(
        Draft(
            proof.says,
            repository=repository,
            subject=proof.subject,
            aliases=proof.aliases,
            reason=proof.because,
            citations=(Citation("turn", session=proof.session, turn=proof.turn),) if proof.session else (),
            tags=(proof.tag,),
            source="system",
            origin="assistant",
            confidence=SURE,
        )
    )
    said = [one for one in store.entries.saying(statement_key(draft.content)) if one.entry.repository == repository]
    if said:
        for stored in said:
            _renew(stored, draft, writer)
        return ""
    before = [stored for stored in _own(repository, writer) if stored.entry.subject == draft.subject]
    known = {stored.entry_id for stored in before}
    others = [one for one in find_neighbours(draft, store) if one.stored.entry_id not in known]
    verdict = decide(others, by_user=False, vote_out_downs=writer.vote_out_downs)
    if verdict != type(verdict)():
        return ""
    change_id = store.changes.begin(PROVE, writer.actor, now=writer.now)
    return store_new(draft, writer, change_id, replaces=before).entry_id


def _own(repository: str, writer: Writer) -> list[Stored]:
    found = writer.store.entries.listed({"layer": "L1", "status": "active", "repository": repository})
    return [stored for stored in found if is_proven(stored.entry)]


def _renew(stored: Stored, draft: Draft, writer: Writer) -> None:
    """More proof for what is known; part of the change that made it, for it says nothing new."""
    store, entry = writer.store, stored.entry
    if entry.status == "active" and is_proven(entry) and entry.reason != draft.reason:
        after = entry._replace(reason=draft.reason, citations=draft.citations, updated=writer.now)
        change_id = store.changes.of_entry(stored.entry_id)[0].change.change_id
        store.entries.update(stored, after, statement_key(after.content), change_id=change_id)
