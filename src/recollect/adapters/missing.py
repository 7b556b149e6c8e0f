"""The error for a library that is not there, or is too old."""

from __future__ import annotations

from recollect.text.extras import install_line


def missing(extra: str, error: ImportError) -> ImportError:
    """What to say when an adapter's library cannot be imported."""
    return ImportError(f"recollect.adapters needs a library that is not here ({error}): {install_line(extra)}")
