"""Profile: L0 changed by section or as a whole, as one batch that fits or is refused."""

from __future__ import annotations

from recollect.flows.write import write
from recollect.memory.profile import SECTION_TAG, parse, section_of, stored_profile
from recollect.model.drafts import Add, Draft, Remove
from recollect.text.statements import statement_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.flows.write import Writer
    from recollect.model.drafts import Outcome
    from recollect.model.entries import Source


def set_section(section: str, text: str, writer: Writer, *, source: Source) -> list[Outcome]:
    """Replace one section; an empty text removes it."""
    wanted = [(section, statement) for _, statement in parse(text)]
    others = [(section_of(stored.entry), stored.entry.content) for stored in stored_profile(writer.store)]
    return set_profile([pair for pair in others if pair[0] != section] + wanted, writer, source=source)


def set_profile(wanted: list[tuple[str, str]], writer: Writer, *, source: Source) -> list[Outcome]:
    """Make the profile these (section, statement) pairs: what stays is untouched, what is missing is retired."""
    missing = {(section, statement_key(statement)): statement for section, statement in wanted}
    operations: list[Add | Remove] = []
    for stored in stored_profile(writer.store):
        if missing.pop((section_of(stored.entry), statement_key(stored.entry.content)), None) is None:
            operations.append(Remove(stored.entry.entry_id))
    for (section, _), statement in missing.items():
        draft = Draft(
            statement,
            layer="L0",
            scope="user",
            tags=(SECTION_TAG + section,),
            source=source,
            origin="typed" if source == "user" else "assistant",
        )
        operations.append(Add(draft))
    return write(operations, writer, action="edit profile")
