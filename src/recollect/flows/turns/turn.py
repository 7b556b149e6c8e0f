"""Turn: from the user's prompt to the block that goes with it, and its receipt."""

from __future__ import annotations

from recollect.flows.turns.recall import recall
from recollect.memory.inject import PLENTY, receipt_of, turn_block
from recollect.model.receipts import Injection, LeftOut
from recollect.text.tokens import estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.memory.checking import Checker
    from recollect.model.recall import Filters, Limits
    from recollect.model.receipts import Recall, Receipt
    from recollect.store.store import Store


def turn(
    prompt: str,
    *,
    store: Store,
    filters: Filters,
    limits: Limits,
    checker: Checker,
    keep: Callable[[Receipt], None],
    receipt_id: str,
    session: str = "",
    number: int = 0,
    host: str = "",
    now: float,
    limit_characters: int = PLENTY,
    limit_tokens: int = PLENTY,
) -> Injection:
    """What this prompt gets from memory. The receipt is kept also when nothing was found."""
    found = recall(prompt, store=store, filters=filters, limits=limits, checker=checker, now=now)
    text = turn_block(found, receipt_id)
    tokens = estimate_tokens(text)
    while found.entries and (len(text) > limit_characters or tokens > limit_tokens):
        found = without_last(found)
        text = turn_block(found, receipt_id)
        tokens = estimate_tokens(text)
    keep(
        receipt_of(
            found,
            receipt_id=receipt_id,
            repository=filters.repository,
            session=session,
            turn=number,
            host=host,
            tokens=tokens,
            now=now,
        )
    )
    return Injection(text, receipt_id, tokens)


def without_last(found: Recall) -> Recall:
    """The recall without the last of its entries, which goes to what was left out."""
    last = found.entries[-1]
    out = LeftOut(last.entry.entry_id, "over the ceiling of one injection")
    return found._replace(
        entries=found.entries[:-1], left_out=(out, *found.left_out), tokens=found.tokens - last.tokens
    )
