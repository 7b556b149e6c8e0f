"""Answer a question: what a turn with this text would get, for somebody who asks; the receipt says what they got."""

from __future__ import annotations

from recollect.flows.turns.recall import recall
from recollect.memory.inject import receipt_of, turn_block
from recollect.model.receipts import Answer
from recollect.model.turns import PLENTY
from recollect.text import ids

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from recollect.flows.opened import Opened
    from recollect.model.recall import Filters, Limits
    from recollect.model.turns import Recipient


MOST_COUNTED = 100

__all__ = ["answer_question", "count_elsewhere", "turn_block"]


def answer_question(query: str, memory: Opened, to: Recipient, *, filters: Filters, limits: Limits) -> Answer:
    """What was found, and the id of its receipt. It is no turn, so it has no number."""
    now, checker = memory.now, memory.checker()
    found = recall(
        query, store=memory.store, filters=filters, limits=limits, checker=checker, now=now, near=memory.near
    )
    receipt = receipt_of(
        found,
        receipt_id=memory.new_id(ids.RECEIPT),
        repository=filters.repository,
        session=to.session,
        host=to.host,
        tokens=found.tokens,
        now=now,
    )
    memory.keep_receipt(receipt, checker)
    return Answer(found, receipt.receipt_id)


def count_elsewhere(query: str, memory: Opened, filters: Filters, *, seen: Collection[str] = ()) -> int:
    """How many entries of other repositories these filters find, but for those already `seen`; nothing more is told of
    them, and no receipt is kept."""
    limits = memory.limits(MOST_COUNTED, PLENTY)
    found = recall(
        query,
        store=memory.store,
        filters=filters,
        limits=limits,
        checker=memory.checker(),
        now=memory.now,
        near=memory.near,
    )
    here = ("", filters.repository, *filters.known_as)
    return sum(one.entry.repository not in here and one.entry.entry_id not in seen for one in found.entries)
