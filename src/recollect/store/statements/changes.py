"""Statements on changes, audits and work_audits."""

from __future__ import annotations

from recollect.store.statements import marks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_CHANGE = "c.change_id, c.action, c.actor, c.created, c.undone_by"
_AUDITS = f"SELECT {_CHANGE}, a.entry_id, a.before, a.after FROM audits AS a JOIN changes AS c USING (change_id)"
_WORK = "SELECT change_id, work_id, before, after FROM work_audits"

# A new change; says its number.
BEGIN = "INSERT INTO changes (action, actor, created) VALUES (?, ?, ?) RETURNING change_id"
# A change that a load brings under its old number.
LOAD = "INSERT INTO changes (change_id, action, actor, created) VALUES (?, ?, ?, ?) RETURNING change_id"
# Forget a change, given twice, that touched nothing.
DROP_IF_EMPTY = """
DELETE FROM changes WHERE change_id = ? AND NOT EXISTS (SELECT 1 FROM audits WHERE change_id = ?)"""
# A change by its number.
GET = f"SELECT {_CHANGE} FROM changes AS c WHERE change_id = ?"
# The highest number of a change.
NEWEST = "SELECT coalesce(max(change_id), 0) FROM changes"
# Changes behind a number, oldest first.
AFTER = f"SELECT {_CHANGE} FROM changes AS c WHERE change_id > ? ORDER BY change_id LIMIT ?"
# Changes before a number, newest first.
BEFORE = f"SELECT {_CHANGE} FROM changes AS c WHERE change_id < ? ORDER BY change_id DESC LIMIT ?"
# Which entries a change touched.
TOUCHED = "SELECT entry_id FROM audits WHERE change_id = ? ORDER BY entry_id LIMIT ?"
# Note by which change another was taken back.
MARK_UNDONE = "UPDATE changes SET undone_by = ? WHERE change_id = ?"
# What a change had taken back is in force again.
CLEAR_UNDONE = "UPDATE changes SET undone_by = 0 WHERE undone_by = ?"

# Note what a change did to an entry.
ADD_AUDIT = "INSERT INTO audits (change_id, entry_id, before, after) VALUES (?, ?, ?, ?)"
# What a change did to an entry so far.
AUDITED = "SELECT before, after FROM audits WHERE change_id = ? AND entry_id = ?"
# What a change did to an entry in more than one step.
UPDATE_AUDIT = "UPDATE audits SET before = ?, after = ? WHERE change_id = ? AND entry_id = ?"
# Forget what happened to an entry.
ERASE_AUDITS = "DELETE FROM audits WHERE entry_id = ?"
# What happened to an entry, oldest first.
OF_ENTRY = f"{_AUDITS} WHERE a.entry_id = ? ORDER BY a.change_id"
# What one change did, in the order of the entries.
OF_CHANGE = f"{_AUDITS} JOIN entries AS e USING (entry_id) WHERE a.change_id = ? ORDER BY e.entry_row"
# The whole trail.
ALL_AUDITS = f"{_AUDITS} ORDER BY a.change_id, a.entry_id"

# Note what a change did to a task or project.
ADD_WORK = "INSERT INTO work_audits (change_id, work_id, before, after) VALUES (?, ?, ?, ?)"
# What one change did to tasks and projects.
WORK_OF_CHANGE = f"{_WORK} WHERE change_id = ? ORDER BY work_id"
# The whole trail of tasks and projects.
ALL_WORK = f"{_WORK} ORDER BY change_id, work_id"
# The last change of a task or project, of one action or of any, that was not taken back.
LAST_OF_WORK = """
SELECT w.change_id FROM work_audits AS w JOIN changes AS c USING (change_id)
WHERE w.work_id = ? AND c.undone_by = 0 AND ? IN ('', c.action) ORDER BY w.change_id DESC LIMIT 1"""
# Who changed which fields of a task or project, newest first; neither what was taken back nor the taking back.
WORK_AUTHORS = """
SELECT w.change_id, c.actor, w.after FROM work_audits AS w JOIN changes AS c USING (change_id)
WHERE w.work_id = ? AND c.undone_by = 0 AND c.action <> 'undo' ORDER BY w.change_id DESC"""
# The ids of tasks and projects in the trail that lie between two texts.
KNOWN_WORK = "SELECT DISTINCT work_id FROM work_audits WHERE work_id >= ? AND work_id < ? LIMIT 2"
# The same by the end of an id.
KNOWN_WORK_BY_END = "SELECT DISTINCT work_id FROM work_audits WHERE work_id LIKE ? LIMIT 2"
# Forget what happened to a task or project.
ERASE_WORK = "DELETE FROM work_audits WHERE work_id = ?"


# What changes touched, and in which repository that is; what is gone counts as everywhere.
_TOUCHED_PLACES = """
SELECT a.change_id, coalesce(e.repository, '') AS place FROM audits AS a LEFT JOIN entries AS e USING (entry_id)
UNION ALL
SELECT w.change_id, coalesce(t.repository, p.repository, '') FROM work_audits AS w
  LEFT JOIN tasks AS t ON t.task_id = w.work_id LEFT JOIN projects AS p ON p.project_id = w.work_id"""
# The repositories in which a change touched something.
PLACES = f"SELECT DISTINCT place FROM ({_TOUCHED_PLACES}) WHERE change_id = ? ORDER BY place"


def last(upkeep: Sequence[str], anywhere: Sequence[str] = ()) -> str:
    """The newest change that still touches something, was not taken back and is neither an undo nor upkeep. With
    actions that belong to no place: only these, and what was done in a repository or holds everywhere."""
    place = f"WHERE action IN ({marks(len(anywhere))}) OR place IN (?, '')" if anywhere else ""
    return f"""
SELECT {_CHANGE} FROM changes AS c WHERE undone_by = 0 AND action NOT IN ('undo', {marks(len(upkeep))})
AND change_id IN (SELECT change_id FROM ({_TOUCHED_PLACES}) {place})
ORDER BY created DESC, change_id DESC LIMIT 1"""
