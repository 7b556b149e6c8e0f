"""The words of the panel that stand in more than one place."""

from __future__ import annotations

from recollect.model.entries import STATUSES as ENTRY_STATUSES
from recollect.model.entries import status_word
from recollect.model.hosts import TITLES

# What a page says after a change.
SAID = {
    "edited": "Saved.",
    "corrected": "Corrected. The old entry is kept in the history.",
    "remembered": "Remembered.",
    "known": "That is already stored.",
    "voted": "Vote counted.",
    "retired": "Retired. It is no longer recalled.",
    "restored": "Restored.",
    "undone": "Undone.",
    "kept": "Kept.",
    "dropped": "Dropped.",
    "later": "Left for later.",
    "applied": "Applied. The file is written.",
    "not-applied": "Not written: the file has changed. Look at the new proposal.",
    "dismissed": "Dismissed. It will not be suggested again.",
    "reconciled": "Looked through what was learned.",
    "set": "Setting saved.",
    "allowed": "Agents may change the memory of this repository without asking.",
    "revoked": "Revoked.",
    "loaded": "Loaded.",
    "imported": "Imported.",
    "backed-up": "Copy made.",
    "rebuilt": "Project memory rebuilt.",
    "not-rebuilt": "Nothing was rebuilt.",
    "private": "Private from now on: nothing is learned from this session.",
    "public": "Recollect learns from this session again.",
    "pruned": "Taken off the board.",
    "added": "On the board.",
    "profile": "Profile saved.",
}
# States of an entry.
STATUSES = {status: status_word(status) for status in ENTRY_STATUSES}
# What a check of citations found.
CHECKS = {
    "verified": "verified",
    "cited": "cited, not confirmed",
    "changed": "source changed",
    "gone": "source gone",
    "unchecked": "",
}
HOSTS = TITLES
