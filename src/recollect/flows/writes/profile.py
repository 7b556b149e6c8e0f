"""Profile: L0 changed by section or as a whole, as one batch that fits or is refused."""

from __future__ import annotations

from recollect.errors import Refused, UsageError
from recollect.flows.writes.write import write
from recollect.memory.profile import parse, parse_section, stored_profile
from recollect.model.drafts import Add, Draft, Outcome, Remove, Update
from recollect.text.clean import clean
from recollect.text.language.statements import statement_key
from recollect.text.sections import SECTION_TAG, bare_name, section_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.flows.opened import Opened
    from recollect.flows.writes.writers import Writer
    from recollect.memory.profile import Profile
    from recollect.model.entries import Source
    from recollect.store.entries import Stored
    from recollect.store.store import Store

    Statements = dict[tuple[str, str], str]  # (section, statement key): statement


class ProfilePage:
    """L0, shown and changed."""

    def __init__(self, memory: Opened) -> None:
        self._memory = memory

    def show(self) -> Profile:
        """The profile as it stands, with the share of its limit that is used."""
        return self._memory.profile()

    def rewrite(self, markdown: str, *, source: Source = "user", may_empty: bool = True) -> list[Outcome]:
        """Replace the whole profile by this Markdown; without `may_empty`, Refused when there is no statement in it."""
        # Whole, before it is divided: a key runs over many lines.
        wanted = parse(clean(markdown))
        if not wanted and not may_empty:
            raise Refused(
                "No statement was given, so nothing changed. Empty a section with `recollect profile set SECTION ''`."
            )
        return set_profile(wanted, self._memory.writer(source), source=source)

    def set_section(self, section: str, text: str, *, source: Source = "user") -> list[Outcome]:
        """Replace one section; an empty text removes it."""
        return set_section(section, text, self._memory.writer(source), source=source)


def set_section(section: str, text: str, writer: Writer, *, source: Source) -> list[Outcome]:
    """Replace one section; an empty text removes it. Headings inside the text are lines of it, and a statement that
    stood in another section moves."""
    section, text = bare_name(clean(section)), clean(text)  # whole, before it is divided
    if not section:
        raise UsageError("A section needs a name, such as Preferences.")
    stored = [(section_of(one.entry), one.entry.content) for one in stored_profile(writer.store)]
    # "style" is the section "Style" that is there already.
    section = next((known for known, _ in stored if known.casefold() == section.casefold()), section)
    wanted = [(section, statement) for statement in parse_section(section, text)]
    said = {statement_key(statement) for _, statement in wanted}
    others = [(known, line) for known, line in stored if known != section and statement_key(line) not in said]
    return set_profile(others + wanted, writer, source=source)


def set_profile(wanted: list[tuple[str, str]], writer: Writer, *, source: Source) -> list[Outcome]:
    """Make the profile these (section, statement) pairs: what stays is untouched, what is missing is retired,
    and what stands in two sections is kept in the first."""
    missing, repeated = _once(wanted)
    left: list[Stored] = []
    operations: list[Add | Update | Remove] = []
    for stored in stored_profile(writer.store):
        statement = missing.pop((section_of(stored.entry), statement_key(stored.entry.content)), None)
        if statement is None:
            left.append(stored)
        elif statement != stored.entry.content:
            operations.append(Update(stored.entry.entry_id, _draft(section_of(stored.entry), statement, source)))
    moved = {key: section for section, key in missing}
    for stored in left:
        key = statement_key(stored.entry.content)
        if key in moved:
            section = moved.pop(key)
            operations.append(Update(stored.entry.entry_id, _draft(section, missing.pop((section, key)), source)))
        else:
            operations.append(Remove(stored.entry.entry_id))
    operations += [Add(_draft(section, statement, source)) for (section, _), statement in missing.items()]
    return write(operations, writer, action="edit profile") + _kept_once(repeated, writer.store)


def _once(wanted: list[tuple[str, str]]) -> tuple[Statements, Statements]:
    """Every statement where it stands first, and where it stands in another section again."""
    first: dict[str, str] = {}
    kept: Statements = {}
    repeated: Statements = {}
    for section, statement in wanted:
        key = statement_key(statement)
        places = kept if first.setdefault(key, section) == section else repeated
        places[section, key] = statement
    return kept, repeated


def _kept_once(repeated: Statements, store: Store) -> list[Outcome]:
    entries = {statement_key(one.entry.content): one.entry for one in stored_profile(store)}
    outcomes = []
    for section, key in repeated:
        if entry := entries.get(key):
            why = f"It was in {section} too; it is kept once, in {section_of(entry)}."
            outcomes.append(Outcome("duplicate", entry.entry_id, why))
    return outcomes


def _draft(section: str, statement: str, source: Source) -> Draft:
    return Draft(
        statement,
        layer="L0",
        scope="user",
        tags=(SECTION_TAG + section,),
        source=source,
        origin="typed" if source == "user" else "assistant",
    )
