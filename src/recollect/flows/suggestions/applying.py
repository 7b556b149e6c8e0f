"""Apply: load -> target unchanged, or rebased -> keep the undo -> write in one step -> record. Only for a person."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING

from recollect.errors import Refused
from recollect.files.customizations import read_exactly, target_path
from recollect.files.edits.file_edits import (
    EditUndo,
    FileEdit,
    TargetChanged,
    apply_edit,
    apply_undo,
    digest,
    keep_undo,
)
from recollect.files.git.merging import merged, standing
from recollect.flows.suggestions.ground import facts_here, look_around
from recollect.flows.suggestions.reconcile import brought_up_to_date, rebased, refused_files, suggestions_lock
from recollect.model.record import Record
from recollect.model.suggestions import APPLIED, DISMISSED, NEEDS_REVIEW, OPEN, PENDING, Suggestion
from recollect.suggestions.customizations import USER
from recollect.suggestions.diffs import unified
from recollect.suggestions.proposing import fingerprint, propose

if TYPE_CHECKING:
    from recollect.flows.opened import Opened

CHANGED = "the file has changed, so this would no longer make the change you saw"
OUTDATED = (
    "{lost}, which it was made from, was corrected or forgotten since; `recollect suggest reconcile` makes new ones"
)
COUNT_APPLIED, COUNT_EDITED = "suggestions applied", "suggestions edited"
_NUMBER = re.compile(r"^([+-]\s*)\d{1,9}(?=[.)]\s)")
GIT_NOTES = {
    "untracked": "git does not track this file yet",
    "ignored": "git ignores this file",
    "dirty": "the file has changes that are not committed",
}


class Written(Record):
    """The file was changed."""

    suggestion: Suggestion
    path: str
    note: str = ""  # how the file stands with git


class NeedsReview(Record):
    """Nothing was written; a person has to look at it."""

    suggestion: Suggestion
    why: str


if TYPE_CHECKING:
    ApplyOutcome = Written | NeedsReview


def apply_suggestion(name: str, memory: Opened) -> ApplyOutcome:
    """Write what a suggestion proposes. A file that changed since is merged with it, or left alone."""
    with suggestions_lock(memory):
        one = _in_this_clone(memory.store.suggestions.get(name), memory)
        require_open(one, memory)
        path = _require_path(one)
        one = _current(one, memory)
        if one.status == NEEDS_REVIEW:
            _save(one, memory)
            return NeedsReview(one, one.note)
        note = GIT_NOTES.get(standing(one.root, one.target), "") if not one.target.startswith(USER) else ""
        edit = FileEdit(path, one.before, one.after, private=one.target.startswith(USER))
        undo = keep_undo(edit, undo_folder(one, memory))
        # Recorded before the file is touched: whatever happens in between, the way back is known.
        _save(one._replace(undo=json.dumps(undo._asdict())), memory)
        if isinstance(apply_edit(edit), TargetChanged):
            one = one._replace(status=NEEDS_REVIEW, note="the file is being changed right now")
            _save(one, memory)
            return NeedsReview(one, one.note)
        one = one._replace(undo=json.dumps(undo._asdict()), status=APPLIED)
        with memory.store.write():
            memory.store.suggestions.save(one._replace(updated=memory.now))
            memory.store.count(COUNT_APPLIED)
            if one.edited:
                memory.store.count(COUNT_EDITED)
    return Written(one, path, note)


def undo_suggestion(name: str, memory: Opened) -> Written:
    """Bring back what was there before. Where the file was changed since, only this change is taken out of it."""
    with suggestions_lock(memory):
        one = memory.store.suggestions.get(name)
        if one.status == DISMISSED:
            one = one._replace(status=PENDING)
            require_open(one, memory)
            _save(one, memory)
            return Written(one, "")
        if one.status != APPLIED or not one.undo:
            raise Refused(f"{one.suggestion_id} was not applied, so there is nothing to undo.")
        path = _require_path(one)
        fields = json.loads(one.undo)
        undo = EditUndo(**{**fields, "folders": tuple(fields["folders"])})
        if isinstance(apply_undo(undo, undo_folder(one, memory)), TargetChanged):
            _take_out(one, path, memory)
        one = one._replace(status=PENDING, undo="")
        _save(one, memory)
    return Written(one, path)


def undo_folder(one: Suggestion, memory: Opened) -> str:
    """Where the bytes from before are kept."""
    return os.path.join(memory.home.backups, "suggestions", one.suggestion_id)


def _take_out(one: Suggestion, path: str, memory: Opened) -> None:
    """Take one change out of a file that has others since."""
    now = read_exactly(one.root, one.target.removeprefix(USER))
    back = merged(now, one.after, one.before or "") if now is not None and one.before is not None else None
    if now is None or back is None:
        later = _applied_after(one, now, memory)
        way = f"undo {later} first" if later else "undo it there by hand"
        raise Refused(f"{one.target} was changed in the same place since; {way}.")
    if isinstance(apply_edit(FileEdit(path, now, back, private=False)), TargetChanged):
        raise Refused(f"{one.target} is being changed right now; try again.")


def _applied_after(one: Suggestion, now: str | None, memory: Opened) -> str:
    """The id of the last suggestion that was written to the same file since; the one that stands there goes first."""
    applied = memory.store.suggestions.listed(APPLIED, repository=one.repository)
    same = [other for other in applied if (other.root, other.target) == (one.root, one.target)]
    later = [other for other in same if other.updated >= one.updated and other.suggestion_id != one.suggestion_id]
    later.sort(key=lambda other: (other.after == now, other.updated))
    return later[-1].suggestion_id if later else ""


def _current(one: Suggestion, memory: Opened) -> Suggestion:
    """The suggestion for the file as it is now: merged by git, placed anew, or for a person to look at. Only lines that
    were shown are written: a change that became another one is kept for a review."""
    now = read_exactly(one.root, one.target.removeprefix(USER))
    if digest(now) == digest(one.before):
        return one._replace(status=PENDING, note="") if one.status == NEEDS_REVIEW else one
    fresh = rebased(one, memory)
    if one.edited:
        return _as_seen(fresh, one)
    if fresh.status == PENDING:
        return fresh
    facts = [fact for fact in facts_here(memory) if fact.fact_id in one.fact_ids]
    anew = [
        made
        for made in propose(facts, look_around(memory), refused=refused_files(memory))
        if fingerprint(made) == one.fingerprint
    ]
    placed = brought_up_to_date(one, anew[0], memory) if anew else None
    return fresh if placed is None else _as_seen(placed, one)


def _as_seen(fresh: Suggestion, one: Suggestion) -> Suggestion:
    """A suggestion that was placed again; it waits for another look where the person saw other lines of it."""
    seen = _changed_lines(fresh) == _changed_lines(one) and fresh.place == one.place
    return fresh if seen or fresh.status == NEEDS_REVIEW else fresh._replace(status=NEEDS_REVIEW, note=CHANGED)


def _changed_lines(one: Suggestion) -> list[str]:
    """What a person sees of a change, wherever in the file it stands and whatever number it has in a list."""
    shown = unified(one.target, one.before, one.after, context=0).splitlines()[2:]
    return [_NUMBER.sub(r"\1", line) for line in shown if not line.startswith("@@")]


def _in_this_clone(one: Suggestion, memory: Opened) -> Suggestion:
    """A suggestion belongs to a repository: it is applied in the clone or worktree where the person is."""
    here = memory.repository
    is_here = here.repository and one.repository == here.repository and not one.target.startswith(USER)
    return one._replace(root=here.root) if is_here else one


def require_undecided(one: Suggestion) -> None:
    """Refused when it was applied or dismissed."""
    if one.status not in OPEN:
        raise Refused(f"{one.suggestion_id} was {one.status} already.")


def require_open(one: Suggestion, memory: Opened) -> None:
    """Refused when it was decided, or when a fact that it was made from was corrected, forgotten or erased since."""
    require_undecided(one)
    lost = lost_fact(one, memory)
    if lost:
        raise Refused(f"{one.suggestion_id} is outdated: {OUTDATED.format(lost=lost)}.")


def lost_fact(one: Suggestion, memory: Opened) -> str:
    """The entry that it was made from and that was corrected, forgotten or erased since."""
    return next((name for name in one.fact_ids if not _is_active(name, memory)), "")


def _is_active(entry_id: str, memory: Opened) -> bool:
    entries = memory.store.entries
    return entries.has(entry_id) and entries.get(entry_id).entry.status == "active"


def _require_path(one: Suggestion) -> str:
    if not os.path.isdir(one.root):
        raise Refused(f"The folder {one.root} of this suggestion is gone; nothing was written.")
    path = target_path(one.root, one.target.removeprefix(USER))
    if path is None:
        raise Refused(f"{one.target} leads out of {one.root}; nothing was written.")
    return os.path.join(one.root, one.target.removeprefix(USER))


def _save(one: Suggestion, memory: Opened) -> None:
    with memory.store.write():
        memory.store.suggestions.save(one._replace(updated=memory.now))
