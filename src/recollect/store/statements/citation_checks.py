"""Statements on citation_checks."""

from __future__ import annotations

_HERE = "root = ? AND path = ? AND citation_key = ?"
# What the last check of a citation said, and of which state of the file.
LAST = f"SELECT mtime_ns, size, verdict, gone_everywhere FROM citation_checks WHERE {_HERE}"
# When a citation was checked last.
CHECKED_AT = f"SELECT checked FROM citation_checks WHERE {_HERE}"
# Keep a check in place of the one before.
SAVE = """
INSERT INTO citation_checks (root, path, citation_key, mtime_ns, size, verdict, gone_everywhere, checked)
VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (root, path, citation_key, tenant) DO UPDATE SET
  mtime_ns = excluded.mtime_ns, size = excluded.size, verdict = excluded.verdict,
  gone_everywhere = excluded.gone_everywhere, checked = excluded.checked"""
