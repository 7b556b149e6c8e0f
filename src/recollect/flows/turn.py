"""Turn: from the user's prompt to the block that goes with it, and its receipt."""

from __future__ import annotations

from recollect.flows.recall import recall
from recollect.memory.inject import receipt_of, turn_block
from recollect.model.receipts import Injection
from recollect.text.tokens import estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.memory.checking import Checker
    from recollect.model.recall import Filters, Limits
    from recollect.model.receipts import Receipt
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
) -> Injection:
    """What this prompt gets from memory. The receipt is kept also when nothing was found."""
    found = recall(prompt, store=store, filters=filters, limits=limits, checker=checker, now=now)
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
