"""How often messages that belong to no session were compacted, for `status`: they leave no checkpoint to count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.context.compaction import CompactionResult
    from recollect.flows.opened import Opened

COMPACTIONS, TOKENS_FREED = "compactions", "tokens freed"


def counting(memory: Opened) -> Callable[[CompactionResult], None]:
    """Counts the compactions that it is told of."""

    def count(result: CompactionResult) -> None:
        if not result.compacted:
            return
        try:
            with memory.store.write(durable=False):
                memory.store.count(COMPACTIONS)
                memory.store.count(TOKENS_FREED, result.tokens_removed)
        except StoreError:
            pass  # the messages are what was asked for

    return count
