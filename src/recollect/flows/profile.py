"""Profile: L0 changed by section or as a whole, as one batch that fits or is refused."""

from __future__ import annotations

from recollect.flows.write import write
from recollect.memory.profile import SECTION_TAG, parse_section, section_name, section_of, stored_profile
from recollect.model.drafts import Add, Draft, Remove, Update
from recollect.text.statements import statement_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.flows.write import Writer
    from recollect.model.drafts import Outcome
    from recollect.model.entries import Source
    from recollect.store.entries import Stored


def set_section(section: str, text: str, writer: Writer, *, source: Source) -> list[Outcome]:
    """Replace one section; an empty text removes it. Headings inside the text are lines of it."""
    stored = [(section_of(one.entry), one.entry.content) for one in stored_profile(writer.store)]
    # "style" is the section "Style" that is there already.
    section = section_name(section)
    section = next((known for known, _ in stored if known.casefold() == section.casefold()), section)
    wanted = [(section, statement) for statement in parse_section(section, text)]
    return set_profile([pair for pair in stored if pair[0] != section] + wanted, writer, source=source)


def set_profile(wanted: list[tuple[str, str]], writer: Writer, *, source: Source) -> list[Outcome]:
    """Make the profile these (section, statement) pairs: what stays is untouched, what is missing is retired."""
    missing = {(section, statement_key(statement)): statement for section, statement in wanted}
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
    return write(operations, writer, action="edit profile")


def _draft(section: str, statement: str, source: Source) -> Draft:
    return Draft(
        statement,
        layer="L0",
        scope="user",
        tags=(SECTION_TAG + section,),
        source=source,
        origin="typed" if source == "user" else "assistant",
    )
