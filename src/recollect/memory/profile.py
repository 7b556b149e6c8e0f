"""L0: who the user is, as Markdown in sections, never longer than its limit."""

from __future__ import annotations

from recollect.errors import Refused
from recollect.model.record import Record
from recollect.text.fences import neutralise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.model.entries import Entry
    from recollect.store.entries import Stored
    from recollect.store.store import Store

DEFAULT_SECTION = "About"
SECTION_TAG = "section:"


class Profile(Record):
    """The profile as it stands."""

    text: str
    entries: tuple[Entry, ...]
    limit_characters: int

    @property
    def share(self) -> float:
        """How much of the limit is used, 0 to 1 (over 1 only when the limit was lowered)."""
        return len(self.text) / self.limit_characters

    @property
    def usage(self) -> str:
        """`37% - 372/1,000 characters`, for everywhere the profile is shown."""
        return f"{self.share:.0%} - {len(self.text):,}/{self.limit_characters:,} characters"


def section_of(entry: Entry) -> str:
    """The section an L0 entry stands in: its tag `section:NAME`, or About."""
    for tag in entry.tags:
        if tag.startswith(SECTION_TAG):
            return tag[len(SECTION_TAG) :]
    return DEFAULT_SECTION


def render(entries: Sequence[Entry]) -> str:
    """Sections in the order in which they first appear, one line an entry."""
    sections: dict[str, list[str]] = {}
    for entry in entries:
        line = "- " + neutralise(" ".join(entry.content.split()))
        sections.setdefault(neutralise(" ".join(section_of(entry).split())), []).append(line)
    return "\n\n".join(f"## {name}\n" + "\n".join(lines) for name, lines in sections.items())


def parse(markdown: str) -> list[tuple[str, str]]:
    """(section, statement) pairs of a profile that a person wrote; a plain line counts like a bullet."""
    section, found = DEFAULT_SECTION, []
    for line in markdown.splitlines():
        text = line.strip()
        if text.startswith("#"):
            section = text.lstrip("#").strip() or DEFAULT_SECTION
        elif text:
            statement = text.lstrip("-*•").strip() if text[0] in "-*•" else text
            if statement:
                found.append((section, statement))
    return found


def stored_profile(store: Store) -> list[Stored]:
    """The active L0 entries, oldest first."""
    return store.entries.listed({"layer": "L0", "status": "active"}, newest_first=False)


def load_profile(store: Store, *, limit_characters: int) -> Profile:
    """The profile as it stands."""
    entries = tuple(stored.entry for stored in stored_profile(store))
    return Profile(render(entries), entries, limit_characters)


def require_room(store: Store, *, limit_characters: int, characters_before: int) -> None:
    """Raise Refused, listing what is there, when the profile has grown past its limit; call inside the write()."""
    profile = load_profile(store, limit_characters=limit_characters)
    if len(profile.text) <= max(limit_characters, characters_before):
        return
    lines = "\n".join(f"  {entry.entry_id}  {entry.content}" for entry in profile.entries)
    raise Refused(
        f"The profile would have {len(profile.text):,} of {limit_characters:,} characters. Merge or remove some of "
        f"its entries first, in the same batch if you like; with the new one they are:\n{lines}"
    )
