"""What everybody knows about the artifacts of a project."""

from __future__ import annotations

HEADER = "v1"  # first line of memory_summary.md: the form of the file; a reader that knows another one leaves it alone
# Before the repository, in the values of a home: the name of its folder, which input somebody undid, for which input a
# model's answer did not hold, and when somebody cleared it.
FOLDER, UNDONE, FAILED = "memories.folder.", "memories.undone.", "memories.failed."
CLEARED_AT = "memories.cleared."
