"""Reconcile: facts -> ground -> proposals -> dry run under lock -> queue; what lost its ground is withdrawn or marked.

Nothing here writes to a customization file: that is `apply`, and only a person calls it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from recollect.files.customizations import read_exactly, target_path
from recollect.files.git.merging import merged
from recollect.flows.suggestions.ground import facts_here, look_around, user_folder
from recollect.flows.suggestions.repeats import without_repeats
from recollect.flows.suggestions.rewording import file_now, placed_anew
from recollect.flows.suggestions.workflows import skill_proposals
from recollect.locks import lock
from recollect.model.record import Record
from recollect.model.suggestions import DISMISSED, NEEDS_REVIEW, PENDING, Proposal, Suggestion
from recollect.suggestions.customizations import USER, kind_of
from recollect.suggestions.proposing import fingerprint, is_sound, mark_of, propose
from recollect.text import ids

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.flows.opened import Opened
    from recollect.locks import Lock
    from recollect.model.suggestions import Fact
    from recollect.suggestions.proposing import Choose
    from recollect.suggestions.targets import Target

LOCK_SECONDS = 30.0
LAST_RUN = "suggestions.last_run."  # and the repository
GENERATED = "suggestions generated"
UNREADABLE = "what is there now cannot be read as text"
LOST_TARGET = "the file changed where this would change it"
THERE_ALREADY = "the file says this already"


class Reconciled(Record):
    """What a run came to."""

    added: tuple[Suggestion, ...] = ()
    rebased: int = 0
    withdrawn: int = 0
    needs_review: int = 0


def reconcile(memory: Opened, *, facts: Sequence[Fact] | None = None, choose: Choose | None = None) -> Reconciled:
    """Make suggestions from the facts of this repository and its user, or from these facts alone."""
    known = _all_facts(memory, ask=choose is not None) if facts is None else list(facts)
    ground = look_around(memory)
    proposals = propose(known, ground, _as_before(memory, choose), refused=refused_files(memory))
    if facts is None:
        proposals = [*proposals, *skill_proposals(memory, ground.files)]
    else:
        proposals = [one for one in proposals if one.fact_ids]  # what the files have too much of is for a whole run
    with suggestions_lock(memory):
        with memory.store.write(durable=False):
            outdated = memory.store.suggestions.withdraw_outdated()
        added = [made for made in (queued(one, memory) for one in proposals) if made is not None]
        settled = settle_open(proposals, memory) if facts is None else Reconciled()
        with memory.store.write(durable=False):
            memory.store.count(GENERATED, len(added))
            if facts is None:
                memory.store.set_home_value(LAST_RUN + memory.repository.repository, str(memory.now))
    return settled._replace(added=tuple(added), withdrawn=settled.withdrawn + outdated)


def _all_facts(memory: Opened, *, ask: bool) -> list[Fact]:
    """Those of this repository and its user. A model that may choose files may also say which repeat one another."""
    return without_repeats(facts_here(memory), memory, ask=ask)


def _as_before(memory: Opened, choose: Choose | None) -> Choose:
    """Chooses the file that a fact was suggested for before: nobody is asked twice, and no fact goes into two files."""

    def again(fact: Fact, found: Sequence[Target]) -> int:
        for number, one in enumerate(found):
            path = one.file.path
            if memory.store.suggestions.known(place_of(path, memory), mark_of(fact.content, path)) is not None:
                return number
        return choose(fact, found) if choose else 0

    return again


def refused_files(memory: Opened) -> frozenset[tuple[str, str]]:
    """New files that a person did not want, each with the id of a fact that would have been in it."""
    dismissed = memory.store.suggestions.listed(DISMISSED, repository=memory.repository.repository)
    return frozenset((one.target, name) for one in dismissed if one.action == "create" for name in one.fact_ids)


def suggestions_lock(memory: Opened) -> Lock:
    """Only one process at a time changes suggestions and their targets."""
    return lock(os.path.join(memory.home.spool, "suggestions.lock"), wait_seconds=LOCK_SECONDS)


def last_run(memory: Opened) -> float:
    """When suggestions were made here last; 0 for never."""
    return float(memory.store.home_value(LAST_RUN + memory.repository.repository) or 0.0)


def queued(proposal: Proposal, memory: Opened) -> Suggestion | None:
    """The proposal as a suggestion that waits, if it is new and a dry run goes well. Needs the lock."""
    place = place_of(proposal.target, memory)
    mark = fingerprint(proposal)
    if memory.store.suggestions.known(place, mark) is not None or not dry_run(proposal, memory):
        return None
    now = memory.now
    made = Suggestion(
        memory.new_id(ids.SUGGESTION),
        place,
        proposal.fact,
        proposal.fact_ids,
        proposal.target_type,
        proposal.target,
        proposal.action,
        proposal.before,
        proposal.after,
        proposal.confidence,
        proposal.why,
        proposal.place,
        proposal.citations,
        mark,
        root=root_of(proposal.target, memory),
        created=now,
        updated=now,
    )
    with memory.store.write(durable=False):
        memory.store.suggestions.add(made)
    return made


def place_of(target: str, memory: Opened) -> str:
    """Where a suggestion for a target is kept: with the repository, or with the user."""
    return "" if target.startswith(USER) else memory.repository.repository


def root_of(target: str, memory: Opened) -> str:
    """The folder that a target is in."""
    return user_folder(memory) if target.startswith(USER) else memory.repository.root


def dry_run(proposal: Proposal, memory: Opened) -> bool:
    """Would it apply, now: the file is as the proposal saw it, inside its root, and still read by its host after."""
    root, path = root_of(proposal.target, memory), proposal.target.removeprefix(USER)
    if kind_of(proposal.target) is None or not root or target_path(root, path) is None:
        return False
    there = os.path.lexists(os.path.join(root, path))
    now = read_exactly(root, path)
    return now == proposal.before and (now is not None or not there) and is_sound(proposal)


def settle_open(proposals: Sequence[Proposal], memory: Opened) -> Reconciled:
    """Look at everything that waits again: rebased on its file, marked, or withdrawn when its fact is gone or said."""
    current = {fingerprint(one): one for one in proposals}
    done = Reconciled()
    with memory.store.write(durable=False):
        for one in memory.store.suggestions.open(repository=memory.repository.repository):
            root = root_of(one.target, memory)
            if one.root != root and os.path.isdir(one.root):
                continue  # of another clone of this repository
            after = brought_up_to_date(one._replace(root=root), current.get(one.fingerprint), memory)
            if after is None:
                memory.store.suggestions.withdraw(one.suggestion_id)
                done = done._replace(withdrawn=done.withdrawn + 1)
            elif after != one:
                memory.store.suggestions.save(after._replace(updated=memory.now))
                moved = after.status == PENDING
                done = done._replace(rebased=done.rebased + moved, needs_review=done.needs_review + (not moved))
    return done


def brought_up_to_date(one: Suggestion, proposal: Proposal | None, memory: Opened) -> Suggestion | None:
    """A suggestion for its file as it is now; None when nothing speaks for it any more."""
    if proposal is None and not one.edited:
        return None
    if proposal is not None and not one.edited:
        fresh = one._replace(
            action=proposal.action,
            before=proposal.before,
            after=proposal.after,
            confidence=proposal.confidence,
            place=proposal.place,
            why=proposal.why,
            status=PENDING,
            note="",
        )
        return fresh if dry_run(proposal, memory) else fresh._replace(status=NEEDS_REVIEW, note=UNREADABLE)
    return rebased(one, memory)


def rebased(one: Suggestion, memory: Opened) -> Suggestion:
    """A suggestion for its file as it is now: git merges what was changed meanwhile, a sentence is placed anew, or a
    person has to look."""
    now = file_now(one)
    if now == one.before:
        return one
    if now is None or one.before is None:
        return one._replace(status=NEEDS_REVIEW, note="the file is gone" if now is None else "the file exists now")
    after = merged(now, one.before, one.after)
    fresh = one._replace(before=now, after=after) if after is not None else None
    if fresh is None and one.edited:
        fresh = placed_anew(one, now, memory)
    if fresh is None or fresh.after == now:
        return one._replace(status=NEEDS_REVIEW, note=THERE_ALREADY if fresh else LOST_TARGET)
    fresh = fresh._replace(status=PENDING, note="")
    sound = is_sound(fresh.proposal)
    return fresh if sound else one._replace(status=NEEDS_REVIEW, note="its host could not read the file afterwards")
