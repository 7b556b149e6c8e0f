"""The notice of the inbox with a prompt: behind what memory has, as far as the ceilings leave room."""

from __future__ import annotations

from recollect.flows.sidekicks.inbox import Inbox
from recollect.text.tokens import estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.flows.opened import Opened
    from recollect.model.turns import Recipient


def with_notice(text: str, memory: Opened, to: Recipient) -> str:
    """The text with the notice behind it; without room it waits for the next prompt."""
    inbox = Inbox(memory, host=to.host, session=to.session)
    told, entries = inbox.notice()
    if not told:
        return text
    both = f"{text}\n{told}" if text else told
    if len(both) > memory.limit_characters(to) or estimate_tokens(both) > memory.limit_tokens(to):
        return text
    inbox.tell(entries)
    return both
