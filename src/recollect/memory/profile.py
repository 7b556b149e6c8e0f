"""L0: who the user is, as Markdown in sections, never longer than its limit."""

from __future__ import annotations

from recollect.errors import Refused
from recollect.model.record import Record
from recollect.text.fences import neutralise
from recollect.text.patterns import lazy
from recollect.text.rendering import as_reference
from recollect.text.sections import DEFAULT_SECTION, SECTION_TAG, named_section, section_name, section_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.model.entries import Entry
    from recollect.store.entries import Stored
    from recollect.store.store import Store

_HEADING = lazy(r"^#+(?:\s|$)")
_BULLET = lazy(r"^(?:[-*•]\s+|[-*•]$)+")


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

    @property
    def shown(self) -> str:
        """The profile under a line that says how full it is; empty when there is none."""
        return f"[{self.usage}]\n\n{self.text}" if self.text else ""


def united_tags(entry: Entry, tags: Sequence[str]) -> tuple[str, ...]:
    """The tags of an entry and of what says the same. A statement stands in one section: the one named last."""
    both = tuple(dict.fromkeys((*entry.tags, *tags)))
    wanted = named_section(tags)
    if entry.layer != "L0" or not wanted:
        return both
    here = section_of(entry)
    # "style" is the section "Style" that it stands in already.
    section = here if wanted.casefold() == here.casefold() else wanted
    return (SECTION_TAG + section, *(tag for tag in both if not tag.startswith(SECTION_TAG)))


def told_of_section(before: Entry, after: Entry, wanted: str) -> str:
    """What to say when an L0 entry stands in another section than before, or not in the one that was wanted."""
    if before.layer != "L0":
        return ""
    old, new = section_of(before), section_of(after)
    if old != new:
        return neutralise(f"It was in {old}; it is now in {new}.")
    return neutralise(f"It stays in {new}.") if wanted and wanted.casefold() != new.casefold() else ""


def render(entries: Sequence[Entry]) -> str:
    """Sections in the order in which they first appear, one line per entry."""
    sections: dict[str, list[str]] = {}
    for entry in entries:
        line = f"- {as_reference(entry)}"
        sections.setdefault(neutralise(section_of(entry)), []).append(line)
    return "\n\n".join(f"## {name}\n" + "\n".join(lines) for name, lines in sections.items())


def parse(markdown: str) -> list[tuple[str, str]]:
    """(section, statement) pairs of a profile that a person wrote; a plain line counts like a bullet."""
    section, found = DEFAULT_SECTION, []
    for line in markdown.splitlines():
        text = line.strip()
        if _HEADING.match(text):
            section = section_name(text)
        elif statement := _BULLET.sub("", text, count=1):
            found.append((section, statement))
    return found


def parse_section(section: str, text: str) -> list[str]:
    """The statements of one section as a person wrote it, perhaps with its heading; other headings are lines of it."""
    lines, name = [line.strip() for line in text.splitlines()], section.casefold()
    own = [line for line in lines if not (_HEADING.match(line) and section_name(line).casefold() == name)]
    return [found for _, found in parse("\n".join(_HEADING.sub("", line, count=1) for line in own))]


def stored_profile(store: Store) -> list[Stored]:
    """The active L0 entries, oldest first."""
    return store.entries.listed({"layer": "L0", "status": "active"}, newest_first=False)


def load_profile(store: Store, *, limit_characters: int) -> Profile:
    """The profile as it stands."""
    entries = tuple(stored.entry for stored in stored_profile(store))
    return Profile(render(entries), entries, limit_characters)


def require_room(store: Store, *, before: Profile) -> None:
    """Raise Refused, listing what is there, when the profile has grown past its limit; call inside the write()."""
    profile = load_profile(store, limit_characters=before.limit_characters)
    if len(profile.text) <= max(before.limit_characters, len(before.text)):
        return
    known = {entry.entry_id for entry in before.entries}
    lines = [f"  {entry.entry_id}  {' '.join(entry.content.split())}" for entry in before.entries]
    lines += [f"  (new)  {' '.join(entry.content.split())}" for entry in profile.entries if entry.entry_id not in known]
    raise Refused(
        f"The profile would have {len(profile.text):,} of {before.limit_characters:,} characters; nothing was changed. "
        "Merge or remove some of its entries first, or in the same batch:\n" + "\n".join(lines)
    )
