"""Sections of the profile: how an entry says in which one it stands. Pure."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.model.entries import Entry

DEFAULT_SECTION = "About"
SECTION_TAG = "section:"


def section_of(entry: Entry) -> str:
    """The section an L0 entry stands in: its tag `section:NAME`, or About."""
    return named_section(entry.tags) or DEFAULT_SECTION


def named_section(tags: Sequence[str]) -> str:
    """The section that these tags name; empty when they name none."""
    named = [tag[len(SECTION_TAG) :] for tag in tags if tag.startswith(SECTION_TAG)]
    return section_name(named[0]) if named else ""


def section_name(text: str) -> str:
    """A section as its heading shows it; About when it has no name."""
    return bare_name(text) or DEFAULT_SECTION


def bare_name(text: str) -> str:
    """The name in a heading: one line, without the marks that make it a heading; empty when there is none."""
    return " ".join(text.split()).lstrip("#").strip()
