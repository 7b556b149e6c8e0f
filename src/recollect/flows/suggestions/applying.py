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
    from collections.abc import Sequence

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
    path: str  # empty where no file was touched: a dismissed suggestion that is pending again
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
    """Bring back what was there before: the file, or a suggestion that was dismissed. Where the file was changed since,
    only this change is taken out of it."""
    with suggestions_lock(memory):
        one = memory.store.suggestions.get(name)
        is_dismissed = one.status == DISMISSED
        path = "" if is_dismissed else _undone_file(one, memory)
        one = one._replace(status=PENDING, undo="")
        if is_dismissed:
            require_open(one, memory)
        _save(one, memory)
    return Written(one, path)


def _undone_file(one: Suggestion, memory: Opened) -> str:
    """Take an applied suggestion out of its file, whose path is returned."""
    if one.status != APPLIED or not one.undo:
        raise Refused(f"{one.suggestion_id} was neither applied nor dismissed, so there is nothing to undo.")
    path = _require_path(one)
    fields = json.loads(one.undo)
    undo = EditUndo(**{**fields, "folders": tuple(fields["folders"])})
    if isinstance(apply_undo(undo, undo_folder(one, memory)), TargetChanged):
        _take_out(one, path, memory)
    return path


def undo_folder(one: Suggestion, memory: Opened) -> str:
    """Where the bytes from before are kept."""
    return os.path.join(memory.home.backups, "suggestions", one.suggestion_id)


def _take_out(one: Suggestion, path: str, memory: Opened) -> None:
    """Take one change out of a file that has others since."""
    now = read_exactly(one.root, one.target.removeprefix(USER))
    back = merged(now, one.after, one.before or "") if now is not None and one.before is not None else None
    if now is None or back is None:
        later = _in_the_way(one, now, memory) if now is not None else ""
        way = f"undo {later} first" if later else "undo it there by hand"
        raise Refused(f"{one.target} was changed in the same place since; {way}.")
    if isinstance(apply_edit(FileEdit(path, now, back, private=False)), TargetChanged):
        raise Refused(f"{one.target} is being changed right now; try again.")


def _in_the_way(one: Suggestion, now: str, memory: Opened) -> str:
    """The id of the suggestion that goes first: of those written to the same file since, the last one without which
    this one cannot be taken out."""
    applied = memory.store.suggestions.listed(APPLIED, repository=one.repository)
    same = [other for other in applied if (other.root, other.target) == (one.root, one.target)]
    later = [other for other in same if other.updated >= one.updated and other.suggestion_id != one.suggestion_id]
    out: list[Suggestion] = []
    for other in _last_first(now, later):
        if _without(now, (*out, other)) is not None:
            out.append(other)
        if _without(now, (*out, one)) is not None:
            break
    else:
        return ""
    for other in tuple(out):
        fewer = [left for left in out if left is not other]
        if _without(now, (*fewer, one)) is not None:
            out = fewer
    return out[0].suggestion_id


def _last_first(text: str, applied: Sequence[Suggestion]) -> list[Suggestion]:
    """In the order in which they come off the text: one whose result it is, or else the last one that was written."""
    left, order = sorted(applied, key=lambda one: one.updated, reverse=True), []
    while left:
        last = next((one for one in left if one.after == text), left[0])
        left.remove(last)
        order.append(last)
        text = last.before or ""
    return order


def _without(text: str, applied: Sequence[Suggestion]) -> str | None:
    """The text with these taken out of it, one after the other; None where one stands in the same place as another
    change."""
    left: str | None = text
    for one in applied:
        left = merged(left, one.after, one.before) if left is not None and one.before is not None else None
    return left


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
