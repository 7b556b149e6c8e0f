"""The prompt: what this turn gets from memory, and a receipt for it, also where the host takes nothing here."""

from __future__ import annotations

from recollect.flows.turns.turn import turn
from recollect.flows.turns.waiting_receipts import last_turn
from recollect.memory.inject import kept_query, receipt_of
from recollect.memory.queries import own_words
from recollect.model.receipts import LeftOut, Recall
from recollect.text import ids
from recollect.text.secrets.redacting import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.flows.hooks.occasion import Occasion

SAME_TURN_SECONDS = 60.0  # a host may tell of one prompt twice, before and after it was transformed


def hook_prompt(at: Occasion) -> str:
    """The block for this prompt; empty when nothing is worth its tokens."""
    number = turn_number(at)
    if not (at.call.takes_text and at.ability.injects_at_prompt):
        keep_without_answer(at, number)
        return ""
    return turn(
        at.call.prompt,
        store=at.store,
        filters=at.filters,
        limits=at.limits,
        checker=at.checker(),
        keep=at.keep,
        receipt_id=at.new_id(ids.RECEIPT),
        session=at.call.session,
        number=number,
        host=at.call.host,
        now=at.now,
        limit_characters=at.limit_characters,
        limit_tokens=at.limit_tokens,
    ).text


def turn_number(at: Occasion) -> int:
    """Which turn of its session this is; 0 for a prompt that nobody typed, so that it never passes for the user's."""
    if not at.call.typed:
        return 0
    if not at.call.session:
        return 1
    last = last_turn(at.call.session, store=at.store, spool_folder=at.home.spool)
    if last is None:
        return 1
    number, query, created = last
    if at.now - created >= SAME_TURN_SECONDS or not at.call.whole:
        return number + 1
    return number if query == kept_query(redact(own_words(at.call.prompt))) else number + 1


def keep_without_answer(at: Occasion, number: int) -> None:
    """The receipt of a prompt that got nothing because its host takes nothing here: what was typed is still known."""
    why = f"{at.ability.title} takes no memory with a prompt"
    found = Recall(redact(own_words(at.call.prompt)), (), (LeftOut("", why),))
    at.keep(
        receipt_of(
            found,
            receipt_id=at.new_id(ids.RECEIPT),
            repository=at.repository.repository,
            session=at.call.session,
            turn=number,
            host=at.call.host,
            now=at.now,
        )
    )
