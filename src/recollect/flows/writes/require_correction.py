"""What a person types as a correction says what is right, and says it by itself."""

from __future__ import annotations

from recollect.errors import Refused, require_text
from recollect.flows.turns.announcements import quoted
from recollect.memory.correcting.meant import is_question, says_nothing
from recollect.memory.correcting.tidying import is_fragment, straight
from recollect.memory.origins import LONGEST_QUOTE
from recollect.model.entries import Citation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.model.drafts import Draft


def said_straight(draft: Draft) -> Draft:
    """What says first what it is not ("not eslint but biome") the other way round, with what was typed as its quote."""
    require_text(draft.content, "A correction")
    said = straight(draft.content)
    if said == draft.content:
        return draft
    return draft._replace(content=said, citations=draft.citations or (as_typed(draft),))


def as_typed(draft: Draft) -> Citation:
    """The words of a correction, which its entry cites."""
    return Citation("turn", session=draft.session, quote=draft.content[:LONGEST_QUOTE])


def require_correction(said: str) -> None:
    """Refused for a question, and for what only says that something is wrong."""
    if is_question(said):
        raise Refused("That is a question, so nothing was changed; say what is right, as a statement.")
    if says_nothing(said):
        raise Refused("That does not say what is right, so nothing was changed; say it as a statement.")


def require_whole(stored: str) -> None:
    """Refused where what would be stored says nothing by itself; what was written so far is taken back."""
    if is_fragment(stored):
        raise Refused(f"{quoted(stored)} does not say what it is about; write the whole sentence. Nothing was changed.")
